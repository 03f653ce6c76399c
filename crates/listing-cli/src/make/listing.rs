//! Writes the source of an entity's listing, with its four functions filled in.

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
    /// It has no listing: these columns of the entity in this module.
    Columns { path: String, variants: Vec<String> },
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
    let body = [
        function("fields", "Fields<Entity>", &fields(entity)),
        function("relations", "Relations<Entity>", &populated(relations)),
        function("filters", "Vec<Filter<Entity>>", &filters(entity)),
        function("sorts", "Sorts<Entity>", &sorts(entity)),
        soft_delete(entity),
        if with_show {
            show(entity)
        } else {
            String::new()
        },
    ]
    .concat();
    let uses_columns = ["(Column::", "[Column::"];
    let column = if uses_columns.iter().any(|used| body.contains(used)) {
        "{Column, Entity}"
    } else {
        "Entity"
    };
    let mut uses: BTreeSet<String> = [format!("use {path}::{column};\n")].into();
    for related in relations {
        if let Target::Columns { path, .. } = &related.target {
            uses.insert(format!("use {path};\n"));
        }
    }
    let uses: String = uses.into_iter().collect();
    format!(
        "//! What clients can select, populate, filter and sort by in lists of {many}.\n\n\
         use listing::prelude::*;\n\n\
         {uses}\n\
         /// The whitelist of {many}.\n\
         #[derive(Debug)]\n\
         pub struct {name};\n\n\
         impl HasListing for Entity {{\n    type Listing = {name};\n}}\n\n\
         impl Listing for {name} {{\n    type Entity = Entity;\n{body}}}\n"
    )
}

fn function(name: &str, returns: &str, body: &str) -> String {
    format!("    fn {name}() -> {returns} {{\n{body}    }}\n")
}

/// A call for one value, or for several at once; nothing for none.
fn call(one: &str, several: &str, columns: &[&Column]) -> String {
    let columns: Vec<_> = columns
        .iter()
        .map(|column| format!("Column::{}", column.variant))
        .collect();
    match &columns[..] {
        [] => String::new(),
        [column] => format!("            .{one}({column})\n"),
        columns => format!("            .{several}([{}])\n", columns.join(", ")),
    }
}

fn fields(entity: &Entity) -> String {
    let shown = |wanted: Shown| -> Vec<&Column> {
        let columns = entity.columns.iter();
        columns.filter(|c| judge::shown(c) == wanted).collect()
    };
    format!(
        "{}        Fields::new()\n{}{}",
        secrets(&shown(Shown::Secret)),
        call("add_default", "add_defaults", &shown(Shown::Default)),
        call("add", "add_all", &shown(Shown::OnRequest)),
    )
}

/// What was left out, so that it is clear that it was on purpose.
fn secrets(columns: &[&Column]) -> String {
    let names: Vec<_> = columns
        .iter()
        .map(|column| format!("`{}`", naming::in_comment(&column.name)))
        .collect();
    match names.len() {
        0 => String::new(),
        1 => format!(
            "        // {} looks like a secret: clients can neither see it nor filter or sort by it.\n",
            names.concat()
        ),
        _ => format!(
            "        // {} look like secrets: clients can neither see them nor filter or sort by them.\n",
            names.join(", ")
        ),
    }
}

fn populated(relations: &[Related<'_>]) -> String {
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
    let constant = |relation: &Relation| format!("Entity::{}", relation.name.to_uppercase());
    let listed: Vec<_> = relations
        .iter()
        .filter(|related| related.target == Target::HasListing)
        .map(|related| constant(related.relation))
        .collect();
    let _ = match &listed[..] {
        [] => Ok(()),
        [one] => writeln!(text, "            .add({one})"),
        // A tuple, since the constants have different types; no longer than the library takes.
        all => all
            .chunks(12)
            .try_for_each(|all| writeln!(text, "            .add_all(({}))", tuple(all))),
    };
    for Related { relation, target } in relations {
        let Target::Columns { path, variants } = target else {
            continue;
        };
        let module = path.rsplit("::").next().unwrap_or(path);
        let columns: Vec<_> = variants
            .iter()
            .map(|variant| format!("{module}::Column::{variant}"))
            .collect();
        let _ = writeln!(
            text,
            "            // Without a listing of `{}`, these columns are shown.\n\
             \x20           .add(Populate::relation({}).only([{}]))",
            naming::camel(&relation.module),
            constant(relation),
            columns.join(", ")
        );
    }
    text
}

/// The inside of a tuple; one of a single value ends in a comma.
fn tuple(values: &[String]) -> String {
    match values {
        [one] => format!("{one},"),
        values => values.join(", "),
    }
}

fn filters(entity: &Entity) -> String {
    let mut used = BTreeSet::new();
    let mut lines = String::new();
    for column in &entity.columns {
        let Some(operators) = judge::operators(column) else {
            continue;
        };
        used.extend(operators.more.iter().copied());
        let more = match &operators.more[..] {
            [one] => (*one).to_owned(),
            more => format!("[{}]", more.join(", ")),
        };
        let allowed = if operators.comparisons {
            format!("FilterOperator::COMPARISONS.and({more})")
        } else {
            more
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
    format!("        use FilterOperator::{imported};\n        vec![\n{lines}        ]\n")
}

fn sorts(entity: &Entity) -> String {
    let is_newest = |column: &&Column| column.field == "created_at";
    let newest = entity.columns.iter().find(is_newest);
    let mut text = "        Sorts::new()\n".to_owned();
    let columns = entity.columns.iter();
    let mut sorts: Vec<_> = columns.filter(|column| judge::is_sort(column)).collect();
    if let Some(newest) = newest {
        let _ = writeln!(
            text,
            "            .add_default_with(Column::{}, SortDirection::Desc)",
            newest.variant
        );
        sorts.retain(|column| *column != newest);
    } else if let Some(at) = sorts.iter().position(|column| column.key) {
        let key = sorts.remove(at);
        let _ = writeln!(text, "            .add_default(Column::{})", key.variant);
    }
    text.push_str(&call("add", "add_all", &sorts));
    text
}

fn soft_delete(entity: &Entity) -> String {
    match judge::soft_delete(entity) {
        Some(column) => format!(
            "    fn soft_delete() -> Option<Column> {{\n        Some(Column::{})\n    }}\n",
            column.variant
        ),
        None => String::new(),
    }
}

/// What a single record shows: every column that is not a secret.
fn show(entity: &Entity) -> String {
    let shown =
        |column: &&Column| matches!(judge::shown(column), Shown::Default | Shown::OnRequest);
    let columns: Vec<_> = entity.columns.iter().filter(shown).collect();
    let fields = format!("Fields::new(){}", call("add", "add_all", &columns).trim());
    function(
        "show",
        "Option<Fields<Entity>>",
        &format!("        Some({fields})\n"),
    )
}
