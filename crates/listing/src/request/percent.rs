//! Decodes a key or value of a URL, or reports what is malformed in it (d1, d4).
//!
//! By hand, because the usual decoders let a broken `%` through and replace invalid UTF-8.

use std::borrow::Cow;

use super::error::RequestError;
use super::quote::Quote;

/// Decodes `%41` and `+`; borrows where nothing is encoded. `key` is quoted in errors.
pub(super) fn decode<'q>(raw: &'q str, key: &str) -> Result<Cow<'q, str>, RequestError> {
    let Some(first) = raw.bytes().position(|byte| matches!(byte, b'%' | b'+' | 0)) else {
        return Ok(Cow::Borrowed(raw));
    };
    let mut decoded = Vec::with_capacity(raw.len());
    decoded.extend_from_slice(&raw.as_bytes()[..first]);
    let mut at = first;
    while let Some((byte, width)) = byte_at(raw.as_bytes(), at) {
        match byte {
            None => {
                return Err(RequestError::BadPercentEncoding {
                    parameter: Quote::new(key),
                    token: excerpt(raw, at, 3),
                });
            }
            Some(0) => {
                return Err(RequestError::Nul {
                    parameter: Quote::new(key),
                    token: excerpt(raw, at, 12),
                });
            }
            Some(byte) => decoded.push(byte),
        }
        at += width;
    }
    match String::from_utf8(decoded) {
        Ok(text) => Ok(Cow::Owned(text)),
        Err(error) => Err(RequestError::InvalidUtf8 {
            parameter: Quote::new(key),
            token: excerpt(raw, raw_offset(raw, error.utf8_error().valid_up_to()), 12),
        }),
    }
}

/// The byte that is encoded at `at` (none if it is malformed), and how many bytes encode it.
fn byte_at(raw: &[u8], at: usize) -> Option<(Option<u8>, usize)> {
    Some(match *raw.get(at)? {
        b'+' => (Some(b' '), 1),
        b'%' => match (hex(raw.get(at + 1)), hex(raw.get(at + 2))) {
            (Some(high), Some(low)) => (Some(high << 4 | low), 3),
            _ => (None, 1),
        },
        byte => (Some(byte), 1),
    })
}

fn hex(digit: Option<&u8>) -> Option<u8> {
    match *digit? {
        digit @ b'0'..=b'9' => Some(digit - b'0'),
        digit @ b'a'..=b'f' => Some(digit - b'a' + 10),
        digit @ b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// The position in `raw` of the decoded byte with the number `decoded`.
fn raw_offset(raw: &str, decoded: usize) -> usize {
    let mut at = 0;
    for _ in 0..decoded {
        at += byte_at(raw.as_bytes(), at).map_or(0, |(_, width)| width);
    }
    at
}

/// A few characters of `raw` from the byte `at`.
fn excerpt(raw: &str, at: usize, length: usize) -> Quote {
    let rest = raw.get(at..).unwrap_or(raw);
    Quote::new(&rest.chars().take(length).collect::<String>())
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::decode;

    /// Rule d1.
    #[test]
    fn encoded_text_is_decoded_and_plus_is_a_space() {
        for (raw, text) in [
            ("", ""),
            ("plain", "plain"),
            ("a+b", "a b"),
            ("%2B%26%3d%25", "+&=%"),
            ("filters%5Ba%5D", "filters[a]"),
            ("%C3%A9%e2%82%ac", "é€"),
            ("raw é%20", "raw é "),
            ("%2500", "%00"),
        ] {
            assert_eq!(decode(raw, "key").as_deref(), Ok(text), "{raw}");
        }
    }

    #[test]
    fn text_without_encoding_is_borrowed() {
        assert!(matches!(decode("title", "key"), Ok(Cow::Borrowed("title"))));
    }

    /// Rule d4.
    #[test]
    fn malformed_text_is_an_error_that_quotes_the_place() {
        for (raw, code, token) in [
            ("ab%zz", "bad_percent_encoding", "%zz"),
            ("ab%", "bad_percent_encoding", "%"),
            ("ab%4", "bad_percent_encoding", "%4"),
            ("%+1", "bad_percent_encoding", "%+1"),
            ("%é", "bad_percent_encoding", "%é"),
            ("100%&", "bad_percent_encoding", "%&"),
            ("a+b%41%FFc", "invalid_utf8", "%FFc"),
            ("é%C3é", "invalid_utf8", "%C3é"),
            ("%ED%A0%80", "invalid_utf8", "%ED%A0%80"),
            ("%C0%80", "invalid_utf8", "%C0%80"),
            ("a%00b", "nul", "%00b"),
            ("a\0b", "nul", "␀b"),
        ] {
            let complaint = decode(raw, "key").map_err(|error| error.complaint());
            let complaint = complaint.expect_err(raw);
            assert_eq!((complaint.code, &*complaint.token), (code, token), "{raw}");
            assert_eq!(complaint.parameter, "key");
        }
    }
}
