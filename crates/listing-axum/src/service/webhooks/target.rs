//! A target that is ready for messages: its configuration has been checked completely.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;

use super::super::config::WebhookConfig;
use super::WebhookError;
use super::address::is_public;
use super::connection::encryption;
use super::selection::Selection;
use super::signature::keys;
use super::url::Url;
use crate::records::Served;

/// A checked target.
pub(super) struct Target {
    pub(super) name: String,
    pub(super) url: Url,
    pub(super) keys: Vec<Vec<u8>>,
    pub(super) selection: Selection,
    pub(super) allow_private: bool,
    /// The time for one attempt, from resolving the host to receiving the status of the answer.
    pub(super) timeout: Duration,
    /// The most attempts in flight at the same time.
    pub(super) concurrency: usize,
    /// Only for `https://`.
    pub(super) encryption: Option<Arc<ClientConfig>>,
}

impl Target {
    pub(super) fn of(
        name: &str,
        config: &WebhookConfig,
        lists: &[Served],
    ) -> Result<Self, WebhookError> {
        let wrong = |key: &'static str, problem: String| WebhookError {
            target: name.to_owned(),
            key,
            problem,
        };
        let url = Url::parse(config.url.expose())
            .ok_or_else(|| wrong("url", WebhookConfig::expected("url")))?;
        let keys = keys(config.secret.expose())
            .ok_or_else(|| wrong("secret", WebhookConfig::expected("secret")))?;
        let address: Option<IpAddr> = url.host.parse().ok();
        if !config.allow_private && address.is_some_and(|address| !is_public(address)) {
            let problem = "its address is private, and `allow_private` is off";
            return Err(wrong("url", problem.to_owned()));
        }
        let selection = Selection::of(&config.events, lists);
        let encryption = match url.is_https {
            true => Some(encryption(&config.ca_file).map_err(|error| wrong("ca_file", error))?),
            false => None,
        };
        Ok(Self {
            name: name.to_owned(),
            url,
            keys,
            selection: selection.map_err(|problem| wrong("events", problem))?,
            allow_private: config.allow_private,
            timeout: Duration::from_secs(config.timeout_seconds),
            concurrency: config.concurrency.max(1),
            encryption,
        })
    }
}

/// Shows only the name, because an address often contains a token.
impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
