//! Writes a listing as words at the columns of the entity: the short form.

use ::listing::SortDirection;

use super::hooks;
use super::listing::{Related, Target};
use super::resource::{self, Readers};
use crate::model::definition::Definition;
use crate::model::entity::{Column, Entity, Kind};
use crate::model::judge::Operators;
use crate::naming;

/// Lines of attributes for the struct, and for its fields by their names.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) model: String,
    pub(crate) fields: Vec<(String, String)>,
    /// The code at the end of the file.
    pub(crate) end: String,
}

impl Words {
    /// The words of an entity; with `readers` those of its records, too.
    pub(crate) fn of(entity: &Entity, relations: &[Related<'_>], readers: Option<Readers>) -> Self {
        let definition = Definition::of(entity);
        let columns = entity.columns.iter();
        let mut fields: Vec<_> = columns
            .map(|column| {
                (
                    column.field.clone(),
                    at_column(&definition, column, readers),
                )
            })
            .collect();
        let relations = relations.iter();
        fields.extend(relations.clone().filter_map(at_relation));
        fields.retain(|(_, lines)| !lines.is_empty());
        let mut words = Self {
            model: at_model(entity, &definition, relations, readers),
            fields,
            end: String::new(),
        };
        if readers.is_some() {
            words.model.push_str(&hooks::at_model(entity));
            words.end = hooks::at_end(entity);
        }
        words
    }
}

fn at_model<'r>(
    entity: &Entity,
    definition: &Definition<'_>,
    relations: impl Iterator<Item = &'r Related<'r>>,
    readers: Option<Readers>,
) -> String {
    let mut words = Vec::new();
    let populated: Vec<_> = relations
        .filter(|related| related.target == Target::HasListing)
        .map(|related| naming::identifier(&related.relation.name))
        .collect();
    if !populated.is_empty() {
        words.push(format!("populate({})", populated.join(", ")));
    }
    match definition.first {
        Some((newest, SortDirection::Desc)) => {
            words.push(format!("sort = \"{}:desc\"", newest.field));
        }
        Some((key, SortDirection::Asc)) => words.push(format!("sort = \"{}\"", key.field)),
        None => {}
    }
    if let Some(column) = definition.soft_delete {
        words.push(format!(
            "soft_delete = {}",
            naming::identifier(&column.field)
        ));
    }
    if entity.keyless {
        words.push("has_key = false".to_owned());
    }
    words.extend(readers.map(|readers| format!("authorize = {}", decision(readers))));
    match &words[..] {
        [] => String::new(),
        words => format!("#[listing({})]\n", words.join(", ")),
    }
}

fn decision(readers: Readers) -> &'static str {
    match readers {
        Readers::SignedIn => "listing_axum::policy::signed_in::<crate::caller::Caller>",
        Readers::Everybody => {
            "|access| listing_axum::policy::read_for_all(access, listing_axum::policy::signed_in::<crate::caller::Caller>)"
        }
    }
}

fn at_column(definition: &Definition<'_>, column: &Column, readers: Option<Readers>) -> String {
    if let Some(why) = &column.secret {
        let word = match readers.is_some() && resource::is_withheld(column) {
            true => "field, write",
            false => "field",
        };
        return format!(
            "// `{}` looks like a secret ({}). To show it, delete the slashes below:\n    // #[listing({word})]\n    ",
            naming::in_comment(&column.name),
            naming::in_comment(&why.to_string()),
        );
    }
    let is_among = |columns: &[&Column]| columns.contains(&column);
    let mut words = Vec::new();
    if is_among(&definition.defaults) {
        words.push("default".to_owned());
    } else if is_among(&definition.on_request) {
        words.push("field".to_owned());
    }
    let mut filters = definition.filters.iter();
    let filter = filters.find(|(filtered, _)| *filtered == column);
    words.extend(filter.map(|(_, operators)| format!("filter({})", operator_words(operators))));
    let is_first = definition.first.is_some_and(|(first, _)| first == column);
    if is_first || is_among(&definition.sorts) {
        words.push("sort".to_owned());
    }
    if is_among(&definition.facets) {
        words.push("facet".to_owned());
    }
    let mut totals = definition.totals.iter();
    if let Some((_, functions)) = totals.find(|(summed, _)| *summed == column) {
        let functions: Vec<_> = functions.iter().map(ToString::to_string).collect();
        words.push(format!("total({})", functions.join(", ")));
    }
    let mut rules = String::new();
    if readers.is_some() && resource::is_sent(column) {
        words.push(write_word(column));
        rules = resource::rule(column, false)
            .map(|rule| format!("#[garde({rule})]\n    "))
            .unwrap_or_default();
    }
    if let (Some(alias), false) = (&column.alias, words.is_empty()) {
        words.insert(0, format!("alias = {}", naming::literal(alias)));
    }
    match &words[..] {
        [] => String::new(),
        words => format!("#[listing({})]\n    {rules}", words.join(", ")),
    }
}

/// `write` with its options. A column that can be null or has a default can be left out without any word.
fn write_word(column: &Column) -> String {
    let mut said = Vec::new();
    if matches!(column.kind, Kind::Text(_)) {
        said.push("trim");
    }
    if column.key {
        said.push("once");
    }
    // The key that a default gave may not be told by the database.
    if column.key && column.has_default {
        said.push("required");
    }
    match &said[..] {
        [] => "write".to_owned(),
        said => format!("write({})", said.join(", ")),
    }
}

fn operator_words(operators: &Operators) -> String {
    let mut words = Vec::new();
    if operators.comparisons {
        words.push("comparisons");
    }
    let more = operators.more.iter().map(|operator| operator.wire());
    words.extend(more.map(|wire| wire.trim_start_matches('$')));
    words.join(", ")
}

/// A relation to an entity that has no listing.
fn at_relation(related: &Related<'_>) -> Option<(String, String)> {
    let Target::Columns { fields, .. } = &related.target else {
        return None;
    };
    let fields: Vec<_> = fields
        .iter()
        .map(|field| naming::identifier(field))
        .collect();
    let line = format!(
        "// Without a listing of `{}`, these columns are shown.\n    #[listing(populate(only({})))]\n    ",
        naming::camel(&related.relation.module),
        fields.join(", ")
    );
    Some((related.relation.name.clone(), line))
}
