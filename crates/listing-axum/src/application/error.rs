//! Why a service did not start, in words for the terminal.

use std::error::Error;
use std::fmt;

use listing::DefinitionErrors;

/// Why a service did not start. Returned from `main`, it is shown as a sentence with its causes.
#[non_exhaustive]
pub enum ServiceError {
    /// The configuration could not be read.
    Config(crate::service::ConfigError),
    /// Everything that is wrong in any definition.
    Definitions(DefinitionErrors),
    /// Anything else: what could not be done, and why.
    Failed {
        /// The task that failed, as a sentence without a full stop.
        what: String,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
    /// An argument of the program that it does not know.
    UnknownArgument(String),
}

impl ServiceError {
    pub(super) fn failed(
        what: impl Into<String>,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        Self::Failed {
            what: what.into(),
            source: source.into(),
        }
    }
}

impl fmt::Display for ServiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => error.fmt(f),
            Self::Definitions(errors) => errors.fmt(f),
            Self::Failed { what, .. } => f.write_str(what),
            Self::UnknownArgument(argument) => write!(
                f,
                "unknown argument `{argument}`; `migrate` creates the tables and exits"
            ),
        }
    }
}

/// The output of Rust when `main` returns an error.
impl fmt::Debug for ServiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        let mut cause = self.source();
        if cause.is_some() {
            f.write_str("\n\nCaused by:")?;
        }
        while let Some(error) = cause {
            write!(f, "\n    {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl Error for ServiceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Config(error) => error.source(),
            Self::Failed { source, .. } => Some(&**source),
            Self::Definitions(_) | Self::UnknownArgument(_) => None,
        }
    }
}

impl From<crate::service::ConfigError> for ServiceError {
    fn from(error: crate::service::ConfigError) -> Self {
        Self::Config(error)
    }
}

impl From<DefinitionErrors> for ServiceError {
    fn from(errors: DefinitionErrors) -> Self {
        Self::Definitions(errors)
    }
}
