//! Numbers about a field of all rows that match (d104, d105).

use listing_tests::on_each_database;
use rust_decimal::Decimal;
use serde_json::json;

use crate::demo::{articles, average};

/// Rules d104, d105.
#[test]
fn totals_are_those_of_every_row_that_matches_whatever_the_page() {
    let active: Vec<_> = articles().into_iter().filter(|one| one.is_active).collect();
    let views = || active.iter().map(|article| article.views);
    let sum: i64 = views().map(i64::from).sum();
    let ratings: Vec<Decimal> = active.iter().filter_map(|article| article.rating).collect();
    let cents = |rating: &Decimal| {
        let mut rating = *rating;
        rating.rescale(2);
        rating.mantissa()
    };
    let cents: i128 = ratings.iter().map(cents).sum();
    let expected = json!({
        "views": {
            "sum": sum,
            "avg": average(sum.into(), views().count() as i128, 0),
            "min": views().min(),
            "max": views().max(),
        },
        "rating": {
            "avg": average(cents, ratings.len() as i128, 2),
            "min": format!("{:.2}", ratings.iter().min().unwrap()),
            "max": format!("{:.2}", ratings.iter().max().unwrap()),
        },
    });
    on_each_database(async |service| {
        for page in [
            "",
            "&pagination[pageSize]=1",
            "&pagination[page]=99999",
            "&pagination[cursor]=",
        ] {
            let query = format!(
                "/api/articles?filters[is_active]=true&totals[views]=sum,avg,min,max&totals[rating]=avg,min,max{page}"
            );
            let reply = service.get(&query).await.ok();
            assert_eq!(reply.meta()["totals"], expected, "{page}");
        }
        let body = json!({
            "filters": { "is_active": true },
            "totals": { "views": ["sum", "avg", "min", "max"], "rating": "avg,min,max" },
        });
        let reply = service.post_query("/api/articles", &body).await.ok();
        assert_eq!(reply.meta()["totals"], expected);
        let plain = service.get("/api/articles?filters[is_active]=true").await;
        assert_eq!(plain.meta().get("totals"), None);
        assert_eq!(plain.meta().get("facets"), None);
    });
}

/// Rule d105.
#[test]
fn without_rows_a_sum_is_zero_and_everything_else_is_null() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/articles?filters[views][$lt]=-1&totals[views]=sum,avg,min,max&totals[rating]=avg,min,max")
            .await
            .ok();
        assert_eq!(
            reply.meta()["totals"],
            json!({
                "views": { "sum": 0, "avg": null, "min": null, "max": null },
                "rating": { "avg": null, "min": null, "max": null },
            })
        );
    });
}

/// Rule d104.
#[test]
fn a_total_that_is_not_allowed_is_refused_with_those_that_are() {
    on_each_database(async |service| {
        for (query, parameter, allowed) in [
            (
                "totals[rating]=sum",
                "totals[rating]",
                json!(["avg", "min", "max"]),
            ),
            (
                "totals[views]=median",
                "totals[views]",
                json!(["sum", "avg", "min", "max"]),
            ),
            (
                "totals[title]=max",
                "totals[title]",
                json!(["views", "rating"]),
            ),
            (
                "totals[email]=max",
                "totals[email]",
                json!(["views", "rating"]),
            ),
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await;
            let error = reply.error(400);
            assert_eq!(error["code"], "total_not_allowed", "{query}");
            assert_eq!(error["details"]["parameter"], parameter);
            assert_eq!(error["details"]["allowed"], allowed);
        }
        let near = service
            .get("/api/articles?totals[views]=sun")
            .await
            .error(400);
        assert_eq!(near["details"]["nearest"], "sum");
        assert_eq!(
            near["message"],
            "`sun` is not a total of `views`; did you mean `sum`? Allowed here: `sum`, `avg`, `min`, `max`."
        );
    });
}

/// Rule d104.
#[test]
fn a_record_has_no_totals() {
    on_each_database(async |service| {
        for query in ["totals[views]=sum", "facets=is_active"] {
            let reply = service.get(&format!("/api/articles/1?{query}")).await;
            assert_eq!(reply.error_code(400), "for_lists", "{query}");
        }
    });
}
