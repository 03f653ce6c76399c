//! Encodes the place of a row in an order as bytes, and decodes it again.

use serde::{Deserialize, Serialize};

use crate::vocabulary::Key;

/// The position of a row in the order of a list: the content of a cursor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Bookmark {
    /// Stands for the list that it is a place of: its listing, sorts and filters.
    pub(crate) list: [u8; 16],
    /// Whether the rows before it are meant, rather than those after it.
    pub(crate) backwards: bool,
    /// The row's value for each term of the order.
    pub(crate) values: Vec<Key>,
}

impl Bookmark {
    /// Bytes that `from_bytes` understands.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        // Only what does not fit into a buffer could fail, and a vector grows.
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// Returns `None` if the bytes are not a bookmark.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        match postcard::take_from_bytes(bytes) {
            Ok((bookmark, [])) => Some(bookmark),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bookmark, Key};

    #[test]
    fn a_bookmark_comes_back_as_it_was() {
        let bookmark = Bookmark {
            list: [7; 16],
            backwards: true,
            values: vec![
                Key::Null,
                Key::Int(i64::MIN),
                Key::UInt(u64::MAX),
                Key::Uuid([9; 16]),
                Key::Text("".into()),
                Key::Text("ä\0".into()),
                Key::Bytes(1.5_f64.to_be_bytes().into()),
            ],
        };
        let bytes = bookmark.to_bytes();
        assert_eq!(Bookmark::from_bytes(&bytes), Some(bookmark));
        for end in 0..bytes.len() {
            assert_eq!(Bookmark::from_bytes(&bytes[..end]), None, "{end}");
        }
        assert_eq!(Bookmark::from_bytes(&[&bytes[..], &[0]].concat()), None);
        assert_eq!(Bookmark::from_bytes(&[6; 30]), None);
    }
}
