//! The service around lists and records: its configuration, its layers, its callers, and the console.

mod admit;
mod body;
#[cfg(feature = "compression")]
mod compress;
#[cfg(feature = "compression")]
mod compress_stream;
mod config;
mod connect;
mod connections;
#[cfg(feature = "console")]
mod console;
mod cors;
mod database_url;
mod dispatch;
mod guard;
#[cfg(feature = "https")]
mod https;
#[cfg(not(feature = "https"))]
#[path = "no_https.rs"]
mod https;
mod identify;
#[cfg(feature = "jwt")]
mod jwt;
mod layers;
mod observe;
mod positions;
#[cfg(feature = "rate-limit")]
mod rate_limit;
mod sending;
mod serve;
mod under_way;
#[cfg(feature = "webhooks")]
mod webhooks;

pub use config::{
    Config, ConfigError, HttpConfig, JwtConfig, KEYS, Key, LogConfig, LogFormat, OtlpConfig,
    Period, RateLimit, Secret,
};
#[cfg(feature = "webhooks")]
pub use config::{WEBHOOK_KEYS, WebhookConfig, WebhookKey};
pub use connect::{connect, connect_within, reach};
#[cfg(feature = "console")]
pub use console::{
    CONSOLE, ConsoleAnswer, ConsoleError, ConsoleQuestion, ConsoleRoute, ExplainQuestion,
    Explained, console,
};
pub use database_url::without_url;
pub use dispatch::Dispatcher;
pub use identify::{Identified, Identify, identify};
#[cfg(feature = "jwt")]
pub use jwt::{Claims, Jwt, JwtError};
pub use layers::{WithDefaults, with_defaults, with_observer};
pub use observe::Observer;
pub use positions::with_positions;
pub use serve::{Server, serve};
#[cfg(feature = "webhooks")]
pub use webhooks::{WebhookError, Webhooks};

use self::guard::shorten;
