//! In: a filter's values. Out: the labels that people read, from a closure or from the database (d34).

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use sea_orm::QueryTrait;
use sea_orm::sea_query::SelectStatement;

use super::Context;

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
    /// The query's rows, its first so many columns as text.
    fn text_rows(&self, query: SelectStatement, columns: usize) -> TextRowsFuture<'_>;
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

    /// The first two columns of a query, as a map from value to label.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn pairs(
        &self,
        query: impl QueryTrait<QueryStatement = SelectStatement> + Send,
    ) -> Result<HashMap<String, String>, LabelError> {
        let rows = self.rows.text_rows(query.into_query(), 2).await?;
        Ok(rows
            .into_iter()
            .filter_map(|row| {
                let mut row = row.into_iter();
                Some((row.next()??, row.next()??))
            })
            .collect())
    }
}

impl fmt::Debug for Lookup<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lookup")
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}
