//! Hooks that run in the transaction of a write, and after it (d123).

use sea_orm::{ConnectionTrait, DbBackend};
use serde_json::json;

use crate::hooked::{Act, Script, WRITES, client, send, write};
use crate::plans::{on_each_planned, plan};

/// Rule d123.
#[test]
fn hooks_run_around_each_write_with_the_record_as_it_was_and_as_it_will_be() {
    on_each_planned(async |planned| {
        let script = Script::of(&[
            ("before_store", Act::Change),
            ("before_destroy", Act::Change),
        ]);
        let owner = "hooks-run";
        let client = client(planned, owner, &script);
        let id = client.post("/api/hooked", &plan("run-1")).await.created();
        assert_eq!(
            script.take(),
            [
                r#"before_store Store false from None to "run-1", stored None"#.to_owned(),
                r#"after_store Store true from None to "run-1", stored Some("run-1")"#.to_owned(),
                format!(r#"after_commit Store {id} from None to "run-1""#),
            ]
        );
        assert_eq!(planned.row(id).await.unwrap().visits, 7);
        let path = format!("/api/hooked/{id}");
        let _ = send(&client, "PUT", &path, &plan("run-2")).await.ok();
        let expected = |hook: &str, operation: &str, old: &str, new: &str, stored: bool| {
            let stored = stored.then_some(new);
            let middle = format!("{operation} true from Some({old:?}) to {new:?}");
            format!("{hook} {middle}, stored {stored:?}")
        };
        let told = |operation: &str, old: &str, new: &str| {
            format!("after_commit {operation} {id} from Some({old:?}) to {new:?}")
        };
        assert_eq!(
            script.take(),
            [
                expected("before_update", "Update", "run-1", "run-2", false),
                expected("after_update", "Update", "run-1", "run-2", true),
                told("Update", "run-1", "run-2"),
            ]
        );
        let _ = client.delete(&path).await.ok();
        assert_eq!(
            script.take(),
            [
                expected("before_destroy", "Destroy", "run-2", "run-2", false),
                expected("after_destroy", "Destroy", "run-2", "run-2", false),
                told("Destroy", "run-2", "run-2"),
            ]
        );
        let _ = client.bare("POST", &format!("{path}/restore")).await.ok();
        assert_eq!(
            script.take(),
            [
                expected("before_restore", "Restore", "run-2", "run-2", false),
                expected("after_restore", "Restore", "run-2", "run-2", true),
                told("Restore", "run-2", "run-2"),
            ]
        );
        for hook in [
            "before_store",
            "after_store",
            "before_update",
            "after_update",
            "before_destroy",
            "after_destroy",
            "before_restore",
            "after_restore",
        ] {
            assert!(planned.has_word(&format!("{hook} {owner}")).await, "{hook}");
        }
        // Each word is written once: a second write of the same kind meets it and is undone.
        let reply = send(&client, "PUT", &path, &plan("run-3")).await;
        assert_eq!(reply.error_code(500), "internal_error");
        assert_eq!(planned.row(id).await.unwrap().name, "run-2");
        assert!(
            !script
                .take()
                .iter()
                .any(|entry| entry.starts_with("after_commit"))
        );
    });
}

/// Rule d123.
#[test]
fn a_hook_that_finds_a_field_wrong_refuses_fails_or_panics_leaves_nothing_behind() {
    on_each_planned(async |planned| {
        for (method, hook) in WRITES {
            for moment in ["before", "after"] {
                for act in [Act::Blame, Act::Refuse, Act::Fail, Act::Panic] {
                    let hook: &'static str = format!("{moment}_{hook}").leak();
                    let owner = format!("{act:?} {hook} {method}");
                    let script = Script::of(&[(hook, act)]);
                    let reply = write(planned, &owner, method, &script).await;
                    match act {
                        Act::Blame => {
                            let invalid = reply.invalid();
                            assert_eq!(invalid["name"], ["name must not be this one."], "{owner}");
                            assert_eq!(invalid["last"], ["last must not be that one."]);
                        }
                        Act::Refuse => {
                            assert_eq!(reply.invalid()["record"], ["Ten plans are enough."]);
                        }
                        _ => assert_eq!(reply.error_code(500), "internal_error", "{owner}"),
                    }
                    let rows = planned.plans_of(&owner).await;
                    let expected = match method {
                        "POST" => None,
                        _ => Some((format!("{owner} {method}"), method == "RESTORE")),
                    };
                    let found: Vec<_> = rows
                        .into_iter()
                        .map(|row| (row.name, row.deleted_at.is_some()))
                        .collect();
                    assert_eq!(found, Vec::from_iter(expected), "{owner}");
                    assert!(
                        !planned.has_word(&format!("{hook} {owner}")).await,
                        "{owner}"
                    );
                    let diary = script.take();
                    assert!(!diary.iter().any(|entry| entry.starts_with("after_commit")));
                }
            }
        }
    });
}

/// Rule d123.
#[test]
fn a_hook_of_a_request_that_is_abandoned_leaves_nothing_behind() {
    on_each_planned(async |planned| {
        for (method, hook) in WRITES {
            for moment in ["before", "after"] {
                let hook: &'static str = format!("{moment}_{hook}").leak();
                let owner = format!("gone {hook} {method}");
                let script = Script::of(&[(hook, Act::Wait)]);
                let request = {
                    let (planned, owner, script) = (planned.clone(), owner.clone(), script.clone());
                    tokio::spawn(async move { write(&planned, &owner, method, &script).await })
                };
                script.0.is_there.notified().await;
                request.abort();
                assert!(request.await.unwrap_err().is_cancelled());
                // The next writer of the record waits until the transaction is undone.
                let quiet = planned.client(&owner);
                let rows = planned.plans_of(&owner).await;
                assert_eq!(rows.len(), usize::from(method != "POST"), "{owner}");
                for row in rows {
                    assert_eq!(row.name, format!("{owner} {method}"));
                    let path = format!("/api/plans/{}?force=true", row.id);
                    let _ = quiet.delete(&path).await.ok();
                }
                assert!(
                    !planned.has_word(&format!("{hook} {owner}")).await,
                    "{owner}"
                );
                assert!(!script.take().contains(&"went on".to_owned()));
            }
        }
    });
}

/// Rules d123, b724.
#[test]
fn after_commit_runs_to_its_end_though_the_client_is_gone_and_a_panic_in_it_undoes_nothing() {
    on_each_planned(async |planned| {
        for (method, _) in WRITES {
            let owner = format!("committed {method}");
            let script = Script::of(&[("after_commit", Act::Wait)]);
            let request = {
                let (planned, owner, script) = (planned.clone(), owner.clone(), script.clone());
                tokio::spawn(async move { write(&planned, &owner, method, &script).await })
            };
            script.0.is_there.notified().await;
            // It is committed by then.
            let rows = planned.plans_of(&owner).await;
            assert_eq!(rows.len(), 1, "{owner}");
            request.abort();
            assert!(request.await.unwrap_err().is_cancelled());
            script.0.go_on.notify_one();
            script.0.is_there.notified().await;
            let diary = script.take();
            assert_eq!(diary.last().unwrap(), "went on");
            let told = diary
                .iter()
                .filter(|entry| entry.starts_with("after_commit"));
            assert_eq!(told.count(), 1, "{owner}: {diary:?}");

            let owner = format!("panicking {method}");
            let script = Script::of(&[("after_commit", Act::Panic)]);
            let reply = write(planned, &owner, method, &script).await;
            assert!(reply.status.is_success(), "{owner}: {}", reply.text());
        }
    });
}

/// Rules d123, b723.
#[test]
fn a_write_that_is_tried_again_runs_its_hooks_again_and_is_told_once() {
    on_each_planned(async |planned| {
        for (method, hook) in WRITES {
            for moment in ["before", "after"] {
                let hook: &'static str = format!("{moment}_{hook}").leak();
                let owner = format!("again {hook} {method}");
                let script = Script::of(&[(hook, Act::Race)]);
                let reply = write(planned, &owner, method, &script).await;
                assert!(reply.status.is_success(), "{owner}: {}", reply.text());
                let diary = script.take();
                let count = |name: &str| {
                    let entries = diary.iter();
                    entries.filter(|entry| entry.starts_with(name)).count()
                };
                assert_eq!(count(hook), 2, "{owner}: {diary:?}");
                assert_eq!(count("after_commit"), 1, "{owner}: {diary:?}");
                assert!(planned.has_word(&format!("{hook} {owner}")).await);
            }
        }
    });
}

/// Rules d123, b723.
#[test]
fn a_payload_that_is_not_valid_meets_no_hook() {
    on_each_planned(async |planned| {
        let script = Script::default();
        let owner = "hooks-invalid";
        let client = client(planned, owner, &script);
        let id = planned
            .client(owner)
            .post("/api/plans", &plan("met"))
            .await
            .created();
        let path = format!("/api/hooked/{id}");
        let wrong = json!({ "name": "" });
        for (method, path) in [("POST", "/api/hooked"), ("PUT", &*path), ("PATCH", &*path)] {
            let reply = send(&client, method, path, &wrong).await;
            assert!(reply.invalid_fields().contains(&"name".to_owned()));
        }
        assert_eq!(
            send(&client, "PATCH", "/api/hooked/987654", &wrong)
                .await
                .status,
            404
        );
        assert_eq!(script.take(), [""; 0]);
    });
}

/// Rule b726.
#[test]
fn a_record_that_cannot_be_read_goes_only_if_no_hook_asks_what_it_was() {
    on_each_planned(async |planned| {
        // Other databases keep no text in a column of integers.
        if planned.db().get_database_backend() != DbBackend::Sqlite {
            return;
        }
        let owner = "hooks-unreadable";
        let quiet = planned.client(owner);
        let id = quiet
            .post("/api/plans", &plan("unreadable"))
            .await
            .created();
        let sql = format!("UPDATE plans SET visits = 'many' WHERE id = {id}");
        planned.db().execute_unprepared(&sql).await.unwrap();
        let script = Script::default();
        let hooked = client(planned, owner, &script);
        let path = format!("{id}?force=true");
        let refused = hooked.delete(&format!("/api/hooked/{path}")).await;
        assert_eq!(refused.error_code(500), "unreadable_record");
        assert_eq!(quiet.get("/api/plans").await.total(), 1);
        let _ = quiet.delete(&format!("/api/plans/{path}")).await.ok();
        assert_eq!(quiet.get("/api/plans").await.total(), 0);
    });
}
