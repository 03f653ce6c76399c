//! The order of rows (contract 2.6, d10, d11, d21, d22, d46).

use listing_tests::{Engine, Service, on_each_database};
use sea_orm::{ConnectionTrait, Statement};

use crate::demo::{articles, author_of, in_order, newest_articles, seo_of};
use crate::own::graph::transfer;
use crate::own::keys::city;
use crate::own::on_each_own_database;
use crate::own::tenants::order;

/// The ids of all articles in the order of a request.
async fn ids(service: &Service, sort: &str) -> Vec<i64> {
    let all = service.with_settings(|settings| settings.max_page_size = 500);
    let query = format!("fields=id&pagination[pageSize]=500&{sort}");
    all.get(&format!("/api/articles?{query}")).await.ids()
}

/// The ids of all articles in the order that the database itself gives.
async fn ordered_by(service: &Service, order: &str) -> Vec<i64> {
    let sql = format!(
        "SELECT articles.id FROM articles LEFT JOIN authors ON authors.id = articles.author_id \
         LEFT JOIN seo ON seo.article_id = articles.id WHERE articles.deleted_at IS NULL ORDER BY {order}"
    );
    let statement = Statement::from_string(service.db.get_database_backend(), sql);
    let rows = service.db.query_all_raw(statement).await.unwrap();
    rows.iter()
        .map(|row| row.try_get_by_index(0).unwrap())
        .collect()
}

/// Rules c2_6_r1, c2_6_t1.
#[test]
fn without_sort_the_default_sorts_apply() {
    let newest: Vec<_> = newest_articles().iter().map(|article| article.id).collect();
    on_each_database(async |service| {
        assert_eq!(ids(service, "").await, newest);
        assert_eq!(ids(service, "sort=").await, newest);
        assert_eq!(ids(service, "sort[0]=").await, newest);
    });
    on_each_own_database(async |own| {
        // Two defaults, one of them descending: no value first, and of equal values by name.
        let first = own.list::<city::Entity>("pagination[pageSize]=5").await;
        assert_eq!(first.ids(), [3, 5, 4, 1, 2]);
        // No default: the primary key.
        assert_eq!(
            own.list::<transfer::Entity>("").await.ids(),
            [1, 2, 3, 4, 5]
        );
    });
}

/// Rule c2_6_t2.
#[test]
fn an_allowed_sort_is_applied_only_on_request() {
    on_each_database(async |service| {
        assert_eq!(ids(service, "sort=views").await, in_order("views"));
        assert_ne!(in_order("views"), in_order("created_at:desc"));
    });
}

/// Rules c2_6_p1, c2_6_r2, d10.
#[test]
fn directions() {
    on_each_database(async |service| {
        let (up, down) = (in_order("created_at"), in_order("created_at:desc"));
        assert_ne!(up, down);
        // No direction is ascending, though the definition's own default descends.
        for sort in [
            "created_at",
            "created_at:asc",
            "created_at:ASC",
            "created_at:Asc",
        ] {
            assert_eq!(ids(service, &format!("sort={sort}")).await, up, "{sort}");
        }
        for sort in ["created_at:desc", "created_at:DESC", "created_at:dEsC"] {
            assert_eq!(ids(service, &format!("sort={sort}")).await, down, "{sort}");
        }
        for sort in [
            "created_at:down",
            "created_at:",
            "created_at:ascending",
            "created_at:asc:desc:x",
            "created_at: desc x",
            "nothing:up",
            "views,created_at:1",
        ] {
            let reply = service.get(&format!("/api/articles?sort={sort}")).await;
            let error = reply.error(400);
            assert_eq!(error["code"], "bad_direction", "{sort}");
            assert_eq!(
                error["details"]["allowed"],
                serde_json::json!(["asc", "desc"]),
                "{sort}"
            );
        }
    });
}

/// Rules c4_1_t4, d1, d2.
#[test]
fn the_indexes_of_sort_give_the_order() {
    on_each_database(async |service| {
        let (one, other) = (in_order("rating:desc,views"), in_order("views,rating:desc"));
        assert_ne!(one, other);
        for query in [
            "sort[0]=rating:desc&sort[1]=views:asc",
            "sort[1]=views&sort[0]=rating:desc",
            "sort[20]=views&sort[3]=rating:desc",
            "sort%5B0%5D=rating%3Adesc&sort%5B1%5D=views",
            "sort=rating:desc,views",
            "sort=rating:desc&sort=views",
            "sort[]=rating:desc&sort[]=views",
        ] {
            assert_eq!(ids(service, query).await, one, "{query}");
        }
        assert_eq!(
            ids(service, "sort[0]=views&sort[1]=rating:desc").await,
            other
        );
        assert_eq!(
            ids(service, "sort[rating]=desc&sort[views]=asc").await,
            one,
            "an object keeps its order (d88)"
        );
    });
}

/// Rule d11.
#[test]
fn of_a_sort_named_twice_the_first_counts() {
    on_each_database(async |service| {
        for sort in [
            "views:desc,views:asc",
            "views:desc,views",
            "views:desc,views:asc,views:desc",
        ] {
            assert_eq!(
                ids(service, &format!("sort={sort}")).await,
                in_order("views:desc"),
                "{sort}"
            );
        }
        let twice = ids(service, "sort=views:desc,rating,views:asc").await;
        assert_eq!(twice, in_order("views:desc,rating"));
    });
}

/// Rule d21.
#[test]
fn ties_end_in_the_primary_key_in_the_direction_of_the_last_sort() {
    on_each_database(async |service| {
        for sort in [
            "views",
            "views:desc",
            "rating",
            "rating:desc",
            "created_at",
            "created_at:desc",
            "comments_count",
            "comments_count:desc",
            "id",
            "id:desc",
            "views,rating:desc",
            "views:desc,rating",
            "rating:desc,comments_count:desc",
            "comments_count,rating,views:desc",
            "rating,views,created_at",
            // What comes after the key orders nothing.
            "views,id:desc",
            "id:desc,views",
            "rating:desc,id",
        ] {
            let query = format!("sort={sort}");
            assert_eq!(ids(service, &query).await, in_order(sort), "{sort}");
        }
    });
}

/// Rule d22.
#[test]
fn nulls_are_last_ascending_and_first_descending() {
    let unrated = articles()
        .iter()
        .filter(|article| article.rating.is_none())
        .count();
    let unsigned = articles()
        .iter()
        .filter(|article| author_of(article).is_none())
        .count();
    let without_seo = articles()
        .iter()
        .filter(|article| seo_of(article.id).is_none())
        .count();
    on_each_database(async |service| {
        let all = service.with_settings(|settings| settings.max_page_size = 500);
        for (sort, field, nulls) in [
            ("rating", "rating", unrated),
            ("author.name", "author", unsigned),
            ("seo.meta_title", "seo", without_seo),
        ] {
            for (direction, first) in [("asc", false), ("desc", true)] {
                let query = format!(
                    "fields=rating&populate=author,seo&sort={sort}:{direction}&pagination[pageSize]=500"
                );
                let values = all
                    .get(&format!("/api/articles?{query}"))
                    .await
                    .column(field);
                let (head, tail) = if first {
                    (nulls, false)
                } else {
                    (values.len() - nulls, true)
                };
                assert!(nulls > 10 && values.len() > nulls);
                assert!(
                    values[..head].iter().all(|value| value.is_null() != tail),
                    "{query}"
                );
                assert!(
                    values[head..].iter().all(|value| value.is_null() == tail),
                    "{query}"
                );
            }
        }
    });
}

/// Rule d22.
#[test]
fn a_sort_can_be_defined_with_nulls_first_or_last() {
    on_each_own_database(async |own| {
        let by = async |sort: &str| {
            let (first, rest) = (
                format!("pagination[limit]=5&sort={sort}"),
                format!("pagination[start]=5&sort={sort}"),
            );
            let first = own.list::<city::Entity>(&first).await.ids();
            let rest = own.list::<city::Entity>(&rest).await.ids();
            [first, rest].concat()
        };
        assert_eq!(by("population").await, [7, 8, 2, 6, 1, 4, 3, 5]);
        assert_eq!(by("population:desc").await, [5, 3, 4, 1, 6, 2, 8, 7]);
        // `founded` is defined with nulls last, `area` with nulls first; the key still follows the direction.
        assert_eq!(by("founded").await, [7, 1, 4, 3, 8, 2, 5, 6]);
        assert_eq!(by("founded:desc").await, [8, 3, 4, 1, 7, 6, 5, 2]);
        assert_eq!(by("area").await, [3, 4, 6, 5, 7, 8, 1, 2]);
        assert_eq!(by("area:desc").await, [6, 4, 3, 2, 1, 8, 7, 5]);
        assert_eq!(by("founded,area:desc").await[5..], [6, 2, 5]);
    });
}

/// Rules c2_6_r5, d46, d36.
#[test]
fn text_and_relations_sort_as_the_database_sorts() {
    on_each_database(async |service| {
        for (sort, order) in [
            ("title", "title, articles.id"),
            ("title:desc", "title DESC, articles.id DESC"),
            ("author.name", "name IS NULL, name, articles.id"),
            (
                "author.name:desc",
                "name IS NULL DESC, name DESC, articles.id DESC",
            ),
            (
                "seo.meta_title",
                "meta_title IS NULL, meta_title, articles.id",
            ),
            (
                "seo.meta_title:desc",
                "meta_title IS NULL DESC, meta_title DESC, articles.id DESC",
            ),
            (
                "author.name:desc,seo.meta_title,views:desc",
                "name IS NULL DESC, name DESC, meta_title IS NULL, meta_title, views DESC, articles.id DESC",
            ),
        ] {
            let expected = ordered_by(service, order).await;
            assert_eq!(
                ids(service, &format!("sort={sort}")).await,
                expected,
                "{sort}"
            );
            // Neither what is shown nor what is populated changes the order, and no row is lost or doubled.
            let shown = ids(
                service,
                &format!("sort={sort}&fields=*&populate=author,seo"),
            )
            .await;
            assert_eq!(shown, expected, "{sort}");
            assert_eq!(expected.len(), articles().len());
        }
    });
}

/// Rule d46.
#[test]
fn two_sorts_can_lead_to_one_relation() {
    on_each_own_database(async |own| {
        use crate::own::tenants::Tenant;
        let context = listing::Context::new().with(Tenant(1));
        let query = "sort=customer.city:desc,customer.name&pagination[pageSize]=100";
        let reply = own.list_for::<order::Entity>(query, context).await;
        // No city first, and among those bob, then those who are not seen; then oslo, then bern.
        assert_eq!(reply.ids(), [4, 7, 2, 3, 5, 9, 1, 6, 8]);
        assert_eq!(reply.total(), 9);
    });
}

/// Rule d22.
#[test]
fn columns_that_cannot_be_null_get_plain_sql() {
    on_each_database(async |service| {
        let recorder = listing_tests::Recorder::new(service.db.clone());
        let text = async |sort: &str| {
            use listing::SelectListing;
            use sea_orm::EntityTrait;
            let query = format!("fields=id&sort={sort}");
            let request = listing::ListingRequest::from_query(&service.listings, &query).unwrap();
            let select = blog::entity::article::Entity::find();
            select
                .listing(&request)
                .listing_paginate(&recorder)
                .await
                .unwrap();
            let page = recorder.take().swap_remove(0).text;
            page.split_once("ORDER BY").unwrap().1.to_owned()
        };
        for sort in ["views", "views:desc", "title:desc,id"] {
            let order = text(sort).await;
            assert!(!order.contains("NULL"), "{order}");
        }
        // A database that does it by itself is not told to.
        for (sort, native) in [
            ("rating", Engine::Postgres),
            ("rating:desc", Engine::Postgres),
        ] {
            let order = text(sort).await;
            assert_eq!(order.contains("NULL"), service.engine != native, "{order}");
        }
    });
}
