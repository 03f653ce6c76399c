//! What a caller may do with a resource: methods, paths and payloads.

use listing::{Listings, Whitelist};
use serde::{Deserialize, Serialize};

use crate::records::{Operation, PayloadFieldDescription, Served};

/// What a caller may do with a resource.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "they are those of `Operation`, and the list by a JSON body"
)]
pub struct Operations {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub show: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destroy: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force_destroy: Option<OperationDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restore: Option<OperationDescription>,
}

/// An operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OperationDescription {
    /// `GET`
    pub method: String,
    /// `/api/articles/{id}`
    pub path: String,
    /// What can be sent. A `store` or `update` without it has a handler of the application's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Vec<PayloadFieldDescription>>,
}

impl Operations {
    /// Those of a resource that `may` allows.
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
        };
        let mut allowed = Self::default();
        let operations = served.operations.iter().map(|known| known.operation);
        for operation in operations.filter(|operation| may(*operation)) {
            let with_payload = |described| {
                Some(OperationDescription {
                    payload: served.payload(operation, listings, name),
                    ..described
                })
            };
            match operation {
                Operation::Index => {
                    allowed.index = Some(one("GET", path.clone()));
                    allowed.query = Some(one("POST", format!("{path}/query")));
                }
                Operation::Show => allowed.show = Some(one("GET", format!("{path}/{{id}}"))),
                Operation::Store => allowed.store = with_payload(one("POST", path.clone())),
                Operation::Update => {
                    allowed.update = with_payload(one("PUT", format!("{path}/{{id}}")));
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
            }
        }
        allowed
    }

    /// Every payload.
    pub(super) fn payloads_mut(&mut self) -> impl Iterator<Item = &mut PayloadFieldDescription> {
        let writes = [&mut self.store, &mut self.update].into_iter().flatten();
        writes.filter_map(|write| write.payload.as_mut()).flatten()
    }
}
