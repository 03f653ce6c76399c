//! The operations of a resource: parameters, bodies and responses.

use listing::describe::Sort;
use serde_json::{Map, Value};

use super::bulk;
use super::envelopes::{envelope, record};
use super::filters::Operators;
use super::model::{Body, Content, Operation, Ordered, Parameter, Response, Schema};
use super::nested::{deeper, populate_options, related_filters};
use super::numbers;
use super::parameters::{idempotency_key, if_match, list_of, prefer, query};
use super::responses::{error, not_modified, success, tagged, with_errors};
use super::schemas::{
    field_names, input, populate_paths, query_example, record_name, sort_names, timezone,
};
use super::values::{Place, example, value};
use crate::describe::names::pascal;
use crate::describe::{ApiDescription, OperationDescription, ResourceDescription};

/// Adds the operations of a resource to the paths, and the schemas of its payloads.
pub(super) fn add(
    description: &ApiDescription,
    resource: &ResourceDescription,
    paths: &mut Ordered<Ordered<Operation>>,
    schemas: &mut Ordered<Schema>,
) {
    let of = Of {
        description,
        resource,
    };
    let operations = &resource.operations;
    let mut put = |known: &OperationDescription, mut operation: Operation| {
        if known.takes_idempotency_key {
            operation.parameters.push(idempotency_key());
            if operation.responses.get_mut("409").is_none() {
                operation.responses.insert("409", error("Conflict"));
            }
        }
        let path = known.path.split('?').next().unwrap_or_default();
        let method = known.method.to_lowercase();
        match paths.get_mut(path) {
            Some(methods) => methods.insert(method, operation),
            None => paths.insert(path, Ordered::from_iter([(method, operation)])),
        }
    };
    let mut bodies = Vec::new();
    if let Some(known) = &operations.index {
        put(known, of.index());
    }
    if let Some(known) = &operations.store {
        let body = format!("{}Input", resource.type_name);
        put(known, of.store(&body, known));
        bodies.push((body, known));
    }
    if let Some(known) = &operations.query {
        put(known, of.query());
    }
    if let Some(known) = &operations.facets {
        put(known, of.facets());
    }
    if let Some(known) = &operations.groups {
        put(known, of.groups());
    }
    for (known, operation) in of.exports() {
        put(&known, operation);
    }
    if let Some(known) = &operations.show {
        put(known, of.show());
    }
    if let Some(known) = &operations.update {
        let is_same = operations
            .store
            .as_ref()
            .is_some_and(|store| store.payload == known.payload && store.links == known.links);
        let end = if is_same { "Input" } else { "Update" };
        let body = format!("{}{end}", resource.type_name);
        put(known, of.update(&body, known));
        if !is_same {
            bodies.push((body, known));
        }
    }
    if let Some(known) = &operations.patch {
        let body = format!("{}Patch", resource.type_name);
        put(known, of.patch(&body, known));
        bodies.push((body, known));
    }
    if let Some(known) = operations
        .destroy
        .as_ref()
        .or(operations.force_destroy.as_ref())
    {
        put(known, of.destroy(known));
    }
    if let Some(known) = &operations.restore {
        put(known, of.restore(known));
    }
    if let Some(known) = &operations.history {
        put(known, of.history());
    }
    bulk::add(&of, &mut put, schemas);
    if let Some((known, operation)) = of.import() {
        put(&known, operation);
    }
    for (name, known) in bodies {
        let schema = match &known.payload {
            Some(payload) => input(payload, &known.links, description.settings.strict),
            None => Schema::of("object"),
        };
        schemas.insert(name, schema);
    }
}

pub(super) struct Of<'d> {
    pub(super) description: &'d ApiDescription,
    pub(super) resource: &'d ResourceDescription,
}

impl Of<'_> {
    pub(super) fn operation(
        &self,
        verb: &str,
        summary: String,
        responses: Ordered<Response>,
    ) -> Operation {
        let resource = self.resource;
        let many = pascal(&resource.title.many);
        let others = self.description.listings.iter();
        let is_ours = others
            .filter(|other| pascal(&other.title.many) == many)
            .count()
            == 1;
        let name = match verb {
            _ if bulk::is_of_list(verb) && is_ours => many,
            _ if bulk::is_of_list(verb) => format!("{}List", resource.type_name),
            _ => resource.type_name.clone(),
        };
        Operation {
            operation_id: format!("{verb}{name}"),
            tags: vec![resource.title.many.clone()],
            summary,
            description: None,
            parameters: Vec::new(),
            request_body: None,
            responses,
        }
    }

    pub(super) fn one(&self) -> String {
        self.resource.title.one.to_lowercase()
    }

    pub(super) fn many(&self) -> String {
        self.resource.title.many.to_lowercase()
    }

    fn list_schema(&self) -> Schema {
        Schema::reference(&format!("{}List", self.resource.type_name))
    }

    pub(super) fn index(&self) -> Operation {
        let listing = &self.resource.listing;
        let page = tagged("A page of the list.", self.list_schema());
        let responses = with_errors(vec![("200", page), not_modified()], &[400, 414]);
        let mut parameters = self.selection();
        parameters.extend(Operators(&self.description.operators).parameters(&listing.filters));
        let related = listing.related_filters.iter();
        parameters.extend(related.flat_map(|related| related_filters(self.description, related)));
        if listing.search.is_some() {
            let text =
                "Words that must occur; `\"a phrase\"` in quotes, `-word` to leave rows out.";
            parameters.push(query("search", text, Schema::of("string")));
        }
        if let Some(timezone) = timezone(listing) {
            let text = "The time zone of days and times that name none; UTC by default.";
            parameters.push(query("timezone", text, timezone));
        }
        if !listing.sorts.is_empty() {
            let spelled = |sort: &Sort| {
                let direction = sort.default.as_ref()?;
                Some(Value::String(format!("{}:{direction}", sort.name)))
            };
            let order: Vec<_> = listing.sorts.iter().filter_map(spelled).collect();
            let mut sort = list_of(
                "sort",
                "The order; without a direction it is ascending.",
                sort_names(listing),
            );
            sort.schema.default = (!order.is_empty()).then(|| order.into());
            parameters.push(sort);
        }
        parameters.extend(self.pagination());
        parameters.extend(numbers::parameters(listing));
        if !listing.trashed.is_empty() {
            let text = "Deleted records too, or only these.";
            parameters.push(query(
                "trashed",
                text,
                Schema::one_of_texts(listing.trashed.clone()),
            ));
        }
        parameters.extend(deeper(&self.resource.type_name, listing, true));
        let text = format!(
            "Everything that the schema `{}Query` has can be written in brackets, and the method `QUERY` takes it as a body.",
            self.resource.type_name
        );
        Operation {
            description: Some(text),
            parameters,
            ..self.operation("list", format!("List {}", self.many()), responses)
        }
    }

    fn query(&self) -> Operation {
        let responses = with_errors(
            vec![("200", success("A page of the list.", self.list_schema()))],
            &[400, 413, 415],
        );
        let schema = Schema::reference(&format!("{}Query", self.resource.type_name));
        Operation {
            description: Some(
                "For requests that are long, or have groups, relations or options.".to_owned(),
            ),
            request_body: Some(Body {
                required: true,
                content: Content::json(schema, Some(query_example(&self.resource.listing))),
            }),
            ..self.operation(
                "query",
                format!("List {} by a JSON request", self.many()),
                responses,
            )
        }
    }

    fn show(&self) -> Operation {
        let record = record(Schema::reference(&record_name(self.resource)));
        let responses = with_errors(
            vec![("200", tagged("The record.", record)), not_modified()],
            &[400, 404, 414],
        );
        let mut parameters = vec![self.id()];
        parameters.extend(self.selection().into_iter().map(|mut parameter| {
            parameter.schema.default = None;
            parameter
        }));
        parameters.extend(deeper(
            &self.resource.type_name,
            &self.resource.listing,
            false,
        ));
        Operation {
            parameters,
            ..self.operation("get", format!("Get one {}", self.one()), responses)
        }
    }

    fn store(&self, body: &str, known: &OperationDescription) -> Operation {
        let id = self.key();
        let location = serde_json::json!({"description": "Where the record is.", "schema": {"type": "string"}});
        let data = envelope(Schema::object([("id", id)], &["id"]));
        let created = Response {
            headers: Ordered::from_iter([("Location", location)]),
            ..success("The record was created.", data)
        };
        let responses = with_errors(vec![("201", created)], &[400, 413, 415, 422]);
        Operation {
            parameters: vec![prefer()],
            request_body: Some(payload_body(body, known)),
            ..self.operation("create", format!("Create one {}", self.one()), responses)
        }
    }

    fn update(&self, body: &str, known: &OperationDescription) -> Operation {
        Operation {
            parameters: vec![self.id(), if_match(known), prefer()],
            request_body: Some(payload_body(body, known)),
            ..self.operation(
                "update",
                format!("Change one {}", self.one()),
                changed("The record was changed.", known, &[413, 415]),
            )
        }
    }

    fn patch(&self, body: &str, known: &OperationDescription) -> Operation {
        let text = "What is left out stays as it is, and `null` clears a field that may be null (JSON Merge Patch).";
        let mut body = payload_body(body, known);
        if let Some(fields) = body.content.get_mut("application/json").cloned() {
            body.content.insert("application/merge-patch+json", fields);
        }
        Operation {
            description: Some(text.to_owned()),
            parameters: vec![self.id(), if_match(known), prefer()],
            request_body: Some(body),
            ..self.operation(
                "patch",
                format!("Change some fields of one {}", self.one()),
                changed("The record was changed.", known, &[413, 415]),
            )
        }
    }

    fn destroy(&self, known: &OperationDescription) -> Operation {
        let responses = changed("The record was deleted.", known, &[]);
        let mut parameters = vec![self.id(), if_match(known)];
        if self.resource.operations.force_destroy.is_some() {
            let text = "Deletes the record for good.";
            parameters.push(query("force", text, Schema::of("boolean")));
        }
        Operation {
            parameters,
            ..self.operation("delete", format!("Delete one {}", self.one()), responses)
        }
    }

    fn restore(&self, known: &OperationDescription) -> Operation {
        let responses = changed("The record is back.", known, &[]);
        Operation {
            parameters: vec![self.id(), if_match(known), prefer()],
            ..self.operation(
                "restore",
                format!("Bring one deleted {} back", self.one()),
                responses,
            )
        }
    }

    /// The schema of the key.
    pub(super) fn key(&self) -> Schema {
        let key = self.resource.listing.fields.first();
        key.map_or_else(Schema::default, |key| value(&key.value, Place::Shown))
    }

    pub(super) fn id(&self) -> Parameter {
        let schema = self.key();
        let is_number = schema.kind == Some("integer".into());
        Parameter {
            name: "id".to_owned(),
            place: "path",
            required: true,
            schema,
            example: is_number.then(|| 1.into()),
            ..Parameter::default()
        }
    }

    /// `fields` and `populate`.
    fn selection(&self) -> Vec<Parameter> {
        let listing = &self.resource.listing;
        let text = "The fields to show; `*` is all of them.";
        let mut fields = list_of("fields", text, field_names(listing));
        let defaults = listing.fields.iter().filter(|field| field.default);
        fields.schema.default = Some(defaults.map(|field| field.name.as_str()).collect());
        let mut parameters = vec![fields];
        if !listing.relations.is_empty() {
            let text = "The relations to populate; `*` is all of them.";
            let paths = populate_paths(self.description, listing);
            let mut populate = list_of("populate", text, paths);
            let defaults = listing.relations.iter().filter(|relation| relation.default);
            populate.schema.default =
                Some(defaults.map(|relation| relation.name.as_str()).collect());
            parameters.push(populate);
            let relations = listing.relations.iter();
            parameters.extend(
                relations.flat_map(|relation| populate_options(self.description, relation)),
            );
        }
        parameters
    }

    pub(super) fn pagination(&self) -> Vec<Parameter> {
        let pages = &self.resource.listing.pagination;
        let whole = |least: u64, default: Option<u64>| Schema {
            minimum: Some(least.into()),
            default: default.map(Into::into),
            ..Schema::of("integer")
        };
        let size = format!(
            "Records on a page, at most {}; more are cut to it.",
            pages.max_page_size
        );
        let one =
            |key: &str, text: &str, schema| query(&format!("pagination[{key}]"), text, schema);
        let mut parameters = vec![
            one("page", "The page's number.", whole(1, Some(1))),
            one("pageSize", &size, whole(1, Some(pages.page_size))),
            one(
                "start",
                "Records before the first; not together with `page`.",
                whole(0, None),
            ),
            one(
                "limit",
                "Records at most, together with `start`.",
                whole(1, None),
            ),
            one(
                "cursor",
                "`nextCursor` or `prevCursor` of another page; empty for the first.",
                Schema::of("string"),
            ),
            one(
                "withCount",
                "Whether to count all records.",
                Schema::of("boolean"),
            ),
        ];
        if self.resource.listing.keyless {
            parameters.retain(|parameter| parameter.name != "pagination[cursor]");
        }
        if pages.exact_count {
            let text = "`exact` counts all records, however many there are.";
            parameters.push(one("count", text, Schema::one_of_texts(["exact"])));
        }
        parameters
    }
}

/// The responses of a change of a record.
fn changed(description: &str, known: &OperationDescription, others: &[u16]) -> Ordered<Response> {
    let version = known.requires_if_match.then_some(428);
    let errors = [400, 404, 412, 422].iter().chain(others).copied();
    let errors: Vec<_> = errors.chain(version).collect();
    with_errors(vec![("200", done(description))], &errors)
}

fn done(description: &str) -> Response {
    success(description, Schema::reference("Done"))
}

fn payload_body(schema: &str, known: &OperationDescription) -> Body {
    Body {
        required: true,
        content: Content::json(Schema::reference(schema), payload_example(known)),
    }
}

/// A payload with a value in each field.
pub(super) fn payload_example(known: &OperationDescription) -> Option<Value> {
    let fields = known.payload.as_ref()?.iter();
    let fields = fields.map(|field| (field.name.clone(), example(field)));
    Some(Value::Object(fields.collect::<Map<_, _>>()))
}
