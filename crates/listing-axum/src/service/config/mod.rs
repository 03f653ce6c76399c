//! Reads `listing.toml` and the environment into a [`Config`], or reports errors with suggestions.

//!
//! Written by hand instead of with a crate for layered configuration: a single table (`keys.rs`) provides the documentation,
//! suggestions for unknown keys and variables, and errors that do not show secrets.

mod address;
mod error;
mod http;
mod jwt;
mod keys;
mod log;
mod otlp;
mod replicas;
mod secret;
mod setting;
#[cfg(feature = "webhooks")]
mod webhooks;

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
#[cfg(feature = "webhooks")]
pub use self::webhooks::{WEBHOOK_KEYS, WebhookConfig, WebhookKey};

/// The settings of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// The address that the service listens on.
    pub bind: String,
    /// The database's URL, which may contain a password.
    pub database: Secret,
    /// The URLs of the database's replicas, from which lists and records are read; empty for none.
    pub database_replicas: Vec<Secret>,
    /// How many milliseconds a replica may be behind. It is not used if it takes longer than this to reach a position of the
    /// primary.
    pub replica_max_lag_ms: u64,
    /// How many milliseconds a read waits for a replica to reach the position that it sends.
    pub replica_wait_ms: u64,
    /// The most connections that write, and read inside transactions.
    pub database_connections: u32,
    /// Connections that read lists and records; 0 for the same number, and on SQLite for one thread per processor.
    pub read_connections: usize,
    /// Connections for lists without an index; 0 for as many as there are for all others.
    pub unindexed_connections: usize,
    /// How long the service waits for the database when it starts.
    pub database_wait_seconds: u64,
    /// Whether reads on a Galera cluster wait for everything that the cluster has committed.
    pub galera_sync_wait: bool,
    /// How long a request may take before it is answered with 504.
    pub request_timeout_seconds: u64,
    /// Whether to serve the application's [`Explorer`](crate::Explorer), if it has one.
    pub explorer: bool,
    /// The number of exports that run at the same time, each on its own connection.
    pub export_connections: usize,
    /// How long an export may take, until the client has received all of it.
    pub export_timeout_seconds: u64,
    /// How long an import may take, including the upload of its file.
    pub import_timeout_seconds: u64,
    /// How long requests in progress may take after the service is asked to stop.
    pub shutdown_timeout_seconds: u64,
    /// How long the service keeps running, without being ready, before it stops.
    pub shutdown_delay_seconds: u64,
    /// How to treat clients and responses, whatever is requested.
    pub http: HttpConfig,
    /// The contents and the format of the log.
    pub log: LogConfig,
    /// Where to send traces.
    pub otlp: OtlpConfig,
    /// The address of `GET /metrics`; empty for none.
    #[cfg(feature = "metrics")]
    pub metrics_bind: String,
    /// How to verify tokens; off until a key is configured.
    pub jwt: JwtConfig,
    /// The targets that receive events, by name.
    #[cfg(feature = "webhooks")]
    pub webhooks: std::collections::BTreeMap<String, WebhookConfig>,
    /// The settings of the listings.
    pub settings: Settings,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            bind: "127.0.0.1:8080".to_owned(),
            database: "sqlite:listing.sqlite?mode=rwc".into(),
            database_replicas: Vec::new(),
            replica_max_lag_ms: 10_000,
            replica_wait_ms: 200,
            database_connections: 10,
            read_connections: 0,
            unindexed_connections: 0,
            database_wait_seconds: 30,
            galera_sync_wait: false,
            request_timeout_seconds: 10,
            explorer: true,
            export_connections: 2,
            export_timeout_seconds: 300,
            import_timeout_seconds: 300,
            shutdown_timeout_seconds: 10,
            shutdown_delay_seconds: 0,
            http: HttpConfig::default(),
            log: LogConfig::default(),
            otlp: OtlpConfig::default(),
            #[cfg(feature = "metrics")]
            metrics_bind: String::new(),
            jwt: JwtConfig::default(),
            #[cfg(feature = "webhooks")]
            webhooks: std::collections::BTreeMap::new(),
            settings: Settings::default(),
        }
    }
}

/// The table of webhook targets, whose names are chosen by the user.
const TARGETS: &str = "webhooks";

/// Variables with our prefix that have another meaning: those of the command, of the console, and of our tests.
const OTHERS: &[&str] = &["LISTING_CLIENT_", "LISTING_CONSOLE", "LISTING_TEST_"];

impl Config {
    /// The options for reading lists and records: this many connections, and the time limit of a request for each statement.
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

    /// Reads a file, if it exists, and applies the environment on top of it.
    ///
    /// # Errors
    /// When the file or the environment is invalid.
    pub fn load(file: &Path) -> Result<Self, ConfigError> {
        let name = file.display().to_string();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(ConfigError::Unreadable { file: name, error }),
        };
        // Text that is not UTF-8 is never a valid value. It is better refused than overlooked.
        let text_of = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        let environment = std::env::vars_os().map(|(name, value)| (text_of(name), text_of(value)));
        Self::from_parts(&name, &text, environment)
    }

    /// The same with the text of a file and the variables of an environment.
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
    /// When either is invalid.
    pub fn from_parts(
        file: &str,
        text: &str,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        let table: toml::Table = text.parse().map_err(|error| not_toml(file, text, &error))?;
        #[cfg(feature = "webhooks")]
        let (mut table, mut targets) = (table, webhooks::Targets::default());
        #[cfg(feature = "webhooks")]
        if let Some(webhooks) = table.remove("webhooks") {
            targets.read_file(file, &webhooks)?;
        }
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
            // A number in quotes is an error in a file, but the environment contains only text.
            let taken = plain_text(value).and_then(|text| (key.set)(&mut config, &text));
            if taken.is_none() || (key.get)(&config) != *value {
                return Err(key.wrong(file.to_owned(), value));
            }
        }
        for (variable, text) in environment {
            #[cfg(feature = "webhooks")]
            if !is_of_kubernetes(&variable, &text) && targets.read_variable(&variable, &text)? {
                continue;
            }
            match KEYS.iter().find(|key| key.variable == variable) {
                Some(key) if (key.set)(&mut config, &text).is_none() => {
                    let place = format!("the variable {variable}");
                    return Err(key.wrong(place, &Value::String(text)));
                }
                None if is_misspelt(&variable, &text) => {
                    let suggestion = suggestion(&variable, |key| key.variable);
                    #[cfg(feature = "webhooks")]
                    let suggestion = targets.suggestion(&variable).unwrap_or(suggestion);
                    return Err(ConfigError::UnknownVariable {
                        variable,
                        suggestion,
                    });
                }
                _ => {}
            }
        }
        #[cfg(feature = "webhooks")]
        {
            config.webhooks = targets.complete()?;
        }
        Ok(config)
    }
}

/// Whether a variable looks like one of ours but is not.
fn is_misspelt(variable: &str, text: &str) -> bool {
    variable.starts_with("LISTING_")
        && !OTHERS.iter().any(|other| variable.starts_with(other))
        && !is_of_kubernetes(variable, text)
}

/// Whether it is one of the variables that Kubernetes sets in every pod for a service whose name begins with `listing`.
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

/// The name that was probably meant by an unknown one, or the feature that it needs.
fn suggestion(name: &str, known: fn(&Key) -> &'static str) -> String {
    if name == TARGETS || name.starts_with("LISTING_WEBHOOKS_") {
        return "it comes with the feature `webhooks` of listing-axum".to_owned();
    }
    let below = format!("{name}.");
    let is_that = |[key, variable, _]: &&[&str; 3]| {
        *key == name || key.starts_with(&below) || *variable == name
    };
    if let Some([_, _, feature]) = OF_FEATURES.iter().find(is_that) {
        return format!("it comes with the feature `{feature}` of listing-axum");
    }
    // The common prefix must not make names similar.
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
    let names = names.chain([TARGETS]);
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

/// All values, with the table in front of the name. An unknown table is an unknown key itself, even if it is empty.
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

/// A value as it is written in the environment.
fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Boolean(yes) => Some(yes.to_string()),
        Value::Array(values) => replicas::plain_text(values),
        // No key accepts one of these.
        Value::Float(_) | Value::Datetime(_) | Value::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b447.
    #[test]
    fn a_key_of_a_feature_that_is_off_is_told_with_its_feature() {
        let comes_with = |feature| format!("it comes with the feature `{feature}` of listing-axum");
        // As if the feature were off: a known key needs no suggestion.
        for (name, feature) in [
            ("metrics_bind", "metrics"),
            ("LISTING_HTTP_RATE_LIMIT", "rate-limit"),
            ("http.compression", "compression"),
            ("jwt", "jwt"),
            ("webhooks", "webhooks"),
            ("LISTING_WEBHOOKS_CRM_URL", "webhooks"),
        ] {
            let suggested = suggestion(name, |key| key.name);
            assert_eq!(suggested, comes_with(feature), "{name}");
        }
        assert_eq!(suggestion("jw", |key| key.name).find("it comes with"), None);
        for (name, near) in [
            ("http.rate_limt", "http.rate_limit"),
            ("LISTING_HTTP_RATE_LIMT", "LISTING_HTTP_RATE_LIMIT"),
            ("htpp", "http"),
            ("webhook", "webhooks"),
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
