//! The settings for the log.

use std::fmt;

/// The contents and the format of the log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogConfig {
    /// The form of its lines. The program that sets up the log reads it; with JSON, each request is one line with its
    /// route, caller, statements and times.
    pub format: LogFormat,
    /// A request that takes this long is logged with its query string and its statements; 0 for none.
    pub slow_request_ms: u64,
    /// Whether values that clients sent may appear in the log of slow requests.
    pub values: bool,
}

/// The form of a line in the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

impl LogFormat {
    pub(super) fn parse(text: &str) -> Option<Self> {
        match text {
            "text" => Some(Self::Text),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

impl fmt::Display for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Json => "json",
        })
    }
}
