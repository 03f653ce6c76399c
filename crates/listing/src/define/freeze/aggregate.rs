//! Freezes aggregates: each names a field that is a column, with functions that give the same digits on every database.

use super::{Draft, Mistakes, means_key, suggest};
use crate::define::{FieldSource, WhitelistAggregate, WhitelistField};
use crate::vocabulary::{AggregateFunction, Kind};

pub(super) fn freeze_aggregates(
    draft: &Draft,
    fields: &[WhitelistField],
    mistakes: &mut Mistakes,
) -> Vec<WhitelistAggregate> {
    let mut frozen: Vec<WhitelistAggregate> = Vec::with_capacity(draft.aggregates.len());
    for aggregate in &draft.aggregates {
        let said = aggregate.field.as_str();
        let Some((field, column)) = named(draft, fields, said, mistakes) else {
            continue;
        };
        let name = &fields[field].alias;
        if frozen.iter().any(|known| known.field == field) {
            mistakes.twice("aggregate", name);
        }
        if aggregate.functions.is_empty() {
            mistakes.add(
                "aggregate",
                name,
                "it allows no function",
                "say which clients may ask for: `.allow([Sum, Average])`",
            );
        }
        for function in &aggregate.functions {
            check(name, &fields[field].kind, *function, mistakes);
        }
        frozen.push(WhitelistAggregate {
            field,
            column,
            functions: aggregate.functions.clone(),
        });
    }
    frozen
}

/// The field that is meant, by its name or by its column, and its column: what can be aggregated can be read (d96).
fn named(
    draft: &Draft,
    fields: &[WhitelistField],
    said: &str,
    mistakes: &mut Mistakes,
) -> Option<(usize, usize)> {
    let meant = means_key(&draft.entity, said).or_else(|| draft.entity.column(said));
    let column = |field: &WhitelistField| match field.source {
        FieldSource::Column(column) => Some(column),
        _ => None,
    };
    let by_column = |field: &WhitelistField| meant.is_some() && column(field) == meant;
    let found = fields.iter().position(|field| field.alias == said);
    let found = found.or_else(|| fields.iter().position(by_column));
    let Some(at) = found else {
        let known = fields.iter().filter(|field| column(field).is_some());
        let known: Vec<_> = known.map(|field| field.alias.as_str()).collect();
        mistakes.add(
            "aggregate",
            said,
            "it is not a field of this listing, and what can be aggregated can be read",
            suggest(said, known.iter().copied()),
        );
        return None;
    };
    let Some(column) = column(&fields[at]) else {
        mistakes.add(
            "aggregate",
            said,
            "the field is not a column",
            "aggregate a field that is a column of the entity",
        );
        return None;
    };
    Some((at, column))
}

/// Whether the function gives the same digits on every database.
fn check(name: &str, kind: &Kind, function: AggregateFunction, mistakes: &mut Mistakes) {
    use AggregateFunction::{Average, Count, CountDistinct, Max, Min, Sum};
    let (is_right, remedy) = match function {
        Count => (true, ""),
        CountDistinct => (
            !matches!(
                kind,
                Kind::Json | Kind::Binary | Kind::Bits { .. } | Kind::Array(_) | Kind::Natural
            ),
            "use it on a column whose values can be compared",
        ),
        Sum | Average => (
            matches!(
                kind,
                Kind::Integer | Kind::IntegerText | Kind::Decimal { scale: Some(_) }
            ),
            "use it on an integer or a decimal with a declared scale: other sums have other digits on each database",
        ),
        Min | Max => (
            is_ordered(kind),
            "use it on a number, a date or a time: databases order other values differently",
        ),
    };
    if !is_right {
        let kind = kind.name();
        let problem = format!("`{function}` cannot be applied to a field of kind {kind}");
        mistakes.add("aggregate", name, problem, remedy);
    }
}

/// Whether values of a kind have the same order on every database.
pub(super) const fn is_ordered(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Integer
            | Kind::IntegerText
            | Kind::Float32
            | Kind::Float64
            | Kind::Decimal { .. }
            | Kind::Date
            | Kind::Time
            | Kind::Timestamp
    )
}
