//! Turns a developer's definitions for an entity into a verified [`Whitelist`], or reports every mistake.

mod aggregates;
mod calendar;
mod context;
mod custom;
mod defaults;
mod describe;
mod entity;
mod error;
mod export;
mod facets;
mod fields;
mod filters;
mod freeze;
mod json;
mod kind_of;
mod labels;
mod listing;
mod listings;
mod numbers;
mod part;
pub(crate) mod probes;
mod relation_name;
mod relations;
mod scope;
mod search;
mod sorts;
mod table;
mod typed;
mod whitelist;

pub use aggregates::Aggregate;
pub use calendar::Now;
pub(crate) use calendar::{Calendar, told};
pub use context::Context;
pub(crate) use custom::CustomFilter;
pub use custom::{CustomCondition, CustomQuery, IntoCustomCondition};
pub(crate) use defaults::DefaultSource;
pub use defaults::{Absent, DefaultValue, IntoDefault, OneOrMany};
pub use describe::{
    ColumnDescription, FieldDescription, FilterDescription, InsideDescription, ListingDescription,
    RelationDescription, SearchDescription, SortDescription, TableDescription, ThroughDescription,
};
pub use entity::{ColumnMeta, EntityId, EntityMeta, Name, NamedRelations, RelationMeta, Through};
pub use error::{DefinitionError, DefinitionErrors};
pub use export::Export;
pub use facets::Facet;
pub use fields::{Field, Fields, IntoField};
pub use filters::{Filter, IntoRelatedFilter};
pub(crate) use kind_of::is_own_type;
pub use kind_of::kind_of;
pub(crate) use labels::{KnownLabels, LabelColumn, LabelPairsFuture, LabelReader, LabelResolver};
pub use labels::{LabelError, LabelFuture, Lookup};
pub use listing::{HasListing, Listing, Paging, visible};
pub use listings::{Listings, ListingsBuilder};
pub(crate) use numbers::{FacetBy, WhitelistAggregate, WhitelistFacet};
pub(crate) use part::WhitelistPart;
pub use relation_name::{
    AnyEntity, IntoColumnName, IntoRelationName, IntoRelationNames, NamesRelation, RelatedColumn,
    RelationName,
};
pub use relations::{IntoPopulate, IntoPopulates, Populate, Relations};
pub use scope::Scope;
pub use search::Search;
pub(crate) use search::{SearchEngine, WhitelistSearch};
pub use sorts::{IntoSort, IntoSorts, Nulls, Sort, Sorts};
pub use table::{TableFacet, TableListing};
pub use typed::{FilterValue, Period, ValueError};
pub use whitelist::Whitelist;
pub(crate) use whitelist::{
    FieldSource, LinkOrder, RelatedOnly, SortSource, Target, WhitelistComputed, WhitelistDefault,
    WhitelistField, WhitelistFilter, WhitelistRelated, WhitelistRelation, WhitelistSort,
};
