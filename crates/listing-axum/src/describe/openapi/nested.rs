//! The parameters with more than two levels of brackets: filters through relations, options of `populate`, and groups.
//!
//! OpenAPI defines the style `deepObject` for one level of values, so one level is described with its names and types. What
//! is deeper is one parameter with any of its names in brackets; `ArticleQuery` has its exact form.

use listing::describe::{Filter, Listing, RelatedFilter, Relation, RelationKind};

use super::envelopes::limit;
use super::filters::Operators;
use super::model::{Additional, Ordered, Parameter, Schema};
use super::parameters::query;
use super::schemas::named_fields;
use super::values::Place;
use crate::describe::ApiDescription;

/// `filters[author][country]`, an object of operators, for each filter of each related listing.
pub(super) fn related_filters(
    description: &ApiDescription,
    related: &RelatedFilter,
) -> Vec<Parameter> {
    let target = related.listing.as_deref();
    let target = target.and_then(|name| description.listing(name));
    let filters = match (&related.only, target) {
        (Some(only), _) => only.filters.as_slice(),
        (None, Some(target)) => target.listing.filters.as_slice(),
        (None, None) => &[],
    };
    let operators = Operators(&description.operators);
    let parameter = |filter: &Filter| {
        let name = format!("filters[{}]{}", related.name, filter.brackets());
        let whose = match related.kind {
            RelationKind::ToOne => "of the related record",
            RelationKind::ToMany => "of one of the related records",
        };
        let text = format!("Conditions on `{}` {whose}.", filter.name);
        deep(&name, &text, operators.by_operator(filter))
    };
    let usable = filters.iter().filter(|filter| {
        let is_id = related.id.as_ref().is_some_and(|id| id.name == filter.name);
        !is_id && !filter.operators.is_empty()
    });
    let mut parameters: Vec<_> = related.id.iter().chain(usable).map(parameter).collect();
    parameters.extend(related.count.iter().map(|count| {
        let name = format!("filters[{}][{}]", related.name, count.name);
        let text = "Conditions on how many related records there are.";
        deep(&name, text, operators.by_operator(count))
    }));
    if !related.operators.is_empty() {
        let text = match &related.id {
            Some(_) => "Whether there is a related record, or conditions on its `id`.",
            None => "Whether there is a related record.",
        };
        let name = format!("filters[{}]", related.name);
        let outside = operators.of_relation(related, Place::Query);
        parameters.push(deep(&name, text, Schema::object(outside, &[])));
    }
    parameters
}

/// `populate[comments]`, an object of options.
pub(super) fn populate_options(
    description: &ApiDescription,
    relation: &Relation,
) -> Vec<Parameter> {
    let target = relation.listing.as_deref();
    let target = target.and_then(|name| description.listing(name));
    let fields = match target {
        Some(target) => &target.listing.fields,
        None => relation.fields.as_deref().unwrap_or_default(),
    };
    let sorts = target.map(|target| target.listing.sorts.as_slice());
    let is_many = relation.kind == RelationKind::ToMany;
    let mut members = vec![(
        "fields",
        Schema::of("string").described(&named_fields(fields)),
    )];
    if is_many && sorts.is_some_and(|sorts| !sorts.is_empty()) {
        let names = sorts.unwrap_or_default().iter();
        let names: Vec<_> = names.map(|sort| format!("`{}`", sort.name)).collect();
        let text = format!("With commas, `:desc` for descending: {}.", names.join(", "));
        members.push(("sort", Schema::of("string").described(&text)));
    }
    if is_many {
        let text = "The number of records instead of the records.";
        members.push(("count", Schema::of("boolean").described(text)));
        let text = "The number of records for each, in `meta.relations`.";
        members.push(("withCount", Schema::of("boolean").described(text)));
    }
    let name = format!("populate[{}]", relation.name);
    let text = format!(
        "Populates `{}` with these options; not together with `populate` itself.",
        relation.name
    );
    let mut parameters = vec![deep(&name, &text, Schema::object(members, &[]))];
    if is_many {
        let text = format!(
            "At most so many records, up to {} for each.",
            relation.limit
        );
        parameters.push(deep(&format!("{name}[pagination]"), &text, limit()));
    }
    parameters
}

/// Groups, relations of relations and further options, by their names in brackets.
pub(super) fn deeper(type_name: &str, listing: &Listing, in_list: bool) -> Option<Parameter> {
    let inside = r"(\[[$A-Za-z0-9_.-]*\])+$";
    let one_of = |names: Vec<&str>| names.join("|").replace('$', r"\$");
    let mut patterns = Vec::new();
    let mut examples = Vec::new();
    if in_list {
        let related = listing.related_filters.iter();
        let related = related.map(|related| related.name.as_str());
        let first = one_of(["$and", "$or", "$not"].into_iter().chain(related).collect());
        patterns.push(format!(r"^filters\[({first})\]{inside}"));
        let own = listing.filters.iter().flat_map(|filter| {
            let operators = filter.operators.iter();
            operators.map(|operator| format!("[{}][{operator}]", filter.name))
        });
        examples.extend(own.take(1).map(|own| format!("`filters[$or][0]{own}`")));
    }
    let relations = listing.relations.iter();
    let relations: Vec<_> = relations.map(|relation| relation.name.as_str()).collect();
    if let Some(first) = relations.first() {
        examples.push(format!("`populate[{first}][populate]`"));
        patterns.push(format!(r"^populate\[({})\]{inside}", one_of(relations)));
    }
    if patterns.is_empty() {
        return None;
    }
    let text = format!(
        "Everything else that `{type_name}Query` has, by its name in brackets, such as {}.",
        examples.join(" and ")
    );
    let patterns = patterns
        .into_iter()
        .map(|pattern| (pattern, Schema::of("string")));
    let schema = Schema {
        pattern_properties: patterns.collect::<Ordered<_>>(),
        additional_properties: Some(Additional::Nothing(false)),
        ..Schema::of("object")
    };
    Some(Parameter {
        style: Some("form"),
        explode: Some(true),
        ..query("nested", &text, schema)
    })
}

fn deep(name: &str, text: &str, schema: Schema) -> Parameter {
    Parameter {
        style: Some("deepObject"),
        explode: Some(true),
        ..query(name, text, schema)
    }
}
