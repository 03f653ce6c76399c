//! Tools for migrations: counters, full-text indexes and trigram indexes that make lists fast, and tables for writes.

mod cascades;
mod counter;
mod full_text;
mod history;
mod idempotency;
mod triggers;
mod trigram;

pub use counter::Counter;
pub use full_text::FullTextIndex;
pub use history::HistoryTable;
pub use idempotency::IdempotencyTable;
pub use trigram::TrigramIndex;
