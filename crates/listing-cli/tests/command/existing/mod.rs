//! Applications that `listing new --from-database` makes of well-known schemas, compared with SQL written by hand.
//!
//! Each is built once, started, and asked for everything, table by table.

mod application;
mod lists;
mod records;
mod serve;

use std::fs;
use std::path::Path;

use crate::existing::application::{Application, Drivers, Served, generate};
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
    /// What only this schema can show.
    more: fn(&Application, &Served),
}

/// The one whose dependencies the other tests compile anyway comes first.
const SAMPLES: &[Sample] = &[
    Sample {
        application: "music",
        server: None,
        files: &["music.sqlite.sql", "music.rows.sql"],
        more: music,
    },
    Sample {
        application: "dvd",
        server: Some(POSTGRES),
        files: &["rental.postgres.sql"],
        more: rental,
    },
    Sample {
        application: "films",
        server: Some(MARIADB),
        files: &["rental.mariadb.sql"],
        more: |_, _| {},
    },
    Sample {
        application: "trade",
        server: Some(POSTGRES),
        files: &["trade.postgres.sql"],
        more: |_, _| {},
    },
    Sample {
        application: "tracks",
        server: Some(POSTGRES),
        files: &["music.postgres.sql", "music.rows.sql"],
        more: |_, _| {},
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

/// Compiling an application takes half a minute, so that one stands for all unless `cargo xtask existing` runs the tests.
#[test]
fn b361_b362_b363_b364_b365_generated_applications_answer_as_sql_does() {
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
        (sample.more)(&application, &served);
    }
}

#[test]
fn b362_definitions_of_every_sample_are_short() {
    for sample in SAMPLES {
        let loaded = sample.load("short");
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["new", sample.application, "--from-database", &loaded.url];
        listing(folder.path(), &arguments).well();
        is_short(&folder.path().join(sample.application), 40);
    }
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
fn rental(application: &Application, served: &Served) {
    application.says("the view `customer_list` has no primary key; `id` is taken for it");
    application.says("the view `nothing_to_tell_apart` is left out");
    application.says("`film.fulltext` has the type `tsvector`");
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
fn music(_: &Application, served: &Served) {
    let customers = served.get("/api/customers?populate=support_rep&sort=id");
    assert_eq!(
        customers["data"][0]["support_rep"]["last_name"], "Lake",
        "{customers}"
    );
    let invoices = served.get("/api/invoices?filters[invoice_date]=2021-01-03");
    assert_eq!(invoices["meta"]["pagination"]["total"], 2, "{invoices}");
}
