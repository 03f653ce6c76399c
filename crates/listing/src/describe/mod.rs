//! Descriptions: the requests that a whitelist allows a caller, as plain data for documents, pages and clients.
//!
//! A description names what clients can name and nothing else: no column that is in no whitelist, no table, no scope. Paths,
//! operations and payloads are added where HTTP is known.

mod build;
mod listing;
mod numbers;
mod operators;
mod settings;
mod value_type;

pub use build::{Audience, listing, references};
pub use listing::{
    DefaultFilter, Facet, FacetKind, Field, Filter, Listing, OptionOf, Pagination, RelatedFilter,
    RelatedOnly, Relation, RelationKind, Search, SearchKind, Sort, Total,
};
pub use operators::{Operator, Takes, operators};
pub use settings::{Limits, Settings};
pub use value_type::{TypeName, ValueType};
