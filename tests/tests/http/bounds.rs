//! Bounds on what is sent, and text that is malformed: refused whole, never cut short (d3, d4, d5).

use listing_tests::{Reply, Service, on_each_database};
use serde_json::json;

use crate::errors::assert_layout;

/// Where a request that is too large for an address belongs.
const BY_BODY: &str = "`QUERY` or `POST .../query`";

#[track_caller]
fn refused(reply: &Reply, status: u16, code: &str) -> String {
    assert_layout(reply);
    assert_eq!(reply.error_code(status), code);
    reply.error(status)["message"].as_str().unwrap().to_owned()
}

/// A query string of exactly that many bytes that asks for one tag.
fn of_length(bytes: usize) -> String {
    let asked = "pagination[pageSize]=1&x=";
    format!("{asked}{}", "x".repeat(bytes - asked.len()))
}

/// Rule d3.
#[test]
fn a_query_string_of_32_kib_is_read_and_a_longer_one_is_414() {
    on_each_database(async |service| {
        let longest = service
            .get(&format!("/api/tags?{}", of_length(32 * 1024)))
            .await;
        assert_eq!(longest.ids().len(), 1);
        let longer = service
            .get(&format!("/api/tags?{}", of_length(32 * 1024 + 1)))
            .await;
        let message = refused(&longer, 414, "query_too_long");
        assert!(
            message.contains("32769 bytes long, but at most 32768 are allowed"),
            "{message}"
        );
        assert!(message.contains(BY_BODY), "{message}");
    });
}

/// Rule d3.
#[test]
fn a_thousand_pairs_are_read_and_more_are_400() {
    let ids = |count: usize| {
        let pairs: Vec<_> = (1..=count)
            .map(|id| format!("filters[id][$in][]={id}"))
            .collect();
        format!("/api/articles?{}", pairs.join("&"))
    };
    on_each_database(async |service| {
        // 500 articles, so every further id matches nothing, but the 1,000th is told like the first.
        let most = service.get(&ids(1_000)).await.ok();
        let told = most.meta()["filters"].as_array().unwrap().clone();
        assert_eq!((told.len(), &told[999]["value"]), (1_000, &json!("1000")));
        let message = refused(&service.get(&ids(1_001)).await, 400, "too_many_pairs");
        assert!(
            message.contains("1000") && message.contains(BY_BODY),
            "{message}"
        );
        // Stray `&` are nothing, and count for nothing.
        let stray = format!("/api/tags?{}pagination[pageSize]=1", "&".repeat(5_000));
        assert_eq!(service.get(&stray).await.ids().len(), 1);
    });
}

/// Rules d3, d66.
/// Rule b203.
#[test]
fn at_most_25_levels_of_brackets_are_read() {
    on_each_database(async |service| {
        let nested = |levels: usize| format!("/api/tags?x{}=1", "[a]".repeat(levels));
        assert_eq!(service.get(&nested(25)).await.ids().len(), 25);
        let more = service.get(&nested(26)).await;
        assert!(refused(&more, 400, "too_deep").contains("25 levels"));
    });
}

/// Rule d3.
#[test]
fn bounds_are_settings() {
    let set = |service: &Service, change: fn(&mut listing::Bounds)| {
        service.with_settings(|settings| change(&mut settings.bounds))
    };
    on_each_database(async |service| {
        let short = set(service, |bounds| bounds.query_bytes = 40);
        let query = of_length(40);
        assert_eq!(
            short.get(&format!("/api/tags?{query}")).await.ids().len(),
            1
        );
        let reply = short.get(&format!("/api/tags?{query}x")).await;
        assert!(refused(&reply, 414, "query_too_long").contains("40 are allowed"));

        let shallow = set(service, |bounds| bounds.depth = 2);
        let reply = shallow.get("/api/tags?filters[name][$eq]=x").await;
        assert_eq!(reply.ok().total(), 0);
        let reply = shallow.get("/api/authors?filters[country][$in][]=DE").await;
        assert!(refused(&reply, 400, "too_deep").contains("2 levels"));

        let few = set(service, |bounds| bounds.pairs = 2);
        assert_eq!(
            few.get("/api/tags?a=1&pagination[pageSize]=1")
                .await
                .ids()
                .len(),
            1
        );
        let reply = few.get("/api/tags?a=1&pagination[pageSize]=1&b=1").await;
        assert!(refused(&reply, 400, "too_many_pairs").contains("than 2 pairs"));

        let small = set(service, |bounds| bounds.in_values = 2);
        let two = "/api/articles?filters[id][$in][]=1&filters[id][$in][]=2";
        assert_eq!(
            small.get(two).await.ok().total(),
            service.get(two).await.total()
        );
        let message = refused(
            &small.get(&format!("{two}&filters[id][$in][]=3")).await,
            400,
            "too_many_values",
        );
        assert!(
            message.contains("3 values, but at most 2 are allowed") && message.contains(BY_BODY),
            "{message}"
        );

        let small = set(service, |bounds| bounds.body_in_values = 2);
        let asked = |ids: &[u8]| json!({ "filters": { "id": { "$in": ids } } });
        let reply = small.post_query("/api/articles", &asked(&[1, 2])).await;
        assert_eq!(reply.ok().total(), service.get(two).await.total());
        let reply = small.post_query("/api/articles", &asked(&[1, 2, 3])).await;
        let message = refused(&reply, 400, "too_many_values");
        assert!(!message.contains(BY_BODY), "it came that way: {message}");
        // The bound of an address is not that of a body, nor the other way round.
        assert_eq!(
            small
                .get(&format!("{two}&filters[id][$in][]=3"))
                .await
                .status,
            200
        );
    });
}

/// Rules d13, d53, d56.
#[test]
fn a_body_of_the_limit_is_read_and_a_longer_one_is_413() {
    on_each_database(async |service| {
        assert_eq!(service.listings.settings().bounds.body_bytes, 1024 * 1024);
        for (service, limit) in [
            (service.clone(), 1024 * 1024),
            (
                service.with_settings(|settings| settings.bounds.body_bytes = 20),
                20,
            ),
        ] {
            for (length, status) in [(limit, 200), (limit + 1, 413)] {
                let request = axum::http::Request::post("/api/tags/query")
                    .header("content-type", "application/json")
                    .header("content-length", length)
                    .body(axum::body::Body::from(format!(
                        "{{}}{}",
                        " ".repeat(length - 2)
                    )))
                    .unwrap();
                let reply = service.send(request).await;
                assert_eq!(reply.status, status, "{length} of {limit}");
                if status == 413 {
                    let message = refused(&reply, 413, "body_too_large");
                    assert!(
                        message.contains(&format!("at most {limit} bytes")),
                        "{message}"
                    );
                }
            }
        }
    });
}

/// Rule d4.
#[test]
fn malformed_text_is_a_400_that_quotes_the_place() {
    on_each_database(async |service| {
        for (query, code, parameter, token) in [
            (
                "filters[title=x",
                "unclosed_bracket",
                "filters[title",
                "[title",
            ),
            ("filters[title]x=1", "stray_bracket", "filters[title]x", "x"),
            ("filters]=1", "stray_bracket", "filters]", "]"),
            (
                "filters[title]=100%",
                "bad_percent_encoding",
                "filters[title]",
                "%",
            ),
            (
                "filters[title]=%zz",
                "bad_percent_encoding",
                "filters[title]",
                "%zz",
            ),
            (
                "filters[title]=a%FFb",
                "invalid_utf8",
                "filters[title]",
                "%FFb",
            ),
            (
                "filters[title]=%C3",
                "invalid_utf8",
                "filters[title]",
                "%C3",
            ),
            ("filters[title]=a%00b", "nul", "filters[title]", "%00b"),
            // Even where the parameter itself would have no effect.
            ("unknown=%FF", "invalid_utf8", "unknown", "%FF"),
            ("%00=1", "nul", "%00", "%00"),
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await;
            let message = refused(&reply, 400, code);
            let details = reply.error(400)["details"].clone();
            assert_eq!(
                (&details["parameter"], &details["token"]),
                (&json!(parameter), &json!(token)),
                "{query}"
            );
            assert!(message.contains(token), "{message}");
        }
    });
}

/// Rule d5.
#[test]
fn one_key_as_value_and_as_object_is_400() {
    on_each_database(async |service| {
        for query in [
            "filters[views]=1&filters[views][$gt]=2",
            "filters[views][$gt]=2&filters[views]=1",
            "filters[id][$in]=1&filters[id][$in][]=2",
            "pagination=1&pagination[page]=1",
            "sort[0]=id&sort=title",
            "unknown=1&unknown[a]=2",
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await;
            refused(&reply, 400, "scalar_and_object");
        }
    });
}
