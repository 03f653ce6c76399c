//! What `meta.filters` shows (contract 4.3, d33).

use listing::Context;
use listing_tests::on_each_database;
use serde_json::{Value, json};

use crate::articles::{asked, posted};
use crate::bench::on_each_bench;
use crate::samples;

fn filter(key: &str, operator: &str, value: &str, label: &str) -> Value {
    json!({ "key": key, "value": value, "label": label, "operator": operator })
}

/// Rules c4_3_t4, d33.
#[test]
fn filters_is_always_an_array() {
    on_each_database(async |service| {
        for path in ["articles", "authors", "tags"] {
            let meta = service.get(&format!("/api/{path}")).await.ok().meta();
            assert_eq!(meta["filters"], json!([]), "{path}");
        }
        // Where nothing was found as well.
        let reply = asked(service, "filters[id][$eq]=0").await;
        assert_eq!(
            reply.meta()["filters"],
            json!([filter("id", "$eq", "0", "0")])
        );
    });
}

/// Rules c4_3_p1, d33.
#[test]
fn an_applied_filter_has_key_value_label_and_operator() {
    on_each_database(async |service| {
        let reply = asked(service, "filters[is_active][$eq]=yes").await;
        let told = reply.meta()["filters"].clone();
        assert_eq!(told, json!([filter("is_active", "$eq", "true", "Active")]));
        let keys: Vec<_> = told[0].as_object().unwrap().keys().cloned().collect();
        assert_eq!(keys.len(), 4);
        // Without an operator it was `$eq`.
        let reply = asked(service, "filters[is_active]=off").await;
        let inactive = filter("is_active", "$eq", "false", "Inactive");
        assert_eq!(reply.meta()["filters"], json!([inactive]));
    });
}

/// Rules c4_3_p2, d33.
#[test]
fn in_gives_one_object_for_each_value() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/authors?filters[country][$in][0]=JP&filters[country][$in][1]=DE&filters[country][$in][2]=XX")
            .await;
        assert_eq!(
            reply.meta()["filters"],
            json!([
                filter("country", "$in", "JP", "Japan"),
                filter("country", "$in", "DE", "Germany"),
                filter("country", "$in", "XX", "XX"),
            ])
        );
        let reply = posted(service, &json!({ "id": { "$notIn": [3, 1] } })).await;
        assert_eq!(
            reply.meta()["filters"],
            json!([
                filter("id", "$notIn", "3", "3"),
                filter("id", "$notIn", "1", "1")
            ])
        );
    });
}

/// Rules c4_3_p3, d33.
#[test]
fn applied_defaults_are_told_too() {
    on_each_database(async |service| {
        let reply = service.get("/api/comments").await;
        let hidden = filter("is_hidden", "$eq", "false", "false");
        assert_eq!(reply.meta()["filters"], json!([hidden]));
        // After the client's own.
        let reply = service.get("/api/comments?filters[article_id]=7").await;
        let seven = filter("article_id", "$eq", "7", "7");
        assert_eq!(reply.meta()["filters"], json!([seven, hidden]));
        // A default that was dropped is not told.
        let reply = service.get("/api/comments?filters[is_hidden]=1").await;
        let shown = filter("is_hidden", "$eq", "true", "true");
        assert_eq!(reply.meta()["filters"], json!([shown]));
        let context = Context::new().with(blog::listings::CurrentUser { author_id: 999 });
        let reply = service.with_context(context).get("/api/articles").await;
        let unknown = filter("author_id", "$eq", "999", "999");
        assert_eq!(reply.meta()["filters"], json!([unknown]));
    });
}

/// Rule d33.
#[test]
fn several_filters_are_told_in_the_order_sent() {
    on_each_database(async |service| {
        let query = "filters[views][$lte]=500&filters[rating][$null]=false&filters[views][$gte]=007\
                     &filters[title][$contains]=A%25&filters[author_id][$notNull]";
        let reply = asked(service, query).await;
        assert_eq!(
            reply.meta()["filters"],
            json!([
                filter("views", "$lte", "500", "500"),
                filter("views", "$gte", "7", "7"),
                filter("rating", "$null", "false", "false"),
                filter("title", "$contains", "A%", "A%"),
                filter("author_id", "$notNull", "true", "true"),
            ])
        );
    });
}

/// Whatever the spelling, one is told: what a client compares with what it has.
/// Rules d33, b20.
#[test]
fn values_are_told_in_one_spelling() {
    on_each_bench(async |bench| {
        for (column, spellings, canonical) in [
            ("small", &["7", "007", "0000000000000000000000007"][..], "7"),
            ("small", &["0", "-0", "00"], "0"),
            (
                "unsigned",
                &["18446744073709551615"],
                "18446744073709551615",
            ),
            ("twofold", &["1.5", "1.50", "01.500"], "1.5"),
            ("twofold", &["2", "2.0"], "2"),
            ("price", &["4.5", "4.50", "4.5000", "04.50000"], "4.5000"),
            ("price", &["7", "7.0"], "7.0000"),
            ("price", &["0", "-0", "0.0", "-0.00"], "0.0000"),
            // More digits than the column has are another number.
            ("price", &["4.50001", "4.5000100"], "4.50001"),
            ("flag", &["true", "1", "T", "yes", "ON"], "true"),
            (
                "token",
                &[
                    "01234567-89AB-CDEF-0123-456789ABCDEF",
                    "0123456789abcdef0123456789abcdef",
                ],
                "01234567-89ab-cdef-0123-456789abcdef",
            ),
            ("day", &["2024-02-29"], "2024-02-29"),
            ("clock", &["13:45", "13:45:00", "13:45:00.000"], "13:45:00"),
            (
                "moment",
                &[
                    "2024-02-29T12:00:00Z",
                    "2024-02-29T13:00:00+01:00",
                    "2024-02-29 12:00",
                ],
                "2024-02-29T12:00:00.000000Z",
            ),
            ("moment", &["2024-02-29"], "2024-02-29"),
            ("title", &["  As it is "], "  As it is "),
            ("state", &["sold out"], "sold out"),
        ] {
            for spelling in spellings {
                let filters = json!({ column: { "$eq": spelling } });
                let reply = bench.post::<samples::Entity>(&filters).await;
                let told = &reply.ok().meta()["filters"];
                let expected = filter(column, "$eq", canonical, canonical);
                assert_eq!(*told, json!([expected]), "{column} {spelling}");
            }
        }
    });
}
