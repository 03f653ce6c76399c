//! One line of the log for each request, and one more for a slow one, with its query string and its statements.

use std::time::Duration;

use axum::response::Response;
use listing::observe::Watch;
use tracing::Level;

use super::super::admit::Shed;
use super::super::{LogConfig, LogFormat};
use super::{Seen, millis};

/// The settings of the log.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestLog {
    /// Whether there is a line for each request; without one, the layer writes its own.
    is_each: bool,
    slow: Option<Duration>,
    /// Whether the log may contain values of clients.
    pub(super) values: bool,
}

impl RequestLog {
    pub(super) fn of(config: &LogConfig) -> Self {
        let slow = config.slow_request_ms;
        Self {
            is_each: config.format == LogFormat::Json,
            slow: (slow > 0).then(|| Duration::from_millis(slow)),
            values: config.values,
        }
    }

    pub(super) fn write(&self, seen: &Seen, response: &Response, watch: &Watch, took: Duration) {
        let duration_ms = millis(took);
        if self.is_each {
            self.write_one(seen, response, watch, duration_ms);
        }
        if self.slow.is_some_and(|slow| took >= slow) {
            tracing::warn!(
                method = %seen.method,
                route = &*seen.route,
                path = &*super::super::shorten(seen.uri.path()),
                query = self.query(seen),
                duration_ms,
                statements = self.statements(watch),
                "slow request"
            );
        }
    }

    fn statements(self, watch: &Watch) -> String {
        let statements = watch.statements();
        let shown: Vec<_> = statements
            .iter()
            .map(|statement| {
                let values = statement.values.as_deref().unwrap_or_default();
                let cancelled = if statement.cancelled {
                    ", cancelled"
                } else {
                    ""
                };
                let took = millis(statement.took);
                format!("[{took} ms{cancelled}] {} {values}", statement.sql)
            })
            .collect();
        shown.join("; ")
    }

    /// The query string, with values if the log may contain them.
    fn query(self, seen: &Seen) -> String {
        let query = seen.uri.query().unwrap_or_default();
        if self.values {
            super::super::shorten(query).into_owned()
        } else {
            without_values(query)
        }
    }

    /// The line of one request, at the level of its answer.
    fn write_one(self, seen: &Seen, response: &Response, watch: &Watch, duration_ms: f64) {
        macro_rules! write {
            ($level:ident) => {
                tracing::$level!(
                    method = %seen.method,
                    route = &*seen.route,
                    path = &*super::super::shorten(seen.uri.path()),
                    query = self.query(seen),
                    status = response.status().as_u16(),
                    caller = watch.caller(),
                    statements = watch.statement_count(),
                    database_ms = millis(watch.database_time()),
                    duration_ms,
                    "request"
                )
            };
        }
        match level(response) {
            Level::ERROR => write!(error),
            Level::DEBUG => write!(debug),
            _ => write!(info),
        }
    }
}

/// The level of the line about a request.
pub(in super::super) fn level(response: &Response) -> Level {
    if response.extensions().get::<Shed>().is_some() {
        // There are many of them, just when there is no time to write them down; the gate says how many.
        Level::DEBUG
    } else if response.status().is_server_error() {
        Level::ERROR
    } else {
        Level::INFO
    }
}

/// The names in a query string, with `…` for the client's values. The names of filters, sorts and fields belong to the listing
/// and show which list was slow.
fn without_values(query: &str) -> String {
    const NAMED: [&str; 4] = ["sort", "fields", "populate", "pagination"];
    let shown: Vec<_> = query
        .split('&')
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let is_named = NAMED.iter().any(|known| name.starts_with(known));
            if value.is_empty() || (is_named && !name.contains("filters")) {
                pair.to_owned()
            } else {
                format!("{name}=…")
            }
        })
        .collect();
    super::super::shorten(&shown.join("&")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::without_values;

    /// Rule b253.
    #[test]
    fn a_query_string_is_logged_without_values_of_clients() {
        for (query, shown) in [
            ("", ""),
            (
                "filters[email][$eq]=ann@example.org",
                "filters[email][$eq]=…",
            ),
            (
                "sort=views:desc&filters[a]=1&pagination[page]=2&search=secret",
                "sort=views:desc&filters[a]=…&pagination[page]=2&search=…",
            ),
            (
                "populate[comments][filters][text]=x&token=y",
                "populate[comments][filters][text]=…&token=…",
            ),
        ] {
            assert_eq!(without_values(query), shown);
        }
    }
}
