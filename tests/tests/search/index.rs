//! The index of full-text search is filled when it is created, true after every change, and dropped without a trace.

use blog::migration::Migrator;
use listing::Dialect;
use listing::migration::FullTextIndex;
use listing_tests::{Engine, fresh_database, on_each, run};
use sea_orm::{ConnectionTrait, TransactionTrait};
use sea_orm_migration::MigratorTrait;

use crate::notes::{Notes, index, on_notes};

/// Rule d87.
#[test]
fn an_index_is_filled_from_the_rows_that_are_there() {
    on_each(|engine| {
        run(async {
            let notes = Notes::without_index(engine).await;
            notes.add(1, 1, "Old maps", None).await;
            notes.add(2, 1, "Night", Some("old trains")).await;
            index().create(&notes.db).await.unwrap();
            assert_eq!(notes.by_words("old").await, [1, 2]);
            notes.add(3, 1, "Old", None).await;
            assert_eq!(notes.by_words("old").await, [1, 2, 3]);
        });
    });
}

/// Rule d87.
#[test]
fn updates_and_deletes_keep_the_index_true() {
    let rows = [("Old maps", Some("paper")), ("Night trains", None)];
    on_notes(&rows, async |notes| {
        let change = async |text: &str| notes.change(text, []).await.unwrap();
        change("UPDATE notes SET title = 'New maps' WHERE id = 1").await;
        assert_eq!(notes.by_words("old").await, [0; 0]);
        assert_eq!(notes.by_words("new maps paper").await, [1]);
        change("UPDATE notes SET body = 'steam' WHERE id = 2").await;
        assert_eq!(notes.by_words("steam").await, [2]);
        change("UPDATE notes SET body = NULL WHERE id = 1").await;
        assert_eq!(notes.by_words("paper").await, [0; 0]);
        change("UPDATE notes SET id = 7 WHERE id = 1").await;
        assert_eq!(notes.by_words("maps").await, [7]);
        change("DELETE FROM notes WHERE id = 7").await;
        assert_eq!(notes.by_words("maps").await, [0; 0]);
        notes.add(7, 1, "Fresh", None).await;
        assert_eq!(notes.by_words("maps").await, [0; 0]);
        assert_eq!(notes.by_words("fresh").await, [7]);
        assert_eq!(notes.by_words("-fresh").await, [2]);
    });
}

/// Rule d87.
#[test]
fn what_is_rolled_back_is_not_found() {
    on_notes(&[("Old maps", None)], async |notes| {
        let transaction = notes.db.begin().await.unwrap();
        let update = "UPDATE notes SET title = 'New maps' WHERE id = 1";
        transaction.execute_unprepared(update).await.unwrap();
        transaction.rollback().await.unwrap();
        assert_eq!(notes.by_words("old").await, [1]);
        assert_eq!(notes.by_words("new").await, [0; 0]);
    });
}

/// Rules d87, b249.
#[test]
fn replaced_rows_and_upserts_are_found_by_their_new_words() {
    on_notes(&[("Old maps", None), ("Night", None)], async |notes| {
        let upsert = match notes.engine {
            Engine::Postgres => {
                "INSERT INTO notes (id, tenant_id, title) VALUES (1, 1, 'New trains') \
                 ON CONFLICT (id) DO UPDATE SET title = excluded.title"
            }
            Engine::Mysql | Engine::Sqlite => {
                "REPLACE INTO notes (id, tenant_id, title) VALUES (1, 1, 'New trains')"
            }
        };
        notes.change(upsert, []).await.unwrap();
        assert_eq!(notes.by_words("maps").await, [0; 0]);
        assert_eq!(notes.by_words("trains").await, [1]);
        if notes.engine == Engine::Sqlite {
            let upsert = "INSERT INTO notes (id, tenant_id, title) VALUES (1, 1, 'Third') \
                          ON CONFLICT (id) DO UPDATE SET title = excluded.title";
            notes.change(upsert, []).await.unwrap();
            assert_eq!(notes.by_words("trains").await, [0; 0]);
            assert_eq!(notes.by_words("third").await, [1]);
        }
    });
}

/// Rule d87.
#[test]
fn an_index_that_was_paused_has_the_rows_of_the_meantime() {
    on_notes(&[("Old maps", None)], async |notes| {
        index().pause(&notes.db).await.unwrap();
        notes.add(2, 1, "More maps", None).await;
        let change = "UPDATE notes SET title = 'Trains' WHERE id = 1";
        notes.change(change, []).await.unwrap();
        index().resume(&notes.db).await.unwrap();
        assert_eq!(notes.by_words("maps").await, [2]);
        assert_eq!(notes.by_words("trains").await, [1]);
        notes.add(3, 1, "Maps", None).await;
        assert_eq!(notes.by_words("maps").await, [2, 3]);
    });
}

/// Rule d87.
#[test]
fn an_index_can_be_dropped_and_created_again() {
    on_notes(&[("Old maps", None)], async |notes| {
        for id in 2..4 {
            index().drop(&notes.db).await.unwrap();
            notes.add(id, 1, "Between", None).await;
            index().create(&notes.db).await.unwrap();
            assert_eq!(notes.by_words("maps").await, [1]);
            assert_eq!(
                notes.by_words("between").await,
                (2..=id).collect::<Vec<_>>()
            );
        }
    });
}

/// Rule d87.
#[test]
fn the_migrations_of_the_blog_go_down_and_up_again() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            Migrator::up(&db, None).await.unwrap();
            Migrator::down(&db, None).await.unwrap();
            Migrator::up(&db, None).await.unwrap();
        });
    });
}

/// Rule d87.
#[test]
fn an_index_without_columns_or_with_an_odd_language_is_not_created() {
    on_each(|engine| {
        run(async {
            let notes = Notes::without_index(engine).await;
            let none: [&str; 0] = [];
            let error = FullTextIndex::on("notes", none).create(&notes.db).await;
            let error = error.unwrap_err().to_string();
            assert!(error.contains("`notes` has no columns"), "{error}");
            let odd = index().language("english'); DROP TABLE notes; --");
            let error = odd.create(&notes.db).await.unwrap_err().to_string();
            assert!(error.contains("text search configuration"), "{error}");
            assert_eq!(notes.by_letters("old").await, [0; 0], "the table is there");
        });
    });
}

/// Rule d87.
#[test]
fn a_language_finds_the_forms_of_a_word() {
    run(async {
        let notes = Notes::without_index(Engine::Postgres).await;
        let english = index().language("english");
        let create = english.create_sql(Dialect::Postgres);
        assert!(create[0].contains("to_tsvector('english', "), "{create:?}");
        english.create(&notes.db).await.unwrap();
        notes.add(1, 1, "Running trains", None).await;
        // The listing of these tests has no language: `simple` looks for the word as it is.
        assert_eq!(notes.by_words("run").await, [1], "the index holds stems");
        assert_eq!(notes.by_words("running").await, [0; 0]);
    });
}

/// Rule b248.
#[test]
fn a_text_of_any_length_can_be_saved_and_its_beginning_is_found() {
    on_notes(&[], async |notes| {
        // A megabyte in which no word is there twice: more than a `tsvector` holds.
        let mut long = String::from("beginning ");
        for number in 0.. {
            long.push_str(&format!("w{number:x} "));
            if long.len() > 1_000_000 {
                break;
            }
        }
        notes.add(1, 1, "Long", Some(&long)).await;
        // Four bytes a letter, and three words each.
        let letter = |number: u32| char::from_u32(0x20000 + number % 40_000).unwrap();
        let odd: String = (0..60_000)
            .map(|number| format!("{}-{} ", letter(number), letter(number * 7 + 1)))
            .collect();
        notes.add(2, 1, "Odd", Some(&odd)).await;
        assert_eq!(found(notes, "beginning long").await, [1]);
        assert_eq!(found(notes, "odd").await, [2]);
    });
}

/// The rows of these words, as soon as there are any. While a busy MariaDB writes the words of a text as large as these from
/// its cache into the index, it does not find them for a moment.
async fn found(notes: &Notes, words: &str) -> Vec<i64> {
    for _ in 0..5_000 {
        let found = notes.by_words(words).await;
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}
