//! One line of the log for each request, and one more for a slow one, with its query string and its statements.

use std::time::Duration;

use axum::http::StatusCode;
use listing::Watch;

use super::super::LogConfig;
use super::{Seen, millis};

/// What is logged.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestLog {
    slow: Option<Duration>,
    /// Whether values of clients may stand in the log.
    pub(super) values: bool,
}

impl RequestLog {
    pub(super) fn of(config: &LogConfig) -> Self {
        let slow = config.slow_request_ms;
        Self {
            slow: (slow > 0).then(|| Duration::from_millis(slow)),
            values: config.values,
        }
    }

    pub(super) fn write(&self, seen: &Seen, status: StatusCode, watch: &Watch, took: Duration) {
        let (duration_ms, database_ms) = (millis(took), millis(watch.database_time()));
        tracing::info!(
            method = %seen.method,
            route = &*seen.route,
            status = status.as_u16(),
            caller = watch.caller(),
            statements = watch.statement_count(),
            database_ms,
            duration_ms,
            "request"
        );
        if self.slow.is_some_and(|slow| took >= slow) {
            let query = seen.uri.query().unwrap_or_default();
            let query = if self.values {
                super::super::shorten(query).into_owned()
            } else {
                without_values(query)
            };
            tracing::warn!(
                method = %seen.method,
                route = &*seen.route,
                path = &*super::super::shorten(seen.uri.path()),
                query,
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
                format!("[{} ms] {} {values}", millis(statement.took), statement.sql)
            })
            .collect();
        shown.join("; ")
    }
}

/// The names of a query string, with `…` for what a client put into them. The names of filters, sorts and fields are the
/// listing's own and tell which list was slow.
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

    #[test]
    fn b253_a_query_string_is_logged_without_values_of_clients() {
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
