//! The operations that write many records: their bodies and responses.

use listing::describe::TypeName;
use serde_json::{Value, json};

use super::envelopes::envelope;
use super::model::{Body, Content, Operation, Ordered, Schema};
use super::operations::{Of, payload_example};
use super::responses::{success, with_errors};
use super::schemas::input;
use crate::describe::OperationDescription;

/// Adds the operations of a resource, and the schemas of their items.
pub(super) fn add(
    of: &Of<'_>,
    put: &mut dyn FnMut(&OperationDescription, Operation),
    schemas: &mut Ordered<Schema>,
) {
    let operations = &of.resource.operations;
    if let Some(known) = &operations.bulk {
        put(known, of.bulk(known));
        of.items(known, schemas);
    }
    if let Some(known) = &operations.query_update {
        put(known, of.update_matching());
        let name = format!("{}Patch", of.resource.type_name);
        let set = ("set", Schema::reference(&name));
        schemas.insert(of.name("UpdateMatching"), of.matching(Some(set)));
    }
    if let Some(known) = &operations.query_delete {
        put(known, of.delete_matching());
        schemas.insert(of.name("DeleteMatching"), of.matching(None));
    }
}

impl Of<'_> {
    fn name(&self, end: &str) -> String {
        format!("{}{end}", self.resource.type_name)
    }

    fn bulk(&self, known: &OperationDescription) -> Operation {
        let items = known.bulk.iter().flat_map(|bulk| &bulk.items);
        let id = || ("id", self.key());
        let done = |name: &String| {
            let result = Schema::one_of_texts(["created", "updated", "unchanged"]);
            let item = match name.as_str() {
                "upsert" => Schema::object([id(), ("result", result)], &["id", "result"]),
                _ => Schema::object([id()], &["id"]),
            };
            (name.clone(), Schema::array(item))
        };
        let data = envelope(Schema::object(items.map(done), &[]));
        let mut text =
            "All of them are written, or none; errors name the item: `create.3.title`.".to_owned();
        let key = known.bulk.as_ref().map(|bulk| bulk.upsert_by.join("`, `"));
        if let Some(key) = key.filter(|key| !key.is_empty()) {
            text.push_str(&format!(
                " An item of `upsert` changes the record that has its `{key}`, or else is a new one."
            ));
        }
        Operation {
            description: Some(text),
            ..self.many_of(
                "bulk",
                format!("Create, change and delete {}", self.many()),
                ("Bulk", self.bulk_example(known)),
                ("What was written, in the order of the items.", data),
                &[404, 412, 428],
            )
        }
    }

    fn update_matching(&self) -> Operation {
        let done = ("How many records were changed.", self.count());
        let summary = format!("Change the {} that match filters", self.many());
        let example = self.matching_example(Some(json!({})));
        let body = ("UpdateMatching", example);
        self.many_of("updateMatching", summary, body, done, &[409])
    }

    fn delete_matching(&self) -> Operation {
        let done = ("How many records were deleted.", self.count());
        let summary = format!("Delete the {} that match filters", self.many());
        let body = ("DeleteMatching", self.matching_example(None));
        self.many_of("deleteMatching", summary, body, done, &[409])
    }

    fn many_of(
        &self,
        verb: &str,
        summary: String,
        (body, example): (&str, Option<Value>),
        (done, data): (&str, Schema),
        errors: &[u16],
    ) -> Operation {
        let errors: Vec<_> = [400, 413, 415, 422].iter().chain(errors).copied().collect();
        let responses = with_errors(vec![("200", success(done, data))], &errors);
        Operation {
            request_body: Some(Body {
                required: true,
                content: Content::json(Schema::reference(&self.name(body)), example),
            }),
            ..self.operation(verb, summary, responses)
        }
    }

    /// One new record, or one that may exist already.
    fn bulk_example(&self, known: &OperationDescription) -> Option<Value> {
        let items = &known.bulk.as_ref()?.items;
        let member = ["upsert", "create"]
            .into_iter()
            .find(|member| items.iter().any(|item| item == member))?;
        let payload = payload_example(self.resource.operations.store.as_ref()?)?;
        Some(json!({ member: [payload] }))
    }

    /// A filter by a number that no record has.
    fn matching_example(&self, set: Option<Value>) -> Option<Value> {
        let mut filters = self.resource.listing.filters.iter();
        let filter = filters.find(|filter| {
            let is_equal = filter.operators.iter().any(|operator| operator == "$eq");
            is_equal && filter.value.name == TypeName::Integer
        })?;
        let mut example = json!({ "filters": { &filter.name: { "$eq": 0 } }, "expected": 0 });
        if let Some(set) = set {
            example["set"] = set;
        }
        Some(example)
    }

    fn count(&self) -> Schema {
        let count = ("count", Schema::of("integer"));
        envelope(Schema::object([count], &["count"]))
    }

    /// The schema of a request, and those of its items.
    fn items(&self, known: &OperationDescription, schemas: &mut Ordered<Schema>) {
        let operations = &self.resource.operations;
        let most = self.description.settings.bounds.bulk_items;
        let etag = || {
            let text = "The `ETag` of the version that is meant.";
            Schema::of("string").described(text)
        };
        let list = |items: Schema| Schema {
            max_items: u64::try_from(most).ok(),
            ..Schema::array(items)
        };
        let mut properties: Ordered<Schema> = Ordered::default();
        for name in known.bulk.iter().flat_map(|bulk| &bulk.items) {
            let payload = |known: &Option<OperationDescription>| {
                let known = known.as_ref();
                let fields = known.and_then(|known| known.payload.as_deref());
                let links = known.map(|known| known.links.as_slice());
                let strict = self.description.settings.strict;
                let fields = fields.unwrap_or_default();
                input(fields, links.unwrap_or_default(), strict)
            };
            let items = match name.as_str() {
                "create" => Schema::reference(&self.name("Input")),
                "update" => {
                    let mut item = payload(&operations.patch);
                    item.properties.insert("id", self.key());
                    item.properties.insert("etag", etag());
                    item.required.push("id".to_owned());
                    schemas.insert(self.name("BulkUpdate"), item);
                    Schema::reference(&self.name("BulkUpdate"))
                }
                "upsert" => {
                    let mut item = payload(&operations.store);
                    item.properties.insert("etag", etag());
                    schemas.insert(self.name("BulkUpsert"), item);
                    Schema::reference(&self.name("BulkUpsert"))
                }
                _ => {
                    let item = Schema::object([("id", self.key()), ("etag", etag())], &["id"]);
                    Schema::any_of(vec![self.key(), item])
                }
            };
            properties.insert(name, list(items));
        }
        let mut request = Schema::object(Vec::<(String, Schema)>::new(), &[]);
        request.properties = properties;
        request.min_properties = Some(1);
        schemas.insert(self.name("Bulk"), request);
    }

    /// The schema of a write by filter.
    fn matching(&self, set: Option<(&'static str, Schema)>) -> Schema {
        let most = self.description.settings.bounds.bulk_matches;
        let text = "How many records the filters match; with another number nothing is written.";
        let expected = Schema {
            minimum: Some(0.into()),
            maximum: Some(most.into()),
            ..Schema::of("integer").described(text)
        };
        let filters = ("filters", Schema::reference(&self.name("Filters")));
        let required: Vec<_> = ["filters", "expected"]
            .into_iter()
            .chain(set.as_ref().map(|(name, _)| *name))
            .collect();
        let members = [Some(filters), set, Some(("expected", expected))];
        Schema::object(members.into_iter().flatten(), &required)
    }
}

/// Whether an operation applies to several records.
pub(super) fn is_of_list(verb: &str) -> bool {
    matches!(
        verb,
        "list"
            | "query"
            | "count"
            | "group"
            | "export"
            | "bulk"
            | "import"
            | "updateMatching"
            | "deleteMatching"
    )
}
