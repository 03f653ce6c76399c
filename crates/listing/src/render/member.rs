//! The name of an object's member, ready to be written before each of its values.

use super::text;

/// A comma, the name in quotes, and a colon: `,"title":`.
///
/// Most names are short. They are copied with the rest of their buffer, and the rest is cut off: a copy whose length is known
/// to the compiler takes two instructions, and any other is a call, for each value of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Member {
    Short { bytes: [u8; SHORT], len: usize },
    Long(Vec<u8>),
}

const SHORT: usize = 32;

impl Member {
    pub(super) fn of(name: &str) -> Self {
        let len = name.len() + 4;
        if len > SHORT || !text::is_plain(name.as_bytes()) {
            let mut long = vec![b','];
            text::write_string(&mut long, name.as_bytes());
            long.push(b':');
            return Self::Long(long);
        }
        let mut bytes = [0; SHORT];
        bytes[..2].copy_from_slice(b",\"");
        bytes[2..len - 2].copy_from_slice(name.as_bytes());
        bytes[len - 2..len].copy_from_slice(b"\":");
        Self::Short { bytes, len }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Short { len, .. } => *len,
            Self::Long(bytes) => bytes.len(),
        }
    }

    pub(super) fn write(&self, json: &mut Vec<u8>) {
        match self {
            Self::Short { bytes, len } => {
                let end = json.len() + len;
                json.extend_from_slice(bytes);
                json.truncate(end);
            }
            Self::Long(bytes) => json.extend_from_slice(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_written_whole() {
        for (name, written) in [
            ("id", r#","id":"#.to_owned()),
            ("", r#","":"#.to_owned()),
            ("ti\"tle", r#","ti\"tle":"#.to_owned()),
            // The longest that fits, and one more.
            (&"n".repeat(28), format!(",\"{}\":", "n".repeat(28))),
            (&"n".repeat(29), format!(",\"{}\":", "n".repeat(29))),
        ] {
            let member = Member::of(name);
            let mut json = b"{".to_vec();
            member.write(&mut json);
            assert_eq!(String::from_utf8(json).unwrap(), format!("{{{written}"));
            assert_eq!(member.len(), written.len());
        }
    }
}
