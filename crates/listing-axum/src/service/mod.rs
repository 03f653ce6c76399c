//! The service around lists and records: its configuration, its layers, who is asking, and the console.

mod compress;
mod config;
mod connect;
mod console;
mod identify;
#[cfg(feature = "jwt")]
mod jwt;
mod layers;
mod rate_limit;

pub use config::{Config, ConfigError, HttpConfig, JwtConfig, KEYS, Key, Period, RateLimit};
pub use connect::connect;
pub use console::{
    CONSOLE, ConsoleAnswer, ConsoleError, ConsoleQuestion, ConsoleRoute, ExplainQuestion,
    Explained, console,
};
pub use identify::identify;
#[cfg(feature = "jwt")]
pub use jwt::{Claims, Jwt, JwtError};
pub use layers::with_defaults;
