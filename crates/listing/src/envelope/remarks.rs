//! Writes the remarks of `meta` about a request's relations and names: limits of relations, ignored names, and hints.

use serde_json::{Value, json};

use crate::execute::{RelationRows, Rows};
use crate::plan::{Plan, RelationPlan};
use crate::render::Batch;

/// The last members of `meta`, each with the comma before it; mostly there are none.
pub(super) fn remarks(plan: &Plan<'_>, rows: &Rows) -> Vec<u8> {
    written(relations(plan, rows), ignored(plan), hints(plan, rows))
}

/// The same for a caller who does not see the ignored names.
pub(super) fn remarks_on_relations(plan: &Plan<'_>, rows: &Rows) -> Vec<u8> {
    written(relations(plan, rows), None, None)
}

/// The same where no rows are read.
pub(super) fn remarks_on_names(plan: &Plan<'_>) -> Vec<u8> {
    written(None, ignored(plan), None)
}

fn written(relations: Option<String>, ignored: Option<String>, hints: Option<String>) -> Vec<u8> {
    let relations = relations.map(|relations| format!(",\"relations\":{relations}"));
    let ignored = ignored.map(|ignored| format!(",\"ignored\":{ignored}"));
    let hints = hints.map(|hints| format!(",\"hints\":{hints}"));
    [relations, ignored, hints]
        .into_iter()
        .flatten()
        .collect::<String>()
        .into_bytes()
}

/// d43, d84: each populated to-many relation by its path, with its limit.
fn relations(plan: &Plan<'_>, rows: &Rows) -> Option<String> {
    let mut told = serde_json::Map::new();
    let parents = Shown {
        batch: Some(&rows.page),
        rows: &mut rows.in_order(),
    };
    tell_relations(&plan.relations, &rows.relations, parents, "", &mut told);
    (!told.is_empty()).then(|| json!(told).to_string())
}

/// The rows that have the relations.
struct Shown<'r> {
    /// `None` if nothing was read.
    batch: Option<&'r Batch>,
    /// Those of them that are shown, in order.
    rows: &'r mut dyn Iterator<Item = usize>,
}

fn tell_relations(
    plans: &[RelationPlan<'_>],
    rows: &[RelationRows],
    parents: Shown<'_>,
    around: &str,
    told: &mut serde_json::Map<String, Value>,
) {
    let has_totals = plans.iter().any(|plan| plan.totals.is_some());
    let shown: Vec<_> = match has_totals {
        true => parents.rows.collect(),
        false => Vec::new(),
    };
    for (at, plan) in plans.iter().enumerate() {
        let path = format!("{around}{}", plan.name);
        // Below a relation without rows nothing was read.
        let rows = rows.get(at);
        if plan.to_many && !plan.count {
            let truncated = rows.is_some_and(|rows| rows.truncated);
            let mut one = json!({ "limit": plan.limit, "truncated": truncated });
            if plan.start > 0 {
                one["start"] = json!(plan.start);
            }
            if plan.totals.is_some() {
                let totals = rows.and_then(|rows| rows.totals.as_deref());
                one["totals"] = totals_of(parents.batch, &shown, totals);
            }
            told.insert(path.clone(), one);
        }
        let below = rows.map(|rows| rows.relations.as_slice());
        let mut shown = rows.into_iter().flat_map(|rows| rows.families.all_shown());
        let parents = Shown {
            batch: rows.map(|rows| &rows.batch),
            rows: &mut shown,
        };
        let (below, around) = (below.unwrap_or_default(), format!("{path}."));
        tell_relations(&plan.relations, below, parents, &around, told);
    }
}

/// d147: how many related rows each row has, by its id.
fn totals_of(batch: Option<&Batch>, shown: &[usize], totals: Option<&RelationRows>) -> Value {
    let mut told = serde_json::Map::new();
    for row in shown {
        let count = totals.and_then(|totals| {
            let count = totals.families.children(*row).next()?;
            let count = totals.batch.row(count).strip_prefix(b"{\"count\":")?;
            std::str::from_utf8(count).ok()?.parse::<u64>().ok()
        });
        if let Some(id) = batch.and_then(|batch| id_of(batch.row(*row))) {
            told.insert(id, json!(count.unwrap_or_default()));
        }
    }
    Value::Object(told)
}

/// The `id` of a row, with which it begins.
fn id_of(row: &[u8]) -> Option<String> {
    let rest = row.strip_prefix(b"{\"id\":")?;
    let first = serde_json::Deserializer::from_slice(rest).into_iter::<Value>();
    match first.into_iter().next()?.ok()? {
        Value::String(id) => Some(id),
        id => Some(id.to_string()),
    }
}

/// d151: present only when something is worth a hint.
fn hints(plan: &Plan<'_>, rows: &Rows) -> Option<String> {
    let found = !rows.is_known_empty(plan.page.offset());
    let hints = plan.hints.iter().filter(|hint| hint.always || !found);
    let told: Vec<_> = hints.map(|hint| hint.text.as_str()).collect();
    (!told.is_empty()).then(|| json!(told).to_string())
}

/// d7: present only when something was ignored.
fn ignored(plan: &Plan<'_>) -> Option<String> {
    let ignored = &plan.ignored;
    let told: serde_json::Map<_, _> = [
        ("fields", &ignored.fields),
        ("sort", &ignored.sort),
        ("populate", &ignored.populate),
        ("facets", &ignored.facets),
        ("parameters", &ignored.parameters),
    ]
    .into_iter()
    .filter(|(_, names)| !names.is_empty())
    .map(|(parameter, names)| (parameter.to_owned(), json!(names)))
    .collect();
    (!told.is_empty()).then(|| json!(told).to_string())
}
