//! Reads the addresses that a service listens on.

/// A host and a port: `127.0.0.1:8080`, `localhost:8080`, `[::1]:8080`.
pub(super) fn address(text: &str) -> Option<String> {
    let (host, port) = text.rsplit_once(':')?;
    let is_bare = !host.contains(':') || (host.starts_with('[') && host.ends_with(']'));
    let _: u16 = port.parse().ok()?;
    (!host.is_empty() && is_bare).then(|| text.to_owned())
}

#[cfg(feature = "metrics")]
pub(super) fn address_or_none(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some(String::new());
    }
    address(text)
}
