//! Reads CSV as RFC 4180 has it, and compares files with the demo rows (d113, d114).

use std::cmp::Reverse;
use std::sync::LazyLock;

use blog::data::{DemoRows, demo_rows};
use blog::entity::article;
use listing_tests::{Reply, on_each_database, on_each_fresh_database};
use serde_json::json;

pub(crate) static DEMO: LazyLock<DemoRows> = LazyLock::new(demo_rows);

/// The articles that are not deleted, by their ids.
pub(crate) fn articles() -> Vec<&'static article::Model> {
    let living = |article: &&article::Model| article.deleted_at.is_none();
    let mut living: Vec<_> = DEMO.articles.iter().filter(living).collect();
    living.sort_by_key(|article| article.id);
    living
}

/// A value of a line: nothing for an empty one without quotes.
pub(crate) type Cell = Option<String>;

/// The lines of a file.
#[track_caller]
pub(crate) fn lines(file: &str, delimiter: char) -> Vec<Vec<Cell>> {
    assert!(file.is_empty() || file.ends_with("\r\n"), "{file}");
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    let mut rest = file;
    while !rest.is_empty() {
        let (cell, after) = match rest.strip_prefix('"') {
            None => {
                let end = rest.find([delimiter, '\r']).unwrap();
                let (cell, after) = rest.split_at(end);
                ((!cell.is_empty()).then(|| cell.to_owned()), after)
            }
            Some(quoted) => {
                let (mut text, mut quoted) = (String::new(), quoted);
                loop {
                    let (piece, after) = quoted.split_once('"').unwrap();
                    text.push_str(piece);
                    match after.strip_prefix('"') {
                        None => break (Some(text), after),
                        Some(after) => {
                            text.push('"');
                            quoted = after;
                        }
                    }
                }
            }
        };
        line.push(cell);
        if let Some(after) = after.strip_prefix(delimiter) {
            rest = after;
        } else {
            rest = after.strip_prefix("\r\n").unwrap();
            lines.push(std::mem::take(&mut line));
        }
    }
    lines
}

/// The heading and the rows of a file.
#[track_caller]
pub(crate) fn file(reply: &Reply) -> (Vec<String>, Vec<Vec<Cell>>) {
    let mut lines = lines(&reply.text(), ',').into_iter();
    let heading = lines.next().unwrap().into_iter().map(Option::unwrap);
    (heading.collect(), lines.collect())
}

fn text(value: impl ToString) -> Cell {
    Some(value.to_string())
}

/// Rules d112, d113.
#[test]
fn a_file_has_every_row_once_in_the_order_of_the_list() {
    let mut expected = articles();
    expected.sort_by_key(|article| (Reverse(article.views), article.id));
    let row = |article: &article::Model| {
        vec![
            text(article.id),
            text(&article.title),
            article.body.clone(),
            text(article.is_active),
            text(article.views),
            article.rating.map(|rating| rating.to_string()),
        ]
    };
    let expected: Vec<_> = expected.into_iter().map(row).collect();
    assert!(expected.len() > 400);
    on_each_database(async |service| {
        let query = "fields=id,title,body,is_active,views,rating&sort=views:desc,id";
        let reply = service
            .get(&format!("/api/articles.csv?{query}"))
            .await
            .ok();
        let (heading, rows) = file(&reply);
        assert_eq!(heading.join(","), "id,title,body,is_active,views,rating");
        assert_eq!(rows, expected);
        // The driver of the application itself says the same.
        let own = service.through_seaorm();
        let reply_of_own = own.get(&format!("/api/articles.csv?{query}")).await.ok();
        assert_eq!(reply_of_own.text(), reply.text());
        let first = format!("/api/articles.csv?{query}&pagination[limit]=7");
        let (_, rows) = file(&service.get(&first).await.ok());
        assert_eq!(rows, expected[..7]);
    });
}

/// Rule d113.
#[test]
fn columns_come_in_the_order_asked_for_or_else_of_the_definition() {
    on_each_database(async |service| {
        for (query, heading) in [
            ("fields=views,title", "id,views,title"),
            ("fields=title,id", "title,id"),
            (
                "fields=title,id&populate[author][fields]=country,name",
                "title,id,author.id,author.country,author.name",
            ),
            (
                "fields=id&populate[author][fields]=name&header=titles",
                "Id,Author id,Author name",
            ),
            (
                "fields=id&populate[tags][count]=true&populate[author][fields]=id&populate[comments][count]=true",
                "id,tags.count,author.id,comments.count",
            ),
            (
                "fields=id,is_active,author_id&labels=true",
                "id,is_active,is_active.label,author_id,author_id.label",
            ),
        ] {
            let reply = service
                .get(&format!("/api/articles.csv?{query}&pagination[limit]=3"))
                .await
                .ok();
            let (found, rows) = file(&reply);
            assert_eq!(found.join(","), heading);
            assert_eq!(rows.len(), 3);
            assert!(rows.iter().all(|row| row.len() == found.len()), "{rows:?}");
        }
        let list = service
            .get("/api/articles?pagination[pageSize]=1")
            .await
            .ok();
        let fields: Vec<_> = list.items()[0]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        let reply = service
            .get("/api/articles.csv?pagination[limit]=1")
            .await
            .ok();
        let names = file(&reply).0;
        // Default relations to many rows are left out.
        let own = fields
            .iter()
            .filter(|name| !matches!(name.as_str(), "author" | "comments" | "tags"));
        assert_eq!(
            names
                .iter()
                .filter(|name| !name.contains('.'))
                .collect::<Vec<_>>(),
            own.collect::<Vec<_>>()
        );
    });
}

/// Rule d113.
#[test]
fn related_values_counts_and_labels_are_those_of_each_row() {
    let author = |id: Option<i64>| DEMO.authors.iter().find(|author| Some(author.id) == id);
    let tags = |id: i64| {
        let links = DEMO.article_tags.iter();
        links.filter(|link| link.article_id == id).count()
    };
    let row = |article: &article::Model| {
        let author = author(article.author_id);
        let active = if article.is_active {
            "Active"
        } else {
            "Inactive"
        };
        vec![
            text(article.id),
            text(article.is_active),
            text(active),
            article.author_id.map(|id| id.to_string()),
            author.map(|author| author.name.clone()),
            author.map(|author| author.id.to_string()),
            author.map(|author| author.name.clone()),
            text(tags(article.id)),
        ]
    };
    let expected: Vec<_> = articles().into_iter().map(row).collect();
    on_each_database(async |service| {
        let query = "fields=id,is_active,author_id&labels=true&sort=id\
             &populate[author][fields]=name&populate[tags][count]=true";
        let reply = service
            .get(&format!("/api/articles.csv?{query}"))
            .await
            .ok();
        assert_eq!(file(&reply).1, expected);
    });
}

/// Rule d114.
#[test]
fn the_form_of_the_file_can_be_chosen() {
    on_each_database(async |service| {
        let get = async |query: &str| {
            let path =
                format!("/api/articles.csv?fields=id,is_active&sort=id&pagination[limit]=1{query}");
            service.get(&path).await.ok().text()
        };
        let id = articles()[0].id;
        let active = articles()[0].is_active;
        assert_eq!(get("").await, format!("id,is_active\r\n{id},{active}\r\n"));
        assert_eq!(get("&header=none").await, format!("{id},{active}\r\n"));
        assert_eq!(
            get("&header=titles&delimiter=;").await,
            format!("Id;Is active\r\n{id};{active}\r\n")
        );
        assert_eq!(
            get("&delimiter=tab&bom=true").await,
            format!("\u{feff}id\tis_active\r\n{id}\t{active}\r\n")
        );
        // A file without rows still says what its columns are.
        let none = service
            .get("/api/articles.csv?fields=id,title&filters[id]=987654321")
            .await
            .ok();
        assert_eq!(none.text(), "id,title\r\n");
    });
}

/// Rule d114.
#[test]
fn texts_come_back_whole_and_formulas_are_inert() {
    let attacks = [
        "=1+1",
        "+1+1",
        "-1+1",
        "@SUM(1)",
        "＝1+1",
        "=HYPERLINK(\"http://x\";\"a,b\")",
        "plain, with \"quotes\";\r\nand lines",
    ];
    on_each_fresh_database(async |service| {
        for (at, title) in attacks.iter().enumerate() {
            let article = json!({
                "title": title, "slug": format!("attack-{at}"), "is_active": true, "body": "",
            });
            service.post("/api/articles", &article).await.created();
        }
        let rows = async |query: &str| {
            let path = format!(
                "/api/articles.csv?fields=title,body&{}{query}",
                slugs(attacks.len())
            );
            file(&service.get(&path).await.ok()).1
        };
        let title = |row: &Vec<Cell>| row[1].clone().unwrap();
        let escaped: Vec<_> = rows("&sort=id").await.iter().map(title).collect();
        assert_eq!(escaped.len(), attacks.len());
        for (found, sent) in escaped.iter().zip(attacks) {
            let inert = if sent.starts_with("plain") {
                sent.to_owned()
            } else {
                format!("'{sent}")
            };
            assert_eq!(*found, inert);
        }
        let kept = rows("&sort=id&formulas=keep").await;
        assert_eq!(kept.iter().map(title).collect::<Vec<_>>(), attacks);
        // An empty text is not null.
        assert!(kept.iter().all(|row| row[2].as_deref() == Some("")));
    });
}

fn slugs(count: usize) -> String {
    let slugs = (0..count).map(|at| format!("filters[slug][$in][{at}]=attack-{at}"));
    slugs.collect::<Vec<_>>().join("&")
}
