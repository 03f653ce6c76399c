//! The ways in which clients spell a request, as a query string and as a JSON body.

use serde_json::{Map, Value, json};

use crate::request::{AskedNames, AskedPage, AskedPopulate, AskedRelation, AskedSort, Request};

/// A request without its filters, and the JSON of those.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) request: Request,
    pub(super) filters: Value,
}

/// The array formats of the `qs` library. Objects in a list always need their numbers.
#[derive(Clone, Copy)]
pub(super) enum Arrays {
    Indices,
    Brackets,
    Repeat,
}

impl Arrays {
    /// The pairs of a value, as `qs.stringify` writes them.
    fn spell(self, key: &str, value: &Value, pairs: &mut Vec<(String, String)>) {
        match value {
            Value::Null => {}
            Value::String(text) => pairs.push((key.to_owned(), text.clone())),
            Value::Object(members) => {
                for (name, value) in members {
                    self.spell(&format!("{key}[{name}]"), value, pairs);
                }
            }
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    let key = match self {
                        Self::Brackets if item.is_string() => format!("{key}[]"),
                        Self::Repeat if item.is_string() => key.to_owned(),
                        _ => format!("{key}[{at}]"),
                    };
                    self.spell(&key, item, pairs);
                }
            }
            other => pairs.push((key.to_owned(), other.to_string())),
        }
    }
}

/// The pairs of a query string, not yet encoded.
pub(super) fn pairs(told: &Told, arrays: Arrays) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    if let Value::Object(parameters) = body(told) {
        for (name, value) in parameters {
            arrays.spell(&name, &value, &mut pairs);
        }
    }
    pairs
}

/// The JSON body.
pub(super) fn body(told: &Told) -> Value {
    let Told { request, filters } = told;
    let mut pagination: Map<_, _> = numbers(request)
        .map(|(key, number)| (key.to_owned(), json!(number)))
        .collect();
    if let Some(cursor) = &request.cursor {
        pagination.insert("cursor".to_owned(), json!(cursor));
    }
    if let Some(with_count) = request.with_count {
        pagination.insert("withCount".to_owned(), json!(with_count));
    }
    json!({
        "fields": request.fields.as_ref().map(name_list),
        "populate": request.populate.as_ref().map(populate),
        "filters": filters,
        "search": request.search.as_ref().map(|search| &search.text),
        "sort": sort_list(request.sort.as_deref()),
        "pagination": pagination,
        "trashed": request.trashed,
    })
}

/// A list of names where that says everything, and an object elsewhere.
fn populate(asked: &AskedPopulate) -> Value {
    let is_plain = |relation: &AskedRelation| {
        let name = relation.name.clone();
        let plain = AskedRelation {
            name,
            ..AskedRelation::default()
        };
        *relation == plain
    };
    let star = asked.all.then_some("*").into_iter();
    if asked.left_out.is_empty() && asked.relations.iter().all(is_plain) {
        let names = asked.relations.iter().map(|relation| &*relation.name);
        return star.chain(names).collect();
    }
    let mut object: Map<_, _> = star.map(|star| (star.to_owned(), json!(true))).collect();
    for name in &asked.left_out {
        object.insert(name.to_string(), json!("no"));
    }
    for relation in &asked.relations {
        let pagination = [("start", relation.start), ("limit", relation.limit)];
        let pagination: Map<_, _> = pagination
            .into_iter()
            .filter_map(|(name, number)| Some((name.to_owned(), json!(number?))))
            .collect();
        let options = json!({
            "fields": relation.fields.as_ref().map(name_list),
            "sort": sort_list(relation.sort.as_deref()),
            "pagination": pagination,
            "count": relation.count,
            "withCount": relation.with_count,
            "populate": relation.populate.as_ref().map(populate),
        });
        object.insert(relation.name.to_string(), options);
    }
    Value::Object(object)
}

fn name_list(asked: &AskedNames) -> Vec<&str> {
    let star = asked.all.then_some("*").into_iter();
    star.chain(asked.names.iter().map(AsRef::as_ref)).collect()
}

fn sort_list(sorts: Option<&[AskedSort]>) -> Vec<String> {
    let sorts = sorts.unwrap_or_default().iter();
    sorts
        .map(|AskedSort { name, direction }| format!("{name}:{direction}"))
        .collect()
}

fn numbers(request: &Request) -> impl Iterator<Item = (&'static str, u64)> {
    let numbers = match request.page {
        AskedPage::Page { page, size } => [("page", page), ("pageSize", size)],
        AskedPage::Offset { start, limit } => [("start", start), ("limit", limit)],
    };
    numbers
        .into_iter()
        .filter_map(|(key, number)| Some((key, number?)))
}

/// Percent-encoded as a careful client does it.
pub(super) fn encode_all(key: &str, value: &str) -> String {
    format!("{}={}", encode(key, ""), encode(value, ""))
}

/// With raw brackets in the key, and `+` for a space.
pub(super) fn encode_value(key: &str, value: &str) -> String {
    format!(
        "{}={}",
        encode(key, "[]$"),
        encode(value, ":,").replace("%20", "+")
    )
}

fn encode(text: &str, raw: &str) -> String {
    let encode = |byte: u8| match byte {
        byte if byte.is_ascii_alphanumeric() || raw.as_bytes().contains(&byte) => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}
