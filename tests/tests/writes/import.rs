//! New records from a file, all of them or none (d119).

use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::Request;
use futures_util::stream;
use listing::Context;
use listing_axum::events::Events;
use listing_axum::{
    Access, Api, ApiError, Change, Committed, Denied, Operation, Resource, WritableResource, policy,
};
use listing_tests::{Client, Reply, on_each_database, on_each_fresh_database};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::plans::{
    App, Entity, PlanPayload, Planned, complete, create, on_each_fresh_planned, on_each_planned,
    plan,
};

/// Plans that come from files.
pub(crate) struct Imported;

impl Resource for Imported {
    type Entity = Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        match access.context().get::<Forbidden>() {
            Some(Forbidden(operation)) if *operation == access.operation() => {
                Err(Denied::Forbidden)
            }
            _ => policy::allow_all(),
        }
    }

    fn segment() -> &'static str {
        "imported"
    }
}

impl WritableResource for Imported {
    type Store = PlanPayload;
    type Update = PlanPayload;

    const IMPORT: bool = true;

    fn events() -> Option<Events<Self>> {
        Some(Events::new())
    }

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        if change.record.note.try_as_ref() == Some(&Some("asks".to_owned())) {
            change.db().execute_unprepared("SELECT 1").await?;
        }
        Ok(())
    }
}

/// The same, which is told of each record.
struct Told;

impl Resource for Told {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }

    fn segment() -> &'static str {
        "told"
    }
}

impl WritableResource for Told {
    type Store = PlanPayload;
    type Update = PlanPayload;

    const IMPORT: bool = true;

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        Ok(())
    }

    async fn after_commit(committed: Committed<Self>) {
        let diary = committed.context.get::<Diary>().unwrap();
        diary.0.lock().unwrap().push(committed.id.to_string());
    }
}

#[derive(Debug, Clone, Default)]
struct Diary(Arc<Mutex<Vec<String>>>);

/// What a caller may not do.
#[derive(Debug)]
pub(crate) struct Forbidden(pub(crate) Operation);

pub(crate) const IMPORT: &str = "/api/imported/_import";

pub(crate) fn client(planned: &Planned, owner: &str) -> Client {
    client_with(planned, owner, Context::new())
}

pub(crate) fn client_with(planned: &Planned, owner: &str, context: Context) -> Client {
    let api = Api::<App>::new("/api").crud::<Imported>().crud::<Told>();
    planned.client_of(api, owner, context)
}

pub(crate) async fn send(client: &Client, path: &str, kind: &str, file: impl Into<Body>) -> Reply {
    let request = Request::builder().method("POST").uri(path);
    let request = request.header("content-type", kind).body(file.into());
    client.send(request.unwrap()).await
}

pub(crate) const NDJSON: &str = "application/x-ndjson";

pub(crate) fn lines(plans: impl IntoIterator<Item = Value>) -> String {
    plans.into_iter().map(|plan| format!("{plan}\n")).collect()
}

const HEADINGS: &str = "name,note,first,last,price,day,hour,moment,stage,settings";

fn row(name: &str, note: &str) -> String {
    format!(
        "{name},{note},1,5,12.50,2024-05-31,12:30:00,2024-05-31T12:00:00Z,done,\"{{\"\"a\"\":1}}\"\r\n"
    )
}

pub(crate) async fn names(planned: &Planned, owner: &str) -> Vec<String> {
    let mut plans = planned.plans_of(owner).await;
    plans.sort_by_key(|plan| plan.id);
    plans.into_iter().map(|plan| plan.name).collect()
}

/// Rules d119, b1021, b1022.
#[test]
fn files_of_both_formats_create_the_records_that_their_rows_are() {
    on_each_planned(async |planned| {
        let owner = "importing";
        let client = client(planned, owner);
        let file = format!(
            "\u{feff}{HEADINGS},id,unknown,owner.name\r\n{}{}\r\n{}",
            row("one", "").replace("\r\n", ",7,x,y\r\n"),
            row("\"two, \"\"2\"\"\"", "\"\"").replace("\r\n", ",,,\r\n"),
            row("'=three", "'x").replace("\r\n", ",,,"),
        );
        let reply = send(&client, IMPORT, "text/csv; charset=utf-8", file)
            .await
            .ok();
        assert_eq!(
            reply.json(),
            json!({
                "message": "Plans imported.",
                "data": { "count": 3, "dryRun": false },
                "meta": { "code": 200, "message": "Plans imported." },
            })
        );
        let mut plans = planned.plans_of(owner).await;
        plans.sort_by_key(|plan| plan.id);
        let notes: Vec<_> = plans.iter().map(|plan| plan.note.as_deref()).collect();
        assert_eq!(notes, [None, Some(""), Some("'x")]);
        assert_eq!(names(planned, owner).await, ["one", "two, \"2\"", "=three"]);
        assert_eq!(plans[0].price, "12.5".parse().unwrap());
        assert_eq!(plans[0].settings, Some(json!({ "a": 1 })));
        // `'` stays where the file was written without it.
        let file = format!("{HEADINGS}\n{}", row("'=kept", "x").replace(',', "\t"));
        let file = file.replace(',', "\t");
        let path = format!("{IMPORT}?delimiter=tab&formulas=keep");
        let _ = send(&client, &path, "text/csv", file).await.ok();
        // Lines of JSON take what a list shows, too.
        let mut shown = plan("five");
        shown["id"] = 7.into();
        shown["visits"] = 7.into();
        let file = format!("\n{}\r\n{shown}", plan("four"));
        for kind in [NDJSON, "application/ndjson", "application/jsonl"] {
            let file = file
                .replace("four", kind)
                .replace("five", &format!("{kind} 2"));
            let _ = send(&client, IMPORT, kind, file).await.ok();
        }
        let all = names(planned, owner).await;
        assert_eq!(all[3], "'=kept");
        assert_eq!(all.len(), 10);
        let empty = send(&client, IMPORT, NDJSON, "").await.ok();
        assert_eq!(empty.json()["data"]["count"], 0);
    });
}

/// Rules d119, b1021.
#[test]
fn what_is_wrong_is_told_by_row_and_field_and_nothing_is_written() {
    on_each_planned(async |planned| {
        let owner = "import-wrong";
        let client = client(planned, owner);
        let taken = create(&planned.client(owner), "import taken").await;
        let file = format!(
            "{HEADINGS}\n{}{}{}too,few\n{}{}{}{}",
            row("import right", "x"),
            row("\"\"", "x").replace(",1,5,", ",one,,"),
            row("import taken", "x"),
            row("import right", "x"),
            row("import long", &"x".repeat(41)),
            row("asking", "asks").replace("12.50", "1.23456"),
            row("import json", "x").replace(":1}", ":1,}"),
        );
        let reply = send(&client, IMPORT, "text/csv", file).await;
        let wrong = reply.invalid();
        let told = |place: &str, words: &str| {
            let message = format!("{place} {words}.");
            assert_eq!(wrong.get(place), Some(&vec![message]), "{wrong:?}");
        };
        told("rows.2.name", "must not be empty");
        told(
            "rows.2.first",
            "must be an integer from -2147483648 to 2147483647",
        );
        told("rows.2.last", "is required");
        told("rows.3.name", "has already been taken");
        told(
            "rows.4",
            "must have 10 values, as the first row has, and it has 2",
        );
        told("rows.5.name", "has already been taken");
        told("rows.6.note", "must have a length of at most 40");
        told(
            "rows.7.price",
            "must have at most 4 digits after the decimal point",
        );
        told("rows.8", "must have valid JSON in `settings`");
        assert_eq!(wrong.len(), 9, "{wrong:?}");
        let paths = &reply.json()["error"]["details"]["errors"];
        assert_eq!(paths[0]["path"], json!(["rows", "2", "first"]));
        // The first hundred are enough, in whichever batch they are.
        let many = (0..1_500).map(|at| match at {
            1_200.. => json!({}),
            at => plan(&format!("import {at}")),
        });
        let reply = send(&client, IMPORT, NDJSON, lines(many)).await;
        let told = reply.invalid();
        assert!((100..120).contains(&told.len()), "{}", told.len());
        assert_eq!(told["rows.1201.name"], ["rows.1201.name is required."]);
        let short = format!("name,note\n{}", "x\n".repeat(8_000));
        let reply = send(&client, IMPORT, "text/csv", short).await;
        assert_eq!(reply.invalid().len(), 100);
        // A value that is there twice, far apart.
        let many = (0..1_500).map(|at| plan(&format!("import {}", at % 1_400)));
        let reply = send(&client, IMPORT, NDJSON, lines(many)).await;
        assert_eq!(reply.invalid_fields().len(), 100);
        assert_eq!(reply.invalid_fields()[0], "rows.1401.name");
        let left = planned.plans_of(owner).await;
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].id, taken);
    });
}

/// Rules d119, b1021.
#[test]
fn a_dry_run_is_the_real_run_rolled_back() {
    on_each_planned(async |planned| {
        let owner = "import-dry";
        let diary = Diary::default();
        let client = client_with(planned, owner, Context::new().with(diary.clone()));
        let dry = "/api/told/_import?dryRun=true";
        let file = lines((0..3).map(|at| plan(&format!("dry {at}"))));
        let reply = send(&client, dry, NDJSON, file.clone()).await.ok();
        assert_eq!(reply.json()["data"], json!({ "count": 3, "dryRun": true }));
        assert!(names(planned, owner).await.is_empty());
        let _ = create(&planned.client(owner), "dry 1").await;
        let wrong = send(&client, dry, NDJSON, file.clone()).await;
        let real = send(&client, "/api/told/_import", NDJSON, file.clone()).await;
        assert_eq!(wrong.invalid_fields(), ["rows.2.name"]);
        assert_eq!(wrong.text(), real.text());
        assert!(diary.0.lock().unwrap().is_empty());
        let file = file.replace("dry", "wet");
        let _ = send(&client, "/api/told/_import", NDJSON, file).await.ok();
        let told = diary.0.lock().unwrap().len();
        assert_eq!((told, names(planned, owner).await.len()), (3, 4));
    });
}

/// Rules d119, b1020, b1021.
#[test]
fn many_rows_take_few_statements_and_events_are_written_with_them() {
    on_each_fresh_planned(async |planned| {
        let statements = Arc::new(Mutex::new(Vec::new()));
        let log = statements.clone();
        let mut db = planned.db().clone();
        db.set_metric_callback(move |info| log.lock().unwrap().push(info.statement.sql.clone()));
        let client = client(&planned.through(db), "import-many");
        let file = lines((0..2_500).map(|at| plan(&format!("many {at}"))));
        // In pieces, whose ends are anywhere.
        let pieces: Vec<_> = file.as_bytes().chunks(7_919).map(<[u8]>::to_vec).collect();
        let pieces = pieces.into_iter().map(Ok::<_, std::io::Error>);
        let body = Body::from_stream(stream::iter(pieces));
        let _ = send(&client, IMPORT, NDJSON, body).await.ok();
        assert_eq!(planned.plans_of("import-many").await.len(), 2_500);
        let count = Statement::from_string(
            planned.db().get_database_backend(),
            "SELECT COUNT(*) FROM listing_events",
        );
        let row = planned.db().query_one_raw(count).await.unwrap().unwrap();
        assert_eq!(row.try_get_by_index::<i64>(0).unwrap(), 2_500);
        let statements = statements.lock().unwrap();
        // At most four, and what begins and ends a step, for each batch.
        assert!(
            statements.len() < 30,
            "{}: {statements:#?}",
            statements.len()
        );
    });
}

/// Rules d119, b1025.
#[test]
fn a_file_that_has_not_begun_stops_no_writer_and_one_that_breaks_off_writes_nothing() {
    on_each_planned(async |planned| {
        let owner = "import-breaks";
        let client = client(planned, owner);
        let (begin, begun) = tokio::sync::oneshot::channel();
        let file = lines([plan("breaks, late")]);
        let late = stream::once(async move { begun.await.map(|()| file) });
        let import = send(&client, IMPORT, NDJSON, Body::from_stream(late));
        let write = async {
            let id = create(&planned.client(owner), "breaks, written").await;
            begin.send(()).unwrap();
            id
        };
        let (reply, id) = tokio::join!(import, write);
        let _ = reply.ok();
        // Many batches are written before the connection ends.
        let pieces = (0..4).map(|piece| match piece {
            3 => Err(std::io::Error::other("the connection ended")),
            piece => Ok(lines(
                (0..1_000).map(|at| plan(&format!("breaks {piece}.{at}"))),
            )),
        });
        let broken = Body::from_stream(stream::iter(pieces));
        let reply = send(&client, IMPORT, NDJSON, broken).await;
        assert_eq!(reply.status.as_u16(), 400);
        assert_eq!(
            names(planned, owner).await,
            ["breaks, written", "breaks, late"]
        );
        assert_eq!(
            planned
                .plans_of(owner)
                .await
                .iter()
                .filter(|plan| plan.id == id)
                .count(),
            1
        );
    });
}

/// Rules d119, d132.
#[test]
fn nothing_tells_of_a_record_that_the_importer_does_not_see() {
    on_each_planned(async |planned| {
        let _ = create(&planned.client("import-far"), "far, imported").await;
        let near = create(&planned.client("import-near"), "near, imported").await;
        let client = client(planned, "import-near");
        let answer = async |name: &str| {
            let file = lines([plan("both, imported"), plan(name)]);
            let reply = send(&client, IMPORT, NDJSON, file).await;
            assert_eq!(reply.invalid_fields(), ["rows.2.name"]);
            reply.text()
        };
        assert_eq!(
            answer("far, imported").await,
            answer("near, imported").await
        );
        assert_eq!(planned.plans_of("import-near").await[0].id, near);
    });
}

/// Rules d119, b1022.
#[test]
fn what_an_export_wrote_can_be_imported_again() {
    on_each_fresh_database(async |service| {
        let fields = "fields[]=title&fields[]=slug&fields[]=body&fields[]=is_active&fields[]=views&sort=id:asc&filters[author_id][$null]=";
        let reply = async |fields: &str| {
            let path = format!("/api/articles.csv?{fields}true");
            service.get(&path).await.ok().text()
        };
        let tricky =
            json!({ "title": "=1+1", "slug": "-formula", "body": "'=x\r\n\"", "is_active": false });
        let _ = service.post("/api/articles", &tricky).await.created();
        let exported = reply(fields).await;
        assert!(exported.contains("'=1+1"), "{exported}");
        let rows = exported.matches("\r\n").count() - 1;
        assert!(rows > 5);
        let sql = "DELETE FROM article_tags";
        service.db.execute_unprepared(sql).await.unwrap();
        for table in ["seo", "comments", "articles"] {
            let sql = format!("DELETE FROM {table}");
            service.db.execute_unprepared(&sql).await.unwrap();
        }
        let request = Request::builder()
            .method("POST")
            .uri("/api/articles/_import");
        let request = request.header("content-type", "text/csv");
        let reply_of = service
            .send(request.body(exported.clone().into()).unwrap())
            .await;
        let count = reply_of.ok().json()["data"]["count"].as_u64().unwrap();
        assert!(count > 5);
        // Without what no client sends: the key, and the number of views.
        let without = |file: &str| -> Vec<String> {
            let mut lines: Vec<_> = file
                .split("\r\n")
                .map(|line| {
                    let line = line.split_once(',').map_or("", |(_, line)| line);
                    line.rsplit_once(',')
                        .map_or("", |(line, _)| line)
                        .to_owned()
                })
                .collect();
            lines.retain(|line| !line.contains("=x"));
            lines
        };
        assert_eq!(without(&reply(fields).await), without(&exported));
    });
}

/// Rules d119, b1021.
#[test]
fn the_blog_imports_articles() {
    on_each_database(async |service| {
        let request = Request::builder()
            .method("POST")
            .uri("/api/articles/_import?dryRun=true");
        let request = request.header("content-type", "text/csv");
        let file = "title,slug,is_active,tags\r\nTea,tea-imported,TRUE,\"[1,2]\"\r\n";
        let reply = service.send(request.body(file.into()).unwrap()).await.ok();
        assert_eq!(reply.json()["message"], "Articles imported.");
        assert_eq!(reply.json()["data"], json!({ "count": 1, "dryRun": true }));
    });
}
