//! Finds likely mistakes in allowed filters: a comma that was meant to separate values (d151).

use crate::request::{AskedComparison, AskedValues};
use crate::vocabulary::{Complaint, FilterOperator};

/// A sentence for `meta.hints`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hint {
    pub(crate) text: String,
    /// Whether it is shown even if rows were found: a mistaken `$notIn` finds more rows, not fewer.
    pub(crate) always: bool,
}

impl Hint {
    /// The most hints in a response.
    pub(super) const MOST: usize = 20;

    /// A hint for a filter with a comma in one of its values. For `$notIn`, such a value was certainly meant as a list.
    pub(super) fn of(asked: &AskedComparison, operator: FilterOperator) -> Option<Self> {
        let (texts, is_list) = match &asked.values {
            AskedValues::One(text) => (std::slice::from_ref(text), false),
            AskedValues::Many(texts) => (texts.as_slice(), true),
        };
        let always = operator == FilterOperator::NotIn;
        if always && is_list {
            return None;
        }
        let text = texts
            .iter()
            .find_map(|text| separate(asked, operator, text))?;
        Some(Self { text, always })
    }
}

/// Explains that a comma does not separate values, and how to write them; `None` without a comma, or if one value is expected.
pub(super) fn separate(
    asked: &AskedComparison,
    operator: FilterOperator,
    text: &str,
) -> Option<String> {
    use FilterOperator::{Between, In, NotIn};
    const SHOWN: usize = 2;
    if !matches!(operator, In | NotIn | Between) || !text.contains(',') {
        return None;
    }
    let parameter = asked.parameter();
    let values = text
        .split(',')
        .map(str::trim)
        .filter(|value| !value.is_empty());
    let mut values: Vec<_> = values
        .map(|value| format!("{parameter}[]={}", Complaint::shorten(value)))
        .collect();
    if values.len() > SHOWN {
        values.truncate(SHOWN);
        values.push("…".to_owned());
    }
    Some(format!(
        "`{parameter}` has the value `{}`, and commas do not separate values; write `{}` if several are meant.",
        Complaint::shorten(text),
        values.join("&")
    ))
}

#[cfg(test)]
mod tests {
    use super::Hint;
    use crate::request::{AskedComparison, AskedValues};
    use crate::vocabulary::FilterOperator::{self, Between, Equal, In, NotIn};

    fn hint(operator: FilterOperator, values: AskedValues) -> Option<Hint> {
        let asked = AskedComparison {
            field: "country".into(),
            operator: operator.wire().into(),
            implied: false,
            values,
            nesting: None,
        };
        Hint::of(&asked, operator)
    }

    /// Rules d151, b605.
    #[test]
    fn a_comma_is_worth_a_hint_where_several_values_are_taken() {
        let one = |text: &str| AskedValues::One(text.into());
        let many = |text: &str| AskedValues::Many(vec![text.into()]);
        let told = hint(In, one("DE,FR,IT")).expect("a hint");
        assert!(!told.always);
        assert_eq!(
            told.text,
            "`filters[country][$in]` has the value `DE,FR,IT`, and commas do not separate values; write \
             `filters[country][$in][]=DE&filters[country][$in][]=FR&…` if several are meant."
        );
        assert!(hint(In, many("DE,FR")).is_some());
        assert!(hint(Between, many("1,5")).is_some());
        assert_eq!(hint(In, one("DE")), None);
        assert_eq!(hint(Equal, one("DE,FR")), None);
        // A mistaken `$notIn` shows too many rows. In brackets, the comma is part of the value.
        assert!(hint(NotIn, one("DE,FR")).is_some_and(|hint| hint.always));
        assert_eq!(hint(NotIn, many("Washington, D.C.")), None);
    }
}
