//! Views and tables without a primary key, and views that cannot be read.

use super::texts;
use crate::servers::Own;
use crate::shop::{listing, on_sqlite};

/// Rows that are told apart by an index, by SQLite's own numbers and by nothing, however their values look now.
/// Rules d152, b365.
#[test]
fn only_what_the_database_keeps_unique_is_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.sqlite");
    on_sqlite(
        &file,
        "CREATE TABLE seat (place TEXT, number INTEGER NOT NULL, hall INTEGER NOT NULL, code INTEGER NOT NULL,
             UNIQUE (hall, number), UNIQUE (place));
         CREATE UNIQUE INDEX some_codes ON seat (code) WHERE number > 1;
         INSERT INTO seat VALUES ('a', 1, 1, 11), ('b', 2, 1, 12), ('c', 1, 2, 21);
         CREATE TABLE log (user_id INTEGER NOT NULL, msg TEXT);
         CREATE TABLE empty (user_id INTEGER NOT NULL, place TEXT UNIQUE);
         CREATE VIEW booking AS SELECT place AS name, number AS id, hall AS hall_id, code AS seat_id FROM seat",
    );
    let url = format!("sqlite:{}", file.display());
    listing(folder.path(), &["new", "keys", "--from-database", &url, "--crud"])
        .well()
        .says("the view `booking` has a list, and neither records nor cursors nor writes: it has neither a primary key nor a unique index")
        .says("the table `log` is known by SQLite's `rowid`, which VACUUM can change: it has neither")
        .says("the table `empty` is known by SQLite's `rowid`");
    let files = texts(&folder.path().join("keys"));
    let seat = &files["src/entity/seat.rs"];
    for key in ["number", "hall"] {
        let line = format!("#[sea_orm(primary_key, auto_increment = false)]\n    pub {key}: i64,");
        assert!(seat.contains(&line), "{seat}");
    }
    assert!(seat.contains("pub place: Option<String>,"), "{seat}");
    for table in ["log", "empty"] {
        let entity = &files[&format!("src/entity/{table}.rs")];
        let line = "#[sea_orm(primary_key)]\n    pub rowid: i64,";
        assert!(entity.contains(line), "{entity}");
    }
    let resources = &files["src/resources/mod.rs"];
    assert!(resources.contains(".crud::<log::Logs>()"), "{resources}");
    let line = ".read::<SignedInRead<crate::entity::booking::Entity, Caller>>()";
    assert!(resources.contains(line), "{resources}");
    // The same of one table alone.
    let application = folder.path().join("keys");
    std::fs::remove_file(application.join("src/entity/booking.rs")).unwrap();
    std::fs::remove_file(application.join("src/listings/booking.rs")).unwrap();
    let make = |more: &[&str]| {
        let arguments = [
            "make",
            "Booking",
            "--table",
            "booking",
            "--from-database",
            &url,
        ];
        listing(&application, &[&arguments, more].concat())
    };
    make(&["--crud", "--dry-run"])
        .badly()
        .says("the rows of `booking` have no key, by which records could be written");
    make(&["--dry-run"])
        .well()
        .says("the view `booking` has a list, and neither records nor cursors nor writes");
}

/// All its columns may be null, as far as the catalogue knows.
/// Rule b561.
#[test]
fn a_materialized_view_is_known_by_its_unique_index() {
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
    listing(
        folder.path(),
        &["new", "stored", "--from-database", &own.url],
    )
    .well()
    .says("the view `remarked` has a list, and neither records nor cursors nor writes")
    .says("the view `later` is left out: it cannot be read");
    let files = texts(&folder.path().join("stored"));
    let place = &files["src/entity/place.rs"];
    for key in ["hall", "number"] {
        let line = format!("#[sea_orm(primary_key, auto_increment = false)]\n    pub {key}: i32,");
        assert!(place.contains(&line), "{place}");
    }
}

/// Rule b507.
#[test]
fn a_view_that_cannot_be_read_is_left_out_and_what_a_view_computes_is_shown() {
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
        .says("the view `hall` has a list, and neither records nor cursors nor writes")
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
        "    #[sea_orm(primary_key, auto_increment = false)]\n    pub hall_id: i64,",
        "pub seats: Option<i64>,",
        "pub dearest: Option<f64>,",
        "pub name: Option<String>,",
        "pub remark: Option<String>,",
    ] {
        assert!(hall.contains(field), "{field}: {hall}");
    }
}
