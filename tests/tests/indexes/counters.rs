//! A counter that the database keeps is true after every kind of change (b263).

use listing::migration::Counter;
use listing_tests::{Engine, on_each, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement, TransactionTrait};

use crate::posts::{counters, tables};

/// The rows whose counter is wrong.
async fn wrong(db: &DatabaseConnection) -> Vec<(String, i64, i64, i64)> {
    let mut wrong = Vec::new();
    for (table, kept, counted) in [
        (
            "posts",
            "replies_count",
            "SELECT COUNT(*) FROM replies r WHERE r.post_id = t.id AND NOT r.is_hidden AND r.deleted_at IS NULL",
        ),
        (
            "topics",
            "posts_count",
            "SELECT COUNT(*) FROM post_topics l JOIN posts p ON p.id = l.post_id \
             WHERE l.topic_id = t.id AND p.deleted_at IS NULL",
        ),
    ] {
        let sql = format!("SELECT t.id, t.{kept}, ({counted}) AS counted FROM {table} t");
        let statement = Statement::from_string(db.get_database_backend(), sql);
        for row in db.query_all_raw(statement).await.unwrap() {
            let number = |at| row.try_get_by_index::<i64>(at).unwrap();
            if number(1) != number(2) {
                wrong.push((table.to_owned(), number(0), number(1), number(2)));
            }
        }
    }
    wrong
}

async fn fill(db: &DatabaseConnection) {
    for sql in ROWS {
        db.execute_unprepared(sql).await.unwrap();
    }
}

async fn create(db: &DatabaseConnection) {
    for counter in counters() {
        counter.create(db).await.unwrap();
    }
}

const ROWS: &[&str] = &[
    "INSERT INTO posts (id, deleted_at) VALUES (1, NULL), (2, NULL), (3, '2026-01-01 00:00:00'), (4, NULL)",
    "INSERT INTO topics (id) VALUES (1), (2), (3)",
    "INSERT INTO replies (id, post_id, is_hidden) VALUES (1, 1, FALSE), (2, 1, FALSE), (3, 1, TRUE), (4, 2, FALSE), (5, NULL, FALSE)",
    "INSERT INTO post_topics (post_id, topic_id) VALUES (1, 1), (2, 1), (3, 1), (1, 2), (4, 3)",
];

/// Each kind of change once.
const CHANGES: &[&str] = &[
    "INSERT INTO replies (id, post_id, is_hidden) VALUES (10, 1, FALSE), (11, 2, TRUE), (12, 4, FALSE)",
    // To another post, to none, and from none.
    "UPDATE replies SET post_id = 2 WHERE id = 1",
    "UPDATE replies SET post_id = NULL WHERE id = 2",
    "UPDATE replies SET post_id = 4 WHERE id = 5",
    "UPDATE replies SET post_id = 2, is_hidden = TRUE WHERE id = 10",
    // Hidden, shown, and neither.
    "UPDATE replies SET is_hidden = TRUE WHERE id = 4",
    "UPDATE replies SET is_hidden = FALSE WHERE id IN (3, 4, 11)",
    "UPDATE replies SET note = 1",
    // In the bin and out of it.
    "UPDATE replies SET deleted_at = '2026-01-01 00:00:00' WHERE id IN (3, 12)",
    "UPDATE replies SET deleted_at = '2026-01-02 00:00:00' WHERE id = 12",
    "UPDATE replies SET deleted_at = NULL WHERE id = 12",
    "DELETE FROM replies WHERE id IN (3, 4)",
    // Links, and rows to which they lead.
    "INSERT INTO post_topics (post_id, topic_id) VALUES (2, 2), (3, 2)",
    "UPDATE post_topics SET topic_id = 3 WHERE post_id = 2 AND topic_id = 1",
    "UPDATE posts SET deleted_at = '2026-01-01 00:00:00' WHERE id = 1",
    "UPDATE posts SET deleted_at = NULL WHERE id IN (1, 3)",
    "DELETE FROM post_topics WHERE post_id = 1 AND topic_id = 1",
    // With everything that belongs to it.
    "DELETE FROM posts WHERE id = 2",
    "DELETE FROM topics WHERE id = 1",
    "DELETE FROM posts WHERE id = 3",
    "DELETE FROM replies",
    "DELETE FROM post_topics",
];

/// Rule b263.
#[test]
fn a_counter_follows_every_change() {
    on_each(|engine| {
        run(async {
            let db = tables(engine).await;
            fill(&db).await;
            create(&db).await;
            assert_eq!(wrong(&db).await, [], "filled from the rows that are there");
            for change in CHANGES {
                db.execute_unprepared(change).await.unwrap();
                assert_eq!(wrong(&db).await, [], "after {change}");
            }
            let transaction = db.begin().await.unwrap();
            let insert = "INSERT INTO replies (id, post_id, is_hidden) VALUES (90, 1, FALSE)";
            transaction.execute_unprepared(insert).await.unwrap();
            transaction.rollback().await.unwrap();
            assert_eq!(wrong(&db).await, [], "after a rollback");
        });
    });
}

/// Rule b263.
#[test]
fn a_counter_is_dropped_without_a_trace_and_can_be_created_again() {
    on_each(|engine| {
        run(async {
            let db = tables(engine).await;
            for _ in 0..2 {
                create(&db).await;
                for counter in counters() {
                    counter.drop(&db).await.unwrap();
                }
            }
            create(&db).await;
            fill(&db).await;
            assert_eq!(wrong(&db).await, []);
        });
    });
}

/// As one of an earlier version, or one that could not be created whole.
/// Rule b559.
#[test]
fn a_counter_that_lacks_a_trigger_is_dropped() {
    on_each(|engine| {
        run(async {
            let db = tables(engine).await;
            create(&db).await;
            let lacking = match engine {
                Engine::Postgres => "DROP FUNCTION posts_replies_count_update() CASCADE",
                Engine::Mysql | Engine::Sqlite => "DROP TRIGGER posts_replies_count_update",
            };
            db.execute_unprepared(lacking).await.unwrap();
            for counter in counters() {
                counter.drop(&db).await.unwrap();
                // The column is gone.
                counter.drop(&db).await.unwrap_err();
            }
            create(&db).await;
            fill(&db).await;
            assert_eq!(wrong(&db).await, []);
        });
    });
}

/// Rule b263.
#[test]
fn what_triggers_do_not_see_is_counted_anew() {
    on_each(|engine| {
        run(async {
            let db = tables(engine).await;
            create(&db).await;
            fill(&db).await;
            db.execute_unprepared("UPDATE posts SET replies_count = 77")
                .await
                .unwrap();
            assert!(!wrong(&db).await.is_empty());
            for counter in counters() {
                counter.refresh(&db).await.unwrap();
            }
            assert_eq!(wrong(&db).await, []);
        });
    });
}

/// Of two writers at the same time neither sees the other's row, and both are counted.
/// Rule b263.
#[test]
fn rows_that_are_written_at_the_same_time_are_all_counted() {
    on_each(|engine| {
        run(async {
            let db = tables(engine).await;
            create(&db).await;
            fill(&db).await;
            let writers = (0..4).map(|writer| {
                let db = db.clone();
                async move {
                    for at in 0..25 {
                        let id = 1_000 + writer * 100 + at;
                        let insert = format!(
                            "INSERT INTO replies (id, post_id, is_hidden) VALUES ({id}, 1, FALSE)"
                        );
                        // MariaDB can take writers of one parent for a deadlock, and asks to try again.
                        while let Err(error) = db.execute_unprepared(&insert).await {
                            assert!(error.to_string().contains("Deadlock"), "{error}");
                        }
                    }
                }
            });
            futures_util::future::join_all(writers).await;
            assert_eq!(wrong(&db).await, []);
        });
    });
}

/// Elsewhere, rows that a foreign key deletes are counted like others.
/// Rule b483.
#[test]
fn a_foreign_key_that_fires_no_triggers_is_refused() {
    on_each(|engine| {
        run(async {
            let db = tables(engine).await;
            for sql in [
                "CREATE TABLE people (id BIGINT PRIMARY KEY)",
                "CREATE TABLE answers (id BIGINT PRIMARY KEY, post_id BIGINT, person_id BIGINT, editor_id BIGINT, \
                 FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE, \
                 FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE, \
                 FOREIGN KEY (editor_id) REFERENCES people (id) ON DELETE SET NULL)",
                "INSERT INTO posts (id) VALUES (1)",
                "INSERT INTO people (id) VALUES (1), (2)",
                "INSERT INTO answers (id, post_id, person_id, editor_id) VALUES (1, 1, 1, 2), (2, 1, 2, 1), (3, 1, 2, 2)",
            ] {
                db.execute_unprepared(sql).await.unwrap();
            }
            let answers = Counter::in_column("posts", "answers_count").of("answers", "post_id");
            let created = answers.create(&db).await;
            if engine == Engine::Mysql {
                let error = created.unwrap_err().to_string();
                assert!(error.contains("(person_id)"), "{error}");
                assert!(error.contains("fire no triggers"), "{error}");
                return;
            }
            created.unwrap();
            let deleted = "DELETE FROM people WHERE id = 1";
            db.execute_unprepared(deleted).await.unwrap();
            let statement = Statement::from_string(
                db.get_database_backend(),
                "SELECT answers_count FROM posts",
            );
            let row = db.query_one_raw(statement).await.unwrap().unwrap();
            assert_eq!(row.try_get_by_index::<i64>(0).unwrap(), 2);
        });
    });
}

/// PostgreSQL would cut them all off at the same place, and MariaDB refuses them.
/// Rule b487.
#[test]
fn a_counter_may_have_a_long_name() {
    let column = "number_of_replies_that_everybody_can_see_under_this_post";
    on_each(|engine| {
        run(async {
            let db = tables(engine).await;
            let counter = Counter::in_column("posts", column).of("replies", "post_id");
            counter.create(&db).await.unwrap();
            fill(&db).await;
            let deleted = "DELETE FROM replies WHERE id = 1";
            db.execute_unprepared(deleted).await.unwrap();
            let statement = Statement::from_string(
                db.get_database_backend(),
                format!("SELECT {column} FROM posts WHERE id = 1"),
            );
            let row = db.query_one_raw(statement).await.unwrap().unwrap();
            assert_eq!(row.try_get_by_index::<i64>(0).unwrap(), 2);
            counter.drop(&db).await.unwrap();
        });
    });
}

/// Foreign keys follow new keys, those of both ends of a link too.
/// Rule b486.
#[test]
fn a_row_keeps_its_number_under_a_new_key() {
    on_each(|engine| {
        run(async {
            let db = tables(engine).await;
            create(&db).await;
            fill(&db).await;
            let mut changes = vec![
                "UPDATE posts SET id = 40 WHERE id = 1",
                "UPDATE posts SET id = 50 WHERE id = 3",
                "UPDATE topics SET id = 60 WHERE id = 1",
            ];
            if engine != Engine::Mysql {
                changes.extend([
                    "UPDATE posts SET id = 41, deleted_at = '2026-01-01 00:00:00' WHERE id = 40",
                    "UPDATE posts SET id = 42, deleted_at = NULL WHERE id = 41",
                ]);
            }
            for change in changes {
                db.execute_unprepared(change).await.unwrap();
                assert_eq!(wrong(&db).await, [], "after {change}");
            }
        });
    });
}

/// Neither would see the other's change: the row in the bin would be counted for ever.
/// Rule b263.
#[test]
fn a_row_is_not_put_in_the_bin_while_it_is_being_linked() {
    const TO_THE_BIN: &str = "UPDATE posts SET deleted_at = '2026-01-01 00:00:00' WHERE id = 4";
    on_each(|engine| {
        if engine != Engine::Postgres {
            return;
        }
        run(async {
            let db = tables(engine).await;
            create(&db).await;
            fill(&db).await;
            let linking = db.begin().await.unwrap();
            let link = "INSERT INTO post_topics (post_id, topic_id) VALUES (4, 1)";
            linking.execute_unprepared(link).await.unwrap();
            let binning = db.begin().await.unwrap();
            let patience = "SET LOCAL lock_timeout = '100ms'";
            binning.execute_unprepared(patience).await.unwrap();
            let waited = binning.execute_unprepared(TO_THE_BIN).await.unwrap_err();
            assert!(waited.to_string().contains("lock timeout"), "{waited}");
            binning.rollback().await.unwrap();
            linking.commit().await.unwrap();
            db.execute_unprepared(TO_THE_BIN).await.unwrap();
            assert_eq!(wrong(&db).await, []);
        });
    });
}

/// What cannot be created whole leaves nothing behind.
/// Rule b484.
#[test]
fn a_counter_is_one_transaction_on_postgresql() {
    on_each(|engine| {
        if engine != Engine::Postgres {
            return;
        }
        run(async {
            let db = tables(engine).await;
            let wrong_key = Counter::in_column("posts", "replies_count").of("replies", "zzz_id");
            wrong_key.create(&db).await.unwrap_err();
            create(&db).await;
            fill(&db).await;
            assert_eq!(wrong(&db).await, []);
        });
    });
}

/// Rules b263, b485.
#[test]
fn a_counter_that_cannot_be_kept_is_refused() {
    on_each(|engine| {
        run(async {
            let db = tables(engine).await;
            let nothing = Counter::in_column("posts", "replies_count");
            let error = nothing.create(&db).await.unwrap_err().to_string();
            assert!(error.contains("does not say what it counts"), "{error}");
            // Rows of its own table, through a junction and by a foreign key.
            let linked = Counter::in_column("posts", "replied_count").of_linked(
                "posts",
                "id",
                ("post_posts", "to_id", "from_id"),
            );
            let error = linked.create(&db).await.unwrap_err().to_string();
            assert!(
                error.contains("its own table through a junction"),
                "{error}"
            );
            db.execute_unprepared("ALTER TABLE posts ADD COLUMN parent_id BIGINT")
                .await
                .unwrap();
            let own = Counter::in_column("posts", "parts_count").of("posts", "parent_id");
            let created = own.create(&db).await;
            if engine == Engine::Mysql {
                let error = created.unwrap_err().to_string();
                assert!(error.contains("its own table"), "{error}");
                return;
            }
            created.unwrap();
            for sql in [
                "INSERT INTO posts (id, parent_id) VALUES (1, NULL), (2, 1), (3, 1)",
                "UPDATE posts SET parent_id = 2 WHERE id = 3",
            ] {
                db.execute_unprepared(sql).await.unwrap();
            }
            let statement = Statement::from_string(
                db.get_database_backend(),
                "SELECT parts_count FROM posts ORDER BY id",
            );
            let rows = db.query_all_raw(statement).await.unwrap();
            let counts: Vec<i64> = rows
                .iter()
                .map(|row| row.try_get_by_index(0).unwrap())
                .collect();
            assert_eq!(counts, [1, 1, 0]);
        });
    });
}
