//! The settings for HTTP.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

/// What is done with responses and clients, whatever they ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpConfig {
    /// Whether responses are compressed for clients that accept it.
    pub compression: bool,
    /// The smallest body that is compressed.
    pub compression_min_bytes: u64,
    /// Origins whose pages may ask, separated by commas; `*` for all, empty for none.
    pub cors_origins: String,
    /// Whether responses say where their time went, in the header `Server-Timing`.
    pub server_timing: bool,
    /// How often one client may ask; `None` for no limit.
    pub rate_limit: Option<RateLimit>,
    /// Seconds in which the head of the next request must arrive on a connection.
    pub header_timeout_seconds: u64,
    /// Seconds in which a client must take some part of its response.
    pub send_timeout_seconds: u64,
    /// Connections of clients, at most.
    pub max_connections: usize,
    /// Requests that run at the same time, at most.
    pub max_requests: usize,
    /// Requests that wait for their turn, at most.
    pub max_waiting_requests: usize,
    /// Seconds for which a request waits for its turn, at most.
    pub queue_timeout_seconds: u64,
    /// A file with the certificate of this service, and those that signed it; empty for plain HTTP.
    pub tls_certificate: String,
    /// A file with the private key of the certificate.
    pub tls_key: String,
    /// How many proxies stand in front and add to `X-Forwarded-For`; with none, the header is not looked at.
    pub trusted_proxies: usize,
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            compression: true,
            // Less than this and the head of the response fit into one packet anyhow.
            compression_min_bytes: 1024,
            cors_origins: String::new(),
            server_timing: false,
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

/// Up to `requests` per `period`: they may come in one burst, then one more each time 1/`requests` of the period has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// How many.
    pub requests: NonZeroU32,
    /// In which time.
    pub period: Period,
}

/// The time in which requests are counted.
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

    /// How long it is.
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
    /// Reads `100/minute`.
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
