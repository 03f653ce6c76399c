//! Freezes filters on computed values: computed fields, and counts of related rows (d146).

use std::borrow::Cow;
use std::sync::Arc;

use sea_orm::sea_query::ColumnType;

use super::filter::Of;
use super::{Mistakes, check_name, suggest};
use crate::define::{
    ColumnMeta, FieldSource, Filter, WhitelistComputed, WhitelistField, WhitelistFilter,
};
use crate::vocabulary::{FilterOperator, FormCell, Kind};

/// A filter on a computed field of the listing.
pub(super) fn freeze(
    of: Of<'_>,
    filter: &Filter<()>,
    mistakes: &mut Mistakes,
) -> Option<WhitelistFilter> {
    let said = filter.alias.as_deref().unwrap_or(&filter.key);
    let public = of.names.of(&filter.key);
    let is_computed = |field: &&WhitelistField| {
        matches!(
            field.source,
            FieldSource::Computed(_) | FieldSource::Count(_)
        )
    };
    let computed = || of.fields.iter().filter(is_computed);
    let mut found = computed().filter(|field| field.alias == filter.key || field.alias == public);
    let Some(field) = found.next() else {
        let known = computed().map(|field| field.alias.as_str());
        mistakes.add(
            "filter",
            said,
            format!("there is no computed field `{}`", filter.key),
            suggest(&filter.key, known),
        );
        return None;
    };
    check_parts(filter, said, mistakes);
    let Some(values) = values(field) else {
        mistakes.add(
            "filter",
            said,
            "what the computed field is has not been said, or cannot be compared on every database",
            "declare a number, a text or a boolean with `Field::kind`",
        );
        return None;
    };
    let key = filter.alias.clone().unwrap_or_else(|| field.alias.clone());
    check_name("filter", &key, mistakes);
    let kind = values.kind.clone();
    Some(WhitelistFilter {
        key,
        column: None,
        computed: Some(Arc::new(WhitelistComputed {
            source: field.source.clone(),
            values,
        })),
        part: None,
        kind,
        values: None,
        operators: filter.operators.to_vec(),
        default: None,
        custom: None,
        labels: filter.labels.clone(),
    })
}

/// The filter by how many rows a relation leads to: `filters[comments][$count]`.
pub(super) fn count(source: FieldSource) -> WhitelistFilter {
    use FilterOperator::{
        Between, Equal, GreaterThan, GreaterThanEqual, In, LessThan, LessThanEqual, NotEqual, NotIn,
    };
    let values = meta(Kind::Integer, ColumnType::BigInteger, false);
    WhitelistFilter {
        key: WhitelistFilter::COUNT.to_owned(),
        column: None,
        computed: Some(Arc::new(WhitelistComputed { source, values })),
        part: None,
        kind: Kind::Integer,
        values: None,
        operators: vec![
            Equal,
            NotEqual,
            LessThan,
            LessThanEqual,
            GreaterThan,
            GreaterThanEqual,
            In,
            NotIn,
            Between,
        ],
        default: None,
        custom: None,
        labels: None,
    }
}

/// Options without an effect, or with an unexpected one.
fn check_parts(filter: &Filter<()>, key: &str, mistakes: &mut Mistakes) {
    for (name, is_said) in [
        ("default", filter.default.is_some()),
        ("custom_query", filter.custom.is_some()),
    ] {
        if is_said {
            mistakes.add(
                "filter",
                key,
                format!("`{name}` has no meaning for a filter on a computed field"),
                "remove it",
            );
        }
    }
    for operator in filter.operators.iter().filter(|one| one.is_textual()) {
        mistakes.add(
            "filter",
            key,
            format!("`{operator}` cannot be applied to a computed field"),
            "remove the operator: computed fields are compared",
        );
    }
}

/// A field's values as if they were a column's; `None` if the databases do not compare them alike.
fn values(field: &WhitelistField) -> Option<ColumnMeta> {
    let column_type = match field.kind {
        Kind::Integer | Kind::IntegerText => ColumnType::BigInteger,
        Kind::Float32 | Kind::Float64 => ColumnType::Double,
        Kind::Decimal { .. } => ColumnType::Decimal(None),
        Kind::Boolean => ColumnType::Boolean,
        Kind::Text => ColumnType::Text,
        _ => return None,
    };
    let kind = match &field.kind {
        // The query determines its decimal places.
        Kind::Decimal { .. } => Kind::Decimal { scale: None },
        Kind::Float32 => Kind::Float64,
        kind => kind.clone(),
    };
    let is_count = matches!(field.source, FieldSource::Count(_));
    Some(meta(kind, column_type, !is_count))
}

fn meta(kind: Kind, column_type: ColumnType, nullable: bool) -> ColumnMeta {
    ColumnMeta {
        name: Cow::Borrowed(""),
        kind,
        column_type,
        nullable,
        unique: false,
        values: None,
        numeric: false,
        kept: FormCell::default(),
    }
}
