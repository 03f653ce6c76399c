//! Splits a decoded key such as `a[b][0]` into its name `a` and the pieces `b` and `0` (d1, d4).

use super::budget::check_name;
use super::error::RequestError;
use super::quote::Quote;
use super::text::split_at_byte;

/// Splits a key into the name in front of the brackets and the names in them; `[]` is an empty piece.
pub(super) fn split(key: &str, depth: usize) -> Result<(&str, Pieces<'_>), RequestError> {
    let end = key.bytes().position(|byte| byte == b'[');
    let end = end.unwrap_or(key.len());
    let (name, rest) = key.split_at(end);
    if let Some(at) = name.bytes().position(|byte| byte == b']') {
        return Err(RequestError::StrayBracket {
            parameter: Quote::new(key),
            token: Quote::new(&key[at..]),
        });
    }
    Ok((
        name,
        Pieces {
            key,
            rest,
            left: depth,
            depth,
        },
    ))
}

/// The pieces in brackets. Nothing follows an error.
#[derive(Debug)]
pub(super) struct Pieces<'k> {
    key: &'k str,
    rest: &'k str,
    /// How many more levels may follow.
    left: usize,
    depth: usize,
}

impl<'k> Iterator for Pieces<'k> {
    type Item = Result<&'k str, RequestError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let piece = self.piece();
        if piece.is_err() {
            self.rest = "";
        }
        Some(piece)
    }
}

impl<'k> Pieces<'k> {
    fn piece(&mut self) -> Result<&'k str, RequestError> {
        let parameter = || Quote::new(self.key);
        let token = || Quote::new(self.rest);
        let Some(inner) = self.rest.strip_prefix('[') else {
            return Err(RequestError::StrayBracket {
                parameter: parameter(),
                token: token(),
            });
        };
        let (piece, rest) = match split_at_byte(inner, b']') {
            Some((piece, rest)) if piece.bytes().all(|byte| byte != b'[') => (piece, rest),
            _ => {
                return Err(RequestError::UnclosedBracket {
                    parameter: parameter(),
                    token: token(),
                });
            }
        };
        let Some(left) = self.left.checked_sub(1) else {
            return Err(RequestError::TooDeep {
                parameter: parameter(),
                limit: self.depth,
            });
        };
        check_name(piece, parameter)?;
        self.rest = rest;
        self.left = left;
        Ok(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::{RequestError, split};

    fn pieces(key: &str, depth: usize) -> Result<Vec<&str>, RequestError> {
        let (name, rest) = split(key, depth)?;
        std::iter::once(Ok(name)).chain(rest).collect()
    }

    /// Rule d1.
    #[test]
    fn a_key_is_a_name_and_its_brackets() {
        for (key, path) in [
            ("a", vec!["a"]),
            ("", vec![""]),
            ("a[b][0]", vec!["a", "b", "0"]),
            ("a[]", vec!["a", ""]),
            ("[a]", vec!["", "a"]),
            ("é[ü.x][$in][]", vec!["é", "ü.x", "$in", ""]),
        ] {
            assert_eq!(pieces(key, 6), Ok(path), "{key}");
        }
    }

    /// Rule d4.
    #[test]
    fn brackets_that_do_not_pair_are_an_error() {
        for (key, code, token) in [
            ("a[b", "unclosed_bracket", "[b"),
            ("a[", "unclosed_bracket", "["),
            ("a[b][", "unclosed_bracket", "["),
            ("a[[b]]", "unclosed_bracket", "[[b]]"),
            ("a]", "stray_bracket", "]"),
            ("]a[b]", "stray_bracket", "]a[b]"),
            ("a[b]c", "stray_bracket", "c"),
            ("a[b]]", "stray_bracket", "]"),
            ("a[b]c[d]", "stray_bracket", "c[d]"),
        ] {
            let complaint = pieces(key, 6).map_err(|error| error.complaint());
            let complaint = complaint.expect_err(key);
            assert_eq!((complaint.code, &*complaint.token), (code, token), "{key}");
            assert_eq!(complaint.parameter, key);
        }
    }

    /// Rule d3.
    #[test]
    fn levels_of_brackets_are_bounded() {
        assert!(pieces("a[1][2][3]", 3).is_ok());
        let error = pieces("a[1][2][3][4]", 3);
        assert!(
            matches!(error, Err(RequestError::TooDeep { limit: 3, .. })),
            "{error:?}"
        );
        let deep = format!("a{}", "[x]".repeat(10_000));
        assert!(matches!(
            pieces(&deep, 6),
            Err(RequestError::TooDeep { limit: 6, .. })
        ));
    }
}
