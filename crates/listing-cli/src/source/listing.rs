//! Writes the source of an entity's listing, with its four functions filled in.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ::listing::SortDirection;

use crate::model::definition::Definition;
use crate::model::entity::{Column, Entity, Relation};
use crate::naming;

/// A relation of the entity, and the known properties of its other side.
#[derive(Debug)]
pub(crate) struct Related<'e> {
    pub(crate) relation: &'e Relation,
    pub(crate) target: Target,
}

/// The fields of related rows that can be shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Its own listing decides.
    HasListing,
    /// It has no listing: these columns of the entity in this module.
    Columns {
        path: String,
        variants: Vec<String>,
        /// The fields of these columns.
        fields: Vec<String>,
    },
    /// Its source was not found, or has nothing to show.
    Unknown,
}

/// Definitions that need not be written.
const NO_RELATIONS: &str = "        Relations::new()\n";
const NO_FILTERS: &str = "        Vec::new()\n";

/// The source of a listing. `path` is the entity's module, `with_show` adds the fields of a single record.
pub(crate) fn source(
    entity: &Entity,
    path: &str,
    relations: &[Related<'_>],
    with_show: bool,
) -> String {
    let name = format!("{}Listing", naming::camel(&entity.module));
    let many = naming::table(&entity.module).replace('_', " ");
    let definition = Definition::of(entity);
    let body = [
        function("fields", "Fields<Entity>", &fields(&definition)),
        match &*populated(relations) {
            NO_RELATIONS => String::new(),
            body => function("relations", "Relations<Entity>", body),
        },
        match &*filters(&definition) {
            NO_FILTERS => String::new(),
            body => function("filters", "Vec<Filter<Entity>>", body),
        },
        facets(&definition),
        aggregates(&definition),
        function("sorts", "Sorts<Entity>", &sorts(&definition)),
        soft_delete(&definition),
        has_key(entity),
        if with_show {
            show(entity, &definition)
        } else {
            String::new()
        },
    ]
    .concat();
    // A key has a sort at least, whatever is left out.
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
    // The entity of a table called `listings` has the name of the library.
    let is_library = |line: &String| line.ends_with("::listing;\n");
    let library = match uses.iter().any(is_library) {
        true => "::listing",
        false => "listing",
    };
    let uses: String = uses.into_iter().collect();
    format!(
        "//! What clients can select, populate, filter and sort by in lists of {many}.\n\n\
         use {library}::prelude::*;\n\n\
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

/// A call for one value, or for several at once; empty without values. A column with an alias has a separate call.
fn call(one: &str, several: &str, columns: &[&Column]) -> String {
    let (plain, named): (Vec<_>, Vec<_>) = columns
        .iter()
        .map(|column| written(column))
        .partition(|column| !column.starts_with('('));
    let calls = match &plain[..] {
        [] => String::new(),
        [column] => format!("            .{one}({column})\n"),
        columns => format!("            .{several}([{}])\n", columns.join(", ")),
    };
    let named = named.iter();
    named.fold(calls, |calls, column| {
        format!("{calls}            .{one}({column})\n")
    })
}

/// `Column::Title`, or `(Column::Id, "alias")`.
fn written(column: &Column) -> String {
    match &column.alias {
        Some(alias) => format!("(Column::{}, {})", column.variant, naming::literal(alias)),
        None => format!("Column::{}", column.variant),
    }
}

fn fields(definition: &Definition<'_>) -> String {
    let secrets = definition.secrets.iter().map(|column| {
        format!(
            "            {}\n            // .add({})\n",
            left_out(column),
            written(column)
        )
    });
    format!(
        "        Fields::new()\n{}{}{}",
        call("add_default", "add_defaults", &definition.defaults),
        call("add", "add_all", &definition.on_request),
        secrets.collect::<String>(),
    )
}

/// Says of a column that it was left out on purpose, and how it is put back.
fn left_out(column: &Column) -> String {
    let why = column.secret.iter().map(ToString::to_string);
    format!(
        "// `{}` looks like a secret ({}). To show it, delete the slashes before `.add`:",
        naming::in_comment(&column.name),
        naming::in_comment(&why.collect::<String>()),
    )
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
    text.push_str(NO_RELATIONS);
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
        let Target::Columns { path, variants, .. } = target else {
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

fn filters(definition: &Definition<'_>) -> String {
    let mut used = BTreeSet::new();
    let mut lines = String::new();
    for (column, operators) in &definition.filters {
        let more = operators.more.iter();
        let more: Vec<_> = more.map(|operator| format!("{operator:?}")).collect();
        let listed = match &more[..] {
            [one] => one.clone(),
            more => format!("[{}]", more.join(", ")),
        };
        used.extend(more);
        let allowed = if operators.comparisons {
            format!("FilterOperator::COMPARISONS.and({listed})")
        } else {
            listed
        };
        let alias = column.alias.as_ref();
        let alias = alias.map_or_else(String::new, |alias| {
            format!(".alias({})", naming::literal(alias))
        });
        let _ = writeln!(
            lines,
            "            Filter::make(Column::{}){alias}.allowed_operators({allowed}),",
            column.variant
        );
    }
    if lines.is_empty() {
        return NO_FILTERS.to_owned();
    }
    let used: Vec<_> = used.into_iter().collect();
    let imported = match &used[..] {
        [one] => one.clone(),
        many => format!("{{{}}}", many.join(", ")),
    };
    format!("        use FilterOperator::{imported};\n        vec![\n{lines}        ]\n")
}

/// The facets; no function if there are none.
fn facets(definition: &Definition<'_>) -> String {
    let facets = definition.facets.iter();
    let facets: Vec<_> = facets
        .map(|column| format!("Facet::of(Column::{})", column.variant))
        .collect();
    match &facets[..] {
        [] => String::new(),
        facets => function(
            "facets",
            "Vec<Facet<Entity>>",
            &format!("        vec![{}]\n", facets.join(", ")),
        ),
    }
}

/// The totals; no function if there are none.
fn aggregates(definition: &Definition<'_>) -> String {
    let mut used = BTreeSet::new();
    let mut lines = String::new();
    for (column, functions) in &definition.totals {
        let names = functions.iter().map(|function| format!("{function:?}"));
        let names: Vec<_> = names.collect();
        let _ = writeln!(
            lines,
            "            Aggregate::of(Column::{}).allow([{}]),",
            column.variant,
            names.join(", ")
        );
        used.extend(names);
    }
    if lines.is_empty() {
        return String::new();
    }
    let used = used.into_iter().collect::<Vec<_>>().join(", ");
    let body =
        format!("        use AggregateFunction::{{{used}}};\n        vec![\n{lines}        ]\n");
    function("aggregates", "Vec<Aggregate<Entity>>", &body)
}

fn sorts(definition: &Definition<'_>) -> String {
    let mut text = "        Sorts::new()\n".to_owned();
    let _ = match definition.first {
        Some((newest, SortDirection::Desc)) => writeln!(
            text,
            "            .add_default_with({}, SortDirection::Desc)",
            written(newest)
        ),
        Some((key, SortDirection::Asc)) => {
            writeln!(text, "            .add_default({})", written(key))
        }
        None => Ok(()),
    };
    text.push_str(&call("add", "add_all", &definition.sorts));
    text
}

fn soft_delete(definition: &Definition<'_>) -> String {
    match definition.soft_delete {
        Some(column) => format!(
            "    fn soft_delete() -> Option<Column> {{\n        Some(Column::{})\n    }}\n",
            column.variant
        ),
        None => String::new(),
    }
}

fn has_key(entity: &Entity) -> String {
    match entity.keyless {
        true => "    fn has_key() -> bool {\n        false\n    }\n".to_owned(),
        false => String::new(),
    }
}

/// The fields of a single record: every column that is not a secret.
fn show(entity: &Entity, definition: &Definition<'_>) -> String {
    let Definition {
        defaults,
        on_request,
        ..
    } = definition;
    let shown = |column: &&Column| defaults.contains(column) || on_request.contains(column);
    let columns: Vec<_> = entity.columns.iter().filter(shown).collect();
    let calls = call("add", "add_all", &columns);
    let fields = format!("Fields::new(){}", calls.trim());
    let body = match &definition.secrets[..] {
        [] => format!("        Some({fields})\n"),
        secrets => {
            let secrets = secrets.iter().map(|column| {
                format!(
                    "        // To show `{}` here too, delete the slashes:\n        // let fields = fields.add({});\n",
                    naming::in_comment(&column.name),
                    written(column)
                )
            });
            format!(
                "        let fields = {fields};\n{}        Some(fields)\n",
                secrets.collect::<String>()
            )
        }
    };
    function("show", "Option<Fields<Entity>>", &body)
}
