//! List endpoints for SeaORM entities, each defined by one whitelist that is checked at start-up.
//!
//! A developer writes a [`Listing`] for an entity, adds it to [`Listings`] at start-up, and applies a client's
//! [`ListingRequest`] to the entity's `Select` with [`SelectListing::listing`]. This crate knows about SQL and JSON, not
//! about HTTP; for axum, use `listing-axum`.

// The derive names this crate; so do the examples of its own documentation.
extern crate self as listing;

mod cascades;
mod check;
pub mod counter;
mod define;
pub mod describe;
mod drivers;
mod envelope;
mod error;
pub mod execute;
mod explain;
pub mod full_text;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
mod indexes;
mod plan;
pub mod prelude;
mod query;
mod record;
#[cfg_attr(
    not(all(feature = "postgres", feature = "mysql", feature = "sqlite")),
    allow(
        dead_code,
        unused_variables,
        reason = "some values are sent by one database alone, and its driver is off"
    )
)]
pub mod render;
pub mod request;
mod sql;
mod stored;
mod triggers;
pub mod trigram;
mod vocabulary;

pub use check::{CheckError, Ignored, Page, Trashed};
pub use define::*;
pub use drivers::{ReadOptions, ReadPool, ReadPoolError};
// For the connections that `listing-axum` opens, and for what it writes.
#[doc(hidden)]
pub use drivers::is_outcome_unknown;
#[cfg(feature = "mysql")]
#[doc(hidden)]
pub use drivers::mysql_server;
#[cfg(feature = "postgres")]
#[doc(hidden)]
pub use drivers::{PostgresPooler, postgres_server};
pub use envelope::{
    ErrorBody, ErrorDetails, FieldErrors, ListPage, ShownRecord, message_body, record_body,
};
pub use error::Error;
pub use execute::{ExecuteError, Reader};
pub use explain::{ExplainedStatement, Explanation, Note};
pub use indexes::{
    IndexNames, MissingIndex, MissingKind, index_names, missing_indexes, read_indexes,
};
pub use listing_macros::NamedRelations;
pub use query::{ListingQuery, ListingRequest, SelectListing};
pub use record::{RecordKey, RecordRequest};
pub use sql::{Dialect, Statement};
pub use stored::{Look, SeenColumn, look};
// For the futures of `listing-axum`.
#[doc(hidden)]
pub use vocabulary::boxed;
pub use vocabulary::{
    Bounds, Complaint, CountMode, CursorKey, ErrorCode, FilterOperator, Form, FormCell,
    IndexedTable, IntoOperators, Key, Kind, Layout, MomentText, Names, Operators, Plans,
    Quantifier, Settings, SortDirection, Stage, TALLY, TableIndex, Tally, TallyCounter,
    TallyEntered, TallyLevel, Unindexed, UnknownCountMode, UnknownNames, UnknownUnindexed, Watch,
    WatchedStatement, ZoneText, join_id, nearest, split_id,
};
