//! What a developer writes for an entity, and the verified [`Whitelist`] that it becomes.

mod context;
mod describe;
mod entity;
mod error;
mod fields;
mod filters;
mod freeze;
mod kind_of;
mod labels;
mod listing;
mod listings;
mod relations;
mod search;
mod sorts;
mod typed;
mod whitelist;

pub use context::Context;
pub use describe::{
    ColumnDescription, FieldDescription, FilterDescription, ListingDescription,
    RelationDescription, SearchDescription, SortDescription, TableDescription, ThroughDescription,
};
pub use entity::{
    ColumnMeta, EntityMeta, ListingProbe, Name, NamedRelations, RelationMeta, Through,
    WithoutListing,
};
pub use error::{DefinitionError, DefinitionErrors};
pub use fields::{Field, Fields, IntoField};
pub use filters::{
    Absent, CustomQuery, DefaultValue, Filter, IntoDefault, IntoOperators, OneOrMany,
};
pub(crate) use filters::{CustomFilter, DefaultSource};
pub use kind_of::kind_of;
pub use labels::{LabelError, LabelFuture, Lookup};
pub(crate) use labels::{LabelReader, LabelResolver, LabelRows, LabelsFuture};
pub use listing::{HasListing, Listing, Paging, visible};
pub use listings::{Listings, ListingsBuilder};
pub use relations::{IntoRelation, Relation, Relations};
pub use search::Search;
pub(crate) use search::{SearchEngine, WhitelistSearch};
pub use sorts::{IntoSort, Nulls, Sort, Sorts};
pub use typed::{FilterValue, ValueError};
pub use whitelist::Whitelist;
pub(crate) use whitelist::{
    FieldSource, SortSource, Target, WhitelistDefault, WhitelistField, WhitelistFilter,
    WhitelistRelation, WhitelistSort,
};
