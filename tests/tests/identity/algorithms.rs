//! Tokens that are accepted: every algorithm, with keys from every place that can hold one.

use axum::http::StatusCode;
use jsonwebtoken::{Algorithm, Header, encode};
use listing_axum::{Config, Jwt};
use listing_tests::on_each_database;
use serde_json::{Value, json};

use crate::tokens::{
    AUTHOR, SECRET, author_of, by_key_set, by_public_key, by_secret, claims, claims_but, get_as,
    jwt, now, sign, sign_as, signing_key, strict,
};

/// For author 7, until the year 2100, signed by another program (`openssl`) with the same keys.
const BY_ANOTHER_PROGRAM: [(&str, &str); 4] = [
    (
        "HS256",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI3IiwiaXNzIjoiaHR0cHM6Ly9pc3N1ZXIuZXhhbXBsZSIsImF1ZCI6ImJsb2ciLCJleHAiOjQxMDI0NDQ4MDB9.v5D-gDOurahOH0Y6UIzKfv7NSLy3PcjueGYdP0UiHgY",
    ),
    (
        "RS256",
        "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI3IiwiaXNzIjoiaHR0cHM6Ly9pc3N1ZXIuZXhhbXBsZSIsImF1ZCI6ImJsb2ciLCJleHAiOjQxMDI0NDQ4MDB9.GMkxS6G6f0_qYAeJY_7KP6geqnEYKxmWvwv13EurvzkoyHP21TWK8TqO74Rp2mJZF9SlMko278_OM29Mp0qIwxlzW6A64Ne3jQtgQ4Fu9WoJTPVM0aN-Tz9KVUvkNWaRDgBvJFz94bb7LgyI8P1pziTGTVRdfnph2RuhfWP5b5AWzjJDH0UmKiueKocTsGMZejDA12mEiDnczD-giw5OiPfviMvNR_-R1WgCOgDMxXtAQXCUX14BmBgw6p9jWr3_z_94r9pfNP5H4JcyTd6dQnwLH4xA0I33IyB9rRmtL1pkx3USvJchaVjYYIaS6a6J_9pks1CzcgI0SIUk_rCE-w",
    ),
    (
        "ES256",
        "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI3IiwiaXNzIjoiaHR0cHM6Ly9pc3N1ZXIuZXhhbXBsZSIsImF1ZCI6ImJsb2ciLCJleHAiOjQxMDI0NDQ4MDB9.HQ9ex3kaEC5KcNsGO8JgLd0OulGmS87vBTIZNkLmA4AFYm94Yua_QWA9Nf5788fU5PYozK_eThJ4eEeLRXapnA",
    ),
    (
        "EdDSA",
        "eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI3IiwiaXNzIjoiaHR0cHM6Ly9pc3N1ZXIuZXhhbXBsZSIsImF1ZCI6ImJsb2ciLCJleHAiOjQxMDI0NDQ4MDB9.8YgMi9DPVbTOsg3eZVfxQMAG9hhMB6MZ3fDfWrTk-_I7Z8nrV8i4QmkvxbLMP172HhZ5TrqeO9t46PVx19swCA",
    ),
];

/// Every algorithm with the configuration that accepts it.
fn configured() -> [(Algorithm, String); 4] {
    [
        (Algorithm::HS256, by_secret()),
        (Algorithm::RS256, by_public_key("RS256", "rsa.pub.pem")),
        (Algorithm::ES256, by_public_key("ES256", "ec.pub.pem")),
        (Algorithm::EdDSA, by_public_key("EdDSA", "ed.pub.pem")),
    ]
}

/// Rule d64.
#[test]
fn every_algorithm_says_who_asks() {
    on_each_database(async |service| {
        for (algorithm, key) in configured() {
            let service = service.with_jwt(strict(&key));
            let author = author_of(&service, &sign(algorithm, &claims())).await;
            assert_eq!(author, Some(AUTHOR.to_string()), "{algorithm:?}");
        }
    });
}

/// Rule d64.
#[test]
fn tokens_of_another_program_are_understood() {
    on_each_database(async |service| {
        for ((algorithm, key), (name, token)) in configured().into_iter().zip(BY_ANOTHER_PROGRAM) {
            assert_eq!(format!("{algorithm:?}"), name);
            let service = service.with_jwt(strict(&key));
            let author = author_of(&service, token).await;
            assert_eq!(author, Some(AUTHOR.to_string()), "{name}");
        }
    });
}

/// Rule d64.
#[test]
fn a_token_names_its_key_in_a_key_set_or_is_held_against_all() {
    on_each_database(async |service| {
        let service = service.with_jwt(strict(&by_key_set()));
        for (algorithm, key_id) in [
            (Algorithm::RS256, "rsa-2026"),
            (Algorithm::ES256, "ec-2026"),
            (Algorithm::EdDSA, "ed-2026"),
        ] {
            for token in [
                sign_as(algorithm, key_id, &claims()),
                sign(algorithm, &claims()),
            ] {
                let author = author_of(&service, &token).await;
                assert_eq!(author, Some(AUTHOR.to_string()), "{key_id}");
            }
        }
    });
}

/// Rule d64.
#[test]
fn the_secret_can_come_from_the_environment() {
    let environment = [("LISTING_JWT_SECRET".to_owned(), SECRET.to_owned())];
    let config = Config::from_parts("listing.toml", "", environment).unwrap();
    let jwt = Jwt::new(&config.jwt).unwrap();
    on_each_database(async |service| {
        let service = service.with_jwt(jwt.clone());
        let author = author_of(&service, &sign(Algorithm::HS256, &claims())).await;
        assert_eq!(author, Some(AUTHOR.to_string()));
    });
}

/// Rule d64.
#[test]
fn issuer_and_audience_do_not_matter_unless_they_are_configured() {
    on_each_database(async |service| {
        let service = service.with_jwt(jwt(&by_secret()));
        for claims in [
            claims_but("iss", Value::Null),
            claims_but("aud", Value::Null),
            claims_but("iss", json!("somebody else")),
            claims_but("aud", json!(["another", "service"])),
        ] {
            let author = author_of(&service, &sign(Algorithm::HS256, &claims)).await;
            assert_eq!(author, Some(AUTHOR.to_string()), "{claims}");
        }
    });
}

/// Rule d64.
#[test]
fn claims_that_just_hold_are_enough() {
    let lenient = format!("{}\nleeway_seconds = 60", by_secret());
    on_each_database(async |service| {
        for (jwt, claims) in [
            (strict(&by_secret()), claims_but("nbf", Value::Null)),
            (
                strict(&by_secret()),
                claims_but("aud", json!(["x", "blog"])),
            ),
            (strict(&by_secret()), claims_but("exp", json!(4e9 + 0.5))),
            (strict(&lenient), claims_but("exp", json!(now() - 30))),
            (strict(&lenient), claims_but("nbf", json!(now() + 30))),
        ] {
            let service = service.with_jwt(jwt);
            let author = author_of(&service, &sign(Algorithm::HS256, &claims)).await;
            assert_eq!(author, Some(AUTHOR.to_string()), "{claims}");
        }
    });
}

/// Rule d64.
#[test]
fn the_scheme_is_read_in_any_case() {
    let token = sign(Algorithm::HS256, &claims());
    on_each_database(async |service| {
        let service = service.with_jwt(strict(&by_secret()));
        let expected = get_as(&service, "/api/articles", &format!("Bearer {token}")).await;
        assert_eq!(expected.status, StatusCode::OK);
        assert_ne!(
            expected.bytes,
            service.get("/api/articles").await.ok().bytes
        );
        for authorization in [
            format!("bearer {token}"),
            format!("BEARER {token}"),
            format!("Bearer   {token}"),
        ] {
            let reply = get_as(&service, "/api/articles", &authorization).await;
            assert_eq!(reply.bytes, expected.bytes, "{authorization}");
        }
    });
}

/// Rule d64.
#[test]
fn headers_that_mean_nothing_to_us_do_not_matter() {
    let mut header = Header::new(Algorithm::HS256);
    header.typ = Some("at+jwt".to_owned());
    header.cty = Some("unknown".to_owned());
    let token = encode(&header, &claims(), &signing_key(Algorithm::HS256)).unwrap();
    on_each_database(async |service| {
        let service = service.with_jwt(strict(&by_secret()));
        assert_eq!(author_of(&service, &token).await, Some(AUTHOR.to_string()));
    });
}
