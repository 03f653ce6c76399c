//! Counts for each value of a filter (d97–d101).

use blog::data::country_name;
use blog::listings::CurrentUser;
use listing::Context;
use listing::{ListingQuery, ListingRequest};
use listing_tests::{Engine, Recorder, on_each_database};
use serde_json::{Value, json};

use crate::demo::{DEMO, articles, by_count, counts, facet, told, value, values};

fn author_name(id: &str) -> &'static str {
    let author = DEMO.authors.iter().find(|one| one.id.to_string() == id);
    &author.unwrap().name
}

/// Rules d98, d99, d100.
#[test]
fn a_facet_leaves_out_its_own_filter_and_marks_what_is_chosen() {
    let popular: Vec<_> = articles()
        .into_iter()
        .filter(|one| one.views >= 500)
        .collect();
    let count = |active: bool| popular.iter().filter(|one| one.is_active == active).count() as u64;
    let expected = json!([{
        "key": "is_active",
        "values": [value("true", "Active", count(true), false), value("false", "Inactive", count(false), true)],
        "missing": 0,
        "others": 0,
        "truncated": false,
    }]);
    assert!(count(true) > count(false));
    on_each_database(async |service| {
        let query = "filters[is_active]=false&filters[views][$gte]=500&facets=is_active";
        let reply = service.get(&format!("/api/articles?{query}")).await.ok();
        assert_eq!(reply.meta()["facets"], expected);
        assert_eq!(reply.total(), count(false));
        let body = json!({
            "filters": { "is_active": false, "views": { "$gte": 500 } },
            "facets": { "is_active": {} },
        });
        let reply = service.post_query("/api/articles", &body).await.ok();
        assert_eq!(reply.meta()["facets"], expected);
    });
}

/// Rule d99.
#[test]
fn a_key_inside_a_group_is_not_left_out() {
    let inactive = articles().iter().filter(|one| !one.is_active).count() as u64;
    on_each_database(async |service| {
        for group in [
            "filters[$and][0][is_active]=false",
            "filters[$not][is_active]=true",
        ] {
            let reply = service
                .get(&format!("/api/articles?{group}&facets=is_active"))
                .await
                .ok();
            let shown = facet(&reply, "is_active");
            assert_eq!(
                shown["values"],
                json!([
                    value("false", "Inactive", inactive, false),
                    value("true", "Active", 0, false)
                ]),
                "{group}"
            );
        }
    });
}

/// Rules d98, d100, d101.
#[test]
fn values_come_by_count_and_then_by_value_and_what_is_cut_off_is_counted() {
    let all = articles();
    let authors = by_count(counts(&all, |article| article.author_id));
    let missing = all.iter().filter(|one| one.author_id.is_none()).count() as u64;
    let texts = |of: &[(i64, u64)]| -> Vec<(String, u64)> {
        of.iter()
            .map(|(id, count)| (id.to_string(), *count))
            .collect()
    };
    on_each_database(async |service| {
        let reply = service.get("/api/articles?facets=author_id").await.ok();
        let whole = facet(&reply, "author_id");
        let shown = authors.len().min(30);
        assert_eq!(values(&whole), texts(&authors[..shown]));
        assert_eq!(whole["missing"], missing);
        assert_eq!(whole["truncated"], authors.len() > 30);
        assert_eq!(told(&whole), all.len() as u64);
        for one in whole["values"].as_array().unwrap() {
            assert_eq!(one["label"], author_name(one["value"].as_str().unwrap()));
        }
        let reply = service
            .get("/api/articles?facets[author_id][limit]=3")
            .await
            .ok();
        let cut = facet(&reply, "author_id");
        assert_eq!(values(&cut), texts(&authors[..3]));
        assert_eq!(cut["truncated"], true);
        assert_eq!(told(&cut), all.len() as u64);
        let by_value = service
            .get("/api/articles?facets[author_id][limit]=3&facets[author_id][sort]=value:desc")
            .await
            .ok();
        let mut largest: Vec<_> = authors.clone();
        largest.sort_by_key(|(id, _)| std::cmp::Reverse(*id));
        assert_eq!(values(&facet(&by_value, "author_id")), texts(&largest[..3]));
    });
}

/// Rule d97.
#[test]
fn values_can_be_searched_and_sorted_by_their_labels() {
    let all = articles();
    let authors = counts(&all, |article| article.author_id);
    let mut found: Vec<_> = authors
        .iter()
        .map(|(id, count)| (author_name(&id.to_string()), *id, *count))
        .filter(|(name, ..)| name.to_lowercase().contains('a'))
        .collect();
    found.sort();
    assert!(found.len() > 2, "{found:?}");
    on_each_database(async |service| {
        let query =
            "facets[author_id][search]=A&facets[author_id][sort]=label&facets[author_id][limit]=2";
        let reply = service.get(&format!("/api/articles?{query}")).await.ok();
        let shown = facet(&reply, "author_id");
        let expected: Vec<_> = found[..2]
            .iter()
            .map(|(name, id, count)| value(&id.to_string(), name, *count, false))
            .collect();
        assert_eq!(shown["values"], json!(expected));
        assert_eq!(shown["truncated"], true);
        assert_eq!(told(&shown), all.len() as u64);
    });
}

/// Rules d99, d100.
#[test]
fn a_default_is_left_out_and_chosen_like_a_filter() {
    let all = articles();
    let authors = by_count(counts(&all, |article| article.author_id));
    let (own, _) = authors[1];
    on_each_database(async |service| {
        let user = CurrentUser { author_id: own };
        let service = service.with_context(Context::new().with(user));
        let reply = service.get("/api/articles?facets=author_id").await.ok();
        let shown = facet(&reply, "author_id");
        assert_eq!(told(&shown), all.len() as u64);
        assert!(reply.total() < all.len() as u64);
        let selected: Vec<_> = shown["values"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one["selected"] == true)
            .map(|one| one["value"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(selected, [own.to_string()]);
    });
}

/// Rules d97, d101.
#[test]
fn facets_are_named_in_every_spelling_and_answered_in_the_order_asked() {
    let keys = |reply: &listing_tests::Reply| -> Vec<Value> {
        let meta = reply.meta();
        let all = meta["facets"].as_array().unwrap();
        all.iter().map(|facet| facet["key"].clone()).collect()
    };
    on_each_database(async |service| {
        for query in [
            "facets=author_id,is_active",
            "facets[0]=author_id&facets[1]=is_active",
            "facets[]=author_id&facets[]=is_active",
            "facets[author_id]=true&facets[is_active]=true",
            "facets[author_id][limit]=5&facets[is_active]=1&facets[tags]=false",
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await.ok();
            assert_eq!(keys(&reply), ["author_id", "is_active"], "{query}");
        }
        let reply = service.get("/api/articles?facets=*").await.ok();
        assert_eq!(
            keys(&reply),
            ["is_active", "views", "author_id", "created_at", "tags"]
        );
        let reply = service.get("/api/authors?facets=country").await.ok();
        for one in facet(&reply, "country")["values"].as_array().unwrap() {
            let code = one["value"].as_str().unwrap();
            assert_eq!(one["label"], country_name(code).unwrap());
        }
    });
}

/// Rule d97.
#[test]
fn an_unknown_facet_is_ignored_and_reported() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/articles?facets=is_active,email,title")
            .await
            .ok();
        assert_eq!(
            reply.meta()["ignored"],
            json!({ "facets": ["email", "title"] })
        );
        assert_eq!(reply.meta()["facets"].as_array().unwrap().len(), 1);
        let strict = service.with_settings(|settings| settings.strict = true);
        let reply = strict.get("/api/articles?facets=is_activ").await;
        let error = reply.error(400);
        assert_eq!(error["code"], "unknown_facet");
        assert_eq!(error["details"]["nearest"], "is_active");
    });
}

/// Rules d97, d101, d103.
#[test]
fn options_that_a_facet_does_not_have_are_refused() {
    on_each_database(async |service| {
        for (query, code) in [
            ("facets[author_id][limit]=1001", "facet_option"),
            ("facets[author_id][limit]=0", "bad_number"),
            ("facets[author_id][sort]=rating", "facet_option"),
            ("facets[author_id][sort]=count:up", "bad_direction"),
            ("facets[author_id][unit]=month", "facet_option"),
            ("facets[author_id][top]=3", "unknown_facet_key"),
            ("facets[author_id]=maybe", "object_expected"),
            ("facets[views][limit]=3", "facet_option"),
            ("facets[created_at][unit]=decade", "facet_option"),
            ("facets[created_at][offset]=Europe/Berlin", "facet_option"),
            ("facets[created_at][search]=2024", "facet_option"),
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await;
            assert_eq!(reply.error_code(400), code, "{query}");
        }
    });
}

/// Rule d99.
#[test]
fn a_search_and_deleted_rows_count_as_in_the_list() {
    on_each_database(async |service| {
        let words = DEMO.articles.iter().flat_map(|one| one.title.split(' '));
        let is_plain =
            |word: &&str| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let word = words.into_iter().find(is_plain).unwrap();
        let query = format!("search={word}&facets=is_active&pagination[count]=exact");
        let reply = service.get(&format!("/api/articles?{query}")).await.ok();
        assert!(reply.total() > 0);
        assert_eq!(told(&facet(&reply, "is_active")), reply.total());
        let user = CurrentUser { author_id: 1 };
        let service = service.with_context(Context::new().with(user));
        let reply = service
            .get("/api/articles?trashed=only&facets=author_id&totals[views]=sum")
            .await
            .ok();
        let deleted: Vec<_> = DEMO
            .articles
            .iter()
            .filter(|one| one.deleted_at.is_some())
            .collect();
        assert_eq!(told(&facet(&reply, "author_id")), deleted.len() as u64);
        let own: i64 = deleted
            .iter()
            .filter(|one| one.author_id == Some(1))
            .map(|one| i64::from(one.views))
            .sum();
        assert_eq!(reply.meta()["totals"]["views"]["sum"], own);
    });
}

/// Rule b747.
#[test]
fn misspelt_facets_and_totals_are_unknown_parameters() {
    on_each_database(async |service| {
        let query = "/api/articles?facett=is_active&total=views";
        let reply = service.get(query).await.ok();
        assert!(reply.meta().get("facets").is_none());
        assert!(reply.meta().get("totals").is_none());
        let strict = service.with_settings(|settings| settings.strict = true);
        let error = strict
            .get("/api/articles?facett=is_active")
            .await
            .error(400);
        assert_eq!(error["details"]["token"], "facett");
    });
}

/// Rule b743.
#[test]
fn a_list_without_numbers_runs_no_statement_for_them() {
    on_each_database(async |service| {
        let recorder = Recorder::new(service.db.clone());
        let run = async |query: &str| {
            let request = ListingRequest::from_query(&service.listings, query).unwrap();
            let all = ListingQuery::<blog::entity::article::Entity>::all(&request);
            all.listing_paginate(&recorder).await.unwrap();
            recorder.take().len()
        };
        assert_eq!(run("").await, 2);
        assert_eq!(run("facets=&totals=").await, 2);
        let shared = usize::from(service.engine == Engine::Postgres);
        assert_eq!(
            run("facets=is_active&totals[views]=sum,avg&totals[rating]=max").await,
            4 - shared
        );
    });
}
