//! Addresses that browsers can open without a header: they contain a ticket instead of a token (d118).

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use chrono::Utc;
use listing::{CursorKey, Ticket};

use super::{ApiError, POSITION, brought, format_of_path};

/// How long an address is valid, in seconds.
pub(crate) const VALID: u64 = 60;

fn now() -> u64 {
    u64::try_from(Utc::now().timestamp()).unwrap_or_default()
}

/// The address of a file, valid for a while for the caller with these headers; `None` if it is not the address of a file.
pub(crate) fn ticketed(path: &str, headers: &HeaderMap, key: &CursorKey) -> Option<String> {
    // As browsers write it.
    let path = path.replace('\'', "%27");
    let uri = Uri::try_from(&path).ok()?;
    let is_local = path.starts_with('/')
        && !path.starts_with("//")
        && uri.host().is_none()
        && !path.contains('#');
    if !is_local || format_of_path(&uri).is_none() || split(&uri).is_some() {
        return None;
    }
    let authorization = headers.get(header::AUTHORIZATION);
    // Positions that cannot be read are refused where there are replicas, and mean nothing elsewhere.
    let positions = brought(headers).ok().flatten().unwrap_or_default();
    let positions: Vec<_> = positions.iter().map(ToString::to_string).collect();
    let ticket = Ticket {
        path: path.clone(),
        authorization: authorization.map(|value| value.as_bytes().to_vec()),
        until: now().saturating_add(VALID),
        positions: positions.join(","),
    };
    let before = if uri.query().is_some() { '&' } else { '?' };
    Some(format!("{path}{before}ticket={}", ticket.seal(key)))
}

/// Replaces a request with a ticket by the one that the ticket contains. The ticket is always removed from the address, so that
/// no log contains it.
pub(crate) fn redeem(request: &mut Request, key: &CursorKey) -> Result<(), ApiError> {
    let Some((path, text)) = split(request.uri()) else {
        return Ok(());
    };
    // The record of a text key can have the address of a file, and a ticket is no permission to write it.
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    let ticket = Ticket::open(&text, key, now()).filter(|ticket| reads && ticket.path == path);
    if let Ok(uri) = Uri::try_from(path) {
        *request.uri_mut() = uri;
    }
    let headers = request.headers_mut();
    headers.remove(header::AUTHORIZATION);
    let Some(ticket) = ticket else {
        return Err(ApiError::InvalidToken);
    };
    let authorization = ticket.authorization.as_deref();
    if let Some(Ok(mut value)) = authorization.map(HeaderValue::from_bytes) {
        value.set_sensitive(true);
        headers.insert(header::AUTHORIZATION, value);
    }
    // Whoever opens the address may have seen more than the ticket knows.
    if !ticket.positions.is_empty()
        && let Ok(positions) = HeaderValue::try_from(ticket.positions)
    {
        headers.append(POSITION, positions);
    }
    Ok(())
}

/// The path and query of a file's address without its ticket, and the ticket, which is at the end.
fn split(uri: &Uri) -> Option<(String, String)> {
    format_of_path(uri)?;
    let query = uri.query()?;
    let path = uri.path();
    if let Some(text) = query.strip_prefix("ticket=") {
        return Some((path.to_owned(), text.to_owned()));
    }
    let (query, text) = query.rsplit_once("&ticket=")?;
    Some((format!("{path}?{query}"), text.to_owned()))
}
