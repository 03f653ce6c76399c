//! Reads the targets of webhooks, `[webhooks.<name>]`, from the file and from the environment (b1191).

use std::collections::BTreeMap;

use listing::nearest;
use toml::Value;

use super::super::webhooks::{Url, keys};
use super::keys::{literal, positive, seconds};
use super::{ConfigError, Secret, plain_text};
use crate::records::deliveries::LONGEST_TARGET;

/// A target that receives events.
///
/// ```
/// use listing_axum::Config;
/// use listing_axum::config::WebhookConfig;
///
/// let mut config = Config::default();
/// let mut crm = WebhookConfig::new("https://crm.example.org/hooks", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
/// crm.events = vec!["articles.*".to_owned()];
/// config.webhooks.insert("crm".to_owned(), crm);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WebhookConfig {
    /// Where messages are sent. It is never shown, because it often contains a token.
    pub url: Secret,
    /// The secret that signs messages: `whsec_` and a key in base64. Several, separated by spaces, all sign.
    pub secret: Secret,
    /// The events that it receives, such as `articles.store` and `comments.*`; every event if empty.
    pub events: Vec<String>,
    /// Whether the address may be private.
    pub allow_private: bool,
    /// How long one attempt may take.
    pub timeout_seconds: u64,
    /// The most attempts in flight at the same time.
    pub concurrency: usize,
    /// A PEM file with certificates to trust in addition to those of the system; empty for none.
    pub ca_file: String,
}

impl WebhookConfig {
    /// A target with this address and this secret.
    #[must_use]
    pub fn new(url: impl Into<Secret>, secret: impl Into<Secret>) -> Self {
        Self {
            url: url.into(),
            secret: secret.into(),
            events: Vec::new(),
            allow_private: false,
            timeout_seconds: 10,
            concurrency: 4,
            ca_file: String::new(),
        }
    }

    /// The values that a key accepts, for error messages.
    pub(in super::super) fn expected(name: &str) -> String {
        let key = WEBHOOK_KEYS.iter().find(|key| key.name == name);
        format!(
            "expected {}",
            key.map_or("another value", |key| key.expected)
        )
    }
}

/// A key of a target, `[webhooks.<name>]`.
#[derive(Debug, Clone, Copy)]
pub struct WebhookKey {
    /// Its name: `url`.
    pub name: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// The values that it accepts.
    pub expected: &'static str,
    /// Its default, as written in the file; `None` if it is required.
    pub default: Option<&'static str>,
    of_text: fn(&str) -> Value,
    set: fn(&mut WebhookConfig, &Value) -> Option<()>,
}

/// Every key of a target.
pub const WEBHOOK_KEYS: &[WebhookKey] = &[
    WebhookKey {
        name: "url",
        meaning: "Where messages are sent. It is never shown.",
        expected: "an `https://` or `http://` URL without user and fragment",
        default: None,
        of_text: text,
        set: |target, value| {
            let url = value.as_str().filter(|url| Url::parse(url).is_some())?;
            target.url = url.into();
            Some(())
        },
    },
    WebhookKey {
        name: "secret",
        meaning: "What messages are signed with; several with spaces in between all sign. It is never shown.",
        expected: "`whsec_` and 24 to 64 bytes in base64",
        default: None,
        of_text: text,
        set: |target, value| {
            let secret = value.as_str().filter(|secret| keys(secret).is_some())?;
            target.secret = secret.into();
            Some(())
        },
    },
    WebhookKey {
        name: "events",
        meaning: "Which events it is told of; without it, every event.",
        expected: "a list such as `[\"articles.store\", \"comments.*\"]`, in the environment separated by commas",
        default: Some("every event"),
        of_text: |text| {
            let words = text.split(',').map(|word| word.trim().into());
            Value::Array(words.collect())
        },
        set: |target, value| {
            let words = value.as_array().filter(|words| !words.is_empty())?;
            let words = words.iter().map(|word| Some(word.as_str()?.to_owned()));
            target.events = words.collect::<Option<_>>()?;
            Some(())
        },
    },
    WebhookKey {
        name: "allow_private",
        meaning: "Whether its address may be one that is not public: of this machine, or of a private network.",
        expected: "`true` or `false`",
        default: Some("false"),
        of_text: parsed::<bool>,
        set: |target, value| {
            target.allow_private = value.as_bool()?;
            Some(())
        },
    },
    WebhookKey {
        name: "timeout_seconds",
        meaning: "How long one attempt may take.",
        expected: "an integer from 1 to 300",
        default: Some("10"),
        of_text: parsed::<i64>,
        set: |target, value| {
            let text = plain_text(value).filter(|_| value.is_integer())?;
            target.timeout_seconds = seconds(&text).filter(|seconds| *seconds <= 300)?;
            Some(())
        },
    },
    WebhookKey {
        name: "concurrency",
        meaning: "Attempts that are under way at the same time, at most.",
        expected: "an integer from 1 to 100",
        default: Some("4"),
        of_text: parsed::<i64>,
        set: |target, value| {
            let text = plain_text(value).filter(|_| value.is_integer())?;
            target.concurrency = positive(&text).filter(|number| *number <= 100)?;
            Some(())
        },
    },
    WebhookKey {
        name: "ca_file",
        meaning: "A file with certificates to trust besides those of the system, in PEM; empty for none.",
        expected: "a file's path",
        default: Some("\"\""),
        of_text: text,
        set: |target, value| {
            value.as_str()?.clone_into(&mut target.ca_file);
            Some(())
        },
    },
];

/// The prefix of the variables of targets.
const PREFIX: &str = "LISTING_WEBHOOKS_";

const NAMES: &str = "the name of a target has lowercase letters, digits and `_`, begins with a letter, and has at most 64 characters";

/// The targets that have been named so far.
#[derive(Default)]
pub(super) struct Targets(BTreeMap<String, WebhookConfig>);

impl Targets {
    /// Reads the table `webhooks` of the file.
    pub(super) fn read_file(&mut self, file: &str, webhooks: &Value) -> Result<(), ConfigError> {
        let unknown = |key: String, suggestion: String| ConfigError::UnknownKey {
            file: file.to_owned(),
            key,
            suggestion,
        };
        let in_table = "a target is a table, `[webhooks.<name>]`";
        let Value::Table(targets) = webhooks else {
            return Err(unknown("webhooks".to_owned(), in_table.to_owned()));
        };
        for (name, keys) in targets {
            let Value::Table(keys) = keys else {
                return Err(unknown(format!("webhooks.{name}"), in_table.to_owned()));
            };
            if !is_name(name) {
                return Err(unknown(format!("webhooks.{name}"), NAMES.to_owned()));
            }
            let target = self.target(name);
            for (key, value) in keys {
                let Some(known) = WEBHOOK_KEYS.iter().find(|known| known.name == key) else {
                    return Err(unknown(format!("webhooks.{name}.{key}"), near_key(key)));
                };
                known.read(target, file.to_owned(), name, value)?;
            }
        }
        Ok(())
    }

    /// Reads a variable if it belongs to a target. Returns whether it does.
    pub(super) fn read_variable(
        &mut self,
        variable: &str,
        text: &str,
    ) -> Result<bool, ConfigError> {
        let Some((name, key)) = variable.strip_prefix(PREFIX).and_then(split) else {
            return Ok(false);
        };
        let place = format!("the variable {variable}");
        key.read(self.target(&name), place, &name, &(key.of_text)(text))?;
        Ok(true)
    }

    /// The variable that was probably meant, for one that begins like those of targets.
    pub(super) fn suggestion(&self, variable: &str) -> Option<String> {
        let rest = variable.strip_prefix(PREFIX)?;
        let known: Vec<_> = self.0.keys().flat_map(|name| variables(name)).collect();
        let bare = known.iter().filter_map(|known| known.strip_prefix(PREFIX));
        Some(match nearest(rest, bare) {
            Some(near) => format!("did you mean `{PREFIX}{near}`?"),
            None => {
                let keys: Vec<_> = WEBHOOK_KEYS.iter().map(WebhookKey::variable).collect();
                format!(
                    "after the name of a target it ends in one of {}",
                    keys.join(", ")
                )
            }
        })
    }

    /// All targets, each with all required keys.
    pub(super) fn complete(self) -> Result<BTreeMap<String, WebhookConfig>, ConfigError> {
        for (name, target) in &self.0 {
            for (key, value) in [("url", &target.url), ("secret", &target.secret)] {
                if value.is_empty() {
                    return Err(ConfigError::MissingKey {
                        key: format!("webhooks.{name}.{key}"),
                        variable: format!("{PREFIX}{}_{}", name.to_uppercase(), key.to_uppercase()),
                    });
                }
            }
        }
        Ok(self.0)
    }

    fn target(&mut self, name: &str) -> &mut WebhookConfig {
        let target = || WebhookConfig::new("", "");
        self.0.entry(name.to_owned()).or_insert_with(target)
    }
}

impl WebhookKey {
    /// The suffix of the key's variables: `_URL`.
    fn variable(&self) -> String {
        format!("_{}", self.name.to_uppercase())
    }

    fn read(
        &self,
        target: &mut WebhookConfig,
        place: String,
        name: &str,
        value: &Value,
    ) -> Result<(), ConfigError> {
        (self.set)(target, value).ok_or_else(|| ConfigError::WrongValue {
            place,
            key: format!("webhooks.{name}.{}", self.name),
            value: match self.default {
                None => "a value that is not shown".to_owned(),
                Some(_) => literal(value),
            },
            expected: self.expected,
        })
    }
}

/// Splits a variable without its prefix, such as `CRM_URL`, into target and key.
fn split(rest: &str) -> Option<(String, &'static WebhookKey)> {
    WEBHOOK_KEYS.iter().find_map(|key| {
        let name = rest.strip_suffix(&key.variable())?;
        let lower = name.to_ascii_lowercase();
        (is_name(&lower) && lower.to_ascii_uppercase() == name).then_some((lower, key))
    })
}

fn variables(name: &str) -> impl Iterator<Item = String> {
    let start = format!("{PREFIX}{}", name.to_uppercase());
    WEBHOOK_KEYS
        .iter()
        .map(move |key| format!("{start}{}", key.variable()))
}

fn near_key(key: &str) -> String {
    let names: Vec<_> = WEBHOOK_KEYS.iter().map(|key| key.name).collect();
    match nearest(key, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("keys of a target: {}", names.join(", ")),
    }
}

fn is_name(name: &str) -> bool {
    let may = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    name.len() <= LONGEST_TARGET
        && name.bytes().all(may)
        && name.starts_with(|first: char| first.is_ascii_lowercase())
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

/// The value as it would be in the file, or the text itself, which no such key accepts.
fn parsed<T: std::str::FromStr + Into<Value>>(text: &str) -> Value {
    text.parse::<T>().map_or_else(|_| text.into(), Into::into)
}
