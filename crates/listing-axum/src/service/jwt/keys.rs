//! Loads the keys that tokens are verified with from what `listing.toml` says.

use std::fs;

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet};
use jsonwebtoken::jwk::{KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, Validation, decode};
use serde_json::{Map, Value};

use crate::service::JwtConfig;

/// A key, and the claims that a token signed by it must have.
pub(super) struct VerifyingKey {
    /// The name that a token's header uses for it.
    pub(super) id: Option<String>,
    pub(super) key: DecodingKey,
    pub(super) validation: Validation,
}

/// An error in the configuration of tokens, and its remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JwtError {
    /// A file cannot be read.
    #[error(
        "`{key}` names the file `{file}`, which cannot be read: {error}; a path begins at the folder that the \
         service is started in"
    )]
    Unreadable {
        /// The key of `listing.toml`.
        key: &'static str,
        /// The file.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// A file has the wrong content.
    #[error("`{key}` names the file `{file}`, {problem}")]
    Unusable {
        /// The key of `listing.toml`.
        key: &'static str,
        /// The file.
        file: String,
        /// Why, and what would be right.
        problem: String,
    },
    /// The values in `listing.toml` contradict each other.
    #[error("{0}")]
    Contradiction(&'static str),
}

/// The keys of a configuration; empty if it names no keys.
pub(super) fn of(config: &JwtConfig) -> Result<Vec<VerifyingKey>, JwtError> {
    consistent(config)?;
    if !config.secret.is_empty() {
        Ok(vec![secret(config)?])
    } else if !config.public_key_file.is_empty() {
        Ok(vec![public_key(config)?])
    } else if !config.jwks_file.is_empty() {
        key_set(config)
    } else {
        Ok(Vec::new())
    }
}

fn consistent(config: &JwtConfig) -> Result<(), JwtError> {
    let given = [
        config.secret.expose(),
        &config.public_key_file,
        &config.jwks_file,
    ];
    let given = given.iter().filter(|given| !given.is_empty()).count();
    if given > 1 {
        return Err(JwtError::Contradiction(
            "give one of `jwt.secret`, `jwt.public_key_file` and `jwt.jwks_file`, not several",
        ));
    }
    let demands = [&config.algorithm, &config.issuer, &config.audience];
    if given == 0 && demands.iter().any(|demand| !demand.is_empty()) {
        return Err(JwtError::Contradiction(
            "tokens are ignored unless a key is configured: give `jwt.secret`, `jwt.public_key_file` or `jwt.jwks_file`, or \
             leave out `jwt.algorithm`, `jwt.issuer` and `jwt.audience`",
        ));
    }
    if config.leeway_seconds > JwtConfig::LARGEST_LEEWAY {
        return Err(JwtError::Contradiction(
            "`jwt.leeway_seconds` is at most 3600: no token should outlive its time by more",
        ));
    }
    Ok(())
}

fn secret(config: &JwtConfig) -> Result<VerifyingKey, JwtError> {
    if !["", "HS256"].contains(&config.algorithm.as_str()) {
        return Err(JwtError::Contradiction(
            "`jwt.secret` goes with `jwt.algorithm = \"HS256\"`; other algorithms take `jwt.public_key_file`",
        ));
    }
    // A shorter secret than the hash can be guessed.
    if config.secret.expose().len() < 32 {
        return Err(JwtError::Contradiction(
            "`jwt.secret` must have at least 32 bytes, drawn at random: `openssl rand -base64 32` makes one",
        ));
    }
    Ok(VerifyingKey {
        id: None,
        key: DecodingKey::from_secret(config.secret.expose().as_bytes()),
        validation: validation(Algorithm::HS256, config),
    })
}

fn public_key(config: &JwtConfig) -> Result<VerifyingKey, JwtError> {
    let (name, file) = ("jwt.public_key_file", &config.public_key_file);
    let (algorithm, from_pem): (_, fn(&[u8]) -> _) = match config.algorithm.as_str() {
        "RS256" => (Algorithm::RS256, DecodingKey::from_rsa_pem),
        "ES256" => (Algorithm::ES256, DecodingKey::from_ec_pem),
        "EdDSA" => (Algorithm::EdDSA, DecodingKey::from_ed_pem),
        _ => {
            return Err(JwtError::Contradiction(
                "`jwt.public_key_file` needs `jwt.algorithm`: `RS256`, `ES256` or `EdDSA`",
            ));
        }
    };
    let pem = read(name, file)?;
    if String::from_utf8_lossy(&pem).contains("PRIVATE KEY") {
        let problem = "which contains a private key; keep that with the signer, and use the output of \
                       `openssl pkey -in FILE -pubout` instead";
        return Err(unusable(name, file, problem));
    }
    let key = from_pem(&pem).ok();
    key.filter(|key| can_verify(key, algorithm))
        .map(|key| VerifyingKey {
            id: None,
            key,
            validation: validation(algorithm, config),
        })
        .ok_or_else(|| {
            let problem = format!("which does not hold a valid {} in PEM", wanted(algorithm));
            unusable(name, file, problem)
        })
}

fn key_set(config: &JwtConfig) -> Result<Vec<VerifyingKey>, JwtError> {
    if !config.algorithm.is_empty() {
        return Err(JwtError::Contradiction(
            "leave out `jwt.algorithm` when you give `jwt.jwks_file`: each key of the set has its own",
        ));
    }
    let (name, file) = ("jwt.jwks_file", &config.jwks_file);
    let set: JwkSet = serde_json::from_slice(&read(name, file)?).map_err(|error| {
        let problem =
            format!("which does not hold a JSON Web Key Set (`{{\"keys\": [...]}}`): {error}");
        unusable(name, file, problem)
    })?;
    let mut keys = Vec::with_capacity(set.keys.len());
    for jwk in &set.keys {
        // The set may also contain keys for other purposes.
        let Some(algorithm) = algorithm_of(jwk).filter(|_| is_for_signatures(jwk)) else {
            continue;
        };
        let id = jwk.common.key_id.clone();
        let key = DecodingKey::from_jwk(jwk).ok();
        let Some(key) = key.filter(|key| can_verify(key, algorithm)) else {
            let id = id.map_or("without `kid`".to_owned(), |id| format!("`{id}`"));
            let problem = format!("whose key {id} is not a valid {}", wanted(algorithm));
            return Err(unusable(name, file, problem));
        };
        keys.push(VerifyingKey {
            id,
            key,
            validation: validation(algorithm, config),
        });
    }
    if keys.is_empty() {
        let problem = "which has no public key that signs by RS256, ES256 or EdDSA";
        return Err(unusable(name, file, problem));
    }
    Ok(keys)
}

/// The algorithm that a key's own type allows; never the token's word for it.
fn algorithm_of(jwk: &Jwk) -> Option<Algorithm> {
    let by_type = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(ec) if ec.curve == EllipticCurve::P256 => {
            Algorithm::ES256
        }
        AlgorithmParameters::OctetKeyPair(pair) if pair.curve == EllipticCurve::Ed25519 => {
            Algorithm::EdDSA
        }
        _ => return None,
    };
    match jwk.common.key_algorithm {
        None => Some(by_type),
        Some(said) => (said.to_string() == format!("{by_type:?}")).then_some(by_type),
    }
}

fn is_for_signatures(jwk: &Jwk) -> bool {
    let used = &jwk.common.public_key_use;
    let operations = &jwk.common.key_operations;
    used.as_ref()
        .is_none_or(|used| *used == PublicKeyUse::Signature)
        && operations
            .as_ref()
            .is_none_or(|operations| operations.contains(&KeyOperations::Verify))
}

/// Whether a key verifies anything, and not too easily. The library finds out when the first token comes; an Ed25519 key
/// of too few bytes even makes it panic.
fn can_verify(key: &DecodingKey, algorithm: Algorithm) -> bool {
    let probe = match (algorithm, key.kind()) {
        // 2,048 bits are the least that RS256 allows (RFC 7518, 3.3), 4,096 the most that the library takes. Around the
        // modulus, DER has the exponent and the lengths of both.
        (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { n, .. }) => {
            return (256..=513).contains(&n.len());
        }
        (Algorithm::RS256, DecodingKeyKind::SecretOrDer(der)) => {
            return (264..=536).contains(&der.len());
        }
        (Algorithm::EdDSA, DecodingKeyKind::SecretOrDer(key)) if key.len() != 32 => return false,
        (Algorithm::EdDSA, _) => "eyJhbGciOiJFZERTQSJ9",
        _ => "eyJhbGciOiJFUzI1NiJ9",
    };
    let token = format!("{probe}.e30.{}", "A".repeat(86));
    let refused = decode::<Map<String, Value>>(token, key, &Validation::new(algorithm));
    matches!(refused, Err(error) if *error.kind() == ErrorKind::InvalidSignature)
}

fn wanted(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::RS256 => "RSA public key of 2,048 to 4,096 bits",
        Algorithm::ES256 => "public key on the curve P-256",
        _ => "public key for Ed25519",
    }
}

fn validation(algorithm: Algorithm, config: &JwtConfig) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.leeway = config.leeway_seconds;
    validation.validate_nbf = true;
    if !config.issuer.is_empty() {
        validation.set_issuer(&[&config.issuer]);
        validation.required_spec_claims.insert("iss".to_owned());
    }
    if config.audience.is_empty() {
        validation.validate_aud = false;
    } else {
        validation.set_audience(&[&config.audience]);
        validation.required_spec_claims.insert("aud".to_owned());
    }
    validation
}

fn read(key: &'static str, file: &str) -> Result<Vec<u8>, JwtError> {
    fs::read(file).map_err(|error| JwtError::Unreadable {
        key,
        file: file.to_owned(),
        error,
    })
}

fn unusable(key: &'static str, file: &str, problem: impl Into<String>) -> JwtError {
    JwtError::Unusable {
        key,
        file: file.to_owned(),
        problem: problem.into(),
    }
}
