//! An OpenAPI 3.1 document, made from a description.

mod bulk;
mod envelopes;
mod exports;
mod filters;
mod history;
mod imports;
mod model;
mod nested;
mod numbers;
mod operations;
mod parameters;
mod responses;
mod schemas;
mod values;

use serde_json::json;

use super::{ApiDescription, ResourceDescription};
pub use model::OpenApi;
use model::{Components, Info, Operation, Ordered, Schema};
use responses::{codes, components, tagged, with_errors};

impl ApiDescription {
    /// This description as an OpenAPI 3.1 document.
    #[must_use]
    pub fn to_openapi(&self) -> OpenApi {
        let mut schemas = Ordered::default();
        let mut paths = Ordered::default();
        for resource in &self.listings {
            schemas::add(self, resource, &mut schemas);
            operations::add(self, resource, &mut paths, &mut schemas);
        }
        for (name, schema) in envelopes::common(codes()) {
            schemas.insert(name, schema);
        }
        let has_numbers = |known: &ResourceDescription| numbers::are_there(&known.listing);
        if self.listings.iter().any(has_numbers) {
            for (name, schema) in numbers::answers() {
                schemas.insert(name, schema);
            }
        }
        for (path, operation) in about(&self.prefix) {
            paths.insert(path, Ordered::from_iter([("get", operation)]));
        }
        let mut all = self.listings.iter();
        if all.any(|known| known.operations.export.is_some()) {
            let tickets = Ordered::from_iter([("post", exports::tickets())]);
            paths.insert(format!("{}/_tickets", self.prefix), tickets);
        }
        let listed = self.listings.iter().filter(|known| known.path.is_some());
        let titles = listed
            .map(|known| known.title.many.as_str())
            .chain(["About"]);
        let bearer = self.authentication.is_some();
        OpenApi {
            openapi: "3.1.0",
            info: Info {
                title: self.title.clone(),
                version: self.version.clone(),
                description: self.description.clone(),
            },
            servers: json!([{"url": "/"}]),
            // Public operations can be called without a token.
            security: bearer.then(|| json!([{}, {"bearer": []}])),
            tags: titles.map(|title| json!({"name": title})).collect(),
            paths,
            components: Components {
                schemas,
                responses: components(),
                security_schemes: bearer.then(|| {
                    json!({"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}})
                }),
            },
        }
    }
}

/// The routes that return the description itself.
fn about(prefix: &str) -> [(String, Operation); 2] {
    let operation = |id: &str, summary: &str| Operation {
        operation_id: id.to_owned(),
        tags: vec!["About".to_owned()],
        summary: summary.to_owned(),
        description: Some("What the caller may not do is left out.".to_owned()),
        parameters: Vec::new(),
        request_body: None,
        responses: with_errors(
            vec![
                ("200", tagged("The description.", Schema::of("object"))),
                responses::not_modified(),
            ],
            &[],
        ),
    };
    [
        (
            format!("{prefix}/_describe"),
            operation("describeApi", "What can be asked of this API"),
        ),
        (
            format!("{prefix}/openapi.json"),
            operation("getOpenApi", "This document"),
        ),
    ]
}
