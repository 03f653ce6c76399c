//! The words that every stage uses: operators, directions, bounds, names.

mod bookmark;
mod complaint;
mod count;
mod fingerprint;
mod full_text;
mod key;
mod kind;
mod names;
mod nearest;
mod operator;
mod plans;
mod quantifier;
mod seal;
mod settings;
mod tally;
mod watch;

pub(crate) use bookmark::Bookmark;
pub use complaint::{Complaint, ErrorCode};
pub use count::{CountMode, UnknownCountMode};
pub(crate) use fingerprint::{Fingerprint, fingerprint};
pub(crate) use full_text::FullTextNames;
pub use key::Key;
pub use kind::Kind;
pub use names::{Names, UnknownNames};
pub use nearest::nearest;
pub use operator::{FilterOperator, IntoOperators, Operators, SortDirection};
pub use plans::Plans;
pub use quantifier::Quantifier;
pub use seal::CursorKey;
pub(crate) use seal::Seal;
pub use settings::{Bounds, Layout, Settings};
pub use tally::{TALLY, Tally, TallyCounter, TallyEntered, TallyLevel};
pub(crate) use watch::StageClock;
pub use watch::{Stage, Watch, WatchedStatement};
