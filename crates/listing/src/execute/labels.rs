//! The labels of filter values, from one call for each filter however many values and conditions it has (d34).

use std::collections::HashMap;

use futures_util::future::join_all;
use sea_orm::sea_query::SelectStatement;

use super::error::ExecuteError;
use super::reader::Reader;
use super::statement::read;
use crate::define::{
    Context, LabelColumn, LabelError, LabelFuture, LabelPairsFuture, LabelReader, LabelResolver,
    Lookup,
};
use crate::plan::Applied;
use crate::render::{Shape, ShapeColumn};
use crate::sql::{self, Statement};
use crate::vocabulary::{Key, Kind};

/// The labels of each filter's values; `None` without a resolver, or if it fails: values are then their own labels.
pub(super) async fn labels(
    applied: &[Applied<'_>],
    reader: &dyn Reader,
    context: &Context,
) -> Vec<Option<Vec<String>>> {
    let mut labels = Vec::with_capacity(applied.len());
    // In most lists, at most one filter has labels.
    if applied.iter().filter(|one| one.labels.is_some()).count() < 2 {
        for one in applied {
            labels.push(of_one(one, reader, context).await);
        }
        return labels;
    }
    labels.resize(applied.len(), None);
    let groups = by_resolver(applied);
    // All are awaited even if one fails: a statement that is dropped half-way costs its connection.
    let found = groups
        .iter()
        .map(|group| of_group(applied, group, reader, context));
    for (at, found) in join_all(found).await.into_iter().flatten() {
        labels[at] = found;
    }
    labels
}

/// The places of the conditions that have the same resolver: those on one filter, wherever in the tree they are.
fn by_resolver(applied: &[Applied<'_>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(&LabelResolver, Vec<usize>)> = Vec::new();
    for (at, one) in applied.iter().enumerate() {
        let Some(resolver) = one.labels else {
            continue;
        };
        match groups
            .iter_mut()
            .find(|(of, _)| std::ptr::eq(*of, resolver))
        {
            Some((_, places)) => places.push(at),
            None => groups.push((resolver, vec![at])),
        }
    }
    groups.into_iter().map(|(_, places)| places).collect()
}

/// The labels of all conditions on one filter. Each value is looked up once.
async fn of_group(
    applied: &[Applied<'_>],
    group: &[usize],
    reader: &dyn Reader,
    context: &Context,
) -> Vec<(usize, Option<Vec<String>>)> {
    let first = &applied[group[0]];
    if let [at] = *group {
        return vec![(at, of_one(first, reader, context).await)];
    }
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut values: Vec<&str> = Vec::new();
    for value in group.iter().flat_map(|at| &applied[*at].values) {
        places.entry(value).or_insert_with(|| {
            values.push(value);
            values.len() - 1
        });
    }
    let Some(labels) = resolved((first.key, first.labels), &values, reader, context).await else {
        return Vec::new();
    };
    let label = |value: &str| labels[places[value]].clone();
    let of = |at: &usize| applied[*at].values.iter().map(|value| label(value));
    group
        .iter()
        .map(|at| (*at, Some(of(at).collect())))
        .collect()
}

async fn of_one(
    applied: &Applied<'_>,
    reader: &dyn Reader,
    context: &Context,
) -> Option<Vec<String>> {
    resolved(
        (applied.key, applied.labels),
        &applied.values,
        reader,
        context,
    )
    .await
}

/// A label for each of these values, from the filter's resolver.
pub(super) async fn resolved(
    (key, resolver): (&str, Option<&LabelResolver>),
    values: &[impl AsRef<str>],
    reader: &dyn Reader,
    context: &Context,
) -> Option<Vec<String>> {
    let resolver = resolver?;
    if values.is_empty() {
        return None;
    }
    let texts = || -> Vec<String> {
        let texts = values.iter().map(AsRef::as_ref);
        texts.map(str::to_owned).collect()
    };
    let resolved = match resolver {
        LabelResolver::Known(labels) => {
            Ok(values.iter().map(|one| labels.of(one.as_ref())).collect())
        }
        LabelResolver::Each(label) => Ok(values.iter().map(|one| label(one.as_ref())).collect()),
        LabelResolver::All(labels) => Ok(labels(&texts())),
        LabelResolver::Column(column) => in_column(column, values, reader, context).await,
        LabelResolver::Lookup(labels) => {
            let (values, reader) = (texts(), OfRequest(reader));
            labels(&values, &Lookup::new(&reader, context)).await
        }
    };
    match resolved {
        Ok(labels) if labels.len() == values.len() => Some(labels),
        Ok(labels) => {
            let (given, wanted) = (labels.len(), values.len());
            tracing::warn!(
                filter = key,
                given,
                wanted,
                "a label resolver gave a wrong number of labels"
            );
            None
        }
        Err(error) => {
            tracing::warn!(filter = key, %error, "a label resolver failed");
            None
        }
    }
}

/// The labels of values that are keys of rows: what each row holds in the column. A value without a row is its own label.
async fn in_column(
    column: &LabelColumn,
    values: &[impl AsRef<str>],
    reader: &dyn Reader,
    context: &Context,
) -> Result<Vec<String>, LabelError> {
    let dialect = reader.dialect()?;
    // No row has a key outside the column's range.
    let can_be = |key: &Key| dialect.has_unsigned() || !matches!(key, Key::UInt(_));
    let values = || values.iter().map(AsRef::as_ref);
    let keys = values().filter_map(|value| column.key_of(value));
    let keys: Vec<Key> = keys.filter(can_be).collect();
    let mut found = Vec::new();
    if !keys.is_empty() {
        let visible = (column.visible)(context);
        let statement = sql::labels(column, &keys, &visible, dialect);
        found = read_pairs([column.kind.clone(), Kind::Natural], statement, reader).await?;
        found.sort_unstable();
    }
    let label = |value: &str| {
        let at = found.binary_search_by(|(found, _)| found.as_str().cmp(value));
        at.map_or(value, |at| &found[at].1).to_owned()
    };
    Ok(values().map(label).collect())
}

/// Lets a resolver read on the request's own connection.
struct OfRequest<'a>(&'a dyn Reader);

impl LabelReader for OfRequest<'_> {
    fn of_column<'l>(
        &'l self,
        column: LabelColumn,
        values: &'l [String],
        context: &'l Context,
    ) -> LabelFuture<'l> {
        Box::pin(async move { in_column(&column, values, self.0, context).await })
    }

    fn of_query(&self, query: SelectStatement) -> LabelPairsFuture<'_> {
        Box::pin(async move {
            let statement = sql::plain(&query, self.0.dialect()?);
            Ok(read_pairs([Kind::Natural, Kind::Natural], statement, self.0).await?)
        })
    }
}

/// The values and labels of rows that have both.
pub(super) async fn read_pairs(
    columns: [Kind; 2],
    statement: Statement,
    reader: &dyn Reader,
) -> Result<Vec<(String, String)>, ExecuteError> {
    let shape = Shape {
        columns: columns.map(ShapeColumn::key).into(),
    };
    let batch = read(reader, statement, &shape).await?;
    let text = |key: &Key| (*key != Key::Null).then(|| key.to_string());
    let pair = |row| match batch.keys(row) {
        [value, label, ..] => text(value).zip(text(label)),
        _ => None,
    };
    Ok((0..batch.len()).filter_map(pair).collect())
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::FutureExt;

    use super::super::error::ExecuteError;
    use super::super::reader::ReadFuture;
    use super::*;
    use crate::sql::Dialect;
    use crate::vocabulary::FilterOperator;

    /// A reader without a database.
    pub(in crate::execute) struct Nothing;

    impl Reader for Nothing {
        fn dialect(&self) -> Result<Dialect, ExecuteError> {
            Err(ExecuteError::UnknownDatabase)
        }

        fn read<'a>(&'a self, _: Statement, _: &'a Shape) -> ReadFuture<'a> {
            Box::pin(async { Err(ExecuteError::UnknownDatabase) })
        }
    }

    fn condition<'w>(values: &[&str], labels: Option<&'w LabelResolver>) -> Applied<'w> {
        Applied {
            key: "author_id",
            operator: FilterOperator::In,
            values: values.iter().map(|value| (*value).into()).collect(),
            labels,
            path: None,
        }
    }

    /// Rule d34.
    #[test]
    fn conditions_on_one_filter_are_labelled_by_one_call() {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        let resolver = LabelResolver::All(Arc::new(move |values: &[String]| {
            counted.fetch_add(1, Ordering::Relaxed);
            let values = values.iter().enumerate();
            values.map(|(at, value)| format!("{at}: {value}")).collect()
        }));
        let failing = LabelResolver::All(Arc::new(|_: &[String]| Vec::new()));
        let applied = [
            condition(&["7"], Some(&resolver)),
            condition(&["1"], None),
            condition(&["8", "7"], Some(&resolver)),
            condition(&["3"], Some(&failing)),
            condition(&["9"], Some(&resolver)),
            condition(&["4"], Some(&failing)),
            condition(&[], Some(&resolver)),
        ];
        let context = Context::new();
        let found = labels(&applied, &Nothing, &context).now_or_never().unwrap();
        let told = |labels: &[&str]| Some(labels.iter().map(ToString::to_string).collect());
        let expected: [Option<Vec<String>>; 7] = [
            told(&["0: 7"]),
            None,
            told(&["1: 8", "0: 7"]),
            None,
            told(&["2: 9"]),
            None,
            told(&[]),
        ];
        assert_eq!(found, expected);
        assert_eq!(calls.load(Ordering::Relaxed), 1);
    }
}
