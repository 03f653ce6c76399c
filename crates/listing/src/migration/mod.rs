//! What migrations create so that lists are fast: counters, full-text indexes and trigram indexes.

mod cascades;
mod counter;
mod full_text;
mod triggers;
mod trigram;

pub use counter::Counter;
pub use full_text::FullTextIndex;
pub use trigram::TrigramIndex;
