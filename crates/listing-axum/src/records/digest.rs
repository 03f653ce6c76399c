//! Computes a text of 64 characters by which rows are found, whichever texts a database considers equal.

use sha2::{Digest, Sha256};

/// The digest of these parts. Finding other parts with the same digest is infeasible.
pub(super) fn digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let digits = hash.finalize();
    digits.iter().map(|byte| format!("{byte:02x}")).collect()
}
