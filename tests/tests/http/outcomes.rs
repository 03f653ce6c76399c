//! Writes whose outcome is not known, and servers that take no writes or connections for a while.

use axum::http::header;
use listing_tests::{Engine, Reply, Service, run};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::errors::assert_layout;
use crate::lossy::{Lost, Proxy};

fn article(slug: &str) -> Value {
    json!({ "title": "Written", "slug": slug, "is_active": true })
}

#[track_caller]
fn assert_unknown(reply: &Reply) {
    assert_layout(reply);
    assert_eq!(reply.error_code(503), "outcome_unknown");
    assert_eq!(reply.headers.get(header::RETRY_AFTER), None);
}

#[track_caller]
fn assert_away(reply: &Reply) {
    assert_layout(reply);
    assert_eq!(reply.error_code(503), "unavailable");
    assert_eq!(reply.headers[header::RETRY_AFTER], "1");
}

/// How many articles have this slug.
async fn found(service: &Service, slug: &str) -> usize {
    let list = format!("/api/articles?filters[slug]={slug}");
    service.get(&list).await.ids().len()
}

/// Rule b593.
#[test]
fn a_write_whose_commit_was_not_answered_has_an_unknown_outcome() {
    for engine in [Engine::Postgres, Engine::Mysql] {
        run(async {
            let direct = Service::fresh(engine).await;
            let proxy = Proxy::before(&direct.db, engine).await;
            let service = proxy.service(&direct).await;
            let mut id = 0;
            for (lost, written) in [(Lost::Answer, 1), (Lost::Message, 0)] {
                let slug = format!("{lost:?}").to_lowercase();
                proxy.lose_commit(lost);
                assert_unknown(&service.post("/api/articles", &article(&slug)).await);
                assert_eq!(found(&direct, &slug).await, written, "{engine}: {lost:?}");
                // Nothing is wrong afterwards.
                let next = article(&format!("{slug}-2"));
                id = service.post("/api/articles", &next).await.created();
            }
            let path = format!("/api/articles/{id}");
            proxy.lose_commit(Lost::Answer);
            assert_unknown(&service.put(&path, &article("put")).await);
            assert_eq!(found(&direct, "put").await, 1, "{engine}");
            proxy.lose_commit(Lost::Message);
            assert_unknown(&service.delete(&path).await);
            assert_eq!(found(&direct, "put").await, 1, "{engine}");
        });
    }
}

/// Rule b1153.
#[test]
fn a_write_of_unknown_outcome_that_has_a_key_is_carried_out_once_when_it_is_repeated() {
    for engine in [Engine::Postgres, Engine::Mysql] {
        run(async {
            let direct = Service::fresh(engine).await;
            let proxy = Proxy::before(&direct.db, engine).await;
            let service = proxy.service(&direct).await;
            for (lost, written) in [(Lost::Answer, 1), (Lost::Message, 0)] {
                let slug = format!("{lost:?}").to_lowercase();
                let client = service.client().with_header("idempotency-key", &slug);
                proxy.lose_commit(lost);
                let unknown = client.post("/api/articles", &article(&slug)).await;
                assert_layout(&unknown);
                assert_eq!(unknown.error_code(503), "outcome_unknown");
                assert_eq!(unknown.headers[header::RETRY_AFTER], "1");
                // Nothing was sent again by the service itself.
                assert_eq!(found(&direct, &slug).await, written, "{engine}: {lost:?}");
                let again = client.post("/api/articles", &article(&slug)).await;
                again.created();
                let is_replayed = again.header("idempotency-replayed") == Some("true");
                assert_eq!(is_replayed, written == 1, "{engine}: {lost:?}");
                assert_eq!(found(&direct, &slug).await, 1, "{engine}: {lost:?}");
            }
        });
    }
}

/// Rule b593.
#[test]
fn a_commit_that_the_database_refuses_has_a_known_outcome() {
    run(async {
        let service = Service::fresh(Engine::Postgres).await;
        let sql = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN RAISE EXCEPTION 'late' USING ERRCODE = '40001'; END $$; \
             CREATE CONSTRAINT TRIGGER late AFTER INSERT ON articles DEFERRABLE INITIALLY DEFERRED \
             FOR EACH ROW EXECUTE FUNCTION refuse()";
        service.db.execute_unprepared(sql).await.unwrap();
        assert_away(&service.post("/api/articles", &article("refused")).await);
        assert_eq!(found(&service, "refused").await, 0);
    });
}

/// Rule b594.
#[test]
fn a_server_that_became_read_only_is_503_until_it_is_writable_again() {
    run(async {
        let direct = Service::fresh(Engine::Postgres).await;
        let options = direct.db.get_postgres_connection_pool().connect_options();
        let name = options.get_database().unwrap();
        let proxy = Proxy::before(&direct.db, Engine::Postgres).await;
        let turn = async |to: &str| {
            let sql = format!("ALTER DATABASE {name} SET default_transaction_read_only = {to}");
            // What turns it back must not be read-only itself.
            let sql = format!("BEGIN READ WRITE; {sql}; COMMIT");
            direct.db.execute_unprepared(&sql).await.unwrap();
        };
        turn("on").await;
        let service = proxy.service(&direct).await;
        assert_away(&service.post("/api/articles", &article("read-only")).await);
        assert_away(&service.delete("/api/articles/1").await);
        assert_eq!(service.get("/api/articles").await.status, 200);
        turn("off").await;
        let service = proxy.service(&direct).await;
        service
            .post("/api/articles", &article("read-only"))
            .await
            .created();
    });
    run(async {
        // As MariaDB says it where it is read-only: the server itself, which others use, stays as it is.
        let service = Service::fresh(Engine::Mysql).await;
        let sql = "CREATE TRIGGER read_only BEFORE INSERT ON articles FOR EACH ROW \
             SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1290, MESSAGE_TEXT = \
             'The MariaDB server is running with the --read-only option so it cannot execute this statement'";
        service.db.execute_unprepared(sql).await.unwrap();
        assert_away(&service.post("/api/articles", &article("read-only")).await);
        let sql = "DROP TRIGGER read_only";
        service.db.execute_unprepared(sql).await.unwrap();
        service
            .post("/api/articles", &article("read-only"))
            .await
            .created();
    });
}

/// Rule b594.
#[test]
fn a_server_without_room_for_a_connection_is_503() {
    run(async {
        let direct = Service::fresh(Engine::Mysql).await;
        let proxy = Proxy::before(&direct.db, Engine::Mysql).await;
        let service = proxy.service(&direct).await;
        assert_eq!(service.get("/api/articles").await.status, 200);
        proxy.fill();
        for _ in 0..3 {
            assert_away(&service.get("/api/articles").await);
            assert_away(&service.post("/api/articles", &article("full")).await);
        }
        proxy.make_room();
        assert_eq!(service.get("/api/articles").await.status, 200);
        service
            .post("/api/articles", &article("full"))
            .await
            .created();
    });
}
