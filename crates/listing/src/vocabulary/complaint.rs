//! The message for a client about a mistake, whichever stage found it (d52).

/// The message for a client about a request that cannot be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// Stable and greppable, such as `filter_unknown_field`.
    pub code: &'static str,
    /// One sentence that names the offending part and the allowed ones.
    pub message: String,
    /// The parameter, such as `filters[titel][$eq]`.
    pub parameter: String,
    /// The offending piece of text, shortened if it is long.
    pub token: String,
    /// The allowed values.
    pub allowed: Vec<String>,
    /// The allowed name that was probably meant.
    pub nearest: Option<String>,
}

impl Complaint {
    /// Client text that is safe to echo: at most 80 characters of it.
    #[must_use]
    pub fn shorten(text: &str) -> String {
        const LONGEST: usize = 80;
        match text.char_indices().nth(LONGEST) {
            None => text.to_owned(),
            Some((end, _)) => format!("{}…", &text[..end]),
        }
    }
}

/// One row of the list of errors that the documentation shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorCode {
    /// Stable and greppable.
    pub code: &'static str,
    /// The error in the request.
    pub cause: &'static str,
    /// The remedy.
    pub remedy: &'static str,
}
