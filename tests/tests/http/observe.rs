//! What watches the service: metrics, lines of the log, `Server-Timing`; and that nothing of it is there by default.

use std::collections::BTreeSet;
use std::path::Path;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use listing_axum::config::LogFormat;
use listing_axum::{Config, Jwt, with_defaults};
use listing_tests::{Client, Engine, Service, on_each_database, run, warnings_of};
use sea_orm::{ConnectionTrait as _, TransactionTrait as _};
use serde_json::{Value, json};

use crate::probes::Log;
use crate::wire::{Connection, Server};

/// The value of a metric with these labels.
fn value(text: &str, metric: &str) -> f64 {
    let line = text
        .lines()
        .find(|line| line.split(' ').next() == Some(metric));
    let line = line.unwrap_or_else(|| panic!("{metric} is not in\n{text}"));
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

/// Rules b252, b257.
#[test]
fn nothing_is_watched_by_default() {
    on_each_database(async |service| {
        let reply = service.get("/api/articles").await.ok();
        assert_eq!(reply.header("server-timing"), None);
        assert_eq!(service.observer().metrics_text(), None);
    });
    let service = run(Service::fresh(Engine::Sqlite));
    let request = || Request::get("/api/articles").body(Body::empty()).unwrap();
    let lines = logged(&service, request);
    assert!(lines.iter().all(|line| line["message"] != "request"));
}

/// Rule b257.
#[test]
fn metrics_are_by_route_name_and_status() {
    on_each_database(async |service| {
        let service = service.with_config(|config| config.metrics_bind = "127.0.0.1:0".into());
        let observer = service.observer();
        let client = Client::at(service.observed(&observer));
        for path in [
            "/api/articles?populate=author",
            "/api/articles?fields=nothing",
            "/api/articles?filters[nothing]=1",
            "/api/articles/1",
            "/api/articles/0",
            "/made/up",
            "/made/up/again",
        ] {
            let _ = client.get(path).await;
        }
        let _ = client.bare("HEAD", "/api/articles").await;
        for method in ["BREW", "WHEN"] {
            let _ = client.bare(method, "/api/articles").await;
        }
        let text = observer.metrics_text().unwrap();
        let requests = |route: &str, method: &str, status: u16| {
            let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
            value(&text, &format!("listing_http_requests_total{{{labels}}}"))
        };
        assert_eq!(requests("articles.index", "GET", 200), 2.0);
        assert_eq!(requests("articles.index", "HEAD", 200), 1.0);
        assert_eq!(requests("articles.index", "GET", 400), 1.0);
        assert_eq!(requests("articles.show", "GET", 200), 1.0);
        assert_eq!(requests("articles.show", "GET", 404), 1.0);
        // However many paths clients make up, they are one.
        assert_eq!(requests("unmatched", "GET", 404), 2.0);
        assert_eq!(requests("/api/articles", "other", 405), 2.0);
        assert_eq!(value(&text, "listing_ignored_names_total"), 1.0);
        let durations = "listing_http_request_duration_seconds_count{route=\"articles.index\"}";
        assert_eq!(value(&text, durations), 4.0);
        // Refused requests get as far as the check.
        for (stage, count) in [("request", 4.0), ("execute", 3.0), ("envelope", 3.0)] {
            let metric = format!("listing_stage_duration_seconds_count{{stage=\"{stage}\"}}");
            assert_eq!(value(&text, &metric), count, "{stage}");
        }
        assert!(value(&text, "listing_statement_duration_seconds_count") >= 5.0);
        assert!(value(&text, "listing_statements_total") >= 5.0);
        assert_eq!(value(&text, "listing_http_requests_in_flight"), 0.0);
        assert!(value(&text, "listing_pool_connections") >= 1.0);
        assert!(text.ends_with("# EOF\n"));
    });
}

/// Rule b257.
#[test]
fn metrics_are_answered_at_an_address_of_their_own_and_nowhere_else() {
    run(async {
        let service = Service::fresh(Engine::Sqlite).await;
        let service = service.with_config(|config| config.metrics_bind = "127.0.0.1:0".into());
        let observer = service.observer();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let served = tokio::spawn(observer.clone().serve_metrics_on(listener));
        let server = Server::start(service.observed(&observer)).await;
        let request = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: blog\r\n\r\n");
        assert_eq!(server.ask(request("/metrics")).await.status, 404);
        let metrics = crate::wire::ask_at(address, request("/metrics")).await;
        assert_eq!(metrics.status, 200);
        assert!(
            metrics
                .header("content-type")
                .unwrap()
                .starts_with("application/openmetrics-text")
        );
        assert!(
            metrics
                .text()
                .contains("listing_http_requests_total{route=\"unmatched\"")
        );
        let elsewhere = crate::wire::ask_at(address, request("/api/articles")).await;
        assert_eq!(elsewhere.status, 404);
        served.abort();
    });
}

/// Rule b623.
#[test]
fn the_listener_of_metrics_has_the_limits_of_the_service() {
    run(async {
        let service = Service::fresh(Engine::Sqlite).await;
        let service = service.with_config(|config| {
            config.metrics_bind = "127.0.0.1:0".into();
            config.http.header_timeout_seconds = 1;
            config.http.max_connections = 3;
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let served = tokio::spawn(service.observer().serve_metrics_on(listener));
        let half = "GET /metrics HTTP/1.1\r\nhost: bl";
        let mut held = Vec::new();
        for _ in 0..20 {
            let mut connection = Connection::to(address).await;
            connection.send(half).await;
            held.push(connection);
            let request = "GET /metrics HTTP/1.1\r\nhost: blog\r\n\r\n";
            assert_eq!(crate::wire::ask_at(address, request).await.status, 200);
        }
        for connection in &mut held {
            assert!(connection.is_at_end().await);
        }
        served.abort();
    });
}

/// Rule b257.
#[test]
fn the_dashboard_asks_for_metrics_that_exist() {
    run(async {
        let service = Service::fresh(Engine::Sqlite).await;
        let service = service.with_config(|config| config.metrics_bind = "127.0.0.1:0".into());
        let observer = service.observer();
        let client = Client::at(service.observed(&observer));
        let _ = client.get("/api/articles").await.ok();
        let text = observer.metrics_text().unwrap();
        let exist: BTreeSet<_> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split(['{', ' ']).next())
            .collect();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/grafana.json");
        let dashboard = std::fs::read_to_string(file).unwrap();
        let dashboard: Value = serde_json::from_str(&dashboard).unwrap();
        let mut asked = BTreeSet::new();
        for panel in dashboard["panels"].as_array().unwrap() {
            for target in panel["targets"].as_array().unwrap() {
                let query = target["expr"].as_str().unwrap();
                let names = query.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
                for name in names.filter(|name| name.starts_with("listing_")) {
                    assert!(exist.contains(name), "{name} in {query}");
                    asked.insert(name.to_owned());
                }
            }
        }
        let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
        for name in types.filter_map(|line| line.split(' ').next()) {
            let shown = asked.iter().any(|asked| asked.starts_with(name));
            assert!(shown, "no panel shows {name}");
        }
    });
}

/// Rule b252.
#[test]
fn server_timing_tells_where_the_time_went() {
    on_each_database(async |service| {
        let service = service.with_config(|config| config.http.server_timing = true);
        let reply = service.get("/api/articles?populate=author").await.ok();
        let timing = reply.header("server-timing").unwrap().to_owned();
        for part in [
            "request;dur=",
            "check;dur=",
            "plan;dur=",
            "sql;dur=",
            "execute;dur=",
            "envelope;dur=",
            "db;dur=",
            "total;dur=",
        ] {
            assert!(timing.contains(part), "{part} in {timing}");
        }
        let reply = service.get("/api/articles?filters[nothing]=1").await;
        let timing = reply.header("server-timing").unwrap().to_owned();
        assert!(
            timing.contains("request;") && !timing.contains("execute;"),
            "{timing}"
        );
    });
}

/// Rule b257.
#[test]
fn metrics_that_nothing_serves_are_reported() {
    let warned = |bind: &str| {
        let config = Config::from_parts("", &format!("metrics_bind = \"{bind}\""), []).unwrap();
        let (_, log) = run(warnings_of(async { with_defaults(Router::new(), &config) }));
        log
    };
    assert!(warned("127.0.0.1:0").contains("nothing answers at `metrics_bind`"));
    assert_eq!(warned(""), "");
}

/// What is logged while the service answers, as lines of JSON.
fn logged(service: &Service, request: impl Fn() -> Request<Body>) -> Vec<Value> {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::with_default(subscriber, || run(service.send(request())));
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let lines = log.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

fn line<'l>(lines: &'l [Value], message: &str) -> &'l Value {
    let line = lines.iter().find(|line| line["message"] == message);
    line.unwrap_or_else(|| panic!("no line `{message}` in {lines:?}"))
}

/// Rule b258.
#[test]
fn a_line_of_json_tells_id_route_caller_statements_and_times() {
    let secret = "a secret of at least 32 characters";
    let config = format!("[jwt]\nsecret = \"{secret}\"");
    let config = Config::from_parts("listing.toml", &config, []).unwrap();
    let claims = json!({ "sub": "7", "exp": 4_000_000_000_u64 });
    let key = EncodingKey::from_secret(secret.as_bytes());
    let token = encode(&Header::new(Algorithm::HS256), &claims, &key).unwrap();
    for engine in Engine::ALL {
        let service = run(Service::fresh(engine));
        let service = service
            .with_config(|config| config.log.format = LogFormat::Json)
            .with_jwt(Jwt::new(&config.jwt).unwrap());
        let lines = logged(&service, || {
            Request::get("/api/articles?populate=author")
                .header("x-request-id", "mine")
                .header("authorization", format!("Bearer {token}"))
                .body(Body::empty())
                .unwrap()
        });
        let line = line(&lines, "request");
        assert_eq!(line["span"]["id"], "mine");
        assert_eq!(
            (&line["method"], &line["status"]),
            (&"GET".into(), &200.into())
        );
        assert_eq!(line["route"], "/api/articles");
        assert_eq!(line["path"], "/api/articles");
        assert_eq!(line["query"], "populate=author");
        assert_eq!(line["caller"], "7");
        assert!(line["statements"].as_u64().unwrap() >= 2, "{line}");
        assert!(line["duration_ms"].as_f64().unwrap() > 0.0);
        assert!(line["database_ms"].as_f64().unwrap() > 0.0);
    }
}

/// Rule b258.
#[test]
fn a_statement_that_was_still_running_when_its_request_timed_out_is_logged() {
    let service = run(Service::fresh(Engine::Postgres));
    let service = service.with_config(|config| {
        config.log.format = LogFormat::Json;
        config.log.slow_request_ms = 100;
        config.request_timeout_seconds = 1;
    });
    let held = run(async {
        let held = service.db.begin().await.unwrap();
        held.execute_unprepared("LOCK TABLE tags").await.unwrap();
        held
    });
    let lines = logged(&service, || {
        Request::get("/api/tags").body(Body::empty()).unwrap()
    });
    run(held.rollback()).unwrap();
    let request = line(&lines, "request");
    assert_eq!(
        (&request["level"], &request["status"]),
        (&"ERROR".into(), &504.into())
    );
    assert!(
        request["database_ms"].as_f64().unwrap() > 500.0,
        "{request}"
    );
    let slow = line(&lines, "slow request")["statements"].as_str().unwrap();
    assert!(slow.contains(" ms, cancelled] SELECT"), "{slow}");
}

/// Rule b258.
#[test]
fn a_request_has_one_line_whatever_the_format() {
    let service = run(Service::fresh(Engine::Sqlite));
    let lines = |change: fn(&mut Config)| {
        let service = service.with_config(|config| {
            config.log.slow_request_ms = 60_000;
            change(config);
        });
        let lines = logged(&service, || {
            Request::get("/api/tags").body(Body::empty()).unwrap()
        });
        let message = |line: &Value| line["message"].as_str().map(str::to_owned);
        lines.iter().filter_map(message).collect::<Vec<_>>()
    };
    assert_eq!(lines(|_| {}), ["answered"]);
    assert_eq!(
        lines(|config| config.log.format = LogFormat::Json),
        ["request"]
    );
    // In overload there is no time to write a line for each.
    let shed = lines(|config| {
        config.log.format = LogFormat::Json;
        config.http.max_requests = 0;
        config.http.max_waiting_requests = 0;
    });
    assert!(!shed.contains(&"request".to_owned()), "{shed:?}");
}

/// Takes longer than a millisecond to arrive.
fn slow_body() -> Body {
    Body::from_stream(futures_util::stream::once(async {
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        Ok::<_, std::io::Error>("{}")
    }))
}

/// Rules b253, b258.
#[test]
fn a_slow_request_is_logged_with_its_sql_and_without_values() {
    let service = run(Service::fresh(Engine::Sqlite));
    let query = "/api/articles?filters%5Btitle%5D=hunter2&sort=views:desc";
    let request = || Request::get(query).body(Body::empty()).unwrap();
    let quick = service.with_config(|config| config.log.slow_request_ms = 60_000);
    let lines = logged(&quick, request);
    assert!(lines.iter().all(|line| line["message"] != "slow request"));
    let slow = service.with_config(|config| config.log.slow_request_ms = 1);
    let request = || Request::get(query).body(slow_body()).unwrap();
    let lines = logged(&slow, request);
    let told = line(&lines, "slow request").to_string();
    assert!(
        told.contains("SELECT") && told.contains("sort=views:desc"),
        "{told}"
    );
    assert!(!told.contains("hunter2"), "{told}");
    let telling = slow.with_config(|config| config.log.values = true);
    let lines = logged(&telling, request);
    let told = line(&lines, "slow request").clone();
    assert!(
        told["query"].as_str().unwrap().contains("hunter2"),
        "{told}"
    );
    assert!(
        told["statements"].as_str().unwrap().contains("hunter2"),
        "{told}"
    );
}

/// Rule b253.
#[test]
fn a_line_in_json_has_no_values_of_clients_and_one_for_people_has_the_url() {
    let service = run(Service::fresh(Engine::Sqlite));
    let request = || {
        Request::get("/api/articles?filters%5Btitle%5D=hunter2")
            .body(Body::empty())
            .unwrap()
    };
    let text = logged(&service, request);
    let told = line(&text, "answered");
    assert_eq!(told["method"], "GET");
    assert_eq!(told["uri"], "/api/articles?filters%5Btitle%5D=hunter2");
    let json = service.with_config(|config| config.log.format = LogFormat::Json);
    for line in logged(&json, request) {
        assert!(!line.to_string().contains("hunter2"), "{line}");
    }
}

/// Rule b254.
#[test]
fn a_long_request_id_and_a_long_path_make_no_long_line() {
    let service = run(Service::fresh(Engine::Sqlite));
    let service = service.with_config(|config| config.log.format = LogFormat::Json);
    let long = "a".repeat(30_000);
    let request = || {
        Request::get(format!("/api/articles/{long}?{long}&x=1"))
            .header("x-request-id", &long)
            .body(Body::empty())
            .unwrap()
    };
    let is_cut = |line: &Value, name: &str| {
        let text = line[name].as_str().unwrap();
        assert!(text.len() < 2_100 && text.ends_with("bytes)"), "{name}");
    };
    let lines = logged(&service, request);
    let json = line(&lines, "request");
    is_cut(json, "path");
    is_cut(json, "query");
    let id = json["span"]["id"].as_str().unwrap();
    assert!(uuid::Uuid::parse_str(id).is_ok(), "{id}");
    let service = service.with_config(|config| config.log.format = LogFormat::Text);
    is_cut(line(&logged(&service, request), "answered"), "uri");
}

/// Rule b254.
#[test]
fn a_long_path_makes_no_long_line_about_a_slow_request() {
    let service = run(Service::fresh(Engine::Sqlite));
    let service = service.with_config(|config| config.log.slow_request_ms = 1);
    let path = format!("/api/articles/{}", "a".repeat(30_000));
    let lines = logged(&service, || {
        Request::put(&path)
            .header("content-type", "application/json")
            .body(slow_body())
            .unwrap()
    });
    let line = line(&lines, "slow request");
    assert!(line.to_string().len() < 8_000, "{}", line.to_string().len());
    assert!(line["path"].as_str().unwrap().ends_with("bytes)"));
}
