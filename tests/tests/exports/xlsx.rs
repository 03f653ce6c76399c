//! A workbook has the values of the rows in the types of spreadsheets, and no formula (d115).

use std::io::{Cursor, Read as _};

use blog::entity::article;
use calamine::{Data, DataType as _, Reader as _, Xlsx, open_workbook_from_rs};
use chrono::{DateTime, NaiveDateTime, Utc};
use listing_tests::{Reply, on_each_database, on_each_fresh_database};
use sea_orm::prelude::Decimal;
use serde_json::json;

use crate::csv::articles;

/// The cells of a sheet, with its heading.
#[track_caller]
fn cells(reply: &Reply, sheet: &str) -> Vec<Vec<Data>> {
    let file = Cursor::new(reply.bytes.to_vec());
    let mut book: Xlsx<_> = open_workbook_from_rs(file).unwrap();
    let range = book.worksheet_range(sheet).unwrap();
    range.rows().map(<[Data]>::to_vec).collect()
}

/// A part of the archive.
fn part(reply: &Reply, name: &str) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(reply.bytes.to_vec())).unwrap();
    let mut text = String::new();
    archive
        .by_name(name)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    text
}

fn texts(texts: &[&str]) -> Vec<Data> {
    texts
        .iter()
        .map(|text| Data::String((*text).to_owned()))
        .collect()
}

/// The moment of a cell.
#[track_caller]
fn moment(cell: &Data) -> NaiveDateTime {
    let Data::DateTime(date) = cell else {
        panic!("{cell:?} is not a date");
    };
    let zero: NaiveDateTime = "1899-12-30T00:00:00".parse().unwrap();
    let micros = (date.as_f64() * 86_400e6).round();
    zero + chrono::Duration::microseconds(micros as i64)
}

/// Rules d112, d115.
#[test]
fn a_workbook_has_every_row_in_the_types_of_a_spreadsheet() {
    on_each_database(async |service| {
        let query = "fields=id,title,views,is_active,rating,created_at,body&populate[author][fields]=name&populate[tags][count]=true&sort=id";
        let reply = service
            .get(&format!("/api/articles.xlsx?{query}"))
            .await
            .ok();
        let cells = cells(&reply, "Sheet1");
        let heading = [
            "id",
            "title",
            "views",
            "is_active",
            "rating",
            "created_at",
            "body",
            "author.id",
            "author.name",
            "tags.count",
        ];
        assert_eq!(cells[0], texts(&heading));
        let all = articles();
        assert_eq!(cells.len() - 1, all.len());
        for (row, article) in cells[1..].iter().zip(all) {
            let number = |cell: &Data| match cell {
                Data::Float(number) => *number,
                other => panic!("{other:?} is not a number"),
            };
            assert_eq!(number(&row[0]), article.id as f64);
            assert_eq!(row[1], Data::String(article.title.clone()));
            assert_eq!(number(&row[2]), f64::from(article.views));
            assert_eq!(row[3], Data::Bool(article.is_active));
            match article.rating {
                None => assert_eq!(row[4], Data::Empty),
                Some(rating) => {
                    let shown = Decimal::try_from(number(&row[4])).unwrap();
                    assert_eq!(shown, rating);
                }
            }
            let created: DateTime<Utc> = article.created_at;
            // A number of a spreadsheet is not exact to the microsecond.
            let off = moment(&row[5]) - created.naive_utc();
            assert!(off.num_microseconds().unwrap().abs() <= 1, "{off}");
            match article.body.as_deref() {
                None | Some("") => assert_eq!(row[6], Data::Empty),
                Some(body) => assert_eq!(row[6], Data::String(body.to_owned())),
            }
            assert_eq!(row[7] == Data::Empty, article.author_id.is_none());
        }
    });
}

/// Rule d115.
#[test]
fn the_heading_stays_in_sight_and_can_be_left_out() {
    on_each_database(async |service| {
        let path = "/api/articles.xlsx?fields=id&pagination[limit]=1";
        let reply = service.get(&format!("{path}&header=titles")).await.ok();
        assert_eq!(cells(&reply, "Sheet1")[0], texts(&["Id"]));
        let sheet = part(&reply, "xl/worksheets/sheet1.xml");
        assert!(sheet.contains("<pane ySplit=\"1\""), "{sheet}");
        assert!(sheet.contains("state=\"frozen\""), "{sheet}");
        let reply = service.get(&format!("{path}&header=none")).await.ok();
        assert!(
            matches!(cells(&reply, "Sheet1")[..], [ref row] if matches!(row[0], Data::Float(_)))
        );
        let sheet = part(&reply, "xl/worksheets/sheet1.xml");
        assert!(!sheet.contains("<pane"), "{sheet}");
    });
}

/// What a spreadsheet could take for a formula, or for an address or a command; and what XML or the format itself could change.
const ATTACKS: &[&str] = &[
    "=1+1",
    "=cmd|' /C calc'!A0",
    "=HYPERLINK(\"http://example.org\",\"x\")",
    "+1+1",
    "-2+3",
    "@SUM(A1:A9)",
    "\t=1+1",
    "＝1+1",
    "{=1+1}",
    "http://example.org/",
    "mailto:a@example.org",
    "<f>1+1</f>",
    "&amp;]]>",
    "_x0041_",
    "\u{1}",
    "'quoted",
    " spaces ",
    "a\nb",
    "0012",
    "12345678901234567890",
    "2026-11-18",
    "TRUE",
];

/// Rules d115, b1044.
#[test]
fn a_text_is_a_text_and_never_a_formula() {
    on_each_fresh_database(async |service| {
        for (at, text) in ATTACKS.iter().enumerate() {
            let article = json!({
                "title": format!("attack {at}"), "slug": format!("attack-{at:03}"), "body": text, "is_active": true,
            });
            service.post("/api/articles", &article).await.created();
        }
        let path = "/api/articles.xlsx?fields=body&filters[title][$contains]=attack&sort=id";
        let reply = service.get(path).await.ok();
        let cells = cells(&reply, "Sheet1");
        let found: Vec<_> = cells[1..].iter().map(|row| row[1].clone()).collect();
        assert_eq!(found, texts(ATTACKS));
        let sheet = part(&reply, "xl/worksheets/sheet1.xml");
        assert!(
            !sheet.contains("<f>") && !sheet.contains("hyperlink"),
            "{sheet}"
        );
        // Not even when someone edits the cell.
        assert!(part(&reply, "xl/styles.xml").contains("quotePrefix=\"1\""));
    });
}

/// Rules d115, b1043.
#[test]
fn a_text_that_does_not_fit_into_a_cell_is_refused_with_its_record_and_field() {
    on_each_fresh_database(async |service| {
        let longest = "é".repeat(32_767);
        for (slug, body) in [("fits", longest.clone()), ("long", longest + "é")] {
            let article =
                json!({ "title": "long one", "slug": slug, "body": body, "is_active": true });
            service.post("/api/articles", &article).await.created();
        }
        let path = "/api/articles.xlsx?fields=body&filters[slug]";
        let fits = service.get(&format!("{path}=fits")).await.ok();
        assert_eq!(cells(&fits, "Sheet1").len(), 2);
        let list = service.get("/api/articles?filters[slug]=long").await.ok();
        let id = list.items()[0]["id"].to_string();
        let reply = service.get(&format!("{path}=long")).await;
        let error = reply.error(422);
        assert_eq!(error["code"], "text_too_long");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains("`body`") && message.contains(&format!("`{id}`")),
            "{message}"
        );
        assert_eq!(reply.header("content-disposition"), None);
        let csv = service.get("/api/articles.csv?filters[slug]=long").await;
        assert_eq!(csv.status, 200);
    });
}

/// Rules d115, d117.
#[test]
fn a_workbook_has_a_limit_of_its_own() {
    assert_eq!(listing::Settings::default().export_xlsx_max_rows, 100_000);
    on_each_database(async |service| {
        let service = service.with_settings(|settings| settings.export_xlsx_max_rows = 10);
        let reply = service.get("/api/articles.xlsx").await;
        let error = reply.error(400);
        assert_eq!(error["code"], "too_many_rows");
        for path in [
            "/api/articles.xlsx?pagination[limit]=10",
            "/api/articles.csv",
        ] {
            assert_eq!(service.get(path).await.status, 200, "{path}");
        }
    });
}

/// Rules d111, d115.
#[test]
fn a_workbook_is_asked_for_by_accept_too() {
    on_each_database(async |service| {
        let accept = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
        let client = service.client().with_header("accept", accept);
        let body = json!({ "fields": ["id"], "sort": "id", "pagination": { "limit": 3 } });
        let reply = client.post("/api/articles/query", &body).await.ok();
        let ids: Vec<_> = articles()
            .iter()
            .take(3)
            .map(|article: &&article::Model| article.id)
            .collect();
        let found = cells(&reply, "Sheet1");
        let found: Vec<_> = found[1..]
            .iter()
            .map(|row| row[0].as_f64().unwrap() as i64)
            .collect();
        assert_eq!(found, ids);
    });
}
