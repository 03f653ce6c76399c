//! What keeps a file from being imported: its format, its size, and who may do so (d119).

use axum::body::Body;
use axum::http::Request;
use futures_util::stream;
use listing::{Context, Settings};
use listing_axum::{Api, Operation, ResourceRoutes};

use crate::import::{Forbidden, IMPORT, Imported, NDJSON, client, client_with, lines, names, send};
use crate::plans::{App, on_each_planned, plan};

/// Rules d119, b1022, b1024.
#[test]
fn what_is_not_a_file_to_import_is_refused() {
    on_each_planned(async |planned| {
        let owner = "import-refused";
        let client = client(planned, owner);
        let refused = async |kind: &str, query: &str, file: &str, code: &str, words: &str| {
            let path = format!("{IMPORT}{query}");
            let reply = send(&client, &path, kind, file.to_owned()).await;
            let status = if code == "unsupported_media_type" {
                415
            } else {
                400
            };
            assert_eq!(reply.error_code(status), code, "{file}");
            let message = reply.json()["message"].as_str().unwrap().to_owned();
            assert!(message.contains(words), "{message}");
        };
        let csv = async |file: &str, words: &str| {
            refused("text/csv", "", file, "malformed_body", words).await;
        };
        csv("", "The first row must name the columns").await;
        csv("x,y\n1,2\n", "The first row must name columns of the file").await;
        csv("name,name\n", "The column `name` is there twice.").await;
        csv("name\n\"x", "Line 2 is not valid CSV").await;
        let json = async |file: &str, words: &str| {
            refused(NDJSON, "", file, "malformed_body", words).await;
        };
        json("{}\n{\"a\":", "Row 2 is not valid JSON").await;
        json("{\"a\":1,\"a\":1}", "the key `a` occurs twice").await;
        json("[1]", "Row 1 must be a JSON object.").await;
        let asked = async |query: &str, words: &str| {
            refused("text/csv", query, "name\n", "wrong_import", words).await;
        };
        asked("?dryrun=true", "`dryrun` is not a parameter of an import").await;
        asked("?dryRun=maybe", "`maybe` is not a value of `dryRun`").await;
        asked("?dryRun=true&dryRun=false", "once").await;
        asked("?delimiter=x", "`x` is not a value of `delimiter`").await;
        asked("?formulas=no", "`no` is not a value of `formulas`").await;
        let delimiter = "`delimiter` is for CSV";
        refused(NDJSON, "?delimiter=tab", "", "wrong_import", delimiter).await;
        let kinds = "`text/csv` or `application/x-ndjson`";
        refused(
            "application/json",
            "",
            "[]",
            "unsupported_media_type",
            kinds,
        )
        .await;
        // Limits.
        let mut settings = Settings::default();
        settings.import_max_rows = 2;
        settings.bounds.import_bytes = 5_000;
        settings.bounds.body_bytes = 1_000;
        let narrow = crate::import::client(&planned.with_settings(settings), owner);
        let file = |count: usize| lines((0..count).map(|at| plan(&format!("narrow {at}"))));
        let reply = send(&narrow, IMPORT, NDJSON, file(3)).await;
        assert_eq!(reply.error_code(400), "too_many_records");
        let reply = send(&narrow, IMPORT, NDJSON, "\n".repeat(5_001)).await;
        assert_eq!(reply.status.as_u16(), 413);
        let piece = stream::iter([Ok::<_, std::io::Error>("\n".repeat(5_001))]);
        let reply = send(&narrow, IMPORT, NDJSON, Body::from_stream(piece)).await;
        assert_eq!(reply.status.as_u16(), 413);
        let reply = send(&narrow, IMPORT, NDJSON, " ".repeat(1_001)).await;
        assert_eq!(reply.error_code(400), "malformed_body");
        let _ = send(&narrow, IMPORT, NDJSON, file(2)).await.ok();
        assert_eq!(names(planned, owner).await.len(), 2);
    });
}

/// Rules d119, b1022.
#[test]
fn where_unknown_names_are_refused_so_are_those_of_columns() {
    on_each_planned(async |planned| {
        let mut settings = Settings::default();
        settings.strict = true;
        let strict = planned.with_settings(settings);
        let client = client(&strict, "import-strict");
        let reply = send(&client, IMPORT, "text/csv", "nam,note\n").await;
        assert_eq!(reply.error_code(400), "malformed_body");
        let words = "`nam` is not a field of these records; did you mean `name`?";
        assert_eq!(reply.json()["message"], words);
        let mut misspelt = plan("strict");
        misspelt["nots"] = "x".into();
        let reply = send(&client, IMPORT, NDJSON, misspelt.to_string()).await;
        assert_eq!(reply.invalid_fields(), ["rows.1.nots"]);
        // What a list shows is known.
        let mut shown = plan("strict");
        shown["visits"] = 1.into();
        shown["id"] = 1.into();
        let _ = send(&client, IMPORT, NDJSON, shown.to_string()).await.ok();
    });
}

/// Rules d63, d119, b1024.
#[test]
fn an_import_is_an_operation_of_its_own_that_resources_opt_into() {
    on_each_planned(async |planned| {
        let owner = "import-decided";
        let file = lines([plan("decided import")]);
        for operation in [Operation::Import, Operation::Store] {
            let context = Context::new().with(Forbidden(operation));
            let limited = client_with(planned, owner, context);
            let reply = send(&limited, IMPORT, NDJSON, file.clone()).await;
            assert_eq!(reply.error_code(403), "forbidden");
        }
        let status = async |routes: ResourceRoutes<App>, method: &str| {
            let api = Api::<App>::new("/api").resource(routes);
            let client = planned.client_of(api, owner, Context::new());
            let request = Request::builder().method(method).uri(IMPORT);
            let request = request.header("content-type", NDJSON);
            let request = request.body(Body::from(file.clone())).unwrap();
            client.send(request).await.status.as_u16()
        };
        let routes = ResourceRoutes::crud::<Imported>;
        let own = async || "mine";
        // By other methods it is a record that does not exist.
        assert_eq!(status(routes(), "GET").await, 404);
        assert_eq!(
            status(routes().without(Operation::Import), "POST").await,
            405
        );
        assert_eq!(
            status(routes().without(Operation::Store), "POST").await,
            405
        );
        let replaced = routes().replace(Operation::Store, own);
        assert_eq!(status(replaced, "POST").await, 405);
        assert_eq!(
            status(routes().replace(Operation::Import, own), "POST").await,
            200
        );
        let plain = planned.client(owner);
        let reply = send(&plain, "/api/plans/_import", NDJSON, file.clone()).await;
        assert_eq!(reply.status.as_u16(), 405);
        assert!(names(planned, owner).await.is_empty());
        assert!(!Operation::Import.is_read());
    });
}
