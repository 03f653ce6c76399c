//! Lines of JSON are what the list shows, and all formats are read from one snapshot (d112, d113).

use std::pin::Pin;
use std::task::{Context, Poll};

use blog::entity::{article, comment, tag};
use listing::{Format, ListingQuery, ListingRequest, SelectListing};
use listing_tests::{Service, on_each_database, on_each_fresh_database};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, Set};
use serde_json::{Value, json};
use tokio::io::AsyncWrite;
use tokio::sync::oneshot;

use crate::csv::{DEMO, articles, file};

/// All items of a list, page by page.
async fn items(service: &Service, query: &str) -> Vec<Value> {
    let mut items = Vec::new();
    for page in 1.. {
        let path =
            format!("/api/articles?{query}&pagination[pageSize]=100&pagination[page]={page}");
        let reply = service.get(&path).await.ok();
        if reply.items().is_empty() {
            return items;
        }
        items.extend(reply.items().to_vec());
    }
    items
}

/// Rules d112, d113, b1041.
#[test]
fn lines_of_json_are_the_items_of_the_list() {
    on_each_database(async |service| {
        for query in [
            "sort=id",
            "fields=*&populate=author&sort=views:desc,id",
            "fields=title&populate=tags&sort=id",
            "fields=id&populate[comments][pagination][limit]=2&populate[tags][count]=true&sort=created_at:desc",
            "fields=id&populate[author][populate][articles][fields]=title&populate[seo]=true&sort=author.name,id",
            "fields=author_id&populate[tags][sort]=name:desc&populate[comments]=true&filters[views][$gte]=500&sort=id",
            "fields=id,created_at&populate[author][fields]=name&populate[tags][count]=true&populate[comments][count]=true",
            "fields=id&sort=author.name:desc,id&filters[views][$gte]=100",
            "fields=id&filters[author][country]=DE&search=the",
        ] {
            let reply = service
                .get(&format!("/api/articles.ndjson?{query}"))
                .await
                .ok();
            let text = reply.text();
            assert!(text.is_empty() || text.ends_with('\n'));
            let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
            let lines: Vec<Value> = lines.collect();
            let expected = items(service, query).await;
            assert!(!expected.is_empty(), "{query}");
            let without = |mut line: Value| {
                let members = line.as_object_mut().unwrap();
                members.retain(|name, _| !name.ends_with(".truncated"));
                if let Some(Value::Object(author)) = members.get_mut("author") {
                    author.retain(|name, _| !name.ends_with(".truncated"));
                }
                line
            };
            let lines: Vec<Value> = lines.into_iter().map(without).collect();
            assert_eq!(lines, expected, "{query}");
        }
    });
}

/// A line of a file for one article.
async fn line(service: &Service, query: &str) -> Value {
    let path = format!("/api/articles.ndjson?{query}");
    let reply = service.get(&path).await.ok();
    serde_json::from_str(reply.text().trim_end()).unwrap()
}

/// Rules d113, b1042.
#[test]
fn a_row_says_that_it_has_more_related_rows_than_are_shown_and_how_many_if_asked() {
    let comments = &DEMO.comments;
    let of = |article: i64| {
        let of_it = comments.iter().filter(move |one| one.article_id == article);
        of_it.filter(|one| !one.is_hidden).count()
    };
    let all = articles();
    let many = all.iter().max_by_key(|article| of(article.id)).unwrap().id;
    let few = all.iter().find(|article| of(article.id) == 1).unwrap().id;
    assert!(of(many) > 10);
    on_each_database(async |service| {
        let query = "fields=id&populate[comments][fields]=id&filters[id]";
        let line_of_many = line(service, &format!("{query}={many}")).await;
        assert_eq!(line_of_many["comments"].as_array().unwrap().len(), 10);
        assert_eq!(line_of_many["comments.truncated"], true);
        assert_eq!(line_of_many.get("comments.count"), None);
        let line_of_few = line(service, &format!("{query}={few}")).await;
        assert_eq!(line_of_few["comments"].as_array().unwrap().len(), 1);
        assert_eq!(line_of_few.get("comments.truncated"), None);
        let query = "fields=id&populate[comments][fields]=id&populate[comments][withCount]=true&filters[id]";
        let counted = line(service, &format!("{query}={many}")).await;
        assert_eq!(counted["comments.count"], of(many));
        let names: Vec<_> = counted.as_object().unwrap().keys().collect();
        assert_eq!(
            names,
            ["id", "comments", "comments.truncated", "comments.count"]
        );
    });
}

/// Rules d112, d113.
#[test]
fn each_row_comes_once_in_order_with_its_labels_before_its_relations() {
    on_each_database(async |service| {
        let query = "fields=id,author_id&labels=true&populate=tags,comments&sort=id";
        let reply = service
            .get(&format!("/api/articles.ndjson?{query}"))
            .await
            .ok();
        let text = reply.text();
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let ids: Vec<_> = lines
            .iter()
            .map(|line| line["id"].as_i64().unwrap())
            .collect();
        let expected: Vec<_> = articles().iter().map(|article| article.id).collect();
        assert_eq!(ids, expected);
        let names: Vec<_> = lines[0]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(
            names[..5],
            ["id", "author_id", "author_id.label", "tags", "comments"]
        );
    });
}

/// Rule d113.
#[test]
fn labels_stand_next_to_their_values_in_lines_of_json() {
    on_each_database(async |service| {
        let query = "fields=id,is_active,author_id&labels=true&sort=id&filters[author_id][$null]=true&pagination[limit]=1";
        let reply = service
            .get(&format!("/api/articles.ndjson?{query}"))
            .await
            .ok();
        let line: Value = serde_json::from_str(reply.text().trim_end()).unwrap();
        let label = if line["is_active"] == true {
            "Active"
        } else {
            "Inactive"
        };
        assert_eq!(line["is_active.label"], label);
        assert_eq!(line["author_id"], Value::Null);
        assert_eq!(line["author_id.label"], Value::Null);
    });
}

/// Rule d111.
#[test]
fn a_long_request_asks_by_a_body_and_accept() {
    on_each_database(async |service| {
        let body = json!({
            "fields": ["title"], "filters": { "views": { "$gte": 100 } }, "sort": "id",
            "header": "titles", "delimiter": ";",
        });
        let query = "fields=title&filters[views][$gte]=100&sort=id&header=titles&delimiter=;";
        let client = service.client().with_header("accept", "text/csv");
        let by_body = client.post("/api/articles/query", &body).await.ok();
        let by_path = service
            .get(&format!("/api/articles.csv?{query}"))
            .await
            .ok();
        assert_eq!(by_body.text(), by_path.text());
        assert_eq!(
            by_body.header("content-type"),
            Some("text/csv; charset=utf-8")
        );
        let client = service
            .client()
            .with_header("accept", "application/x-ndjson");
        let lines = client
            .post(
                "/api/articles/query",
                &json!({ "pagination": { "limit": 2 } }),
            )
            .await
            .ok();
        assert_eq!(lines.text().lines().count(), 2);
        // Anything else is answered with a page.
        let client = service
            .client()
            .with_header("accept", "application/json, text/csv;q=0.5");
        let page = client.post("/api/articles/query", &json!({})).await.ok();
        assert!(!page.items().is_empty());
    });
}

/// Waits before it takes the first bytes, and then takes everything.
struct Patient {
    begun: Option<oneshot::Sender<()>>,
    go_on: oneshot::Receiver<()>,
    goes_on: bool,
    file: Vec<u8>,
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        if let Some(begun) = self.begun.take() {
            begun.send(()).unwrap();
        }
        if !self.goes_on {
            match Pin::new(&mut self.go_on).poll(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(told) => told.unwrap(),
            }
            self.goes_on = true;
        }
        self.file.extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Rule d112.
#[test]
fn what_is_written_meanwhile_is_not_in_the_file() {
    on_each_fresh_database(async |service| {
        let query = "fields=id,title,body,views&sort=id";
        let before = service
            .get(&format!("/api/articles.csv?{query}"))
            .await
            .ok();
        let (begun, has_begun) = oneshot::channel();
        let (go_on, told) = oneshot::channel();
        let mut writer = Patient {
            begun: Some(begun),
            go_on: told,
            goes_on: false,
            file: Vec::new(),
        };
        let (listings, reads) = (service.listings.clone(), service.reads.clone());
        let export = tokio::spawn(async move {
            let request = ListingRequest::from_query(&listings, query).unwrap();
            let query = ListingQuery::<article::Entity>::all(&request);
            let rows = query
                .export(Format::Csv, &reads, &mut writer)
                .await
                .unwrap();
            (rows, writer.file)
        });
        has_begun.await.unwrap();
        let all = articles();
        let last = all.last().unwrap();
        let mut changed = (*last).clone().into_active_model();
        changed.title = Set("changed meanwhile".to_owned());
        changed.update(&service.db).await.unwrap();
        article::Entity::delete_many()
            .filter(article::Column::Id.eq(all[all.len() - 2].id))
            .exec(&service.db)
            .await
            .unwrap();
        let article = json!({ "title": "new", "slug": "new-meanwhile", "is_active": true });
        service.post("/api/articles", &article).await.created();
        go_on.send(()).unwrap();
        let (rows, written) = export.await.unwrap();
        assert_eq!(rows, all.len() as u64);
        assert_eq!(String::from_utf8(written).unwrap(), before.text());
        let after = service
            .get(&format!("/api/articles.csv?{query}"))
            .await
            .ok();
        assert_ne!(after.text(), before.text());
    });
}

/// Rules d112, b1040.
#[test]
fn related_rows_are_from_the_same_snapshot() {
    on_each_fresh_database(async |service| {
        let query = "fields=id&populate[tags][fields]=name&populate[comments][fields]=body&sort=id";
        let path = format!("/api/articles.ndjson?{query}");
        let before = service.get(&path).await.ok();
        let (begun, has_begun) = oneshot::channel();
        let (go_on, told) = oneshot::channel();
        let mut writer = Patient {
            begun: Some(begun),
            go_on: told,
            goes_on: false,
            file: Vec::new(),
        };
        let (listings, reads) = (service.listings.clone(), service.reads.clone());
        let export = tokio::spawn(async move {
            let request = ListingRequest::from_query(&listings, query).unwrap();
            let query = ListingQuery::<article::Entity>::all(&request);
            let rows = query
                .export(Format::Ndjson, &reads, &mut writer)
                .await
                .unwrap();
            (rows, writer.file)
        });
        has_begun.await.unwrap();
        // The relations of the last rows have not been read yet.
        comment::Entity::delete_many()
            .exec(&service.db)
            .await
            .unwrap();
        tag::Entity::update_many()
            .col_expr(tag::Column::Name, Expr::value("changed meanwhile"))
            .filter(tag::Column::Id.eq(DEMO.tags[0].id))
            .exec(&service.db)
            .await
            .unwrap();
        go_on.send(()).unwrap();
        let (rows, written) = export.await.unwrap();
        assert_eq!(rows, articles().len() as u64);
        assert_eq!(String::from_utf8(written).unwrap(), before.text());
        let after = service.get(&path).await.ok();
        assert_ne!(after.text(), before.text());
    });
}

/// Rule d112.
#[test]
fn an_export_of_the_applications_own_query_stays_within_it() {
    on_each_database(async |service| {
        let request = ListingRequest::export_from_query(
            &service.listings,
            "fields=id,views&sort=id&header=none",
        );
        let request = request.unwrap();
        let mut written = Vec::new();
        let rows = article::Entity::find()
            .filter(article::Column::Views.gte(500))
            .listing(&request)
            .export(Format::Csv, &service.reads, &mut written)
            .await
            .unwrap();
        let popular = articles()
            .into_iter()
            .filter(|article| article.views >= 500);
        let lines: Vec<_> = popular
            .map(|article| format!("{},{}\r\n", article.id, article.views))
            .collect();
        assert_eq!(rows, lines.len() as u64);
        assert_eq!(String::from_utf8(written).unwrap(), lines.concat());
    });
}

/// Rules d110, d112.
#[test]
fn deleted_rows_are_in_a_file_only_for_those_who_may_list_them() {
    on_each_database(async |service| {
        let path = "/api/articles.csv?fields=id&trashed=with";
        let (_, rows) = file(&service.get(path).await.ok());
        assert_eq!(rows.len(), articles().len());
    });
}
