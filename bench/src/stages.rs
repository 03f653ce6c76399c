//! Walks a query string through every stage that needs no database, so that its cost can be measured.

use blog::entity::article::Entity;
use futures_util::FutureExt;
use listing::execute::ReadFuture;
use listing::render::Shape;
use listing::{
    Dialect, Error, ExecuteError, ListingQuery, ListingRequest, Listings, Reader, Settings,
    Statement,
};

/// The dialects, with names for a table.
pub const DIALECTS: [(&str, Dialect); 3] = [
    ("PostgreSQL", Dialect::Postgres),
    ("MariaDB", Dialect::Mysql),
    ("SQLite", Dialect::Sqlite),
];

/// A request of 300 bytes that uses a little of everything.
pub const MEDIUM: &str = "fields[0]=title&fields[1]=slug&populate[0]=author&populate[1]=comments&\
    filters[is_active][$eq]=true&filters[views][$between][0]=100&filters[views][$between][1]=5000&\
    filters[title][$contains]=the+garden&sort[0]=views:desc&sort[1]=title:asc&\
    pagination[page]=3&pagination[pageSize]=50&filters[id][$ne]=9";

/// The requests that are measured, with names for a table.
#[must_use]
pub fn requests() -> [(&'static str, String); 3] {
    let ids: Vec<_> = (1..=500)
        .map(|id| format!("filters[id][$in][]={id}"))
        .collect();
    [
        ("small", "pagination[page]=2".to_owned()),
        ("300 bytes", MEDIUM.to_owned()),
        ("large", [MEDIUM, "&", &ids.join("&")].concat()),
    ]
}

/// The blog's listings.
///
/// # Errors
/// When they are defined wrongly.
pub fn listings() -> anyhow::Result<Listings> {
    Ok(blog::resources::api(Settings::default())?.listings)
}

/// Text to a request.
///
/// # Panics
/// When the text is refused: then nothing would be measured.
#[must_use]
pub fn parse(listings: &Listings, query: &str) -> ListingRequest {
    match ListingRequest::from_query(listings, query) {
        Ok(request) => request,
        Err(error) => panic!("{query}: {error}"),
    }
}

/// A request to the statements of its page and its count.
///
/// # Panics
/// When the request does not get as far as the database.
pub fn write_sql(request: &ListingRequest, dialect: Dialect) {
    // As the endpoints of a resource do, which list every row that the caller can see.
    let page = ListingQuery::<Entity>::all(request)
        .listing_paginate(&NoDatabase(dialect))
        .now_or_never();
    match page {
        Some(Err(Error::Execute(ExecuteError::UnknownDatabase))) => {}
        other => panic!("a request ended early: {other:?}"),
    }
}

/// Takes statements and has no rows for them.
struct NoDatabase(Dialect);

impl Reader for NoDatabase {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(self.0)
    }

    fn read<'a>(&'a self, statement: Statement, _: &'a Shape) -> ReadFuture<'a> {
        std::hint::black_box(statement);
        Box::pin(std::future::ready(Err(ExecuteError::UnknownDatabase)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_medium_request_has_300_bytes_and_all_come_to_their_sql() {
        assert_eq!(MEDIUM.len(), 300);
        let listings = listings().unwrap();
        for (_, query) in requests() {
            for (_, dialect) in DIALECTS {
                write_sql(&parse(&listings, &query), dialect);
            }
        }
    }
}
