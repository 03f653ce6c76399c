//! Which part of the rows is returned, and what is said about the rest (contract 4.1, 8, d14 to d20).

use blog::entity::{article, author};
use listing::{ListingRequest, SelectListing};
use listing_tests::on_each_database;
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{EntityTrait, QueryFilter};
use serde_json::{Value, json};

use crate::demo::{articles, in_order};
use crate::own::keys::city;
use crate::own::on_each_own_database;

/// `meta.pagination` as text: the order of its keys counts too.
fn told(meta: &Value) -> String {
    meta["pagination"].to_string()
}

/// Rules c1_r6, d15.
#[test]
fn lists_are_paginated_without_being_asked() {
    let ids = in_order("created_at:desc");
    let (total, pages) = (ids.len(), ids.len().div_ceil(25));
    on_each_database(async |service| {
        for query in ["", "pagination[withCount]=true", "pagination[page]=1"] {
            let reply = service.get(&format!("/api/articles?{query}")).await;
            assert_eq!(reply.ids(), ids[..25]);
            let expected = json!({"page": 1, "pageSize": 25, "pageCount": pages, "total": total});
            assert_eq!(told(&reply.meta()), expected.to_string());
        }
        for path in ["authors", "comments", "tags"] {
            let reply = service.get(&format!("/api/{path}")).await;
            assert_eq!(reply.meta()["pagination"]["pageSize"], 25, "{path}");
            assert_eq!(reply.items().len(), if path == "authors" { 20 } else { 25 });
        }
    });
}

/// Rules c4_1_t5, c4_1_t6, c4_1_r2, d19.
#[test]
fn page_mode() {
    let ids = in_order("id");
    let last = ids.len().div_ceil(40);
    on_each_database(async |service| {
        for page in [1, 2, last] {
            let query = format!("sort=id&pagination[page]={page}&pagination[pageSize]=40");
            let reply = service.get(&format!("/api/articles?{query}")).await;
            let from = (page - 1) * 40;
            assert_eq!(
                reply.ids(),
                ids[from..(from + 40).min(ids.len())],
                "{query}"
            );
            let expected =
                json!({"page": page, "pageSize": 40, "pageCount": last, "total": ids.len()});
            assert_eq!(told(&reply.meta()), expected.to_string());
        }
        let reply = service
            .get("/api/articles?sort=id&pagination[pageSize]=1")
            .await;
        assert_eq!(reply.ids(), ids[..1]);
        assert_eq!(reply.meta()["pagination"]["pageCount"], ids.len());
        let reply = service
            .get("/api/articles?sort=id&pagination[page]=3")
            .await;
        assert_eq!(reply.ids(), ids[50..75]);
        // As many rows as fill the pages exactly.
        let reply = service
            .get("/api/authors?pagination[pageSize]=10&pagination[page]=2")
            .await;
        assert_eq!(reply.items().len(), 10);
        assert_eq!(reply.meta()["pagination"]["pageCount"], 2);
    });
}

/// Rules c4_1_t7, c4_1_t8, c4_1_r2, d15, d19.
#[test]
fn offset_mode() {
    let ids = in_order("id");
    on_each_database(async |service| {
        for (query, start, limit) in [
            ("pagination[start]=0&pagination[limit]=7", 0, 7),
            ("pagination[start]=30&pagination[limit]=100", 30, 100),
            ("pagination[start]=33", 33, 25),
            ("pagination[limit]=3", 0, 3),
            ("pagination[start]=0", 0, 25),
            ("pagination[start]=485", 485, 25),
        ] {
            let reply = service.get(&format!("/api/articles?sort=id&{query}")).await;
            assert_eq!(
                reply.ids(),
                ids[start..(start + limit).min(ids.len())],
                "{query}"
            );
            let expected = json!({"start": start, "limit": limit, "total": ids.len()});
            assert_eq!(told(&reply.meta()), expected.to_string(), "{query}");
        }
    });
}

/// Rules c4_1_r1, c7_t6, d14.
#[test]
fn page_mode_and_offset_mode_do_not_mix() {
    on_each_database(async |service| {
        for query in [
            "pagination[page]=1&pagination[start]=0",
            "pagination[start]=0&pagination[page]=1",
            "pagination[page]=1&pagination[limit]=10",
            "pagination[pageSize]=10&pagination[start]=0",
            "pagination[pageSize]=10&pagination[limit]=10",
            "pagination[page]=1&pagination[pageSize]=10&pagination[start]=0&pagination[limit]=10",
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await;
            assert_eq!(reply.error_code(400), "page_with_offset", "{query}");
        }
    });
}

/// Rules d15, d16.
#[test]
fn the_sizes_are_settings() {
    let ids = in_order("id");
    on_each_database(async |service| {
        let small = service.with_settings(|settings| {
            settings.page_size = 4;
            settings.max_page_size = 6;
        });
        for (query, size) in [
            ("", 4),
            ("&pagination[pageSize]=6", 6),
            ("&pagination[limit]=7", 6),
        ] {
            let reply = small.get(&format!("/api/articles?sort=id{query}")).await;
            assert_eq!(reply.ids(), ids[..size], "{query}");
        }
    });
    on_each_own_database(async |own| {
        // A listing can have its own, while others have the project's.
        for (query, size) in [
            ("", 3),
            ("pagination[pageSize]=5", 5),
            ("pagination[pageSize]=6", 5),
        ] {
            let reply = own.list::<city::Entity>(query).await;
            assert_eq!(reply.items().len(), size, "{query}");
            assert_eq!(reply.meta()["pagination"]["pageSize"], size, "{query}");
        }
        let reply = own.list::<city::Entity>("pagination[limit]=100").await;
        assert_eq!(
            reply.meta()["pagination"],
            json!({"start": 0, "limit": 5, "total": 8})
        );
        let reply = own.list::<crate::own::tenants::order::Entity>("").await;
        assert_eq!(reply.meta()["pagination"]["pageSize"], 25);
    });
}

/// Rule d16.
#[test]
fn a_size_over_the_largest_is_cut_to_it_however_long() {
    let ids = in_order("id");
    on_each_database(async |service| {
        for size in [
            "100",
            "101",
            "2147483648",
            "9223372036854775808",
            "99999999999999999999999999",
        ] {
            let reply = service
                .get(&format!(
                    "/api/articles?sort=id&pagination[pageSize]={size}"
                ))
                .await;
            assert_eq!(reply.ids(), ids[..100], "{size}");
            assert_eq!(reply.meta()["pagination"]["pageSize"], 100, "{size}");
            let reply = service
                .get(&format!(
                    "/api/articles?sort=id&pagination[start]=1&pagination[limit]={size}"
                ))
                .await;
            assert_eq!(reply.ids(), ids[1..101], "{size}");
            assert_eq!(reply.meta()["pagination"]["limit"], 100, "{size}");
        }
        // The page is one of the size that is given.
        let reply = service
            .get("/api/articles?sort=id&pagination[page]=2&pagination[pageSize]=400")
            .await;
        assert_eq!(reply.ids(), ids[100..200]);
        assert_eq!(
            reply.meta()["pagination"]["pageCount"],
            ids.len().div_ceil(100)
        );
    });
}

/// Rules d12, d17.
#[test]
fn what_is_no_number_is_400() {
    on_each_database(async |service| {
        for key in ["page", "pageSize", "start", "limit"] {
            for value in [
                "-1", "-0", "1e3", "1.5", "1.0", "abc", "", "%201", "1%20", "%2B1", "0x10", "٣",
                "NaN",
            ] {
                let reply = service
                    .get(&format!("/api/articles?pagination[{key}]={value}"))
                    .await;
                let error = reply.error(400);
                assert_eq!(error["code"], "bad_number", "{key} {value}");
                assert_eq!(error["details"]["parameter"], format!("pagination[{key}]"));
            }
            let reply = service
                .get(&format!("/api/articles?pagination[{key}]=0"))
                .await;
            if key == "start" {
                assert_eq!(reply.ok().meta()["pagination"]["start"], 0);
            } else {
                assert_eq!(reply.error_code(400), "bad_number", "{key}");
            }
            let reply = service
                .get(&format!("/api/articles?pagination[{key}]=007"))
                .await;
            assert_eq!(reply.ok().meta()["pagination"][key], 7, "{key}");
        }
    });
}

/// Rules d1, d6, d12.
#[test]
fn other_mistakes_under_pagination_are_400() {
    on_each_database(async |service| {
        for (query, code) in [
            ("pagination[pagesize]=10", "unknown_pagination_key"),
            ("pagination[offset]=10", "unknown_pagination_key"),
            ("pagination[]=10", "unknown_pagination_key"),
            (
                "pagination[page]=1&pagination[page]=2",
                "one_value_expected",
            ),
            ("pagination[page][]=1", "one_value_expected"),
            (
                "pagination[limit]=1&pagination[limit]=1",
                "one_value_expected",
            ),
            ("pagination=1", "object_expected"),
            ("pagination[withCount]=maybe", "bad_boolean"),
            ("pagination[withCount]=", "bad_boolean"),
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await;
            assert_eq!(reply.error_code(400), code, "{query}");
        }
    });
}

/// Rule d18.
#[test]
fn a_page_past_the_end_is_empty_with_the_true_total() {
    let total = articles().len() as u64;
    on_each_database(async |service| {
        for page in [
            "21",
            "1000000",
            "9223372036854775807",
            "18446744073709551615",
        ] {
            let query =
                format!("pagination[page]={page}&populate=author,comments&sort=author.name");
            let reply = service.get(&format!("/api/articles?{query}")).await;
            assert_eq!(reply.items(), Vec::<Value>::new(), "{page}");
            assert_eq!(reply.total(), total);
            assert_eq!(reply.meta()["pagination"]["page"].to_string(), page);
        }
        for start in [
            total.to_string(),
            "9223372036854775807".to_owned(),
            u64::MAX.to_string(),
        ] {
            let reply = service
                .get(&format!(
                    "/api/articles?pagination[start]={start}&pagination[limit]=100"
                ))
                .await;
            assert_eq!(reply.items(), Vec::<Value>::new(), "{start}");
            assert_eq!(reply.total(), total);
            assert_eq!(reply.meta()["pagination"]["start"].to_string(), start);
        }
        // Pages whose first row is number 2^63 or 2^64, which is not number 0.
        for page in [(1_u64 << 57) + 1, (1 << 58) + 1, (1 << 59) + 1] {
            let query = format!("pagination[page]={page}&pagination[pageSize]=64");
            let reply = service.get(&format!("/api/articles?{query}")).await;
            assert_eq!((reply.items().len(), reply.total()), (0, total), "{page}");
        }
        // More digits than a number has.
        let digits = "9".repeat(300);
        for key in ["page", "start"] {
            let reply = service
                .get(&format!("/api/articles?pagination[{key}]={digits}"))
                .await;
            assert_eq!((reply.items().len(), reply.total()), (0, total), "{key}");
        }
        let query = format!("pagination[page]={digits}&pagination[withCount]=false");
        let reply = service.get(&format!("/api/articles?{query}")).await.ok();
        assert_eq!(reply.meta()["pagination"]["hasMore"], false);
    });
}

/// Rule d19.
#[test]
fn the_page_count_of_nothing_is_0() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/articles?filters[title][$eq]=no+such+title")
            .await;
        let nothing = json!({"page": 1, "pageSize": 25, "pageCount": 0, "total": 0});
        assert_eq!(told(&reply.meta()), nothing.to_string());
        let reply = service
            .get("/api/articles?filters[title][$eq]=no+such+title&pagination[start]=3")
            .await;
        let nothing = json!({"start": 3, "limit": 25, "total": 0});
        assert_eq!(told(&reply.meta()), nothing.to_string());
    });
}

/// Rules d20, b43.
#[test]
fn without_a_count_there_is_has_more() {
    let ids = in_order("id");
    let last = ids.len().div_ceil(70);
    on_each_database(async |service| {
        for (page, more) in [
            (1, true),
            (last - 1, true),
            (last, false),
            (last + 1, false),
        ] {
            for no in ["false", "0", "no", "OFF"] {
                let query = format!(
                    "sort=id&pagination[page]={page}&pagination[pageSize]=70&pagination[withCount]={no}"
                );
                let reply = service.get(&format!("/api/articles?{query}")).await;
                let from = ((page - 1) * 70).min(ids.len());
                assert_eq!(
                    reply.ids(),
                    ids[from..(from + 70).min(ids.len())],
                    "{query}"
                );
                let expected = json!({"page": page, "pageSize": 70, "hasMore": more});
                assert_eq!(told(&reply.meta()), expected.to_string(), "{query}");
            }
        }
        // The last row ends the page exactly.
        for (start, more) in [
            (ids.len() - 11, true),
            (ids.len() - 10, false),
            (ids.len() - 9, false),
        ] {
            let query = format!(
                "sort=id&pagination[start]={start}&pagination[limit]=10&pagination[withCount]=false&populate=comments"
            );
            let reply = service.get(&format!("/api/articles?{query}")).await;
            assert_eq!(reply.ids(), ids[start..(start + 10).min(ids.len())]);
            let expected = json!({"start": start, "limit": 10, "hasMore": more});
            assert_eq!(told(&reply.meta()), expected.to_string());
        }
        // The largest page has room for one row more, to know.
        let query = "sort=id&pagination[pageSize]=100&pagination[withCount]=false";
        let reply = service.get(&format!("/api/articles?{query}")).await;
        assert_eq!(reply.ids(), ids[..100]);
        assert_eq!(reply.meta()["pagination"]["hasMore"], true);
    });
}

/// Rule b446.
#[test]
fn pages_of_a_filter_through_a_relation_neither_repeat_a_row_nor_leave_one_out() {
    on_each_database(async |service| {
        for (path, filter) in [
            ("authors", "filters[articles][views][$gt]=5"),
            ("authors", "filters[articles][$notNull]=true&sort=name"),
            ("articles", "filters[comments][author_name][$contains]=a"),
        ] {
            let list = async |page: &str| {
                let query = format!("/api/{path}?{filter}&{page}");
                service.get(&query).await.ids()
            };
            let whole = list("pagination[pageSize]=100").await;
            assert!(whole.len() > 12, "{path}?{filter}: {whole:?}");
            let mut walked = Vec::new();
            for page in 1..=whole.len().div_ceil(4) {
                let page = format!("pagination[page]={page}&pagination[pageSize]=4");
                walked.extend(list(&page).await);
            }
            assert_eq!(walked, whole, "{path}?{filter}");
            let part = list("pagination[start]=7&pagination[limit]=5").await;
            assert_eq!(part, whole[7..12], "{path}?{filter}");
        }
    });
}

/// Rule b446.
#[test]
fn and_neither_do_those_of_a_condition_that_an_application_wrote() {
    use sea_orm::sea_query::ExprTrait as _;
    on_each_database(async |service| {
        let articles = Query::select()
            .expr(Expr::val(1))
            .from(article::Entity)
            .and_where(
                Expr::col((article::Entity, article::Column::AuthorId))
                    .equals((author::Entity, author::Column::Id)),
            )
            .take();
        let list = async |page: &str| {
            let query = format!("fields=id&sort=id&{page}");
            let request = ListingRequest::from_query(&service.listings, &query).unwrap();
            let page = author::Entity::find()
                .filter(Expr::exists(articles.clone()))
                .listing(&request)
                .listing_paginate(&service.db)
                .await
                .unwrap();
            let items: Value = serde_json::from_slice(page.items()).unwrap();
            let ids = items
                .as_array()
                .unwrap()
                .iter()
                .map(|item| item["id"].clone());
            ids.collect::<Vec<_>>()
        };
        let whole = list("pagination[pageSize]=100").await;
        let second = list("pagination[pageSize]=4&pagination[page]=2").await;
        assert_eq!(second, whole[4..8]);
    });
}
