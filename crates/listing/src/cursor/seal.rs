//! Seals bytes into text that clients can carry but neither read nor change.
//!
//! A cursor holds the values of the columns that a list is sorted by, and not all of them are shown to clients. It is
//! therefore encrypted, by AES-256-GCM-SIV (RFC 8452), which also tells when it was changed. That cipher is made to be
//! safe when a nonce comes again, and so none is sent: one place in a list has one cursor, and the same answer the same bytes.

use std::fmt;
use std::sync::LazyLock;

use aes_gcm_siv::aead::{Aead, Payload};
use aes_gcm_siv::{Aes256GcmSiv, KeyInit};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::vocabulary::{CursorKey, Fingerprint, fingerprint};

/// Seals bytes into texts.
#[derive(Clone)]
pub(crate) struct Seal(Aes256GcmSiv);

/// The version. Text that was sealed differently before cannot be opened, and is recognized by it.
const VERSION: u8 = 1;

impl Seal {
    pub(crate) fn new(key: &CursorKey) -> Self {
        let key: Fingerprint = if key.as_str().is_empty() {
            *OF_THIS_PROCESS
        } else {
            fingerprint(format_args!("listing cursor\0{}", key.as_str()))
        };
        Self(Aes256GcmSiv::new(&key.into()))
    }

    pub(crate) fn seal(&self, bytes: &[u8]) -> String {
        let payload = Payload {
            msg: bytes,
            aad: &[VERSION],
        };
        // It refuses 64 GiB and more.
        let sealed = self.0.encrypt(&[0; 12].into(), payload).unwrap_or_default();
        let mut token = Vec::with_capacity(sealed.len() + 1);
        token.push(VERSION);
        token.extend_from_slice(&sealed);
        URL_SAFE_NO_PAD.encode(token)
    }

    /// The bytes; `None` if the text was not made by this seal.
    pub(crate) fn open(&self, token: &str) -> Option<Vec<u8>> {
        let token = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (version, sealed) = token.split_first()?;
        let payload = Payload {
            msg: sealed,
            aad: &[VERSION],
        };
        (*version == VERSION)
            .then(|| self.0.decrypt(&[0; 12].into(), payload).ok())
            .flatten()
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal")
    }
}

/// A random key, which never leaves this process.
static OF_THIS_PROCESS: LazyLock<Fingerprint> = LazyLock::new(|| {
    tracing::info!("no cursor_key is set: cursors are valid only until this process exits");
    // Each has 122 random bits of the operating system's.
    let random = [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()];
    fingerprint(format_args!("listing cursor\0{random:?}"))
});

#[cfg(test)]
mod tests {
    use super::{CursorKey, Seal};

    fn seal(key: &str) -> Seal {
        Seal::new(&CursorKey::new(key).unwrap())
    }

    /// Rule b91.
    #[test]
    fn what_is_sealed_is_neither_readable_nor_changeable() {
        let ours = seal("a key that is long enough");
        let token = ours.seal(b"secret@example.com");
        assert_eq!(
            ours.open(&token).as_deref(),
            Some(&b"secret@example.com"[..])
        );
        assert_eq!(token, ours.seal(b"secret@example.com"));
        assert!(
            token
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        );
        let same = seal("a key that is long enough").open(&token);
        assert!(same.is_some(), "another instance with the same key");
        assert_eq!(seal("a key that is long enough!").open(&token), None);
        assert_eq!(seal("").open(&token), None);
        // Every character counts, and so does each that is missing or too many.
        for at in 0..token.len() {
            let mut forged = token.clone().into_bytes();
            forged[at] = if forged[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(ours.open(str::from_utf8(&forged).unwrap()), None, "{at}");
            assert_eq!(ours.open(&token[..at]), None, "{at}");
        }
        for forged in [format!("{token}A"), format!("{token}="), "ö".to_owned()] {
            assert_eq!(ours.open(&forged), None);
        }
    }
}
