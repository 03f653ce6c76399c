//! Reads from the URL of a `DELETE` whether the record is to be deleted permanently (d62).

use axum::extract::Query;
use axum::http::Uri;
use listing::{CheckError, Complaint, Error, FilterValue, Kind};

use crate::http::{ApiError, WRONG_FORCE};

/// `force`, a boolean in the spellings of d9. What cannot be understood is refused: nothing is deleted on a guess.
pub(super) fn asked(uri: &Uri) -> Result<bool, ApiError> {
    let Ok(Query(pairs)) = Query::<Vec<(String, String)>>::try_from_uri(uri) else {
        return Err(wrong(uri.query().unwrap_or_default()));
    };
    let mut values = pairs.iter().filter(|(name, _)| name == "force");
    let Some((_, value)) = values.next() else {
        return Ok(false);
    };
    if let Some((_, second)) = values.next() {
        return Err(wrong(&format!("{value}, {second}")));
    }
    match FilterValue::parse(value, &Kind::Boolean) {
        Ok(FilterValue::Bool(force)) => Ok(force),
        _ => Err(wrong(value)),
    }
}

fn wrong(text: &str) -> ApiError {
    let token = Complaint::shorten(text);
    let complaint = Complaint {
        code: WRONG_FORCE.code,
        message: format!("`{token}` is not a value of `force`: expected `true` or `false`, once."),
        parameter: "force".to_owned(),
        token,
        allowed: vec!["true".to_owned(), "false".to_owned()],
        nearest: None,
    };
    Error::from(CheckError::Refused(Box::new(complaint))).into()
}
