//! The items that a file with a listing needs: `use listing::prelude::*;`.

pub use crate::{
    Absent, Aggregate, AggregateFunction, Context, CustomCondition, Facet, Field, Fields, Filter,
    FilterOperator, FilterValue, HasListing, Kind, Listing, Paging, Populate, Relations, Scope,
    Search, Sort, SortDirection, Sorts,
};
// Custom filters and scopes compare columns.
pub use sea_orm::ColumnTrait;
