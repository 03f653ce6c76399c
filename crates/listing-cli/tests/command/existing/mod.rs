//! Applications that `listing new --from-database` makes of well-known schemas, compared with SQL written by hand.
//!
//! Each is built once, started, and asked for everything, table by table.

mod application;
mod lists;
mod records;

use std::fs;
use std::path::Path;

use crate::existing::application::{Served, generate};
use crate::servers::Own;
use crate::shop::{on_sqlite, room};

const POSTGRES: &str = "LISTING_TEST_POSTGRES_URL";
const MARIADB: &str = "LISTING_TEST_MYSQL_URL";

fn schema(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/databases");
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let is_code = |line: &&str| !line.starts_with("--");
    let lines: Vec<_> = text.lines().filter(is_code).collect();
    lines.join("\n")
}

/// Everything that can be asked of each table, and a record of each that is created, changed and deleted.
fn is_served(served: &Served) {
    for table in served.tables() {
        lists::are_right(served, &table);
        records::are_right(served, &table);
    }
}

#[test]
fn b361_b362_b364_b365_an_application_of_a_rental_shop_on_postgres() {
    let own = Own::on(POSTGRES, "rental", &schema("rental.postgres.sql"));
    let application = generate("dvd", &own.url);
    application.says("the view `customer_list` has no primary key; `id` is taken for it");
    application.says("the view `nothing_to_tell_apart` is left out");
    application.says("`film.fulltext` has the type `tsvector`");
    application.is_short(40);
    let served = application.start();
    is_served(&served);
    // What the sample has and others have not: two keys to one table, link tables, a key of several columns.
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

#[test]
fn b361_b363_an_application_of_a_music_shop_on_sqlite() {
    fs::create_dir_all(room()).unwrap();
    let file = room().join("music.sqlite");
    let _ = fs::remove_file(&file);
    on_sqlite(&file, &schema("music.sqlite.sql"));
    on_sqlite(&file, &schema("music.rows.sql"));
    let application = generate("music", &format!("sqlite:{}", file.display()));
    application.is_short(40);
    let served = application.start();
    is_served(&served);
    let customers = served.get("/api/customers?populate=support_rep&sort=id");
    assert_eq!(
        customers["data"][0]["support_rep"]["last_name"], "Lake",
        "{customers}"
    );
    let invoices = served.get("/api/invoices?filters[invoice_date]=2021-01-03");
    assert_eq!(invoices["meta"]["pagination"]["total"], 2, "{invoices}");
}

#[test]
fn b361_b364_an_application_of_a_rental_shop_on_mariadb() {
    let own = Own::on(MARIADB, "rental", &schema("rental.mariadb.sql"));
    let application = generate("films", &own.url);
    application.is_short(40);
    is_served(&application.start());
}

#[test]
fn b362_definitions_of_other_samples_are_short_too() {
    for (name, files) in [
        ("trade", &["trade.postgres.sql"][..]),
        ("tracks", &["music.postgres.sql", "music.rows.sql"]),
    ] {
        let text: Vec<_> = files.iter().map(|file| schema(file)).collect();
        let own = Own::on(POSTGRES, name, &text.join("\n"));
        generate(name, &own.url).is_short(40);
    }
}
