//! The settings for tokens.

use super::Secret;

/// How JSON Web Tokens are verified. Tokens are ignored unless a secret, a key or a key set is configured.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct JwtConfig {
    /// `HS256`, `RS256`, `ES256` or `EdDSA`; not needed with a key set.
    pub algorithm: String,
    /// The shared secret of `HS256`.
    pub secret: Secret,
    /// A file with the public key, in PEM.
    pub public_key_file: String,
    /// A file with a JSON Web Key Set.
    pub jwks_file: String,
    /// The issuer that the token must have; empty for any.
    pub issuer: String,
    /// The audience that the token must have; empty for any.
    pub audience: String,
    /// The seconds by which clocks may differ.
    pub leeway_seconds: u64,
}

impl JwtConfig {
    /// The most that `leeway_seconds` can be.
    pub const LARGEST_LEEWAY: u64 = 3_600;
}
