//! Arbitrary text and bytes, all the way from request to SQL, never cause a 5xx or change a row.

use std::cell::Cell;

use axum::body::Body;
use axum::http::Request;
use listing_tests::{Engine, Reply, Service, run};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};

use crate::hostile::contents;

/// What a filter takes.
#[derive(Debug, Clone, Copy)]
enum Takes {
    Text,
    Integer,
    Decimal,
    Boolean,
    Moment,
}

/// Its name, its operator, and its values.
type KnownFilter = (&'static str, &'static str, Takes);

/// Filters that pass the check, so that their values get to the database.
const FILTERS: &[(&str, &[KnownFilter])] = &[
    (
        "articles",
        &[
            ("title", "$contains", Takes::Text),
            ("title", "$eq", Takes::Text),
            ("title", "$ne", Takes::Text),
            ("slug", "$in", Takes::Text),
            ("body", "$contains", Takes::Text),
            ("author_country", "$in", Takes::Text),
            ("id", "$notIn", Takes::Integer),
            ("id", "$in", Takes::Integer),
            ("views", "$gt", Takes::Integer),
            ("views", "$lte", Takes::Integer),
            ("author_id", "$eq", Takes::Integer),
            ("rating", "$gte", Takes::Decimal),
            ("rating", "$eq", Takes::Decimal),
            ("rating", "$ne", Takes::Decimal),
            ("rating", "$null", Takes::Boolean),
            ("is_active", "$eq", Takes::Boolean),
            ("created_at", "$lt", Takes::Moment),
            ("created_at", "$gte", Takes::Moment),
            ("created_at", "$ne", Takes::Moment),
        ],
    ),
    (
        "authors",
        &[
            ("name", "$contains", Takes::Text),
            ("name", "$eq", Takes::Text),
            ("country", "$in", Takes::Text),
        ],
    ),
    (
        "comments",
        &[
            ("author_name", "$contains", Takes::Text),
            ("author_name", "$eq", Takes::Text),
            ("article_id", "$in", Takes::Integer),
            ("is_hidden", "$eq", Takes::Boolean),
        ],
    ),
    (
        "tags",
        &[
            ("name", "$contains", Takes::Text),
            ("name", "$eq", Takes::Text),
        ],
    ),
];

/// Words that mean something somewhere.
const WORDS: &[&str] = &[
    "fields",
    "populate",
    "filters",
    "sort",
    "pagination",
    "trashed",
    "id",
    "title",
    "slug",
    "body",
    "views",
    "rating",
    "is_active",
    "author_id",
    "author_country",
    "created_at",
    "comments_count",
    "author",
    "comments",
    "tags",
    "seo",
    "author.name",
    "seo.meta_title",
    "name",
    "country",
    "joined_at",
    "articles",
    "articles_count",
    "article",
    "article_id",
    "author_name",
    "is_hidden",
    "email",
    "$eq",
    "$ne",
    "$lt",
    "$contains",
    "$containsi",
    "$in",
    "$notIn",
    "$null",
    "$notNull",
    "$between",
    "$or",
    "page",
    "pageSize",
    "start",
    "limit",
    "withCount",
    "*",
    "asc",
    "desc",
    "title:desc",
    "views:asc,id",
    "true",
    "false",
    "null",
    "0",
    "1",
    "-1",
    "500",
    "3.5",
    "18446744073709551615",
    "2024-01-01",
    "9999-12-31",
    "DE",
    "'",
    "\"",
    "\\",
    "%",
    "_",
    "!",
    "--",
    ";",
    "",
    " ",
    ",",
    ":",
    ".",
    "é",
    "🦀",
];

fn word() -> BoxedStrategy<String> {
    prop_oneof![
        4 => select(WORDS).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "[0-9]{1,30}",
    ]
    .boxed()
}

fn value(takes: Takes) -> impl Strategy<Value = String> {
    const MOMENT: &str = concat!(
        "[0-9]{3}[1-9]-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])",
        "(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+ -](0[0-9]|1[0-4]):[0-5][0-9])?)?",
    );
    let right = match takes {
        Takes::Text => prop_oneof![any::<String>(), word()].boxed(),
        Takes::Integer => prop_oneof![
            (-5_i64..600).prop_map(|number| number.to_string()),
            any::<i64>().prop_map(|number| number.to_string()),
            any::<u64>().prop_map(|number| number.to_string()),
        ]
        .boxed(),
        Takes::Decimal => "-?[0-9]{1,14}(\\.[0-9]{1,13})?".boxed(),
        Takes::Boolean => select(&["true", "FALSE", "1", "off"][..])
            .prop_map(str::to_owned)
            .boxed(),
        Takes::Moment => MOMENT.boxed(),
    };
    prop_oneof![9 => right, 1 => word()]
}

/// A pair of a query string; in JSON, a path and what stands there.
#[derive(Debug, Clone)]
struct Pair {
    path: Vec<String>,
    value: String,
}

fn pair(filters: &'static [KnownFilter]) -> impl Strategy<Value = Pair> {
    let path = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let filter = select(filters).prop_flat_map(move |(field, operator, takes)| {
        value(takes).prop_map(move |value| Pair {
            path: path(&["filters", field, operator]),
            value,
        })
    });
    let lists = select(&["fields", "sort", "populate"][..]);
    let list = (lists, vec(word(), 0..4)).prop_map(move |(list, names)| Pair {
        path: path(&[list]),
        value: names.join(","),
    });
    let sizes = select(&["page", "pageSize", "withCount"][..]);
    let size = (sizes, "[1-9][0-9]{0,30}|1").prop_map(move |(key, value)| Pair {
        path: path(&["pagination", key]),
        value,
    });
    let noise = (vec(word(), 1..5), word()).prop_map(|(path, value)| Pair { path, value });
    prop_oneof![6 => filter, 2 => list, 1 => size, 1 => noise]
}

/// A list, and pairs that it nearly takes.
fn asked() -> impl Strategy<Value = (&'static str, Vec<Pair>)> {
    select(FILTERS).prop_flat_map(|(list, filters)| (Just(list), vec(pair(filters), 1..5)))
}

/// A query string: of pairs that are nearly right, or of anything.
fn query() -> impl Strategy<Value = (&'static str, String)> {
    let pairs = asked().prop_map(|(list, pairs)| {
        let pairs = pairs.iter().map(|Pair { path, value }| {
            let brackets: String = path[1..].iter().map(|name| format!("[{name}]")).collect();
            let key = encode(format!("{}{brackets}", path[0]).as_bytes());
            format!("{key}={}", encode(value.as_bytes()))
        });
        (list, pairs.collect::<Vec<_>>().join("&"))
    });
    let bytes = vec(any::<u8>(), 0..200).prop_map(|bytes| ("articles", encode(&bytes)));
    let raw = "[ -~&&[^\"#<>\\\\^`{|} ]]{0,100}".prop_map(|raw| ("articles", raw));
    prop_oneof![8 => pairs, 1 => bytes, 1 => raw]
}

/// Everything but letters, digits and brackets as `%41`.
fn encode(bytes: &[u8]) -> String {
    let encoded = bytes.iter().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'[' | b']' | b'$' | b'_' | b'.' | b'-' => {
            char::from(*byte).to_string()
        }
        other => format!("%{other:02X}"),
    });
    encoded.collect()
}

/// JSON in the shape of a request, or in none.
fn body() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let leaf = prop_oneof![
        4 => word().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    let tree = leaf.prop_recursive(4, 32, 6, |inner| {
        let object = vec((word(), inner.clone()), 0..6);
        prop_oneof![
            vec(inner, 0..6).prop_map(Value::from),
            object.prop_map(|entries| entries.into_iter().collect::<Value>()),
        ]
    });
    let pairs = asked().prop_map(|(list, pairs)| {
        let mut body = json!({});
        for Pair { path, value } in pairs {
            put(&mut body, &path, value);
        }
        (list, body)
    });
    let parameter = select(&WORDS[..6]).prop_map(str::to_owned);
    let trees = vec((parameter, tree.clone()), 0..5)
        .prop_map(|entries| ("articles", entries.into_iter().collect::<Value>()));
    let json = prop_oneof![
        6 => pairs,
        2 => trees,
        1 => tree.prop_map(|value| ("articles", value)),
    ];
    let bytes = vec(any::<u8>(), 0..200).prop_map(|bytes| ("articles", bytes));
    prop_oneof![
        9 => json.prop_map(|(list, value)| (list, value.to_string().into_bytes())),
        1 => bytes,
    ]
}

/// Puts a value at the end of a path; what stands in the way is replaced.
fn put(at: &mut Value, path: &[String], value: String) {
    let Some((name, rest)) = path.split_first() else {
        *at = Value::from(value);
        return;
    };
    if !at.is_object() {
        *at = Value::Object(Map::new());
    }
    put(&mut at[name], rest, value);
}

/// A success, or the client's own mistake in our words.
fn is_no_fault_of_ours(reply: &Reply) -> Result<(), TestCaseError> {
    let (status, text) = (reply.status.as_u16(), reply.text());
    prop_assert!(matches!(status, 200 | 400), "{status} {text}");
    let json: Value = serde_json::from_slice(&reply.bytes)
        .map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
    prop_assert_eq!(&json["meta"]["code"], status);
    prop_assert!(!text.contains("@authors.example"), "{text}");
    Ok(())
}

/// Most of them where a case costs no round trip. `PROPTEST_CASES` changes the number.
fn cases(engine: Engine) -> Config {
    let config = Config::default();
    let times = match engine {
        Engine::Sqlite => 8,
        Engine::Postgres | Engine::Mysql => 1,
    };
    Config {
        cases: config.cases.saturating_mul(times),
        failure_persistence: None,
        ..config
    }
}

fn on_each_engine<S: Strategy>(strategy: &S, ask: impl AsyncFn(&Service, S::Value) -> Reply) {
    for engine in Engine::ALL {
        let service = run(Service::fresh(engine));
        let before = run(contents(&service));
        let answered = Cell::new(0);
        let outcome = TestRunner::new(cases(engine)).run(strategy, |input| {
            let reply = run(ask(&service, input));
            answered.set(answered.get() + u32::from(reply.status == 200));
            is_no_fault_of_ours(&reply)
        });
        if let Err(failure) = outcome {
            panic!("on {engine}: {failure}");
        }
        // Noise that is always refused would never reach the database.
        let share = answered.get() * 100 / cases(engine).cases;

        assert!(share > 30, "only {share} % were answered, on {engine}");
        assert_eq!(run(contents(&service)), before, "{engine}");
    }
}

/// Rules d4, d9, d53.
#[test]
fn no_query_string_is_our_fault() {
    on_each_engine(&query(), async |service, (list, query)| {
        let request = Request::get(format!("/api/{list}?{query}"));
        service.send(request.body(Body::empty()).unwrap()).await
    });
}

/// Rules d13, d53.
#[test]
fn no_body_is_our_fault() {
    on_each_engine(&body(), async |service, (list, body)| {
        let request =
            Request::post(format!("/api/{list}/query")).header("content-type", "application/json");
        service.send(request.body(Body::from(body)).unwrap()).await
    });
}
