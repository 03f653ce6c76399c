//! The error for a filter on a JSON column, or on an object in it, of which only parts can be filtered by (d149).

use super::CheckError;
use super::error::list;
use crate::request::Quote;
use crate::vocabulary::Complaint;

impl CheckError {
    /// `filters[data]=x`, where there is a filter on `filters[data][city]`.
    pub(super) fn inside_json(name: &str, parameter: Quote, known: &[&str]) -> Self {
        let token = Complaint::shorten(name);
        let first = known.first().copied().unwrap_or_default();
        let message = format!(
            "`{token}` holds JSON; filter by what is inside, as in `{parameter}[{first}]`. Filters inside: {}.",
            list(known)
        );
        let parameter = parameter.to_string();
        let code = "filter_unknown_field";
        Self::refused(code, message, parameter, token, known, None)
    }
}
