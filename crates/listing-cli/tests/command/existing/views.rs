//! Views and tables without a primary key, and views that cannot be read.

use super::texts;
use crate::servers::Own;
use crate::shop::{listing, on_sqlite};

/// Rows that are told apart by an index, by one of several columns, and by none.
#[test]
fn b365_rows_without_a_primary_key_are_known_by_what_tells_them_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.sqlite");
    on_sqlite(
        &file,
        "CREATE TABLE seat (place TEXT, number INTEGER NOT NULL, hall INTEGER NOT NULL, code INTEGER NOT NULL,
             UNIQUE (hall, number), UNIQUE (place));
         INSERT INTO seat VALUES ('a', 1, 1, 11), ('b', 2, 1, 12), ('c', 1, 2, 21);
         CREATE VIEW booking AS SELECT place AS name, number AS id, hall AS hall_id, code AS seat_id FROM seat;
         CREATE VIEW ticket AS SELECT place AS seat_id, code AS id FROM seat;
         CREATE VIEW hall AS SELECT hall, number FROM seat",
    );
    let url = format!("sqlite:{}", file.display());
    listing(folder.path(), &["new", "keys", "--from-database", &url])
        .well()
        .says("the view `booking` has no primary key; `seat_id` is taken for it")
        .says("the view `ticket` has no primary key; `id` is taken for it")
        .says("the view `hall` is left out: it has no primary key, and no column tells its rows apart");
    let files = texts(&folder.path().join("keys"));
    let seat = &files["src/entity/seat.rs"];
    for key in ["number", "hall"] {
        let line = format!("#[sea_orm(primary_key, auto_increment = false)]\n    pub {key}: i64,");
        assert!(seat.contains(&line), "{seat}");
    }
    assert!(seat.contains("pub place: Option<String>,"), "{seat}");
}

/// All its columns may be null, as far as the catalogue knows.
#[test]
fn b561_a_materialized_view_is_known_by_its_unique_index() {
    let own = Own::on(
        "LISTING_TEST_POSTGRES_URL",
        "stored",
        "CREATE TABLE seat (id integer PRIMARY KEY, hall integer NOT NULL, number integer NOT NULL, remark integer);
         INSERT INTO seat VALUES (1, 1, 1, 1), (2, 1, 2, NULL), (3, 2, 1, 1);
         CREATE MATERIALIZED VIEW place AS SELECT hall, number FROM seat;
         CREATE UNIQUE INDEX place_key ON place (hall, number);
         CREATE MATERIALIZED VIEW remarked AS SELECT hall, remark FROM seat;
         CREATE UNIQUE INDEX remarked_key ON remarked (hall, remark);
         CREATE MATERIALIZED VIEW later AS SELECT hall, number FROM seat WITH NO DATA;
         CREATE UNIQUE INDEX later_key ON later (hall, number)",
    );
    let folder = tempfile::tempdir().unwrap();
    listing(folder.path(), &["new", "stored", "--from-database", &own.url])
        .well()
        .says("the view `remarked` is left out: it has no primary key, and no column tells its rows apart")
        .says("the view `later` is left out: it cannot be read");
    let files = texts(&folder.path().join("stored"));
    let place = &files["src/entity/place.rs"];
    for key in ["hall", "number"] {
        let line = format!("#[sea_orm(primary_key, auto_increment = false)]\n    pub {key}: i32,");
        assert!(place.contains(&line), "{place}");
    }
}

#[test]
fn b507_a_view_that_cannot_be_read_is_left_out_and_what_a_view_computes_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("views.sqlite");
    on_sqlite(
        &file,
        "CREATE TABLE seat (id INTEGER PRIMARY KEY, hall INTEGER NOT NULL, price REAL);
         INSERT INTO seat VALUES (1, 1, NULL), (2, 1, 9.5), (3, 2, 8);
         CREATE TABLE gone (x INTEGER);
         CREATE VIEW broken AS SELECT x FROM gone;
         DROP TABLE gone;
         CREATE VIEW hall AS SELECT hall AS hall_id, count(*) AS seats, max(price) AS dearest, 'Hall ' || hall AS name,
             NULL AS remark FROM seat GROUP BY hall;
         PRAGMA writable_schema = ON;
         INSERT INTO sqlite_master VALUES ('table', 'places', 'places', 0, 'CREATE VIRTUAL TABLE places USING missing(x)')",
    );
    let url = format!("sqlite:{}", file.display());
    listing(folder.path(), &["new", "views", "--from-database", &url])
        .well()
        .says("the view `broken` is left out: it cannot be read")
        .says("the view `hall` has no primary key; `hall_id` is taken for it")
        // Its module is not in this SQLite.
        .says("`places` is left out: it cannot be read");
    let application = folder.path().join("views");
    listing(&application, &["make", "--from-database", &url])
        .well()
        .says("the view `broken` is left out: it cannot be read");
    let files = texts(&folder.path().join("views"));
    assert!(!files.contains_key("src/entity/broken.rs"));
    let hall = &files["src/entity/hall.rs"];
    for field in [
        "pub seats: Option<i64>,",
        "pub dearest: Option<f64>,",
        "pub name: Option<String>,",
        "pub remark: Option<String>,",
    ] {
        assert!(hall.contains(field), "{field}: {hall}");
    }
}
