//! Signs messages according to the Standard Webhooks specification (d130).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// The allowed lengths of a key, in bytes.
const BYTES: std::ops::RangeInclusive<usize> = 24..=64;

/// The keys of a secret: one, or several separated by spaces. `None` if any of them is invalid.
pub(in super::super) fn keys(secret: &str) -> Option<Vec<Vec<u8>>> {
    let keys = secret.split_ascii_whitespace().map(|key| {
        let key = STANDARD.decode(key.strip_prefix("whsec_")?).ok()?;
        BYTES.contains(&key.len()).then_some(key)
    });
    let keys: Vec<_> = keys.collect::<Option<_>>()?;
    (!keys.is_empty()).then_some(keys)
}

/// The value of the header `webhook-signature`, with one signature for each key.
pub(super) fn of(keys: &[Vec<u8>], id: &str, timestamp: &str, body: &str) -> String {
    let signatures = keys.iter().filter_map(|key| {
        // HMAC accepts keys of any length.
        let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
        for part in [id, ".", timestamp, ".", body] {
            mac.update(part.as_bytes());
        }
        let signature = STANDARD.encode(mac.finalize().into_bytes());
        Some(format!("v1,{signature}"))
    });
    signatures.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    /// The example is from the specification's own libraries.
    /// Rules d130, b1190.
    #[test]
    fn signatures_are_those_of_the_specification() {
        let keys = keys(SECRET).unwrap();
        let id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
        let body = r#"{"test": 2432232314}"#;
        let signed = of(&keys, id, "1614265330", body);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        let both = super::keys(&format!("{SECRET} {SECRET}")).unwrap();
        let twice = of(&both, id, "1614265330", body);
        assert_eq!(twice, format!("{signed} {signed}"));
    }

    /// Rule b1190.
    #[test]
    fn a_secret_is_one_key_or_several_of_enough_bytes() {
        let of_bytes = |count| format!("whsec_{}", STANDARD.encode(vec![7; count]));
        for count in [24, 32, 64] {
            let key = keys(&of_bytes(count)).unwrap();
            assert_eq!(key, [vec![7; count]]);
        }
        for wrong in [
            String::new(),
            " ".to_owned(),
            "whsec_".to_owned(),
            "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned(),
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!".to_owned(),
            of_bytes(23),
            of_bytes(65),
            format!("{SECRET} {}", of_bytes(23)),
        ] {
            assert_eq!(keys(&wrong), None, "{wrong}");
        }
    }
}
