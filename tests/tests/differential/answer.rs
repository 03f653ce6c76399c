//! Computes the answer to a request from the rows in memory, in the most naive way.

use std::cmp::Ordering;

use serde_json::{Map, Value, json};

use crate::asked::{Asked, AskedPage, Names};
use crate::cell::{Cell, Meaning, contains};
use crate::listing::{MAX_PAGE_SIZE, PAGE_SIZE, RELATION_LIMIT, Relation, Sort, Table};
use crate::words::AskedSearch;
use crate::world::{Row, WORLD};

/// A filter that applies, from the client or from a default.
struct Applied {
    key: &'static str,
    operator: &'static str,
    values: Vec<Meaning>,
}

/// The whole body of the response, keys in order.
pub(crate) fn answer(asked: &Asked) -> Value {
    let listing = asked.table.listing();
    let applied = applied_filters(asked);
    let mut rows: Vec<&Row> = WORLD
        .rows(asked.table)
        .iter()
        .filter(|row| is_living(asked.table, row) && applied.iter().all(|one| one.holds(row)))
        .filter(|row| asked.search.as_ref().is_none_or(|search| search.holds(row)))
        .collect();
    let sorts: Vec<Sort> = if asked.sorts.is_empty() {
        vec![listing.default_sort]
    } else {
        let sort = |sort: &crate::asked::AskedSort| Sort {
            name: sort.name,
            descending: sort.descending(),
        };
        asked.sorts.iter().map(sort).collect()
    };
    rows.sort_by(|a, b| order(&sorts, a, b));

    let counted = asked.with_count.is_none_or(|(_, counted)| counted);
    let (pagination, start, size) = pagination(asked.page, rows.len(), counted);
    let shown: Vec<&Row> = rows.into_iter().skip(start).take(size).collect();
    let relations: Vec<&Relation> = chosen_relations(asked);
    let fields = chosen_fields(asked);
    let mut truncated = vec![false; relations.len()];
    let items: Value = shown
        .iter()
        .map(|row| {
            let mut item = shape(row, &fields);
            if let Some(count) = item.get_mut("articles_count") {
                *count = json!(visible(asked, row, &listing.relations[0]).len());
            }
            for (relation, truncated) in relations.iter().zip(&mut truncated) {
                let (children, more) = populate(asked, row, relation);
                item.insert(relation.name.to_owned(), children);
                *truncated |= more;
            }
            Value::Object(item)
        })
        .collect();

    let mut meta = json!({
        "code": 200,
        "message": listing.message,
        "data": items,
        "filters": told(asked.search.as_ref(), &applied),
        "pagination": pagination,
    });
    let to_many: Map<_, _> = relations
        .iter()
        .zip(truncated)
        .filter(|(relation, _)| relation.to_many)
        .map(|(relation, truncated)| {
            let told = json!({ "limit": RELATION_LIMIT, "truncated": truncated });
            (relation.name.to_owned(), told)
        })
        .collect();
    if !to_many.is_empty() {
        meta["relations"] = Value::Object(to_many);
    }
    json!({ "message": listing.message, "data": items, "meta": meta })
}

/// What the client filters by, and the defaults of what it does not filter by (d31).
fn applied_filters(asked: &Asked) -> Vec<Applied> {
    let of_client = asked.filters.iter().flat_map(|filter| {
        filter.comparisons.iter().map(|one| Applied {
            key: filter.key,
            operator: one.operator,
            values: one.values.iter().map(|value| value.means.clone()).collect(),
        })
    });
    let untouched =
        |default: &Applied| asked.filters.iter().all(|filter| filter.key != default.key);
    of_client
        .chain(defaults(asked.table, asked.user).filter(untouched))
        .collect()
}

/// The default filters of the reference service.
fn defaults(table: Table, user: Option<i64>) -> impl Iterator<Item = Applied> {
    let equal = |key, value| Applied {
        key,
        operator: "$eq",
        values: vec![Meaning::Exactly(value)],
    };
    match table {
        // Without a user it is skipped (d32).
        Table::Articles => user.map(|id| equal("author_id", Cell::Int(i128::from(id)))),
        Table::Comments => Some(equal("is_hidden", Cell::Bool(false))),
        Table::Authors | Table::Tags | Table::Seo => None,
    }
    .into_iter()
}

fn is_living(table: Table, row: &Row) -> bool {
    table != Table::Articles || *row.cell("deleted_at") == Cell::Null
}

impl Applied {
    fn holds(&self, row: &Row) -> bool {
        let cell = row.cell(self.key);
        let compared = |at: usize| cell.against(&self.values[at]);
        let equals_any = || (0..self.values.len()).any(|at| compared(at) == Some(Ordering::Equal));
        let asks_for_yes = || self.values == [Meaning::Exactly(Cell::Bool(true))];
        match self.operator {
            "$eq" | "$in" => equals_any(),
            // A null is not equal (d25).
            "$ne" | "$notIn" => !equals_any(),
            "$lt" => compared(0).is_some_and(Ordering::is_lt),
            "$lte" => compared(0).is_some_and(Ordering::is_le),
            "$gt" => compared(0).is_some_and(Ordering::is_gt),
            "$gte" => compared(0).is_some_and(Ordering::is_ge),
            "$between" => {
                compared(0).is_some_and(Ordering::is_ge) && compared(1).is_some_and(Ordering::is_le)
            }
            "$null" => (*cell == Cell::Null) == asks_for_yes(),
            "$notNull" => (*cell != Cell::Null) == asks_for_yes(),
            "$contains" => match (cell, &self.values[0]) {
                (Cell::Text(text), Meaning::Exactly(Cell::Text(part))) => contains(text, part),
                _ => false,
            },
            other => panic!("the model has no operator {other}"),
        }
    }

    fn label(&self, value: &str) -> String {
        let label = match (self.key, value) {
            ("is_active", "true") => Some("Active"),
            ("is_active", "false") => Some("Inactive"),
            ("country", code) => blog::data::country_name(code),
            ("author_id", id) => {
                let author = WORLD
                    .rows(Table::Authors)
                    .iter()
                    .find(|author| author.id.to_string() == id);
                author.map(|author| match author.cell("name") {
                    Cell::Text(name) => name.as_str(),
                    other => panic!("{other:?} is no name"),
                })
            }
            _ => None,
        };
        label.unwrap_or(value).to_owned()
    }
}

/// d33: one object for each value.
fn told(search: Option<&AskedSearch>, applied: &[Applied]) -> Value {
    let told = |one: &Applied| -> Vec<Value> {
        let object = |value: &Meaning| {
            let value = value.canonical();
            let label = one.label(&value);
            json!({ "key": one.key, "value": value, "label": label, "operator": one.operator })
        };
        one.values.iter().map(object).collect()
    };
    let search = search.map(AskedSearch::told);
    applied.iter().flat_map(told).chain(search).collect()
}

/// d21, d22: each sort in its direction, the first of a name counts (d11), and `id` in the direction of the last.
fn order(sorts: &[Sort], a: &Row, b: &Row) -> Ordering {
    let mut known: Vec<&str> = Vec::new();
    let mut last_descending = false;
    for sort in sorts {
        if known.contains(&sort.name) {
            continue;
        }
        known.push(sort.name);
        last_descending = sort.descending;
        let ascending = a.cell(sort.name).sort_order(b.cell(sort.name));
        let ordering = directed(ascending, sort.descending);
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
    directed(a.id.cmp(&b.id), last_descending)
}

fn directed(ascending: Ordering, descending: bool) -> Ordering {
    if descending {
        ascending.reverse()
    } else {
        ascending
    }
}

/// What `meta.pagination` tells (d19, d20), how many rows to leave out and how many to show.
fn pagination(asked: AskedPage, total: usize, counted: bool) -> (Value, usize, usize) {
    let effective = |size: Option<u64>| size.unwrap_or(PAGE_SIZE).min(MAX_PAGE_SIZE);
    let (mut told, start, size) = match asked {
        AskedPage::Page { page, size } => {
            let (page, size) = (page.unwrap_or(1), effective(size));
            let told = json!({ "page": page, "pageSize": size });
            (told, u128::from(page - 1) * u128::from(size), size)
        }
        AskedPage::Offset { start, limit } => {
            let (start, limit) = (start.unwrap_or(0), effective(limit));
            let told = json!({ "start": start, "limit": limit });
            (told, u128::from(start), limit)
        }
    };
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    let shown = usize::try_from(size).unwrap();
    if counted {
        if matches!(asked, AskedPage::Page { .. }) {
            told["pageCount"] = json!(total.div_ceil(shown));
        }
        told["total"] = json!(total);
    } else {
        told["hasMore"] = json!(total > start.saturating_add(shown));
    }
    (told, start, shown)
}

fn chosen_fields(asked: &Asked) -> Vec<&'static str> {
    let listing = asked.table.listing();
    let all = listing.default_fields.iter().chain(listing.further_fields);
    match &asked.fields {
        Names::NotSent => listing.default_fields.to_vec(),
        Names::All => all.copied().collect(),
        Names::These(names) => all.copied().filter(|name| names.contains(name)).collect(),
    }
}

fn chosen_relations(asked: &Asked) -> Vec<&'static Relation> {
    let is_chosen = |relation: &&Relation| match &asked.populate {
        Names::NotSent => relation.default,
        Names::All => true,
        Names::These(names) => names.contains(&relation.name),
    };
    let relations = asked.table.listing().relations.iter();
    relations.filter(is_chosen).collect()
}

/// `id` first, then the fields in the order of definition (d38).
fn shape(row: &Row, fields: &[&'static str]) -> Map<String, Value> {
    std::iter::once(&"id")
        .chain(fields.iter().filter(|name| **name != "id"))
        .map(|name| ((*name).to_owned(), row.cell(name).json()))
        .collect()
}

/// The related rows that are shown (d42 to d44), and whether there are more.
fn populate(asked: &Asked, parent: &Row, relation: &Relation) -> (Value, bool) {
    let target = relation.target;
    let mut rows = visible(asked, parent, relation);
    let object = |row: &Row| Value::Object(shape(row, target.fields_when_related()));
    if !relation.to_many {
        return (rows.first().map_or(Value::Null, |row| object(row)), false);
    }
    let sorts = [target.listing().default_sort];
    rows.sort_by(|a, b| order(&sorts, a, b));
    let more = rows.len() > RELATION_LIMIT;
    rows.truncate(RELATION_LIMIT);
    (rows.into_iter().map(object).collect(), more)
}

/// The related rows that exist for the caller, and that a field counts: those that populate could show.
fn visible(asked: &Asked, parent: &Row, relation: &Relation) -> Vec<&'static Row> {
    let target = relation.target;
    let defaults: Vec<_> = defaults(target, asked.user).collect();
    let mut rows = WORLD.related(asked.table, parent, relation);
    rows.retain(|row| is_living(target, row) && defaults.iter().all(|one| one.holds(row)));
    rows
}
