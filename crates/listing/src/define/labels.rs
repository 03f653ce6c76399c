//! In: a filter's values. Out: the labels that people read, from a closure or from the database (d34).

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use sea_orm::sea_query::{SelectStatement, Value};
use sea_orm::{ColumnTrait, Iterable, PrimaryKeyToColumn, QueryFilter, QuerySelect, QueryTrait};

use super::{Context, FilterValue, HasListing, kind_of, visible};
use crate::vocabulary::Kind;

/// Why labels could not be had. The request goes on with the values as labels.
pub type LabelError = Box<dyn std::error::Error + Send + Sync>;

/// What an asynchronous label resolver returns: `Box::pin(async move { … })`.
pub type LabelFuture<'a> =
    Pin<Box<dyn Future<Output = Result<Vec<String>, LabelError>> + Send + 'a>>;

/// How a filter's values become labels.
#[derive(Clone)]
pub(crate) enum LabelResolver {
    /// One value at a time.
    Each(Arc<EachLabel>),
    /// All values at once.
    All(Arc<AllLabels>),
    /// All values at once, with the database.
    Lookup(Arc<LookedUpLabels>),
}

type EachLabel = dyn Fn(&str) -> String + Send + Sync;
type AllLabels = dyn Fn(&[String]) -> Vec<String> + Send + Sync;
type LookedUpLabels = dyn for<'a> Fn(&'a [String], &'a Lookup<'a>) -> LabelFuture<'a> + Send + Sync;

impl fmt::Debug for LabelResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Each(_) => "LabelResolver::Each",
            Self::All(_) => "LabelResolver::All",
            Self::Lookup(_) => "LabelResolver::Lookup",
        })
    }
}

/// Reads rows of plain text: all that label resolvers need of a connection.
pub(crate) trait TextRows: Sync {
    /// The query's rows, its columns of these kinds as text.
    fn text_rows(&self, query: SelectStatement, columns: Vec<Kind>) -> TextRowsFuture<'_>;
}

/// The rows that [`TextRows`] reads.
pub(crate) type TextRowsFuture<'a> =
    Pin<Box<dyn Future<Output = Result<Vec<Vec<Option<String>>>, LabelError>> + Send + 'a>>;

/// What a label resolver can ask: the database, on the connection (or in the transaction) of the request, and the context.
#[derive(Clone, Copy)]
pub struct Lookup<'a> {
    rows: &'a dyn TextRows,
    context: &'a Context,
}

impl<'a> Lookup<'a> {
    pub(crate) fn new(rows: &'a dyn TextRows, context: &'a Context) -> Self {
        Self { rows, context }
    }

    /// Who asks.
    #[must_use]
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// The labels of values that are primary keys of another entity: what its row has in the column `label`, a column of
    /// text. A row that does not exist for who asks, by its entity's scope or soft delete, has no label: the value stands
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
    /// #         fn relations() -> Relations<Entity> { Relations::new() }
    /// #         fn filters() -> Vec<Filter<Entity>> { Vec::new() }
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
    #[must_use = "nothing is read until it is awaited, or returned to whom awaits it"]
    pub fn labels<'l, E: HasListing>(
        &'l self,
        label: E::Column,
        values: &'l [String],
    ) -> LabelFuture<'l> {
        let query = by_key::<E>(label, values, self.context);
        Box::pin(async move {
            let names = match query {
                Some((query, kinds)) => pairs(self.rows.text_rows(query, kinds).await?),
                None => HashMap::new(),
            };
            let label = |value: &String| names.get(value).unwrap_or(value).clone();
            Ok(values.iter().map(label).collect())
        })
    }

    /// The first two columns of a query, as a map from value to label. The query is run as it is: what who asks may not
    /// see must be left out by its own conditions, such as [`visible`].
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn pairs(
        &self,
        query: impl QueryTrait<QueryStatement = SelectStatement> + Send,
    ) -> Result<HashMap<String, String>, LabelError> {
        let kinds = vec![Kind::Natural; 2];
        Ok(pairs(self.rows.text_rows(query.into_query(), kinds).await?))
    }
}

fn pairs(rows: Vec<Vec<Option<String>>>) -> HashMap<String, String> {
    rows.into_iter()
        .filter_map(|row| {
            let mut row = row.into_iter();
            Some((row.next()??, row.next()??))
        })
        .collect()
}

/// Keys and labels of the rows that have one of these keys and exist for who asks; none where no value can be a key.
fn by_key<E: HasListing>(
    label: E::Column,
    values: &[String],
    context: &Context,
) -> Option<(SelectStatement, Vec<Kind>)> {
    let key = E::PrimaryKey::iter().next()?.into_column();
    let kind = kind_of(key.def().get_column_type());
    let keys: Vec<Value> = values
        .iter()
        .filter_map(|value| match FilterValue::parse(value, &kind).ok()? {
            FilterValue::Int(key) => Some(Value::from(key)),
            FilterValue::Uuid(key) => Some(Value::from(key)),
            // Every key is an integer or a UUID (d41), and there are no larger integers than that.
            _ => None,
        })
        .collect();
    if keys.is_empty() {
        return None;
    }
    let query = E::find()
        .select_only()
        .columns([key, label])
        .filter(key.is_in(keys))
        .filter(visible::<E>(context))
        .into_query();
    Some((query, vec![kind, Kind::Natural]))
}

impl fmt::Debug for Lookup<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lookup")
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}
