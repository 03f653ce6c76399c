//! The spelling of an `id` for a primary key of several columns.
//!
//! The parts are joined by commas. A comma inside a part is written as `~1` and a tilde as `~0`, as JSON Pointer does
//! with its own separator, so that every list of parts has one spelling and every spelling one list of parts.

/// The parts as one text: `1,2`.
#[must_use]
pub fn join_id<P: AsRef<str>>(parts: impl IntoIterator<Item = P>) -> String {
    let mut id = Vec::new();
    for (at, part) in parts.into_iter().enumerate() {
        if at > 0 {
            id.push(b',');
        }
        write_part(&mut id, part.as_ref().as_bytes());
    }
    // Only bytes of ASCII were put in place of others.
    String::from_utf8_lossy(&id).into_owned()
}

/// The parts of an id; `None` if their number differs, or if it is not spelled as [`join_id`] spells it.
#[must_use]
pub fn split_id(id: &str, count: usize) -> Option<Vec<String>> {
    let parts: Vec<_> = id
        .split(',')
        .map(|part| part.replace("~1", ",").replace("~0", "~"))
        .collect();
    (parts.len() == count && join_id(&parts) == id).then_some(parts)
}

/// Appends one part. The text may be escaped as JSON already, which leaves both signs alone.
pub(crate) fn write_part(out: &mut Vec<u8>, part: &[u8]) {
    for byte in part {
        match byte {
            b',' => out.extend_from_slice(b"~1"),
            b'~' => out.extend_from_slice(b"~0"),
            other => out.push(*other),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Rule b360.
    #[test]
    fn parts_are_joined_by_commas() {
        assert_eq!(join_id(["1", "2"]), "1,2");
        assert_eq!(join_id(["a,b", "~1"]), "a~1b,~01");
        assert_eq!(split_id("1,2", 2).unwrap(), ["1", "2"]);
        assert_eq!(split_id("a~1b,~01", 2).unwrap(), ["a,b", "~1"]);
        for wrong in ["", "1", "1,2,3", "~2,1", "1,~"] {
            assert_eq!(split_id(wrong, 2), None, "{wrong}");
        }
    }

    proptest! {
        /// Rule b360.
        #[test]
        fn every_list_of_parts_can_be_found_again(parts in prop::collection::vec("[a~,10/ é]{0,5}", 2..5)) {
            prop_assert_eq!(split_id(&join_id(&parts), parts.len()).unwrap(), parts);
        }
    }
}
