//! The settings for tokens.

/// How JSON Web Tokens are verified. Without a secret, a key or a key set, no token is looked at.
#[derive(Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct JwtConfig {
    /// `HS256`, `RS256`, `ES256` or `EdDSA`; a key set says it itself.
    pub algorithm: String,
    /// The shared secret of `HS256`.
    pub secret: String,
    /// A file with the public key, in PEM.
    pub public_key_file: String,
    /// A file with a JSON Web Key Set.
    pub jwks_file: String,
    /// Who must have issued the token; empty for anybody.
    pub issuer: String,
    /// For whom the token must be; empty for anybody.
    pub audience: String,
    /// Seconds by which clocks may differ.
    pub leeway_seconds: u64,
}

impl JwtConfig {
    /// The most that `leeway_seconds` can be.
    pub const LARGEST_LEEWAY: u64 = 3_600;
}

// Configurations are logged; the secret is not.
impl std::fmt::Debug for JwtConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let secret = if self.secret.is_empty() { "" } else { "…" };
        f.debug_struct("JwtConfig")
            .field("algorithm", &self.algorithm)
            .field("secret", &secret)
            .field("public_key_file", &self.public_key_file)
            .field("jwks_file", &self.jwks_file)
            .field("issuer", &self.issuer)
            .field("audience", &self.audience)
            .field("leeway_seconds", &self.leeway_seconds)
            .finish()
    }
}
