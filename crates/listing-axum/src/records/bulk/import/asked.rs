//! Reads the format of an import and its parameters from the request (d119).

use axum::extract::{Query, Request};
use axum::http::header;
use listing::{CheckError, Complaint, Error, FilterValue, Kind, nearest};

use crate::http::{ApiError, WRONG_IMPORT};

/// The format of a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Format {
    Csv {
        delimiter: u8,
        /// Whether a `'` before a formula is part of the text, rather than added by an export.
        keeps_formulas: bool,
    },
    Ndjson,
}

/// The parameters of an import.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) format: Format,
    /// Whether everything is rolled back at the end.
    pub(super) dry_run: bool,
}

/// The parameters and their allowed values.
const PARAMETERS: [(&str, &[&str]); 3] = [
    ("dryRun", &["true", "false"]),
    ("delimiter", &[",", ";", "tab"]),
    ("formulas", &["escape", "keep"]),
];

impl Asked {
    /// Fails with 415 for another format. An unknown parameter is an error: a misspelt `dryRun` would write.
    pub(super) fn by(request: &Request) -> Result<Self, ApiError> {
        let content_type = request.headers().get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok());
        let essence = content_type.and_then(|value| value.split(';').next());
        let is_csv = match essence
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase()
            .as_str()
        {
            "text/csv" => true,
            "application/x-ndjson" | "application/ndjson" | "application/jsonl" => false,
            _ => return Err(ApiError::ImportMediaType),
        };
        let query = Query::<Vec<(String, String)>>::try_from_uri(request.uri());
        let Ok(Query(pairs)) = query else {
            return Err(unknown(request.uri().query().unwrap_or_default()));
        };
        let mut asked = Self {
            format: Format::Ndjson,
            dry_run: false,
        };
        let (mut delimiter, mut keeps_formulas) = (b',', false);
        for (at, (name, value)) in pairs.iter().enumerate() {
            let known = PARAMETERS.iter().find(|(known, _)| known == name);
            let (name, allowed) = known.ok_or_else(|| unknown(name))?;
            let is_twice = pairs[..at].iter().any(|(known, _)| known == name);
            let understood = match (*name, value.as_str()) {
                _ if is_twice => false,
                ("dryRun", value) => match FilterValue::parse(value, &Kind::Boolean) {
                    Ok(FilterValue::Bool(dry_run)) => {
                        asked.dry_run = dry_run;
                        true
                    }
                    _ => false,
                },
                ("delimiter", "," | ";") => {
                    delimiter = value.bytes().next().unwrap_or(delimiter);
                    true
                }
                ("delimiter", "tab") => {
                    delimiter = b'\t';
                    true
                }
                ("formulas", "escape" | "keep") => {
                    keeps_formulas = value == "keep";
                    true
                }
                _ => false,
            };
            if !understood || (!is_csv && *name != "dryRun") {
                return Err(wrong(name, value, allowed, is_csv));
            }
        }
        if is_csv {
            asked.format = Format::Csv {
                delimiter,
                keeps_formulas,
            };
        }
        Ok(asked)
    }
}

fn unknown(name: &str) -> ApiError {
    let names = PARAMETERS.map(|(name, _)| name);
    let token = Complaint::shorten(name);
    let message = format!(
        "`{token}` is not a parameter of an import; its parameters are `{}`.",
        names.join("`, `")
    );
    refused(token.clone(), token, message, &names, nearest(name, names))
}

fn wrong(name: &str, value: &str, allowed: &[&str], is_csv: bool) -> ApiError {
    let token = Complaint::shorten(value);
    let message = if is_csv || name == "dryRun" {
        let allowed = allowed.join("`, `");
        format!("`{token}` is not a value of `{name}`: expected one of `{allowed}`, once.")
    } else {
        format!("`{name}` is for CSV, and the file is lines of JSON.")
    };
    refused(name.to_owned(), token, message, allowed, None)
}

fn refused(
    parameter: String,
    token: String,
    message: String,
    allowed: &[&str],
    nearest: Option<&str>,
) -> ApiError {
    let complaint = Complaint {
        code: WRONG_IMPORT.code,
        message,
        parameter,
        token,
        allowed: allowed.iter().map(|name| (*name).to_owned()).collect(),
        nearest: nearest.map(str::to_owned),
    };
    Error::from(CheckError::Refused(Box::new(complaint))).into()
}
