//! What can be wrong with a configuration.

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
    /// The file is not TOML. The line itself is not repeated: it may hold a secret.
    #[error("{file}: line {line}: {problem}")]
    NotToml {
        /// The file.
        file: String,
        /// Where.
        line: usize,
        /// Why.
        problem: String,
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
    /// There is no such environment variable.
    #[error("the variable {variable} is unknown; {suggestion}")]
    UnknownVariable {
        /// The variable.
        variable: String,
        /// What was probably meant.
        suggestion: String,
    },
    /// The key does not take this value.
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
