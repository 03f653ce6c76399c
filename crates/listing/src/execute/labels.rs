//! The labels of filter values, from one call for each filter however many values it has (d34).

use sea_orm::sea_query::SelectStatement;

use super::reader::Reader;
use super::statement::read;
use crate::define::{
    Context, LabelError, LabelReader, LabelResolver, LabelRows, LabelsFuture, Lookup,
};
use crate::plan::Applied;
use crate::render::{Shape, ShapeColumn};
use crate::sql::{self, Statement};
use crate::vocabulary::{Key, Kind};

/// The labels of a filter's values; none where there is no resolver, or where it fails: values are then their own labels.
pub(super) async fn labels(
    applied: &Applied<'_>,
    reader: &dyn Reader,
    context: &Context,
) -> Option<Vec<String>> {
    let resolver = applied.labels?;
    let values: Vec<String> = applied.values.iter().map(ToString::to_string).collect();
    if values.is_empty() {
        return None;
    }
    let resolved = match resolver {
        LabelResolver::Known(labels) => Ok(values.iter().map(|value| labels.of(value)).collect()),
        LabelResolver::Each(label) => Ok(values.iter().map(|value| label(value)).collect()),
        LabelResolver::All(labels) => Ok(labels(&values)),
        LabelResolver::Lookup(labels) => {
            let reader = OfRequest(reader);
            labels(&values, &Lookup::new(&reader, context)).await
        }
    };
    match resolved {
        Ok(labels) if labels.len() == values.len() => Some(labels),
        Ok(labels) => {
            let (key, given, wanted) = (applied.key, labels.len(), values.len());
            tracing::warn!(
                filter = key,
                given,
                wanted,
                "a label resolver gave a wrong number of labels"
            );
            None
        }
        Err(error) => {
            tracing::warn!(filter = applied.key, %error, "a label resolver failed");
            None
        }
    }
}

/// Lets a resolver read on the request's own connection.
struct OfRequest<'a>(&'a dyn Reader);

impl LabelReader for OfRequest<'_> {
    fn of_rows(&self, mut rows: LabelRows) -> LabelsFuture<'_> {
        Box::pin(async move {
            let dialect = self.0.dialect()?;
            if !dialect.has_unsigned() {
                // No row has a key that is beyond its column.
                rows.keys.retain(|key| !matches!(key, Key::UInt(_)));
            }
            if rows.keys.is_empty() {
                return Ok(Vec::new());
            }
            let statement = sql::labels(&rows, dialect);
            self.read([rows.column.kind.clone(), Kind::Natural], statement)
                .await
        })
    }

    fn of_query(&self, query: SelectStatement) -> LabelsFuture<'_> {
        Box::pin(async move {
            let statement = sql::plain(&query, self.0.dialect()?);
            self.read([Kind::Natural, Kind::Natural], statement).await
        })
    }
}

impl OfRequest<'_> {
    async fn read(
        &self,
        columns: [Kind; 2],
        statement: Statement,
    ) -> Result<Vec<(String, String)>, LabelError> {
        let shape = Shape {
            columns: columns.map(ShapeColumn::key).into(),
        };
        let batch = read(self.0, statement, &shape).await?;
        let text = |key: &Key| (*key != Key::Null).then(|| key.to_string());
        let labelled = |row| match batch.keys(row) {
            [value, label, ..] => text(value).zip(text(label)),
            _ => None,
        };
        Ok((0..batch.len()).filter_map(labelled).collect())
    }
}
