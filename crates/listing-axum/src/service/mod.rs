//! The service around lists and records: its configuration, its layers, who is asking, and the console.

#[cfg(feature = "compression")]
mod compress;
mod config;
mod connect;
#[cfg(feature = "console")]
mod console;
mod cors;
mod guard;
mod identify;
#[cfg(feature = "jwt")]
mod jwt;
mod layers;
mod observe;
#[cfg(feature = "rate-limit")]
mod rate_limit;

pub use config::{
    Config, ConfigError, HttpConfig, JwtConfig, KEYS, Key, LogConfig, LogFormat, Period, RateLimit,
    Secret,
};
pub use connect::{connect, reach};
#[cfg(feature = "console")]
pub use console::{
    CONSOLE, ConsoleAnswer, ConsoleError, ConsoleQuestion, ConsoleRoute, ExplainQuestion,
    Explained, console,
};
pub use identify::identify;
#[cfg(feature = "jwt")]
pub use jwt::{Claims, Jwt, JwtError};
pub use layers::{with_defaults, with_observer};
pub use observe::Observer;

use self::guard::shorten;
