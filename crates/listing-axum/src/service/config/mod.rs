//! Reads `listing.toml` and the environment into a [`Config`], or says what is wrong and what was probably meant.

//!
//! By hand, and not by a crate for layered configuration: one table (`keys.rs`) gives the documents, the nearest name for a
//! key or a variable that does not exist, and errors that do not repeat a secret.

mod error;
mod http;
mod jwt;
mod keys;
mod log;
mod otlp;
mod secret;

use std::path::Path;
use std::time::Duration;

use listing::{ReadOptions, Settings, nearest};
use toml::Value;

use self::keys::OF_FEATURES;

pub use self::error::ConfigError;
pub use self::http::{HttpConfig, Period, RateLimit};
pub use self::jwt::JwtConfig;
pub use self::keys::{KEYS, Key};
pub use self::log::{LogConfig, LogFormat};
pub use self::otlp::OtlpConfig;
pub use self::secret::Secret;

/// Everything that a project can set.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// Where the service listens.
    pub bind: String,
    /// The database's URL, which may hold a password.
    pub database: Secret,
    /// Connections that write, and read inside transactions, at most.
    pub database_connections: u32,
    /// Connections that read lists and records; 0 for as many as those, and on SQLite for one thread for each processor.
    pub read_connections: usize,
    /// Connections for lists that no index serves; 0 for as many as there are for all others.
    pub unindexed_connections: usize,
    /// How long the service waits for the database when it starts.
    pub database_wait_seconds: u64,
    /// A request that takes longer is answered with 504.
    pub request_timeout_seconds: u64,
    /// Whether an [`Explorer`](crate::Explorer) that the application has is served.
    pub explorer: bool,
    /// Exports that run at the same time, each on a connection of its own.
    pub export_connections: usize,
    /// How long an export may take, until its client has all of it.
    pub export_timeout_seconds: u64,
    /// How long requests in progress may take after the service is told to stop.
    pub shutdown_timeout_seconds: u64,
    /// What is done with responses and clients, whatever they ask for.
    pub http: HttpConfig,
    /// What is logged, and how.
    pub log: LogConfig,
    /// Where traces are sent.
    pub otlp: OtlpConfig,
    /// The address at which `GET /metrics` is answered; empty for none.
    #[cfg(feature = "metrics")]
    pub metrics_bind: String,
    /// How tokens are verified; off until a key is given.
    pub jwt: JwtConfig,
    /// What the listings need.
    pub settings: Settings,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            bind: "127.0.0.1:8080".to_owned(),
            database: "sqlite:listing.sqlite?mode=rwc".into(),
            database_connections: 10,
            read_connections: 0,
            unindexed_connections: 0,
            database_wait_seconds: 30,
            request_timeout_seconds: 10,
            explorer: true,
            export_connections: 2,
            export_timeout_seconds: 300,
            shutdown_timeout_seconds: 10,
            http: HttpConfig::default(),
            log: LogConfig::default(),
            otlp: OtlpConfig::default(),
            #[cfg(feature = "metrics")]
            metrics_bind: String::new(),
            jwt: JwtConfig::default(),
            settings: Settings::default(),
        }
    }
}

/// Variables that begin as ours do and mean something else: of the command, of the console, and of our tests.
const OTHERS: &[&str] = &["LISTING_CLIENT_", "LISTING_CONSOLE", "LISTING_TEST_"];

impl Config {
    /// How lists and records are read: on as many connections as this says, and no statement for longer than a request may take.
    ///
    /// ```no_run
    /// # async fn start(config: listing_axum::Config) -> Result<(), Box<dyn std::error::Error>> {
    /// # let db = listing_axum::database::connect(config.database.expose(), config.database_connections).await?;
    /// let reads = listing::ReadPool::alongside(&db, config.read_options()).await?;
    /// # let _ = reads;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn read_options(&self) -> ReadOptions {
        let limit = Duration::from_secs(self.request_timeout_seconds);
        let mut options = ReadOptions::new()
            .statement_timeout(limit)
            .exports(self.export_connections)
            .export_timeout(Duration::from_secs(self.export_timeout_seconds));
        if self.read_connections > 0 {
            options = options.connections(self.read_connections);
        }
        if self.unindexed_connections > 0 {
            options = options.unindexed(self.unindexed_connections);
        }
        options
    }

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
        // Text that is not UTF-8 is not a right value: it is better refused than overlooked.
        let text_of = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        let environment = std::env::vars_os().map(|(name, value)| (text_of(name), text_of(value)));
        Self::from_parts(&name, &text, environment)
    }

    /// The same from the text of a file and the variables of an environment.
    ///
    /// ```
    /// use listing_axum::Config;
    ///
    /// let variable = |name: &str, value: &str| [(name.to_owned(), value.to_owned())];
    /// let config = Config::from_parts("listing.toml", "strict = true", variable("LISTING_PAGE_SIZE", "5"))?;
    /// assert_eq!((config.settings.strict, config.settings.page_size), (true, 5));
    ///
    /// let refused = Config::from_parts("listing.toml", "", variable("LISTING_PAGESIZE", "5"));
    /// assert!(refused.unwrap_err().to_string().contains("did you mean `LISTING_PAGE_SIZE`?"));
    /// # Ok::<(), listing_axum::config::ConfigError>(())
    /// ```
    ///
    /// # Errors
    /// When either says something that is not understood.
    pub fn from_parts(
        file: &str,
        text: &str,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        let table: toml::Table = text.parse().map_err(|error| not_toml(file, text, &error))?;
        let mut flat = Vec::new();
        flatten("", &table, &mut flat);
        for (name, value) in flat {
            let Some(key) = KEYS.iter().find(|key| key.name == name) else {
                let suggestion = suggestion(&name, |key| key.name);
                return Err(ConfigError::UnknownKey {
                    file: file.to_owned(),
                    key: name,
                    suggestion,
                });
            };
            // A number in quotes is a mistake in a file; in the environment there is nothing but text.
            let taken = plain_text(value).and_then(|text| (key.set)(&mut config, &text));
            if taken.is_none() || (key.get)(&config) != *value {
                return Err(key.wrong(file.to_owned(), value));
            }
        }
        for (variable, text) in environment {
            match KEYS.iter().find(|key| key.variable == variable) {
                Some(key) if (key.set)(&mut config, &text).is_none() => {
                    let place = format!("the variable {variable}");
                    return Err(key.wrong(place, &Value::String(text)));
                }
                None if is_misspelt(&variable, &text) => {
                    let suggestion = suggestion(&variable, |key| key.variable);
                    return Err(ConfigError::UnknownVariable {
                        variable,
                        suggestion,
                    });
                }
                _ => {}
            }
        }
        Ok(config)
    }
}

/// Whether a variable looks like one of ours and is not.
fn is_misspelt(variable: &str, text: &str) -> bool {
    variable.starts_with("LISTING_")
        && !OTHERS.iter().any(|other| variable.starts_with(other))
        && !is_of_kubernetes(variable, text)
}

/// Whether a variable is one of those that Kubernetes gives every pod for a service whose name begins with `listing`.
fn is_of_kubernetes(variable: &str, text: &str) -> bool {
    let is_number = |text: &str| text.parse::<u16>().is_ok();
    // `…_SERVICE_HOST`, `…_SERVICE_PORT`, `…_SERVICE_PORT_HTTP`
    if variable.ends_with("_SERVICE_HOST") || variable.contains("_SERVICE_PORT") {
        return true;
    }
    // `…_PORT`, which is a URL and not a number, `…_PORT_80_TCP`, `…_PORT_80_TCP_ADDR`
    let Some((_, after)) = variable.rsplit_once("_PORT") else {
        return false;
    };
    let mut parts = after.split('_').skip(1);
    (after.is_empty() && text.contains("://"))
        || (parts.next().is_some_and(is_number)
            && matches!(parts.next(), Some("TCP" | "UDP" | "SCTP")))
}

fn not_toml(file: &str, text: &str, error: &toml::de::Error) -> ConfigError {
    let start = error.span().map_or(0, |span| span.start.min(text.len()));
    ConfigError::NotToml {
        file: file.to_owned(),
        line: text.as_bytes()[..start]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
            + 1,
        problem: error.message().to_owned(),
    }
}

/// What was probably meant by an unknown name, or which feature it comes with.
fn suggestion(name: &str, known: fn(&Key) -> &'static str) -> String {
    let below = format!("{name}.");
    let is_that = |[key, variable, _]: &&[&str; 3]| {
        *key == name || key.starts_with(&below) || *variable == name
    };
    if let Some([_, _, feature]) = OF_FEATURES.iter().find(is_that) {
        return format!("it comes with the feature `{feature}` of listing-axum");
    }
    // What all names begin with must not make them alike.
    let bare = |name: &'static str| name.strip_prefix("LISTING_").unwrap_or(name);
    let is_variable = name.starts_with("LISTING_");
    let of_features = OF_FEATURES
        .iter()
        .map(|[key, variable, _]| match is_variable {
            true => *variable,
            false => *key,
        });
    let tables = KEYS
        .iter()
        .filter_map(|key| Some(key.name.split_once('.')?.0));
    let names = KEYS.iter().map(known).chain(of_features).chain(tables);
    let near = nearest(
        name.strip_prefix("LISTING_").unwrap_or(name),
        names.clone().map(bare),
    );
    let near = names.clone().find(|name| Some(bare(name)) == near);
    match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<_> = KEYS.iter().map(known).collect();
            format!("valid names: {}", names.join(", "))
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b447.
    #[test]
    fn a_key_of_a_feature_that_is_off_is_told_with_its_feature() {
        let comes_with = |feature| format!("it comes with the feature `{feature}` of listing-axum");
        // As if the feature were off: a key that is known needs no suggestion.
        for (name, feature) in [
            ("metrics_bind", "metrics"),
            ("LISTING_HTTP_RATE_LIMIT", "rate-limit"),
            ("http.compression", "compression"),
            ("jwt", "jwt"),
        ] {
            let suggested = suggestion(name, |key| key.name);
            assert_eq!(suggested, comes_with(feature), "{name}");
        }
        assert_eq!(suggestion("jw", |key| key.name).find("it comes with"), None);
        for (name, near) in [
            ("http.rate_limt", "http.rate_limit"),
            ("LISTING_HTTP_RATE_LIMT", "LISTING_HTTP_RATE_LIMIT"),
            ("htpp", "http"),
        ] {
            let known: fn(&Key) -> &'static str = match name.starts_with("LISTING") {
                true => |key| key.variable,
                false => |key| key.name,
            };
            assert_eq!(suggestion(name, known), format!("did you mean `{near}`?"));
        }
        for key in KEYS {
            let listed = OF_FEATURES.iter().find(|[name, _, _]| *name == key.name);
            assert_eq!(
                key.feature,
                listed.map(|[_, _, feature]| *feature),
                "{}",
                key.name
            );
        }
    }
}
