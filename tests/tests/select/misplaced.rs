//! Requests that would lose their filter are refused with the right spelling, and what looks like a mistake has a hint (d151).

use listing::Names;
use listing_tests::{Service, on_each_database};
use serde_json::{Value, json};

/// The spelling that an error gives, and its message.
async fn refused(service: &Service, path: &str) -> (Value, String) {
    let reply = service.get(path).await;
    assert_eq!(reply.error_code(400), "misplaced_filter", "{path}");
    let error = reply.error(400);
    let message = error["message"].as_str().unwrap().to_owned();
    (error["details"]["nearest"].clone(), message)
}

/// Rule d151.
#[test]
fn a_parameter_that_is_a_filter_is_refused_with_the_right_spelling() {
    on_each_database(async |service| {
        for (query, right) in [
            ("author_id=5", "filters[author_id][$eq]=5"),
            ("title=eq.x", "filters[title][$eq]=x"),
            ("views=gte.5", "filters[views][$gte]=5"),
            ("views[$gt]=5", "filters[views][$gt]=5"),
            ("views[gt]=5", "filters[views][$gt]=5"),
            ("views%3E5", "filters[views][$gt]=5"),
            ("views%3E=5", "filters[views][$gte]=5"),
            ("views!=5", "filters[views][$ne]=5"),
            ("views__lte=5", "filters[views][$lte]=5"),
            ("title_contains=x", "filters[title][$contains]=x"),
            ("title.eq=x", "filters[title][$eq]=x"),
            ("slug=a&slug=b", "filters[slug][$in][]=a"),
            ("slug[]=a", "filters[slug][$in][]=a"),
            ("slug=in.(a,b)", "filters[slug][$in][]=a"),
            // Only what the filter allows.
            ("body=x", "filters[body][$contains]=x"),
            ("authorId=5", "filters[author_id][$eq]=5"),
            ("Views=5", "filters[views][$eq]=5"),
            ("author=5", "filters[author_id][$eq]=5"),
            ("author[name]=x", "filters[author][name][$eq]=x"),
            ("author.name=x", "filters[author][name][$eq]=x"),
            ("id=5", "filters[id][$eq]=5"),
            (
                "or=(views.gt.5,title.eq.x)",
                "filters[$or][0][views][$gt]=5&filters[$or][1][title][$eq]=x",
            ),
            ("$or[0][title]=x", "filters[$or][0][<field>][$eq]=…"),
            ("utm_source=a&title=x", "filters[title][$eq]=x"),
        ] {
            let (nearest, message) = refused(service, &format!("/api/articles?{query}")).await;
            assert_eq!(nearest, right, "{query}");
            assert!(message.contains(right), "{message}");
        }
        let (_, message) = refused(service, "/api/articles?rank=eq.5").await;
        assert!(
            message.contains("there is no filter `rank`") && message.contains("`author_id`"),
            "{message}"
        );
        let strict = service.with_settings(|settings| settings.strict = true);
        let (nearest, _) = refused(&strict, "/api/articles?author_id=5").await;
        assert_eq!(nearest, "filters[author_id][$eq]=5");
        for body in [
            json!({ "author_id": 5 }),
            json!({ "title": "eq.x" }),
            json!({ "or": "(views.gt.5)" }),
        ] {
            let reply = service.post_query("/api/articles", &body).await;
            assert_eq!(reply.error_code(400), "misplaced_filter", "{body}");
        }
    });
}

/// Rules d151, b603.
#[test]
fn an_id_is_refused_also_where_clients_cannot_filter_by_it() {
    on_each_database(async |service| {
        // Tags have no filter by `id`.
        let (nearest, message) = refused(service, "/api/tags?id=5").await;
        assert_eq!(nearest, Value::Null);
        assert!(message.contains("add `/5` to its path"), "{message}");
    });
}

/// Rule d151.
#[test]
fn names_are_those_that_clients_use() {
    on_each_database(async |service| {
        let camel = service.with_settings(|settings| settings.names = Names::CamelCase);
        for query in ["authorId=5", "author_id=5"] {
            let (nearest, _) = refused(&camel, &format!("/api/articles?{query}")).await;
            assert_eq!(nearest, "filters[authorId][$eq]=5", "{query}");
        }
    });
}

/// Rules d6, d151.
#[test]
fn other_parameters_still_have_no_effect() {
    on_each_database(async |service| {
        let plain = service.get("/api/articles").await.ok();
        for query in [
            "utm_source=eq&utm_medium=email",
            "_=1700000000",
            "_title=x",
            "__id=5",
            "v=1.2.3",
            "cb=8f3",
            "ref=lt.wikipedia.org",
            "locale=de",
            "note=(see below)",
            "host=in.example.com",
            "x[0]=1",
            "x[a]=1",
            "titles=x",
            "subtitle=x",
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await.ok();
            assert_eq!(reply.items(), plain.items(), "{query}");
            assert!(reply.meta()["ignored"]["parameters"].is_array(), "{query}");
        }
    });
}

/// Rules d89, d151.
#[test]
fn filters_of_one_record_are_refused_too() {
    on_each_database(async |service| {
        let path = |query: &str| format!("/api/articles/1?{query}");
        for query in [
            "author_id=5",
            "title=eq.x",
            "or=(views.gt.5)",
            "views[$gt]=5",
        ] {
            let (_, message) = refused(service, &path(query)).await;
            assert!(message.contains("filters are for lists"), "{message}");
        }
        let _ = service.get(&path("id=1&utm_source=x&_=1")).await.ok();
    });
}

/// Rules d10, d151.
#[test]
fn a_minus_in_front_of_a_sort_is_descending() {
    on_each_database(async |service| {
        for (minus, plain) in [
            ("sort=-views", "sort=views:desc"),
            ("sort=-views,title", "sort=views:desc,title"),
            (
                "sort[]=-author.name&sort[]=-id",
                "sort=author.name:desc,id:desc",
            ),
            (
                "populate[comments][sort]=-id",
                "populate[comments][sort]=id:desc",
            ),
        ] {
            let minus = service.get(&format!("/api/articles?{minus}")).await.ok();
            let plain = service.get(&format!("/api/articles?{plain}")).await.ok();
            assert_eq!(minus.bytes, plain.bytes);
        }
        let ascending = service.get("/api/articles?sort=views").await.ok();
        let descending = service.get("/api/articles?sort=-views").await.ok();
        assert_ne!(ascending.items(), descending.items());
        let body = json!({ "sort": ["-views"] });
        let reply = service.post_query("/api/articles", &body).await.ok();
        assert_eq!(reply.items(), descending.items());
        let both = service.get("/api/articles?sort=-views:asc").await;
        assert_eq!(both.error_code(400), "two_directions");
    });
}

/// Rule d151.
#[test]
fn a_comma_that_finds_nothing_has_a_hint() {
    on_each_database(async |service| {
        let hints = async |query: &str| {
            let reply = service.get(&format!("/api/articles?{query}")).await.ok();
            reply.meta().get("hints").cloned()
        };
        let right = "filters[slug][$in][]=no-a&filters[slug][$in][]=no-b";
        for query in [
            "filters[slug][$in]=no-a,no-b",
            "filters[slug][$in][]=no-a,+no-b",
            "filters[slug][$in]=no-a,no-b&pagination[withCount]=false",
            "filters[slug][$in]=no-a,no-b&pagination[page]=3",
            "filters[slug][$in]=no-a,no-b&pagination[cursor]=",
        ] {
            let told = hints(query).await.unwrap_or_else(|| panic!("{query}"));
            assert_eq!(told.as_array().map(Vec::len), Some(1), "{told}");
            let told = told[0].as_str().unwrap();
            assert!(told.contains("`no-a,") && told.contains(right), "{told}");
        }
        let nested = "filters[$and][0][author][country][$in]=XX,YY";
        let told = hints(nested).await.unwrap();
        let place = "filters[$and][0][author][country][$in][]=XX";
        assert!(told[0].as_str().unwrap().contains(place), "{told}");
        // What was found needs no hint, and neither does a text that has no comma.
        let first = service.get("/api/articles?fields=slug").await.ok();
        let slug = first.items()[0]["slug"].as_str().unwrap().to_owned();
        for query in [
            "filters[slug][$in]=nothing",
            "filters[title]=a,b",
            "filters[title][$contains]=no,no",
            &format!("filters[slug][$in][]={slug}&filters[slug][$in][]=a,b"),
            &format!("filters[slug][$in][]={slug}&filters[slug][$in][]=a,b&pagination[page]=9"),
        ] {
            assert_eq!(hints(query).await, None, "{query}");
        }
        let body = json!({ "filters": { "slug": { "$in": ["no-a,no-b"] } } });
        let reply = service.post_query("/api/articles", &body).await.ok();
        assert!(reply.meta()["hints"][0].is_string());
    });
}

/// Rules d9, d28, d151.
#[test]
fn a_comma_in_a_number_is_explained_by_the_error() {
    on_each_database(async |service| {
        for (query, code, right) in [
            (
                "filters[id][$in]=1,2",
                "filter_wrong_value",
                "filters[id][$in][]=1&filters[id][$in][]=2",
            ),
            (
                "filters[views][$between]=1,5",
                "filter_wrong_number_of_values",
                "filters[views][$between][]=1&filters[views][$between][]=5",
            ),
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await;
            assert_eq!(reply.error_code(400), code);
            let message = reply.error(400)["message"].to_string();
            assert!(message.contains(right), "{message}");
        }
    });
}
