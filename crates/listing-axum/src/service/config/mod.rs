//! Reads `listing.toml` and the environment into a [`Config`], or says what is wrong and what was probably meant.

mod http;
mod jwt;

use std::path::Path;

use listing::{CountMode, CursorKey, Layout, Settings, nearest};
use toml::Value;

pub use self::http::{HttpConfig, Period, RateLimit};
pub use self::jwt::JwtConfig;

/// Everything that a project can set.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// Where the service listens.
    pub bind: String,
    /// The database's URL.
    pub database: String,
    /// Connections to the database, at most.
    pub database_connections: u32,
    /// A request that takes longer is answered with 504.
    pub request_timeout_seconds: u64,
    /// What is done with responses and clients, whatever they ask for.
    pub http: HttpConfig,
    /// How tokens are verified; off until a key is given.
    pub jwt: JwtConfig,
    /// What the listings need.
    pub settings: Settings,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            bind: "127.0.0.1:8080".to_owned(),
            database: "sqlite:listing.sqlite?mode=rwc".to_owned(),
            database_connections: 10,
            request_timeout_seconds: 10,
            http: HttpConfig::default(),
            jwt: JwtConfig::default(),
            settings: Settings::default(),
        }
    }
}

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
    set: fn(&mut Config, &str) -> Option<()>,
    get: fn(&Config) -> Value,
}

impl Key {
    /// The value that a configuration has for it, as `listing.toml` would have it.
    #[must_use]
    pub fn value(&self, config: &Config) -> String {
        literal(&(self.get)(config))
    }
}

macro_rules! keys {
    ($($name:literal $variable:literal $expected:literal $meaning:literal $($field:ident).+ = $parse:expr;)+) => {
        /// Every key of `listing.toml`.
        pub const KEYS: &[Key] = &[$(Key {
            name: $name,
            variable: $variable,
            meaning: $meaning,
            expected: $expected,
            set: |config, text| {
                config.$($field).+ = $parse(text)?;
                Some(())
            },
            get: |config| config.$($field).+.to_toml(),
        },)+];
    };
}

keys! {
    "bind" "LISTING_BIND" "an address and a port"
        "Where the service listens." bind = text;
    "database" "DATABASE_URL" "`sqlite:…`, `postgres://…` or `mysql://…`"
        "The database's URL." database = text;
    "database_connections" "LISTING_DATABASE_CONNECTIONS" "an integer of at least 1"
        "Connections to the database, at most." database_connections = positive;
    "request_timeout_seconds" "LISTING_REQUEST_TIMEOUT_SECONDS" "an integer of at least 1"
        "A request that takes longer is answered with 504." request_timeout_seconds = positive;
    "page_size" "LISTING_PAGE_SIZE" "an integer of at least 1"
        "Rows on a page when the client names no size." settings.page_size = positive;
    "max_page_size" "LISTING_MAX_PAGE_SIZE" "an integer from 1 to 500"
        "The largest page that a client can get." settings.max_page_size = page;
    "relation_limit" "LISTING_RELATION_LIMIT" "an integer from 1 to 500"
        "Items of a populated to-many relation for each parent." settings.relation_limit = page;
    "count" "LISTING_COUNT" "`exact`, `capped(<rows>)`, `estimated`, `cached(<seconds>)` or `none`"
        "How lists find their totals." settings.count = count;
    "cursor_key" "LISTING_CURSOR_KEY" "text of at least 16 characters, or none"
        "What cursors are sealed with; without it, a key that is made anew at each start." settings.cursor_key = cursor_key;
    "strict" "LISTING_STRICT" "`true` or `false`"
        "Answers unknown fields, sorts, relations and parameters with 400 instead of ignoring them."
        settings.strict = boolean;
    "envelope" "LISTING_ENVELOPE" "`contract` or `lean`"
        "Whether list responses repeat the items at `meta.data`." settings.layout = layout;
    "http.compression" "LISTING_HTTP_COMPRESSION" "`true` or `false`"
        "Compresses responses for clients that take zstd, br or gzip." http.compression = boolean;
    "http.compression_min_bytes" "LISTING_HTTP_COMPRESSION_MIN_BYTES" "an integer of at least 1"
        "The smallest body that is compressed." http.compression_min_bytes = positive;
    "http.rate_limit" "LISTING_HTTP_RATE_LIMIT" "a number and a period, such as `100/minute`: `second`, `minute` or `hour`"
        "How often one address may ask; empty for as often as it likes." http.rate_limit = rate_limit;
    "http.trusted_proxies" "LISTING_HTTP_TRUSTED_PROXIES" "an integer of at least 0"
        "Proxies in front that add to `X-Forwarded-For`; with 0 the header is not looked at."
        http.trusted_proxies = natural;
    "jwt.algorithm" "LISTING_JWT_ALGORITHM" "`HS256`, `RS256`, `ES256` or `EdDSA`"
        "How tokens are signed; a key set says it itself." jwt.algorithm = algorithm;
    "jwt.secret" "LISTING_JWT_SECRET" "text"
        "The shared secret of `HS256`. With no secret, key or key set, no token is looked at." jwt.secret = any;
    "jwt.public_key_file" "LISTING_JWT_PUBLIC_KEY_FILE" "a file's path"
        "The public key of `RS256`, `ES256` or `EdDSA`, in PEM." jwt.public_key_file = any;
    "jwt.jwks_file" "LISTING_JWT_JWKS_FILE" "a file's path"
        "A JSON Web Key Set." jwt.jwks_file = any;
    "jwt.issuer" "LISTING_JWT_ISSUER" "text"
        "Who must have issued a token; empty for anybody." jwt.issuer = any;
    "jwt.audience" "LISTING_JWT_AUDIENCE" "text"
        "For whom a token must be; empty for anybody." jwt.audience = any;
    "jwt.leeway_seconds" "LISTING_JWT_LEEWAY_SECONDS" "an integer from 0 to 3600"
        "Seconds by which clocks may differ." jwt.leeway_seconds = leeway;
    "bounds.query_bytes" "LISTING_BOUNDS_QUERY_BYTES" "an integer of at least 1"
        "Bytes of query string." settings.bounds.query_bytes = positive;
    "bounds.depth" "LISTING_BOUNDS_DEPTH" "an integer of at least 1"
        "Levels of brackets, or of JSON." settings.bounds.depth = positive;
    "bounds.pairs" "LISTING_BOUNDS_PAIRS" "an integer of at least 1"
        "Pairs in a query string." settings.bounds.pairs = positive;
    "bounds.in_values" "LISTING_BOUNDS_IN_VALUES" "an integer of at least 1"
        "Values in one `$in` of a query string." settings.bounds.in_values = positive;
    "bounds.body_bytes" "LISTING_BOUNDS_BODY_BYTES" "an integer of at least 1"
        "Bytes of a body." settings.bounds.body_bytes = positive;
    "bounds.body_in_values" "LISTING_BOUNDS_BODY_IN_VALUES" "an integer of at least 1"
        "Values in one `$in` of a JSON body." settings.bounds.body_in_values = positive;
    "bounds.group_depth" "LISTING_BOUNDS_GROUP_DEPTH" "an integer of at least 1"
        "Levels of `$and`, `$or` and `$not` in one another." settings.bounds.group_depth = positive;
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
}

/// What is wrong with a configuration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file is there and cannot be read.
    #[error("{file}: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// The file is not TOML.
    #[error("{file}: {error}")]
    NotToml {
        /// The file.
        file: String,
        /// Where and why.
        error: toml::de::Error,
    },
    /// There is no such key.
    #[error("{file}: there is no key `{key}`; {suggestion}")]
    UnknownKey {
        /// The file.
        file: String,
        /// The key.
        key: String,
        /// What was probably meant.
        suggestion: String,
    },
    /// The value is none that the key takes.
    #[error("{place}: `{key}` is {value}, expected {expected}")]
    WrongValue {
        /// The file, or the environment variable.
        place: String,
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// What would have been right.
        expected: &'static str,
    },
}

impl Config {
    /// Reads a file, if it is there, and the environment on top of it.
    ///
    /// # Errors
    /// When either says something that is not understood.
    pub fn load(file: &Path) -> Result<Self, ConfigError> {
        let name = file.display().to_string();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(ConfigError::Unreadable { file: name, error }),
        };
        // Text that is not UTF-8 is no right value: it is better refused than overlooked.
        let environment = |variable: &str| {
            let value = std::env::var_os(variable)?;
            Some(value.to_string_lossy().into_owned())
        };
        Self::from_parts(&name, &text, environment)
    }

    /// The same from texts.
    ///
    /// # Errors
    /// When either says something that is not understood.
    pub fn from_parts(
        file: &str,
        text: &str,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        let table: toml::Table = text.parse().map_err(|error| ConfigError::NotToml {
            file: file.to_owned(),
            error,
        })?;
        let mut flat = Vec::new();
        flatten("", &table, &mut flat);
        for (name, value) in flat {
            let Some(key) = KEYS.iter().find(|key| key.name == name) else {
                return Err(unknown(file, name));
            };
            // A number in quotes is a mistake in a file, where in the environment there is nothing but text.
            let taken = plain_text(value).and_then(|text| (key.set)(&mut config, &text));
            if taken.is_none() || (key.get)(&config) != *value {
                return Err(key.wrong(file.to_owned(), literal(value)));
            }
        }
        for key in KEYS {
            if let Some(text) = environment(key.variable)
                && (key.set)(&mut config, &text).is_none()
            {
                let place = format!("the variable {}", key.variable);
                return Err(key.wrong(place, literal(&Value::String(text))));
            }
        }
        Ok(config)
    }
}

impl Key {
    fn wrong(&self, place: String, value: String) -> ConfigError {
        ConfigError::WrongValue {
            place,
            key: self.name,
            value,
            expected: self.expected,
        }
    }
}

fn unknown(file: &str, key: String) -> ConfigError {
    let suggestion = match nearest(&key, KEYS.iter().map(|key| key.name)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<_> = KEYS.iter().map(|key| key.name).collect();
            format!("there are: {}", names.join(", "))
        }
    };
    ConfigError::UnknownKey {
        file: file.to_owned(),
        key,
        suggestion,
    }
}

/// Every value with its table before its name. A table that we do not know is itself an unknown key, even an empty one.
fn flatten<'t>(prefix: &str, table: &'t toml::Table, flat: &mut Vec<(String, &'t Value)>) {
    for (name, value) in table {
        let name = format!("{prefix}{name}");
        let below = format!("{name}.");
        match value {
            Value::Table(table) if KEYS.iter().any(|key| key.name.starts_with(&below)) => {
                flatten(&below, table, flat);
            }
            _ => flat.push((name, value)),
        }
    }
}

/// A value as the environment would have it.
fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Boolean(yes) => Some(yes.to_string()),
        // No key takes one of these.
        Value::Float(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

/// A value as `listing.toml` has it.
fn literal(value: &Value) -> String {
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
        Value::Array(_) => "a list".to_owned(),
        Value::Table(_) => "a table".to_owned(),
    }
}

fn text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn positive<T: TryFrom<i64>>(text: &str) -> Option<T> {
    let number: i64 = text.parse().ok().filter(|number| *number >= 1)?;
    T::try_from(number).ok()
}

fn natural(text: &str) -> Option<usize> {
    text.parse().ok()
}

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

fn leeway(text: &str) -> Option<u64> {
    let seconds = text.parse().ok();
    seconds.filter(|seconds| *seconds <= JwtConfig::LARGEST_LEEWAY)
}

#[expect(clippy::unnecessary_wraps, reason = "every reader of a key can refuse")]
fn any(text: &str) -> Option<String> {
    Some(text.to_owned())
}

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

fn layout(text: &str) -> Option<Layout> {
    match text {
        "contract" => Some(Layout::Contract),
        "lean" => Some(Layout::Lean),
        _ => None,
    }
}

/// What a key's field is in TOML.
trait Setting {
    fn to_toml(&self) -> Value;
}

impl Setting for String {
    fn to_toml(&self) -> Value {
        Value::String(self.clone())
    }
}

impl Setting for bool {
    fn to_toml(&self) -> Value {
        Value::Boolean(*self)
    }
}

impl Setting for CountMode {
    fn to_toml(&self) -> Value {
        Value::String(self.to_string())
    }
}

impl Setting for CursorKey {
    fn to_toml(&self) -> Value {
        Value::String(self.as_str().to_owned())
    }
}

impl Setting for Option<RateLimit> {
    fn to_toml(&self) -> Value {
        Value::String(self.map_or_else(String::new, |limit| limit.to_string()))
    }
}

impl Setting for Layout {
    fn to_toml(&self) -> Value {
        let name = match self {
            Self::Contract => "contract",
            Self::Lean => "lean",
        };
        Value::String(name.to_owned())
    }
}

macro_rules! integers {
    ($($integer:ty)+) => {$(
        impl Setting for $integer {
            fn to_toml(&self) -> Value {
                // TOML has no larger ones, and neither has `positive`.
                Value::Integer(i64::try_from(*self).unwrap_or(i64::MAX))
            }
        }
    )+};
}

integers! { u32 u64 usize }
