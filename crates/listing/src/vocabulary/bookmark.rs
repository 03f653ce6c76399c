//! Encodes the place of a row in an order as bytes, and decodes it again.

use super::Key;

/// The place of a row in the order of a list: what a cursor holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bookmark {
    /// Stands for the list that it is a place of: its listing, sorts and filters.
    pub(crate) list: [u8; 16],
    /// Whether the rows before it are meant, rather than those behind it.
    pub(crate) backwards: bool,
    /// The row's value for each term of the order.
    pub(crate) values: Vec<Key>,
}

impl Bookmark {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64);
        bytes.extend_from_slice(&self.list);
        bytes.push(u8::from(self.backwards));
        for value in &self.values {
            match value {
                Key::Null => bytes.push(0),
                Key::Int(value) => put(&mut bytes, 1, &value.to_be_bytes()),
                Key::UInt(value) => put(&mut bytes, 2, &value.to_be_bytes()),
                Key::Uuid(value) => put(&mut bytes, 3, value),
                Key::Text(value) => put_long(&mut bytes, 4, value.as_bytes()),
                Key::Bytes(value) => put_long(&mut bytes, 5, value),
            }
        }
        bytes
    }

    /// None where the bytes are no bookmark.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (list, rest) = bytes.split_first_chunk()?;
        let (backwards, mut rest) = rest.split_first()?;
        let mut values = Vec::new();
        while let Some((tag, after)) = rest.split_first() {
            rest = after;
            values.push(match tag {
                0 => Key::Null,
                1 => Key::Int(i64::from_be_bytes(take(&mut rest)?)),
                2 => Key::UInt(u64::from_be_bytes(take(&mut rest)?)),
                3 => Key::Uuid(take(&mut rest)?),
                4 => Key::Text(str::from_utf8(take_long(&mut rest)?).ok()?.into()),
                5 => Key::Bytes(take_long(&mut rest)?.into()),
                _ => return None,
            });
        }
        Some(Self {
            list: *list,
            backwards: *backwards == 1,
            values,
        })
    }
}

fn put(bytes: &mut Vec<u8>, tag: u8, value: &[u8]) {
    bytes.push(tag);
    bytes.extend_from_slice(value);
}

fn put_long(bytes: &mut Vec<u8>, tag: u8, value: &[u8]) {
    bytes.push(tag);
    // A length that does not fit is over every bound, and never read.
    let length = u32::try_from(value.len()).unwrap_or(u32::MAX);
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(value);
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*taken)
}

fn take_long<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let length = u32::from_be_bytes(take(rest)?);
    let (taken, after) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    *rest = after;
    Some(taken)
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
        // Cut short it is another bookmark, with fewer values, or none; never a panic.
        for end in 0..bytes.len() {
            let cut = Bookmark::from_bytes(&bytes[..end]);
            assert!(cut.is_none_or(|cut| cut.values.len() < 7), "{end}");
        }
        assert_eq!(Bookmark::from_bytes(&[6; 30]), None);
    }
}
