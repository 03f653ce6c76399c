//! Freezes filters: names, columns, kinds, and defaults that fit them.

use std::sync::Arc;

use sea_orm::sea_query::ColumnType;
use smallvec::{SmallVec, smallvec};

use super::{Draft, Mistakes, check_name, computed, means_key, part, public_column, suggest};
use crate::define::{
    Absent, DefaultSource, DefaultValue, EntityMeta, Filter, FilterValue, OneOrMany,
    WhitelistDefault, WhitelistField, WhitelistFilter,
};
use crate::vocabulary::{FilterOperator, Kind, Names};

pub(super) fn freeze_filters(
    draft: &Draft,
    fields: &[WhitelistField],
    mistakes: &mut Mistakes,
) -> Vec<WhitelistFilter> {
    let mut frozen: Vec<WhitelistFilter> = Vec::with_capacity(draft.filters.len());
    for filter in &draft.filters {
        // Those through relations come afterwards.
        if filter.relation.is_some() {
            continue;
        }
        let of = Of {
            entity: &draft.entity,
            names: draft.names,
            fields,
        };
        let Some(whole) = freeze_filter(of, filter, mistakes) else {
            continue;
        };
        if frozen.iter().any(|known| known.key == whole.key) {
            mistakes.twice("filter", &whole.key);
        }
        frozen.push(whole);
    }
    frozen
}

/// The subject of a filter.
#[derive(Clone, Copy)]
pub(super) struct Of<'d> {
    pub(super) entity: &'d EntityMeta,
    /// The form of names.
    pub(super) names: Names,
    /// The fields of its listing, if it has one.
    pub(super) fields: &'d [WhitelistField],
}

/// A filter of an entity.
pub(super) fn freeze_filter(
    of: Of<'_>,
    filter: &Filter<()>,
    mistakes: &mut Mistakes,
) -> Option<WhitelistFilter> {
    let Of { entity, names, .. } = of;
    let said = filter.alias.as_deref().unwrap_or(&filter.key);
    check_parts(filter, said, mistakes);
    if filter.computed {
        return computed::freeze(of, filter, mistakes);
    }
    let (column, part, kind, key) = if filter.custom.is_some() {
        let kind = filter.value_kind.clone().unwrap_or(Kind::Text);
        let key = filter.alias.clone();
        let key = key.unwrap_or_else(|| names.of(&filter.key));
        (None, None, kind, key)
    } else {
        let found = means_key(entity, &filter.key).or_else(|| entity.column(&filter.key));
        let Some(column) = found else {
            let suggestion = suggest(&filter.key, entity.column_names());
            mistakes.add(
                "filter",
                said,
                format!("`{}` has no column `{}`", entity.name, filter.key),
                match suggestion.strip_suffix('?') {
                    Some(suggestion) => format!("{suggestion}? If not, add a `custom_query`"),
                    None => format!("{suggestion}, or add a `custom_query`"),
                },
            );
            return None;
        };
        let meta = &entity.columns[column];
        let alias = filter.alias.as_deref();
        let key = public_column(entity, names, alias, column, "filter", mistakes);
        match part::freeze(meta, filter, said, mistakes).ok()? {
            Some(part) => {
                let kind = match &part.values.kind {
                    Kind::Array(of) => (**of).clone(),
                    kind => kind.clone(),
                };
                let names = std::iter::once(&key).chain(&part.path);
                let key = names.map(String::as_str).collect::<Vec<_>>().join(".");
                (None, Some(Arc::new(part)), kind, key)
            }
            None => {
                check_operators(filter, said, &meta.column_type, &meta.kind, mistakes);
                (Some(column), None, meta.kind.clone(), key)
            }
        }
    };
    check_name("filter", &key, mistakes);
    let default = filter
        .default
        .as_ref()
        .map(|(source, operator)| WhitelistDefault {
            source: source.clone(),
            operator: *operator,
            absent: filter.absent,
        });
    let frozen = WhitelistFilter {
        key,
        values: column.and_then(|column| entity.columns[column].values.clone()),
        column,
        computed: None,
        part,
        kind,
        operators: filter.operators.to_vec(),
        default,
        custom: filter.custom.clone(),
        labels: filter.labels.clone(),
    };
    if let Some(problem) = wrong_default(&frozen) {
        mistakes.add(
            "filter",
            said,
            format!("its default is wrong: {problem}"),
            "use a default that fits the column and the operator",
        );
    }
    Some(frozen)
}

/// An option without effect is a misunderstanding.
fn check_parts(filter: &Filter<()>, key: &str, mistakes: &mut Mistakes) {
    if filter.only.is_some() {
        mistakes.add(
            "filter",
            key,
            "`only` is for filters through a relation",
            "remove it, or use `Filter::relation`",
        );
    }
    if filter.countable {
        mistakes.add(
            "filter",
            key,
            "`countable` is for filters through a relation",
            "remove it, or use `Filter::relation`",
        );
    }
    let is_inside = filter.json || filter.path.is_some();
    if is_inside && (filter.custom.is_some() || filter.computed) {
        mistakes.add(
            "filter",
            key,
            "a path is compared by itself",
            "remove the `custom_query`, or `path`",
        );
    }
    let is_computed = matches!(filter.default, Some((DefaultSource::Dynamic(_), _)));
    if filter.absent != Absent::default() && !is_computed {
        mistakes.add(
            "filter",
            key,
            "`when_absent` is for defaults that are computed for each request",
            "remove it, or pass a closure as the default",
        );
    }
}

/// The operators of a filter, and that of its default.
pub(super) fn operators(filter: &Filter<()>) -> impl Iterator<Item = FilterOperator> {
    let default = filter
        .default
        .as_ref()
        .map(|(source, operator)| match source {
            DefaultSource::Fixed(value) => value.operator(*operator),
            DefaultSource::Dynamic(_) => operator.unwrap_or(FilterOperator::Equal),
        });
    filter.operators.iter().copied().chain(default)
}

/// An operator that the column's type cannot answer would be a database error at each request.
pub(super) fn check_operators(
    filter: &Filter<()>,
    key: &str,
    column_type: &ColumnType,
    kind: &Kind,
    mistakes: &mut Mistakes,
) {
    use FilterOperator::{Equal, In, NotEqual, NotIn, NotNull, Null};
    for operator in operators(filter) {
        let answered = match operator {
            Null | NotNull => true,
            textual if textual.is_textual() => text(column_type),
            // The order of an enumeration's values is each database's own.
            Equal | NotEqual | In | NotIn => comparable(column_type),
            _ => comparable(column_type) && !matches!(kind, Kind::Enum(_)),
        };
        if !answered {
            mistakes.add(
                "filter",
                key,
                format!("`{operator}` cannot be applied to a column of type {column_type:?}"),
                "remove the operator, or use a `custom_query`",
            );
        }
    }
}

/// The types whose values are text on every database.
pub(super) fn text(column_type: &ColumnType) -> bool {
    matches!(
        column_type,
        ColumnType::Char(_) | ColumnType::String(_) | ColumnType::Text
    )
}

/// The types whose values every database writes as the same text.
pub(super) fn is_shown_as_text(column_type: &ColumnType) -> bool {
    matches!(
        column_type,
        ColumnType::TinyInteger
            | ColumnType::SmallInteger
            | ColumnType::Integer
            | ColumnType::BigInteger
            | ColumnType::TinyUnsigned
            | ColumnType::SmallUnsigned
            | ColumnType::Unsigned
            | ColumnType::BigUnsigned
            | ColumnType::Enum { .. }
    )
}

/// The types whose values can be bound as parameters and compared on every database.
fn comparable(column_type: &ColumnType) -> bool {
    text(column_type)
        || matches!(
            column_type,
            ColumnType::TinyInteger
                | ColumnType::SmallInteger
                | ColumnType::Integer
                | ColumnType::BigInteger
                | ColumnType::TinyUnsigned
                | ColumnType::SmallUnsigned
                | ColumnType::Unsigned
                | ColumnType::BigUnsigned
                | ColumnType::Year
                | ColumnType::Float
                | ColumnType::Double
                | ColumnType::Decimal(_)
                | ColumnType::Boolean
                | ColumnType::Uuid
                | ColumnType::Date
                | ColumnType::Time
                | ColumnType::DateTime
                | ColumnType::Timestamp
                | ColumnType::TimestampWithTimeZone
                | ColumnType::Enum { .. }
        )
}

/// The mistake in a default that is the same for every request.
fn wrong_default(filter: &WhitelistFilter) -> Option<String> {
    let default = filter.default.as_ref()?;
    let DefaultSource::Fixed(value) = &default.source else {
        return None;
    };
    match value.typed(default.operator, &filter.kind) {
        Err(problem) => Some(problem),
        Ok((operator, values)) => filter
            .unknown_value(operator, &values)
            .map(|(at, error)| format!("`{}`: {error}", values[at])),
    }
}

impl DefaultValue {
    /// The operator of this default (d23, d24).
    fn operator(&self, given: Option<FilterOperator>) -> FilterOperator {
        use FilterOperator::{Equal, In, NotEqual, NotNull, Null};
        match (&self.0, given) {
            (OneOrMany::Null, None | Some(Equal)) => Null,
            (OneOrMany::Null, Some(NotEqual)) => NotNull,
            (OneOrMany::One(_), None) => Equal,
            (OneOrMany::Many(_), None) => In,
            (_, Some(given)) => given,
        }
    }

    /// The operator and the typed values of this default.
    pub(crate) fn typed(
        &self,
        operator: Option<FilterOperator>,
        kind: &Kind,
    ) -> Result<(FilterOperator, SmallVec<[FilterValue; 1]>), String> {
        use FilterOperator::{Between, In, NotIn, NotNull, Null};
        let operator = self.operator(operator);
        let parse = |text: &String, kind: &Kind| {
            FilterValue::parse(text, kind).map_err(|error| format!("`{text}`: {error}"))
        };
        let values = match (&self.0, operator) {
            (OneOrMany::Null, Null | NotNull) => smallvec![FilterValue::Bool(true)],
            (OneOrMany::Null, _) => return Err(format!("null has no meaning with `{operator}`")),
            (OneOrMany::One(value), Null | NotNull) => smallvec![parse(value, &Kind::Boolean)?],
            (OneOrMany::One(value), _) => smallvec![parse(value, kind)?],
            (OneOrMany::Many(values), In | NotIn | Between) => values
                .iter()
                .map(|value| parse(value, kind))
                .collect::<Result<_, _>>()?,
            (OneOrMany::Many(_), _) => return Err(format!("`{operator}` takes one value")),
        };
        if operator == Between && values.len() != 2 {
            return Err(format!("`$between` takes two values, not {}", values.len()));
        }
        Ok((operator, values))
    }
}
