//! Reads the header with which clients send the database positions that they have read or written.

use axum::http::{HeaderMap, HeaderName, header};
use listing::replicas::Position;

use super::ApiError;

/// The header of answers that holds a position. Clients send it back with later requests.
pub(crate) const POSITION: HeaderName = HeaderName::from_static("listing-position");

/// The most positions that one request may send. A client has as many as it had requests in flight at the same time.
const MOST: usize = 64;

/// The cookie that holds the position of a write, if the configuration enables it, for pages without scripts.
pub(crate) const COOKIE: &str = "listing_position";

/// The position in the cookie. No script can set it, so an invalid value is not an error: the read goes to the primary.
pub(crate) fn in_cookie(headers: &HeaderMap) -> Option<Position> {
    let values = headers.get_all(header::COOKIE).into_iter();
    let mut pairs = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let (_, text) = pairs.find(|(name, _)| *name == COOKIE)?;
    Some(text.parse().unwrap_or(Position::Primary))
}

/// The positions that a request sends, separated by commas; `None` without the header.
pub(crate) fn brought(headers: &HeaderMap) -> Result<Option<Vec<Position>>, ApiError> {
    if !headers.contains_key(POSITION) {
        return Ok(None);
    }
    let mut positions = Vec::new();
    for value in headers.get_all(POSITION) {
        let text = value.to_str().map_err(|_| ApiError::WrongPosition)?;
        for one in text.split(',').map(str::trim).filter(|one| !one.is_empty()) {
            let position = one.parse().map_err(|_| ApiError::WrongPosition)?;
            if positions.len() == MOST {
                return Err(ApiError::WrongPosition);
            }
            if !positions.contains(&position) {
                positions.push(position);
            }
        }
    }
    Ok(Some(positions))
}
