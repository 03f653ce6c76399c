//! Writes JSON strings, and UUIDs, base64 and bits as text.
//!
//! Written by hand because it runs for most values of most rows: many bytes a step, no formatter.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Appends `bytes` as a JSON string, escaped as `serde_json` does it.
/// What is not UTF-8 becomes U+FFFD: a client must be able to read the other rows.
pub(crate) fn write_string(out: &mut Vec<u8>, bytes: &[u8]) {
    // Once, for the quotes too.
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    if is_plain(bytes) {
        out.extend_from_slice(bytes);
    } else if str::from_utf8(bytes).is_ok() {
        write_escaped(out, bytes);
    } else {
        write_escaped(out, String::from_utf8_lossy(bytes).as_bytes());
    }
    out.push(b'"');
}

fn write_escaped(out: &mut Vec<u8>, mut bytes: &[u8]) {
    loop {
        let plain = plain_prefix(bytes);
        let (before, rest) = bytes.split_at(plain);
        out.extend_from_slice(before);
        let Some((&special, after)) = rest.split_first() else {
            return;
        };
        write_escape(out, special);
        bytes = after;
    }
}

fn write_escape(out: &mut Vec<u8>, byte: u8) {
    let letter = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            let digits = [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
            out.extend_from_slice(b"\\u00");
            out.extend_from_slice(&digits);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', letter]);
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;

/// Whether all bytes are ASCII and none needs an escape, which is most text there is: then it is UTF-8 too.
///
/// At the end some bytes are checked twice, and none is left out.
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    let mut at = 0;
    if let Some(last) = bytes.len().checked_sub(16) {
        while let Some(chunk) = bytes[at.min(last)..].first_chunk::<16>() {
            let mut is_other = false;
            // To the end, so that the compiler looks at all of them at once.
            for byte in chunk {
                is_other |= !byte.is_ascii() | is_special(*byte);
            }
            if is_other || at >= last {
                return !is_other;
            }
            at += 16;
        }
    }
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            let [first, last] = [first, last].map(|word| u64::from_le_bytes(*word));
            (specials(first) | first | specials(last) | last) & HIGH == 0
        }
        _ => bytes
            .iter()
            .all(|byte| byte.is_ascii() && !is_special(*byte)),
    }
}

/// How many bytes at the front need no escape in a JSON string.
pub(crate) fn plain_prefix(bytes: &[u8]) -> usize {
    let (words, tail) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let marks = specials(u64::from_le_bytes(*word)) & HIGH;
        if marks != 0 {
            return index * 8 + (marks.trailing_zeros() / 8) as usize;
        }
    }
    let special = tail.iter().position(|byte| is_special(*byte));
    words.len() * 8 + special.unwrap_or(tail.len())
}

/// Marks the high bit of bytes that need an escape. The classic "has a byte less than n" test: a borrow can mark a byte
/// wrongly, but only one above (that is, after) a byte that is marked rightly.
const fn specials(word: u64) -> u64 {
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = word ^ (ONES * b'"' as u64);
    let quote = quote.wrapping_sub(ONES) & !quote;
    let backslash = word ^ (ONES * b'\\' as u64);
    let backslash = backslash.wrapping_sub(ONES) & !backslash;
    control | quote | backslash
}

const fn is_special(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Appends the 36 characters of a UUID, without quotes.
pub(crate) fn write_uuid(out: &mut Vec<u8>, uuid: &[u8; 16]) {
    let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
    let text = uuid::fmt::Hyphenated::from(uuid::Uuid::from_bytes(*uuid)).encode_lower(&mut text);
    out.extend_from_slice(text.as_bytes());
}

/// A UUID from its text, with or without hyphens, in any case.
pub(crate) fn parse_uuid(text: &[u8]) -> Option<[u8; 16]> {
    uuid::Uuid::try_parse_ascii(text)
        .ok()
        .map(uuid::Uuid::into_bytes)
}

/// Appends `bytes` as a JSON string of base64.
pub(crate) fn write_base64(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    let start = out.len();
    // 4 characters for every 3 bytes begun.
    out.resize(start + bytes.len().div_ceil(3) * 4, 0);
    let written = STANDARD.encode_slice(bytes, &mut out[start..]).unwrap_or(0);
    out.truncate(start + written);
    out.push(b'"');
}

/// Appends `length` bits from the left as `0` and `1`, without quotes. On the wire there are only whole bytes, and the bits are
/// at their right end.
pub(crate) fn write_bits(
    out: &mut Vec<u8>,
    bytes: &[u8],
    wire_length: Option<usize>,
    defined_length: Option<u32>,
) {
    let all = bytes.len() * 8;
    let (first, last) = match wire_length {
        Some(length) => (0, length.min(all)),
        None => {
            let length = defined_length.map_or(all, |length| length as usize);
            (all - length.min(all), all)
        }
    };
    for bit in first..last {
        out.push(b'0' + (bytes[bit / 8] >> (7 - bit % 8) & 1));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn string(bytes: &[u8]) -> String {
        let mut out = Vec::new();
        write_string(&mut out, bytes);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn escapes_at_every_place_of_a_word() {
        for length in 0..40 {
            for place in 0..=length {
                for special in ["\"", "\\", "\n", "\u{1f}", "\0", "\u{7f}", "é", " "] {
                    let mut text = "x".repeat(length);
                    text.insert_str(place, special);
                    assert_eq!(
                        string(text.as_bytes()),
                        serde_json::to_string(&text).unwrap()
                    );
                }
            }
        }
    }

    /// Rule b56.
    #[test]
    fn bytes_that_are_not_utf_8_are_replaced() {
        assert_eq!(string(b"a\xff\"b"), "\"a\u{fffd}\\\"b\"");
    }

    #[test]
    fn uuids_and_base64_and_bits() {
        let bytes: [u8; 16] = core::array::from_fn(|index| u8::try_from(index * 17).unwrap());
        let mut out = Vec::new();
        write_uuid(&mut out, &bytes);
        assert_eq!(out, uuid::Uuid::from_bytes(bytes).to_string().as_bytes());
        assert_eq!(parse_uuid(&out.to_ascii_uppercase()), Some(bytes));
        for (bytes, text) in [(&b""[..], "\"\""), (b"f", "\"Zg==\""), (b"foo", "\"Zm9v\"")] {
            let mut out = Vec::new();
            write_base64(&mut out, bytes);
            assert_eq!(out, text.as_bytes());
        }
        let bits = |wire, defined| {
            let mut out = Vec::new();
            write_bits(&mut out, &[0b1010_0000, 1], wire, defined);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(bits(Some(3), None), "101");
        assert_eq!(bits(None, Some(9)), "000000001");
        assert_eq!(bits(Some(99), None), "1010000000000001");
        assert_eq!(bits(None, None), "1010000000000001");
    }

    proptest! {
        #[test]
        fn strings_are_escaped_as_serde_json_does(text in any::<String>()) {
            prop_assert_eq!(string(text.as_bytes()), serde_json::to_string(&text).unwrap());
        }

        #[test]
        fn any_bytes_give_a_json_string(bytes in any::<Vec<u8>>()) {
            let parsed: String = serde_json::from_str(&string(&bytes)).unwrap();
            prop_assert_eq!(parsed, String::from_utf8_lossy(&bytes));
        }
    }
}
