//! List endpoints for SeaORM entities, each defined by one whitelist that is checked at start-up.
//!
//! A developer writes a [`Listing`] for an entity, adds it to [`Listings`] at start-up, and applies a client's
//! [`ListingRequest`] to the entity's `Select` with [`SelectListing::listing`]. This crate knows about SQL and JSON, not
//! about HTTP; for axum, use `listing-axum`.

// The derive refers to this crate by name, and so do the examples in its own documentation.
extern crate self as listing;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod catalogue;
mod check;
mod cursor;
mod define;
pub mod describe;
mod drivers;
mod envelope;
mod error;
pub mod execute;
pub mod explain;
mod export;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
mod history;
pub mod indexes;
pub mod migration;
pub mod observe;
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
mod row_parts;
mod sql;
pub mod stored;
mod vocabulary;

pub use check::{CheckError, Ignored, Page, Trashed};
pub use define::{
    Absent, Aggregate, Context, CustomCondition, CustomQuery, DefaultValue, DefinitionError,
    DefinitionErrors, Export, Facet, Field, Fields, Filter, FilterValue, HasListing, LabelError,
    LabelFuture, Listing, Listings, ListingsBuilder, Lookup, NamedRelations, Now, Nulls, Paging,
    Period, Populate, RelatedColumn, RelationName, Relations, Scope, Search, Sort, Sorts,
    TableFacet, TableListing, ValueError, visible,
};
pub use drivers::{ReadOptions, ReadPool, ReadPoolError};
// For the addresses of `listing-axum` that browsers can open without a header.
#[doc(hidden)]
pub use cursor::Ticket;
// For the connections that `listing-axum` opens, and for its writes.
#[cfg(feature = "mysql")]
#[doc(hidden)]
pub use drivers::mysql_server;
#[cfg(feature = "postgres")]
#[doc(hidden)]
pub use drivers::{PostgresPooler, postgres_server};
#[doc(hidden)]
pub use drivers::{SLOW_STATEMENT, is_outcome_unknown};
pub use error::Error;
pub use execute::{ExecuteError, Reader};
// For the imports of `listing-axum`, which read what exports write.
#[doc(hidden)]
pub use export::is_formula;
// For the histories of `listing-axum`.
#[doc(hidden)]
pub use history::RecordValues;
pub use listing_macros::{Listing, NamedRelations};
pub use query::{ListingQuery, ListingRequest, SelectListing};
pub use record::{RecordKey, RecordRequest};
// For the writes of `listing-axum`.
#[doc(hidden)]
pub use row_parts::{RowParts, WantedParts};
pub use sql::{Dialect, Statement};
// For the futures of `listing-axum`.
#[doc(hidden)]
pub use vocabulary::boxed;
pub use vocabulary::{
    AggregateFunction, Bounds, Complaint, CountMode, CursorKey, ErrorCode, FilterOperator, Format,
    Key, Kind, Layout, Names, Operators, Plans, Quantifier, Settings, SortDirection, Unindexed,
    UnknownCountMode, UnknownNames, UnknownUnindexed, join_id, nearest, split_id,
};

/// The arguments of definitions: columns, relations and values in the forms that are convenient to write.
pub mod convert {
    pub use crate::define::{
        AnyEntity, IntoColumnName, IntoCustomCondition, IntoDefault, IntoField, IntoPopulate,
        IntoPopulates, IntoRelatedFilter, IntoRelationName, IntoRelationNames, IntoSort, IntoSorts,
        NamesRelation, OneOrMany,
    };
    pub use crate::vocabulary::IntoOperators;
}

/// The metadata of an entity: its columns, its keys and its relations.
pub mod entity {
    pub use crate::define::{
        ColumnMeta, EntityId, EntityMeta, Name, RelationMeta, Through, kind_of,
    };
}

/// Responses, as data and as JSON.
pub mod reply {
    pub use crate::envelope::{
        ErrorBody, ErrorDetails, FieldErrors, HistoryPage, ListGroups, ListNumbers, ListPage,
        ShownRecord, message_body, record_body,
    };
}

/// Replicas to read from, and their status.
pub mod replicas {
    pub use crate::drivers::replicas::{
        Gtid, NoPosition, Out, Position, ReplicaOptions, ReplicaStatus, Visit,
    };
}

/// A checked definition, for tools: with its tables and columns, which clients never see.
pub mod whitelist {
    pub use crate::define::{
        ColumnDescription, FieldDescription, FilterDescription, InsideDescription,
        ListingDescription, RelationDescription, SearchDescription, SortDescription,
        TableDescription, ThroughDescription, Whitelist,
    };
}
