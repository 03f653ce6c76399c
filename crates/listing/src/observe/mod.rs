//! What a process has counted, and what a layer sees of one request.

mod tally;
mod watch;

pub use tally::{TALLY, Tally, TallyCounter, TallyEntered, TallyLevel};
pub(crate) use watch::StageClock;
pub use watch::{Stage, Watch, WatchedStatement};
