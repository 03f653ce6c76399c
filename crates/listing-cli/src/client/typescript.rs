//! Writes a TypeScript client: the types of each listing, and the code that every client has.

use std::collections::BTreeSet;

use heck::ToLowerCamelCase;
use listing::describe::{Filter, Operator, Relation, RelationKind, Takes};
use listing_axum::describe::{ApiDescription, OperationDescription, ResourceDescription};

use super::numbers;
use super::types::{extended, fields, interface, key, object, one_line, put, quoted, sent, union};
use super::writes;

/// The part that is the same in every client.
const RUNTIME: &str = include_str!("runtime.ts");

/// The client of an API, as one file.
pub(crate) fn write(description: &ApiDescription) -> String {
    let mut file = format!(
        "// The client of {} {}. Written by `listing client ts`: change the definitions, not this file.\n\n",
        one_line(&description.title),
        one_line(&description.version)
    );
    let writer = Writer { description };
    for resource in &description.listings {
        writer.listing(resource, &mut file);
    }
    writer.create(&mut file);
    file.push('\n');
    file.push_str(RUNTIME);
    file
}

struct Writer<'d> {
    description: &'d ApiDescription,
}

impl Writer<'_> {
    fn listing(&self, resource: &ResourceDescription, file: &mut String) {
        let listing = &resource.listing;
        let name = &resource.type_name;
        let title = one_line(&resource.title.one);
        put(file, &format!("/** {title}, with every field. */"));
        let (mut listed, shown) = (fields(&listing.fields), fields(&listing.record));
        if listing.keyless && !listing.fields.iter().any(|field| field.name == "id") {
            listed.insert(0, ("id".to_owned(), "undefined".to_owned()));
        }
        interface(file, name, &listed);
        // `show()` can have fields that the list does not have, or has with another type.
        let record = match shown.iter().all(|field| listed.contains(field)) {
            true => {
                let names = listing.record.iter().map(|field| field.name.as_str());
                format!("Pick<{name}, {}>", union(names))
            }
            false => {
                put(file, &format!("/** {title}, as one record is shown. */"));
                interface(file, &format!("{name}Record"), &shown);
                format!("{name}Record")
            }
        };
        let store = self.payload(resource, resource.operations.store.as_ref(), "Input", file);
        let update = self.payload(
            resource,
            resource.operations.update.as_ref(),
            "Update",
            file,
        );
        let relations: Vec<_> = listing
            .relations
            .iter()
            .map(|relation| {
                let target = self.relation(resource, relation, file);
                (relation.name.clone(), target)
            })
            .collect();
        let related: Vec<_> = listing
            .related_filters
            .iter()
            .map(|related| {
                let target = match (&related.only, &related.listing) {
                    (None, Some(target)) => self.listing_of(target),
                    _ => {
                        let inside = format!("{}Filters", resource.relation_type(&related.name));
                        let only = related.only.as_ref();
                        let filters = only.map(|only| only.filters.as_slice()).unwrap_or_default();
                        let further = self.further(related.listing.as_deref(), only);
                        put(
                            file,
                            &format!(
                                "/** What can stand in `filters.{}`. */",
                                one_line(&related.name)
                            ),
                        );
                        let members = [
                            ("filters".to_owned(), self.filters(filters)),
                            ("related".to_owned(), object(&further)),
                        ];
                        extended(file, &inside, &members);
                        inside
                    }
                };
                (related.name.clone(), link(related.kind, &target))
            })
            .collect();
        let defaults = listing.fields.iter().filter(|field| field.default);
        let default_relations = listing.relations.iter().filter(|relation| relation.default);
        let members = [
            ("fields", name.clone()),
            ("defaults", union(defaults.map(|field| field.name.as_str()))),
            ("record", record),
            ("relations", object(&relations)),
            (
                "defaultRelations",
                union(default_relations.map(|relation| relation.name.as_str())),
            ),
            ("filters", self.filters(&listing.filters)),
            ("related", object(&related)),
            (
                "sorts",
                union(listing.sorts.iter().map(|sort| sort.name.as_str())),
            ),
            ("search", listing.search.is_some().to_string()),
            ("facets", numbers::facets(listing)),
            ("totals", numbers::totals(listing)),
            ("trashed", union(listing.trashed.iter().map(String::as_str))),
            ("store", store),
            ("update", update),
            ("links", union(links(resource).into_iter())),
            ("bulk", union(writes::bulk(resource).into_iter())),
            ("keyed", union(writes::keyed(resource).into_iter())),
        ];
        let members = members.map(|(name, text)| (name.to_owned(), text));
        let many = one_line(&resource.title.many);
        put(
            file,
            &format!("/** {many}: what can be asked, and what is sent. */"),
        );
        interface(file, &format!("{name}Listing"), &members);
    }

    /// The type of a listing, by name.
    fn listing_of(&self, name: &str) -> String {
        let found = self.description.listing(name);
        found.map_or_else(
            || "never".to_owned(),
            |found| format!("{}Listing", found.type_name),
        )
    }

    fn relation(
        &self,
        resource: &ResourceDescription,
        relation: &Relation,
        file: &mut String,
    ) -> String {
        let target = match (&relation.listing, &relation.fields) {
            (Some(target), _) => self.listing_of(target),
            (None, only) => {
                let only = only.as_deref().unwrap_or_default();
                let item = resource.relation_type(&relation.name);
                put(
                    file,
                    &format!("/** What `{}` shows. */", one_line(&relation.name)),
                );
                interface(file, &item, &fields(only));
                let members = [
                    ("fields".to_owned(), item.clone()),
                    (
                        "defaults".to_owned(),
                        union(only.iter().map(|field| field.name.as_str())),
                    ),
                ];
                let listing = format!("{item}Listing");
                extended(file, &listing, &members);
                listing
            }
        };
        link(relation.kind, &target)
    }

    /// The relations that can follow in a filter through a relation.
    fn further(
        &self,
        listing: Option<&str>,
        only: Option<&listing::describe::RelatedOnly>,
    ) -> Vec<(String, String)> {
        let resource = listing.and_then(|listing| self.description.listing(listing));
        let (Some(resource), Some(only)) = (resource, only) else {
            return Vec::new();
        };
        let related = resource.listing.related_filters.iter();
        let related = related.filter(|related| only.related_filters.contains(&related.name));
        related
            .map(|related| {
                let target = match (&related.only, &related.listing) {
                    (None, Some(target)) => self.listing_of(target),
                    _ => format!("{}Filters", resource.relation_type(&related.name)),
                };
                (related.name.clone(), link(related.kind, &target))
            })
            .collect()
    }

    fn filters(&self, filters: &[Filter]) -> String {
        self.inside(&filters.iter().collect::<Vec<_>>(), 0)
    }

    /// The contents of one level of brackets: the operators of a filter, and filters inside a JSON column.
    fn inside(&self, filters: &[&Filter], depth: usize) -> String {
        let mut members: Vec<(String, String)> = Vec::new();
        for filter in filters {
            let name = &filter.steps()[depth];
            if members.iter().any(|(known, _)| known == name) {
                continue;
            }
            let same = filters.iter().copied();
            let same = same.filter(|other| other.steps()[depth] == *name);
            let (here, inside): (Vec<_>, Vec<_>) =
                same.partition(|filter| filter.steps().len() == depth + 1);
            let here = here.into_iter().map(|filter| self.operators(filter));
            let inside = (!inside.is_empty()).then(|| self.inside(&inside, depth + 1));
            let both: Vec<_> = here.chain(inside).collect();
            members.push((name.clone(), both.join(" & ")));
        }
        object(&members)
    }

    fn operators(&self, filter: &Filter) -> String {
        let operators = filter.operators.iter();
        let operators: Vec<_> = operators
            .map(|operator| (operator.clone(), self.operand(filter, operator)))
            .collect();
        object(&operators)
    }

    fn operand(&self, filter: &Filter, operator: &str) -> String {
        let is_it = |known: &&Operator| known.name == operator;
        let found = self.description.operators.iter().find(is_it);
        let one = sent(&filter.value);
        match found.map(|operator| filter.takes(operator)) {
            Some(Takes::Text) => "string".to_owned(),
            Some(Takes::Boolean) => "boolean".to_owned(),
            Some(Takes::List) => format!("readonly ({one})[]"),
            Some(Takes::Range) => format!("readonly [{one}, {one}]"),
            Some(Takes::Value) | None => one,
        }
    }

    /// The payload that creates or updates a record: one type if both are the same.
    fn payload(
        &self,
        resource: &ResourceDescription,
        operation: Option<&OperationDescription>,
        end: &str,
        file: &mut String,
    ) -> String {
        let Some(operation) = operation else {
            return "never".to_owned();
        };
        let Some(payload) = &operation.payload else {
            return "Record<string, unknown>".to_owned();
        };
        let store = resource.operations.store.as_ref();
        let is_same = |store: &OperationDescription| {
            store.payload == operation.payload && store.links == operation.links
        };
        if end == "Update" && store.is_some_and(is_same) {
            return format!("{}Input", resource.type_name);
        }
        let name = format!("{}{end}", resource.type_name);
        put(file, "/** What is sent. */");
        put(file, &format!("export interface {name} {{"));
        for field in payload {
            let mark = if field.required { "" } else { "?" };
            let null = if field.nullable { " | null" } else { "" };
            let text = format!(
                "  {}{mark}: {}{null};",
                key(&field.name),
                sent(&field.value)
            );
            put(file, &text);
        }
        for links in &operation.links {
            let mark = if links.required { "" } else { "?" };
            let text = format!(
                "  {}{mark}: Links<{}>;",
                key(&links.name),
                sent(&links.value)
            );
            put(file, &text);
        }
        put(file, "}\n");
        name
    }

    /// The function that creates the client.
    fn create(&self, file: &mut String) {
        put(file, "/** A client of the service at `options.baseUrl`. */");
        put(
            file,
            "export function createClient(options: ClientOptions) {",
        );
        put(file, "  return {");
        for resource in &self.description.listings {
            let Some(path) = &resource.path else { continue };
            let methods = methods(resource);
            let class = format!("Resource<{}Listing>", resource.type_name);
            let kind = match methods.len() == METHODS {
                true => class.clone(),
                false => format!("Pick<{class}, {}>", union(methods.into_iter())),
            };
            let (name, path) = (key(&self.property(resource)), quoted(path));
            let names = names(resource);
            put(
                file,
                &format!("    /** {} */", one_line(&resource.title.many)),
            );
            put(
                file,
                &format!("    {name}: new {class}(options, {path}{names}) as {kind},"),
            );
        }
        put(file, "  };\n}");
    }

    /// The property of the client for a resource: `orderItems`, or the resource's own name if another one would get the same
    /// property.
    fn property(&self, resource: &ResourceDescription) -> String {
        let property = |resource: &ResourceDescription| resource.listing.name.to_lower_camel_case();
        let own = property(resource);
        let others = self.description.listings.iter();
        let others = others.filter(|other| other.path.is_some() && property(other) == own);
        match own.is_empty() || others.count() > 1 {
            true => resource.listing.name.clone(),
            false => own,
        }
    }
}

/// The number of methods that a resource can have.
const METHODS: usize = 15;

/// The methods that the operations of a resource allow.
fn methods(resource: &ResourceDescription) -> Vec<&'static str> {
    let operations = &resource.operations;
    let mut methods = vec!["list", "pages", "all"];
    let others = [
        ("facets", &operations.facets),
        ("groups", &operations.groups),
        ("show", &operations.show),
        ("store", &operations.store),
        ("update", &operations.update),
        ("patch", &operations.patch),
        ("destroy", &operations.destroy),
        ("restore", &operations.restore),
        ("history", &operations.history),
        ("bulk", &operations.bulk),
        ("updateWhere", &operations.query_update),
        ("destroyWhere", &operations.query_delete),
    ];
    let others = others
        .into_iter()
        .filter(|(_, operation)| operation.is_some());
    methods.extend(others.map(|(name, _)| name));
    methods
}

/// The names that a resource needs at run time: default relations, accepted fields, and whether its rows have no key.
fn names(resource: &ResourceDescription) -> String {
    let relations = resource.listing.relations.iter();
    let relations = relations.filter(|relation| relation.default);
    let relations: Vec<_> = relations.map(|relation| relation.name.as_str()).collect();
    let (store, update) = (&resource.operations.store, &resource.operations.update);
    let lists = [
        ("defaultRelations", relations),
        ("store", sent_by(store.as_ref())),
        ("update", sent_by(update.as_ref())),
        ("links", links(resource)),
        ("bulk", writes::bulk(resource)),
    ];
    let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
    let mut lists: Vec<_> = lists
        .map(|(key, names)| {
            let names: Vec<_> = names.into_iter().map(quoted).collect();
            format!("{key}: [{}]", names.join(", "))
        })
        .collect();
    if writes::names_versions(resource) {
        lists.push("ifMatch: true".to_owned());
    }
    let modes = &resource.listing.pagination.modes;
    if !modes.iter().any(|mode| mode == "cursor") {
        lists.push("keyless: true".to_owned());
    }
    match lists.is_empty() {
        true => String::new(),
        false => format!(", {{ {} }}", lists.join(", ")),
    }
}

/// The fields and relations that an operation accepts, if they are known.
fn sent_by(operation: Option<&OperationDescription>) -> Vec<&str> {
    let payload = operation.and_then(|operation| operation.payload.as_deref());
    let fields = payload.unwrap_or_default().iter();
    let fields = fields.map(|field| field.name.as_str());
    fields.chain(links_of(operation)).collect()
}

/// The relations that can be sent for a new record or for an update.
fn links(resource: &ResourceDescription) -> Vec<&str> {
    let operations = &resource.operations;
    let store = links_of(operations.store.as_ref());
    let both: BTreeSet<_> = store.chain(links_of(operations.update.as_ref())).collect();
    both.into_iter().collect()
}

fn links_of(operation: Option<&OperationDescription>) -> impl Iterator<Item = &str> {
    let links = operation.map(|operation| operation.links.as_slice());
    links
        .unwrap_or_default()
        .iter()
        .map(|links| links.name.as_str())
}

fn link(kind: RelationKind, target: &str) -> String {
    match kind {
        RelationKind::ToOne => format!("ToOne<{target}>"),
        RelationKind::ToMany => format!("ToMany<{target}>"),
    }
}

#[cfg(test)]
mod tests;
