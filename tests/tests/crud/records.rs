//! The `{id}` of a path, and what HTTP asks of every URL (contract 4.2 rule 1, d41, d56).

use axum::http::Request;
use listing_tests::{on_each_fresh_database, on_each_written_database};
use serde_json::{Value, json};

use crate::articles::{PATH, all, at, create, payload, row};
use crate::own::on_each_own;

/// Nothing of this is the address of a record.
const NO_KEYS: &[&str] = &[
    "0",
    "-1",
    "-7",
    "-0",
    "00",
    "007",
    "+7",
    "%2B7",
    "%207",
    "7%20",
    "7%0A",
    "7.0",
    "7,0",
    "7e0",
    "0x7",
    "7_0",
    "%EF%BC%97",
    "%D9%A7",
    "999999999",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "null",
    "undefined",
    "NaN",
    "true",
    "*",
    "%00",
    "7%00",
    "%FF",
    "7%FF",
    "%ED%A0%80",
    "%C0%AF",
    "7%2F",
    "7%2Frestore",
    "..%2F7",
    "7;",
    "7'--",
    "7%20OR%201=1",
    "%7Bid%7D",
    "slug-of-an-article",
    "018f0000-0000-7000-8000-000000000000",
];

/// Rules c4_2_r1, d41.
#[test]
fn what_is_no_key_is_404_like_what_is_absent() {
    on_each_fresh_database(async |service| {
        let before = all(service).await;
        let absent = service.get(&at(123_456)).await;
        assert_eq!(absent.error_code(404), "not_found");
        let digits = "7".repeat(5_000);
        let client = service.client();
        for key in NO_KEYS.iter().chain([&&*digits]) {
            let path = format!("{PATH}/{key}");
            for reply in [
                client.get(&path).await,
                client.put(&path, &payload("no-key")).await,
                client.delete(&path).await,
                client.delete(&format!("{path}?force=true")).await,
                client.bare("POST", &format!("{path}/restore")).await,
            ] {
                let start: String = key.chars().take(60).collect();
                assert_eq!(reply.status.as_u16(), 404, "{start}: {}", reply.text());
                assert_eq!(reply.bytes, absent.bytes, "{start}");
            }
        }
        assert_eq!(all(service).await, before);
    });
}

/// Rules c4_2_r1, d41.
#[test]
fn a_key_is_the_same_however_the_path_escapes_it() {
    on_each_written_database(async |service| {
        let plain = service.get(&at(7)).await.ok();
        for key in ["7", "%37", "7/"] {
            let reply = service.get(&format!("{PATH}/{key}")).await.ok();
            assert_eq!(reply.bytes, plain.bytes, "{key}");
        }
    });
}

/// Rules d41, d50.
#[test]
fn a_uuid_is_a_key_too() {
    on_each_own(async |own| {
        let user = own.user("by-uuid");
        let note = json!({ "title": "Note", "place": 1, "code": "by-uuid" });
        let note = user.post("/api/notes", &note).await.created();
        let stored = user
            .post("/api/marks", &json!({ "name": "by-uuid", "note_id": note }))
            .await;
        assert_eq!(stored.status.as_u16(), 201, "{}", stored.text());
        let id = stored.json()["data"]["id"].as_str().unwrap().to_owned();
        let path = format!("/api/marks/{id}");
        assert_eq!(stored.header("location"), Some(&*path));
        let shown = user.get(&path).await.ok();
        assert_eq!(
            shown.json()["data"],
            json!({ "id": id, "name": "by-uuid", "note_id": note })
        );
        let loud = user.get(&format!("/api/marks/{}", id.to_uppercase())).await;
        assert_eq!(loud.ok().bytes, shown.bytes);
        for absent in [
            "7",
            &id[1..],
            &format!("{id}0"),
            &id.replace('-', "_"),
            "00000000-0000-0000-0000-000000000000",
        ] {
            let reply = user.delete(&format!("/api/marks/{absent}")).await;
            assert_eq!(reply.error_code(404), "not_found", "{absent}");
        }
        // A payload in which everything is left out changes nothing, and that is not an error.
        let _ = user.put(&path, &json!({})).await.ok();
        let _ = user.put(&path, &json!({ "name": "renamed" })).await.ok();
        // What is given has rules of its own.
        for wrong in [json!(""), json!("x".repeat(51)), json!(null)] {
            let reply = user.put(&path, &json!({ "name": wrong })).await;
            assert_eq!(reply.invalid_fields(), ["name"], "{wrong}");
        }
        let shown = user.get(&path).await.ok().json();
        assert_eq!(shown["data"]["name"], "renamed");
        let _ = user.delete(&path).await.ok();
        assert_eq!(user.get(&path).await.error_code(404), "not_found");
    });
}

/// Rules d56, d53.
#[test]
fn every_address_refuses_other_methods_with_405_and_says_which_it_takes() {
    on_each_fresh_database(async |service| {
        let before = all(service).await;
        let client = service.client();
        for (path, allowed) in [
            (PATH.to_owned(), &["GET", "HEAD", "POST", "QUERY"][..]),
            (format!("{PATH}/query"), &["POST"]),
            (at(7), &["GET", "HEAD", "PUT", "PATCH", "DELETE"]),
            (at(123_456), &["GET", "HEAD", "PUT", "PATCH", "DELETE"]),
            (format!("{}/restore", at(7)), &["POST"]),
            ("/api/authors".to_owned(), &["GET", "HEAD", "QUERY"]),
            ("/api/authors/query".to_owned(), &["POST"]),
            ("/api/authors/1".to_owned(), &["GET", "HEAD"]),
            ("/api/comments/1".to_owned(), &["GET", "HEAD"]),
            ("/api/tags/1".to_owned(), &["GET", "HEAD"]),
        ] {
            for method in [
                "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "QUERY", "FOO",
            ] {
                if allowed.contains(&method) {
                    continue;
                }
                let reply = client
                    .json(method, &path, payload("refused").to_string())
                    .await;
                assert_eq!(reply.status.as_u16(), 405, "{method} {path}");
                if method != "HEAD" {
                    assert_eq!(reply.error_code(405), "method_not_allowed");
                }
                let mut allow: Vec<_> = reply.header("allow").unwrap().split(',').collect();
                allow.iter_mut().for_each(|method| *method = method.trim());
                allow.sort_unstable();
                let mut allowed = allowed.to_vec();
                allowed.sort_unstable();
                assert_eq!(allow, allowed, "{method} {path}");
            }
        }
        assert_eq!(all(service).await, before);
    });
}

/// Rule d56.
#[test]
fn head_is_show_without_a_body() {
    on_each_written_database(async |service| {
        let client = service.client();
        let get = client.get(&at(7)).await.ok();
        let head = client.bare("HEAD", &at(7)).await.ok();
        assert!(head.bytes.is_empty());
        for name in ["content-type", "etag"] {
            assert_eq!(head.header(name), get.header(name), "{name}");
            assert!(head.header(name).is_some(), "{name}");
        }
        let length = get.bytes.len().to_string();
        assert_eq!(head.header("content-length"), Some(&*length));
        let absent = client.bare("HEAD", &at(123_456)).await;
        assert_eq!((absent.status.as_u16(), absent.bytes.len()), (404, 0));
    });
}

/// Rule d56.
#[test]
fn a_trailing_slash_is_the_same_route() {
    on_each_written_database(async |service| {
        let client = service.client();
        let stored = client.post(&format!("{PATH}/"), &payload("slashed")).await;
        let id = stored.created();
        assert_eq!(stored.header("location"), Some(&*at(id)));
        let one = format!("{}/", at(id));
        let shown = client.get(&one).await.ok();
        assert_eq!(shown.bytes, client.get(&at(id)).await.bytes);
        let _ = client.put(&one, &payload("slashed-2")).await.ok();
        let _ = client.delete(&one).await.ok();
        let _ = client
            .bare("POST", &format!("{}/restore/", at(id)))
            .await
            .ok();
        assert_eq!(row(service, id).await.unwrap().slug, "slashed-2");
        let forced = format!("{one}?force=true");
        let _ = client.delete(&forced).await.ok();
        assert_eq!(row(service, id).await, None);
    });
}

/// Rules d6, d56.
#[test]
fn unknown_parameters_and_bodies_that_nobody_asked_for_have_no_effect() {
    on_each_written_database(async |service| {
        let id = create(service, "unasked").await;
        let shown = service.get(&at(id)).await.ok();
        let path = format!("{}?id=1&utm_source=x&_=1", at(id));
        assert_eq!(service.get(&path).await.ok().bytes, shown.bytes);
        let query = "fields=id&populate=author&sort=x&filters[id]=1&%zz&trashed=with&id=1";
        let path = format!("{}?{query}", at(id));
        let _ = service.put(&path, &payload("unasked-2")).await.ok();
        assert_eq!(row(service, id).await.unwrap().slug, "unasked-2");
        let request = Request::delete(at(id)).body("no json at all".into());
        let _ = service.send(request.unwrap()).await.ok();
        let request = Request::post(format!("{}/restore", at(id))).body("{".into());
        let _ = service.send(request.unwrap()).await.ok();
        let request = Request::post(format!("{PATH}?force=true&title=x"))
            .header("content-type", "application/json")
            .body(payload("unasked-3").to_string().into());
        service.send(request.unwrap()).await.created();
    });
}

/// Rules d52, d53.
#[test]
fn unknown_addresses_are_404_in_our_own_words() {
    on_each_written_database(async |service| {
        for path in [
            "/api/articles/7/comments",
            "/api/articles/7/restore/now",
            "/api/articles//7",
            "/api/article/7",
            "/API/articles/7",
            "/api/articles/7.json",
            "/api/authors/1/restore",
        ] {
            for method in ["GET", "POST", "PUT", "DELETE"] {
                let reply = service
                    .client()
                    .json(method, path, payload("nowhere").to_string())
                    .await;
                // `7.json` is not an id; its URL takes other methods than `POST`.
                if method == "POST" && path.ends_with(".json") {
                    assert_eq!(reply.error_code(405), "method_not_allowed");
                    continue;
                }
                let code = match path.ends_with(".json") {
                    true => "not_found",
                    false => "route_not_found",
                };
                assert_eq!(reply.error_code(404), code, "{method} {path}");
                assert_eq!(reply.json()["data"], Value::Null);
            }
        }
    });
}
