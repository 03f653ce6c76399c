//! The errors for requests that a whitelist does not allow: what was refused, what is allowed, and what was probably meant (d8, d9).

use super::ignored::{Path, What};
use crate::define::ValueError;
use crate::request::{AskedComparison, AskedFilter, AskedRelated, Quote, meant_group};
use crate::vocabulary::{Complaint, FilterOperator, nearest};

/// Why a request does not pass the whitelist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The client's mistake, ready for the response.
    #[error("{}", .0.message)]
    Refused(Box<Complaint>),
    /// A default filter needs an identity, and the request has none.
    #[error("You must be signed in to list these rows.")]
    Unauthorized {
        /// The filter that needs it, which the client did not send and need not know.
        filter: String,
    },
}

impl CheckError {
    /// The complaint that the client gets.
    #[must_use]
    pub fn complaint(&self) -> Complaint {
        match self {
            Self::Refused(complaint) => (**complaint).clone(),
            Self::Unauthorized { .. } => Complaint {
                code: "unauthorized",
                message: self.to_string(),
                parameter: String::new(),
                token: String::new(),
                allowed: Vec::new(),
                nearest: None,
            },
        }
    }

    pub(super) fn unknown_filter(asked: &AskedComparison, known: Vec<&str>) -> Self {
        let field = Complaint::shorten(&asked.field);
        // `filters[author.name]`: a dot for the brackets of a relation.
        let path = asked.field.split_once('.');
        let dotted = path.and_then(|(head, rest)| {
            let head = known.iter().copied().find(|name| *name == head)?;
            let meant = format!("filters[{head}][{}]", rest.replace('.', "]["));
            Some((head, Complaint::shorten(&meant)))
        });
        let (near, meant) = match &dotted {
            Some((head, meant)) => (Some(*head), Some(meant.as_str())),
            None => {
                let near = nearest(&asked.field, known.iter().copied());
                (near, near)
            }
        };
        let message = format!(
            "There is no filter `{field}`{} Filters here: {}.",
            did_you_mean(meant),
            list(&known)
        );
        Self::refused(
            "filter_unknown_field",
            message,
            parameter(asked),
            field,
            &known,
            near,
        )
    }

    pub(super) fn operator_not_allowed(
        asked: &AskedComparison,
        allowed: &[FilterOperator],
    ) -> Self {
        let operator = Complaint::shorten(&asked.operator);
        let allowed: Vec<_> = allowed.iter().map(|operator| operator.wire()).collect();
        let near = nearest(&asked.operator, allowed.iter().copied());
        let field = Complaint::shorten(&asked.field);
        let (code, problem) = match FilterOperator::from_wire(&asked.operator) {
            Some(_) => ("filter_operator_not_allowed", "is not allowed"),
            None => ("filter_unknown_operator", "is not an operator"),
        };
        let message = format!(
            "`{operator}` {problem} on the filter `{field}`{} Allowed here: {}.",
            did_you_mean(near),
            list(&allowed)
        );
        Self::refused(code, message, parameter(asked), operator, &allowed, near)
    }

    /// `filters[author][$gt]=3`: an operator on a relation, which has filters of its own instead.
    pub(super) fn operator_on_relation(
        asked: &AskedComparison,
        by_id: bool,
        filters: &[&str],
    ) -> Self {
        let operator = Complaint::shorten(&asked.operator);
        let relation = Complaint::shorten(&asked.field);
        let own = ["$null", "$notNull", "$eq", "$ne", "$in", "$notIn"];
        let own = &own[..if by_id { own.len() } else { 2 }];
        let allowed: Vec<_> = own.iter().chain(filters).copied().collect();
        let near = nearest(&asked.operator, allowed.iter().copied());
        let code = match FilterOperator::from_wire(&asked.operator) {
            Some(_) => "filter_operator_not_allowed",
            None => "filter_unknown_operator",
        };
        let example = match filters.first() {
            Some(filter) => {
                format!(" Filter by one of its fields, as in `filters[{relation}][{filter}]`.")
            }
            None => String::new(),
        };
        let message = format!(
            "`{relation}` is a relation, so `{operator}` cannot be used on it{}{example} Allowed here: {}.",
            did_you_mean(near),
            list(&allowed)
        );
        Self::refused(code, message, parameter(asked), operator, &allowed, near)
    }

    /// `filters[title][eq]`: what stands after a field that is not a relation has to be an operator.
    pub(super) fn not_an_operator(asked: &AskedRelated, allowed: &[FilterOperator]) -> Self {
        let operator = match asked.quantifier {
            Some(quantifier) => quantifier.wire(),
            None => first_name(&asked.filter),
        };
        let allowed: Vec<_> = allowed.iter().map(|operator| operator.wire()).collect();
        let near = nearest(operator, allowed.iter().copied());
        let operator = Complaint::shorten(operator);
        let field = Complaint::shorten(&asked.key);
        let message = format!(
            "`{operator}` is not an operator on the filter `{field}`{} Allowed here: {}.",
            did_you_mean(near),
            list(&allowed)
        );
        let parameter = Complaint::shorten(&format!("{}[{operator}]", asked.parameter()));
        let code = "filter_unknown_operator";
        Self::refused(code, message, parameter, operator, &allowed, near)
    }

    /// `filters[comments][body]`, where `comments` is a relation.
    pub(super) fn closed_relation(asked: &AskedRelated, known: Vec<&str>) -> Self {
        let relation = Complaint::shorten(&asked.key);
        let message = format!(
            "`{relation}` is a relation that cannot be filtered through. Filters here: {}.",
            list(&known)
        );
        let parameter = asked.parameter().to_string();
        Self::refused("nested_filter", message, parameter, relation, &known, None)
    }

    /// `filters[comments][$count]`, where the definition does not allow it.
    pub(super) fn not_countable(asked: &AskedRelated) -> Self {
        let key = Complaint::shorten(&asked.key);
        let message = format!("The rows of `{key}` cannot be counted in a filter.");
        let parameter = Complaint::shorten(&format!("{}[$count]", asked.parameter()));
        let code = "filter_operator_not_allowed";
        Self::refused(code, message, parameter, "$count".to_owned(), &[], None)
    }

    pub(super) fn unknown_relation_filter(asked: &AskedRelated, known: Vec<&str>) -> Self {
        let key = Complaint::shorten(&asked.key);
        // `filters[not][title]`: a group without its sign.
        let near = nearest(&asked.key, known.iter().copied()).or_else(|| meant_group(&asked.key));
        let message = format!(
            "There is no filter `{key}`{} Filters here: {}.",
            did_you_mean(near),
            list(&known)
        );
        let parameter = asked.parameter().to_string();
        Self::refused(
            "filter_unknown_field",
            message,
            parameter,
            key,
            &known,
            near,
        )
    }

    /// A filter through more relations than are allowed, one in the other.
    pub(super) fn too_deep(key: &str, parameter: &Quote, deepest: usize) -> Self {
        let message = format!("A filter can go through at most {deepest} relations.");
        let parameter = parameter.to_string();
        let key = Complaint::shorten(key);
        let code = "filter_too_many_relations";
        Self::refused(code, message, parameter, key, &[], None)
    }

    /// One of the values, at this place among them, is not one of the filter's.
    pub(super) fn wrong_value(
        asked: &AskedComparison,
        index: usize,
        text: &str,
        error: ValueError,
    ) -> Self {
        let token = Complaint::shorten(text);
        let field = Complaint::shorten(&asked.field);
        let value = match token.as_str() {
            "" => "An empty text".to_owned(),
            token => format!("`{token}`"),
        };
        let mut message = format!(
            "{value} is not a valid value for the filter `{field}`: expected {}.",
            error.expected
        );
        if !error.allowed.is_empty() {
            message = format!("{message} Allowed here: {}.", list(&error.allowed));
        }
        let near = nearest(text, error.allowed.iter().map(String::as_str)).map(str::to_owned);
        Self::Refused(Box::new(Complaint {
            code: "filter_wrong_value",
            message,
            parameter: asked.parameter_of(index).to_string(),
            token,
            allowed: error.allowed,
            nearest: near,
        }))
    }

    pub(super) fn wrong_count(
        asked: &AskedComparison,
        operator: FilterOperator,
        takes: usize,
        given: usize,
    ) -> Self {
        let not = match (takes, given) {
            (1, 1) => "a list".to_owned(),
            _ => given.to_string(),
        };
        let takes = match takes {
            0 => "at least one value",
            1 => "one value",
            2 => "exactly two values",
            _ => "at most 100 months, years, or days of a time zone",
        };
        let field = Complaint::shorten(&asked.field);
        let message = format!("`{operator}` on the filter `{field}` takes {takes}, not {not}.");
        let code = "filter_wrong_number_of_values";
        Self::refused(
            code,
            message,
            parameter(asked),
            given.to_string(),
            &[takes],
            None,
        )
    }

    pub(super) fn unknown_name(what: What, around: Path<'_>, name: &str, known: &[&str]) -> Self {
        let (code, kind, parameter) = match what {
            What::Field => ("unknown_field", "field", around.parameter_of("fields")),
            What::Relation => (
                "unknown_relation",
                "relation",
                around.parameter_of("populate"),
            ),
            What::Sort => ("unknown_sort", "sort", around.parameter_of("sort")),
            What::Facet => ("unknown_facet", "facet", "facets".to_owned()),
            What::Parameter => ("unknown_parameter", "parameter", name.to_owned()),
        };
        let near = nearest(name, known.iter().copied());
        let token = Complaint::shorten(&around.with(name));
        let message = format!(
            "There is no {kind} `{token}`{} Known here: {}.",
            did_you_mean(near),
            list(known)
        );
        let parameter = Complaint::shorten(&parameter);
        Self::refused(code, message, parameter, token, known, near)
    }

    /// A filter on related rows that show named columns only.
    pub(super) fn no_filters(asked: &AskedFilter, around: Path<'_>) -> Self {
        let field = Complaint::shorten(first_name(asked));
        let parameter = Complaint::shorten(&around.parameter_of("filters"));
        let message = format!(
            "There is no filter `{field}`: the rows of `{}` cannot be filtered.",
            Complaint::shorten(&around.parameter())
        );
        let code = "filter_unknown_field";
        Self::refused(code, message, parameter, field, &[], None)
    }

    pub(super) fn too_many_relations(limit: usize) -> Self {
        let message = format!(
            "`populate` leads to more than {limit} relations; lower the number of relations."
        );
        let parameter = "populate".to_owned();
        Self::refused(
            "too_many_relations",
            message,
            parameter,
            String::new(),
            &[],
            None,
        )
    }

    pub(super) fn wrong_trashed(text: &str) -> Self {
        let token = Complaint::shorten(text);
        let message =
            format!("`{token}` is not a valid value for `trashed`: expected `with` or `only`.");
        Self::refused(
            "wrong_trashed",
            message,
            "trashed".to_owned(),
            token,
            &["with", "only"],
            None,
        )
    }

    pub(super) fn no_exact_count() -> Self {
        let message = "This list does not give exact totals; leave `pagination[count]` out.";
        let parameter = "pagination[count]".to_owned();
        let token = "exact".to_owned();
        let message = message.to_owned();
        Self::refused("no_exact_count", message, parameter, token, &[], None)
    }

    pub(super) fn bad_cursor(token: &str) -> Self {
        let message = "`pagination[cursor]` is not a cursor of this service; an empty one begins at the first page.";
        Self::wrong_cursor("bad_cursor", message, token)
    }

    pub(super) fn cursor_mismatch(token: &str) -> Self {
        let message = "`pagination[cursor]` belongs to a list with another sort or other filters; an empty one begins at the first page.";
        Self::wrong_cursor("cursor_mismatch", message, token)
    }

    fn wrong_cursor(code: &'static str, message: &str, token: &str) -> Self {
        let parameter = "pagination[cursor]".to_owned();
        let token = Complaint::shorten(token);
        let allowed = [
            "the `nextCursor` or `prevCursor` of an answer",
            "nothing, for the first page",
        ];
        Self::refused(code, message.to_owned(), parameter, token, &allowed, None)
    }

    pub(super) fn cursor_sort(sort: &str) -> Self {
        let message = format!(
            "A list that is sorted by `{sort}` has no cursors; use `pagination[page]`, or another sort."
        );
        let parameter = "pagination[cursor]".to_owned();
        Self::refused(
            "cursor_sort",
            message,
            parameter,
            sort.to_owned(),
            &[],
            None,
        )
    }

    pub(super) fn cursor_without_key() -> Self {
        let message =
            "This list has no cursors, because its rows have no key; use `pagination[page]`.";
        let parameter = "pagination[cursor]".to_owned();
        Self::refused(
            "cursor_without_key",
            message.to_owned(),
            parameter,
            String::new(),
            &[],
            None,
        )
    }

    /// A part without an index, on a large table; `helping` are the filters that would find few rows of it.
    pub(super) fn unindexed(
        message: String,
        parameter: &str,
        token: &str,
        helping: &[&str],
    ) -> Self {
        let (parameter, token) = (Complaint::shorten(parameter), Complaint::shorten(token));
        Self::refused("unindexed", message, parameter, token, helping, None)
    }

    /// The same with one more sentence.
    pub(super) fn with(mut self, sentence: Option<String>) -> Self {
        if let (Self::Refused(complaint), Some(sentence)) = (&mut self, sentence) {
            complaint.message = format!("{} {sentence}", complaint.message);
        }
        self
    }

    pub(super) fn refused(
        code: &'static str,
        message: String,
        parameter: String,
        token: String,
        allowed: &[&str],
        nearest: Option<&str>,
    ) -> Self {
        Self::Refused(Box::new(Complaint {
            code,
            message,
            parameter,
            token,
            allowed: allowed.iter().map(|&name| name.to_owned()).collect(),
            nearest: nearest.map(str::to_owned),
        }))
    }
}

fn parameter(asked: &AskedComparison) -> String {
    asked.parameter().to_string()
}

/// The first field or relation in a filter.
fn first_name(asked: &AskedFilter) -> &str {
    match asked {
        AskedFilter::Compare(comparison) => &comparison.field,
        AskedFilter::Related(related) | AskedFilter::Counted(related) => &related.key,
        AskedFilter::Not(part) => first_name(part),
        AskedFilter::All(parts) | AskedFilter::Any(parts) => parts.first().map_or("", first_name),
    }
}

pub(super) fn did_you_mean(near: Option<&str>) -> String {
    near.map_or_else(
        || ".".to_owned(),
        |near| format!("; did you mean `{near}`?"),
    )
}

pub(super) fn list<T: AsRef<str>>(names: &[T]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names
        .iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect::<Vec<_>>()
        .join(", ")
}
