//! Writes the source of a listing from an entity, with its four functions filled in.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::entity::{Column, Entity, Relation};
use super::judge::{self, Shown};
use crate::naming;

/// A relation of the entity, and what is known of its other side.
#[derive(Debug)]
pub(crate) struct Related<'e> {
    pub(crate) relation: &'e Relation,
    pub(crate) target: Target,
}

/// What can be shown of related rows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Its own listing decides.
    HasListing,
    /// It has no listing: these columns.
    Columns(Vec<String>),
    /// Its source was not found, or has nothing to show.
    Unknown,
}

/// The source of a listing. `path` is the entity's module, `with_show` adds what a single record shows.
pub(crate) fn source(
    entity: &Entity,
    path: &str,
    relations: &[Related<'_>],
    with_show: bool,
) -> String {
    let name = format!("{}Listing", naming::camel(&entity.module));
    let many = naming::table(&entity.module).replace('_', " ");
    let filters = filters(entity);
    let relations_text = relation_lines(relations);
    let sorts = sorts(entity);
    let mut imports: BTreeSet<&str> = [
        "Fields",
        "Filter",
        "HasListing",
        "Listing",
        "Relations",
        "Sorts",
    ]
    .into();
    for (used, import) in [
        (filters.contains("use FilterOperator"), "FilterOperator"),
        (
            filters.contains("FilterOperator::COMPARISONS"),
            "FilterOperator",
        ),
        (relations_text.contains("Populate::relation"), "Populate"),
        (sorts.contains("SortDirection::"), "SortDirection"),
    ] {
        if used {
            imports.insert(import);
        }
    }
    let imports = imports.into_iter().collect::<Vec<_>>().join(", ");
    let uses_columns = [&filters, &sorts, &fields(entity)]
        .iter()
        .any(|text| text.contains("Column::"));
    let column = if uses_columns {
        "{Column, Entity}"
    } else {
        "Entity"
    };
    let mut text = format!(
        "//! In: {many}. Out: what clients may select, populate, filter and sort by.\n\n\
         use listing::{{{imports}}};\n\n\
         use {path}::{column};\n\n\
         /// The whitelist of {many}.\n\
         #[derive(Debug)]\n\
         pub struct {name};\n\n\
         impl HasListing for Entity {{\n    type Listing = {name};\n}}\n\n\
         impl Listing for {name} {{\n    type Entity = Entity;\n\n\
         \x20   fn fields() -> Fields<Entity> {{\n{}    }}\n\n\
         \x20   fn relations() -> Relations<Entity> {{\n{relations_text}    }}\n\n\
         \x20   fn filters() -> Vec<Filter<Entity>> {{\n{filters}    }}\n\n\
         \x20   fn sorts() -> Sorts<Entity> {{\n{sorts}    }}\n",
        fields(entity),
    );
    if let Some(column) = judge::soft_delete(entity) {
        let _ = write!(
            text,
            "\n    fn soft_delete() -> Option<Column> {{\n        Some(Column::{})\n    }}\n",
            column.variant
        );
    }
    if with_show {
        text.push_str(&show(entity));
    }
    text.push_str("}\n");
    text
}

fn fields(entity: &Entity) -> String {
    let mut text = secrets(entity);
    text.push_str("        Fields::new()\n");
    for (wanted, method) in [(Shown::Default, "add_default"), (Shown::OnRequest, "add")] {
        let columns = entity.columns.iter();
        for column in columns.filter(|column| judge::shown(column) == wanted) {
            let _ = writeln!(text, "            .{method}(Column::{})", column.variant);
        }
    }
    text
}

/// What was left out, so that it is seen that it was on purpose.
fn secrets(entity: &Entity) -> String {
    let columns = entity.columns.iter();
    let secrets: Vec<_> = columns
        .filter(|column| judge::shown(column) == Shown::Secret)
        .map(|column| format!("`{}`", column.name))
        .collect();
    match secrets.len() {
        0 => String::new(),
        1 => format!(
            "        // {} looks like a secret and is in no list: no client learns of it.\n",
            secrets.concat()
        ),
        _ => format!(
            "        // {} look like secrets and are in no list: no client learns of them.\n",
            secrets.join(", ")
        ),
    }
}

fn relation_lines(relations: &[Related<'_>]) -> String {
    let mut text = String::new();
    for Related { relation, target } in relations {
        if *target == Target::Unknown {
            let _ = writeln!(
                text,
                "        // `{}` needs a listing of `{}` first.",
                relation.name,
                naming::camel(&relation.module)
            );
        }
    }
    text.push_str("        Relations::new()\n");
    for Related { relation, target } in relations {
        let name = &relation.name;
        match target {
            Target::HasListing => {
                let _ = writeln!(text, "            .add(\"{name}\")");
            }
            Target::Columns(columns) => {
                let columns: Vec<_> = columns.iter().map(|c| format!("\"{c}\"")).collect();
                let _ = writeln!(
                    text,
                    "            // Without a listing of `{}`, these columns are shown.\n\
                     \x20           .add(Populate::relation(\"{name}\").only([{}]))",
                    naming::camel(&relation.module),
                    columns.join(", ")
                );
            }
            Target::Unknown => {}
        }
    }
    text
}

fn filters(entity: &Entity) -> String {
    let mut used = BTreeSet::new();
    let mut lines = String::new();
    let mut with_comparisons = false;
    for column in &entity.columns {
        let Some(operators) = judge::operators(column) else {
            continue;
        };
        used.extend(operators.more.iter().copied());
        with_comparisons |= operators.comparisons;
        let more = operators.more.join(", ");
        let allowed = match (operators.comparisons, operators.more.len()) {
            (true, _) => format!("and(&[{more}])"),
            (false, 1) => more,
            (false, _) => format!("[{more}]"),
        };
        let _ = writeln!(
            lines,
            "            Filter::make(Column::{}).allowed_operators({allowed}),",
            column.variant
        );
    }
    if lines.is_empty() {
        return "        Vec::new()\n".to_owned();
    }
    let used: Vec<_> = used.into_iter().collect();
    let imported = match &used[..] {
        [one] => (*one).to_owned(),
        many => format!("{{{}}}", many.join(", ")),
    };
    let mut text = format!("        use FilterOperator::{imported};\n");
    if with_comparisons {
        text.push_str(
            "        let and = |more: &[FilterOperator]| FilterOperator::COMPARISONS.and(more);\n",
        );
    }
    let _ = write!(text, "        vec![\n{lines}        ]\n");
    text
}

fn sorts(entity: &Entity) -> String {
    let is_newest = |column: &&Column| column.name == "created_at";
    let newest = entity.columns.iter().find(is_newest);
    let mut text = "        Sorts::new()\n".to_owned();
    if let Some(column) = newest {
        let _ = writeln!(
            text,
            "            .add_default_with(Column::{}, SortDirection::Desc)",
            column.variant
        );
    }
    for column in entity
        .columns
        .iter()
        .filter(|column| judge::is_sort(column))
    {
        if newest == Some(column) {
            continue;
        }
        let method = if column.key && newest.is_none() {
            "add_default"
        } else {
            "add"
        };
        let _ = writeln!(text, "            .{method}(Column::{})", column.variant);
    }
    text
}

/// What a single record shows: every column that is no secret.
fn show(entity: &Entity) -> String {
    let mut text =
        "\n    fn show() -> Option<Fields<Entity>> {\n        let fields = Fields::new()\n"
            .to_owned();
    for column in &entity.columns {
        if matches!(judge::shown(column), Shown::Default | Shown::OnRequest) {
            let _ = writeln!(text, "            .add(Column::{})", column.variant);
        }
    }
    let end = text.trim_end().len();
    text.truncate(end);
    text.push_str(";\n        Some(fields)\n    }\n");
    text
}
