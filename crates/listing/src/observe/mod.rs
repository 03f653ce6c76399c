//! The counters of a process, and the measurements of a request for layers.

mod tally;
mod watch;

pub use tally::{TALLY, Tally, TallyCounter, TallyEntered, TallyLevel};
pub(crate) use watch::StageClock;
pub use watch::{Stage, Watch, WatchedStatement};
