//! What migrations create: counters, full-text indexes and trigram indexes, so that lists are fast, and the table of answered requests.

mod cascades;
mod counter;
mod full_text;
mod idempotency;
mod triggers;
mod trigram;

pub use counter::Counter;
pub use full_text::FullTextIndex;
pub use idempotency::IdempotencyTable;
pub use trigram::TrigramIndex;
