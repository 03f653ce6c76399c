//! Refuses parameters that are filters without `filters[…]` around them: every row would come without them (d151).

use super::CheckError;
use super::level::Level;
use crate::define::{Listings, Whitelist};
use crate::request::{AskedUnknown, foreign_operator};
use crate::vocabulary::{Complaint, FilterOperator, nearest};

/// The requested thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    List,
    Record,
}

/// An error for the first parameter that can only be a filter, with the right spelling.
pub(super) fn refuse(
    listings: &Listings,
    whitelist: &Whitelist,
    unknown: &[AskedUnknown],
    asked: Asked,
) -> Result<(), CheckError> {
    if unknown.is_empty() {
        return Ok(());
    }
    let level = Level::of_listing(whitelist);
    let place = Place {
        known: level.known(listings),
        level,
        listings,
        asked,
    };
    match unknown.iter().find_map(|unknown| place.misplaced(unknown)) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

struct Place<'w> {
    level: Level<'w>,
    /// The keys of the filters.
    known: Vec<&'w str>,
    listings: &'w Listings,
    asked: Asked,
}

/// The key of a filter in the name of a parameter, and what else the name says.
struct Named<'n> {
    key: &'n str,
    operator: Option<FilterOperator>,
    /// A field of a relation, or a value.
    rest: &'n str,
}

impl<'w> Place<'w> {
    fn misplaced(&self, unknown: &AskedUnknown) -> Option<CheckError> {
        if let Some(group) = &unknown.group {
            return Some(self.error(unknown, group));
        }
        if self.asked == Asked::Record && unknown.name == "id" {
            return None;
        }
        match self.named(&unknown.name) {
            Some(named) => Some(self.error(unknown, &self.spelled(unknown, &named))),
            None if unknown.name == "id" => {
                Some(CheckError::id_of_list(&unknown.value, &self.known))
            }
            None if unknown.is_condition => {
                Some(CheckError::condition_without_filter(unknown, &self.known))
            }
            None => None,
        }
    }

    fn error(&self, unknown: &AskedUnknown, meant: &str) -> CheckError {
        let is_list = self.asked == Asked::List;
        CheckError::misplaced_filter(&unknown.name, meant, is_list, &self.known)
    }

    /// The filter that a name means: by its key, by its key and an operator (`title.eq`, `views__gte`, `views>`), or by a
    /// relation and its field (`author.name`).
    fn named<'n>(&self, name: &'n str) -> Option<Named<'n>>
    where
        'w: 'n,
    {
        if let Some(key) = self.key(name) {
            return Some(Named {
                key,
                operator: None,
                rest: "",
            });
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
        let (head, tail) = name.split_at(end);
        if let Some(key) = self.key(head) {
            let (operator, rest) = after_key(tail);
            return Some(Named {
                key,
                operator,
                rest,
            });
        }
        let (head, word) = name.rsplit_once('_')?;
        Some(Named {
            operator: Some(foreign_operator(word)?),
            key: self.key(head.trim_end_matches('_'))?,
            rest: "",
        })
    }

    /// The key that a name means, whatever its case and its underscores. A name that begins with one is an application's own.
    fn key(&self, name: &str) -> Option<&'w str> {
        let known = || self.known.iter().copied();
        let is_own = name.is_empty() || name.starts_with('_');
        let exact = known().find(|key| *key == name);
        exact.or_else(|| known().find(|key| !is_own && is_same(key, name)))
    }

    /// The right spelling.
    fn spelled(&self, unknown: &AskedUnknown, named: &Named<'_>) -> String {
        let Named {
            key,
            operator,
            rest,
        } = named;
        let asked = unknown.operator.or(*operator);
        if let Some(filter) = self.level.filter(self.listings, key) {
            let value = match unknown.value.as_str() {
                "" => rest,
                value => value,
            };
            return format!("filters[{key}]{}={value}", choice(&filter.operators, asked));
        }
        let named = unknown.inside.as_deref().unwrap_or(rest);
        // `author=5` is the key of an author.
        let own_key = self.key(&format!("{key}_id")).filter(|_| named.is_empty());
        let own_key = own_key.and_then(|own| self.level.filter(self.listings, own));
        if let Some(filter) = own_key {
            let operator = choice(&filter.operators, asked);
            return format!("filters[{}]{operator}={}", filter.key, unknown.value);
        }
        let inside = self.level.relation(self.listings, key);
        let inside = inside.map(|related| self.level.inside(related));
        let known = inside.as_ref().map(|inside| inside.known(self.listings));
        let known = known.unwrap_or_default();
        let field = known.iter().find(|field| **field == named);
        let field = field.or_else(|| known.iter().find(|field| **field == "id"));
        let field = field.or(known.first()).copied().unwrap_or("id");
        let filter = inside.and_then(|inside| inside.filter(self.listings, field));
        let operators = filter.map(|filter| &filter.operators[..]);
        let operator = choice(operators.unwrap_or_default(), asked);
        format!("filters[{key}][{field}]{operator}={}", unknown.value)
    }
}

/// The requested operator if it is allowed, and otherwise one that is.
fn choice(allowed: &[FilterOperator], asked: Option<FilterOperator>) -> String {
    let is_allowed = |operator: &FilterOperator| allowed.contains(operator);
    let asked = asked.filter(is_allowed);
    let equal = Some(FilterOperator::Equal).filter(is_allowed);
    let operator = asked.or(equal).or_else(|| allowed.first().copied());
    operator.map_or_else(String::new, |operator| match operator {
        FilterOperator::In | FilterOperator::NotIn => format!("[{operator}][]"),
        _ => format!("[{operator}]"),
    })
}

/// The rest of a name after the key of a filter. The `=` of `>=`, `<=` and `!=` has ended the name.
fn after_key(tail: &str) -> (Option<FilterOperator>, &str) {
    match tail {
        ">" => (Some(FilterOperator::GreaterThanEqual), ""),
        "<" => (Some(FilterOperator::LessThanEqual), ""),
        "!" => (Some(FilterOperator::NotEqual), ""),
        _ => match (tail.strip_prefix('>'), tail.strip_prefix('<')) {
            (Some(value), _) => (Some(FilterOperator::GreaterThan), value),
            (_, Some(value)) => (Some(FilterOperator::LessThan), value),
            _ => {
                let rest = tail.trim_matches(['.', ':', '[', ']', '(', ')']);
                (foreign_operator(rest), rest)
            }
        },
    }
}

/// Whether two names differ by no more than their case, underscores and hyphens.
fn is_same(one: &str, other: &str) -> bool {
    let letters = |name: &'_ str| {
        let letters = name.chars().filter(|c| !matches!(c, '_' | '-'));
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    // Nothing that is much longer can be the same.
    other.len() <= 2 * one.len() && letters(one) == letters(other)
}

impl CheckError {
    /// `?author_id=5`: a filter that is not under `filters`.
    fn misplaced_filter(name: &str, meant: &str, is_list: bool, known: &[&str]) -> Self {
        let name = Complaint::shorten(name);
        let meant = Complaint::shorten(meant);
        let message = match is_list {
            true => format!("`{name}` is a filter; write `{meant}`."),
            false => format!(
                "`{name}` is a filter, and filters are for lists; one record takes `fields` and `populate`."
            ),
        };
        let meant = is_list.then_some(meant.as_str());
        let token = name.clone();
        Self::refused("misplaced_filter", message, name, token, known, meant)
    }

    /// `?rank=eq.5`: a condition on a name that is not a filter.
    fn condition_without_filter(unknown: &AskedUnknown, known: &[&str]) -> Self {
        let name = Complaint::shorten(&unknown.name);
        let near = nearest(&name, known.iter().copied());
        let operator = unknown.operator.unwrap_or(FilterOperator::Equal);
        let field = near.unwrap_or("<field>");
        let message = format!(
            "`{name}` looks like a condition, but there is no filter `{name}`; conditions are written as `filters[{field}][{operator}]={}`.{}",
            unknown.value,
            filters_here(known)
        );
        let token = name.clone();
        Self::refused("misplaced_filter", message, name, token, known, near)
    }

    /// `?id=5`, where clients cannot filter by `id`.
    fn id_of_list(value: &str, known: &[&str]) -> Self {
        let message = format!(
            "`id` is not a parameter of this list; add `/{value}` to its path to get that record.{}",
            filters_here(known)
        );
        let (name, token) = ("id".to_owned(), "id".to_owned());
        Self::refused("misplaced_filter", message, name, token, known, None)
    }
}

fn filters_here(known: &[&str]) -> String {
    match known {
        [] => String::new(),
        known => format!(" Filters here: `{}`.", known.join("`, `")),
    }
}

#[cfg(test)]
mod tests {
    use super::{after_key, is_same};

    /// Rule d151.
    #[test]
    fn names_are_the_same_whatever_their_case_and_underscores() {
        assert!(is_same("author_id", "authorId"));
        assert!(is_same("authorId", "AUTHOR-ID"));
        assert!(!is_same("title", "titles"));
        assert!(!is_same("a", &"_".repeat(1_000)));
    }

    /// Rule d151.
    #[test]
    fn what_stands_after_a_key_is_an_operator_or_a_field() {
        let read = |tail| {
            let (operator, rest) = after_key(tail);
            format!(
                "{} {rest}",
                operator.map_or("-", |operator| operator.wire())
            )
        };
        for (tail, ours) in [
            (">", "$gte "),
            ("<", "$lte "),
            ("!", "$ne "),
            (">5", "$gt 5"),
            ("<5", "$lt 5"),
            (".eq", "$eq eq"),
            (":contains", "$contains contains"),
            (".name", "- name"),
            ("[$gt]", "$gt $gt"),
        ] {
            assert_eq!(read(tail), ours, "{tail}");
        }
    }
}
