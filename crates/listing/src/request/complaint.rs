//! The messages for requests that cannot be understood (d52).

use super::error::RequestError;
use super::group::Group;
use super::numbers;
use super::pagination::{BOOLEANS, KEYS};
use super::parameters::PARAMETERS;
use super::populate;
use crate::vocabulary::{Complaint, nearest};

impl RequestError {
    /// The message for the client.
    #[must_use]
    pub fn complaint(&self) -> Complaint {
        let (parameter, token) = self.place();
        let allowed: &[&str] = match self {
            Self::UnknownPaginationKey { .. } => KEYS,
            Self::UnknownPopulateKey { .. } => populate::KEYS,
            Self::UnknownFacetKey { .. } => numbers::KEYS,
            Self::PopulatePage { .. } => &["start", "limit"],
            Self::BadPopulate { .. } => &["true", "false", "*"],
            Self::ForLists { .. } => &["fields", "populate"],
            Self::NotOfHistory { .. } => &["pagination"],
            Self::BadBoolean { .. } => BOOLEANS,
            Self::BadCount { .. } => &["exact"],
            Self::BadDirection { .. } => &["asc", "desc"],
            Self::BodyNotAnObject { .. } => PARAMETERS,
            Self::MisspeltParameter { allowed, .. } => allowed,
            Self::UnknownGroup { .. } => Group::NAMES,
            _ => &[],
        };
        Complaint {
            code: self.code(),
            message: self.to_string(),
            parameter,
            nearest: match self {
                Self::MisspeltParameter { meant, .. } | Self::BadPopulatePath { meant, .. } => {
                    Some(meant.to_string())
                }
                _ => nearest(token, allowed.iter().copied()).map(str::to_owned),
            },
            token: token.to_owned(),
            allowed: allowed.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// The parameter and the invalid part of it, if there are any.
    fn place(&self) -> (String, &str) {
        match self {
            Self::QueryTooLong { .. }
            | Self::TooManyPairs { .. }
            | Self::TooManyParameters { .. }
            | Self::BodyTooLarge { .. }
            | Self::EmptyBody {} => (String::new(), ""),
            Self::ForLists { parameter } | Self::QueryAndBody { parameter } => {
                ((*parameter).to_owned(), "")
            }
            Self::NotOfHistory { parameter } => (parameter.to_string(), ""),
            Self::TooManyConditions { .. } => ("filters".to_owned(), ""),
            Self::TooManyRelations { .. } => ("populate".to_owned(), ""),
            Self::BadCount { token } => ("pagination[count]".to_owned(), token.as_str()),
            Self::CountWithoutCount {} => ("pagination[count]".to_owned(), "withCount"),
            Self::BadTimezone { token } => ("timezone".to_owned(), token.as_str()),
            Self::SearchTwice {} => ("search".to_owned(), "_q"),
            Self::TooManyValues { parameter, .. }
            | Self::GroupsTooDeep { parameter, .. }
            | Self::PopulateTooDeep { parameter, .. }
            | Self::EmptyGroup { parameter }
            | Self::PopulateAllOptions { parameter }
            | Self::IndexNeeded { parameter }
            | Self::ListAndObject { parameter }
            | Self::TooDeep { parameter, .. }
            | Self::NameTooLong { parameter, .. }
            | Self::ScalarAndObject { parameter }
            | Self::OneValueExpected { parameter }
            | Self::PlainValueExpected { parameter }
            | Self::NullValue { parameter }
            | Self::NullFilter { parameter }
            | Self::FilterWithoutField { parameter }
            | Self::FilterWithoutOperator { parameter }
            | Self::FilterListWithoutOperator { parameter }
            | Self::DuplicateKey { parameter } => (parameter.to_string(), ""),
            Self::BadPercentEncoding { parameter, token }
            | Self::InvalidUtf8 { parameter, token }
            | Self::Nul { parameter, token }
            | Self::UnclosedBracket { parameter, token }
            | Self::StrayBracket { parameter, token }
            | Self::BadIndex { parameter, token }
            | Self::ObjectExpected { parameter, token }
            | Self::ListExpected { parameter, token }
            | Self::BadDirection {
                parameter, token, ..
            }
            | Self::BadPopulate { parameter, token }
            | Self::BadPopulatePath {
                parameter, token, ..
            }
            | Self::UnknownGroup { parameter, token }
            | Self::TwoDirections { parameter, token }
            | Self::UnknownPopulateKey { parameter, token }
            | Self::UnknownFacetKey { parameter, token }
            | Self::PopulatePage { parameter, token }
            | Self::PopulateCountOptions { parameter, token }
            | Self::BadNumber {
                parameter, token, ..
            }
            | Self::BadExportOption {
                parameter, token, ..
            }
            | Self::BadBoolean { parameter, token } => (parameter.to_string(), token.as_str()),
            Self::MalformedJson { token, .. } | Self::BodyNotAnObject { token } => {
                (String::new(), token.as_str())
            }
            Self::MisspeltParameter { token, .. } => (token.to_string(), token.as_str()),
            Self::UnknownPaginationKey { token } => ("pagination".to_owned(), token.as_str()),
            Self::CursorWithPage { other } => ("pagination[cursor]".to_owned(), other),
            Self::PageWithOffset { page, offset } => (format!("pagination[{page}]"), offset),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::request::{Quote, RequestError};

    #[test]
    fn a_complaint_names_the_nearest_that_is_allowed() {
        let complaint = RequestError::UnknownPaginationKey {
            token: Quote::new("pagesize"),
        }
        .complaint();
        assert_eq!(complaint.nearest.as_deref(), Some("pageSize"));
        assert_eq!(
            complaint.allowed,
            [
                "page",
                "pageSize",
                "start",
                "limit",
                "cursor",
                "withCount",
                "count"
            ]
        );
        assert_eq!(
            (&*complaint.parameter, &*complaint.token),
            ("pagination", "pagesize")
        );
    }
}
