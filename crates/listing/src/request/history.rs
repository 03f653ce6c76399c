//! Parses the query string of a request for a page of a record's history (d131).

use super::asked::AskedPage;
use super::error::RequestError;
use super::quote::Quote;
use super::text::parse_query;
use crate::vocabulary::Bounds;

/// Parses a query string without its question mark.
///
/// # Errors
/// When the text is invalid, or has parameters other than the number and size of a page.
pub fn parse_history_query(query: &str, bounds: &Bounds) -> Result<AskedPage, RequestError> {
    let mut asked = parse_query(query, bounds)?;
    let page = std::mem::take(&mut asked.page);
    // Only the number and size of a page may be requested.
    let of_page = [
        (asked.cursor.is_some(), "pagination[cursor]"),
        (asked.exact_count, "pagination[count]"),
        (asked.with_count.is_some(), "pagination[withCount]"),
    ];
    let of_page = of_page
        .into_iter()
        .find_map(|(is_sent, parameter)| is_sent.then_some(parameter));
    let unknown = asked.unknown.first().map(|unknown| &*unknown.name);
    match of_page.or_else(|| asked.first_parameter()).or(unknown) {
        Some(parameter) => {
            let parameter = Quote::new(parameter);
            Err(RequestError::NotOfHistory { parameter })
        }
        None => Ok(page),
    }
}
