//! Listings as plain data for other programs, such as the one that checks a schema.

#[cfg(test)]
mod tests;

use sea_orm::sea_query::{ColumnType, TableRef};
use serde::{Deserialize, Serialize};

use super::{
    EntityMeta, FieldSource, Listings, RelationMeta, SearchEngine, SortSource, Whitelist,
    WhitelistPart, WhitelistRelation, WhitelistSearch,
};
use crate::vocabulary::SortDirection;

/// A listing as plain data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ListingDescription {
    /// The listing's type.
    pub listing: String,
    /// The entity's table, with every column that the entity declares.
    pub table: TableDescription,
    /// The column of the primary key; the first one if it has several.
    pub key: String,
    /// Every column of the primary key.
    #[serde(default)]
    pub key_columns: Vec<String>,
    /// The column that marks a row as deleted.
    pub soft_delete: Option<String>,
    /// The fields, `id` first.
    pub fields: Vec<FieldDescription>,
    /// The filters, including those that only have a default.
    pub filters: Vec<FilterDescription>,
    /// The sorts.
    pub sorts: Vec<SortDescription>,
    /// The relations.
    pub relations: Vec<RelationDescription>,
    /// The search of `search=`.
    #[serde(default)]
    pub search: Option<SearchDescription>,
    /// The relations that clients can filter through, by filter key.
    #[serde(default)]
    pub related_filters: Vec<RelationDescription>,
    /// The relations whose rows are counted in fields, by field name.
    #[serde(default)]
    pub counted: Vec<RelationDescription>,
}

/// A table as an entity declares it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TableDescription {
    /// Its schema, if the entity names one.
    pub schema: Option<String>,
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<ColumnDescription>,
}

/// A column as an entity declares it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ColumnDescription {
    /// Its name.
    pub name: String,
    /// The kind of its values: [`Kind::name`](crate::Kind::name).
    pub kind: String,
    /// Whether it can be null.
    pub nullable: bool,
    /// The Rust type of its declared type, if drivers read no other one: `i32`, `f32`, `DateTime`, ….
    #[serde(default)]
    pub rust_type: Option<String>,
}

/// A field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FieldDescription {
    /// Its name in responses.
    pub alias: String,
    /// Its column; `None` if it is computed.
    pub column: Option<String>,
    /// Whether it is shown when the client names no fields.
    pub default: bool,
}

/// A filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FilterDescription {
    /// Its key in requests.
    pub key: String,
    /// Its column; `None` if the application writes the condition itself.
    pub column: Option<String>,
    /// The operators that clients can use.
    pub operators: Vec<String>,
    /// The value that it compares inside its column, which is JSON or an array.
    #[serde(default)]
    pub inside: Option<InsideDescription>,
}

/// A value inside a column that a filter compares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InsideDescription {
    /// The column.
    pub column: String,
    /// The path to it; empty for the column itself.
    pub path: Vec<String>,
    /// The kind of the value: [`Kind::name`](crate::Kind::name).
    pub kind: String,
    /// The type to which PostgreSQL casts the column first, unless it already has it: `jsonb`, `text[]`.
    pub cast: Option<String>,
}

/// A sort.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SortDescription {
    /// Its name in requests.
    pub name: String,
    /// Its column of the listing's own table; `None` for a computed field and for a relation's column.
    pub column: Option<String>,
    /// Whether it is applied when the client requests no sort.
    pub default: bool,
    /// Whether it is descending by default.
    #[serde(default)]
    pub descending: bool,
    /// Whether it sorts by relevance, which has no effect without a search.
    #[serde(default)]
    pub relevance: bool,
}

/// A search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SearchDescription {
    /// The columns that it searches.
    pub columns: Vec<String>,
    /// PostgreSQL's text search configuration for a full-text search; `None` if it searches for parts of words.
    pub full_text: Option<String>,
}

/// A relation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RelationDescription {
    /// Its name in requests.
    pub name: String,
    /// Whether a row can have many.
    pub to_many: bool,
    /// Whether this side has the foreign key.
    pub owns_key: bool,
    /// The column on this side.
    pub from: String,
    /// The column on the related side.
    pub to: String,
    /// The related table.
    pub table: TableDescription,
    /// The junction table of a many-to-many relation.
    pub through: Option<ThroughDescription>,
    /// The columns that order related rows, without the primary key at the end.
    pub order: Vec<String>,
    /// Those of them that are in descending order.
    #[serde(default)]
    pub descending: Vec<String>,
}

/// A junction table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ThroughDescription {
    /// Its schema, if the entity names one.
    pub schema: Option<String>,
    /// Its name.
    pub name: String,
    /// The column that holds the key of this side.
    pub to_parent: String,
    /// The column that holds the key of the related side.
    pub to_target: String,
}

impl Listings {
    /// Every listing as plain data, in the order of definition.
    #[must_use]
    pub fn describe(&self) -> Vec<ListingDescription> {
        self.iter()
            .map(|whitelist| whitelist.describe(self))
            .collect()
    }
}

impl Whitelist {
    fn describe(&self, listings: &Listings) -> ListingDescription {
        let entity = &self.entity;
        ListingDescription {
            listing: self.listing.to_string(),
            table: table_of(entity),
            key: self
                .key
                .first()
                .map_or_else(String::new, |key| name_of(entity, *key)),
            key_columns: self.key.iter().map(|key| name_of(entity, *key)).collect(),
            soft_delete: self.soft_delete_column().map(str::to_owned),
            fields: self
                .fields
                .iter()
                .map(|field| FieldDescription {
                    alias: field.alias.clone(),
                    column: match field.source {
                        FieldSource::Column(column) => Some(name_of(entity, column)),
                        FieldSource::Key | FieldSource::Computed(_) | FieldSource::Count(_) => None,
                    },
                    default: field.default,
                })
                .collect(),
            filters: self
                .filters
                .iter()
                .map(|filter| FilterDescription {
                    key: filter.key.clone(),
                    // A custom condition need not use the column at all.
                    column: match filter.custom {
                        None => filter.column.map(|column| name_of(entity, column)),
                        Some(_) => None,
                    },
                    operators: filter.operators.iter().map(ToString::to_string).collect(),
                    inside: filter.part.as_ref().map(|part| part.describe()),
                })
                .collect(),
            sorts: self
                .sorts
                .iter()
                .map(|sort| SortDescription {
                    name: sort.name.clone(),
                    column: match sort.source {
                        SortSource::Column(column) => Some(name_of(entity, column)),
                        SortSource::Computed(_)
                        | SortSource::Related { .. }
                        | SortSource::Relevance => None,
                    },
                    default: sort.default.is_some(),
                    descending: sort.default == Some(SortDirection::Desc),
                    relevance: matches!(sort.source, SortSource::Relevance),
                })
                .collect(),
            relations: self
                .relations
                .iter()
                .map(|relation| relation.describe(entity, listings))
                .collect(),
            search: self.search.as_ref().map(|search| search.describe(entity)),
            related_filters: self
                .related
                .iter()
                .map(|related| related.relation.describe(entity, listings))
                .collect(),
            counted: self
                .fields
                .iter()
                .filter_map(|field| match &field.source {
                    FieldSource::Count(relation) => Some(RelationDescription {
                        name: field.alias.clone(),
                        ..relation.describe(entity, listings)
                    }),
                    FieldSource::Column(_) | FieldSource::Key | FieldSource::Computed(_) => None,
                })
                .collect(),
        }
    }

    /// The columns of the default order with their directions. Indexes are of no use from a computed field on. Related rows are
    /// never searched.
    fn default_order(&self) -> Vec<(usize, SortDirection)> {
        self.sorts
            .iter()
            .filter(|sort| !matches!(sort.source, SortSource::Relevance))
            .filter_map(|sort| Some((sort.source, sort.default?)))
            .map_while(|(source, direction)| match source {
                SortSource::Column(column) => Some((column, direction)),
                _ => None,
            })
            .collect()
    }
}

impl WhitelistPart {
    fn describe(&self) -> InsideDescription {
        let cast = match &self.values.column_type {
            ColumnType::Array(_) => self.values.holds_texts().then_some("text[]"),
            _ => Some("jsonb"),
        };
        InsideDescription {
            column: self.values.name.to_string(),
            path: self.path.clone(),
            kind: self.values.kind.name().to_owned(),
            cast: cast.map(str::to_owned),
        }
    }
}

impl WhitelistSearch {
    fn describe(&self, entity: &EntityMeta) -> SearchDescription {
        let columns = self.columns.iter();
        SearchDescription {
            columns: columns.map(|column| name_of(entity, *column)).collect(),
            full_text: match &self.engine {
                SearchEngine::Contains => None,
                SearchEngine::FullText { language } => Some(language.clone()),
            },
        }
    }
}

impl WhitelistRelation {
    fn describe(&self, entity: &EntityMeta, listings: &Listings) -> RelationDescription {
        let RelationMeta {
            to_many,
            owns_key,
            target,
            ..
        } = &self.meta;
        let mut order = match self.target.listing {
            Some(listing) if self.order.is_empty() => listings.get(listing).default_order(),
            _ => self.order.clone(),
        };
        let key = order
            .iter()
            .position(|(column, _)| self.target_key == [*column]);
        order.truncate(key.unwrap_or(order.len()));
        let descending = order
            .iter()
            .filter(|(_, direction)| *direction == SortDirection::Desc);
        RelationDescription {
            name: self.name.clone(),
            to_many: *to_many,
            owns_key: *owns_key,
            from: name_of(entity, self.from),
            to: name_of(target, self.to),
            table: table_of(target),
            through: self
                .meta
                .through
                .as_ref()
                .map(|through| ThroughDescription {
                    schema: schema_of(&through.table),
                    name: through.name.to_string(),
                    to_parent: through.to_parent.concat(),
                    to_target: through.to_target.concat(),
                }),
            descending: descending
                .map(|(column, _)| name_of(target, *column))
                .collect(),
            order: order
                .iter()
                .map(|(column, _)| name_of(target, *column))
                .collect(),
        }
    }
}

fn table_of(entity: &EntityMeta) -> TableDescription {
    TableDescription {
        schema: schema_of(&entity.table),
        name: entity.name.to_string(),
        columns: entity
            .columns
            .iter()
            .map(|column| ColumnDescription {
                name: column.name.to_string(),
                kind: column.kind.name().to_owned(),
                nullable: column.nullable,
                rust_type: rust_type(&column.column_type).map(str::to_owned),
            })
            .collect(),
    }
}

/// The Rust type from which SeaORM infers a column's type.
fn rust_type(column_type: &ColumnType) -> Option<&'static str> {
    Some(match column_type {
        ColumnType::TinyInteger => "i8",
        ColumnType::SmallInteger => "i16",
        ColumnType::Integer => "i32",
        ColumnType::BigInteger => "i64",
        ColumnType::TinyUnsigned => "u8",
        ColumnType::SmallUnsigned => "u16",
        ColumnType::Unsigned => "u32",
        ColumnType::BigUnsigned => "u64",
        ColumnType::Float => "f32",
        ColumnType::Double => "f64",
        ColumnType::DateTime => "DateTime",
        ColumnType::Timestamp | ColumnType::TimestampWithTimeZone => "DateTimeUtc",
        _ => return None,
    })
}

fn schema_of(table: &TableRef) -> Option<String> {
    match table {
        TableRef::Table(name, _) => name.0.as_ref().map(|schema| schema.1.to_string()),
        _ => None,
    }
}

fn name_of(entity: &EntityMeta, column: usize) -> String {
    entity.columns[column].name.to_string()
}
