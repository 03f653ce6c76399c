//! The parts of a description: fields, relations, filters, search, sorts and pages of one listing.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Operator, Takes, ValueType};

/// The requests that clients can send to a listing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Listing {
    /// Its name, by which other listings refer to it.
    pub name: String,
    /// The field by which people recognize a record; `id` where there is no better one.
    pub label: String,
    /// The parameter that finds records by their label, such as `filters[name][$contains]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lookup: Option<String>,
    /// Whether its rows have no key: there is no `id`, and there are neither records nor cursors.
    #[serde(default, skip_serializing_if = "is_false")]
    pub keyless: bool,
    /// The fields, `id` first.
    pub fields: Vec<Field>,
    /// The fields of a single record when the client names none, `id` first.
    pub record: Vec<Field>,
    /// The relations that can be populated.
    pub relations: Vec<Relation>,
    /// The filters that clients can use.
    pub filters: Vec<Filter>,
    /// The relations through which clients can filter.
    pub related_filters: Vec<RelatedFilter>,
    /// The groups in which filters can stand.
    pub groups: Vec<String>,
    /// The search, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<Search>,
    /// The sorts; the default ones have a direction, in the order in which they are applied.
    pub sorts: Vec<Sort>,
    /// The facets that clients can ask for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facets: Vec<Facet>,
    /// The numbers that clients can have about fields of all rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub totals: Vec<Total>,
    /// Its pages.
    pub pagination: Pagination,
    /// The values of `trashed` that the caller may send.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trashed: Vec<String>,
}

/// A field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The type of its values.
    #[serde(flatten)]
    pub value: ValueType,
    /// Whether it can be null.
    pub nullable: bool,
    /// Whether it is shown when the client names no fields.
    pub default: bool,
    /// Whether it is computed, and not kept in a column.
    #[serde(default, skip_serializing_if = "is_false")]
    pub computed: bool,
    /// The listing whose `id`s it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub references: Option<String>,
}

/// A relation that can be populated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Relation {
    /// Its name.
    pub name: String,
    /// Whether it leads to one record or to many.
    pub kind: RelationKind,
    /// Whether it comes when the client names no relations.
    pub default: bool,
    /// At most this many items for each parent.
    pub limit: u64,
    /// The related listing: its fields, relations, filters and sorts can be used inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listing: Option<String>,
    /// The only fields, where the relation shows these and allows nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<Field>>,
    /// The filter of the related list that finds the same rows by the parent's `id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inverse: Option<String>,
}

/// Whether a relation leads to one record or to many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RelationKind {
    /// An object or `null`.
    ToOne,
    /// An array.
    ToMany,
}

/// A filter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Filter {
    /// Its key.
    pub name: String,
    /// The type of its values; for an array, the type of its elements.
    #[serde(flatten)]
    pub value: ValueType,
    /// The operators that clients can use.
    pub operators: Vec<String>,
    /// The names in its brackets, if it filters inside a JSON column: `["data", "address", "city"]` for
    /// `filters[data][address][city]`. Empty for every other filter, which has its name in one pair of brackets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// Whether it asks what an array holds: `$contains` and `$notContains` then take a list.
    #[serde(default, skip_serializing_if = "is_false")]
    pub array: bool,
    /// Its values with their labels, where they are known beforehand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OptionOf>,
    /// Whether responses have labels for its values.
    #[serde(default, skip_serializing_if = "is_false")]
    pub labels: bool,
    /// The listing whose `id`s are its values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub references: Option<String>,
    /// The default until the client filters by this key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<DefaultFilter>,
}

impl Filter {
    /// The names in its brackets, one after the other.
    #[must_use]
    pub fn steps(&self) -> &[String] {
        match self.path.is_empty() {
            true => std::slice::from_ref(&self.name),
            false => &self.path,
        }
    }

    /// It in brackets, as it stands after `filters`: `[data][address][city]`.
    #[must_use]
    pub fn brackets(&self) -> String {
        let steps = self.steps().iter();
        steps.map(|step| format!("[{step}]")).collect()
    }

    /// The operand of one of its operators.
    #[must_use]
    pub fn takes(&self, operator: &Operator) -> Takes {
        match self.array && operator.takes == Takes::Text {
            true => Takes::List,
            false => operator.takes,
        }
    }
}

/// A value with its label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionOf {
    /// The value.
    pub value: Value,
    /// The label for people.
    pub label: String,
}

/// A filter's default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DefaultFilter {
    /// The operator.
    pub operator: String,
    /// The value, or the values; `None` if they are computed for each request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Whether the value is computed for each request.
    #[serde(default, skip_serializing_if = "is_false")]
    pub computed: bool,
}

/// A relation through which clients can filter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RelatedFilter {
    /// Its key.
    pub name: String,
    /// Whether it leads to one record or to many.
    pub kind: RelationKind,
    /// `$some`, `$none` and `$every` for a relation to many.
    pub quantifiers: Vec<String>,
    /// The operators that ask whether there is a related record.
    pub operators: Vec<String>,
    /// The filter by how many related records there are, `filters[comments][$count][$gte]=3`, where it is allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Filter>,
    /// The filter by the related `id`, which can stand inside whatever else can, and after the relation itself:
    /// `filters[author]=3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Filter>,
    /// The related listing, if the related entity has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listing: Option<String>,
    /// The allowed filters; without it, every filter of the related listing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<RelatedOnly>,
}

/// The parts that are allowed inside a filter through a relation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RelatedOnly {
    /// The filters.
    pub filters: Vec<Filter>,
    /// The names of further relations, among the `relatedFilters` of the related listing.
    pub related_filters: Vec<String>,
}

/// A search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Search {
    /// The kind of search.
    pub kind: SearchKind,
    /// Whether the last word may be the beginning of one.
    #[serde(default, skip_serializing_if = "is_false")]
    pub prefix: bool,
}

/// The kinds of searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SearchKind {
    /// Parts of words.
    Contains,
    /// Whole words.
    FullText,
}

/// A sort.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Sort {
    /// Its name.
    pub name: String,
    /// Its direction (`asc`, `desc`) in the default order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

/// A facet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Facet {
    /// Its key, which is that of its filter.
    pub name: String,
    /// The kind of its values.
    pub kind: FacetKind,
    /// How many values it shows unless the client says how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Whether its own filter holds for its counts.
    #[serde(default, skip_serializing_if = "is_false")]
    pub narrowing: bool,
    /// The parameter that chooses values of it, such as `filters[author_id][$in]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choose: Option<String>,
}

/// The kinds of facet values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FacetKind {
    /// A count for each value.
    Values,
    /// A count for each related record.
    Relation,
    /// The smallest and the largest value.
    Range,
    /// A count for each unit of the calendar.
    Calendar,
}

/// The numbers that clients can have about a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Total {
    /// The field.
    pub name: String,
    /// The functions: `sum`, `avg`, …
    pub functions: Vec<String>,
}

/// The pages of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Pagination {
    /// `page`, `offset` and `cursor`.
    pub modes: Vec<String>,
    /// Rows on a page when the client names no size.
    pub page_size: u64,
    /// The largest page.
    pub max_page_size: u64,
    /// How the total is found: `auto`, `exact`, `capped(10000)`, `estimated`, `cached(30)` or `none`.
    pub count: String,
    /// Whether `pagination[count]=exact` is allowed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub exact_count: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}
