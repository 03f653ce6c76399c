//! Describes what a client may send with writes: bulk requests, idempotency keys and versions.

use listing_axum::describe::{OperationDescription, ResourceDescription};

/// The members that a bulk request can have.
pub(super) fn bulk(resource: &ResourceDescription) -> Vec<&str> {
    let bulk = resource.operations.bulk.as_ref();
    let bulk = bulk.and_then(|operation| operation.bulk.as_ref());
    bulk.map(|bulk| bulk.items.iter().map(String::as_str).collect())
        .unwrap_or_default()
}

/// The methods whose requests may have an idempotency key.
pub(super) fn keyed(resource: &ResourceDescription) -> Vec<&'static str> {
    let operations = &resource.operations;
    let methods = [
        ("store", &operations.store),
        ("patch", &operations.patch),
        ("restore", &operations.restore),
        ("bulk", &operations.bulk),
        ("updateWhere", &operations.query_update),
        ("destroyWhere", &operations.query_delete),
    ];
    let takes = |known: &OperationDescription| known.takes_idempotency_key;
    let methods = methods.into_iter();
    methods
        .filter(|(_, known)| known.as_ref().is_some_and(takes))
        .map(|(name, _)| name)
        .collect()
}

/// Whether an update must name the record's version.
pub(super) fn names_versions(resource: &ResourceDescription) -> bool {
    let operations = &resource.operations;
    [&operations.update, &operations.patch, &operations.destroy]
        .into_iter()
        .flatten()
        .any(|known| known.requires_if_match)
}
