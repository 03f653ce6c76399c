//! Descriptions of an API for its callers: its lists and records, as plain data and as an OpenAPI document.

mod ascii;
mod description;
mod names;
mod openapi;
mod operations;
mod routes;

pub use description::{ApiDescription, Authentication, ResourceDescription};
pub use openapi::OpenApi;
pub use operations::{
    BulkDescription, ExportDescription, ImportDescription, OperationDescription, Operations,
};

pub use crate::records::{LinksDescription, PayloadFieldDescription};
