//! The text of PostgreSQL's binary network addresses.
//!
//! Written by hand: the crate postgres-protocol reads them too, but does not tell a `cidr` (which is written with its
//! prefix) from an `inet`, and does not know `macaddr8`.

use std::io::Write as _;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::super::error::DecodeError;

/// `inet` and `cidr`: the prefix is left out where it covers the whole of an `inet`.
pub(crate) fn address(bytes: &[u8]) -> Result<Vec<u8>, DecodeError> {
    let malformed = DecodeError::malformed("inet");
    let [_family, prefix, is_cidr, length, address @ ..] = bytes else {
        return Err(malformed);
    };
    if address.len() != usize::from(*length) {
        return Err(malformed);
    }
    let mut text = Vec::new();
    // Writing to a vector cannot fail.
    let _ = if let Ok(v4) = <[u8; 4]>::try_from(address) {
        write!(text, "{}", Ipv4Addr::from(v4))
    } else if let Ok(v6) = <[u8; 16]>::try_from(address) {
        write!(text, "{}", Ipv6Addr::from(v6))
    } else {
        return Err(malformed);
    };
    if *is_cidr != 0 || usize::from(*prefix) != address.len() * 8 {
        let _ = write!(text, "/{prefix}");
    }
    Ok(text)
}

/// `macaddr` and `macaddr8`.
pub(crate) fn mac(bytes: &[u8]) -> Result<Vec<u8>, DecodeError> {
    if !matches!(bytes.len(), 6 | 8) {
        return Err(DecodeError::malformed("macaddr"));
    }
    let mut text = Vec::with_capacity(24);
    for (index, byte) in bytes.iter().enumerate() {
        if index > 0 {
            text.push(b':');
        }
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
