//! Writes a PostgreSQL array as nested JSON arrays.

use super::wire::Base;
use super::{binary, simple};
use crate::execute::scalar::{DecodeError, Scalar};

/// An array that is still on the wire: its elements are read as they are written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Array<'r> {
    Binary {
        dimensions: Dimensions,
        element: Base,
        body: &'r [u8],
    },
    /// Of the text protocol: `{1,2,NULL}`.
    Text { element: Base, text: Vec<u8> },
    /// pgvector's: numbers of four bytes.
    Vector(&'r [[u8; 4]]),
}

/// PostgreSQL has no more than six.
type Dimensions = [usize; 6];

/// Writes one element.
type WriteElement<'w> = &'w mut dyn FnMut(&mut Vec<u8>, &Scalar<'_>) -> Result<(), DecodeError>;

const MALFORMED: DecodeError = DecodeError::malformed("array");

impl<'r> Array<'r> {
    /// `element` is what the column's type says; the array itself knows better, if its number is known.
    pub(crate) fn decode(element: Base, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        let mut rest = bytes;
        let count = take_u32(&mut rest)? as usize;
        let _has_nulls = take_u32(&mut rest)?;
        let element = match Base::of_oid(take_u32(&mut rest)?) {
            Base::Unknown => element,
            known => known,
        };
        // 0 ends the list of dimensions, so that an array without elements has none.
        let mut dimensions = [0; 6];
        let mut elements = usize::from(count > 0);
        for dimension in dimensions.get_mut(..count).ok_or(MALFORMED)? {
            *dimension = take_u32(&mut rest)? as usize;
            let _lower_bound = take_u32(&mut rest)?;
            elements = elements.checked_mul(*dimension).ok_or(MALFORMED)?;
        }
        // Each element has a length of four bytes at least: no more can be claimed than is there.
        if (count > 0 && elements == 0) || elements > rest.len() / 4 {
            return Err(MALFORMED);
        }
        Ok(Self::Binary {
            dimensions,
            element,
            body: rest,
        })
    }

    pub(crate) fn vector(bytes: &'r [u8]) -> Result<Self, DecodeError> {
        let malformed = DecodeError::malformed("vector");
        match bytes.as_chunks::<4>() {
            ([[high, low, ..], numbers @ ..], [])
                if usize::from(u16::from_be_bytes([*high, *low])) == numbers.len() =>
            {
                Ok(Self::Vector(numbers))
            }
            _ => Err(malformed),
        }
    }

    pub(crate) fn write(
        &self,
        out: &mut Vec<u8>,
        write_element: WriteElement<'_>,
    ) -> Result<(), DecodeError> {
        match self {
            Self::Binary {
                dimensions,
                element,
                body,
            } => {
                let mut rest = *body;
                write_dimension(out, dimensions, *element, &mut rest, write_element)
            }
            Self::Text { element, text } => write_text(out, text, *element, write_element),
            Self::Vector(numbers) => {
                out.push(b'[');
                for (index, number) in numbers.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    write_element(out, &Scalar::F32(f32::from_be_bytes(*number)))?;
                }
                out.push(b']');
                Ok(())
            }
        }
    }
}

fn write_dimension(
    out: &mut Vec<u8>,
    dimensions: &[usize],
    element: Base,
    rest: &mut &[u8],
    write_element: WriteElement<'_>,
) -> Result<(), DecodeError> {
    let (length, inner) = match dimensions.split_first() {
        Some((length, inner)) => (*length, inner),
        None => (0, dimensions),
    };
    out.push(b'[');
    for index in 0..length {
        if index > 0 {
            out.push(b',');
        }
        if inner.first().is_some_and(|length| *length > 0) {
            write_dimension(out, inner, element, rest, write_element)?;
        } else {
            let scalar = match take_u32(rest)?.cast_signed() {
                -1 => Scalar::Null,
                length => {
                    let length = usize::try_from(length).map_err(|_| MALFORMED)?;
                    let (bytes, after) = rest.split_at_checked(length).ok_or(MALFORMED)?;
                    *rest = after;
                    binary::decode_one(element, bytes)?
                }
            };
            write_element(out, &scalar)?;
        }
    }
    out.push(b']');
    Ok(())
}

fn take_u32(rest: &mut &[u8]) -> Result<u32, DecodeError> {
    let (bytes, after) = rest.split_first_chunk::<4>().ok_or(MALFORMED)?;
    *rest = after;
    Ok(u32::from_be_bytes(*bytes))
}

/// Braces become brackets; between them stand bare elements, quoted ones and `NULL`.
fn write_text(
    out: &mut Vec<u8>,
    text: &[u8],
    base: Base,
    write_element: WriteElement<'_>,
) -> Result<(), DecodeError> {
    // Bounds other than 1 are written before: `[0:1]={1,2}`.
    let from = text
        .iter()
        .position(|byte| *byte == b'{')
        .ok_or(MALFORMED)?;
    let mut rest = &text[from..];
    let mut depth = 0_usize;
    let mut before = b',';
    let mut element = Vec::new();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        // An element is remembered as a closing brace: the same may follow.
        let value_may_follow = matches!(before, b',' | b'{');
        before = match first {
            b'{' if value_may_follow => {
                depth += 1;
                out.push(b'[');
                b'{'
            }
            b'}' if before != b',' => {
                depth = depth.checked_sub(1).ok_or(MALFORMED)?;
                out.push(b']');
                b'}'
            }
            b',' if before == b'}' && depth > 0 => {
                out.push(b',');
                b','
            }
            b',' | b'{' | b'}' => return Err(MALFORMED),
            _ if depth == 0 || !value_may_follow => return Err(MALFORMED),
            b'"' => {
                element.clear();
                rest = take_quoted(rest, &mut element).ok_or(MALFORMED)?;
                write_element(out, &simple::decode_one(base, &element)?)?;
                b'}'
            }
            _ => {
                let end = rest
                    .iter()
                    .position(|byte| matches!(byte, b',' | b'}' | b'{'));
                let (more, after) = rest.split_at(end.unwrap_or(rest.len()));
                rest = after;
                element.clear();
                element.push(first);
                element.extend_from_slice(more);
                if element.eq_ignore_ascii_case(b"null") {
                    write_element(out, &Scalar::Null)?;
                } else {
                    write_element(out, &simple::decode_one(base, &element)?)?;
                }
                b'}'
            }
        };
    }
    if depth == 0 { Ok(()) } else { Err(MALFORMED) }
}

fn take_quoted<'a>(mut rest: &'a [u8], element: &mut Vec<u8>) -> Option<&'a [u8]> {
    loop {
        let (first, after) = rest.split_first()?;
        rest = after;
        match first {
            b'"' => return Some(rest),
            b'\\' => {
                let (escaped, after) = rest.split_first()?;
                rest = after;
                element.push(*escaped);
            }
            _ => element.push(*first),
        }
    }
}
