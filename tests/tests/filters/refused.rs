//! Filters that are not defined and operators that are not allowed: refused by name, never dropped (d8).

use listing::FilterOperator;
use listing_tests::{Reply, on_each_database};
use serde_json::{Value, json};

use crate::articles::{asked, posted};

/// Which operators each filter of articles allows, as the reference service is described.
const ALLOWED: &[(&str, &[&str], &str)] = &[
    ("id", &["$eq", "$ne", "$in", "$notIn"], "1"),
    ("title", &["$eq", "$ne", "$contains"], "text"),
    ("slug", &["$eq", "$in"], "text"),
    ("body", &["$contains", "$null", "$notNull"], "text"),
    ("is_active", &["$eq"], "true"),
    (
        "views",
        &["$eq", "$ne", "$lt", "$lte", "$gt", "$gte", "$between"],
        "1",
    ),
    (
        "rating",
        &[
            "$eq", "$ne", "$lt", "$lte", "$gt", "$gte", "$null", "$notNull",
        ],
        "1",
    ),
    ("author_id", &["$eq", "$in", "$null", "$notNull"], "1"),
    (
        "created_at",
        &["$eq", "$ne", "$lt", "$lte", "$gt", "$gte", "$between"],
        "2024-01-01",
    ),
    ("author_country", &["$eq", "$in"], "DE"),
];

#[track_caller]
fn details(reply: &Reply, code: &str) -> Value {
    let error = reply.error(400);
    assert_eq!(error["code"], code, "{error}");
    assert_eq!(error["name"], "BadRequest");
    error["details"].clone()
}

/// Rules d8, c7_p1.
#[test]
fn an_unknown_filter_is_refused_with_what_is_known_and_the_nearest() {
    let through = ["author", "comments", "tags", "seo"];
    let known: Vec<_> = ALLOWED
        .iter()
        .map(|(key, ..)| *key)
        .chain(through)
        .collect();
    on_each_database(async |service| {
        let by_query = asked(service, "filters[titel][$eq]=x").await;
        let by_body = posted(service, &json!({ "titel": { "$eq": "x" } })).await;
        for reply in [by_query, by_body] {
            let expected = json!({
                "parameter": "filters[titel][$eq]",
                "token": "titel",
                "allowed": known,
                "nearest": "title",
            });
            assert_eq!(details(&reply, "filter_unknown_field"), expected);
            let message = reply.json()["message"].as_str().unwrap().to_owned();
            for part in ["`titel`", "did you mean `title`?", "`author_country`"] {
                assert!(message.contains(part), "{message}");
            }
        }
        // Nothing is like it: nothing is proposed.
        let reply = asked(service, "filters[qqqqqq]=x").await;
        let told = details(&reply, "filter_unknown_field");
        assert_eq!(told["nearest"], Value::Null);
        assert_eq!(told["allowed"], json!(known));
    });
}

/// Rule d8.
#[test]
fn one_unknown_filter_among_good_ones_is_refused_too() {
    on_each_database(async |service| {
        for query in [
            "filters[id][$eq]=1&filters[nope]=1",
            "filters[nope]=1&filters[id][$eq]=1",
            "filters[id][$eq]=1&filters[id][$nope]=1",
            "filters[id][$eq]=1&filters[id][$gt]=1",
        ] {
            asked(service, query).await.error(400);
        }
    });
}

/// A column that no filter names is as unknown as any other word, and no error tells that it is there.
/// Rule d8.
#[test]
fn columns_outside_the_whitelist_cannot_be_filtered_by() {
    on_each_database(async |service| {
        for (path, key) in [
            ("authors", "email"),
            ("authors", "id"),
            ("authors", "created_at"),
            // The alias of a field is not a filter.
            ("authors", "joined_at"),
            ("articles", "deleted_at"),
            ("articles", "updated_at"),
            ("articles", "comments_count"),
            ("articles", "author.email"),
            ("comments", "body"),
            ("tags", "id"),
        ] {
            for query in [
                format!("filters[{key}][$eq]=1"),
                format!("filters[{key}]=1"),
                format!("filters[{key}][$null]=false"),
            ] {
                let reply = service.get(&format!("/api/{path}?{query}")).await;
                let told = details(&reply, "filter_unknown_field");
                assert!(
                    !told["allowed"].as_array().unwrap().contains(&json!(key)),
                    "{told}"
                );
                assert_ne!(told["nearest"], key, "{told}");
            }
        }
        // What the related listing does not have is not reached through a relation either.
        let reply = service
            .get("/api/articles?filters[author][email][$eq]=x")
            .await;
        details(&reply, "filter_unknown_field");
    });
}

/// Rules c2_4_t2, d8.
#[test]
fn each_filter_takes_its_own_operators_and_no_others() {
    on_each_database(async |service| {
        for (key, allowed, value) in ALLOWED {
            for operator in FilterOperator::ALL.iter().map(|operator| operator.wire()) {
                let query = match operator {
                    "$null" | "$notNull" => format!("filters[{key}][{operator}]=true"),
                    "$between" => {
                        format!(
                            "filters[{key}][{operator}][]={value}&filters[{key}][{operator}][]={value}"
                        )
                    }
                    _ => format!("filters[{key}][{operator}]={value}"),
                };
                let reply = asked(service, &query).await;
                if allowed.contains(&operator) {
                    let told = reply.ok().meta()["filters"].clone();
                    assert_eq!(told[0]["operator"], operator, "{query}");
                    continue;
                }
                let told = details(&reply, "filter_operator_not_allowed");
                assert_eq!(told["parameter"], format!("filters[{key}][{operator}]"));
                assert_eq!(told["token"], operator);
                assert_eq!(told["allowed"], json!(allowed));
                let message = reply.json()["message"].as_str().unwrap().to_owned();
                assert!(message.contains(&format!("`{key}`")), "{message}");
                for operator in *allowed {
                    assert!(message.contains(&format!("`{operator}`")), "{message}");
                }
            }
        }
    });
}

/// Rule d8.
#[test]
fn an_unknown_operator_is_refused_with_the_nearest() {
    on_each_database(async |service| {
        for (operator, nearest) in [
            ("$contain", json!("$contains")),
            ("$EQ", json!("$eq")),
            ("$Contains", json!("$contains")),
            ("eq", json!("$eq")),
            ("$zzzzzz", Value::Null),
        ] {
            let reply = asked(service, &format!("filters[title][{operator}]=x")).await;
            let told = details(&reply, "filter_unknown_operator");
            assert_eq!(told["parameter"], format!("filters[title][{operator}]"));
            assert_eq!(told["token"], operator);
            assert_eq!(told["allowed"], json!(["$eq", "$ne", "$contains"]));
            assert_eq!(told["nearest"], nearest, "{operator}");
        }
        // Lists under an unknown operator are refused by the operator's name as well.
        let reply = asked(service, "filters[id][$nin][]=1&filters[id][$nin][]=2").await;
        let told = details(&reply, "filter_unknown_operator");
        assert_eq!(told["token"], "$nin");
    });
}

/// What is echoed is short, however long the name was.
/// Rule d8.
#[test]
fn long_names_are_shortened_in_errors() {
    let long = "x".repeat(5_000);
    on_each_database(async |service| {
        for query in [
            format!("filters[{long}]=1"),
            format!("filters[title][{long}]=1"),
            format!("filters[views]={long}"),
        ] {
            let reply = asked(service, &query).await;
            reply.error(400);
            assert!(
                reply.bytes.len() < 4_000,
                "{} bytes for {}",
                reply.bytes.len(),
                &query[..40]
            );
        }
    });
}

/// Rule b450.
#[test]
fn an_operator_on_a_relation_is_refused_with_the_filters_that_the_relation_has() {
    on_each_database(async |service| {
        for (query, code, operator) in [
            (
                "filters[author][$gt]=3",
                "filter_operator_not_allowed",
                "$gt",
            ),
            ("filters[author][$EQ]=3", "filter_unknown_operator", "$EQ"),
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await;
            let details = details(&reply, code);
            assert_eq!(details["token"], operator, "{query}");
            let allowed = details["allowed"].to_string();
            assert!(
                allowed.starts_with(r#"["$null","$notNull","#) && allowed.contains(r#""name""#),
                "{allowed}"
            );
            let message = reply.error(400)["message"].to_string();
            assert!(message.contains("`filters[author]["), "{message}");
        }
        let reply = service.get("/api/articles?filters[author.name]=Anna").await;
        let error = reply.error(400);
        assert_eq!(error["details"]["nearest"], "author");
        let message = error["message"].to_string();
        assert!(
            message.contains("did you mean `filters[author][name]`?"),
            "{message}"
        );
        let reply = service.get("/api/articles?filters[views]=").await;
        let message = reply.error(400)["message"].to_string();
        assert!(
            message.contains("An empty text is not a valid value"),
            "{message}"
        );
    });
}
