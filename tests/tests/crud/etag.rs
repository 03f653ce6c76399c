//! Two people edit one record: `ETag`, `If-Match` and `If-None-Match` (412 and 304 of d53).

use axum::http::Request;
use listing_tests::{Reply, Service, on_each_written_database};
use serde_json::json;

use crate::articles::{PATH, at, create, payload, payload_with, restore, row};

async fn tag_of(service: &Service, id: i64) -> String {
    let shown = service.get(&at(id)).await.ok();
    shown.header("etag").unwrap().to_owned()
}

/// A request with conditions.
async fn under(
    service: &Service,
    method: &str,
    path: &str,
    conditions: &[(&str, &str)],
    body: &str,
) -> Reply {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in conditions {
        request = request.header(*name, *value);
    }
    let request = request.header("content-type", "application/json");
    service
        .send(request.body(body.to_owned().into()).unwrap())
        .await
}

/// Rule d53.
#[test]
fn the_tag_changes_when_the_record_does_and_not_before() {
    on_each_written_database(async |service| {
        let id = create(service, "tagged").await;
        let first = tag_of(service, id).await;
        assert!(first.starts_with('"') && first.ends_with('"') && first.len() > 10);
        assert_eq!(tag_of(service, id).await, first);
        let head = service.client().bare("HEAD", &at(id)).await;
        assert_eq!(head.header("etag"), Some(&*first));
        let mut seen = vec![first.clone()];
        for (name, value) in [
            ("title", json!("Changed")),
            ("slug", json!("tagged-2")),
            ("body", json!(null)),
            ("is_active", json!(false)),
        ] {
            let _ = service
                .put(&at(id), &payload_with("tagged", name, value))
                .await
                .ok();
            seen.push(tag_of(service, id).await);
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 5);
        let other = create(service, "tagged-other").await;
        assert!(!seen.contains(&tag_of(service, other).await));
    });
}

/// Rule d53.
#[test]
fn a_stale_update_or_delete_is_412_and_changes_nothing() {
    on_each_written_database(async |service| {
        let id = create(service, "stale").await;
        let stale = tag_of(service, id).await;
        let _ = service
            .put(&at(id), &payload_with("stale", "title", "By another"))
            .await
            .ok();
        let before = row(service, id).await;
        let mine = payload_with("stale", "title", "Mine").to_string();
        for (method, path, body) in [
            ("PUT", at(id), &*mine),
            ("DELETE", at(id), ""),
            ("DELETE", format!("{}?force=true", at(id)), ""),
        ] {
            let reply = under(service, method, &path, &[("if-match", &stale)], body).await;
            assert_eq!(reply.error_code(412), "stale", "{method} {path}");
            assert_eq!(row(service, id).await, before);
        }
        // Read again, it can be changed; and then what was read is stale.
        let fresh = tag_of(service, id).await;
        let put = async || under(service, "PUT", &at(id), &[("if-match", &fresh)], &mine).await;
        let _ = put().await.ok();
        assert_eq!(put().await.error_code(412), "stale");
        assert_eq!(row(service, id).await.unwrap().title, "Mine");
        let fresh = tag_of(service, id).await;
        let _ = under(service, "DELETE", &at(id), &[("if-match", &fresh)], "")
            .await
            .ok();
        // In the bin it is as it was; it can be restored on that condition, or not.
        let path = format!("{}/restore", at(id));
        let reply = under(service, "POST", &path, &[("if-match", &stale)], "").await;
        assert_eq!(reply.error_code(412), "stale");
        let _ = under(service, "POST", &path, &[("if-match", &fresh)], "")
            .await
            .ok();
    });
}

/// Rule d53.
#[test]
fn if_match_takes_a_star_lists_and_weak_tags() {
    on_each_written_database(async |service| {
        let id = create(service, "matching").await;
        let body = payload("matching").to_string();
        let put = async |conditions: &[(&str, &str)]| {
            let reply = under(service, "PUT", &at(id), conditions, &body).await;
            reply.status.as_u16()
        };
        let tag = || tag_of(service, id);
        let now = tag().await;
        assert_eq!(put(&[("if-match", "*")]).await, 200);
        let now = [now, tag().await];
        assert_eq!(
            put(&[("if-match", &format!("\"x\", {}", now[1]))]).await,
            200
        );
        let now = tag().await;
        assert_eq!(put(&[("if-match", &format!("{now},\"y\""))]).await, 200);
        let now = tag().await;
        assert_eq!(put(&[("if-match", "\"x\""), ("if-match", &now)]).await, 200);
        // A proxy that compresses marks the tag as weak.
        let now = tag().await;
        assert_eq!(put(&[("if-match", &format!("W/{now}"))]).await, 200);
        let now = tag().await;
        let bare = now.trim_matches('"');
        for wrong in [
            "\"x\"",
            "\"x\", \"y\"",
            "",
            ",",
            bare,
            "\"*\"",
            &now.to_uppercase().replace('"', "'"),
        ] {
            assert_eq!(put(&[("if-match", wrong)]).await, 412, "{wrong:?}");
        }
        assert_eq!(put(&[]).await, 200);
    });
}

/// Rule d53.
#[test]
fn an_absent_record_is_404_whatever_the_condition() {
    on_each_written_database(async |service| {
        let id = create(service, "conditions").await;
        let _ = service.delete(&at(id)).await.ok();
        for absent in [id, 987_654_321] {
            for condition in ["*", "\"x\""] {
                let body = payload("conditions").to_string();
                let put = under(
                    service,
                    "PUT",
                    &at(absent),
                    &[("if-match", condition)],
                    &body,
                )
                .await;
                assert_eq!(put.error_code(404), "not_found");
                let delete = under(
                    service,
                    "DELETE",
                    &at(absent),
                    &[("if-match", condition)],
                    "",
                )
                .await;
                assert_eq!(delete.error_code(404), "not_found");
            }
        }
        let _ = restore(service, id).await.ok();
    });
}

/// Rule d53.
#[test]
fn if_none_match_on_show_is_304_while_nothing_has_changed() {
    on_each_written_database(async |service| {
        let id = create(service, "unmodified").await;
        let tag = tag_of(service, id).await;
        for condition in [&*tag, "*", &format!("\"x\", {tag}"), &format!("W/{tag}")] {
            for method in ["GET", "HEAD"] {
                let reply = under(
                    service,
                    method,
                    &at(id),
                    &[("if-none-match", condition)],
                    "",
                )
                .await;
                assert_eq!(reply.status.as_u16(), 304, "{method} {condition}");
                assert_eq!(reply.header("etag"), Some(&*tag));
                assert!(reply.bytes.is_empty());
            }
        }
        let other = under(service, "GET", &at(id), &[("if-none-match", "\"x\"")], "").await;
        assert_eq!(other.ok().json()["data"]["slug"], "unmodified");
        let _ = service.put(&at(id), &payload("unmodified")).await.ok();
        let changed = under(service, "GET", &at(id), &[("if-none-match", &tag)], "").await;
        assert_ne!(changed.ok().header("etag"), Some(&*tag));
        // Absent, it is absent.
        let _ = service.delete(&at(id)).await.ok();
        let gone = under(service, "GET", &at(id), &[("if-none-match", "*")], "").await;
        assert_eq!(gone.error_code(404), "not_found");
    });
}

/// Rule d53.
#[test]
fn if_none_match_on_a_write_asks_that_the_record_be_another() {
    on_each_written_database(async |service| {
        let id = create(service, "none-match").await;
        let tag = tag_of(service, id).await;
        let body = payload("none-match").to_string();
        for condition in ["*", &*tag] {
            let reply = under(
                service,
                "PUT",
                &at(id),
                &[("if-none-match", condition)],
                &body,
            )
            .await;
            assert_eq!(reply.error_code(412), "stale");
        }
        let reply = under(
            service,
            "PUT",
            &at(id),
            &[("if-none-match", "\"x\"")],
            &body,
        )
        .await;
        let _ = reply.ok();
    });
}

/// Rule d53.
#[test]
fn a_condition_is_no_part_of_creating() {
    on_each_written_database(async |service| {
        let body = payload("unconditional").to_string();
        let reply = under(service, "POST", PATH, &[("if-match", "\"x\"")], &body).await;
        reply.created();
    });
}
