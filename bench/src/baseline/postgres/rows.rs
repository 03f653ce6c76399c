//! Writes the rows of PostgreSQL as items of a response.

use std::error::Error;

use anyhow::Result;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type};

use crate::baseline::body::{Body, integer, moment, text};

/// What every page of articles selects.
macro_rules! columns {
    () => {
        r#"SELECT "articles"."id", "articles"."title", "articles"."slug", "articles"."is_active", "articles"."views", "articles"."created_at""#
    };
}

/// The articles that are shown.
macro_rules! articles {
    () => {
        r#" FROM "articles" WHERE "articles"."deleted_at" IS NULL"#
    };
}

/// The newest first.
macro_rules! newest {
    () => {
        r#" ORDER BY "articles"."created_at" DESC, "articles"."id" DESC"#
    };
}

pub(super) use {articles, columns, newest};

/// An article of the page, without its closing brace.
pub(super) fn article(body: &mut Body, row: &Row) -> Result<()> {
    let out = body.article(
        row.try_get(0)?,
        row.try_get(1)?,
        row.try_get(2)?,
        row.try_get(3)?,
        row.try_get(4)?,
    );
    moment(out, row.try_get::<_, Moment>(5)?.0);
    Ok(())
}

/// Articles of a page that have nothing else in them.
pub(in crate::baseline) fn whole_article(body: &mut Body, row: &Row) -> Result<()> {
    article(body, row)?;
    body.bytes.push(b'}');
    Ok(())
}

/// A comment, whose first column is the id of its article.
pub(super) fn comment(out: &mut Vec<u8>, row: &Row) -> Result<()> {
    out.extend_from_slice(b"{\"id\":");
    integer(out, row.try_get::<_, i64>(1)?);
    out.extend_from_slice(b",\"author_name\":");
    text(out, row.try_get(2)?);
    out.extend_from_slice(b",\"body\":");
    text(out, row.try_get(3)?);
    out.extend_from_slice(b",\"created_at\":");
    moment(out, row.try_get::<_, Moment>(4)?.0);
    out.push(b'}');
    Ok(())
}

/// Microseconds since 1970, as they are on the wire but for the epoch.
pub(in crate::baseline) struct Moment(pub(in crate::baseline) i64);

impl<'a> FromSql<'a> for Moment {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        /// 2000-01-01, from which PostgreSQL counts.
        const EPOCH: i64 = 946_684_800_000_000;
        Ok(Self(i64::from_be_bytes(raw.try_into()?) + EPOCH))
    }

    fn accepts(kind: &Type) -> bool {
        *kind == Type::TIMESTAMPTZ
    }
}
