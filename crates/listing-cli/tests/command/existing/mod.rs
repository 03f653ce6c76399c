//! Applications that `listing new --from-database` makes of well-known schemas, compared with SQL written by hand.
//!
//! Each is built once, started, and asked for everything, table by table.

mod again;
mod application;
mod client;
mod lists;
mod odd;
mod records;
mod secrets;
mod serve;
mod views;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::existing::application::{Drivers, Served, generate};
use crate::servers::Own;
use crate::shop::{listing, on_sqlite, room};

const POSTGRES: &str = "LISTING_TEST_POSTGRES_URL";
const MARIADB: &str = "LISTING_TEST_MYSQL_URL";

fn schema(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/databases");
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let is_code = |line: &&str| !line.starts_with("--");
    let lines: Vec<_> = text.lines().filter(is_code).collect();
    lines.join("\n")
}

/// A schema on a database that it fits, and the application that is made of it.
struct Sample {
    application: &'static str,
    server: Option<&'static str>,
    files: &'static [&'static str],
    /// What is told when the application is made.
    says: &'static [&'static str],
    /// What stands in its files.
    holds: &'static [(&'static str, &'static str)],
    /// What does not.
    lacks: &'static [(&'static str, &'static str)],
    /// What only this schema can show.
    more: fn(&Served),
}

/// The one whose dependencies the other tests compile anyway comes first.
const SAMPLES: &[Sample] = &[
    Sample {
        application: "music",
        server: None,
        files: &[
            "music.sqlite.sql",
            "music.rows.sql",
            "names.sqlite.sql",
            "shapes.sqlite.sql",
            "odd.sqlite.sql",
        ],
        says: &[
            // d152
            "the view `TrackList` has a list, and neither records nor cursors nor writes: it has neither a primary key",
            "the table `log` is known by SQLite's `rowid`, which VACUUM can change",
            "the table `numbered` has a list, and neither records nor cursors nor writes",
            // b571
            "`Gate.NamePrefix` is `name_prefix_column` to clients",
            "`Gate.🙂` is `column_column` to clients",
            // b507
            "the view `broken` is left out: it cannot be read",
        ],
        holds: &[
            // b363
            ("listing.toml", "names = \"snake_case\""),
            // b361
            ("src/entity/employee.rs", "pub employees: HasMany<Entity>,"),
            // b362: a view is read.
            ("src/resources/mod.rs", ".read::<track_list::TrackLists>()"),
            ("src/resources/mod.rs", ".crud::<track::Tracks>()"),
            // b480
            ("src/resources/mod.rs", ".crud::<listing::Listings>()"),
            (
                "src/resources/policy.rs",
                "type Entity = crate::entity::policy::Entity;",
            ),
            ("src/resources/title.rs", "pub struct Titles;"),
            ("src/entity/mod.rs", "pub mod entities;"),
            // b504
            (
                "src/entity/project.rs",
                "relation_enum = \"ProjectUserUser\", via = \"project_user\"",
            ),
            // b505
            (
                "src/listings/unit.rs",
                ".add_default((Column::Id, \"unit_id\"))",
            ),
            ("src/resources/unit.rs", "#[payload(alias = \"unit_id\")]"),
            // b506
            ("src/entity/type.rs", "pub ref_: Option<String>,"),
            ("src/entity/part.rs", "from = \"Column::In\""),
            // b507
            ("src/entity/project_size.rs", "pub members: Option<i64>,"),
            // d152
            (
                "src/entity/log.rs",
                "#[sea_orm(primary_key)]\n    pub rowid: i64,",
            ),
            (
                "src/entity/odd_view.rs",
                "/// Does not tell rows apart: they have no key, and SeaORM wants one.\n",
            ),
            (
                "src/listings/odd_view.rs",
                "fn has_key() -> bool {\n        false\n    }",
            ),
            // b571
            ("src/entity/mod.rs", "pub mod s;\n"),
            ("src/entity/mod.rs", "pub mod crates;\n"),
            ("src/entity/crates.rs", "pub self_s: BelongsTo<Option<"),
            ("src/resources/gate.rs", "\"gate\""),
            // b508
            ("src/resources/badge.rs", "    id: i64,"),
        ],
        // b510
        lacks: &[
            ("src/resources/track.rs", "min = 1"),
            ("src/resources/track.rs", "trim"),
        ],
        more: music,
    },
    Sample {
        application: "dvd",
        server: Some(POSTGRES),
        files: &["rental.postgres.sql"],
        says: &[
            // d152
            "the view `customer_list` has a list, and neither records nor cursors nor writes",
            "the view `nothing_to_tell_apart` has a list, and neither records nor cursors nor writes",
            "`film.fulltext` has the type `tsvector`",
            // b509
            "`event.about` is text",
        ],
        holds: &[
            // b364
            ("src/entity/enums.rs", "pub enum MpaaRating {"),
            ("src/entity/enums.rs", "serde::Deserialize"),
            ("src/entity/enums.rs", "#[serde(rename = \"PG-13\")]"),
            ("src/entity/film.rs", "pub rating: Option<MpaaRating>,"),
            // b366
            ("src/resources/person.rs", "    id: Given<Uuid>,"),
            ("src/resources/skill.rs", "type Update = SkillChanges;"),
            // b508
            ("src/resources/event.rs", "    made_on: Date,"),
            ("src/resources/event.rs", "    about: Given<String>,"),
            // b509
            ("src/entity/event.rs", "save_as = \"\\\"subject\\\"\""),
            // b367
            (
                "src/entity/person.rs",
                "select_as = \"text\", save_as = \"inet\"",
            ),
        ],
        lacks: &[
            ("src/listings/person.rs", "Filter::make(Column::Home)"),
            // b508
            ("src/resources/event.rs", "event_id"),
        ],
        more: rental,
    },
    Sample {
        application: "films",
        server: Some(MARIADB),
        files: &["rental.mariadb.sql"],
        says: &[
            "the view `film_list` has a list, and neither records nor cursors nor writes",
            // b509
            "`payment.about` is text",
        ],
        holds: &[
            // b364: one for each column.
            ("src/entity/enums.rs", "pub enum FilmRating {"),
            // b509
            ("src/entity/payment.rs", "pub about: String,"),
            // b366
            ("src/resources/film_text.rs", "    film_id: i16,"),
            (
                "src/resources/film_text.rs",
                "type Update = FilmTextChanges;",
            ),
        ],
        lacks: &[("listing.toml", "names =")],
        more: |_| {},
    },
    Sample {
        application: "trade",
        server: Some(POSTGRES),
        files: &["trade.postgres.sql"],
        says: &[],
        // b361: a link, and a table that links and has more to show.
        holds: &[
            (
                "src/entity/employee.rs",
                "pub territories: HasMany<super::territory::Entity>,",
            ),
            (
                "src/entity/order.rs",
                "pub order_details: HasMany<super::order_detail::Entity>,",
            ),
        ],
        lacks: &[(
            "src/entity/employee.rs",
            "HasMany<super::employee_territory::Entity>",
        )],
        more: |_| {},
    },
    Sample {
        application: "tracks",
        server: Some(POSTGRES),
        files: &["music.postgres.sql", "music.rows.sql"],
        says: &[],
        holds: &[("listing.toml", "names = \"snake_case\"")],
        lacks: &[],
        more: |_| {},
    },
];

/// A database with the tables of a sample; dropped at the end.
struct Loaded {
    url: String,
    _own: Option<Own>,
}

impl Sample {
    /// `tag` tells the databases of several tests apart.
    fn load(&self, tag: &str) -> Loaded {
        let text: Vec<_> = self.files.iter().map(|file| schema(file)).collect();
        let text = text.join("\n");
        let Some(server) = self.server else {
            fs::create_dir_all(room()).unwrap();
            let file = room().join(format!("{}-{tag}.sqlite", self.application));
            let _ = fs::remove_file(&file);
            on_sqlite(&file, &text);
            return Loaded {
                url: format!("sqlite:{}", file.display()),
                _own: None,
            };
        };
        let own = Own::on(server, &format!("{}_{tag}", self.application), &text);
        Loaded {
            url: own.url.clone(),
            _own: Some(own),
        }
    }
}

/// Everything that can be asked of each table, and a record of each that is created, changed and deleted.
fn is_served(served: &Served) {
    for table in served.tables() {
        lists::are_right(served, &table);
        records::are_right(served, &table);
    }
}

/// Rules b361, b362, b363, b364, b365, b640. Compiling an application takes half a minute, so that one stands for all unless `cargo xtask existing` runs the
/// tests.
#[test]
fn generated_applications_answer_as_sql_does() {
    let all = std::env::var_os("LISTING_TEST_EXISTING").is_some();
    let (samples, drivers) = match all {
        true => (SAMPLES, Drivers::All),
        false => (&SAMPLES[..1], Drivers::Own),
    };
    for sample in samples {
        let loaded = sample.load("generated");
        let application = generate(sample.application, &loaded.url, drivers);
        let served = application.start();
        is_served(&served);
        (sample.more)(&served);
        client::is_that_of_its_sources(&application, &served);
    }
}

/// Rules b361, b362, b363, b364, b365, b366, b367.
#[test]
fn definitions_of_every_sample_are_short_and_follow_its_schema() {
    for sample in SAMPLES {
        let loaded = sample.load("written");
        // The server does not ask for it.
        let url = loaded.url.replace("postgres@", "postgres:hidden@");
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["new", sample.application, "--from-database", &url, "--crud"];
        let said = listing(folder.path(), &arguments).well();
        for text in sample.says {
            assert!(said.out.contains(text), "`{text}` is not in {}", said.out);
        }
        let application = folder.path().join(sample.application);
        is_short(&application, 50);
        let files = texts(&application);
        for (file, text) in sample.holds {
            assert!(
                files[*file].contains(text),
                "`{text}` is not in {}",
                files[*file]
            );
        }
        for (file, text) in sample.lacks {
            assert!(
                !files[*file].contains(text),
                "`{text}` is in {}",
                files[*file]
            );
        }
        has_no_password(&files);
        // Passwords that are not where they usually are.
        let parameter = match url.contains('?') {
            true => "&password=hidden",
            false => "?password=hidden",
        };
        for url in [
            loaded.url.replace("postgres@", "postgres:p@hidden@"),
            format!("{}{parameter}", loaded.url),
        ] {
            if url == loaded.url || !url.starts_with("postgres") {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            let arguments = ["new", sample.application, "--from-database", &url];
            listing(folder.path(), &arguments)
                .well()
                .says("the URL has a password, which is in no file");
            has_no_password(&texts(&folder.path().join(sample.application)));
        }
    }
}

#[track_caller]
fn has_no_password(files: &BTreeMap<String, String>) {
    let secret = files.iter().find(|(_, text)| text.contains("hidden"));
    assert_eq!(secret, None);
}

/// Rule b481.
#[test]
fn columns_that_are_one_name_to_clients_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("spelling.sqlite");
    on_sqlite(
        &file,
        "CREATE TABLE albums (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
         CREATE TABLE tracks (id INTEGER PRIMARY KEY, \"AlbumId\" TEXT, album_id INTEGER REFERENCES albums (id))",
    );
    let url = format!("sqlite:{}", file.display());
    listing(folder.path(), &["new", "spelling", "--from-database", &url])
        .well()
        .says("`tracks.album_id` is `album_id_column` to clients");
    let files = texts(&folder.path().join("spelling"));
    let track = &files["src/entity/track.rs"];
    let line = "from = \"album_id_column\", to = \"id\"";
    assert!(track.contains(line), "{track}");
}

/// Every file below a folder, by its path.
fn texts(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            found.insert(name, fs::read_to_string(path).unwrap());
        }
    }
    found
}

/// Half of the definitions have at most so many lines.
fn is_short(application: &Path, most: usize) {
    let entries = fs::read_dir(application.join("src/listings")).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let mut lines: Vec<_> = files
        .filter(|file| !file.ends_with("mod.rs"))
        .map(|file| fs::read_to_string(file).unwrap().lines().count())
        .collect();
    lines.sort_unstable();
    assert!(lines[lines.len() / 2] <= most, "{lines:?}");
}

/// Two keys to one table, link tables, a key of several columns, what cannot be read.
fn rental(served: &Served) {
    let film = served.get("/api/film/1?populate=actors,categories,language,original_language");
    assert_eq!(
        film["data"]["actors"].as_array().unwrap().len(),
        2,
        "{film}"
    );
    let link = served.get("/api/film_actor/1,2?populate=actor,film");
    assert_eq!(link["data"]["id"], "1,2", "{link}");
    assert_eq!(link["data"]["film"]["title"], "Two trains", "{link}");
    let skill = served.get("/api/hr_person_skill?filters[skill_code]=a,b");
    let id = skill["data"][0]["id"].as_str().unwrap();
    assert!(id.ends_with(",a~1b"), "{id}");
    served.get(&format!("/api/hr_person_skill/{}", id.replace(',', "%2C")));
}

/// Names in camel case, and dates that SQLite keeps as text.
fn music(served: &Served) {
    let customers = served.get("/api/customers?populate=support_rep&sort=id");
    assert_eq!(
        customers["data"][0]["support_rep"]["last_name"], "Lake",
        "{customers}"
    );
    let invoices = served.get("/api/invoices?filters[invoice_date]=2021-01-03");
    assert_eq!(invoices["meta"]["pagination"]["total"], 2, "{invoices}");
}
