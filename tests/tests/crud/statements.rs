//! How many statements each endpoint runs, compared with `docs/statements.md`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::http::Request;
use blog::listings::CurrentUser;
use blog::migration::Migrator;
use listing::{Context, Settings};
use listing_tests::{Engine, Service, fresh_database, on_each, run};
use sea_orm::ConnectionTrait;
use sea_orm_migration::MigratorTrait;
use serde_json::Value;

use crate::articles::{PATH, payload, payload_with};

const DOCUMENT: &str = include_str!("../../../docs/statements.md");

/// A service that remembers its statements.
struct Counted {
    service: Service,
    statements: Arc<Mutex<Vec<String>>>,
}

impl Counted {
    fn new(service: &Service) -> Self {
        let statements = Arc::new(Mutex::new(Vec::new()));
        let mut service = service.clone();
        let log = statements.clone();
        service
            .db
            .set_metric_callback(move |info| log.lock().unwrap().push(info.statement.sql.clone()));
        Self {
            // SeaORM alone counts; the other readers run each statement that they are given once.
            service: service.through_seaorm(),
            statements,
        }
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.statements.lock().unwrap())
    }
}

/// One line of the document: a request, what there is about it, and the status it must have for the number to mean
/// anything.
struct Case {
    request: &'static str,
    about: &'static str,
    status: u16,
    signed_in: bool,
    body: Option<fn(&str, &str) -> Value>,
}

const fn case(request: &'static str, about: &'static str, status: u16) -> Case {
    Case {
        request,
        about,
        status,
        signed_in: false,
        body: None,
    }
}

fn whole(slug: &str, body: &str) -> Value {
    payload_with(slug, "body", body)
}

fn some(_: &str, body: &str) -> Value {
    serde_json::json!({ "body": body })
}

fn broken(slug: &str, body: &str) -> Value {
    let mut payload = payload_with(slug, "body", body);
    payload["title"] = Value::Null;
    payload
}

/// The slug of the record that is there.
fn taken(slug: &str, body: &str) -> Value {
    whole(slug.trim_end_matches("-new"), body)
}

fn cases() -> Vec<Case> {
    let with_body = |case: Case, body: fn(&str, &str) -> Value| Case {
        body: Some(body),
        ..case
    };
    let one_relation = "GET /api/articles?populate=author";
    vec![
        case("GET /api/articles", "", 200),
        case("GET /api/articles?pagination[withCount]=false", "", 200),
        case("GET /api/articles?pagination[cursor]=", "", 200),
        case(one_relation, "", 200),
        case(
            "GET /api/articles?populate=author,comments,tags,seo",
            "",
            200,
        ),
        case(
            "GET /api/articles?filters[author_id][$in][]=1&filters[author_id][$in][]=2",
            "",
            200,
        ),
        Case {
            signed_in: true,
            ..case("GET /api/articles", "signed in", 200)
        },
        case("GET /api/comments", "", 200),
        case("GET /api/authors", "", 200),
        case("GET /api/tags", "", 200),
        case("GET /api/articles?filters[nothing]=1", "refused", 400),
        case("GET /api/articles/{id}", "", 200),
        case("GET /api/articles/{id}", "`If-None-Match`", 304),
        case("GET /api/articles/{absent}", "absent", 404),
        case("GET /api/articles/no-id", "no id", 404),
        case("GET /api/authors/{author}", "", 200),
        with_body(case("POST /api/articles", "", 201), whole),
        Case {
            signed_in: true,
            ..with_body(case("POST /api/articles", "signed in", 201), whole)
        },
        with_body(case("POST /api/articles", "invalid", 422), broken),
        with_body(case("POST /api/articles", "taken", 422), taken),
        with_body(case("PUT /api/articles/{id}", "", 200), whole),
        with_body(case("PUT /api/articles/{id}", "`If-Match`", 200), whole),
        with_body(case("PUT /api/articles/{id}", "`Prefer`", 200), whole),
        with_body(case("PUT /api/articles/{id}", "stale", 412), whole),
        with_body(case("PUT /api/articles/{id}", "invalid", 422), broken),
        with_body(case("PUT /api/articles/{absent}", "absent", 404), whole),
        with_body(case("PATCH /api/articles/{id}", "", 200), whole),
        with_body(
            case("PATCH /api/articles/{id}", "without `slug`", 200),
            some,
        ),
        case("DELETE /api/articles/{id}", "", 200),
        case("DELETE /api/articles/{id}", "`If-Match`", 200),
        case("DELETE /api/articles/{id}?force=true", "", 200),
        case("POST /api/articles/{deleted}/restore", "", 200),
        case("GET /api/articles/{id}/_history", "", 200),
    ]
}

/// Rules d45, d53, b143, b1220, b1240, b1241.
#[test]
fn every_endpoint_takes_the_documented_number_of_statements_whatever_the_size() {
    let documented = documented();
    let cases = cases();
    let names: Vec<_> = cases
        .iter()
        .map(|case| (case.request, case.about))
        .collect();
    let lines: Vec<_> = documented
        .keys()
        .map(|(request, about)| (&**request, &**about))
        .collect();
    for name in &names {
        assert!(
            lines.contains(name),
            "docs/statements.md has no line for {name:?}"
        );
    }
    assert_eq!(
        names.len(),
        lines.len(),
        "docs/statements.md has other lines: {lines:?}"
    );

    on_each(|engine| {
        let demo = run(Service::fresh(engine));
        let small = run(async {
            let db = fresh_database(engine).await;
            Migrator::up(&db, None).await.unwrap();
            let service = Service::on(engine, db, Settings::default()).await;
            add_one_each(&service).await;
            service
        });
        for (service, size, text) in [
            (&small, "small", "x".to_owned()),
            (&demo, "demo", "x".repeat(500_000)),
        ] {
            // As the service does when it starts.
            run(service.listings.inspect_indexes(&service.db)).unwrap();
            let counted = Counted::new(service);
            for (number, case) in cases.iter().enumerate() {
                let statements = run(measure(service, &counted, case, number, &text));
                let (others, on_postgres) =
                    documented[&(case.request.to_owned(), case.about.to_owned())];
                let expected = match engine {
                    Engine::Postgres => on_postgres,
                    _ => others,
                };
                let what = format!("{} {} on {engine}, {size}", case.request, case.about);
                assert_eq!(statements.len(), expected, "{what}: {statements:#?}");
            }
        }
    });
}

/// An author, with an article and a comment: a page without parents needs no children.
async fn add_one_each(service: &Service) {
    let article = service.post(PATH, &payload("first")).await.created();
    for sql in [
        "INSERT INTO authors (id, name, email, country, created_at) \
         VALUES (1, 'Only one', 'one@example.org', 'DE', '2026-01-02 03:04:05')"
            .to_owned(),
        format!("UPDATE articles SET author_id = 1 WHERE id = {article}"),
        format!(
            "INSERT INTO comments (article_id, author_name, body, created_at) \
             VALUES ({article}, 'Reader', 'Yes.', '2026-01-02 03:04:05')"
        ),
    ] {
        service.db.execute_unprepared(&sql).await.unwrap();
    }
}

/// The statements of one request, on a record of its own.
async fn measure(
    service: &Service,
    counted: &Counted,
    case: &Case,
    number: usize,
    text: &str,
) -> Vec<String> {
    let slug = format!("counted-{number}");
    let id = service.post(PATH, &payload(&slug)).await.created();
    let path = format!("{PATH}/{id}");
    let shown = service.get(&path).await.ok();
    let tag = shown.header("etag").unwrap().to_owned();
    let (method, target) = case.request.split_once(' ').unwrap();
    if target.contains("{deleted}") {
        let _ = service.delete(&path).await.ok();
    }
    let target = target
        .replace("{id}", &id.to_string())
        .replace("{deleted}", &id.to_string())
        .replace("{absent}", "987654321")
        .replace("{author}", "1");
    let mut request = Request::builder().method(method).uri(target);
    request = match case.about {
        "`If-Match`" => request.header("if-match", &tag),
        "`If-None-Match`" => request.header("if-none-match", &tag),
        "stale" => request.header("if-match", "\"0\""),
        "`Prefer`" => request.header("prefer", "return=representation"),
        _ => request,
    };
    let request = match case.body {
        Some(body) => request
            .header("content-type", "application/json")
            .body(body(&format!("{slug}-new"), text).to_string().into()),
        None => request.body(axum::body::Body::empty()),
    };
    let context = if case.signed_in {
        Context::new().with(CurrentUser { author_id: 1 })
    } else {
        Context::new()
    };
    counted.take();
    let asked = counted.service.with_context(context);
    let reply = asked.send(request.unwrap()).await;
    assert_eq!(
        reply.status.as_u16(),
        case.status,
        "{}: {}",
        case.request,
        reply.text()
    );
    counted.take()
}

/// The lines of the document's table: request, what there is about it, the number, and the number on PostgreSQL.
fn documented() -> BTreeMap<(String, String), (usize, usize)> {
    let lines = DOCUMENT.lines().filter_map(|line| {
        let cells: Vec<_> = line
            .strip_prefix("| `")?
            .split('|')
            .map(str::trim)
            .collect();
        let request = cells.first()?.strip_suffix('`')?;
        let numbers = cells.get(2)?.trim_end_matches(')');
        let (others, on_postgres) = numbers.split_once(" (").unwrap_or((numbers, numbers));
        Some((
            (request.to_owned(), cells[1].to_owned()),
            (others.parse().ok()?, on_postgres.parse().ok()?),
        ))
    });
    lines.collect()
}
