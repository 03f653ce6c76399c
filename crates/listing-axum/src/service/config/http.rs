//! The settings for HTTP.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

/// How to treat clients and responses, whatever is requested.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpConfig {
    /// Whether responses are compressed for clients that accept it.
    pub compression: bool,
    /// The smallest body that is compressed.
    pub compression_min_bytes: u64,
    /// Origins whose pages may send requests, separated by commas; `*` for all, empty for none.
    pub cors_origins: String,
    /// Whether responses have the header `Server-Timing`.
    pub server_timing: bool,
    /// Whether answers to writes set a cookie with their position, for pages without scripts.
    pub position_cookie: bool,
    /// How often a client may send requests; `None` for no limit.
    pub rate_limit: Option<RateLimit>,
    /// Seconds in which the head of the next request must arrive on a connection.
    pub header_timeout_seconds: u64,
    /// Seconds in which a client must take some part of its response.
    pub send_timeout_seconds: u64,
    /// The most connections of clients.
    pub max_connections: usize,
    /// The most requests that run at the same time.
    pub max_requests: usize,
    /// The most requests that wait for their turn.
    pub max_waiting_requests: usize,
    /// The most seconds for which a request waits for its turn.
    pub queue_timeout_seconds: u64,
    /// A file with the certificate of this service, and those that signed it; empty for plain HTTP.
    pub tls_certificate: String,
    /// A file with the private key of the certificate.
    pub tls_key: String,
    /// The number of trusted proxies that add to `X-Forwarded-For`; the header is ignored if there are none.
    pub trusted_proxies: usize,
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            compression: true,
            // A smaller body fits into one packet together with the headers anyway.
            compression_min_bytes: 1024,
            cors_origins: String::new(),
            server_timing: false,
            position_cookie: false,
            rate_limit: None,
            header_timeout_seconds: 30,
            send_timeout_seconds: 30,
            max_connections: 10_000,
            max_requests: 128,
            max_waiting_requests: 4_096,
            queue_timeout_seconds: 5,
            tls_certificate: String::new(),
            tls_key: String::new(),
            trusted_proxies: 0,
        }
    }
}

/// Up to `requests` per `period`. They may come in one burst, followed by one more each time 1/`requests` of the period has
/// passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// The number of requests.
    pub requests: NonZeroU32,
    /// The period in which they are counted.
    pub period: Period,
}

/// A period for a rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// One second.
    Second,
    /// One minute.
    Minute,
    /// One hour.
    Hour,
}

impl Period {
    const ALL: [Self; 3] = [Self::Second, Self::Minute, Self::Hour];

    /// Its duration.
    #[must_use]
    pub const fn length(self) -> Duration {
        Duration::from_secs(match self {
            Self::Second => 1,
            Self::Minute => 60,
            Self::Hour => 3_600,
        })
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Second => "second",
            Self::Minute => "minute",
            Self::Hour => "hour",
        }
    }
}

impl RateLimit {
    /// Parses `100/minute`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (requests, period) = text.split_once('/')?;
        let named = |known: &Period| known.name() == period;
        Some(Self {
            requests: requests.parse().ok()?,
            period: Period::ALL.into_iter().find(named)?,
        })
    }
}

impl fmt::Display for RateLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.requests, self.period.name())
    }
}
