//! Finds the labels that people read for a filter's values, from a closure or from the database (d34).

use std::collections::HashMap;
use std::fmt;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;

use sea_orm::sea_query::{Condition, Expr, SelectStatement, TableRef};
use sea_orm::{ColumnTrait, IdenStatic as _, Iterable, PrimaryKeyToColumn, QueryTrait};

use super::{Context, FilterValue, HasListing, kind_of, visible};
use crate::vocabulary::{Key, Kind};

/// Why there are no labels. The request continues with the values as labels.
pub type LabelError = Box<dyn std::error::Error + Send + Sync>;

/// The return type of an asynchronous label resolver: `Box::pin(async move { … })`.
pub type LabelFuture<'a> =
    Pin<Box<dyn Future<Output = Result<Vec<String>, LabelError>> + Send + 'a>>;

/// How a filter's values become labels.
#[derive(Clone)]
pub(crate) enum LabelResolver {
    /// Values that are known beforehand.
    Known(Arc<KnownLabels>),
    /// One value at a time.
    Each(Arc<EachLabel>),
    /// All values at once.
    All(Arc<AllLabels>),
    /// The values are keys of rows, and a column of these rows holds the labels.
    Column(Arc<LabelColumn>),
    /// All values at once, with the database.
    Lookup(Arc<LookedUpLabels>),
}

/// Values and their labels, in the order of definition.
#[derive(Debug)]
pub(crate) struct KnownLabels(pub(super) Vec<(String, String)>);

impl KnownLabels {
    /// The label of a value; any other value is its own label.
    pub(crate) fn of(&self, value: &str) -> String {
        let found = self.0.iter().find(|(known, _)| known == value);
        found.map_or(value, |(_, label)| label).to_owned()
    }

    /// The values.
    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(value, _)| value.as_str())
    }
}

type EachLabel = dyn Fn(&str) -> String + Send + Sync;
type AllLabels = dyn Fn(&[String]) -> Vec<String> + Send + Sync;
type LookedUpLabels = dyn for<'a> Fn(&'a [String], &'a Lookup<'a>) -> LabelFuture<'a> + Send + Sync;

impl fmt::Debug for LabelResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Known(_) => "LabelResolver::Known",
            Self::Each(_) => "LabelResolver::Each",
            Self::All(_) => "LabelResolver::All",
            Self::Column(_) => "LabelResolver::Column",
            Self::Lookup(_) => "LabelResolver::Lookup",
        })
    }
}

/// Reads labels: all that label resolvers need of a connection.
pub(crate) trait LabelReader: Sync {
    /// The labels of values that are keys of rows, from a column of these rows.
    fn of_column<'l>(
        &'l self,
        column: LabelColumn,
        values: &'l [String],
        context: &'l Context,
    ) -> LabelFuture<'l>;

    /// The first two columns of a query.
    fn of_query(&self, query: SelectStatement) -> LabelPairsFuture<'_>;
}

/// Values with their labels.
pub(crate) type LabelPairsFuture<'a> =
    Pin<Box<dyn Future<Output = Result<Vec<(String, String)>, LabelError>> + Send + 'a>>;

/// The column in which the labels of an entity's rows stand.
pub(crate) struct LabelColumn {
    pub(crate) table: TableRef,
    /// The table's name and the column's.
    pub(crate) key: [&'static str; 2],
    pub(crate) label: Expr,
    /// The type of the keys.
    pub(crate) kind: Kind,
    /// The condition on rows that exist for the caller.
    pub(crate) visible: fn(&Context) -> Condition,
}

impl LabelColumn {
    pub(crate) fn of<E: HasListing>(label: E::Column) -> Option<Self> {
        let key = E::PrimaryKey::iter().next()?.into_column();
        Some(Self {
            table: E::default().table_ref(),
            key: [E::default().table_name(), key.as_str()],
            label: label.select_as(label.into_expr()),
            kind: kind_of(key.def().get_column_type()),
            visible: visible::<E>,
        })
    }

    /// The value as a key, if it can be one.
    pub(crate) fn key_of(&self, value: &str) -> Option<Key> {
        match FilterValue::parse(value, &self.kind).ok()? {
            FilterValue::Int(key) => Some(Key::Int(key)),
            FilterValue::UInt(key) => Some(Key::UInt(key)),
            FilterValue::Uuid(key) => Some(Key::Uuid(key.into_bytes())),
            FilterValue::Text(key) => Some(Key::Text(key.into())),
            // Every key is an integer, a UUID or text (d41).
            _ => None,
        }
    }
}

/// The data that a label resolver can use: the database, on the connection (or in the transaction) of the request, and the
/// context.
#[derive(Clone, Copy)]
pub struct Lookup<'a> {
    reader: &'a dyn LabelReader,
    context: &'a Context,
}

impl<'a> Lookup<'a> {
    pub(crate) fn new(reader: &'a dyn LabelReader, context: &'a Context) -> Self {
        Self { reader, context }
    }

    /// The application's data in the request's context, such as the current user.
    #[must_use]
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// The labels of values that are primary keys of another entity: what its row has in the column `label`, a column of
    /// text. A row that does not exist for the caller, by its entity's scope or soft delete, has no label: the value stands
    /// for itself, as if there were no such row at all. One statement, whatever the number of values.
    ///
    /// ```
    /// # mod author {
    /// #     use sea_orm::entity::prelude::*;
    /// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    /// #     #[sea_orm(table_name = "authors")]
    /// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub name: String }
    /// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
    /// #     impl ActiveModelBehavior for ActiveModel {}
    /// #     pub struct AuthorListing;
    /// #     use listing::{Fields, Filter, Relations, Sorts};
    /// #     impl listing::Listing for AuthorListing {
    /// #         type Entity = Entity;
    /// #         fn fields() -> Fields<Entity> { Fields::new().add_default(Column::Name) }
    /// #         fn sorts() -> Sorts<Entity> { Sorts::new() }
    /// #     }
    /// #     impl listing::HasListing for Entity { type Listing = AuthorListing; }
    /// # }
    /// # mod article {
    /// #     use sea_orm::entity::prelude::*;
    /// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    /// #     #[sea_orm(table_name = "articles")]
    /// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub author_id: i64 }
    /// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
    /// #     impl ActiveModelBehavior for ActiveModel {}
    /// # }
    /// use listing::{Filter, FilterOperator};
    ///
    /// let by_author: Filter<article::Entity> = Filter::make(article::Column::AuthorId)
    ///     .allowed_operators([FilterOperator::Equal, FilterOperator::In])
    ///     .label_resolver_async(|values, lookup| {
    ///         lookup.labels::<author::Entity>(author::Column::Name, values)
    ///     });
    /// # let _ = by_author;
    /// ```
    #[must_use = "nothing is read until it is awaited"]
    pub fn labels<'l, E: HasListing>(
        &'l self,
        label: E::Column,
        values: &'l [String],
    ) -> LabelFuture<'l> {
        match LabelColumn::of::<E>(label) {
            Some(column) => self.reader.of_column(column, values, self.context),
            None => Box::pin(ready(Ok(values.to_vec()))),
        }
    }

    /// The first two columns of a query, as a map from value to label. The query runs as it is: its own conditions, such as
    /// [`visible`], must exclude rows that the caller may not see.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn pairs(
        &self,
        query: impl QueryTrait<QueryStatement = SelectStatement> + Send,
    ) -> Result<HashMap<String, String>, LabelError> {
        let found = self.reader.of_query(query.into_query()).await?;
        Ok(found.into_iter().collect())
    }
}

impl fmt::Debug for Lookup<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lookup")
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}
