//! Writes the elements of a PostgreSQL array, in nested JSON arrays.

use super::super::error::DecodeError;
use super::super::scalar::Scalar;
use super::array::{Array, MALFORMED, take_u32};
use super::binary;
use super::wire::Base;

/// Writes one element.
type WriteElement<'w> = &'w mut dyn FnMut(&mut Vec<u8>, &Scalar<'_>) -> Result<(), DecodeError>;

/// Appends the array; `write_element` appends each of its values.
pub(crate) fn write(
    out: &mut Vec<u8>,
    array: &Array<'_>,
    write_element: WriteElement<'_>,
) -> Result<(), DecodeError> {
    match array {
        Array::Binary {
            dimensions,
            element,
            body,
        } => {
            let mut rest = *body;
            write_dimension(out, dimensions, *element, &mut rest, write_element)
        }
        Array::Vector(numbers) => {
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
