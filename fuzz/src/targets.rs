//! What is fuzzed, and what must hold whatever the bytes are.

use std::sync::LazyLock;

use blog::entity::article::Entity;
use futures_util::FutureExt as _;
use listing::execute::ReadFuture;
use listing::render::Shape;
use listing::request::{parse_json, parse_query};
use listing::{
    Bounds, Dialect, ExecuteError, ListingQuery, ListingRequest, Listings, Reader, Settings,
    Statement,
};

/// The target of this name.
pub(crate) fn find(name: &str) -> fn(&[u8]) {
    match name {
        "query" => query,
        "json" => json,
        "sql" => sql,
        #[cfg(fuzzing)]
        "cursor" => listing::fuzzing::cursor,
        #[cfg(fuzzing)]
        "wire" => listing::fuzzing::wire,
        _ => panic!("there is no target `{name}`"),
    }
}

/// A query string becomes a request or an error that quotes little of it, and always the same.
fn query(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let bounds = Bounds::default();
    match parse_query(text, &bounds) {
        Ok(request) => assert_eq!(parse_query(text, &bounds).as_ref(), Ok(&request)),
        Err(error) => {
            let complaint = error.complaint();
            assert!(!complaint.message.contains('\0'));
            assert!(complaint.parameter.chars().count() <= 200);
            assert!(complaint.token.chars().count() <= 81);
        }
    }
}

/// The same of a JSON body.
fn json(bytes: &[u8]) {
    let bounds = Bounds::default();
    match parse_json(bytes, &bounds) {
        Ok(request) => {
            assert!(std::str::from_utf8(bytes).is_ok());
            assert_eq!(parse_json(bytes, &bounds).as_ref(), Ok(&request));
        }
        Err(error) => {
            let complaint = error.complaint();
            assert!(!complaint.message.contains('\0'));
            assert!(complaint.token.chars().count() <= 81);
        }
    }
}

static LISTINGS: LazyLock<Listings> = LazyLock::new(|| {
    let api = blog::resources::api(Settings::default());
    api.unwrap_or_else(|error| panic!("{error}")).listings
});

/// A request for the blog's articles becomes statements on each database, or an error. Every value of a client is bound.
fn sql(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(request) = ListingRequest::from_query(&LISTINGS, text) else {
        return;
    };
    for dialect in [Dialect::Postgres, Dialect::Mysql, Dialect::Sqlite] {
        let page = ListingQuery::<Entity>::all(&request)
            .listing_paginate(&NoDatabase(dialect))
            .now_or_never();
        assert!(page.is_some(), "something was waited for");
    }
}

/// Takes statements, looks at them, and has no rows for them.
struct NoDatabase(Dialect);

impl Reader for NoDatabase {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(self.0)
    }

    fn read<'a>(&'a self, statement: Statement, _: &'a Shape) -> ReadFuture<'a> {
        let places = places(&statement.text, self.0);
        assert_eq!(places, statement.values.len(), "{}", statement.text);
        Box::pin(async { Err(ExecuteError::UnknownDatabase) })
    }
}

/// How many values a statement has places for: the highest number on PostgreSQL, and question marks elsewhere.
fn places(text: &str, dialect: Dialect) -> usize {
    let outside: String = (text.split('\'').step_by(2)).collect();
    match dialect {
        Dialect::Postgres => {
            let numbers = outside.split('$').skip(1).filter_map(|rest| {
                let end = rest.find(|c: char| !c.is_ascii_digit());
                rest[..end.unwrap_or(rest.len())].parse().ok()
            });
            numbers.max().unwrap_or(0)
        }
        _ => outside.matches('?').count(),
    }
}
