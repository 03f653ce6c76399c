//! Files with more than one batch of bytes that complete no row (d119).

use axum::body::Body;
use futures_util::stream;
use listing::Settings;

use crate::import::{IMPORT, NDJSON, client, lines, names, send};
use crate::plans::{on_each_planned, plan};

/// More than is read at once.
const LARGE: usize = 3 * 1024 * 1024;

/// One file of two rows in each format, with this before the second row.
fn files(name: &str, between: &str) -> [(&'static str, String, [String; 2]); 2] {
    let named = |format| [1, 2].map(|number| format!("{name} {format} {number}"));
    let json = named("json");
    let [first, second] = json.each_ref().map(|name| lines([plan(name)]));
    let ndjson = format!("{first}{between}{second}");
    let csv = named("csv");
    let row =
        |name: &str| format!("{name},1,5,12.50,2024-05-31,12:30:00,2024-05-31T12:00:00Z,done,\r\n");
    let [first, second] = csv.each_ref().map(|name| row(name));
    let headings = "name,first,last,price,day,hour,moment,stage,unknown\r\n";
    let spreadsheet = format!("{headings}{first}{between}{second}");
    [(NDJSON, ndjson, json), ("text/csv", spreadsheet, csv)]
}

/// Rules d119, b1025.
#[test]
fn blank_lines_do_not_end_a_file() {
    on_each_planned(async |planned| {
        let owner = "import-blank";
        let client = client(planned, owner);
        for (kind, file, expected) in files("blank", &"\n".repeat(LARGE)) {
            for dry_run in [true, false] {
                let path = format!("{IMPORT}?dryRun={dry_run}");
                let reply = send(&client, &path, kind, file.clone()).await;
                assert_eq!(reply.ok().json()["data"]["count"], 2, "{kind}");
            }
            let written = names(planned, owner).await;
            assert!(written.ends_with(&expected), "{kind}: {written:?}");
        }
        // At the beginning of a file, too, and in pieces.
        let last = lines([plan("blank last")]);
        let pieces = (0..LARGE / 1_000).map(|_| "\n".repeat(1_000)).chain([last]);
        let pieces = stream::iter(pieces.map(Ok::<_, std::io::Error>));
        let reply = send(&client, IMPORT, NDJSON, Body::from_stream(pieces)).await;
        assert_eq!(reply.ok().json()["data"]["count"], 1);
        // A file without any row is empty.
        let reply = send(&client, IMPORT, NDJSON, "\n".repeat(LARGE)).await;
        assert_eq!(reply.ok().json()["data"]["count"], 0);
    });
}

/// Rules d119, b1025.
#[test]
fn a_row_can_be_larger_than_a_batch() {
    on_each_planned(async |planned| {
        let owner = "import-large";
        let mut settings = Settings::default();
        settings.bounds.body_bytes = 2 * LARGE;
        let client = client(&planned.with_settings(settings), owner);
        let white = " ".repeat(LARGE);
        let [
            (json, ndjson, expected_json),
            (csv, spreadsheet, expected_csv),
        ] = files("large", "");
        // Space within an object, and the value of a column that is not one of the record's.
        let ndjson = ndjson.replace("}\n{", &format!("}}\n{{{white}"));
        let spreadsheet = spreadsheet.replace("done,\r\n", &format!("done,{white}\r\n"));
        for (kind, file, expected) in [
            (json, ndjson, expected_json),
            (csv, spreadsheet, expected_csv),
        ] {
            assert!(file.len() > LARGE);
            for dry_run in [true, false] {
                let path = format!("{IMPORT}?dryRun={dry_run}");
                let reply = send(&client, &path, kind, file.clone()).await;
                assert_eq!(reply.ok().json()["data"]["count"], 2, "{kind}");
            }
            let written = names(planned, owner).await;
            assert!(written.ends_with(&expected), "{kind}: {written:?}");
        }
    });
}
