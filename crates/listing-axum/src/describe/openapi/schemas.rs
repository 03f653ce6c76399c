//! The schemas of a listing: its items, its lists, and its requests as JSON.

use listing::describe::{Field, Filter, Listing, Relation, RelationKind, TypeName};
use serde_json::{Value, json};

use super::filters::Operators;
use super::model::{Ordered, Schema};
use super::numbers;
use super::values::{Place, payload, value};
use crate::describe::{ApiDescription, ResourceDescription};
use crate::records::{LinksDescription, PayloadFieldDescription};

/// Adds the schemas of a listing.
pub(super) fn add(
    description: &ApiDescription,
    resource: &ResourceDescription,
    schemas: &mut Ordered<Schema>,
) {
    let listing = &resource.listing;
    let name = &resource.type_name;
    let target = |listing: &str| {
        let found = description.listing(listing);
        found.map_or_else(|| "Record".to_owned(), |found| found.type_name.clone())
    };
    let relations = || relations(resource, &target);
    let title = &resource.title.one;
    schemas.insert(
        name,
        item(title, listing, properties(&listing.fields), relations()),
    );
    if has_own_record(listing) {
        let record = item(title, listing, of_record(listing), relations());
        schemas.insert(record_name(resource), record);
    }
    for relation in &listing.relations {
        add_unlisted(resource, relation, schemas);
    }
    if resource.operations.index.is_some() {
        schemas.insert(format!("{name}List"), list(name, listing, description));
    }
    let operators = Operators(&description.operators);
    let related: Vec<_> = listing
        .related_filters
        .iter()
        .map(|related| {
            let inside = match (&related.only, &related.listing) {
                (None, Some(listing)) => format!("{}Filters", target(listing)),
                _ => only_name(resource, &related.name),
            };
            (related, inside)
        })
        .collect();
    let filters_name = format!("{name}Filters");
    let filters = operators.object(&filters_name, &listing.filters, &related);
    schemas.insert(filters_name, filters);
    for (related, inside) in &related {
        let Some(only) = &related.only else { continue };
        let further = related
            .listing
            .as_deref()
            .and_then(|name| description.listing(name));
        let further: Vec<_> = further
            .iter()
            .flat_map(|resource| {
                let known = resource.listing.related_filters.iter();
                let known = known.filter(|known| only.related_filters.contains(&known.name));
                known.map(|known| {
                    let name = match (&known.only, &known.listing) {
                        (None, Some(listing)) => format!("{}Filters", target(listing)),
                        _ => only_name(resource, &known.name),
                    };
                    (known, name)
                })
            })
            .collect();
        schemas.insert(inside, operators.object(inside, &only.filters, &further));
    }
    schemas.insert(format!("{name}Populate"), populate(resource, &target));
    schemas.insert(format!("{name}Options"), options(name, listing));
    if resource.operations.query.is_some() {
        schemas.insert(format!("{name}Query"), query(name, listing));
    }
}

/// Whether a record has fields that the list does not have, or has with another type.
fn has_own_record(listing: &Listing) -> bool {
    let listed = properties(&listing.fields);
    let shown = properties(&listing.record);
    shown.iter().any(|property| !listed.contains(property))
}

/// The fields of a record: its own, and those that can be selected like in the list.
pub(super) fn of_record(listing: &Listing) -> Vec<(String, Schema)> {
    let mut all = properties(&listing.fields);
    for (name, shown) in properties(&listing.record) {
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some((_, listed)) if *listed == shown => {}
            Some((_, listed)) => *listed = Schema::any_of(vec![shown, listed.clone()]),
            None => all.push((name, shown)),
        }
    }
    all
}

fn properties(fields: &[Field]) -> Vec<(String, Schema)> {
    let property = |field: &Field| (field.name.clone(), shown(field));
    fields.iter().map(property).collect()
}

/// The schema of one record.
pub(super) fn record_name(resource: &ResourceDescription) -> String {
    match has_own_record(&resource.listing) {
        true => format!("{}Record", resource.type_name),
        false => resource.type_name.clone(),
    }
}

fn only_name(resource: &ResourceDescription, relation: &str) -> String {
    format!("{}Filters", resource.relation_type(relation))
}

/// Adds the schemas of a relation whose target has no listing: its items and its options. They are named, because generators
/// invent names for unnamed schemas, and not always different ones.
fn add_unlisted(
    resource: &ResourceDescription,
    relation: &Relation,
    schemas: &mut Ordered<Schema>,
) {
    if relation.listing.is_some() {
        return;
    }
    let fields = relation.fields.as_deref().unwrap_or_default();
    let name = resource.relation_type(&relation.name);
    schemas.insert(&name, Schema::object(properties(fields), &["id"]));
    let names = names_or_all(fields.iter().map(|field| field.name.clone()).collect());
    let members = [
        ("fields", Schema::array(names)),
        ("pagination", Schema::reference("RelationLimit")),
        ("count", Schema::of("boolean")),
        ("withCount", Schema::of("boolean")),
    ];
    schemas.insert(format!("{name}Options"), Schema::object(members, &[]));
}

/// `id` is always present, everything else depends on the selection.
fn item(
    title: &str,
    listing: &Listing,
    fields: Vec<(String, Schema)>,
    relations: Vec<(String, Schema)>,
) -> Schema {
    let properties = fields.into_iter().chain(relations);
    let (always, said): (&[&str], _) = match listing.keyless {
        true => (&[], ""),
        false => (&["id"], "`id`, "),
    };
    Schema::object(properties, always).described(&format!(
        "{title}: {said}the fields that were asked for or the default ones, and populated relations."
    ))
}

fn shown(field: &Field) -> Schema {
    let schema = value(&field.value, Place::Shown);
    match field.nullable {
        true => schema.or_null(),
        false => schema,
    }
}

/// The type of a relation's target.
fn related_type(
    resource: &ResourceDescription,
    relation: &Relation,
    target: &dyn Fn(&str) -> String,
) -> String {
    match &relation.listing {
        Some(listing) => target(listing),
        None => resource.relation_type(&relation.name),
    }
}

fn relations(
    resource: &ResourceDescription,
    target: &dyn Fn(&str) -> String,
) -> Vec<(String, Schema)> {
    let counted = || Schema::reference("Count");
    let relation = |relation: &Relation| {
        let related = Schema::reference(&related_type(resource, relation, target));
        let schema = match relation.kind {
            RelationKind::ToOne => Schema::any_of(vec![related, counted(), Schema::of("null")]),
            RelationKind::ToMany => {
                let many = Schema {
                    max_items: Some(relation.limit),
                    ..Schema::array(related)
                };
                Schema::any_of(vec![many, counted()])
            }
        };
        (relation.name.clone(), schema)
    };
    resource.listing.relations.iter().map(relation).collect()
}

fn list(name: &str, listing: &Listing, description: &ApiDescription) -> Schema {
    let items = || Schema::array(Schema::reference(name));
    let mut meta = vec![
        ("code", Schema::of("integer")),
        ("message", Schema::of("string").or_null()),
        ("filters", Schema::array(Schema::reference("AppliedFilter"))),
        ("pagination", Schema::reference("Pagination")),
        (
            "relations",
            Schema::map(Schema::reference("PopulatedRelation")),
        ),
        ("ignored", Schema::reference("Ignored")),
        (
            "hints",
            Schema::array(Schema::of("string"))
                .described("What may be wrong with the request, in sentences."),
        ),
    ];
    if numbers::are_there(listing) {
        meta.extend(numbers::meta());
    }
    let mut required = vec!["code", "message", "filters", "pagination"];
    if description.settings.envelope == "contract" {
        meta.insert(2, ("data", items()));
        required.insert(2, "data");
    }
    let members = [
        ("message", Schema::of("string").or_null()),
        ("data", items()),
        ("meta", Schema::object(meta, &required)),
    ];
    Schema::object(members, &["message", "data", "meta"])
}

/// The names of fields, relations or sorts, and `*`.
fn names_or_all(names: Vec<String>) -> Schema {
    let all = std::iter::once("*".to_owned());
    Schema::one_of_texts(names.into_iter().chain(all))
}

pub(super) fn field_names(listing: &Listing) -> Schema {
    let names = listing.fields.iter().map(|field| field.name.clone());
    names_or_all(names.collect())
}

/// Each sort by itself, and with each direction.
pub(super) fn sort_names(listing: &Listing) -> Schema {
    let spellings = |name: &str| {
        [
            name.to_owned(),
            format!("{name}:asc"),
            format!("{name}:desc"),
        ]
    };
    Schema::one_of_texts(listing.sorts.iter().flat_map(|sort| spellings(&sort.name)))
}

/// Names of fields, in a sentence.
pub(super) fn named_fields(fields: &[Field]) -> String {
    let names: Vec<_> = fields
        .iter()
        .map(|field| format!("`{}`", field.name))
        .collect();
    format!("With commas: {}; `*` is all of them.", names.join(", "))
}

/// The paths of relations, with as many levels as stay readable.
pub(super) fn populate_paths(description: &ApiDescription, listing: &Listing) -> Schema {
    const MOST: usize = 60;
    let names = |listing: &Listing, around: &str| {
        let relations = listing.relations.iter();
        let path = |relation: &Relation| {
            let path = format!("{around}{}", relation.name);
            (path, relation.listing.clone())
        };
        relations.map(path).collect::<Vec<_>>()
    };
    let mut level = names(listing, "");
    let mut paths: Vec<String> = level.iter().map(|(path, _)| path.clone()).collect();
    for _ in 1..description.settings.bounds.populate_depth {
        let mut next = Vec::new();
        for (path, target) in &level {
            let target = target
                .as_deref()
                .and_then(|target| description.listing(target));
            if let Some(target) = target {
                next.extend(names(&target.listing, &format!("{path}.")));
            }
        }
        if paths.len() + next.len() > MOST {
            break;
        }
        paths.extend(next.iter().map(|(path, _)| path.clone()));
        level = next;
    }
    names_or_all(paths)
}

fn sorts(listing: &Listing) -> Schema {
    let names = listing.sorts.iter().map(|sort| sort.name.clone());
    let direction = || Schema::one_of_texts(["asc", "desc"]);
    let object = Schema::object(names.map(|name| (name, direction())), &[]);
    match listing.sorts.is_empty() {
        true => Schema::array(Schema::of("string")),
        false => Schema::any_of(vec![Schema::array(sort_names(listing)), object]),
    }
}

/// Relations by name, or with options.
fn populate(resource: &ResourceDescription, target: &dyn Fn(&str) -> String) -> Schema {
    let listing = &resource.listing;
    let relation = |relation: &Relation| {
        let options = format!("{}Options", related_type(resource, relation, target));
        let schema = Schema::any_of(vec![Schema::of("boolean"), Schema::reference(&options)]);
        (relation.name.clone(), schema)
    };
    let names = names_or_all(
        listing
            .relations
            .iter()
            .map(|known| known.name.clone())
            .collect(),
    );
    let object = Schema::object(listing.relations.iter().map(relation), &[]);
    Schema::any_of(vec![Schema::array(names), object])
        .described("Relations by name, or each with options.")
}

/// The options for a listing when it is populated.
fn options(name: &str, listing: &Listing) -> Schema {
    let members = [
        ("fields", Schema::array(field_names(listing))),
        ("sort", sorts(listing)),
        ("filters", Schema::reference(&format!("{name}Filters"))),
        ("populate", Schema::reference(&format!("{name}Populate"))),
        ("pagination", Schema::reference("RelationLimit")),
        (
            "count",
            Schema::of("boolean").described("The number of records instead of the records."),
        ),
        (
            "withCount",
            Schema::of("boolean").described("The number of records for each, in `meta.relations`."),
        ),
    ];
    Schema::object(members, &[])
}

/// A list request as JSON.
fn query(name: &str, listing: &Listing) -> Schema {
    let mut members = vec![
        ("fields", Schema::array(field_names(listing))),
        ("populate", Schema::reference(&format!("{name}Populate"))),
        ("filters", Schema::reference(&format!("{name}Filters"))),
        ("sort", sorts(listing)),
        ("pagination", Schema::reference("AskedPagination")),
    ];
    if listing.search.is_some() {
        members.push(("search", Schema::of("string")));
    }
    members.extend(timezone(listing).map(|schema| ("timezone", schema)));
    members.extend(numbers::asked(listing));
    if !listing.trashed.is_empty() {
        members.push(("trashed", Schema::one_of_texts(listing.trashed.clone())));
    }
    Schema::object(members, &[])
}

/// The offset of a time zone, if the list can be filtered by days and times (d150).
pub(super) fn timezone(listing: &Listing) -> Option<Schema> {
    let is_moment = |filter: &Filter| {
        let name = filter.value.name;
        matches!(name, TypeName::Date | TypeName::DateTime)
    };
    listing.filters.iter().any(is_moment).then(|| Schema {
        pattern: Some("^([+-]([01][0-9]|2[0-3]):?[0-5][0-9]|Z)$".to_owned()),
        ..Schema::of("string")
    })
}

/// The payload that creates or updates a record.
pub(super) fn input(
    fields: &[PayloadFieldDescription],
    links: &[LinksDescription],
    strict: bool,
) -> Schema {
    let columns = fields.iter().filter(|field| field.required);
    let relations = links.iter().filter(|links| links.required);
    let required: Vec<_> = columns
        .map(|field| field.name.as_str())
        .chain(relations.map(|links| links.name.as_str()))
        .collect();
    let properties = fields
        .iter()
        .map(|field| (field.name.clone(), payload(field)));
    let links = links.iter();
    let properties = properties.chain(links.map(|links| (links.name.clone(), linked(links))));
    let mut schema = Schema::object(properties, &required);
    if !strict {
        // Other keys are ignored.
        schema.additional_properties = None;
    }
    schema
}

/// The rows to link a record with: all of them, or only the changes.
fn linked(links: &LinksDescription) -> Schema {
    let ids = || Schema::array(value(&links.value, Place::Shown));
    Schema::any_of(vec![
        ids(),
        Schema::object([("set", ids())], &["set"]),
        Schema::object([("connect", ids()), ("disconnect", ids())], &[]),
    ])
}

/// A list request that every whitelist allows.
pub(super) fn query_example(listing: &Listing) -> Value {
    let fields: Vec<_> = listing
        .fields
        .iter()
        .filter(|field| field.default)
        .take(3)
        .collect();
    let fields: Vec<_> = fields.iter().map(|field| field.name.as_str()).collect();
    let populate: Vec<_> = listing
        .relations
        .iter()
        .take(1)
        .map(|known| &known.name)
        .collect();
    let sort: Vec<_> = listing
        .sorts
        .iter()
        .take(1)
        .map(|sort| format!("{}:desc", sort.name))
        .collect();
    json!({
        "fields": fields,
        "populate": populate,
        "sort": sort,
        "pagination": {"page": 1, "pageSize": 5},
    })
}
