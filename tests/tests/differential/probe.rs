//! Asks for names that no listing has in every way that comes to mind.

use serde_json::{Map, Value, json};

/// Columns that no client may reach, in the spellings that a careless server would take.
pub(crate) const HIDDEN: [&str; 12] = [
    "email",
    "Email",
    "author.email",
    "authors.email",
    "article.author.email",
    "author[email]",
    "\"email\"",
    "`authors`.`email`",
    "email AS name",
    "name,email",
    "deleted_at",
    "article.deleted_at",
];

/// Values by which the hidden columns could be found out.
pub(crate) const GUESSES: [&str; 6] = [
    "anna.koehler@authors.example",
    "499x@elsewhere.test",
    "@",
    "a",
    "2024-01-01",
    "true",
];

const OPERATORS: [&str; 12] = [
    "$eq",
    "$ne",
    "$lt",
    "$lte",
    "$gt",
    "$gte",
    "$contains",
    "$in",
    "$notIn",
    "$null",
    "$notNull",
    "$between",
];

/// Where in a request a hidden column is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Fields,
    Sort,
    Populate,
    Filters,
}

impl Place {
    pub(crate) const ALL: [Self; 4] = [Self::Fields, Self::Sort, Self::Populate, Self::Filters];
}

/// All ways to name `column` in that place.
pub(crate) fn probes(place: Place, column: &str, guess: &str) -> Vec<Map<String, Value>> {
    let trees = match place {
        Place::Fields => vec![
            json!({ "fields": [column] }),
            json!({ "fields": ["name", column, "title"] }),
            json!({ "fields": { "author": [column] } }),
            json!({ "fields": { column: true } }),
        ],
        Place::Sort => vec![
            json!({ "sort": [column] }),
            json!({ "sort": [format!("{column}:desc"), "name:asc"] }),
            json!({ "sort": [format!("-{column}")] }),
            json!({ "sort": { column: "asc" } }),
            json!({ "sort": { "author": { column: "asc" } } }),
        ],
        Place::Populate => vec![
            json!({ "populate": [column] }),
            json!({ "populate": ["author", format!("author.{column}")] }),
            json!({ "populate": { "author": { "fields": [column] } } }),
            json!({ "populate": { "author": { "sort": [column] } } }),
            json!({ "populate": { "author": { "filters": { column: { "$eq": guess } } } } }),
            json!({ "populate": { "articles": { "populate": { "author": { "fields": [column] } } } } }),
            json!({ "populate": { "author": column } }),
        ],
        Place::Filters => filters(column, guess),
    };
    let object = |tree| match tree {
        Value::Object(tree) => tree,
        other => panic!("{other} is no tree of parameters"),
    };
    trees.into_iter().map(object).collect()
}

fn filters(column: &str, guess: &str) -> Vec<Value> {
    let mut trees = vec![
        json!({ "filters": { column: guess } }),
        json!({ "filters": { "author": { column: guess } } }),
        json!({ "filters": { "author": { column: { "$eq": guess } } } }),
        json!({ "filters": { "articles": { "author": { column: { "$contains": guess } } } } }),
        json!({ "filters": { "$or": [{ column: { "$eq": guess } }] } }),
        json!({ "filters": { "$and": [{ column: { "$contains": guess } }] } }),
        json!({ "filters": { "$not": { column: { "$contains": guess } } } }),
        // A filter that is allowed next to one that is not.
        json!({ "filters": { "name": { "$contains": "a" }, column: { "$contains": guess } } }),
    ];
    for operator in OPERATORS {
        let value = match operator {
            "$in" | "$notIn" => json!([guess]),
            "$between" => json!([guess, "z"]),
            _ => json!(guess),
        };
        trees.push(json!({ "filters": { column: { operator: value } } }));
    }
    trees
}
