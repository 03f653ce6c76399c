//! Says what a client is told about an error of this stage (d52).

use super::error::RequestError;
use super::interpret::PARAMETERS;
use super::pagination::{BOOLEANS, KEYS};
use crate::vocabulary::{Complaint, nearest};

impl RequestError {
    /// What the client is told.
    #[must_use]
    pub fn complaint(&self) -> Complaint {
        let (parameter, token) = self.place();
        let allowed: &[&str] = match self {
            Self::UnknownPaginationKey { .. } => KEYS,
            Self::BadBoolean { .. } => BOOLEANS,
            Self::BadDirection { .. } => &["asc", "desc"],
            Self::BodyNotAnObject { .. } => PARAMETERS,
            _ => &[],
        };
        Complaint {
            code: self.code(),
            message: self.to_string(),
            parameter,
            nearest: nearest(token, allowed.iter().copied()).map(str::to_owned),
            token: token.to_owned(),
            allowed: allowed.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// The parameter and the offending piece of it, as far as there are such.
    fn place(&self) -> (String, &str) {
        match self {
            Self::QueryTooLong { .. }
            | Self::TooManyPairs { .. }
            | Self::BodyTooLarge { .. }
            | Self::EmptyBody {} => (String::new(), ""),
            Self::TooManyValues { parameter, .. }
            | Self::TooDeep { parameter, .. }
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
            | Self::FilterGroup { parameter, token }
            | Self::NestedFilter { parameter, token }
            | Self::BadNumber {
                parameter, token, ..
            }
            | Self::BadBoolean { parameter, token } => (parameter.to_string(), token.as_str()),
            Self::MalformedJson { token, .. } | Self::BodyNotAnObject { token } => {
                (String::new(), token.as_str())
            }
            Self::NestedPopulate { token } => ("populate".to_owned(), token.as_str()),
            Self::BadDirection { token, .. } => ("sort".to_owned(), token.as_str()),
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
            ["page", "pageSize", "start", "limit", "cursor", "withCount"]
        );
        assert_eq!(
            (&*complaint.parameter, &*complaint.token),
            ("pagination", "pagesize")
        );
    }
}
