//! What a soft delete does to every endpoint, and how it is undone or made final (contract 3, d62).

use blog::data::demo_rows;
use blog::entity::comment;
use blog::listings::CurrentUser;
use listing::Context;
use listing_tests::{Reply, Service, on_each_database, on_each_written_database};
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter};
use serde_json::json;

use crate::articles::{PATH, at, create, payload, restore, row};
use crate::own::entity::mark;
use crate::own::on_each_own;

/// How often a list shows the record.
async fn listed(service: &Service, id: i64, more: &str) -> usize {
    let path = format!("{PATH}?filters[id][$eq]={id}{more}");
    let reply = service.get(&path).await.ok();
    assert_eq!(reply.total(), reply.items().len() as u64);
    reply.items().len()
}

fn signed_in(service: &Service) -> Service {
    service.with_context(Context::new().with(CurrentUser { author_id: 1 }))
}

/// Rules c3_p1, d62.
#[test]
fn a_deleted_record_is_absent_everywhere_and_can_be_restored() {
    on_each_written_database(async |service| {
        let id = create(service, "gone").await;
        assert_eq!(listed(service, id, "").await, 1);
        let before = row(service, id).await.unwrap();
        let _ = service.delete(&at(id)).await.ok();
        assert_eq!(listed(service, id, "").await, 0);
        let absent = service.get(&at(987_654_321)).await;
        for reply in [
            service.get(&at(id)).await,
            service.client().bare("HEAD", &at(id)).await,
            service.put(&at(id), &payload("gone")).await,
            service.put(&at(id), &json!({ "title": 7 })).await,
            service.delete(&at(id)).await,
            service.delete(&format!("{}?force=false", at(id))).await,
        ] {
            assert_eq!(reply.status.as_u16(), 404);
            // As if it had never been.
            assert!(reply.bytes.is_empty() || reply.bytes == absent.bytes);
        }
        let deleted = row(service, id).await.unwrap();
        assert_eq!(deleted.updated_at, before.updated_at);

        let reply = restore(service, id).await.ok();
        let message = "Article restored.";
        let expected = json!({ "message": message, "meta": { "code": 200, "message": message } });
        assert_eq!(reply.json(), expected);
        assert_eq!(row(service, id).await.unwrap(), before);
        assert_eq!(listed(service, id, "").await, 1);
        let _ = service.put(&at(id), &payload("gone")).await.ok();
    });
}

/// Rule d62.
#[test]
fn what_is_not_deleted_cannot_be_restored() {
    on_each_written_database(async |service| {
        let id = create(service, "alive").await;
        assert_eq!(restore(service, id).await.error_code(404), "not_found");
        assert_eq!(
            restore(service, 987_654_321).await.error_code(404),
            "not_found"
        );
        let _ = service.delete(&at(id)).await.ok();
        let _ = restore(service, id).await.ok();
        assert_eq!(restore(service, id).await.error_code(404), "not_found");
    });
}

/// Rule d62.
#[test]
fn a_forced_delete_removes_the_row_whether_it_was_deleted_or_not() {
    on_each_written_database(async |service| {
        for (slug, soft_first) in [("forced", false), ("forced-later", true)] {
            let id = create(service, slug).await;
            if soft_first {
                let _ = service.delete(&at(id)).await.ok();
            }
            let forced = format!("{}?force=true", at(id));
            let reply = service.delete(&forced).await.ok();
            assert_eq!(reply.json()["message"], "Article deleted.");
            assert_eq!(row(service, id).await, None);
            for path in [forced, at(id)] {
                assert_eq!(service.delete(&path).await.error_code(404), "not_found");
            }
            assert_eq!(restore(service, id).await.error_code(404), "not_found");
        }
    });
}

/// Rule d62.
#[test]
fn force_is_a_boolean_and_nothing_is_deleted_on_a_guess() {
    on_each_written_database(async |service| {
        let id = create(service, "guessed").await;
        for wrong in [
            "force=maybe",
            "force=2",
            "force=",
            "force",
            "force=true&force=true",
            "force=true&force=false",
            "force=%FF",
            "force=null",
        ] {
            let reply = service.delete(&format!("{}?{wrong}", at(id))).await;
            let error = reply.error(400);
            assert_eq!(error["code"], "wrong_force", "{wrong}");
            assert_eq!(error["details"]["parameter"], "force", "{wrong}");
            assert_eq!(error["details"]["allowed"], json!(["true", "false"]));
        }
        assert_eq!(row(service, id).await.unwrap().deleted_at, None);
        for no in [
            "force=false",
            "force=0",
            "forced=true",
            "a[force]=true",
            "&&",
        ] {
            let _ = service.delete(&format!("{}?{no}", at(id))).await.ok();
            assert!(row(service, id).await.unwrap().deleted_at.is_some(), "{no}");
            let _ = restore(service, id).await.ok();
        }
        for yes in [
            "force=1",
            "force=TRUE",
            "force=%74rue",
            "%66orce=yes",
            "x=1&force=on&",
        ] {
            let id = create(service, "guessed-right").await;
            let _ = service.delete(&format!("{}?{yes}", at(id))).await.ok();
            assert_eq!(row(service, id).await, None, "{yes}");
        }
    });
}

/// Rule d62.
#[test]
fn a_soft_delete_leaves_what_belongs_to_the_record() {
    let demo = demo_rows();
    listing_tests::on_each_fresh_database(async |service| {
        let id = demo.comments[0].article_id;
        let own = comment::Entity::find().filter(comment::Column::ArticleId.eq(id));
        let comments = own.clone().count(&service.db).await.unwrap();
        assert!(comments > 0);
        let _ = service.delete(&at(id)).await.ok();
        assert_eq!(own.clone().count(&service.db).await.unwrap(), comments);
        // Deleted for good, they go with it, as the reference schema says.
        let _ = service.delete(&format!("{}?force=true", at(id))).await.ok();
        assert_eq!(own.count(&service.db).await.unwrap(), 0);
    });
}

/// Rule d62.
#[test]
fn whoever_is_signed_in_can_list_what_is_deleted() {
    on_each_written_database(async |service| {
        let user = signed_in(service);
        let alive = create(service, "bin-alive").await;
        let dead = create(service, "bin-dead").await;
        let _ = service.delete(&at(dead)).await.ok();
        // The user's default filter would hide them: they have no author.
        let any = "&filters[author_id][$null]=true";
        for (trashed, shows_alive, shows_dead) in [
            ("", 1, 0),
            ("&trashed=", 1, 0),
            ("&trashed=with", 1, 1),
            ("&trashed=only", 0, 1),
        ] {
            let more = format!("{any}{trashed}");
            assert_eq!(listed(&user, alive, &more).await, shows_alive, "{trashed}");
            assert_eq!(listed(&user, dead, &more).await, shows_dead, "{trashed}");
            // Nobody else can, and is not told that somebody could.
            assert_eq!(listed(service, alive, &more).await, 1, "{trashed}");
            assert_eq!(listed(service, dead, &more).await, 0, "{trashed}");
        }
        // By body too.
        let asked = json!({ "filters": { "id": { "$eq": dead }, "author_id": { "$null": true } }, "trashed": "only" });
        assert_eq!(user.post_query(PATH, &asked).await.ids(), [dead]);
        assert_eq!(service.post_query(PATH, &asked).await.ids(), [0; 0]);
        // It is about lists: the record itself stays absent.
        let shown = user.get(&format!("{}?trashed=with", at(dead))).await;
        assert_eq!(shown.error_code(400), "for_lists");
        assert_eq!(user.get(&at(dead)).await.error_code(404), "not_found");
    });
}

/// Rule d62.
#[test]
fn a_wrong_value_of_trashed_is_400_where_it_means_something_and_nothing_elsewhere() {
    on_each_database(async |service| {
        let user = signed_in(service);
        for wrong in ["true", "all", "ONLY", "with,only", "without", "1"] {
            let error = user
                .get(&format!("{PATH}?trashed={wrong}"))
                .await
                .error(400);
            assert_eq!(error["code"], "wrong_trashed", "{wrong}");
            assert_eq!(error["details"]["parameter"], "trashed");
            assert_eq!(error["details"]["token"], wrong);
            assert_eq!(error["details"]["allowed"], json!(["with", "only"]));
            // A listing that has no bin, and one that does not open it, know no such parameter.
            for (service, path) in [(&user, "/api/tags"), (service, PATH)] {
                let plain = service.get(path).await.ok();
                let asked = service.get(&format!("{path}?trashed={wrong}")).await.ok();
                assert_ignored(&asked, &plain);
            }
        }
        let plain = user.get("/api/tags").await.ok();
        for known in ["with", "only"] {
            let asked = user.get(&format!("/api/tags?trashed={known}")).await.ok();
            assert_ignored(&asked, &plain);
        }
        let twice = user.get(&format!("{PATH}?trashed=with&trashed=only")).await;
        let _ = twice.error(400);
    });
}

/// The parameter had no effect, and the client is told so as for any unknown one.
fn assert_ignored(asked: &Reply, plain: &Reply) {
    assert_eq!(asked.items(), plain.items());
    let mut meta = asked.meta();
    assert_eq!(meta["ignored"], json!({ "parameters": ["trashed"] }));
    meta.as_object_mut().unwrap().remove("ignored");
    assert_eq!(meta, plain.meta());
}

/// Rule d62.
#[test]
fn only_shows_the_deleted_of_the_demo_data() {
    let demo = demo_rows();
    let (mut deleted, mut alive): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::new());
    for article in demo
        .articles
        .iter()
        .filter(|article| article.author_id.is_some())
    {
        match article.deleted_at {
            Some(_) => deleted.push(article.id),
            None => alive.push(article.id),
        }
    }
    assert!(!deleted.is_empty());
    on_each_database(async |service| {
        let user = signed_in(service);
        let path =
            format!("{PATH}?filters[author_id][$notNull]=true&sort=id&pagination[pageSize]=100");
        let only = user.get(&format!("{path}&trashed=only")).await;
        assert_eq!(only.ids(), deleted);
        let with = user.get(&format!("{path}&trashed=with")).await;
        assert_eq!(with.total(), (alive.len() + deleted.len()) as u64);
    });
}

/// Rules c3_p1, d62.
#[test]
fn an_entity_that_does_not_opt_in_loses_its_row() {
    on_each_own(async |own| {
        let user = own.user("no-bin");
        let note = json!({ "title": "Note", "place": 1, "code": "no-bin" });
        let note = user.post("/api/notes", &note).await.created();
        for query in ["", "?force=true", "?force=maybe"] {
            let payload = json!({ "name": format!("mark{query}"), "note_id": note });
            let stored = user.post("/api/marks", &payload).await;
            let path = stored.header("location").unwrap().to_owned();
            let id: uuid::Uuid = path.rsplit('/').next().unwrap().parse().unwrap();
            let _ = user.delete(&format!("{path}{query}")).await.ok();
            let found = mark::Entity::find_by_id(id).one(own.db()).await.unwrap();
            assert_eq!(found, None);
            assert_eq!(user.delete(&path).await.error_code(404), "not_found");
            // There is nothing to restore, so there is no such route.
            let restore = user.bare("POST", &format!("{path}/restore")).await;
            assert_eq!(restore.error_code(404), "route_not_found");
        }
    });
}
