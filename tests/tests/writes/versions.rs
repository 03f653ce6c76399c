//! Writers who must say which version of a record they change (d121), and writers who want to see it then (d122).

use axum::http::Request;
use listing_tests::{Client, Reply};
use serde_json::{Value, json};

use crate::plans::{at, create, on_each_planned, plan};

async fn send(
    client: &Client,
    (method, path): (&str, &str),
    headers: &[(&str, &str)],
    body: &Value,
) -> Reply {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.header("content-type", "application/json");
    client
        .send(request.body(body.to_string().into()).unwrap())
        .await
}

const REPRESENTATION: (&str, &str) = ("prefer", "return=representation");

/// Rule d121.
#[test]
fn a_patch_a_delete_and_a_restore_of_another_version_are_412() {
    on_each_planned(async |planned| {
        let client = planned.client("versions");
        let id = create(&client, "versioned").await;
        let tag = async |client: &Client| {
            let shown = client.get(&at(id)).await.ok();
            shown.header("etag").unwrap().to_owned()
        };
        let stale = tag(&client).await;
        let note = |text: &str| json!({ "note": text });
        let if_match = |tag: &str| tag.to_owned();
        let first = if_match(&stale);
        let patched = send(
            &client,
            ("PATCH", &at(id)),
            &[("if-match", &first)],
            &note("one"),
        )
        .await;
        let _ = patched.ok();
        let before = planned.row(id).await;
        for method in ["PATCH", "DELETE"] {
            let reply = send(
                &client,
                (method, &at(id)),
                &[("if-match", &stale)],
                &note("two"),
            )
            .await;
            assert_eq!(reply.error_code(412), "stale", "{method}");
            assert_eq!(planned.row(id).await, before);
        }
        let fresh = tag(&client).await;
        let _ = send(
            &client,
            ("DELETE", &at(id)),
            &[("if-match", &fresh)],
            &json!({}),
        )
        .await
        .ok();
        let restore = format!("{}/restore", at(id));
        let reply = send(
            &client,
            ("POST", &restore),
            &[("if-match", &stale)],
            &json!({}),
        )
        .await;
        assert_eq!(reply.error_code(412), "stale");
        let reply = send(
            &client,
            ("POST", &restore),
            &[("if-match", &fresh)],
            &json!({}),
        )
        .await;
        let _ = reply.ok();
    });
}

/// Rules d121, d132, b721.
#[test]
fn where_a_version_is_required_a_change_without_one_is_428_whatever_there_is() {
    on_each_planned(async |planned| {
        let client = planned.client("guarding");
        let other = planned.client("guarding-other");
        let id = client
            .post("/api/guarded", &plan("guarded"))
            .await
            .created();
        let path = format!("/api/guarded/{id}");
        let before = planned.row(id).await;
        for (method, path) in [
            ("PUT", path.clone()),
            ("PATCH", path.clone()),
            ("DELETE", path.clone()),
            ("DELETE", format!("{path}?force=true")),
            ("POST", format!("{path}/restore")),
        ] {
            let missing = path.replace(&id.to_string(), "987654");
            let body = plan("guarded-2");
            let refused = send(&client, (method, &path), &[], &body).await;
            assert_eq!(
                refused.error_code(428),
                "if_match_required",
                "{method} {path}"
            );
            let none = send(
                &client,
                (method, &path),
                &[("if-none-match", "\"x\"")],
                &body,
            )
            .await;
            for reply in [
                none,
                send(&other, (method, &path), &[], &body).await,
                send(&client, (method, &missing), &[], &body).await,
            ] {
                assert_eq!(reply.error(428), refused.error(428), "{method} {path}");
            }
        }
        assert_eq!(planned.row(id).await, before);
        let shown = client.get(&path).await.ok();
        let tag = shown.header("etag").unwrap();
        let note = json!({ "note": "x" });
        let _ = send(&client, ("PATCH", &path), &[("if-match", tag)], &note)
            .await
            .ok();
        let stale = send(&client, ("PATCH", &path), &[("if-match", tag)], &note).await;
        assert_eq!(stale.error_code(412), "stale");
        let _ = send(&client, ("DELETE", &path), &[("if-match", "*")], &note)
            .await
            .ok();
    });
}

/// Rule d122.
#[test]
fn a_writer_who_prefers_the_record_gets_it_as_show_would_with_its_tag() {
    on_each_planned(async |planned| {
        let client = planned.client("returning");
        let prefer = &[REPRESENTATION][..];
        let same = async |reply: &Reply, path: &str, status: u16, message: &str| {
            assert_eq!(reply.status.as_u16(), status);
            let (told, shown) = (reply.json(), client.get(path).await.ok());
            assert_eq!(told["data"], shown.json()["data"]);
            assert_eq!(told["message"], message);
            assert_eq!(told["meta"], json!({ "code": status, "message": message }));
            assert_eq!(reply.header("etag"), shown.header("etag"));
            assert_eq!(
                reply.header("preference-applied"),
                Some("return=representation")
            );
        };
        let stored = send(&client, ("POST", "/api/plans"), prefer, &plan("returned")).await;
        let id = stored.json()["data"]["id"].as_i64().unwrap();
        let path = at(id);
        assert_eq!(stored.header("location"), Some(&*path));
        same(&stored, &path, 201, "Plan created.").await;
        let put = send(&client, ("PUT", &path), prefer, &plan("returned-2")).await;
        same(&put, &path, 200, "Plan updated.").await;
        // The tag is the one of the next change.
        let tag = put.header("etag").unwrap();
        let headers = [("if-match", tag), REPRESENTATION];
        let patched = send(&client, ("PATCH", &path), &headers, &json!({ "last": 6 })).await;
        same(&patched, &path, 200, "Plan updated.").await;
        assert_eq!(patched.json()["data"]["last"], 6);
        // What is shown of it can be chosen.
        let some = format!("{path}?fields=last");
        let chosen = send(&client, ("PATCH", &some), prefer, &json!({ "last": 7 })).await;
        same(&chosen, &some, 200, "Plan updated.").await;
        assert_eq!(chosen.json()["data"], json!({ "id": id, "last": 7 }));
        let wrong = format!("{path}?sort=id");
        let reply = send(&client, ("PATCH", &wrong), prefer, &json!({ "last": 8 })).await;
        let _ = reply.error(400);
        assert_eq!(planned.row(id).await.unwrap().last, 7);
        let _ = client.delete(&path).await.ok();
        let restore = format!("{path}/restore");
        let restored = send(&client, ("POST", &restore), prefer, &json!({})).await;
        same(&restored, &path, 200, "Plan restored.").await;
        // Without the preference, or with another one, the answer is the contract's.
        let minimal = [("prefer", "return=minimal")];
        for headers in [&[][..], &minimal] {
            let reply = send(&client, ("PATCH", &path), headers, &json!({ "last": 9 }))
                .await
                .ok();
            assert_eq!(reply.json().get("data"), None);
            assert_eq!(reply.header("etag"), None);
            assert_eq!(reply.header("preference-applied"), None);
        }
    });
}

/// Rules d122, d132, b722.
#[test]
fn a_writer_who_may_not_read_the_record_is_not_shown_it() {
    on_each_planned(async |planned| {
        let client = planned.client("shy");
        let prefer = &[REPRESENTATION][..];
        let stored = send(&client, ("POST", "/api/shy"), prefer, &plan("closed")).await;
        let id = stored.created();
        assert_eq!(stored.json()["data"], json!({ "id": id }));
        assert_eq!(stored.header("etag"), None);
        let path = format!("/api/shy/{id}");
        let put = send(&client, ("PATCH", &path), prefer, &json!({ "last": 6 }))
            .await
            .ok();
        assert_eq!(put.json().get("data"), None);
        assert_eq!(put.header("preference-applied"), None);
        // What is decided about is the record as it is then.
        let open = send(
            &client,
            ("PATCH", &path),
            prefer,
            &json!({ "name": "opened" }),
        )
        .await
        .ok();
        assert_eq!(open.json()["data"]["name"], "opened");
        let shut = send(
            &client,
            ("PATCH", &path),
            prefer,
            &json!({ "name": "shut" }),
        )
        .await
        .ok();
        assert_eq!(shut.json().get("data"), None);
    });
}
