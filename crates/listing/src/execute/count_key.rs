//! Tells the counts of one statement from those of another.

use std::fmt;
use std::hash::{BuildHasher as _, DefaultHasher, Hasher as _, RandomState};
use std::sync::LazyLock;

/// 128 bits of SipHash. Its keys are random in each process: nobody who does not know them can make two statements that have the
/// same.
pub(super) type CountKey = [u64; 2];

/// Makes a key from text, piece by piece.
pub(super) struct KeyHash([DefaultHasher; 2]);

impl KeyHash {
    pub(super) fn finish(&self) -> CountKey {
        let [first, second] = &self.0;
        [first.finish(), second.finish()]
    }
}

impl Default for KeyHash {
    fn default() -> Self {
        static KEYS: LazyLock<[RandomState; 2]> = LazyLock::new(Default::default);
        Self([KEYS[0].build_hasher(), KEYS[1].build_hasher()])
    }
}

impl fmt::Write for KeyHash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for hash in &mut self.0 {
            hash.write(text.as_bytes());
        }
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

    #[test]
    fn b85_a_key_is_of_the_text_and_has_two_halves() {
        assert_eq!(key(&["SELECT 1", "\0", "[7]"]), key(&["SELECT 1\0[7]"]));
        assert_ne!(key(&["SELECT 1\0[7]"]), key(&["SELECT 1\0[8]"]));
        let [first, second] = key(&["SELECT 1"]);
        assert_ne!(first, second);
    }
}
