//! Writes what `meta` says about the relations and names that a request has: limits of relations, what was ignored, and hints.

use serde_json::json;

use crate::execute::{RelationRows, Rows};
use crate::plan::{Plan, RelationPlan};

/// The last members of `meta`, each with the comma before it; mostly there are none.
pub(super) fn remarks(plan: &Plan<'_>, rows: &Rows) -> Vec<u8> {
    written(relations(plan, rows), ignored(plan), hints(plan, rows))
}

/// The same for a caller who is not told what was ignored.
pub(super) fn remarks_on_relations(plan: &Plan<'_>, rows: &Rows) -> Vec<u8> {
    written(relations(plan, rows), None, None)
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
    tell_relations(&plan.relations, &rows.relations, "", &mut told);
    (!told.is_empty()).then(|| json!(told).to_string())
}

fn tell_relations(
    plans: &[RelationPlan<'_>],
    rows: &[RelationRows],
    around: &str,
    told: &mut serde_json::Map<String, serde_json::Value>,
) {
    for (at, plan) in plans.iter().enumerate() {
        let path = format!("{around}{}", plan.name);
        // Below a relation without rows nothing was read.
        let rows = rows.get(at);
        if plan.to_many && !plan.count {
            let truncated = rows.is_some_and(|rows| rows.truncated);
            let limit = plan.limit;
            told.insert(
                path.clone(),
                json!({ "limit": limit, "truncated": truncated }),
            );
        }
        let below = rows.map(|rows| rows.relations.as_slice());
        let below = below.unwrap_or_default();
        tell_relations(&plan.relations, below, &format!("{path}."), told);
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
        ("parameters", &ignored.parameters),
    ]
    .into_iter()
    .filter(|(_, names)| !names.is_empty())
    .map(|(parameter, names)| (parameter.to_owned(), json!(names)))
    .collect();
    (!told.is_empty()).then(|| json!(told).to_string())
}
