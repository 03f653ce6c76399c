//! The smallest and the largest value of a column (d103).

use listing_tests::on_each_database;
use serde_json::json;

use crate::demo::{articles, facet};

/// Rules d99, d103.
#[test]
fn a_range_is_that_of_the_rows_without_its_own_filter() {
    let active: Vec<_> = articles().into_iter().filter(|one| one.is_active).collect();
    let views = || active.iter().map(|article| article.views);
    on_each_database(async |service| {
        let query = "filters[is_active]=true&filters[views][$between][0]=100&filters[views][$between][1]=200&facets=views";
        let reply = service.get(&format!("/api/articles?{query}")).await.ok();
        assert_eq!(
            facet(&reply, "views"),
            json!({ "key": "views", "min": views().min(), "max": views().max() })
        );
        let reply = service
            .get("/api/articles?filters[id]=0&facets=views")
            .await
            .ok();
        assert_eq!(
            facet(&reply, "views"),
            json!({ "key": "views", "min": null, "max": null })
        );
    });
}
