//! The header `Listing-Position`: who gets it, and what is said of one that is wrong.

use axum::http::header;
use listing_axum::config::Secret;
use listing_tests::{Engine, Service, run};
use sea_orm::{ConnectionTrait, TransactionTrait};

use crate::servers::{article, on_each_replicated, position};

/// Rule b1134.
#[test]
fn a_header_that_holds_no_position_is_refused_by_name() {
    on_each_replicated(async |servers| {
        let service = servers.service().await;
        for wrong in ["x", "pg.1.1", "0/16B374D8", "primary;", "gtid.0-1"] {
            let client = service.client().with_header("listing-position", wrong);
            let error = client.get("/api/articles").await.error(400);
            assert_eq!(error["code"], "wrong_position", "{wrong}");
            let message = error["message"].as_str().unwrap();
            assert!(message.contains("`Listing-Position`"), "{message}");
        }
        let many = ["primary"; 3].join(",")
            + &(0..65)
                .map(|at| format!(",pg.1.1.{at:x}"))
                .collect::<String>();
        let client = service.client().with_header("listing-position", &many);
        assert_eq!(
            client.get("/api/articles").await.error_code(400),
            "wrong_position"
        );
    });
}

/// Rule b1135.
#[test]
fn a_position_of_another_history_or_cluster_is_read_on_the_primary() {
    on_each_replicated(async |servers| {
        let service = servers.service().await;
        let own = position(&service.post("/api/articles", &article("Other")).await);
        let mut others = vec![
            "primary".to_owned(),
            "pg.1.1.1".to_owned(),
            "gtid.77-1-1".to_owned(),
        ];
        if servers.engine == Engine::Postgres {
            let parts: Vec<_> = own.split('.').collect();
            others.push(format!("pg.{}.9.{}", parts[1], parts[3]));
            others.push(format!("pg.{}.{}.ffffffffffffffff", parts[1], parts[2]));
        }
        for other in others {
            let client = service.client().with_header("listing-position", &other);
            let found = client
                .get("/api/articles?filters[slug][$eq]=other")
                .await
                .ok();
            assert_eq!(found.items().len(), 1, "{other}");
            assert!(!position(&found).contains("primary"), "{other}");
        }
    });
}

/// Rule b1134.
#[test]
fn writes_tell_a_position_and_reads_that_bring_one() {
    on_each_replicated(async |servers| {
        let service = servers.service().await;
        let plain = service.get("/api/articles").await.ok();
        assert!(!plain.headers.contains_key("listing-position"));
        let article = article("Told");
        let told = position(&service.post("/api/articles", &article).await);
        // What was refused has written nothing.
        let refused = service.post("/api/articles", &article).await;
        refused.invalid();
        assert!(!refused.headers.contains_key("listing-position"));
        let client = service.client().with_header("listing-position", &told);
        let query = client.json("POST", "/api/tags/query", "{}").await.ok();
        position(&query);
        for path in [
            "/api/tags",
            "/api/tags/999999",
            "/api/articles.csv",
            "/api/articles/_facets?facets=author_id",
        ] {
            position(&client.get(path).await);
        }
        // A page that the client has already is told with a position, too.
        let tag = client.get("/api/tags").await.headers[header::ETAG]
            .to_str()
            .unwrap()
            .to_owned();
        let unchanged = client
            .with_header("if-none-match", &tag)
            .get("/api/tags")
            .await;
        assert_eq!(unchanged.status, 304);
        position(&unchanged);
    });
}

/// Rule b1139.
#[test]
fn a_cookie_carries_the_position_of_a_write_where_that_is_configured() {
    on_each_replicated(async |servers| {
        let plain = servers.service().await;
        let stored = plain.post("/api/articles", &article("Plain")).await;
        assert!(!stored.headers.contains_key(header::SET_COOKIE));
        let service = plain.with_config(|config| config.http.position_cookie = true);
        for replica in 0..servers.replicas.len() {
            servers.stand_still(replica).await;
        }
        let stored = service.post("/api/articles", &article("Baked")).await;
        let cookie = stored.headers[header::SET_COOKIE].to_str().unwrap();
        let (pair, attributes) = cookie.split_once("; ").unwrap();
        assert_eq!(pair, format!("listing_position={}", position(&stored)));
        assert_eq!(attributes, "Max-Age=60; Path=/; HttpOnly; SameSite=Lax");
        let list = "/api/articles?filters[slug][$eq]=baked";
        let sent = |service: &Service, cookie: &str| {
            let client = service.client().with_header("cookie", cookie);
            async move { client.get(list).await.ok() }
        };
        for cookie in [
            format!("theme=dark; {pair}"),
            "listing_position=x".to_owned(),
        ] {
            let found = sent(&service, &cookie).await;
            assert_eq!(found.items().len(), 1, "{cookie}");
            // A read tells and sets nothing that it was not asked for.
            assert!(!found.headers.contains_key("listing-position"));
            assert!(!found.headers.contains_key(header::SET_COOKIE));
        }
        assert!(sent(&service, "theme=dark").await.items().is_empty());
        assert!(sent(&plain, pair).await.items().is_empty());
        for replica in 0..servers.replicas.len() {
            servers.go_on(replica).await;
        }
    });
}

/// Rules b1134, b1139.
#[test]
fn a_write_that_is_not_answered_in_time_is_looked_for_on_the_primary() {
    on_each_replicated(async |servers| {
        let service = servers.service().await.with_config(|config| {
            let urls = servers.replicas.iter();
            config.database_replicas = urls.map(|url| Secret::from(url.as_str())).collect();
            config.replica_max_lag_ms = 90_000;
            config.http.position_cookie = true;
            config.request_timeout_seconds = 1;
        });
        // Somebody else is about to take the slug.
        let other = service.db.begin().await.unwrap();
        let taken = "INSERT INTO articles (title, slug, is_active, created_at, updated_at) \
                     VALUES ('Slow', 'slow', TRUE, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)";
        other.execute_unprepared(taken).await.unwrap();
        let stored = service.post("/api/articles", &article("Slow")).await;
        assert_eq!(stored.status, 504);
        assert_eq!(position(&stored), "primary");
        let cookie = stored.headers[header::SET_COOKIE].to_str().unwrap();
        assert!(
            cookie.starts_with("listing_position=primary; Max-Age=91;"),
            "{cookie}"
        );
        other.rollback().await.unwrap();
        // A list that is given up has written nothing.
        let list = service.get("/api/articles?filters[nothing]=1").await;
        assert!(!list.headers.contains_key("listing-position"));
    });
}

/// Rule b1134.
#[test]
fn without_replicas_there_are_no_positions() {
    run(async {
        for engine in Engine::ALL {
            let service = Service::fresh(engine).await;
            let stored = service.post("/api/articles", &article("None")).await;
            assert!(!stored.headers.contains_key("listing-position"));
            let client = service.client().with_header("listing-position", "primary");
            let found = client.get("/api/tags").await.ok();
            assert!(!found.headers.contains_key("listing-position"));
        }
    });
}

/// Rule b1134.
#[test]
fn pages_of_other_origins_may_send_and_read_positions() {
    run(async {
        let service = Service::fresh(Engine::Sqlite).await;
        let service = service.with_config(|config| config.http.cors_origins = "*".to_owned());
        let asked = axum::http::Request::builder()
            .method("OPTIONS")
            .uri("/api/tags")
            .header("origin", "https://example.org")
            .header("access-control-request-method", "GET")
            .header("access-control-request-headers", "listing-position")
            .body(axum::body::Body::empty())
            .unwrap();
        let allowed = service.send(asked).await;
        let headers = allowed.headers["access-control-allow-headers"]
            .to_str()
            .unwrap();
        assert!(headers.contains("listing-position"), "{headers}");
        let client = service
            .client()
            .with_header("origin", "https://example.org");
        let found = client.get("/api/tags").await.ok();
        let exposed = found.headers["access-control-expose-headers"]
            .to_str()
            .unwrap();
        assert!(exposed.contains("listing-position"), "{exposed}");
    });
}
