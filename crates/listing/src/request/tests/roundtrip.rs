//! Tests on random input that each spelling is read back as the same request, and that nothing panics.

use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use super::spell::{Arrays, body, encode_all, encode_value, pairs};
use crate::request::{
    AskedComparison, AskedFilter, AskedNames, AskedPage, AskedSort, AskedValues, Request,
    parse_json, parse_query,
};
use crate::vocabulary::{Bounds, FilterOperator, SortDirection};

proptest! {
    #[test]
    fn d1_d13_every_spelling_of_a_request_is_read_as_that_request(request in request()) {
        let bounds = Bounds::default();
        for arrays in [Arrays::Indices, Arrays::Brackets, Arrays::Repeat] {
            let pairs = pairs(&request, arrays);
            for encode in [encode_all, encode_value] {
                let query: Vec<_> = pairs.iter().map(|(key, value)| encode(key, value)).collect();
                let query = query.join("&");
                prop_assert_eq!(parse_query(&query, &bounds), Ok(request.clone()), "{}", query);
            }
        }
        let body = body(&request).to_string();
        prop_assert_eq!(parse_json(body.as_bytes(), &bounds), Ok(request), "{}", body);
    }

    #[test]
    fn d4_no_text_panics(query in any::<String>()) {
        let _ = parse_query(&query, &Bounds::default()).map_err(|error| error.complaint());
    }

    #[test]
    fn d4_no_mixture_of_pieces_panics(pieces in vec(select(TEXT), 0..40)) {
        if let Err(error) = parse_query(&pieces.concat(), &Bounds::default()) {
            prop_assert!(error.complaint().message.ends_with('.'));
        }
    }

    #[test]
    fn d4_no_bytes_panic(body in vec(any::<u8>(), 0..200)) {
        let _ = parse_json(&body, &Bounds::default()).map_err(|error| error.complaint());
        let query: String = body.iter().map(|byte| format!("%{byte:02x}")).collect();
        let _ = parse_query(&query, &Bounds::default()).map_err(|error| error.complaint());
    }

    #[test]
    fn d13_no_json_panics(value in any_json()) {
        let _ = parse_json(value.to_string().as_bytes(), &Bounds::default())
            .map_err(|error| error.complaint());
    }

    #[test]
    fn d13_no_mixture_of_json_pieces_panics(pieces in vec(select(JSON), 0..40)) {
        if let Err(error) = parse_json(pieces.concat().as_bytes(), &Bounds::default()) {
            prop_assert!(error.complaint().message.ends_with('.'));
        }
    }
}

const TEXT: &[&str] = &[
    "fields",
    "populate",
    "filters",
    "sort",
    "pagination",
    "trashed",
    "[",
    "]",
    "[]",
    "[0]",
    "[page]",
    "[start]",
    "[views]",
    "[$in]",
    "[$eq]",
    "[$or]",
    "[99999999999999999999]",
    "=",
    "&",
    "%",
    "%5B",
    "%5D",
    "%00",
    "%FF",
    "%C3%A9",
    "+",
    ",",
    ":",
    "desc",
    "*",
    "1",
    "é",
    "true",
];

const JSON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\"fields\":",
    "\"populate\":",
    "\"filters\":",
    "\"sort\":",
    "\"pagination\":",
    "\"page\":",
    "\"$in\":",
    "\"views\":",
    "null",
    "1",
    "-1.5e3",
    "\"a\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "true",
    " ",
];

fn any_json() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z:,.*$]{0,6}".prop_map(Value::from),
    ];
    let key = select(&[
        "fields",
        "populate",
        "filters",
        "sort",
        "pagination",
        "trashed",
        "page",
        "$in",
        "$or",
        "a",
        "0",
        "",
    ] as &[&str]);
    scalar.prop_recursive(8, 60, 5, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            btree_map(key.clone(), inner, 0..5).prop_map(|entries| {
                entries
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect()
            }),
        ]
    })
}

fn request() -> impl Strategy<Value = Request> {
    (
        names("[a-zé_%&=+]{1,8}|[a-z]+[.][a-z]+"),
        names("[a-zé_%&=+]{1,8}"),
        filters(),
        sorts(),
        page(),
        proptest::option::of("[A-Za-z0-9_-]{0,9}"),
        any::<Option<bool>>(),
        proptest::option::of(select(&["with", "only"] as &[&str])),
    )
        .prop_map(
            |(fields, populate, filters, sort, page, cursor, with_count, trashed)| Request {
                fields,
                populate,
                filters,
                sort,
                cursor: cursor.filter(|_| matches!(page, AskedPage::Page { page: None, .. })),
                page,
                with_count,
                trashed: trashed.map(str::to_owned),
            },
        )
}

fn names(name: &'static str) -> impl Strategy<Value = Option<AskedNames>> {
    prop_oneof![
        Just(None),
        Just(Some(AskedNames::All)),
        btree_set(name, 1..5).prop_map(|names| Some(AskedNames::These(
            names.into_iter().map(Into::into).collect()
        ))),
    ]
}

fn sorts() -> impl Strategy<Value = Option<Vec<AskedSort>>> {
    let direction = select(&[SortDirection::Asc, SortDirection::Desc] as &[_]);
    let sorts = btree_map("[a-zé_.:&=%]{1,8}", direction, 1..4).prop_map(|sorts| {
        sorts
            .into_iter()
            .map(|(name, direction)| AskedSort {
                name: name.into(),
                direction,
            })
            .collect()
    });
    proptest::option::of(sorts)
}

fn filters() -> impl Strategy<Value = AskedFilter> {
    let operators = FilterOperator::ALL.iter().map(|operator| operator.wire());
    let operators: Vec<_> = operators.chain(["$unknown", "eq"]).collect();
    // Two values or more: one that is repeated once cannot be told from a scalar.
    let values = (any_text(), vec(any_text(), 2..12));
    let field = btree_map(select(operators), values, 1..4);
    btree_map("[a-zé_.%&=+ ]{1,8}", field, 0..4).prop_map(|fields| {
        let compare = |field: &String, (operator, (one, many)): (&str, (String, Vec<String>))| {
            let many_allowed = ["$in", "$notIn", "$between", "$unknown", "eq"].contains(&operator);
            AskedFilter::Compare(AskedComparison {
                field: field.as_str().into(),
                operator: operator.into(),
                values: if many_allowed && one.len() % 3 != 0 {
                    AskedValues::Many(many.into_iter().map(Into::into).collect())
                } else {
                    AskedValues::One(one.into())
                },
            })
        };
        let all = fields.into_iter().flat_map(|(field, operators)| {
            operators
                .into_iter()
                .map(|row| compare(&field, row))
                .collect::<Vec<_>>()
        });
        AskedFilter::All(all.collect())
    })
}

/// Any text but NUL.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["[^\0]{0,6}", "[0-9]{1,30}", "[a-z,&=%+ \\[\\]]{0,8}"]
}

fn page() -> impl Strategy<Value = AskedPage> {
    let number = || proptest::option::of(1..=u64::MAX);
    prop_oneof![
        (number(), number()).prop_map(|(page, size)| AskedPage::Page { page, size }),
        (any::<u64>(), number()).prop_map(|(start, limit)| AskedPage::Offset {
            start: Some(start),
            limit
        }),
        (1..=u64::MAX).prop_map(|limit| AskedPage::Offset {
            start: None,
            limit: Some(limit)
        }),
    ]
}
