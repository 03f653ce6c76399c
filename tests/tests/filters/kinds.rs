//! Every operator on a column of every kind: each row's value is asked for, and Rust says which rows should answer.

use std::cmp::Ordering;

use serde_json::{Value, json};

use crate::bench::{Bench, on_each_bench};
use crate::samples::{Entity, Model, State, rows};

/// What an operator says of a value and another.
type Holds = fn(Ordering) -> bool;

/// The values of a column, with the row's id and their text.
type Values<T> = Vec<(i64, Option<(T, String)>)>;

fn values<T>(of: impl Fn(&Model) -> Option<T>, text: impl Fn(&T) -> String) -> Values<T> {
    let value = |row: &Model| {
        of(row).map(|value| {
            let text = text(&value);
            (value, text)
        })
    };
    rows().iter().map(|row| (row.id, value(row))).collect()
}

async fn assert_found(bench: &Bench, column: &str, condition: Value, expected: Vec<i64>) {
    let reply = bench.post::<Entity>(&json!({ column: condition })).await;
    assert_eq!(reply.status, 200, "{column} {condition}: {}", reply.text());
    assert_eq!(reply.ids(), expected, "{column} {condition}");
}

fn ids<T>(values: &Values<T>, is: impl Fn(Option<&T>) -> bool) -> Vec<i64> {
    let found = values
        .iter()
        .filter(|(_, value)| is(value.as_ref().map(|(value, _)| value)));
    found.map(|(id, _)| *id).collect()
}

/// `$eq $ne $in $notIn $null $notNull`, with the value of each row.
async fn equality<T: PartialEq>(bench: &Bench, column: &str, values: &Values<T>) {
    let texts = values.iter().filter_map(|(_, value)| value.as_ref());
    for (value, text) in texts.clone() {
        let equal = |other: Option<&T>| other == Some(value);
        let other = |other: Option<&T>| other != Some(value);
        for (operator, expected) in [
            ("$eq", ids(values, equal)),
            ("$in", ids(values, equal)),
            ("$ne", ids(values, other)),
            ("$notIn", ids(values, other)),
        ] {
            assert_found(bench, column, json!({ operator: text }), expected).await;
        }
    }
    let all: Vec<_> = texts.map(|(_, text)| text).collect();
    let there = |value: Option<&T>| value.is_some();
    let null = |value: Option<&T>| value.is_none();
    for (condition, expected) in [
        (json!({ "$in": all }), ids(values, there)),
        (json!({ "$notIn": all }), ids(values, null)),
        (json!({ "$null": true }), ids(values, null)),
        (json!({ "$notNull": true }), ids(values, there)),
    ] {
        assert_found(bench, column, condition, expected).await;
    }
}

/// `$lt $lte $gt $gte $between`, with the value of each row.
async fn order<T: PartialOrd>(bench: &Bench, column: &str, values: &Values<T>) {
    let tests: [(&str, Holds); 4] = [
        ("$lt", Ordering::is_lt),
        ("$lte", Ordering::is_le),
        ("$gt", Ordering::is_gt),
        ("$gte", Ordering::is_ge),
    ];
    let texts = values.iter().filter_map(|(_, value)| value.as_ref());
    for (value, text) in texts.clone() {
        for (operator, holds) in tests {
            let expected = ids(values, |other| {
                other.is_some_and(|other| holds(other.partial_cmp(value).unwrap()))
            });
            assert_found(bench, column, json!({ operator: text }), expected).await;
        }
        for (high, high_text) in texts.clone() {
            let within =
                |other: Option<&T>| other.is_some_and(|other| value <= other && other <= high);
            let condition = json!({ "$between": [text, high_text] });
            assert_found(bench, column, condition, ids(values, within)).await;
        }
    }
}

/// A test that asks a column for everything.
macro_rules! every_operator {
    ($($(#[$rules:meta])* $test:ident: $column:literal, $of:expr, $text:expr, $($what:ident)+;)+) => {$(
        $(#[$rules])*
        #[test]
        fn $test() {
            let values = values($of, $text);
            on_each_bench(async |bench| {
                $($what(bench, $column, &values).await;)+
            });
        }
    )+};
}

every_operator! {
    /// Rules d9, d25.
    every_operator_on_small_integers: "small", |row| row.small, ToString::to_string, equality order;
    /// Rules d9, d25.
    every_operator_on_integers: "medium", |row| row.medium, ToString::to_string, equality order;
    /// Rules d9, d25.
    every_operator_on_big_integers: "big", |row| row.big, ToString::to_string, equality order;
    /// Rules d9, d25.
    every_operator_on_unsigned_integers: "unsigned", |row| row.unsigned, ToString::to_string, equality order;
    /// Rules d9, d25.
    every_operator_on_single_floats: "single", |row| row.single, ToString::to_string, equality order;
    /// Rules d9, d25.
    every_operator_on_double_floats: "twofold", |row| row.double, ToString::to_string, equality order;
    /// Rules d9, d25.
    every_operator_on_decimals: "price", |row| row.price, ToString::to_string, equality order;
    /// Rules d9, d25.
    every_operator_on_booleans: "flag", |row| row.flag, ToString::to_string, equality order;
    /// Rules d9, d25.
    every_operator_on_fixed_text: "code", |row| row.code.clone(), Clone::clone, equality;
    /// Rules d9, d25.
    every_operator_on_text: "title", |row| row.title.clone(), Clone::clone, equality;
    /// Rules d9, d25.
    every_operator_on_uuids: "token", |row| row.token, ToString::to_string, equality order;
    /// Rules d9, d25.
    every_operator_on_dates: "day", |row| row.day, ToString::to_string, equality order;
    /// Rules d9, d25.
    every_operator_on_times: "clock", |row| row.clock, ToString::to_string, equality order;
    /// Rules d9, d25.
    every_operator_on_local_times: "local", |row| row.local, |value| format!("{value:?}"), equality order;
    /// Rules d9, d25.
    every_operator_on_moments: "moment", |row| row.moment, |value| value.to_rfc3339(), equality order;
    /// Rules d9, d25.
    every_operator_on_enumerations: "state", |row| row.state, |value| state(*value).to_owned(), equality;
}

fn state(state: State) -> &'static str {
    match state {
        State::New => "new",
        State::SoldOut => "sold out",
        State::Gone => "gone \"away\"",
    }
}

/// Rule d148.
#[test]
fn a_search_looks_into_enumerations_and_numbers_as_text() {
    on_each_bench(async |bench| {
        let of = |holds: &dyn Fn(&Model) -> bool| -> Vec<i64> {
            let rows = rows();
            let rows = rows.iter().filter(|row| holds(row));
            rows.map(|row| row.id).collect()
        };
        let sold_out = of(&|row| row.state == Some(State::SoldOut));
        assert!(!sold_out.is_empty());
        let found = bench.get::<Entity>("search=%22LD%20OU%22&sort=id").await;
        assert_eq!(found.ids(), sold_out, "{}", found.text());
        let number = |row: &Model| row.medium.is_some_and(|it| it.to_string().contains("7000"));
        let found = bench.get::<Entity>("search=7000&sort=id").await;
        assert_eq!(found.ids(), of(&number), "{}", found.text());
    });
}
