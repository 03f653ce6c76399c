//! Hostile text is refused or has no effect; it never causes a 500 or changes a row.
//!
//! `hostile.txt` holds query strings and JSON bodies, each with the answer that it must get.

use axum::body::Body;
use axum::http::Request;
use blog::entity::article;
use listing_tests::{Reply, Service, on_each_database, on_each_fresh_database};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Statement};
use serde_json::json;

use crate::errors::assert_layout;

/// What is left of the list when what is hostile has no effect.
const PLAIN: &str = "/api/articles";

const TABLES: [&str; 6] = [
    "articles",
    "authors",
    "comments",
    "tags",
    "article_tags",
    "seo",
];

/// How many rows each table has, and the sums of what could have been changed.
pub(crate) async fn contents(service: &Service) -> Vec<i64> {
    let backend = service.db.get_database_backend();
    let mut contents = Vec::new();
    let counts = TABLES.map(|table| format!("SELECT COUNT(*) AS n FROM {table}"));
    let sums = [
        "SELECT CAST(SUM(views) AS DECIMAL(18, 0)) AS n FROM articles",
        "SELECT CAST(SUM(LENGTH(title) + LENGTH(slug)) AS DECIMAL(18, 0)) AS n FROM articles",
        "SELECT CAST(SUM(LENGTH(name) + LENGTH(email)) AS DECIMAL(18, 0)) AS n FROM authors",
        "SELECT COUNT(*) AS n FROM articles WHERE deleted_at IS NULL",
    ]
    .map(str::to_owned);
    for sql in counts.into_iter().chain(sums) {
        let row = service
            .db
            .query_one_raw(Statement::from_string(backend, sql))
            .await
            .unwrap()
            .unwrap();
        let number = row.try_get::<i64>("", "n").or_else(|_| {
            let decimal = row.try_get::<rust_decimal::Decimal>("", "n")?;
            Ok::<_, sea_orm::DbErr>(decimal.mantissa().try_into().unwrap())
        });
        contents.push(number.unwrap());
    }
    contents
}

/// What an answer must be.
#[derive(Debug, Clone, Copy)]
enum Answer<'t> {
    /// 400 with that code.
    Refused(&'t str),
    /// 200 with the same rows as without it.
    Same,
    /// 200 with all rows in the order of their ids: a sort was asked for, and there is no such sort.
    ById,
    /// 200 with the same rows, and nothing of them but the id: fields were asked for, and there are no such fields.
    OnlyId,
    /// 200 without rows.
    Nothing,
}

/// The lines of the corpus: answer, tab, text. A text that begins with a brace is a JSON body.
fn corpus() -> impl Iterator<Item = (Answer<'static>, &'static str)> {
    let lines = include_str!("hostile.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let (answer, text) = line.split_once('\t').unwrap_or_else(|| panic!("{line}"));
        let answer = match answer {
            "same" => Answer::Same,
            "by_id" => Answer::ById,
            "only_id" => Answer::OnlyId,
            "nothing" => Answer::Nothing,
            code => Answer::Refused(code),
        };
        (answer, text)
    })
}

async fn post(service: &Service, body: impl Into<Body>) -> Reply {
    let request = Request::post("/api/articles/query")
        .header("content-type", "application/json")
        .body(body.into())
        .unwrap();
    service.send(request).await
}

#[track_caller]
fn assert_answer(reply: &Reply, answer: Answer<'_>, plain: &Reply, by_id: &Reply, text: &str) {
    match answer {
        Answer::Refused(code) => {
            assert_eq!(reply.status, 400, "{text}: {}", reply.text());
            assert_layout(reply);
            assert_eq!(reply.error_code(400), code, "{text}");
        }
        Answer::Same => {
            assert_eq!(reply.items(), plain.items(), "{text}");
            assert_eq!(reply.total(), plain.total(), "{text}");
        }
        Answer::ById => {
            assert_eq!(reply.items(), by_id.items(), "{text}");
            assert_eq!(reply.total(), by_id.total(), "{text}");
        }
        Answer::OnlyId => {
            assert_eq!(reply.ids(), plain.ids(), "{text}");
            assert_eq!(reply.keys(), ["id"], "{text}");
        }
        Answer::Nothing => {
            assert!(reply.items().is_empty(), "{text}");
            assert_eq!(reply.total(), 0, "{text}");
        }
    }
    assert!(!reply.text().contains("@authors.example"), "{text}");
}

/// Rules d4, d8, d9.
#[test]
fn hostile_text_is_refused_or_without_effect() {
    assert!(corpus().count() > 150);
    on_each_fresh_database(async |service| {
        let before = contents(service).await;
        let plain = service.get(PLAIN).await.ok();
        let by_id = service.get(&format!("{PLAIN}?sort=id")).await.ok();
        assert_ne!(plain.ids(), by_id.ids());
        for (answer, text) in corpus() {
            let reply = if text.starts_with('{') {
                post(service, text).await
            } else {
                service.get(&format!("{PLAIN}?{text}")).await
            };
            assert_answer(&reply, answer, &plain, &by_id, text);
        }
        assert_eq!(contents(service).await, before);
        assert_eq!(service.get(PLAIN).await.text(), plain.text());
    });
}

/// Too long for lines of text.
fn bombs() -> Vec<(u16, &'static str, String)> {
    let filters = |field: &str| format!("filters[{field}]");
    vec![
        (400, "unclosed_bracket", "[".repeat(30_000)),
        (400, "stray_bracket", "]".repeat(30_000)),
        (400, "unclosed_bracket", format!("a{}", "[a".repeat(15_000))),
        (400, "too_deep", format!("a{}", "[a]".repeat(10_000))),
        (400, "too_deep", format!("filters{}", "[]".repeat(15_000))),
        (400, "stray_bracket", format!("a{}", "[]]".repeat(10_000))),
        (414, "query_too_long", "[".repeat(60_000)),
        (
            414,
            "query_too_long",
            format!("a=1{}", "&a[]=1".repeat(10_000)),
        ),
        (400, "too_many_pairs", "a&".repeat(2_000)),
        (400, "too_many_pairs", "filters[id][$in][]=1&".repeat(1_500)),
        (
            400,
            "too_many_pairs",
            (0..1_500).map(|n| format!("f[{n}]=1&")).collect(),
        ),
        (
            400,
            "filter_unknown_field",
            filters(&"x".repeat(512)) + "=1",
        ),
        (400, "name_too_long", filters(&"x".repeat(30_000)) + "=1"),
        (
            400,
            "filter_wrong_value",
            filters("views") + "=" + &"9".repeat(30_000),
        ),
        (
            400,
            "filter_wrong_value",
            filters("rating") + "=0." + &"1".repeat(30_000),
        ),
        (
            400,
            "filter_wrong_value",
            filters("created_at") + "=" + &"2".repeat(30_000),
        ),
        (
            400,
            "bad_number",
            "pagination[page]=-".to_owned() + &"9".repeat(30_000),
        ),
        (
            400,
            "bad_index",
            "fields[".to_owned() + &"9".repeat(512) + "]=title",
        ),
        (
            400,
            "name_too_long",
            "fields[".to_owned() + &"9".repeat(30_000) + "]=title",
        ),
        (
            400,
            "bad_direction",
            "sort=views:".to_owned() + &"asc".repeat(10_000),
        ),
        (
            400,
            "invalid_utf8",
            "fields=".to_owned() + &"%F0%9F".repeat(5_000),
        ),
        (
            400,
            "too_many_relations",
            "populate=".to_owned() + &(0..5_000).map(|n| format!("r{n},")).collect::<String>(),
        ),
        // These are long, and fine.
        (200, "", "fields=".to_owned() + &"x,".repeat(15_000)),
        (200, "", "sort=".to_owned() + &"title,".repeat(5_000)),
        (
            200,
            "",
            filters("title") + "[$contains]=" + &"_".repeat(32_000),
        ),
        (
            200,
            "",
            filters("title") + "[$contains]=" + &"%25".repeat(10_000),
        ),
        (
            200,
            "",
            filters("title") + "[$contains]=" + &"%5C".repeat(10_000),
        ),
        (200, "", filters("title") + "=" + &"'".repeat(32_000)),
        (
            200,
            "",
            filters("slug") + "=" + &"%F0%9F%A6%80".repeat(2_500),
        ),
        (
            200,
            "",
            "pagination[page]=".to_owned() + &"9".repeat(30_000),
        ),
        (
            200,
            "",
            "pagination[start]=".to_owned() + &"9".repeat(30_000),
        ),
        (200, "", "&".repeat(32_000)),
        (200, "", "=".repeat(32_000)),
    ]
}

/// Rules d3, d4.
#[test]
fn bombs_in_a_query_string_do_not_go_off() {
    on_each_database(async |service| {
        for (status, code, query) in bombs() {
            let reply = service.get(&format!("{PLAIN}?{query}")).await;
            assert_eq!(reply.status, status, "{query:.60}: {:.300}", reply.text());
            if status != 200 {
                assert_layout(&reply);
                assert_eq!(reply.error_code(status), code, "{query:.60}");
            }
            assert!(reply.bytes.len() < 200_000, "{query:.60}");
        }
    });
}

fn body_bombs() -> Vec<(u16, &'static str, Vec<u8>)> {
    let mb = 1024 * 1024;
    let text = |text: String| text.into_bytes();
    vec![
        (400, "malformed_json", vec![b'['; mb]),
        (400, "malformed_json", vec![b'{'; mb]),
        (400, "malformed_json", vec![b'"'; mb]),
        (400, "malformed_json", text("{\"a\":".repeat(mb / 5))),
        (413, "body_too_large", vec![b' '; mb + 1]),
        (400, "empty_body", vec![b' '; mb]),
        (
            400,
            "nul",
            text("{\"filters\":{\"title\":\"\\u0000\"}}".to_owned()),
        ),
        (
            400,
            "malformed_json",
            b"{\"filters\":{\"title\":\"\0\"}}".to_vec(),
        ),
        (
            400,
            "invalid_utf8",
            b"{\"filters\":{\"title\":\"\xc3\x28\"}}".to_vec(),
        ),
        (400, "malformed_json", b"\xef\xbb\xbf{}".to_vec()),
        (
            400,
            "too_deep",
            text(format!(
                "{{\"filters\":{}{}}}",
                "[".repeat(100_000),
                "]".repeat(100_000)
            )),
        ),
        (
            400,
            "too_deep",
            text(format!(
                "{{\"filters\":{}1{}}}",
                "{\"a\":".repeat(100_000),
                "}".repeat(100_000)
            )),
        ),
        (
            400,
            "too_many_values",
            text(format!("{{\"fields\":[{}1]}}", "1,".repeat(200_000))),
        ),
        // The long name would be copied for each of the others.
        (
            400,
            "name_too_long",
            text(format!(
                "{{\"sort\":{{\"{}\":{{{}\"b\":\"asc\"}}}}}}",
                "x".repeat(mb / 2),
                (0..30_000)
                    .map(|n| format!("\"a{n}\":\"asc\","))
                    .collect::<String>()
            )),
        ),
        (
            400,
            "filter_wrong_value",
            text(format!(
                "{{\"filters\":{{\"views\":1{}}}}}",
                "0".repeat(1_000_000)
            )),
        ),
        (
            400,
            "filter_wrong_value",
            text("{\"filters\":{\"views\":1e400}}".to_owned()),
        ),
        (
            400,
            "duplicate_key",
            text("{\"sort\":\"id\",\"so\\u0072t\":\"id\"}".to_owned()),
        ),
        (
            200,
            "",
            text(format!(
                "{{\"unknown\":{}{}}}",
                "[".repeat(100_000),
                "]".repeat(100_000)
            )),
        ),
        (
            200,
            "",
            text(format!(
                "{{\"filters\":{{\"title\":{{\"$contains\":\"{}\"}}}}}}",
                "_%".repeat(500_000)
            )),
        ),
        (
            200,
            "",
            text(format!(
                "{{\"filters\":{{\"title\":{{\"$contains\":\"{}\"}}}}}}",
                "\\\\".repeat(500_000)
            )),
        ),
        (
            200,
            "",
            text(format!(
                "{{\"filters\":{{\"slug\":\"{}\"}}}}",
                "🦀".repeat(250_000)
            )),
        ),
        (
            200,
            "",
            text(format!("{{\"sort\":\"{}\"}}", "title,".repeat(170_000))),
        ),
    ]
}

/// Rules d3, d13.
#[test]
fn bombs_in_a_body_do_not_go_off() {
    on_each_database(async |service| {
        for (status, code, body) in body_bombs() {
            let shown = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
            let reply = post(service, body).await;
            assert_eq!(reply.status, status, "{shown}: {:.300}", reply.text());
            if status != 200 {
                assert_layout(&reply);
                assert_eq!(reply.error_code(status), code, "{shown}");
            }
        }
    });
}

/// Rule d26.
#[test]
fn a_long_text_is_looked_for_like_a_short_one() {
    let long = "Straße 100%_\\ \"Ende\" ".repeat(200);
    on_each_fresh_database(async |service| {
        let changed = article::Entity::update_many()
            .col_expr(article::Column::Body, Expr::value(format!("x{long}y")))
            .filter(article::Column::Id.eq(7))
            .exec(&service.db)
            .await
            .unwrap();
        assert_eq!(changed.rows_affected, 1);
        let found = async |text: &str| {
            let body = json!({ "filters": { "body": { "$contains": text } }, "fields": "id" });
            post(service, body.to_string()).await.ids()
        };
        for (text, ids) in [
            (long.as_str(), &[7][..]),
            (&long.replace('S', "s").replace('E', "e"), &[7]),
            (&long.replace('_', "x"), &[]),
            (&long.replace('%', "xx"), &[]),
            (&long.replace('\\', ""), &[]),
            (&long.repeat(20), &[]),
            (&long[..200], &[7]),
        ] {
            assert_eq!(found(text).await, ids, "{text:.60}");
        }
    });
}
