//! In: the filters that were applied. Out: their labels, from one call for each filter whatever the number of its values (d34).

use sea_orm::sea_query::SelectStatement;

use super::run::read;
use super::{Reader, Shape, ShapeColumn};
use crate::define::{Context, LabelError, LabelResolver, Lookup, TextRows, TextRowsFuture};
use crate::plan::Applied;
use crate::sql;
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
        LabelResolver::Each(label) => Ok(values.iter().map(|value| label(value)).collect()),
        LabelResolver::All(labels) => Ok(labels(&values)),
        LabelResolver::Lookup(labels) => {
            let rows = Rows(reader);
            labels(&values, &Lookup::new(&rows, context)).await
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
struct Rows<'a>(&'a dyn Reader);

impl TextRows for Rows<'_> {
    fn text_rows(&self, query: SelectStatement, columns: Vec<Kind>) -> TextRowsFuture<'_> {
        Box::pin(async move {
            let statement = sql::plain(&query, self.0.dialect()?);
            let shape = Shape {
                columns: columns.into_iter().map(ShapeColumn::key).collect(),
            };
            let batch = read(self.0, statement, &shape)
                .await
                .map_err(LabelError::from)?;
            let text = |key: &Key| (*key != Key::Null).then(|| key.to_string());
            let row = |at| batch.keys(at).iter().map(text).collect();
            Ok((0..batch.len()).map(row).collect())
        })
    }
}
