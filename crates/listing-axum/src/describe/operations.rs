//! The operations that a caller may use on a resource: methods, paths and payloads.

use listing::whitelist::Whitelist;
use listing::{Format, Listings};
use serde::{Deserialize, Serialize};

use crate::records::{LinksDescription, Operation, PayloadFieldDescription, Served};

/// The operations that a caller may use on a resource.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "they are those of `Operation`, the list by a JSON body and its numbers, the update of some fields, and writes of many records"
)]
pub struct Operations {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub export: Option<ExportDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub show: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destroy: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force_destroy: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restore: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bulk: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_update: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_delete: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import: Option<ImportDescription>,
}

/// An operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OperationDescription {
    /// `GET`
    pub method: String,
    /// `/api/articles/{id}`
    pub path: String,
    /// The fields that can be sent. A `store` or `update` without a payload has a custom handler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Vec<PayloadFieldDescription>>,
    /// The relations that can be sent, with the rows to link the record with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinksDescription>,
    /// Whether the header `If-Match` must be sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub requires_if_match: bool,
    /// Whether the header `Idempotency-Key` can be sent, so that repeating the request has no further effect.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub takes_idempotency_key: bool,
    /// The items of a bulk request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bulk: Option<BulkDescription>,
}

/// The contents of a bulk request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BulkDescription {
    /// Its members: those of `create`, `update`, `upsert` and `delete` that the caller may use.
    pub items: Vec<String>,
    /// The fields by which `upsert` finds records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub upsert_by: Vec<String>,
}

/// Exports all rows of a list as a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ExportDescription {
    /// `GET`
    pub method: String,
    /// `/api/articles.{format}`
    pub path: String,
    /// The available formats, by file extension: `csv`, `ndjson`.
    pub formats: Vec<String>,
    /// The most rows in a file.
    pub max_rows: u64,
    /// The most rows in a file of the format `xlsx`, if it is available.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xlsx_max_rows: Option<u64>,
}

/// Creates records from a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ImportDescription {
    /// `POST`
    pub method: String,
    /// `/api/articles/_import`
    pub path: String,
    /// The accepted content types: `text/csv`, `application/x-ndjson`.
    pub types: Vec<String>,
    /// The most rows in a file.
    pub max_rows: u64,
    /// The most bytes in a file.
    pub max_bytes: usize,
}

impl Operations {
    /// The operations of a resource that `may` allows.
    pub(super) fn of(
        served: &Served,
        listings: &Listings,
        name: &dyn Fn(&Whitelist) -> String,
        may: impl Fn(Operation) -> bool,
    ) -> Self {
        let path = &served.path;
        let one = |method: &str, path: String| OperationDescription {
            method: method.to_owned(),
            path,
            payload: None,
            links: Vec::new(),
            requires_if_match: false,
            takes_idempotency_key: false,
            bulk: None,
        };
        let mut allowed = Self::default();
        let operations = served.operations.iter().map(|known| known.operation);
        for operation in operations.filter(|operation| may(*operation)) {
            let one = |method: &str, path: String| OperationDescription {
                requires_if_match: served.requires_if_match(operation),
                ..one(method, path)
            };
            let with_payload = |described| {
                let (payload, links) = served.payload(operation, listings, name).unzip();
                Some(OperationDescription {
                    payload,
                    links: links.unwrap_or_default(),
                    ..described
                })
            };
            match operation {
                Operation::Index => {
                    allowed.index = Some(one("GET", path.clone()));
                    allowed.query = Some(one("POST", format!("{path}/query")));
                    let numbers = |name: &str| {
                        let is_there = served.numbers.contains(&name);
                        is_there.then(|| one("GET", format!("{path}/_{name}")))
                    };
                    allowed.facets = numbers("facets");
                    allowed.groups = numbers("groups");
                }
                Operation::Export => {
                    let whitelist = listings.by_id(served.entity);
                    let settings = listings.settings();
                    let most = |format: &Format| whitelist?.export_rows(*format, settings);
                    let formats = Format::ALL
                        .iter()
                        .map(|format| format.extension().to_owned());
                    let mut all = Format::ALL.iter();
                    let xlsx = all.find(|format| format.extension() == "xlsx");
                    allowed.export = Some(ExportDescription {
                        method: "GET".to_owned(),
                        path: format!("{path}.{{format}}"),
                        formats: formats.collect(),
                        max_rows: most(&Format::Csv).unwrap_or_default(),
                        xlsx_max_rows: xlsx.and_then(most),
                    });
                }
                Operation::Import if may(Operation::Store) => {
                    let settings = listings.settings();
                    let types = ["text/csv", "application/x-ndjson"];
                    allowed.import = Some(ImportDescription {
                        method: "POST".to_owned(),
                        path: format!("{path}/_import"),
                        types: types.map(str::to_owned).to_vec(),
                        max_rows: settings.import_max_rows,
                        max_bytes: settings.bounds.import_bytes,
                    });
                }
                Operation::Import => {}
                Operation::Show => allowed.show = Some(one("GET", format!("{path}/{{id}}"))),
                Operation::Store => allowed.store = with_payload(one("POST", path.clone())),
                Operation::Update => {
                    let one_of = |method| one(method, format!("{path}/{{id}}"));
                    allowed.update = with_payload(one_of("PUT"));
                    if served.has_ours(operation) {
                        allowed.patch = with_payload(one_of("PATCH")).map(optional);
                    }
                }
                Operation::Destroy => {
                    allowed.destroy = Some(one("DELETE", format!("{path}/{{id}}")));
                }
                Operation::ForceDestroy => {
                    let path = format!("{path}/{{id}}?force=true");
                    allowed.force_destroy = Some(one("DELETE", path));
                }
                Operation::Restore => {
                    allowed.restore = Some(one("POST", format!("{path}/{{id}}/restore")));
                }
                Operation::History => {
                    allowed.history = Some(one("GET", format!("{path}/{{id}}/_history")));
                }
            }
        }
        let items = served.bulk_items(&may);
        if !items.is_empty() {
            let upserts = items.contains(&"upsert");
            allowed.bulk = Some(OperationDescription {
                bulk: Some(BulkDescription {
                    items: items.into_iter().map(str::to_owned).collect(),
                    upsert_by: match upserts {
                        true => served.upsert_by(listings),
                        false => Vec::new(),
                    },
                }),
                ..one("POST", format!("{path}/_bulk"))
            });
        }
        let by_filter = |operation: Operation, end: &str| {
            let is_there = served.many(Some(operation)).is_some();
            let is_there = is_there && may(Operation::Index) && may(operation);
            is_there.then(|| one("POST", format!("{path}/query/{end}")))
        };
        allowed.query_delete = by_filter(Operation::Destroy, "delete");
        // It sets the same fields as `patch`.
        allowed.query_update = by_filter(Operation::Update, "update");
        for (operation, known) in [
            (Some(Operation::Store), &mut allowed.store),
            (Some(Operation::Restore), &mut allowed.restore),
            (None, &mut allowed.patch),
            (None, &mut allowed.bulk),
            (None, &mut allowed.query_update),
            (None, &mut allowed.query_delete),
        ] {
            let is_ours = operation.is_none_or(|operation| served.has_ours(operation));
            if let Some(known) = known {
                known.takes_idempotency_key = is_ours && served.remembers_keys;
            }
        }
        allowed
    }

    /// The listings whose `id`s appear in payloads.
    pub(super) fn references_mut(&mut self) -> impl Iterator<Item = &mut Option<String>> {
        let writes = [&mut self.store, &mut self.update, &mut self.patch];
        writes.into_iter().flatten().flat_map(|write| {
            let fields = write.payload.iter_mut().flatten();
            let fields = fields.map(|field| &mut field.references);
            fields.chain(write.links.iter_mut().map(|links| &mut links.references))
        })
    }
}

/// The same operation with all fields optional: fields that a patch omits keep their values.
fn optional(mut described: OperationDescription) -> OperationDescription {
    let fields = described.payload.iter_mut().flatten();
    fields.for_each(|field| field.required = false);
    let links = described.links.iter_mut();
    links.for_each(|links| links.required = false);
    described
}
