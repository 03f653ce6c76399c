//! The hash of a server's certificate that binds a password to the encrypted connection (RFC 5929).
//!
//! Written by hand: only the algorithm of the certificate's signature matters, which is not worth compiling a parser of X.509.

use sha2::{Digest as _, Sha256, Sha384, Sha512};

/// 1.2.840.113549.1.1, signatures by RSA.
const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1];
/// 1.2.840.10045.4, signatures by ECDSA.
const ECDSA: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4];

/// The `tls-server-end-point`; `None` if the signature has no separate hash, such as Ed25519.
pub(super) fn end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    let algorithm = signature_algorithm(certificate)?;
    let hash = match (algorithm.strip_prefix(RSA), algorithm.strip_prefix(ECDSA)) {
        // MD5 and SHA-1 are replaced by SHA-256.
        (Some([4 | 5 | 11]), _) | (_, Some([1] | [3, 2])) => Sha256::digest(certificate).to_vec(),
        (Some([12]), _) | (_, Some([3, 3])) => Sha384::digest(certificate).to_vec(),
        (Some([13]), _) | (_, Some([3, 4])) => Sha512::digest(certificate).to_vec(),
        _ => return None,
    };
    Some(hash)
}

/// The object identifier after the signed part: `SEQUENCE { signed, SEQUENCE { OID, … }, … }`.
fn signature_algorithm(certificate: &[u8]) -> Option<&[u8]> {
    let (whole, _) = element(certificate, 0x30)?;
    let (_signed, rest) = element(whole, 0x30)?;
    let (algorithm, _) = element(rest, 0x30)?;
    Some(element(algorithm, 6)?.0)
}

/// The content of an element of DER with that tag, and what comes after it.
fn element(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&[found, length], rest) = bytes.split_first_chunk()?;
    let (length, rest) = match length {
        ..=0x7f => (usize::from(length), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(length - 0x80))?;
            let length = digits
                .iter()
                .fold(0, |sum, digit| sum << 8 | usize::from(*digit));
            (length, rest)
        }
        _ => return None,
    };
    (found == tag).then(|| rest.split_at_checked(length))?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A certificate as far as we look: an empty signed part, and an algorithm.
    fn signed_by(algorithm: &[u8]) -> Vec<u8> {
        let wrap = |tag: u8, content: &[u8]| {
            let length = u8::try_from(content.len()).unwrap();
            [&[tag, 0x81, length], content].concat()
        };
        let algorithm = wrap(0x30, &wrap(6, algorithm));
        wrap(0x30, &[wrap(0x30, &[]), algorithm].concat())
    }

    /// Rule b327.
    #[test]
    fn the_hash_is_the_one_of_the_signature() {
        for (algorithm, bytes) in [
            ([RSA, &[4]].concat(), Some(32)),
            ([RSA, &[5]].concat(), Some(32)),
            ([RSA, &[11]].concat(), Some(32)),
            ([RSA, &[12]].concat(), Some(48)),
            ([RSA, &[13]].concat(), Some(64)),
            ([ECDSA, &[1]].concat(), Some(32)),
            ([ECDSA, &[3, 2]].concat(), Some(32)),
            ([ECDSA, &[3, 3]].concat(), Some(48)),
            ([ECDSA, &[3, 4]].concat(), Some(64)),
            // RSASSA-PSS says it in its parameters, Ed25519 has none.
            ([RSA, &[10]].concat(), None),
            (vec![0x2b, 0x65, 0x70], None),
        ] {
            let certificate = signed_by(&algorithm);
            let hash = end_point(&certificate).map(|hash| hash.len());
            assert_eq!(hash, bytes, "{algorithm:?}");
            // A certificate that is cut short anywhere is not one.
            for length in 0..certificate.len() {
                assert_eq!(end_point(&certificate[..length]), None);
            }
        }
    }
}
