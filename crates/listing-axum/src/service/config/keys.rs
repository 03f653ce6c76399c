//! Every key of `listing.toml`, in one table that feeds the reader, the environment and the documents.

use listing::{CountMode, CursorKey, Layout, Names, Settings, Unindexed};
use toml::Value;

use super::super::cors::is_origins;
#[cfg(feature = "jwt")]
use super::JwtConfig;
#[cfg(feature = "rate-limit")]
use super::RateLimit;
use super::address::address;
#[cfg(feature = "metrics")]
use super::address::address_or_none;
use super::replicas::urls;
use super::setting::Setting as _;
use super::{Config, ConfigError, LogFormat, Secret};

/// A key of `listing.toml`. One table feeds the reader, the environment and the documents.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name, with its table: `bounds.depth`.
    pub name: &'static str,
    /// The environment variable that overrides it.
    pub variable: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What it may be.
    pub expected: &'static str,
    /// Whether its value must not be shown.
    pub secret: bool,
    /// The feature of this crate without which it does not exist.
    pub feature: Option<&'static str>,
    pub(super) set: fn(&mut Config, &str) -> Option<()>,
    pub(super) get: fn(&Config) -> Value,
}

impl Key {
    /// The value that a configuration has for it, as `listing.toml` would have it; `"…"` for a secret that is set.
    #[must_use]
    pub fn value(&self, config: &Config) -> String {
        let value = (self.get)(config);
        if self.secret && value != (self.get)(&Config::default()) {
            return "\"…\"".to_owned();
        }
        literal(&value)
    }

    /// The error about a value that the key does not take. A secret is not repeated.
    pub(super) fn wrong(&self, place: String, value: &Value) -> ConfigError {
        let value = if self.secret {
            "a value that is not shown".to_owned()
        } else {
            literal(value)
        };
        ConfigError::WrongValue {
            place,
            key: self.name.to_owned(),
            value,
            expected: self.expected,
        }
    }
}

/// Keys whose values must not be shown in a log.
const fn is_secret(name: &str) -> bool {
    matches!(
        name.as_bytes(),
        b"database" | b"database_replicas" | b"cursor_key" | b"jwt.secret"
    )
}

const fn first(of: &[&'static str]) -> Option<&'static str> {
    match of {
        [first, ..] => Some(*first),
        [] => None,
    }
}

macro_rules! keys {
    ($($(#[cfg(feature = $feature:literal)])? $name:literal $variable:literal $expected:literal $meaning:literal $($field:ident).+ = $parse:ident;)+) => {
        /// Every key of `listing.toml`.
        pub const KEYS: &[Key] = &[$($(#[cfg(feature = $feature)])? Key {
            name: $name,
            variable: $variable,
            meaning: $meaning,
            expected: $expected,
            secret: is_secret($name),
            feature: first(&[$($feature)?]),
            set: |config, text| {
                config.$($field).+ = $parse(text)?;
                Some(())
            },
            get: |config| config.$($field).+.to_toml(),
        },)+];

        /// The keys that come with a feature of this crate, whether it is on or not: key, variable and feature.
        pub(super) const OF_FEATURES: &[[&str; 3]] = &[$($([$name, $variable, $feature],)?)+];
    };
}

keys! {
    "bind" "LISTING_BIND" "an address and a port, such as `127.0.0.1:8080`"
        "Where the service listens." bind = address;
    "database" "DATABASE_URL" "`sqlite:…`, `postgres://…` or `mysql://…` (also for MariaDB)"
        "The database's URL." database = secret_text;
    "database_replicas" "LISTING_DATABASE_REPLICAS" "a list of `postgres://…` or `mysql://…` URLs, each of one server; in the variable separated by commas"
        "Replicas of the database, from which lists and records are read." database_replicas = urls;
    "replica_max_lag_ms" "LISTING_REPLICA_MAX_LAG_MS" "an integer of at least 1"
        "A replica that has not reached for this many milliseconds what the primary had then is not read from." replica_max_lag_ms = positive;
    "replica_wait_ms" "LISTING_REPLICA_WAIT_MS" "an integer of at least 0"
        "How many milliseconds a read with the header `Listing-Position` waits for a replica that has come that far, before it reads from the primary." replica_wait_ms = milliseconds;
    "database_connections" "LISTING_DATABASE_CONNECTIONS" "an integer of at least 1"
        "Connections that write, and read inside transactions, at most." database_connections = positive;
    "read_connections" "LISTING_READ_CONNECTIONS" "an integer of at least 0"
        "Connections that read lists and records, next to those that write; 0 for 4 on PostgreSQL, where statements share them, for as many as `database_connections` on MariaDB and MySQL, and on SQLite for one thread for each processor." read_connections = natural;
    "unindexed_connections" "LISTING_UNINDEXED_CONNECTIONS" "an integer of at least 0"
        "Connections for lists that no index serves, on top of those; 0 for as many as `read_connections` says, or else as many as `database_connections`, and on SQLite for half as many." unindexed_connections = natural;
    "database_wait_seconds" "LISTING_DATABASE_WAIT_SECONDS" "an integer from 1 to 31536000"
        "How long the service waits for the database when it starts." database_wait_seconds = seconds;
    "galera_sync_wait" "LISTING_GALERA_SYNC_WAIT" "`true` or `false`"
        "On a Galera cluster, has every read wait until its node has applied what the cluster had committed (`wsrep_sync_wait = 1`)." galera_sync_wait = boolean;
    "request_timeout_seconds" "LISTING_REQUEST_TIMEOUT_SECONDS" "an integer from 1 to 31536000"
        "A request that takes longer is answered with 504." request_timeout_seconds = seconds;
    "explorer" "LISTING_EXPLORER" "`true` or `false`"
        "Serves the explorer at `/explorer`, and the API reference with it, in applications that have them." explorer = boolean;
    "shutdown_timeout_seconds" "LISTING_SHUTDOWN_TIMEOUT_SECONDS" "an integer from 1 to 31536000"
        "How long requests that are under way have when the service is told to stop." shutdown_timeout_seconds = seconds;
    "shutdown_delay_seconds" "LISTING_SHUTDOWN_DELAY_SECONDS" "an integer from 0 to 31536000"
        "How long the service goes on as before when it is told to stop, while `/readyz` answers 503: as long as a load balancer takes to notice." shutdown_delay_seconds = seconds_or_none;
    "page_size" "LISTING_PAGE_SIZE" "an integer of at least 1"
        "Rows on a page when the client names no size." settings.page_size = positive;
    "max_page_size" "LISTING_MAX_PAGE_SIZE" "an integer from 1 to 500"
        "The largest page that a client can get." settings.max_page_size = page;
    "relation_limit" "LISTING_RELATION_LIMIT" "an integer from 1 to 500"
        "Items of a populated to-many relation for each parent." settings.relation_limit = page;
    "count" "LISTING_COUNT" "`auto`, `exact`, `capped(<rows>)`, `estimated`, `cached(<seconds>)` or `none`"
        "How lists find their totals; `auto` counts every row, and on a large table (`unindexed_rows`) at most 10,000." settings.count = count;
    "exact_count" "LISTING_EXACT_COUNT" "`true` or `false`"
        "Whether clients may ask for an exact total with `pagination[count]=exact`." settings.exact_count = boolean;
    "cursor_key" "LISTING_CURSOR_KEY" "text of at least 16 characters, or none"
        "What cursors are sealed with; without it, a new key is made at each start." settings.cursor_key = cursor_key;
    "strict" "LISTING_STRICT" "`true` or `false`"
        "Answers unknown fields, sorts, relations and parameters with 400, and unknown keys of a payload with 422, instead of ignoring them." settings.strict = boolean;
    "names" "LISTING_NAMES" "`as_defined`, `camelCase` or `snake_case`"
        "The form of names that have no alias of their own, in fields, filters, sorts, relations and payloads." settings.names = names;
    "envelope" "LISTING_ENVELOPE" "`contract` or `lean`"
        "Whether list responses repeat the items at `meta.data`." settings.layout = layout;
    "unindexed" "LISTING_UNINDEXED" "`allow`, `warn` or `refuse`"
        "What is done about filters, sorts and searches that no index serves on a large table: a warning at start-up, and with `refuse` 400 unless another filter finds few rows." settings.unindexed = unindexed;
    "unindexed_rows" "LISTING_UNINDEXED_ROWS" "an integer of at least 1"
        "A table with at least this many rows is large." settings.unindexed_rows = positive;
    "numbers_timeout_ms" "LISTING_NUMBERS_TIMEOUT_MS" "an integer of at least 1"
        "How many milliseconds a facet, or the totals of a list, may take; one that takes longer says so, and the rows are answered all the same." settings.numbers_timeout_ms = positive;
    "export_max_rows" "LISTING_EXPORT_MAX_ROWS" "an integer of at least 1"
        "The most rows of an export; a request that matches more is refused." settings.export_max_rows = positive;
    "export_xlsx_max_rows" "LISTING_EXPORT_XLSX_MAX_ROWS" "an integer of at least 1"
        "The most rows of an export as XLSX, where fewer are not said elsewhere." settings.export_xlsx_max_rows = positive;
    "export_connections" "LISTING_EXPORT_CONNECTIONS" "an integer of at least 1"
        "Exports that run at the same time, each on a connection of its own; others wait 5 seconds, and get 503 then." export_connections = positive;
    "export_timeout_seconds" "LISTING_EXPORT_TIMEOUT_SECONDS" "an integer from 1 to 31536000"
        "How long an export may take, until its client has all of it." export_timeout_seconds = seconds;
    "import_max_rows" "LISTING_IMPORT_MAX_ROWS" "an integer of at least 1"
        "The most rows of an import; a file that has more is refused." settings.import_max_rows = positive;
    "import_timeout_seconds" "LISTING_IMPORT_TIMEOUT_SECONDS" "an integer from 1 to 31536000"
        "How long an import may take, its file included." import_timeout_seconds = seconds;
    #[cfg(feature = "metrics")]
    "metrics_bind" "LISTING_METRICS_BIND" "an address and a port, or empty"
        "Where `GET /metrics` is answered for Prometheus, apart from the service; empty for nowhere." metrics_bind = address_or_none;
    "http.cors_origins" "LISTING_HTTP_CORS_ORIGINS" "origins such as `https://example.org`, separated by commas, or `*`"
        "Origins whose pages may read responses (CORS); empty for none." http.cors_origins = origins;
    "http.server_timing" "LISTING_HTTP_SERVER_TIMING" "`true` or `false`"
        "Tells clients where the time of a request went, in the header `Server-Timing`." http.server_timing = boolean;
    "http.position_cookie" "LISTING_HTTP_POSITION_COOKIE" "`true` or `false`"
        "Sets a cookie with the position of each write, which browsers bring with their reads for a minute, where there are `database_replicas`." http.position_cookie = boolean;
    "http.header_timeout_seconds" "LISTING_HTTP_HEADER_TIMEOUT_SECONDS" "an integer from 1 to 31536000"
        "A connection is closed if the head of the next request does not arrive within this time." http.header_timeout_seconds = seconds;
    "http.send_timeout_seconds" "LISTING_HTTP_SEND_TIMEOUT_SECONDS" "an integer from 1 to 31536000"
        "A connection is closed if its client reads nothing of a response for this time." http.send_timeout_seconds = seconds;
    "http.max_connections" "LISTING_HTTP_MAX_CONNECTIONS" "an integer of at least 1"
        "Connections of clients, at most; idle ones make room for new ones." http.max_connections = positive;
    "http.max_requests" "LISTING_HTTP_MAX_REQUESTS" "an integer of at least 1"
        "Requests that run at the same time, at most; others wait for their turn." http.max_requests = positive;
    "http.max_waiting_requests" "LISTING_HTTP_MAX_WAITING_REQUESTS" "an integer of at least 1"
        "Requests that wait for their turn, at most; more are answered with 503 at once." http.max_waiting_requests = positive;
    "http.queue_timeout_seconds" "LISTING_HTTP_QUEUE_TIMEOUT_SECONDS" "an integer from 1 to 31536000"
        "A request that waits longer for its turn is answered with 503." http.queue_timeout_seconds = seconds;
    "http.tls_certificate" "LISTING_HTTP_TLS_CERTIFICATE" "a file's path"
        "The certificate of this service and those that signed it, in PEM; empty for plain HTTP. Read again at SIGHUP. Needs the feature `https`." http.tls_certificate = any;
    "http.tls_key" "LISTING_HTTP_TLS_KEY" "a file's path"
        "The private key of the certificate, in PEM. Needs the feature `https`." http.tls_key = any;
    #[cfg(feature = "compression")]
    "http.compression" "LISTING_HTTP_COMPRESSION" "`true` or `false`"
        "Compresses responses for clients that take zstd, br or gzip." http.compression = boolean;
    #[cfg(feature = "compression")]
    "http.compression_min_bytes" "LISTING_HTTP_COMPRESSION_MIN_BYTES" "an integer of at least 1"
        "The smallest body that is compressed." http.compression_min_bytes = positive;
    #[cfg(feature = "rate-limit")]
    "http.rate_limit" "LISTING_HTTP_RATE_LIMIT" "a number and a period, such as `100/minute`: `second`, `minute` or `hour`"
        "How many requests one address may send; empty for any number." http.rate_limit = rate_limit;
    #[cfg(feature = "rate-limit")]
    "http.trusted_proxies" "LISTING_HTTP_TRUSTED_PROXIES" "an integer of at least 0"
        "Proxies in front that add to `X-Forwarded-For`; with 0 the header is not looked at." http.trusted_proxies = natural;
    "log.format" "LISTING_LOG_FORMAT" "`text` or `json`"
        "The form of the log. With `json` each request is one line with its id, route, path, query string, caller, statements and times."
        log.format = log_format;
    "log.slow_request_ms" "LISTING_LOG_SLOW_REQUEST_MS" "an integer of at least 0"
        "A request that takes this many milliseconds is logged with its query string and its SQL; 0 for none."
        log.slow_request_ms = natural;
    "log.values" "LISTING_LOG_VALUES" "`true` or `false`"
        "Whether query strings, and the statements of slow requests, are logged with their values; with `text`, the line about each request always has the URL as the client sent it, cut at 2,000 bytes." log.values = boolean;
    "otlp.endpoint" "OTEL_EXPORTER_OTLP_ENDPOINT" "an `http://` URL, or empty"
        "The collector of OpenTelemetry to which traces are sent by OTLP over HTTP, in applications with the feature `opentelemetry`; empty for none." otlp.endpoint = any;
    #[cfg(feature = "jwt")]
    "jwt.algorithm" "LISTING_JWT_ALGORITHM" "`HS256`, `RS256`, `ES256` or `EdDSA`"
        "How tokens are signed; a key set says it itself." jwt.algorithm = algorithm;
    #[cfg(feature = "jwt")]
    "jwt.secret" "LISTING_JWT_SECRET" "text"
        "The shared secret of `HS256`. Tokens are ignored unless a secret, key or key set is configured." jwt.secret = secret;
    #[cfg(feature = "jwt")]
    "jwt.public_key_file" "LISTING_JWT_PUBLIC_KEY_FILE" "a file's path"
        "The public key of `RS256`, `ES256` or `EdDSA`, in PEM." jwt.public_key_file = any;
    #[cfg(feature = "jwt")]
    "jwt.jwks_file" "LISTING_JWT_JWKS_FILE" "a file's path"
        "A JSON Web Key Set." jwt.jwks_file = any;
    #[cfg(feature = "jwt")]
    "jwt.issuer" "LISTING_JWT_ISSUER" "text"
        "Who must have issued a token; empty for anybody." jwt.issuer = any;
    #[cfg(feature = "jwt")]
    "jwt.audience" "LISTING_JWT_AUDIENCE" "text"
        "For whom a token must be; empty for anybody." jwt.audience = any;
    #[cfg(feature = "jwt")]
    "jwt.leeway_seconds" "LISTING_JWT_LEEWAY_SECONDS" "an integer from 0 to 3600"
        "Seconds by which clocks may differ." jwt.leeway_seconds = leeway;
    "bounds.query_bytes" "LISTING_BOUNDS_QUERY_BYTES" "an integer of at least 1"
        "Bytes of query string." settings.bounds.query_bytes = positive;
    "bounds.depth" "LISTING_BOUNDS_DEPTH" "an integer of at least 1"
        "Levels of brackets, or of JSON." settings.bounds.depth = positive;
    "bounds.pairs" "LISTING_BOUNDS_PAIRS" "an integer of at least 1"
        "Pairs in a query string, or parameters in a JSON body." settings.bounds.pairs = positive;
    "bounds.in_values" "LISTING_BOUNDS_IN_VALUES" "an integer of at least 1"
        "Values in one `$in` of a query string." settings.bounds.in_values = positive;
    "bounds.body_bytes" "LISTING_BOUNDS_BODY_BYTES" "an integer of at least 1"
        "Bytes of a body." settings.bounds.body_bytes = positive;
    "bounds.body_in_values" "LISTING_BOUNDS_BODY_IN_VALUES" "an integer of at least 1"
        "Values in one `$in` of a JSON body." settings.bounds.body_in_values = positive;
    "bounds.group_depth" "LISTING_BOUNDS_GROUP_DEPTH" "an integer of at least 1"
        "Nested levels of `$and`, `$or` and `$not`." settings.bounds.group_depth = positive;
    "bounds.conditions" "LISTING_BOUNDS_CONDITIONS" "an integer of at least 1"
        "Conditions in the filters of one request." settings.bounds.conditions = positive;
    "bounds.relation_depth" "LISTING_BOUNDS_RELATION_DEPTH" "an integer of at least 1"
        "Levels of relations in a filter." settings.bounds.relation_depth = positive;
    "bounds.populate_depth" "LISTING_BOUNDS_POPULATE_DEPTH" "an integer of at least 1"
        "Levels of relations in `populate`." settings.bounds.populate_depth = positive;
    "bounds.populate_relations" "LISTING_BOUNDS_POPULATE_RELATIONS" "an integer of at least 1"
        "Relations in `populate`, on all levels together." settings.bounds.populate_relations = positive;
    "bounds.populate_items" "LISTING_BOUNDS_POPULATE_ITEMS" "an integer of at least 1"
        "Items that a request with `populate` could return." settings.bounds.populate_items = positive;
    "bounds.bulk_items" "LISTING_BOUNDS_BULK_ITEMS" "an integer of at least 1"
        "Records in one request that writes many at once." settings.bounds.bulk_items = positive;
    "bounds.bulk_matches" "LISTING_BOUNDS_BULK_MATCHES" "an integer of at least 1"
        "Records that one request may write by filter." settings.bounds.bulk_matches = positive;
    "bounds.import_bytes" "LISTING_BOUNDS_IMPORT_BYTES" "an integer of at least 1"
        "Bytes of a file that is imported." settings.bounds.import_bytes = positive;
}

/// A value as `listing.toml` has it.
pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let escaped = text.chars().map(|character| match character {
                '"' | '\\' => format!("\\{character}"),
                control if control.is_control() => format!("\\u{:04X}", u32::from(control)),
                plain => plain.to_string(),
            });
            format!("\"{}\"", escaped.collect::<String>())
        }
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(yes) => yes.to_string(),
        Value::Datetime(moment) => moment.to_string(),
        Value::Array(values) if values.is_empty() => "[]".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Table(_) => "a table".to_owned(),
    }
}

fn secret_text(text: &str) -> Option<Secret> {
    (!text.is_empty()).then(|| Secret::from(text))
}

#[cfg(feature = "jwt")]
#[expect(clippy::unnecessary_wraps, reason = "every reader of a key can refuse")]
fn secret(text: &str) -> Option<Secret> {
    Some(Secret::from(text))
}

pub(super) fn positive<T: TryFrom<i64>>(text: &str) -> Option<T> {
    let number: i64 = text.parse().ok().filter(|number| *number >= 1)?;
    T::try_from(number).ok()
}

/// Up to a year: the clock cannot count much longer times from now.
pub(super) fn seconds(text: &str) -> Option<u64> {
    positive(text).filter(|seconds| *seconds <= 31_536_000)
}

fn seconds_or_none(text: &str) -> Option<u64> {
    natural(text).filter(|seconds| *seconds <= 31_536_000)
}

fn natural<T: TryFrom<u32>>(text: &str) -> Option<T> {
    T::try_from(text.parse::<u32>().ok()?).ok()
}

fn milliseconds(text: &str) -> Option<u64> {
    natural::<u32>(text).map(u64::from)
}

fn origins(text: &str) -> Option<String> {
    is_origins(text).then(|| text.to_owned())
}

fn log_format(text: &str) -> Option<LogFormat> {
    LogFormat::parse(text)
}

#[cfg(feature = "rate-limit")]
#[expect(clippy::option_option, reason = "unreadable, or none at all")]
fn rate_limit(text: &str) -> Option<Option<RateLimit>> {
    if text.is_empty() {
        return Some(None);
    }
    RateLimit::parse(text).map(Some)
}

fn page(text: &str) -> Option<u64> {
    positive(text).filter(|number| *number <= Settings::LARGEST_PAGE)
}

#[cfg(feature = "jwt")]
fn leeway(text: &str) -> Option<u64> {
    let seconds = text.parse().ok();
    seconds.filter(|seconds| *seconds <= JwtConfig::LARGEST_LEEWAY)
}

#[expect(clippy::unnecessary_wraps, reason = "every reader of a key can refuse")]
fn any(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[cfg(feature = "jwt")]
fn algorithm(text: &str) -> Option<String> {
    ["", "HS256", "RS256", "ES256", "EdDSA"]
        .contains(&text)
        .then(|| text.to_owned())
}

fn boolean(text: &str) -> Option<bool> {
    text.parse().ok()
}

fn count(text: &str) -> Option<CountMode> {
    text.parse().ok()
}

fn cursor_key(text: &str) -> Option<CursorKey> {
    CursorKey::new(text)
}

fn names(text: &str) -> Option<Names> {
    text.parse().ok()
}

fn unindexed(text: &str) -> Option<Unindexed> {
    text.parse().ok()
}

fn layout(text: &str) -> Option<Layout> {
    match text {
        "contract" => Some(Layout::Contract),
        "lean" => Some(Layout::Lean),
        _ => None,
    }
}
