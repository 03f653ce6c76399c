//! Tests on random input that each spelling is read back as the same request, and that nothing panics.

use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use super::spell::{Arrays, Told, body, encode_all, encode_value, pairs};
use crate::request::{
    AskedFilter, AskedNames, AskedPage, AskedPopulate, AskedRelation, AskedSearch, AskedSort,
    Request, parse_json, parse_query,
};
use crate::vocabulary::{Bounds, FilterOperator, SortDirection};

proptest! {
    /// Rules d1, d13, d65, d78.
    #[test]
    fn every_spelling_of_a_request_is_read_as_that_request(told in told()) {
        let bounds = Bounds { populate_relations: 100, ..Bounds::default() };
        let mut read = None;
        for arrays in [Arrays::Indices, Arrays::Brackets, Arrays::Repeat] {
            let pairs = pairs(&told, arrays);
            for encode in [encode_all, encode_value] {
                let query: Vec<_> = pairs.iter().map(|(key, value)| encode(key, value)).collect();
                let query = query.join("&");
                let request = parse_query(&query, &bounds);
                let request = request.map(|read| Request { filters: AskedFilter::default(), ..read });
                prop_assert_eq!(&request, &Ok(told.request.clone()), "{}", query);
                let filters = parse_query(&query, &bounds).map(|read| read.filters);
                read.get_or_insert_with(|| filters.clone());
                // However it was spelled, the same tree comes out.
                prop_assert_eq!(read.as_ref(), Some(&filters), "{}", query);
            }
        }
        let body = body(&told).to_string();
        let request = parse_json(body.as_bytes(), &bounds);
        prop_assert_eq!(read, Some(request.clone().map(|read| read.filters)), "{}", body);
        let request = request.map(|read| Request { filters: AskedFilter::default(), ..read });
        prop_assert_eq!(request, Ok(told.request), "{}", body);
    }

    /// Rule d4.
    #[test]
    fn no_text_panics(query in any::<String>()) {
        let _ = parse_query(&query, &Bounds::default()).map_err(|error| error.complaint());
    }

    /// Rule d4.
    #[test]
    fn no_mixture_of_pieces_panics(pieces in vec(select(TEXT), 0..40)) {
        if let Err(error) = parse_query(&pieces.concat(), &Bounds::default()) {
            prop_assert!(error.complaint().message.ends_with('.'));
        }
    }

    /// Rule d4.
    #[test]
    fn no_bytes_panic(body in vec(any::<u8>(), 0..200)) {
        let _ = parse_json(&body, &Bounds::default()).map_err(|error| error.complaint());
        let query: String = body.iter().map(|byte| format!("%{byte:02x}")).collect();
        let _ = parse_query(&query, &Bounds::default()).map_err(|error| error.complaint());
    }

    /// Rule d13.
    #[test]
    fn no_json_panics(value in any_json()) {
        let _ = parse_json(value.to_string().as_bytes(), &Bounds::default())
            .map_err(|error| error.complaint());
    }

    /// Rule d13.
    #[test]
    fn no_mixture_of_json_pieces_panics(pieces in vec(select(JSON), 0..40)) {
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
    "[$not]",
    "[$some]",
    "[author]",
    "[populate]",
    "[count]",
    "search",
    "_q",
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
    "\"$or\":",
    "\"$not\":",
    "\"author\":",
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

/// A request, and the JSON of its filters, which both spellings are made of.
fn told() -> impl Strategy<Value = Told> {
    (
        names("[a-zé_%&=+]{1,8}|[a-z]+[.][a-z]+"),
        populate(),
        filters(),
        sorts(),
        page(),
        proptest::option::of("[A-Za-z0-9_-]{0,9}"),
        any::<Option<bool>>(),
        proptest::option::of(select(&["with", "only"] as &[&str])),
        proptest::option::of("[a-z\" -]{1,9}"),
    )
        .prop_map(
            |(fields, populate, filters, sort, page, cursor, with_count, trashed, search)| Told {
                request: Request {
                    numbers: None,
                    groups: None,
                    export: None,
                    fields,
                    populate,
                    filters: AskedFilter::default(),
                    search: search.map(|text| AskedSearch {
                        parameter: "search",
                        text,
                    }),
                    sort,
                    cursor: cursor.filter(|_| matches!(page, AskedPage::Page { page: None, .. })),
                    page,
                    with_count,
                    exact_count: false,
                    timezone: None,
                    trashed: trashed.map(str::to_owned),
                    unknown: Vec::new(),
                },
                filters,
            },
        )
}

fn names(name: &'static str) -> impl Strategy<Value = Option<AskedNames>> {
    (any::<bool>(), btree_set(name, 0..5)).prop_map(|(all, names)| {
        (all || !names.is_empty()).then(|| AskedNames {
            all,
            names: names.into_iter().map(Into::into).collect(),
        })
    })
}

/// Relations with options, up to three levels of them.
fn populate() -> impl Strategy<Value = Option<AskedPopulate>> {
    let none = Just(None).boxed();
    (0..3).fold(none, |below, _| {
        let options = (
            names("[a-zé_]{1,8}"),
            sorts(),
            proptest::option::of(1..=u64::MAX),
            (
                proptest::option::of(any::<u64>()),
                any::<bool>(),
                any::<bool>(),
            ),
            below,
        );
        let relations = btree_map("[b-y][a-zé_%&=+]{0,7}", options, 0..3);
        let left_out = btree_set("[A-Z]{2}", 0..2);
        (any::<bool>(), relations, left_out)
            .prop_map(|(all, relations, left_out)| {
                let relation = |(name, (fields, sort, limit, others, populate)): (String, _)| {
                    let (start, count, with_count) = others;
                    let shown = AskedRelation {
                        name: name.into(),
                        fields,
                        filters: AskedFilter::default(),
                        sort,
                        start,
                        limit,
                        count: false,
                        with_count,
                        populate,
                    };
                    match count {
                        false => shown,
                        // Nothing else has an effect.
                        true => AskedRelation {
                            name: shown.name,
                            count,
                            ..AskedRelation::default()
                        },
                    }
                };
                let asked = AskedPopulate {
                    all,
                    relations: relations.into_iter().map(relation).collect(),
                    left_out: left_out.into_iter().map(Into::into).collect(),
                };
                (asked != AskedPopulate::default()).then_some(asked)
            })
            .boxed()
    })
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

/// Groups, negations, relations and comparisons, as JSON.
fn filters() -> impl Strategy<Value = Value> {
    let operators = FilterOperator::ALL.iter().map(|operator| operator.wire());
    let operators: Vec<_> = operators.chain(["$unknown"]).collect();
    // Two values or more: one that is repeated once cannot be told from a scalar.
    let values = (any_text(), vec(any_text(), 2..6));
    let comparison = btree_map(select(operators), values, 1..3).prop_map(|operators| {
        let value = |(operator, (one, many)): (&str, (String, Vec<String>))| {
            let many_allowed = ["$in", "$notIn", "$between", "$unknown"].contains(&operator);
            let value = match many_allowed && one.len() % 3 != 0 {
                true => Value::from(many),
                false => Value::from(one),
            };
            (operator.to_owned(), value)
        };
        Value::Object(operators.into_iter().map(value).collect())
    });
    let field = || "[a-zé_.%&=+ ]{1,8}";
    let object = btree_map(field(), comparison, 1..4);
    let object = object.prop_map(|fields| Value::Object(fields.into_iter().collect()));
    let tree = object.prop_recursive(3, 12, 3, move |inner| {
        let one = |name: &str, value: Value| {
            Value::Object([(name.to_owned(), value)].into_iter().collect())
        };
        prop_oneof![
            (
                select(&["$and", "$or"] as &[&str]),
                vec(inner.clone(), 1..3)
            )
                .prop_map(move |(group, parts)| one(group, Value::from(parts))),
            inner.clone().prop_map(move |part| one("$not", part)),
            (field(), inner.clone()).prop_map(move |(relation, part)| one(&relation, part)),
            (
                field(),
                select(&["$some", "$none", "$every"] as &[&str]),
                inner
            )
                .prop_map(move |(relation, quantifier, part)| one(
                    &relation,
                    one(quantifier, part)
                )),
        ]
    });
    prop_oneof![Just(Value::Object(serde_json::Map::new())), tree]
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
