//! A PostgreSQL array that is still on the wire.
//!
//! Written by hand: the crate postgres-protocol reads the header too, but accepts one that claims more elements than there
//! are bytes, and the nesting, which is most of the work, would still be ours.

use super::super::error::DecodeError;
use super::wire::Base;

/// An array whose elements are read as they are written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Array<'r> {
    Binary {
        dimensions: Dimensions,
        element: Base,
        body: &'r [u8],
    },
    /// pgvector's: numbers of four bytes.
    Vector(&'r [[u8; 4]]),
}

/// PostgreSQL has no more than six.
pub(super) type Dimensions = [usize; 6];

pub(super) const MALFORMED: DecodeError = DecodeError::malformed("array");

impl<'r> Array<'r> {
    /// `element` comes from the column's type; the array itself knows better, if its number is known.
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
        // Each element takes at least the four bytes of its length, so there cannot be more elements than that.
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
}

pub(super) fn take_u32(rest: &mut &[u8]) -> Result<u32, DecodeError> {
    let (bytes, after) = rest.split_first_chunk::<4>().ok_or(MALFORMED)?;
    *rest = after;
    Ok(u32::from_be_bytes(*bytes))
}
