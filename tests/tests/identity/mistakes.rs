//! Mistakes in the configuration of tokens stop the program at start-up with the remedy.

use listing_axum::config::JwtConfig;
use listing_axum::{Config, Jwt};

use crate::tokens::{SECRET, by_key_set, by_public_key, by_secret, config, key_file};

/// What is said when the program should not start.
#[track_caller]
fn mistake(text: &str) -> String {
    Jwt::new(&config(text)).unwrap_err().to_string()
}

/// Writes a file that is wrong, and says what is said about it.
#[track_caller]
fn mistake_in_key_set(name: &str, text: &str) -> String {
    let folder = std::env::temp_dir().join(format!("listing-identity-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.json"));
    std::fs::write(&file, text).unwrap();
    let message = mistake(&format!("jwks_file = '{}'", file.display()));
    std::fs::remove_file(&file).unwrap();
    let _ = std::fs::remove_dir(&folder);
    assert!(message.contains(&file.display().to_string()), "{message}");
    assert!(message.starts_with("`jwt.jwks_file` names"), "{message}");
    message
}

/// Rule d64.
#[test]
fn keys_that_contradict_each_other_are_named_with_the_remedy() {
    let several =
        "give one of `jwt.secret`, `jwt.public_key_file` and `jwt.jwks_file`, not several";
    let no_key = "tokens are ignored unless a key is configured: give `jwt.secret`, `jwt.public_key_file` or `jwt.jwks_file`, \
                  or leave out `jwt.algorithm`, `jwt.issuer` and `jwt.audience`";
    let public = "`jwt.public_key_file` needs `jwt.algorithm`: `RS256`, `ES256` or `EdDSA`";
    let secret = "`jwt.secret` goes with `jwt.algorithm = \"HS256\"`; other algorithms take `jwt.public_key_file`";
    let set =
        "leave out `jwt.algorithm` when you give `jwt.jwks_file`: each key of the set has its own";
    let short = "`jwt.secret` must have at least 32 bytes, drawn at random: `openssl rand -base64 32` makes one";
    let rsa = key_file("rsa.pub.pem");
    for (text, message) in [
        (format!("{}\n{}", by_secret(), by_key_set()), several),
        (
            format!("{}\npublic_key_file = '{rsa}'", by_secret()),
            several,
        ),
        (
            format!("{}\npublic_key_file = '{rsa}'", by_key_set()),
            several,
        ),
        ("algorithm = 'RS256'".to_owned(), no_key),
        ("issuer = 'https://issuer.example'".to_owned(), no_key),
        ("audience = 'blog'".to_owned(), no_key),
        (format!("public_key_file = '{rsa}'"), public),
        (by_public_key("HS256", "rsa.pub.pem"), public),
        (format!("algorithm = 'RS256'\n{}", by_secret()), secret),
        (format!("algorithm = 'RS256'\n{}", by_key_set()), set),
        (format!("secret = '{}'", &SECRET[..31]), short),
        ("secret = 'x'".to_owned(), short),
    ] {
        assert_eq!(mistake(&text), message, "{text}");
    }
    Jwt::new(&config(&format!("secret = '{}'", &SECRET[..32]))).unwrap();
    Jwt::new(&config(&format!("algorithm = 'HS256'\n{}", by_secret()))).unwrap();
}

/// Rule d64.
#[test]
fn a_public_key_that_verifies_nothing_is_named_with_the_remedy() {
    let rsa = "RSA public key of 2,048 to 4,096 bits in PEM";
    let ec = "public key on the curve P-256 in PEM";
    let ed = "public key for Ed25519 in PEM";
    for (algorithm, file, wanted) in [
        ("RS256", "ec.pub.pem", rsa),
        ("RS256", "ed.pub.pem", rsa),
        ("RS256", "rsa_1024.pub.pem", rsa),
        ("RS256", "jwks.json", rsa),
        ("ES256", "rsa.pub.pem", ec),
        ("ES256", "ec_p384.pub.pem", ec),
        ("ES256", "ed.pub.pem", ec),
        ("EdDSA", "rsa.pub.pem", ed),
        ("EdDSA", "ec.pub.pem", ed),
    ] {
        let expected = format!(
            "`jwt.public_key_file` names the file `{}`, which does not hold a valid {wanted}",
            key_file(file)
        );
        assert_eq!(mistake(&by_public_key(algorithm, file)), expected);
    }
    for (algorithm, file) in [
        ("RS256", "rsa.pem"),
        ("ES256", "ec.pem"),
        ("EdDSA", "ed.pem"),
    ] {
        let message = mistake(&by_public_key(algorithm, file));
        let problem = "which contains a private key; keep that with the signer, and use the output of \
                       `openssl pkey -in FILE -pubout` instead";
        assert!(message.ends_with(problem), "{message}");
    }
}

/// Rule d64.
#[test]
fn a_file_that_is_not_there_is_named_with_the_remedy() {
    let remedy = "; a path begins at the folder that the service is started in";
    for (text, key) in [
        ("jwks_file = 'missing.json'", "jwt.jwks_file"),
        (
            "algorithm = 'RS256'\npublic_key_file = 'missing.json'",
            "jwt.public_key_file",
        ),
    ] {
        let message = mistake(text);
        let start = format!("`{key}` names the file `missing.json`, which cannot be read: ");
        assert!(message.starts_with(&start), "{message}");
        assert!(message.ends_with(remedy), "{message}");
    }
}

/// Rule d64.
#[test]
fn a_key_set_that_verifies_nothing_is_named_with_the_remedy() {
    let no_set = "which does not hold a JSON Web Key Set (`{\"keys\": [...]}`)";
    let no_key = "which has no public key that signs by RS256, ES256 or EdDSA";
    for (text, problem) in [
        ("", no_set),
        ("{}", no_set),
        ("-----BEGIN PUBLIC KEY-----", no_set),
        (r#"{"keys": []}"#, no_key),
        (r#"{"keys": [{"kty": "oct", "k": "c2VjcmV0"}]}"#, no_key),
        (
            r#"{"keys": [{"kty": "RSA", "n": "AQAB", "e": "AQAB", "use": "enc"}]}"#,
            no_key,
        ),
        (
            r#"{"keys": [{"kty": "RSA", "n": "AQAB", "e": "AQAB", "alg": "RSA-OAEP"}]}"#,
            no_key,
        ),
        (
            r#"{"keys": [{"kty": "RSA", "n": "AQAB", "e": "AQAB", "alg": "RS512"}]}"#,
            no_key,
        ),
        (
            r#"{"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "AA", "key_ops": ["sign"]}]}"#,
            no_key,
        ),
        (
            r#"{"keys": [{"kty": "RSA", "kid": "a", "n": "AQAB", "e": "AQAB"}]}"#,
            "whose key `a` is not a valid RSA public key of 2,048 to 4,096 bits",
        ),
        (
            r#"{"keys": [{"kty": "EC", "crv": "P-256", "x": "AQAB", "y": "AQAB"}]}"#,
            "whose key without `kid` is not a valid public key on the curve P-256",
        ),
        // With this one the first token would have made the library panic.
        (
            r#"{"keys": [{"kty": "OKP", "kid": "b", "crv": "Ed25519", "x": "AQAB"}]}"#,
            "whose key `b` is not a valid public key for Ed25519",
        ),
        (
            r#"{"keys": [{"kty": "OKP", "kid": "c", "crv": "Ed25519", "x": "no base64!"}]}"#,
            "whose key `c` is not a valid public key for Ed25519",
        ),
    ] {
        let message = mistake_in_key_set("verifies-nothing", text);
        assert!(message.contains(problem), "{text}: {message}");
    }
}

/// Rule d64.
#[test]
fn values_that_no_key_takes_are_refused_with_the_file() {
    let refused = |text: &str| {
        let text = format!("[jwt]\n{text}");
        let refused = Config::from_parts("listing.toml", &text, []);
        refused.unwrap_err().to_string()
    };
    for algorithm in ["none", "HS512", "hs256", "RS384", "ES384"] {
        let message = refused(&format!("algorithm = '{algorithm}'"));
        assert!(
            message.contains("listing.toml: `jwt.algorithm` is"),
            "{message}"
        );
        assert!(message.contains(algorithm), "{message}");
        let expected = "expected `HS256`, `RS256`, `ES256` or `EdDSA`";
        assert!(message.ends_with(expected), "{message}");
    }
    for leeway in ["3601", "-1", "18446744073709551615"] {
        let message = refused(&format!("leeway_seconds = {leeway}"));
        assert!(
            message.contains("3600") || message.contains("too large"),
            "{message}"
        );
    }
    let message = refused("audiance = 'blog'");
    assert!(
        message.ends_with("did you mean `jwt.audience`?"),
        "{message}"
    );
}

/// Rule d64.
#[test]
fn leeway_is_bounded_where_it_is_set_in_code_too() {
    let mut config = config(&by_secret());
    config.leeway_seconds = JwtConfig::LARGEST_LEEWAY;
    Jwt::new(&config).unwrap();
    config.leeway_seconds = u64::MAX;
    let message = Jwt::new(&config).unwrap_err().to_string();
    assert!(
        message.contains("`jwt.leeway_seconds` is at most 3600"),
        "{message}"
    );
}

/// Rule d64.
#[test]
fn a_secret_is_shown_to_nobody() {
    let config = Config::from_parts("listing.toml", &format!("[jwt]\n{}", by_secret()), []);
    let config = config.unwrap();
    assert_eq!(config.jwt.secret.expose(), SECRET);
    let jwt = Jwt::new(&config.jwt).unwrap();
    for shown in [
        format!("{config:?}"),
        format!("{:?}", config.jwt),
        format!("{jwt:?}"),
    ] {
        assert!(!shown.contains(SECRET), "{shown}");
        assert!(shown.contains("Jwt"), "{shown}");
    }
}
