//! The status of a replica: whether it is used, and why not.

use std::fmt;
use std::time::Duration;

/// Why a replica is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Out {
    /// It has not answered yet since this program started.
    Starting,
    /// It does not answer, or cannot return its position.
    Away(String),
    /// It is too far behind the primary.
    Late {
        /// For how long, at least, it has not reached a position of the primary.
        by: Duration,
    },
    /// It is not a replica of this primary.
    OtherCluster,
    /// It has not followed the last failover, or the primary has not.
    OtherTimeline,
    /// It is the primary itself, which is used only if no replica is available.
    IsPrimary,
}

impl Out {
    /// A single word, for metrics.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Away(_) => "away",
            Self::Late { .. } => "late",
            Self::OtherCluster => "other_cluster",
            Self::OtherTimeline => "other_timeline",
            Self::IsPrimary => "is_primary",
        }
    }
}

impl fmt::Display for Out {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Starting => f.write_str("it has not answered yet"),
            Self::Away(why) => write!(f, "it does not answer: {why}"),
            Self::Late { by } => write!(f, "it is {} ms behind", by.as_millis()),
            Self::OtherCluster => f.write_str("it belongs to another cluster than the primary"),
            Self::OtherTimeline => f.write_str("it has another timeline than the primary"),
            Self::IsPrimary => f.write_str("it is the primary"),
        }
    }
}

/// The status of a replica.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplicaStatus {
    /// Its host and port.
    pub name: String,
    /// Why it is not used; `None` if it is.
    pub out: Option<Out>,
    /// Statements of this program that it is running.
    pub running: u64,
    /// Statements that it was given.
    pub statements: u64,
    /// Statements that failed on it and were repeated on the primary.
    pub failed: u64,
}
