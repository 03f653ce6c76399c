//! Builds the tree of parameters for what a client wants.

use serde_json::{Map, Value, json};

use crate::cell::{Cell, Meaning};
use crate::listing::Table;
use crate::wire::Transport;
use crate::words::AskedSearch;

/// A valid list request: what is written and what it means, side by side.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) table: Table,
    /// The calling author.
    pub(crate) user: Option<i64>,
    pub(crate) fields: Names,
    pub(crate) populate: Names,
    /// Each key once.
    pub(crate) filters: Vec<AskedFilter>,
    /// Where the list can be searched.
    pub(crate) search: Option<AskedSearch>,
    pub(crate) sorts: Vec<AskedSort>,
    pub(crate) page: AskedPage,
    /// The word, and what it means.
    pub(crate) with_count: Option<(&'static str, bool)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Names {
    NotSent,
    All,
    /// Never empty; a name may come twice.
    These(Vec<&'static str>),
}

#[derive(Debug, Clone)]
pub(crate) struct AskedFilter {
    pub(crate) key: &'static str,
    /// Each operator once, never empty.
    pub(crate) comparisons: Vec<Comparison>,
    /// `filters[views]=5` for a single `$eq` (d2).
    pub(crate) short: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Comparison {
    /// As the definition has it.
    pub(crate) operator: &'static str,
    /// As the client writes it.
    pub(crate) written: &'static str,
    pub(crate) values: Vec<AskedValue>,
    /// Whether a list is sent; one value can go without.
    pub(crate) is_list: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct AskedValue {
    pub(crate) means: Meaning,
    pub(crate) text: String,
}

/// A sort, with the direction as it is written.
#[derive(Debug, Clone)]
pub(crate) struct AskedSort {
    pub(crate) name: &'static str,
    pub(crate) direction: Option<&'static str>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum AskedPage {
    Page {
        page: Option<u64>,
        size: Option<u64>,
    },
    Offset {
        start: Option<u64>,
        limit: Option<u64>,
    },
}

impl AskedSort {
    pub(crate) fn descending(&self) -> bool {
        self.direction
            .is_some_and(|word| word.eq_ignore_ascii_case("desc"))
    }
}

impl Asked {
    /// The way to send it: as wished, but an empty list can be said in JSON alone.
    pub(crate) fn transport(&self, wish: Transport) -> Transport {
        let mut comparisons = self.filters.iter().flat_map(|filter| &filter.comparisons);
        match wish {
            Transport::Query { .. } if comparisons.any(|one| one.values.is_empty()) => {
                Transport::Post
            }
            wish => wish,
        }
    }

    /// The request as the object that a JSON body holds (d13).
    pub(crate) fn tree(&self) -> Map<String, Value> {
        let mut tree = Map::new();
        for (name, names) in [("fields", &self.fields), ("populate", &self.populate)] {
            match names {
                Names::NotSent => {}
                Names::All => drop(tree.insert(name.to_owned(), json!(["*"]))),
                Names::These(names) => drop(tree.insert(name.to_owned(), json!(names))),
            }
        }
        if !self.filters.is_empty() {
            let filters: Map<_, _> = self.filters.iter().map(AskedFilter::entry).collect();
            tree.insert("filters".to_owned(), Value::Object(filters));
        }
        if let Some(search) = &self.search {
            tree.insert("search".to_owned(), json!(search.text()));
        }
        if !self.sorts.is_empty() {
            let sorts = self.sorts.iter().map(|sort| match sort.direction {
                None => sort.name.to_owned(),
                Some(direction) => format!("{}:{direction}", sort.name),
            });
            tree.insert("sort".to_owned(), sorts.collect());
        }
        let pagination = self.pagination();
        if !pagination.is_empty() {
            tree.insert("pagination".to_owned(), Value::Object(pagination));
        }
        tree
    }

    fn pagination(&self) -> Map<String, Value> {
        let numbers = match self.page {
            AskedPage::Page { page, size } => [("page", page), ("pageSize", size)],
            AskedPage::Offset { start, limit } => [("start", start), ("limit", limit)],
        };
        let mut pagination: Map<_, _> = numbers
            .into_iter()
            .filter_map(|(key, number)| Some((key.to_owned(), json!(number?))))
            .collect();
        if let Some((word, _)) = self.with_count {
            pagination.insert("withCount".to_owned(), plain(word));
        }
        pagination
    }
}

impl AskedFilter {
    fn entry(&self) -> (String, Value) {
        let value = match self.comparisons.as_slice() {
            [only] if self.short && only.operator == "$eq" => only.value(),
            several => several
                .iter()
                .map(|one| (one.written.to_owned(), one.value()))
                .collect(),
        };
        (self.key.to_owned(), value)
    }
}

impl Comparison {
    fn value(&self) -> Value {
        let mut values = self.values.iter().map(AskedValue::json);
        if self.is_list {
            values.collect()
        } else {
            values.next().unwrap()
        }
    }
}

impl AskedValue {
    fn json(&self) -> Value {
        match self.means {
            Meaning::Exactly(Cell::Text(_)) => Value::from(self.text.as_str()),
            _ => plain(&self.text),
        }
    }
}

/// A JSON number or boolean where it reads exactly so, else text.
fn plain(text: &str) -> Value {
    let value: Option<Value> = serde_json::from_str(text).ok();
    let value = value.filter(|value| value.is_number() || value.is_boolean());
    let written = value.as_ref().map(Value::to_string);
    match value {
        Some(value) if written.as_deref() == Some(text) => value,
        _ => Value::from(text),
    }
}
