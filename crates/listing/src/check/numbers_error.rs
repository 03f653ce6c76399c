//! The errors for facets, totals and groups that a list does not have, or not in this way.

use super::CheckError;
use super::error::{did_you_mean, list};
use crate::request::{AskedHaving, AskedTotal};
use crate::vocabulary::{AggregateFunction, Complaint, FilterOperator, nearest};

impl CheckError {
    /// `totals[title]=sum`, where the listing has no numbers about the field.
    pub(super) fn no_total(field: &str, known: &[&str]) -> Self {
        let near = nearest(field, known.iter().copied());
        let token = Complaint::shorten(field);
        let message = format!(
            "There are no totals of `{token}`{} Totals here: {}.",
            did_you_mean(near),
            list(known)
        );
        let parameter = Complaint::shorten(&format!("totals[{field}]"));
        Self::refused("total_not_allowed", message, parameter, token, known, near)
    }

    /// `totals[views]=median`
    pub(super) fn total_not_allowed(
        asked: &AskedTotal,
        function: &str,
        allowed: &[AggregateFunction],
    ) -> Self {
        let allowed: Vec<_> = allowed.iter().map(|function| function.wire()).collect();
        let near = nearest(function, allowed.iter().copied());
        let token = Complaint::shorten(function);
        let message = format!(
            "`{token}` is not a total of `{}`{} Allowed here: {}.",
            asked.field,
            did_you_mean(near),
            list(&allowed)
        );
        let parameter = format!("totals[{}]", asked.field);
        Self::refused(
            "total_not_allowed",
            message,
            parameter,
            token,
            &allowed,
            near,
        )
    }

    pub(super) fn too_many_facets(asked: usize, most: usize) -> Self {
        let message = format!("{asked} facets are asked for, but at most {most} are allowed.");
        let token = asked.to_string();
        let parameter = "facets".to_owned();
        Self::refused("too_many_facets", message, parameter, token, &[], None)
    }

    /// An option that the facet does not have, or does not have with this value.
    pub(super) fn facet_option(key: &str, option: &str, token: &str, allowed: &[&str]) -> Self {
        let token = Complaint::shorten(token);
        let near = nearest(&token, allowed.iter().copied());
        let message = match token.as_str() {
            "" => format!(
                "The facet `{key}` has no option `{option}`. Its options: {}.",
                list(allowed)
            ),
            token => format!(
                "`{token}` is not a valid `{option}` of the facet `{key}`{} Allowed here: {}.",
                did_you_mean(near),
                list(allowed)
            ),
        };
        let parameter = format!("facets[{key}][{option}]");
        Self::refused("facet_option", message, parameter, token, allowed, near)
    }

    /// `by` names too many keys, or no key.
    pub(super) fn group_keys(given: usize, most: usize, known: &[&str]) -> Self {
        let message = format!(
            "`by` takes 1 to {most} keys, not {given}. Keys here: {}.",
            list(known)
        );
        let (parameter, token) = ("by".to_owned(), given.to_string());
        Self::refused("group_key", message, parameter, token, known, None)
    }

    /// `by=title`
    pub(super) fn group_key(name: &str, known: &[&str]) -> Self {
        let near = nearest(name, known.iter().copied());
        let token = Complaint::shorten(name);
        let message = format!(
            "Rows cannot be grouped by `{token}`{} Keys here: {}.",
            did_you_mean(near),
            list(known)
        );
        let parameter = "by".to_owned();
        Self::refused("group_key", message, parameter, token, known, near)
    }

    /// A sort or a condition by something that is not known of groups.
    pub(super) fn group_number(parameter: &str, name: &str, known: &[String]) -> Self {
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        let near = nearest(name, known.iter().copied());
        let token = Complaint::shorten(name);
        let message = format!(
            "Groups have no `{token}`{} Known here: {}.",
            did_you_mean(near),
            list(&known)
        );
        let parameter = parameter.to_owned();
        Self::refused("group_number", message, parameter, token, &known, near)
    }

    /// `having[count][$in]`
    pub(super) fn having_operator(asked: &AskedHaving) -> Self {
        let allowed = FilterOperator::COMPARISONS;
        let allowed: Vec<_> = allowed.iter().map(|operator| operator.wire()).collect();
        let near = nearest(&asked.operator, allowed.iter().copied());
        let token = Complaint::shorten(&asked.operator);
        let message = format!(
            "`{token}` is not a comparison of `{}`{} Allowed here: {}.",
            asked.number,
            did_you_mean(near),
            list(&allowed)
        );
        let parameter = format!("having[{}]", asked.number);
        Self::refused("having", message, parameter, token, &allowed, near)
    }

    /// `having[count][$gte]=many`
    pub(super) fn having_value(asked: &AskedHaving) -> Self {
        let token = Complaint::shorten(&asked.value);
        let message = format!(
            "`{token}` is not a value to compare `{}` with.",
            asked.number
        );
        let parameter = format!("having[{}][{}]", asked.number, asked.operator);
        let parameter = Complaint::shorten(&parameter);
        Self::refused("having", message, parameter, token, &[], None)
    }

    pub(super) fn groups_by_cursor() -> Self {
        let message = "Groups have no cursors; use `pagination[page]`.".to_owned();
        let parameter = "pagination[cursor]".to_owned();
        Self::refused("cursor_sort", message, parameter, String::new(), &[], None)
    }
}
