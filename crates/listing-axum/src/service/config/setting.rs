//! Converts the fields of configuration keys to TOML.

use listing::{CountMode, CursorKey, Layout, Names, Unindexed};
use toml::Value;

#[cfg(feature = "rate-limit")]
use super::RateLimit;
use super::{LogFormat, Secret};

/// A field that can be written as TOML.
pub(super) trait Setting {
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

impl Setting for Secret {
    fn to_toml(&self) -> Value {
        Value::String(self.expose().to_owned())
    }
}

impl Setting for CountMode {
    fn to_toml(&self) -> Value {
        Value::String(self.to_string())
    }
}

impl Setting for LogFormat {
    fn to_toml(&self) -> Value {
        Value::String(self.to_string())
    }
}

impl Setting for Names {
    fn to_toml(&self) -> Value {
        Value::String(self.to_string())
    }
}

impl Setting for Unindexed {
    fn to_toml(&self) -> Value {
        Value::String(self.to_string())
    }
}

impl Setting for CursorKey {
    fn to_toml(&self) -> Value {
        Value::String(self.as_str().to_owned())
    }
}

#[cfg(feature = "rate-limit")]
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
                // TOML has no larger integers, and `positive` accepts none.
                Value::Integer(i64::try_from(*self).unwrap_or(i64::MAX))
            }
        }
    )+};
}

integers! { u32 u64 usize }
