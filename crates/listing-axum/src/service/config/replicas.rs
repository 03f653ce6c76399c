//! Reads the URLs of replicas: a list in `listing.toml`, and text with commas in the environment.

use std::time::Duration;

use listing::replicas::ReplicaOptions;
use toml::Value;

use super::setting::Setting;
use super::{Config, Secret};

impl Config {
    /// The replicas; `None` if none are configured.
    ///
    /// ```
    /// use listing_axum::Config;
    ///
    /// let file = r#"database_replicas = ["postgres://one.example/blog", "postgres://two.example/blog"]"#;
    /// let config = Config::from_parts("listing.toml", file, [])?;
    /// assert!(config.replicas().is_some());
    /// # Ok::<(), listing_axum::config::ConfigError>(())
    /// ```
    #[must_use]
    pub fn replicas(&self) -> Option<ReplicaOptions> {
        let urls = self.database_replicas.iter().map(Secret::expose);
        let replicas = ReplicaOptions::new(urls)
            .max_lag(Duration::from_millis(self.replica_max_lag_ms))
            .wait(Duration::from_millis(self.replica_wait_ms));
        (!self.database_replicas.is_empty()).then_some(replicas)
    }
}

impl Setting for Vec<Secret> {
    fn to_toml(&self) -> Value {
        let text = |url: &Secret| Value::String(url.expose().to_owned());
        Value::Array(self.iter().map(text).collect())
    }
}

/// Splits URLs at commas. A part without a scheme means that a URL was split by mistake: its password has a comma, which must be
/// written as `%2C`, or it names several hosts.
pub(super) fn urls(text: &str) -> Option<Vec<Secret>> {
    let parts = text.split(',').map(str::trim);
    let urls = parts.filter(|_| !text.trim().is_empty()).map(|url| {
        let is_url = ["postgres://", "postgresql://", "mysql://", "mariadb://"]
            .iter()
            .any(|scheme| url.starts_with(scheme));
        is_url.then(|| Secret::from(url))
    });
    urls.collect()
}

/// A list as it is written in the environment; `None` if it contains anything but texts.
pub(super) fn plain_text(values: &[Value]) -> Option<String> {
    let texts: Option<Vec<_>> = values.iter().map(Value::as_str).collect();
    texts.map(|texts| texts.join(","))
}
