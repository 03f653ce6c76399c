//! Tells the counts of one statement from those of another.

use std::fmt;
use std::hash::{BuildHasher as _, DefaultHasher, Hasher as _, RandomState};
use std::sync::LazyLock;

/// SipHash with keys that are random in each process: without them, two statements cannot be made to collide, and the chance
/// that any two of the thousand that are kept do is below 1 in 10^13.
pub(super) type CountKey = u64;

/// Makes a key from bytes and text, piece by piece.
pub(super) struct KeyHash(DefaultHasher);

impl KeyHash {
    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    pub(super) fn finish(&self) -> CountKey {
        self.0.finish()
    }
}

impl Default for KeyHash {
    fn default() -> Self {
        static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        Self(KEYS.build_hasher())
    }
}

impl fmt::Write for KeyHash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn key(pieces: &[&str]) -> CountKey {
        let mut hash = KeyHash::default();
        pieces
            .iter()
            .try_for_each(|piece| hash.write_str(piece))
            .unwrap();
        hash.finish()
    }

    /// Rule b85.
    #[test]
    fn a_key_is_of_the_whole_text() {
        assert_eq!(key(&["SELECT 1", "\0", "[7]"]), key(&["SELECT 1\0[7]"]));
        assert_ne!(key(&["SELECT 1\0[7]"]), key(&["SELECT 1\0[8]"]));
    }
}
