//! Reads the values of a client's filter, in the number that the operator takes.

use smallvec::smallvec;

use super::CheckError;
use super::hints::separate;
use super::predicate::Values;
use crate::define::{FilterValue, ValueError};
use crate::request::{AskedComparison, AskedValues};
use crate::vocabulary::{FilterOperator, Kind};

/// The values of a client's filter, typed, in the number that the operator takes.
pub(super) fn client_values(
    asked: &AskedComparison,
    (kind, is_of_array): (&Kind, bool),
    operator: FilterOperator,
    parse: impl Fn(&str, &Kind) -> Result<FilterValue, ValueError>,
) -> Result<Values, CheckError> {
    use FilterOperator::{Between, Contains, In, NotContains, NotIn, NotNull, Null};
    let texts = asked.texts();
    let kind = match operator {
        // `[$null]` without a value means yes.
        Null | NotNull if texts == [""] => return Ok(smallvec![FilterValue::Bool(true)]),
        Null | NotNull => &Kind::Boolean,
        _ => kind,
    };
    let takes = match operator {
        In | NotIn => None,
        Contains | NotContains if is_of_array && texts.is_empty() => {
            return Err(CheckError::wrong_count(asked, operator, 0, 0));
        }
        Contains | NotContains if is_of_array => None,
        Between => Some(2),
        _ => Some(1),
    };
    let is_list = matches!(asked.values, AskedValues::Many(_));
    if takes.is_some_and(|takes| takes != texts.len() || (takes == 1 && is_list)) {
        let hint = texts
            .iter()
            .find_map(|text| separate(asked, operator, text));
        let takes = takes.unwrap_or(1);
        return Err(CheckError::wrong_count(asked, operator, takes, texts.len()).with(hint));
    }
    let parsed = texts.iter().enumerate().map(|(at, text)| {
        parse(text, kind).map_err(|error| {
            let hint = separate(asked, operator, text);
            CheckError::wrong_value(asked, at, text, error).with(hint)
        })
    });
    let values = parsed.collect::<Result<Values, _>>()?;
    let is_period = |value: &FilterValue| matches!(value, FilterValue::Period(_));
    if values.len() > MOST_PERIODS && values.iter().any(is_period) {
        let given = values.len();
        return Err(CheckError::wrong_count(
            asked,
            operator,
            MOST_PERIODS,
            given,
        ));
    }
    Ok(values)
}

/// Each value becomes a separate range, and no database accepts thousands of them.
const MOST_PERIODS: usize = 100;
