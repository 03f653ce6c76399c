//! The settings for traces.

/// Where traces are sent, in applications with the feature `opentelemetry`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtlpConfig {
    /// A collector that takes OTLP over HTTP; empty for none.
    pub endpoint: String,
}
