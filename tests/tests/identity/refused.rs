//! Tokens that are refused, and requests without one.

use axum::body::Body;
use axum::http::Request;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use listing_axum::Jwt;
use listing_tests::{Reply, Service, on_each_database, on_each_written_database};
use serde_json::{Value, json};

use crate::tokens::{
    SECRET, by_key_set, by_public_key, by_secret, claims, claims_but, get_as, now, sign, sign_as,
    signing_key, strict,
};

/// `{"alg":"none","typ":"JWT"}` and `{"alg":"none"}`.
const NONE: [&str; 2] = ["eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0", "eyJhbGciOiJub25lIn0"];

#[track_caller]
fn is_refused(reply: &Reply, what: &str) {
    assert_eq!(reply.status.as_u16(), 401, "{what}: {}", reply.text());
    let error = reply.error(401);
    assert_eq!(error["name"], "Unauthorized", "{what}");
    assert_eq!(error["code"], "invalid_token", "{what}");
    // Why, a forger is not told.
    assert_eq!(error["message"], "The token is not valid.", "{what}");
    assert_eq!(error.get("details"), None, "{what}");
    assert_eq!(reply.headers["content-type"], "application/json");
    assert_eq!(
        reply.headers["www-authenticate"], "Bearer error=\"invalid_token\"",
        "{what}"
    );
}

async fn refuses(service: &Service, what: &str, token: &str) {
    let reply = get_as(service, "/api/tags", &format!("Bearer {token}")).await;
    is_refused(&reply, what);
}

/// Rule d64.
#[test]
fn claims_that_do_not_hold_are_401() {
    on_each_database(async |service| {
        let service = service.with_jwt(strict(&by_secret()));
        for (what, claims) in [
            ("expired", claims_but("exp", json!(now() - 30))),
            ("expired long ago", claims_but("exp", json!(0))),
            ("no expiry", claims_but("exp", Value::Null)),
            ("expiry as text", claims_but("exp", json!("4102444800"))),
            ("expiry before time", claims_but("exp", json!(-1))),
            ("not yet valid", claims_but("nbf", json!(now() + 30))),
            ("not before as text", claims_but("nbf", json!("0"))),
            ("wrong issuer", claims_but("iss", json!("https://else"))),
            ("no issuer", claims_but("iss", Value::Null)),
            ("issuer of no type", claims_but("iss", json!(1))),
            ("wrong audience", claims_but("aud", json!("shop"))),
            (
                "wrong audiences",
                claims_but("aud", json!(["shop", "Blog"])),
            ),
            ("no audience", claims_but("aud", Value::Null)),
            ("no audiences", claims_but("aud", json!([]))),
            ("claims that are no object", json!(["sub"])),
        ] {
            refuses(&service, what, &sign(Algorithm::HS256, &claims)).await;
        }
    });
}

/// Rule d64.
#[test]
fn leeway_ends() {
    let lenient = strict(&format!("{}\nleeway_seconds = 60", by_secret()));
    on_each_database(async |service| {
        let service = service.with_jwt(lenient.clone());
        for claims in [
            claims_but("exp", json!(now() - 120)),
            claims_but("nbf", json!(now() + 120)),
        ] {
            let token = sign(Algorithm::HS256, &claims);
            refuses(&service, &claims.to_string(), &token).await;
        }
    });
}

/// Rule d64.
#[test]
fn signatures_that_do_not_hold_are_401() {
    let token = sign(Algorithm::HS256, &claims());
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let (header, _) = signed.split_once('.').unwrap();
    let other_claims = sign(Algorithm::HS256, &claims_but("sub", json!("8")));
    let other_claims = other_claims.split('.').nth(1).unwrap();
    let other = EncodingKey::from_secret(b"another secret of at least 32 characters");
    let other = encode(&Header::new(Algorithm::HS256), &claims(), &other).unwrap();
    let first = if signature.starts_with('A') { "B" } else { "A" };
    let changed = format!("{signed}.{first}{}", &signature[1..]);
    on_each_database(async |service| {
        let service = service.with_jwt(strict(&by_secret()));
        for (what, token) in [
            ("another secret", other.as_str()),
            ("changed signature", &changed),
            ("no signature", &format!("{signed}.")),
            (
                "half a signature",
                &format!("{signed}.{}", &signature[..20]),
            ),
            (
                "other claims",
                &format!("{header}.{other_claims}.{signature}"),
            ),
            ("two parts", signed),
            ("four parts", &format!("{token}.{signature}")),
            ("five parts", &format!("{token}.{signature}.{signature}")),
            ("garbage", "garbage"),
            ("dots", ".."),
            ("no base64", "a!.b!.c!"),
            ("padded", &format!("{token}=")),
            ("two tokens", &format!("{token} {token}")),
            ("very long", &"A".repeat(20_000)),
        ] {
            refuses(&service, what, token).await;
        }
    });
}

/// Rule d64.
#[test]
fn an_unsigned_token_is_401() {
    let token = sign(Algorithm::HS256, &claims());
    let mut parts = token.split('.').skip(1);
    let (claims, signature) = (parts.next().unwrap(), parts.next().unwrap());
    on_each_database(async |service| {
        for key in [
            by_secret(),
            by_public_key("RS256", "rsa.pub.pem"),
            by_key_set(),
        ] {
            let service = service.with_jwt(strict(&key));
            for none in NONE {
                for signature in ["", signature] {
                    let token = format!("{none}.{claims}.{signature}");
                    refuses(&service, &token, &token).await;
                }
            }
        }
    });
}

/// Rule d64.
#[test]
fn a_public_key_is_no_secret() {
    // Who takes the token's word for its algorithm verifies this one with the public key, which everybody has.
    let pem = include_bytes!("keys/rsa.pub.pem");
    let by_pem = EncodingKey::from_secret(pem);
    let by_trimmed_pem = EncodingKey::from_secret(pem.trim_ascii_end());
    let confused = [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512];
    on_each_database(async |service| {
        for key in [by_public_key("RS256", "rsa.pub.pem"), by_key_set()] {
            let service = service.with_jwt(strict(&key));
            for algorithm in confused {
                for secret in [&by_pem, &by_trimmed_pem] {
                    let mut header = Header::new(algorithm);
                    let token = encode(&header, &claims(), secret).unwrap();
                    refuses(&service, "without a key's name", &token).await;
                    header.kid = Some("rsa-2026".to_owned());
                    let token = encode(&header, &claims(), secret).unwrap();
                    refuses(&service, "with a key's name", &token).await;
                }
            }
        }
    });
}

/// Rule d64.
#[test]
fn another_algorithm_than_the_configured_one_is_401() {
    let keys = [
        (Algorithm::HS256, by_secret()),
        (Algorithm::RS256, by_public_key("RS256", "rsa.pub.pem")),
        (Algorithm::ES256, by_public_key("ES256", "ec.pub.pem")),
        (Algorithm::EdDSA, by_public_key("EdDSA", "ed.pub.pem")),
    ];
    on_each_database(async |service| {
        for (configured, key) in &keys {
            let service = service.with_jwt(strict(key));
            for (used, _) in &keys {
                if used != configured {
                    let token = sign(*used, &claims());
                    refuses(&service, &format!("{used:?} for {configured:?}"), &token).await;
                }
            }
        }
        // The right key, by a sister of its algorithm.
        for (configured, used) in [
            (&keys[0], Algorithm::HS512),
            (&keys[1], Algorithm::RS512),
            (&keys[1], Algorithm::PS256),
        ] {
            let service = service.with_jwt(strict(&configured.1));
            let key = signing_key(configured.0);
            let token = encode(&Header::new(used), &claims(), &key).unwrap();
            refuses(&service, &format!("{used:?}"), &token).await;
        }
    });
}

/// Rule d64.
#[test]
fn a_key_set_is_used_as_it_says() {
    let other_rsa = EncodingKey::from_rsa_pem(include_bytes!("keys/rsa_other.pem")).unwrap();
    let of_set = EncodingKey::from_secret(b"a secret that stands in a key set");
    let signed = |algorithm, key_id: Option<&str>, key: &EncodingKey| {
        let mut header = Header::new(algorithm);
        header.kid = key_id.map(str::to_owned);
        encode(&header, &claims(), key).unwrap()
    };
    let own_key = {
        let mut header = Header::new(Algorithm::RS256);
        let jwk = jsonwebtoken::jwk::Jwk::from_encoding_key(&other_rsa, Algorithm::RS256);
        header.jwk = Some(jwk.unwrap());
        encode(&header, &claims(), &other_rsa).unwrap()
    };
    on_each_database(async |service| {
        let service = service.with_jwt(strict(&by_key_set()));
        let rs = Algorithm::RS256;
        for (what, token) in [
            ("unknown key", sign_as(rs, "rsa-2025", &claims())),
            ("name in other case", sign_as(rs, "RSA-2026", &claims())),
            ("another key's name", sign_as(rs, "ec-2026", &claims())),
            (
                "a key of another use",
                signed(rs, Some("for-encryption"), &other_rsa),
            ),
            (
                "a key of another use, not named",
                signed(rs, None, &other_rsa),
            ),
            (
                "another key under this name",
                signed(rs, Some("rsa-2026"), &other_rsa),
            ),
            (
                "a secret of the set",
                signed(Algorithm::HS256, Some("shared"), &of_set),
            ),
            (
                "a secret of the set, not named",
                signed(Algorithm::HS256, None, &of_set),
            ),
            ("a key that the token brings itself", own_key.clone()),
        ] {
            refuses(&service, what, &token).await;
        }
    });
}

/// Rule d64.
#[test]
fn what_a_token_says_is_critical_must_be_understood() {
    let mut header = Header::new(Algorithm::HS256);
    header.crit = Some(vec!["http://example.com/only-on-tuesdays".to_owned()]);
    let token = encode(&header, &claims(), &signing_key(Algorithm::HS256)).unwrap();
    on_each_database(async |service| {
        let service = service.with_jwt(strict(&by_secret()));
        refuses(&service, "critical", &token).await;
    });
}

/// Rule d64.
#[test]
fn an_empty_bearer_and_two_identities_are_401() {
    let token = sign(Algorithm::HS256, &claims());
    on_each_database(async |service| {
        let service = service.with_jwt(strict(&by_secret()));
        for authorization in ["Bearer", "Bearer ", "bearer", "Bearer   "] {
            let reply = get_as(&service, "/api/tags", authorization).await;
            is_refused(&reply, authorization);
        }
        let twice = Request::get("/api/tags")
            .header("authorization", format!("Bearer {token}"))
            .header("authorization", format!("Bearer {token}"))
            .body(Body::empty())
            .unwrap();
        is_refused(&service.send(twice).await, "two headers");
        let not_text = Request::get("/api/tags")
            .header("authorization", &b"Bearer \xff\xfe"[..])
            .body(Body::empty())
            .unwrap();
        is_refused(&service.send(not_text).await, "no text");
    });
}

/// Rule d64.
#[test]
fn without_a_token_nobody_asks() {
    on_each_database(async |service| {
        let off = service.get("/api/articles").await.ok();
        let service = service.with_jwt(strict(&by_secret()));
        assert_eq!(service.get("/api/articles").await.ok().bytes, off.bytes);
        for authorization in [
            "Basic YW5uOnNlY3JldA==",
            "Digest username=\"ann\"",
            "Bearers x",
            "Negotiate",
            "",
            SECRET,
        ] {
            let reply = get_as(&service, "/api/articles", authorization).await;
            assert_eq!(reply.ok().bytes, off.bytes, "{authorization:?}");
        }
    });
}

/// Rule d64.
#[test]
fn tokens_are_not_looked_at_until_a_key_is_configured() {
    let token = sign(Algorithm::HS256, &claims());
    on_each_database(async |service| {
        let nobody = service.get("/api/articles").await.ok();
        for jwt in [
            Jwt::default(),
            Jwt::new(&crate::tokens::config("")).unwrap(),
        ] {
            let service = service.with_jwt(jwt);
            for authorization in [format!("Bearer {token}"), "Bearer garbage".to_owned()] {
                let reply = get_as(&service, "/api/articles", &authorization).await;
                assert_eq!(reply.ok().bytes, nobody.bytes);
            }
        }
    });
}

/// Rule d64.
#[test]
fn who_is_refused_writes_nothing() {
    let payload = json!({ "title": "T", "slug": "identity-refused", "is_active": true });
    on_each_written_database(async |service| {
        let service = service.with_jwt(strict(&by_secret()));
        let client = service.client();
        let forged = client.with_header("authorization", "Bearer forged");
        is_refused(&forged.post("/api/articles", &payload).await, "store");
        is_refused(&forged.put("/api/articles/1", &payload).await, "update");
        is_refused(&forged.delete("/api/articles/1").await, "destroy");
        let path = "/api/articles?filters[slug][$eq]=identity-refused";
        assert_eq!(client.get(path).await.total(), 0);
        assert_eq!(client.get("/api/articles/1").await.status.as_u16(), 200);
    });
}
