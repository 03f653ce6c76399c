//! Unknown names have no effect and are reported, or are errors where the project is strict (d6, d7, contract 7).

use blog::listings::CurrentUser;
use listing::Context;
use listing_tests::{Service, on_each_database};
use serde_json::json;

use crate::demo::{articles, newest_articles};

/// Rule d7.
#[test]
fn what_was_ignored_is_told_and_nothing_else() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/articles?fields=title,titel&sort=views:desc,wiews:asc,author.email&populate=author,autor")
            .await;
        assert_eq!(
            reply.meta()["ignored"],
            json!({"fields": ["titel"], "sort": ["wiews", "author.email"], "populate": ["autor"]})
        );
        let reply = service.get("/api/articles?sort=nothing").await;
        assert_eq!(reply.meta()["ignored"], json!({"sort": ["nothing"]}));
        let reply = service
            .get("/api/articles?sort=views&populate=author&fields=title")
            .await;
        assert_eq!(reply.meta().get("ignored"), None);
    });
}

/// Rule d7.
#[test]
fn names_are_case_sensitive() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/articles?fields=Title&sort=VIEWS&populate=Author")
            .await;
        assert_eq!(
            reply.meta()["ignored"],
            json!({"fields": ["Title"], "sort": ["VIEWS"], "populate": ["Author"]})
        );
    });
}

/// Rules d7, b14.
#[test]
fn at_most_20_names_are_echoed_and_long_ones_are_cut() {
    let unknown = |kind: &str, count: usize| {
        let names = (0..count).map(|n| format!("{kind}{n}"));
        names.collect::<Vec<_>>().join(",")
    };
    on_each_database(async |service| {
        let count = |fields: usize, sort: usize, populate: usize| {
            let query = format!(
                "fields={}&sort={}&populate={}",
                unknown("f", fields),
                unknown("s", sort),
                unknown("p", populate)
            );
            async move {
                let meta = service.get(&format!("/api/tags?{query}")).await.ok().meta();
                let names = |key: &str| meta["ignored"][key].as_array().map_or(0, Vec::len);
                names("fields") + names("sort") + names("populate")
            }
        };
        assert_eq!(count(20, 0, 0).await, 20);
        assert_eq!(count(21, 0, 0).await, 20);
        assert_eq!(count(7, 7, 6).await, 20);
        assert_eq!(count(15, 15, 15).await, 20);
        assert_eq!(count(0, 500, 20).await, 20);
        let long = "x".repeat(5_000);
        let meta = service
            .get(&format!("/api/tags?fields={long}"))
            .await
            .meta();
        assert!(meta["ignored"]["fields"][0].as_str().unwrap().len() < 200);
    });
}

/// Rule d7.
#[test]
fn strict_turns_unknown_names_into_errors_that_say_what_is_near() {
    on_each_database(async |service| {
        let strict = service.with_settings(|settings| settings.strict = true);
        for (query, code, parameter, token, nearest) in [
            (
                "fields=title,titel",
                "unknown_field",
                "fields",
                "titel",
                json!("title"),
            ),
            (
                "sort=wiews:desc",
                "unknown_sort",
                "sort",
                "wiews",
                json!("views"),
            ),
            (
                "populate=autor",
                "unknown_relation",
                "populate",
                "autor",
                json!("author"),
            ),
            (
                "populate=qqqqqqqqqqqq",
                "unknown_relation",
                "populate",
                "qqqqqqqqqqqq",
                json!(null),
            ),
        ] {
            let reply = strict.get(&format!("/api/articles?{query}")).await;
            let error = reply.error(400);
            assert_eq!(error["code"], code, "{query}");
            assert_eq!(error["details"]["parameter"], parameter, "{query}");
            assert_eq!(error["details"]["token"], token, "{query}");
            assert_eq!(
                error["details"].get("nearest").cloned().unwrap_or_default(),
                nearest,
                "{query}"
            );
        }
        let error = strict.get("/api/articles?populate=x").await.error(400);
        assert_eq!(
            error["details"]["allowed"],
            json!(["author", "comments", "tags", "seo"])
        );
        // What is known still answers, and so do parameters that mean nothing.
        let query = "/api/articles?fields=title,views&sort=views:desc&populate=author";
        assert_eq!(
            strict.get(query).await.bytes,
            service.get(query).await.ok().bytes
        );
    });
}

/// Rule b44.
#[test]
fn strict_tells_of_fields_then_relations_then_sorts_and_of_filters_last() {
    let wrong = [
        ("fields=titel", "unknown_field"),
        ("populate=autor", "unknown_relation"),
        ("sort=wiews", "unknown_sort"),
        ("filters[titel]=x", "filter_unknown_field"),
    ];
    on_each_database(async |service| {
        let strict = service.with_settings(|settings| settings.strict = true);
        for (first, (_, code)) in wrong.iter().enumerate() {
            // The other way round, so that it is not the order in which they were sent.
            let query: Vec<_> = wrong[first..]
                .iter()
                .rev()
                .map(|(query, _)| *query)
                .collect();
            let path = format!("/api/articles?{}", query.join("&"));
            assert_eq!(strict.get(&path).await.error_code(400), *code, "{path}");
        }
    });
}

/// Rules d6, b201.
#[test]
fn unknown_parameters_do_nothing_and_are_told() {
    on_each_database(async |service| {
        let plain = service.get("/api/articles").await.ok();
        for (query, told) in [
            ("utm_source=x", json!(["utm_source"])),
            ("_=1700000000000", json!(["_"])),
            ("locale=de&status=draft", json!(["locale", "status"])),
            ("a[b][c]=d&e", json!(["a", "e"])),
            ("trashed=with", json!(["trashed"])),
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await.ok();
            assert_eq!(reply.items(), plain.items(), "{query}");
            assert_eq!(
                reply.meta()["ignored"],
                json!({"parameters": told}),
                "{query}"
            );
        }
        let body = json!({"x": 1});
        let reply = service.post_query("/api/articles", &body).await.ok();
        assert_eq!(reply.meta()["ignored"], json!({"parameters": ["x"]}));
        let strict = service.with_settings(|settings| settings.strict = true);
        let error = strict.get("/api/articles?utm_source=x").await.error(400);
        assert_eq!(error["code"], "unknown_parameter");
        assert_eq!(error["details"]["parameter"], "utm_source");
        assert_eq!(
            strict.get("/api/articles?=x&&").await.ok().bytes,
            plain.bytes
        );
    });
}

/// Rule b201.
#[test]
fn a_strict_error_lists_the_parameters_that_there_are() {
    let of_lists = [
        "fields",
        "populate",
        "filters",
        "sort",
        "pagination",
        "timezone",
    ];
    on_each_database(async |service| {
        let strict = service.with_settings(|settings| settings.strict = true);
        let allowed = async |service: &Service, path: &str| {
            let error = service.get(path).await.error(400);
            assert_eq!(error["code"], "unknown_parameter", "{path}");
            error["details"]["allowed"].clone()
        };
        assert_eq!(allowed(&strict, "/api/tags?x=1").await, json!(of_lists));
        // Articles can be searched, and those who are signed in see deleted ones.
        let searched = [&of_lists[..], &["search", "facets", "totals"][..]].concat();
        for path in ["/api/articles?x=1", "/api/articles?trashed=with"] {
            assert_eq!(allowed(&strict, path).await, json!(searched), "{path}");
        }
        let user = Context::new().with(CurrentUser { author_id: 3 });
        let user = strict.with_context(user);
        let all = [&searched[..], &["trashed"][..]].concat();
        assert_eq!(allowed(&user, "/api/articles?x=1").await, json!(all));
        assert_eq!(
            allowed(&user, "/api/articles/1?x=1").await,
            json!(["fields", "populate", "timezone"])
        );
    });
}

/// Rule b200.
#[test]
fn a_misspelt_parameter_is_400_with_the_right_spelling() {
    on_each_database(async |service| {
        for (query, nearest) in [
            ("filter[title]=x", "filters"),
            ("fiters[title]=x", "filters"),
            ("filters.title=x", "filters[title]"),
            ("where[id]=1", "filters"),
            ("Fields=id", "fields"),
            ("page=3", "pagination[page]"),
            ("pageSize=3", "pagination[pageSize]"),
            ("limit=1", "pagination[limit]"),
            ("start=5", "pagination[start]"),
            ("orderBy=title", "sort"),
            ("order=title", "sort"),
            ("sorts=title", "sort"),
            ("include=author", "populate"),
            ("select=title", "fields"),
            ("q=x", "search"),
        ] {
            let error = service
                .get(&format!("/api/articles?{query}"))
                .await
                .error(400);
            assert_eq!(error["code"], "misspelt_parameter", "{query}");
            assert_eq!(error["details"]["nearest"], nearest, "{query}");
            let message = error["message"].as_str().unwrap();
            assert!(message.contains(nearest), "{message}");
        }
    });
}

/// Rules c2_6_r3, c7_t2, d21.
#[test]
fn an_undefined_sort_is_ignored() {
    let ids: Vec<_> = articles()
        .iter()
        .take(25)
        .map(|article| article.id)
        .collect();
    let newest: Vec<_> = newest_articles()
        .iter()
        .take(25)
        .map(|article| article.id)
        .collect();
    on_each_database(async |service| {
        // Asked for, and nothing in it known: the key, ascending, and not the default sort.
        for sort in [
            "nothing",
            "nothing:desc",
            "slug:desc,body",
            "author,seo:desc",
            "author.country",
        ] {
            let reply = service.get(&format!("/api/articles?sort={sort}")).await;
            assert_eq!(reply.ids(), ids, "{sort}");
        }
        let known = service.get("/api/articles?sort=views:desc").await.ids();
        let reply = service
            .get("/api/articles?sort=nothing:asc,views:desc,slug")
            .await;
        assert_eq!(reply.ids(), known);
        assert_eq!(service.get("/api/articles?sort=").await.ids(), newest);
    });
}
