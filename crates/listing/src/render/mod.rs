//! Turns values as databases send them into JSON bytes, without a connection.
//!
//! `Scalar` is the value on the wire and `Kind` comes from the definition; `write` combines the two. A driver's row becomes a
//! `RowSource`, and the rows of a statement a [`Batch`].

mod batch;
mod bucket;
mod calendar;
mod calendar_text;
mod composed_id;
mod decimal;
mod error;
mod json;
mod key;
mod member;
mod minify;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "postgres")]
mod postgres;
mod quotient;
mod scalar;
mod text;

pub use batch::{Batch, Shape, ShapeColumn};
pub use error::DecodeError;

#[cfg(any(test, feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub(crate) use batch::RowSource;
pub(crate) use bucket::{Bucket, bucket, offset as bucket_offset};
#[cfg(feature = "sqlite")]
pub(crate) use calendar_text::copy_timestamp;
#[cfg(feature = "sqlite")]
pub(crate) use json::write;
pub(crate) use key::has_place;
#[cfg(feature = "mysql")]
pub(crate) use mysql::{MysqlWire, decode as decode_mysql};
#[cfg(feature = "postgres")]
pub(crate) use postgres::{
    Base, Wire, decode as decode_postgres, write_direct as write_postgres_direct,
};
pub(crate) use quotient::{combined, quotient};
#[cfg(any(test, feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub(crate) use scalar::Scalar;
pub(crate) use text::{plain_prefix, write_string};
