//! Entities from tables of three databases: every type that is written can be read, and odd names and links are told.

use std::fs;
use std::path::Path;

use sea_orm::entity::prelude::{Date, DateTime, DateTimeUtc, Decimal, Json, Time, Uuid};
use sea_orm::{ConnectionTrait, Database, QueryResult, Statement};

use crate::servers::Own;
use crate::shop::{listing, on_database, on_sqlite};

/// A package without entities.
fn package() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(
        folder.path().join("Cargo.toml"),
        "[package]\nname = \"bank\"\n",
    )
    .unwrap();
    fs::write(folder.path().join("src/lib.rs"), "//! A bank.\n").unwrap();
    folder
}

fn entity(folder: &Path, name: &str) -> String {
    let file = format!("src/entity/{name}.rs");
    fs::read_to_string(folder.join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Makes the entity of the table `things` and reads its one row with the types that were chosen. Each column of the
/// table is called by the Rust type that it should have.
fn is_readable(url: &str) {
    let folder = package();
    let said = listing(folder.path(), &["make", "Thing", "--from-database", url]).well();
    let source = entity(folder.path(), "thing");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let row = runtime.block_on(async {
        let db = Database::connect(url).await.unwrap();
        let statement = Statement::from_string(db.get_database_backend(), "SELECT * FROM things");
        db.query_one_raw(statement).await.unwrap().unwrap()
    });
    let enums = fs::read_to_string(folder.path().join("src/entity/enums.rs")).unwrap_or_default();
    let mut read = 0;
    let mut cast = false;
    for line in source.lines() {
        cast |= line.contains("select_as");
        let Some(field) = line
            .trim()
            .strip_prefix("pub ")
            .and_then(|l| l.strip_suffix(','))
        else {
            continue;
        };
        let (name, rust_type) = field.split_once(": ").unwrap();
        if name == "id" {
            continue;
        }
        // Those are read as the entity says, not as the table has them: the applications of samples do.
        let is_cast = std::mem::take(&mut cast);
        if enums.contains(&format!("pub enum {rust_type} ")) {
            assert!(name.starts_with("enum_"), "{name} is {rust_type}");
            continue;
        }
        let wanted = name.split('_').next().unwrap();
        let plain = rust_type.to_lowercase().replace(['<', '>'], "");
        assert_eq!(plain, wanted, "{name} is {rust_type}\n{source}");
        if is_cast || (rust_type.starts_with("Vec<") && rust_type != "Vec<u8>") {
            continue;
        }
        if let Err(error) = value(&row, name, rust_type) {
            panic!("{name} cannot be read as {rust_type}: {error}");
        }
        read += 1;
    }
    assert!(read > 8, "{source}");
    // What the manifest lacks for a type is told, too.
    let is_note = |line: &&str| line.contains("note") && !line.contains("in Cargo.toml");
    for line in said.out.lines().filter(is_note) {
        assert!(line.contains("`things.other_"), "{line}");
    }
    assert!(
        said.out.contains("which SeaORM cannot read"),
        "{}",
        said.out
    );
}

fn value(row: &QueryResult, name: &str, rust_type: &str) -> Result<(), sea_orm::DbErr> {
    macro_rules! read {
        ($($known:ty),*) => {
            match rust_type {
                $(stringify!($known) => row.try_get::<$known>("", name).map(drop),)*
                other => panic!("{other} is not known here"),
            }
        };
    }
    read!(
        bool,
        i8,
        i16,
        i32,
        i64,
        u8,
        u16,
        u32,
        u64,
        f32,
        f64,
        Decimal,
        String,
        Uuid,
        Date,
        Time,
        DateTime,
        DateTimeUtc,
        Json,
        Vec<u8>
    )
}

/// Rule b224.
#[test]
fn types_of_sqlite_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("types.sqlite");
    on_sqlite(
        &file,
        "CREATE TABLE things (id integer PRIMARY KEY, i64_a integer NOT NULL, i64_b int NOT NULL,
            i64_c bigint NOT NULL, f64_a float NOT NULL, f64_b real NOT NULL, f64_c double NOT NULL,
            decimal_a numeric(10, 2) NOT NULL, decimal_b decimal(10,2) NOT NULL, bool_a boolean NOT NULL,
            bool_b tinyint(1) NOT NULL, string_a nvarchar(160) NOT NULL, string_b text NOT NULL,
            string_c varchar(10) NOT NULL, datetime_a datetime NOT NULL, datetime_b timestamp NOT NULL,
            datetimeutc_a timestamp_with_timezone_text NOT NULL, date_a date NOT NULL, time_a time NOT NULL,
            vecu8_a blob NOT NULL, json_a json_text NOT NULL, other_a NOT NULL);
         INSERT INTO things VALUES (1, 1, 2, 3, 1.5, 2.5, 3.5, 1.25, 1.25, true, 1, 'a', 'b', 'c',
            '2021-01-03 00:00:00', '2021-01-03 00:00:00', '2021-01-03T00:00:00Z', '2021-01-03', '10:00:00', x'00',
            '{}', 1)",
    );
    is_readable(&format!("sqlite:{}", file.display()));
}

/// Rules b224, b965.
#[test]
fn types_of_postgres_can_be_read() {
    let own = Own::on(
        "LISTING_TEST_POSTGRES_URL",
        "types",
        "CREATE DOMAIN year AS integer CHECK (VALUE > 1900);
         CREATE TYPE mood AS ENUM ('sad', 'happy');
         CREATE TABLE things (id bigserial PRIMARY KEY, i16_a smallint NOT NULL, i32_a integer NOT NULL,
            i32_b year NOT NULL, i64_a bigint NOT NULL, f32_a real NOT NULL, f64_a double precision NOT NULL,
            decimal_a numeric(10, 2) NOT NULL, decimal_b numeric NOT NULL, bool_a boolean NOT NULL,
            string_a text NOT NULL, string_b varchar(9) NOT NULL, string_c char(3) NOT NULL,
            datetime_a timestamp NOT NULL, datetimeutc_a timestamptz NOT NULL, date_a date NOT NULL,
            time_a time NOT NULL, uuid_a uuid NOT NULL, json_a json NOT NULL, json_b jsonb NOT NULL,
            vecu8_a bytea NOT NULL, decimal_c money NOT NULL, enum_a mood NOT NULL, string_d inet NOT NULL,
            veci32_a integer[] NOT NULL, string_e interval NOT NULL, string_f timetz NOT NULL, string_g bit(3) NOT NULL,
            string_h bit varying(9) NOT NULL, i64_b oid NOT NULL, vecdate_a date[] NOT NULL, vecdecimal_a numeric(9, 2)[] NOT NULL,
            other_a tsvector);
         INSERT INTO things VALUES (1, 1, 2, 2020, 3, 1.5, 2.5, 1.25, 1.25, true, 'a', 'b', 'c', now(), now(), now(),
            now(), gen_random_uuid(), '{}', '{}', 'a', 1.5, 'sad', '10.0.0.1', '{1}', '1 day',
            '10:30+02', B'101', B'1', 7, '{2026-01-31}', '{1.5}')",
    );
    is_readable(&own.url);
}

/// Rules b224, b966.
#[test]
fn types_of_mariadb_can_be_read() {
    let own = Own::on(
        "LISTING_TEST_MYSQL_URL",
        "types",
        "CREATE TABLE things (id bigint PRIMARY KEY AUTO_INCREMENT, i8_a tinyint NOT NULL, u8_a tinyint unsigned NOT NULL,
            i16_a smallint NOT NULL, u16_a smallint unsigned NOT NULL, u16_b year NOT NULL, i32_a int NOT NULL,
            i32_b mediumint NOT NULL, u32_a int unsigned NOT NULL, i64_a bigint NOT NULL,
            u64_a bigint unsigned NOT NULL, f32_a float NOT NULL, f64_a double NOT NULL,
            decimal_a decimal(10, 2) NOT NULL, bool_a tinyint(1) NOT NULL, bool_b bit(1) NOT NULL,
            string_a text NOT NULL, string_b varchar(9) NOT NULL, string_c char(3) NOT NULL,
            string_d mediumtext NOT NULL, enum_a enum('a', 'b') NOT NULL, string_f uuid NOT NULL,
            datetime_a datetime(6) NOT NULL, datetimeutc_a timestamp NOT NULL, date_a date NOT NULL,
            time_a time NOT NULL, vecu8_a blob NOT NULL, vecu8_b varbinary(9) NOT NULL, uuid_a binary(16) NOT NULL,
            other_a point, other_b bit(8), string_g set('a', 'b') NOT NULL, json_a json NOT NULL, FULLTEXT (string_a), INDEX (string_d(5)));
         INSERT INTO things VALUES (1, -1, 1, -1, 1, 2020, -1, -1, 1, -1, 1, 1.5, 2.5, 1.25, 1, b'1', 'a', 'b', 'c', 'd',
            'a', uuid(), now(), now(), now(), now(), 'a', 'b', '0123456789abcdef', NULL, NULL, 'a', '{}')",
    );
    is_readable(&own.url);
}

/// Rule b221.
#[test]
fn a_schema_on_which_the_library_fails_is_read() {
    let folder = package();
    let file = folder.path().join("odd.sqlite");
    on_sqlite(
        &file,
        "CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL);
         CREATE TABLE orders (id integer PRIMARY KEY, customer_id bigint REFERENCES customers, note text);
         CREATE INDEX by_expression ON orders (lower(note));
         CREATE TABLE \"it's\" (id integer PRIMARY KEY, \"2fast\" bigint, \"gen\" bigint, \"AlbumId\" bigint,
            \"e-mail\"\" x\" text)",
    );
    let url = format!("sqlite:{}", file.display());
    listing(
        folder.path(),
        &["make", "Customer", "--from-database", &url],
    )
    .well();
    listing(folder.path(), &["make", "Order", "--from-database", &url]).well();
    let orders = entity(folder.path(), "order");
    let line = "#[sea_orm(belongs_to, from = \"customer_id\", to = \"id\")]\n    \
                pub customer: BelongsTo<Option<super::customer::Entity>>,";
    assert!(orders.contains(line), "{orders}");
    let arguments = ["make", "Odd", "--table", "it's", "--from-database", &url];
    listing(folder.path(), &arguments).well();
    let odd = entity(folder.path(), "odd");
    for line in [
        "#[sea_orm(table_name = \"it's\")]",
        "#[sea_orm(column_name = \"2fast\")]\n    pub column_2fast: Option<i64>,",
        "pub r#gen: Option<i64>,",
        "#[sea_orm(column_name = \"AlbumId\")]\n    pub album_id: Option<i64>,",
        "pub e_mail_x: Option<String>,",
    ] {
        assert!(odd.contains(line), "`{line}` is not in:\n{odd}");
    }
    syn::parse_file(&odd).unwrap();
}

/// Rule b221.
#[test]
fn a_role_that_may_only_read_sees_the_keys() {
    // A role belongs to the server, not to a database: each run has its own.
    let role = format!("listing_cli_reader_{}", std::process::id());
    let tables = format!(
        "CREATE TABLE customers (id bigserial PRIMARY KEY, name text NOT NULL);
         CREATE TABLE orders (id bigserial PRIMARY KEY, customer_id bigint NOT NULL,
            CONSTRAINT same FOREIGN KEY (customer_id) REFERENCES customers (id));
         CREATE TABLE bills (id bigserial PRIMARY KEY, order_id bigint NOT NULL,
            CONSTRAINT same FOREIGN KEY (order_id) REFERENCES orders (id));
         CREATE SCHEMA away; CREATE TYPE away.mood AS ENUM ('sad'); ALTER TABLE bills ADD mood away.mood;
         CREATE ROLE {role} LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}"
    );
    let own = Own::on("LISTING_TEST_POSTGRES_URL", "reader", &tables);
    let at = own.url.find('@').unwrap();
    let url = format!("postgres://{role}{}", &own.url[at..]);
    let folder = package();
    for name in ["Customer", "Order", "Bill"] {
        listing(folder.path(), &["make", name, "--from-database", &url]).well();
    }
    let bills = entity(folder.path(), "bill");
    for line in [
        "#[sea_orm(primary_key)]",
        "pub order: BelongsTo<super::order::Entity>,",
    ] {
        assert!(bills.contains(line), "`{line}` is not in:\n{bills}");
    }
    assert!(!bills.contains("customer"), "{bills}");
    let server = own.server.clone();
    drop(own);
    on_database(&server, &format!("DROP ROLE {role}"));
}

/// Rule b223.
#[test]
fn a_link_table_is_told_with_what_to_write() {
    let folder = package();
    let file = folder.path().join("links.sqlite");
    on_sqlite(
        &file,
        "CREATE TABLE actors (id integer PRIMARY KEY, name text NOT NULL);
         CREATE TABLE films (id integer PRIMARY KEY, title text NOT NULL);
         CREATE TABLE film_actor (film_id bigint NOT NULL REFERENCES films (id),
            actor_id bigint NOT NULL REFERENCES actors (id), last_update datetime, PRIMARY KEY (actor_id, film_id))",
    );
    let url = format!("sqlite:{}", file.display());
    listing(folder.path(), &["make", "Actor", "--from-database", &url])
        .well()
        .says("`film_actor` links this table with `films`, many to many")
        .says("pub films: HasMany<super::film::Entity>");
}
