//! What is not exported: lists that do not say so, callers who may not, and requests for pages (d110, d111, d113).

use blog::entity::{article, author};
use listing::{Context, Settings};
use listing_axum::{
    Access, Api, App, Denied, Operation, PublicRead, Resource, ResourceRoutes, policy,
};
use listing_tests::{Client, Service, on_each_database};

/// Rules d110, b945.
#[test]
fn a_list_that_does_not_say_so_is_not_exported() {
    on_each_database(async |service| {
        for path in [
            "/api/authors.csv",
            "/api/authors.ndjson",
            "/api/authors.xlsx",
            "/api/articles.xls",
            "/api/articles/1.csv",
        ] {
            let reply = service.get(path).await;
            assert_eq!(reply.status, 404, "{path}: {}", reply.text());
        }
        let client = service.client().with_header("accept", "text/csv");
        let page = client
            .post("/api/authors/query", &serde_json::json!({}))
            .await
            .ok();
        assert!(!page.items().is_empty());
    });
}

/// Articles that everybody may read, and only callers with a pass may take away.
#[derive(Debug)]
pub(crate) struct Guarded;

pub(crate) struct Pass;

impl Resource for Guarded {
    type Entity = article::Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        match access.operation() {
            Operation::Export if access.context().get::<Pass>().is_none() => Err(Denied::Forbidden),
            _ => policy::allow_all(),
        }
    }
}

fn client(service: &Service, routes: ResourceRoutes<App>, context: &Context) -> Client {
    let api = Api::<App>::new("/api")
        .resource(routes)
        .listing::<author::Entity>();
    let (router, _) = api.finish().unwrap();
    let app = App::new(
        service.db.clone(),
        service.reads.clone(),
        service.listings.clone(),
        (),
    );
    let config = listing_axum::Config::default();
    Client::of(router.with_state(app), context, &config)
}

/// Rule d110.
#[test]
fn to_take_everything_away_is_a_right_of_its_own() {
    on_each_database(async |service| {
        let guarded = || ResourceRoutes::read::<Guarded>();
        let without = client(service, guarded(), &Context::new());
        assert_eq!(without.get("/api/articles").await.status, 200);
        for path in ["/api/articles.csv", "/api/articles.ndjson?facets=views"] {
            assert_eq!(without.get(path).await.error_code(403), "forbidden");
        }
        let by_accept = without.with_header("accept", "text/csv");
        let reply = by_accept
            .post("/api/articles/query", &serde_json::json!({}))
            .await;
        assert_eq!(reply.error_code(403), "forbidden");
        let with = client(service, guarded(), &Context::new().with(Pass));
        let reply = with.get("/api/articles.csv?pagination[limit]=1").await;
        assert_eq!(reply.status, 200);
        // The address can be taken away, and then `Accept` means nothing either.
        let closed = guarded().without(Operation::Export);
        let closed = client(service, closed, &Context::new().with(Pass));
        assert_eq!(closed.get("/api/articles.csv").await.status, 404);
        let closed = closed.with_header("accept", "text/csv");
        let page = closed
            .post("/api/articles/query", &serde_json::json!({}))
            .await
            .ok();
        assert!(!page.items().is_empty());
    });
}

/// Rules d110, b940.
#[test]
fn the_usual_policies_do_not_give_it_to_everyone_who_reads() {
    assert!(!Operation::Export.is_read());
    assert_eq!(Operation::Export.name(), "export");
    let api = Api::<App>::new("/api").read::<PublicRead<article::Entity>>();
    let (_, routes) = api.finish().unwrap();
    let names: Vec<_> = routes.iter().map(|route| route.name.as_str()).collect();
    assert_eq!(names[..2], ["articles.index", "articles.query"]);
    assert!(names.contains(&"articles.csv") && names.contains(&"articles.ndjson"));
    assert!(names.contains(&"articles.xlsx"));
    assert!(Settings::default().export_max_rows == 1_000_000);
}

/// Rules d111, d113, b941.
#[test]
fn what_a_file_cannot_have_is_refused_with_its_name() {
    on_each_database(async |service| {
        for (query, code, parameter) in [
            ("facets=is_active", "not_in_exports", "facets"),
            ("totals[views]=sum", "not_in_exports", "totals"),
            ("pagination[page]=2", "not_in_exports", "pagination[page]"),
            (
                "pagination[pageSize]=2",
                "not_in_exports",
                "pagination[pageSize]",
            ),
            ("pagination[start]=2", "not_in_exports", "pagination[start]"),
            (
                "pagination[cursor]=",
                "not_in_exports",
                "pagination[cursor]",
            ),
            (
                "pagination[withCount]=true",
                "not_in_exports",
                "pagination[withCount]",
            ),
            (
                "pagination[count]=exact",
                "not_in_exports",
                "pagination[count]",
            ),
            ("delimiter=|", "bad_export_option", "delimiter"),
            ("header=no", "bad_export_option", "header"),
            ("formulas=drop", "bad_export_option", "formulas"),
            ("bom=perhaps", "bad_boolean", "bom"),
            ("filters[titel]=x", "filter_unknown_field", "filters[titel]"),
        ] {
            for format in ["csv", "ndjson", "xlsx"] {
                let reply = service
                    .get(&format!("/api/articles.{format}?{query}"))
                    .await;
                let error = reply.error(400);
                assert_eq!(error["code"], code, "{query}");
                assert_eq!(error["details"]["parameter"], parameter, "{query}");
            }
        }
        // Lines of JSON nest them.
        for (query, parameter) in [
            ("populate=tags", "populate[tags]"),
            (
                "populate[comments][pagination][limit]=1",
                "populate[comments]",
            ),
            ("populate[author][populate]=articles", "populate[articles]"),
        ] {
            for format in ["csv", "xlsx"] {
                let path = format!("/api/articles.{format}?{query}");
                let reply = service.get(&path).await;
                let error = reply.error(400);
                assert_eq!(error["code"], "many_in_export", "{path}");
                assert_eq!(error["details"]["parameter"], parameter, "{path}");
            }
        }
        // A page does not have the parameters of a file.
        let page = service
            .get("/api/articles?header=no&delimiter=|")
            .await
            .ok();
        assert!(page.text().contains("\"ignored\""));
    });
}
