//! The errors of a configuration.

/// An error in a configuration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file exists and cannot be read.
    #[error("{file}: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// The reason.
        error: std::io::Error,
    },
    /// The file is not TOML. The line itself is not shown, because it may contain a secret.
    #[error("{file}: line {line}: {problem}")]
    NotToml {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// The reason.
        problem: String,
    },
    /// There is no such key.
    #[error("{file}: there is no key `{key}`; {suggestion}")]
    UnknownKey {
        /// The file.
        file: String,
        /// The key.
        key: String,
        /// The name that was probably meant.
        suggestion: String,
    },
    /// There is no such environment variable.
    #[error("the variable {variable} is unknown; {suggestion}")]
    UnknownVariable {
        /// The variable.
        variable: String,
        /// The name that was probably meant.
        suggestion: String,
    },
    /// The key does not accept this value.
    #[error("{place}: `{key}` is {value}, expected {expected}")]
    WrongValue {
        /// The file, or the environment variable.
        place: String,
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// The values that it accepts.
        expected: &'static str,
    },
    /// A required key is missing.
    #[error("`{key}` is missing: set it in the file, or by the variable {variable}")]
    MissingKey {
        /// The key.
        key: String,
        /// The variable that can be set instead.
        variable: String,
    },
}
