//! Descriptions of an API for its callers: which lists and records there are, as plain data and as an OpenAPI document.

mod ascii;
mod description;
mod names;
mod openapi;
mod operations;
mod routes;

pub use description::{ApiDescription, Authentication, ResourceDescription};
pub use openapi::OpenApi;
pub use operations::{BulkDescription, ExportDescription, OperationDescription, Operations};

pub use crate::records::{LinksDescription, PayloadFieldDescription};
