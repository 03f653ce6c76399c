//! Computes a short fingerprint of anything that can be written.

use std::fmt::{self, Write};

use sha2::{Digest, Sha256};

/// Stands for a text: no two texts that anybody can find have the same one.
pub(crate) type Fingerprint = [u8; 32];

/// The fingerprint of a text, without making the text.
pub(crate) fn fingerprint(text: fmt::Arguments<'_>) -> Fingerprint {
    let mut hash = Hash(Sha256::new());
    // A hash takes everything.
    let _ = hash.write_fmt(text);
    hash.0.finalize().into()
}

struct Hash(Sha256);

impl Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}
