//! Spells a request in the ways that clients do, as a query string and as a JSON body.

use serde_json::{Map, Value, json};

use crate::request::{
    AskedComparison, AskedFilter, AskedNames, AskedPage, AskedSort, AskedValues, Request,
};

/// The array formats of the `qs` library.
#[derive(Clone, Copy)]
pub(super) enum Arrays {
    Indices,
    Brackets,
    Repeat,
}

impl Arrays {
    fn spell(self, key: &str, values: &[String]) -> Vec<(String, String)> {
        let spelled = values.iter().enumerate().map(|(at, value)| {
            let key = match self {
                Self::Indices => format!("{key}[{at}]"),
                Self::Brackets => format!("{key}[]"),
                Self::Repeat => key.to_owned(),
            };
            (key, value.clone())
        });
        spelled.collect()
    }
}

/// The pairs of a query string, not yet encoded.
pub(super) fn pairs(request: &Request, arrays: Arrays) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for (key, names) in [("fields", &request.fields), ("populate", &request.populate)] {
        if let Some(names) = names {
            pairs.extend(arrays.spell(key, &name_list(names)));
        }
    }
    for AskedComparison {
        field,
        operator,
        values,
    } in comparisons(&request.filters)
    {
        let key = format!("filters[{field}][{operator}]");
        match values {
            AskedValues::One(value) => pairs.push((key, value.to_string())),
            AskedValues::Many(values) => {
                let values: Vec<_> = values.iter().map(ToString::to_string).collect();
                pairs.extend(arrays.spell(&key, &values));
            }
        }
    }
    pairs.extend(arrays.spell("sort", &sort_list(request)));
    for (key, value) in numbers(request) {
        pairs.push((format!("pagination[{key}]"), value.to_string()));
    }
    if let Some(cursor) = &request.cursor {
        pairs.push(("pagination[cursor]".to_owned(), cursor.clone()));
    }
    if let Some(with_count) = request.with_count {
        pairs.push(("pagination[withCount]".to_owned(), with_count.to_string()));
    }
    if let Some(trashed) = &request.trashed {
        pairs.push(("trashed".to_owned(), trashed.clone()));
    }
    pairs
}

/// The JSON body.
pub(super) fn body(request: &Request) -> Value {
    let mut filters = Map::new();
    for AskedComparison {
        field,
        operator,
        values,
    } in comparisons(&request.filters)
    {
        let values = match values {
            AskedValues::One(value) => json!(value),
            AskedValues::Many(values) => json!(values),
        };
        filters.entry(field.as_str()).or_insert_with(|| json!({}))[operator.as_str()] = values;
    }
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
        "populate": request.populate.as_ref().map(name_list),
        "filters": filters,
        "sort": sort_list(request),
        "pagination": pagination,
        "trashed": request.trashed,
    })
}

fn name_list(names: &AskedNames) -> Vec<String> {
    match names {
        AskedNames::All => vec!["*".to_owned()],
        AskedNames::These(names) => names.iter().map(ToString::to_string).collect(),
    }
}

fn sort_list(request: &Request) -> Vec<String> {
    let sorts = request.sort.iter().flatten();
    sorts
        .map(|AskedSort { name, direction }| format!("{name}:{direction}"))
        .collect()
}

fn comparisons(filters: &AskedFilter) -> impl Iterator<Item = &AskedComparison> {
    let AskedFilter::All(all) = filters else {
        panic!("{filters:?}")
    };
    all.iter().map(|filter| match filter {
        AskedFilter::Compare(compare) => compare,
        AskedFilter::All(_) => panic!("{filter:?}"),
    })
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
