//! Lines of JSON are what the list shows, and all formats are read from one snapshot (d112, d113).

use std::pin::Pin;
use std::task::{Context, Poll};

use blog::entity::article;
use listing::{Format, ListingQuery, ListingRequest, SelectListing};
use listing_tests::{Service, on_each_database, on_each_fresh_database};
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, Set};
use serde_json::{Value, json};
use tokio::io::AsyncWrite;
use tokio::sync::oneshot;

use crate::csv::{articles, file};

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

/// Rules d112, d113.
#[test]
fn lines_of_json_are_the_items_of_the_list() {
    on_each_database(async |service| {
        for query in [
            "sort=id",
            "fields=*&populate=author&sort=views:desc,id",
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
            let mut expected = items(service, query).await;
            for item in &mut expected {
                // Those that come by default lead to many rows.
                let item = item.as_object_mut().unwrap();
                item.retain(|_, value| !value.is_array());
            }
            assert!(!expected.is_empty(), "{query}");
            assert_eq!(lines, expected, "{query}");
        }
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
