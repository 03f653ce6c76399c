//! Reads the values of a PostgreSQL row that came through SeaORM, by the types of its columns.

use sqlx::postgres::{PgRow, PgTypeInfo, PgTypeKind, PgValueFormat};
use sqlx::{Column as _, Row as _, TypeInfo as _, ValueRef as _};

use crate::render::{Base, DecodeError, RowSource, Scalar, Wire, decode_postgres};

impl RowSource for PgRow {
    fn scalar(&self, index: usize) -> Result<Scalar<'_>, DecodeError> {
        let missing = DecodeError::Missing { column: index };
        let value = self.try_get_raw(index).map_err(|_| missing.clone())?;
        if value.is_null() {
            return Ok(Scalar::Null);
        }
        let bytes = value.as_bytes().map_err(|_| missing.clone())?;
        let type_info = self.columns().get(index).ok_or(missing)?.type_info();
        let wire = wire_of(type_info);
        match value.format() {
            PgValueFormat::Binary => decode_postgres(wire, bytes),
            // Only statements that are not prepared are answered in text, and SeaORM always prepares.
            PgValueFormat::Text => Err(DecodeError::malformed("binary value")),
        }
        .map_err(|error| error.of_type(type_info.name()))
    }
}

/// Built-in types have fixed numbers; types that were created later are known from the driver's queries to the server.
fn wire_of(type_info: &PgTypeInfo) -> Wire {
    let wire = type_info
        .oid()
        .map_or(Wire::One(Base::Unknown), |oid| Wire::of_oid(oid.0));
    if wire != Wire::One(Base::Unknown) {
        return wire;
    }
    match type_info.kind() {
        PgTypeKind::Simple => Wire::One(Base::of_name(type_info.name())),
        PgTypeKind::Enum(_) => Wire::One(Base::Text),
        PgTypeKind::Domain(base) => wire_of(base),
        PgTypeKind::Array(element) => match wire_of(element) {
            Wire::One(element) => Wire::Array(element),
            Wire::Array(_) => Wire::One(Base::Unsupported),
        },
        PgTypeKind::Pseudo | PgTypeKind::Composite(_) | PgTypeKind::Range(_) => {
            Wire::One(Base::Unsupported)
        }
    }
}
