//! Parses a query string or a JSON body into a [`Request`], in the client's own terms.

mod asked;
mod brackets;
mod budget;
mod complaint;
mod error;
mod export;
mod filters;
mod foreign;
mod group;
mod groups;
mod history;
mod interpret;
mod json;
mod names;
mod node;
mod numbers;
mod pagination;
mod parameters;
mod percent;
mod place;
mod populate;
mod quote;
mod sort;
#[cfg(test)]
mod tests;
mod text;

pub use asked::{
    AskedComparison, AskedFilter, AskedNames, AskedPage, AskedPopulate, AskedRelated,
    AskedRelation, AskedSearch, AskedSort, AskedValues, Nesting, Request,
};
pub use error::{Door, RequestError};
pub use export::{AskedExport, Header};
pub use foreign::AskedUnknown;
pub(crate) use foreign::operator as foreign_operator;
pub(crate) use group::meant_group;
pub use groups::{AskedGroups, AskedHaving, AskedKey};
pub use history::parse_history_query;
pub use json::{parse_export_json, parse_groups_json, parse_json};
pub use numbers::{AskedFacet, AskedFacets, AskedNumbers, AskedTotal};
pub use quote::Quote;
pub use text::{parse_export_query, parse_groups_query, parse_query};
