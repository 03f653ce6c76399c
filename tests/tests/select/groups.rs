//! An application's query that groups its rows is refused, because its pages and counts would be wrong (b108).

use blog::entity::{article, comment};
use listing::{Error, ListingRequest, SelectListing};
use listing_tests::on_each_database;
use sea_orm::sea_query::{Expr, ExprTrait, Query, UnionType};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait, Select};

/// Rule b108.
#[test]
fn a_query_that_groups_its_rows_is_refused() {
    use article::Column::{AuthorId, Id};
    let mut united = article::Entity::find();
    QueryTrait::query(&mut united).union(UnionType::All, article::Entity::find().into_query());
    let refused: [(Select<article::Entity>, &str); 5] = [
        (united, "UNION"),
        (article::Entity::find().distinct(), "DISTINCT"),
        (article::Entity::find().distinct_on([AuthorId]), "DISTINCT"),
        (article::Entity::find().group_by(AuthorId), "GROUP BY"),
        (
            article::Entity::find().having(Expr::col(Id).count().gt(1)),
            "HAVING",
        ),
    ];
    on_each_database(async |service| {
        let request = ListingRequest::from_query(&service.listings, "").unwrap();
        for (query, clause) in &refused {
            let page = query
                .clone()
                .listing(&request)
                .listing_paginate(&service.db);
            let error = page.await.unwrap_err();
            assert!(matches!(error, Error::NotPlain { .. }), "{error}");
            assert!(error.to_string().contains(clause), "{error}");
        }
        // Inside a condition anything may stand.
        let commented = Query::select()
            .column(comment::Column::ArticleId)
            .distinct()
            .from(comment::Entity)
            .group_by_col(comment::Column::ArticleId)
            .and_having(Expr::cust("COUNT(*)").gt(1))
            .take();
        let plain = article::Entity::find().filter(Id.in_subquery(commented));
        let page = plain.listing(&request).listing_paginate(&service.db).await;
        let page = page.unwrap();
        assert!(page.len() > 1);
        assert!(page.total().unwrap() >= page.len() as u64);
    });
}
