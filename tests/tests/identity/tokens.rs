//! Signs tokens with test keys and makes configurations that accept them.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::Body;
use axum::http::Request;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use listing_axum::config::JwtConfig;
use listing_axum::{Config, Jwt};
use listing_tests::{Reply, Service};
use serde_json::{Value, json};

pub(crate) const SECRET: &str = "a secret of at least 32 characters";
pub(crate) const ISSUER: &str = "https://issuer.example";
pub(crate) const AUDIENCE: &str = "blog";

/// The author that the tokens are about.
pub(crate) const AUTHOR: i64 = 7;

/// A key of `keys/`.
pub(crate) fn key_file(name: &str) -> String {
    format!("{}/tests/identity/keys/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// What `listing.toml` says under `[jwt]`.
pub(crate) fn config(text: &str) -> JwtConfig {
    let text = format!("[jwt]\n{text}");
    Config::from_parts("listing.toml", &text, []).unwrap().jwt
}

/// A verifier from what `listing.toml` says under `[jwt]`.
pub(crate) fn jwt(text: &str) -> Jwt {
    Jwt::new(&config(text)).unwrap()
}

/// A verifier that asks for everything that can be asked for.
pub(crate) fn strict(key: &str) -> Jwt {
    jwt(&format!(
        "{key}\nissuer = \"{ISSUER}\"\naudience = \"{AUDIENCE}\""
    ))
}

pub(crate) fn by_secret() -> String {
    format!("secret = \"{SECRET}\"")
}

pub(crate) fn by_key_set() -> String {
    format!("jwks_file = \"{}\"", key_file("jwks.json"))
}

pub(crate) fn by_public_key(algorithm: &str, file: &str) -> String {
    let file = key_file(file);
    format!("algorithm = \"{algorithm}\"\npublic_key_file = \"{file}\"")
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_secs()).unwrap()
}

/// Claims that [`strict`] accepts.
pub(crate) fn claims() -> Value {
    json!({
        "sub": AUTHOR.to_string(),
        "iss": ISSUER,
        "aud": AUDIENCE,
        "exp": now() + 3_600,
        "nbf": now() - 3_600,
    })
}

/// The same claims but for one; null leaves it out.
pub(crate) fn claims_but(name: &str, value: Value) -> Value {
    let mut claims = claims();
    let members = claims.as_object_mut().unwrap();
    members.remove(name);
    if !value.is_null() {
        members.insert(name.to_owned(), value);
    }
    claims
}

/// The key that signs by an algorithm.
pub(crate) fn signing_key(algorithm: Algorithm) -> EncodingKey {
    match algorithm {
        Algorithm::RS256 => EncodingKey::from_rsa_pem(include_bytes!("keys/rsa.pem")).unwrap(),
        Algorithm::ES256 => EncodingKey::from_ec_pem(include_bytes!("keys/ec.pem")).unwrap(),
        Algorithm::EdDSA => EncodingKey::from_ed_pem(include_bytes!("keys/ed.pem")).unwrap(),
        _ => EncodingKey::from_secret(SECRET.as_bytes()),
    }
}

/// A token.
pub(crate) fn sign(algorithm: Algorithm, claims: &Value) -> String {
    let header = Header::new(algorithm);
    encode(&header, claims, &signing_key(algorithm)).unwrap()
}

/// A token that names its key.
pub(crate) fn sign_as(algorithm: Algorithm, key_id: &str, claims: &Value) -> String {
    let mut header = Header::new(algorithm);
    header.kid = Some(key_id.to_owned());
    encode(&header, claims, &signing_key(algorithm)).unwrap()
}

/// `GET` with an `Authorization` header.
pub(crate) async fn get_as(service: &Service, path: &str, authorization: &str) -> Reply {
    let request = Request::get(path)
        .header("authorization", authorization)
        .body(Body::empty())
        .unwrap();
    service.send(request).await
}

/// The author whose articles a list is limited to, if it is.
pub(crate) async fn author_of(service: &Service, token: &str) -> Option<String> {
    let reply = get_as(service, "/api/articles", &format!("Bearer {token}")).await;
    let filters = reply.ok().meta()["filters"].clone();
    let filter = filters.as_array().unwrap().first()?;
    assert_eq!(filter["key"], "author_id");
    Some(filter["value"].as_str().unwrap().to_owned())
}
