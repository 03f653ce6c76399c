//! Chooses ports for servers.

use std::net::TcpListener;
use std::ops::Range;
use std::process;
use std::sync::atomic::{AtomicU16, Ordering};

use anyhow::{Context, Result};

/// Below those that the system gives to connections: one of them could otherwise take the port before the server has it, or while it
/// is away.
const PORTS: Range<u16> = 12_000..32_000;

/// A port that nothing listens on, and that is given once.
pub(crate) fn free_port() -> Result<u16> {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let many = PORTS.end - PORTS.start;
    // Runs at the same time begin at different ports.
    let first = u16::try_from(process::id() * 97 % u32::from(many))?;
    let mut offsets = (0..many).map(|_| NEXT.fetch_add(1, Ordering::Relaxed));
    offsets
        .find_map(|offset| {
            let place = (u32::from(first) + u32::from(offset)) % u32::from(many);
            let port = PORTS.start + u16::try_from(place).ok()?;
            let is_free = TcpListener::bind(("127.0.0.1", port)).is_ok();
            is_free.then_some(port)
        })
        .context("no port is free")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b1173.
    #[test]
    fn no_port_is_given_twice_or_is_one_of_the_systems() {
        let (one, other) = (free_port().unwrap(), free_port().unwrap());
        assert_ne!(one, other);
        assert!(PORTS.contains(&one) && PORTS.contains(&other));
    }
}
