//! Entities from PostgreSQL and MariaDB, and checks against them.
//!
//! The servers come from the environment, as in the other tests: `cargo xtask test` starts them.

use std::fs;

use crate::shop::{listing, on_database, tested_shop};

const POSTGRES: &str = "
    CREATE TABLE customers (id bigserial PRIMARY KEY, name varchar(255) NOT NULL,
        email varchar(255) NOT NULL UNIQUE, api_token varchar(64));
    CREATE TABLE orders (id bigserial PRIMARY KEY, number varchar(20) NOT NULL UNIQUE,
        customer_id bigint NOT NULL REFERENCES customers (id), parent_id bigint REFERENCES orders (id),
        total numeric(10, 2) NOT NULL, type varchar(20), note text, weight double precision NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL);
    CREATE INDEX orders_open ON orders (total) WHERE type = 'open'
";

const MARIADB: &str = "
    CREATE TABLE customers (id bigint PRIMARY KEY AUTO_INCREMENT, name varchar(255) NOT NULL,
        email varchar(255) NOT NULL UNIQUE, api_token varchar(64));
    CREATE TABLE orders (id bigint PRIMARY KEY AUTO_INCREMENT, number varchar(20) NOT NULL UNIQUE,
        customer_id bigint NOT NULL, parent_id bigint, total decimal(10, 2) NOT NULL, type varchar(20),
        note mediumtext, weight double NOT NULL DEFAULT 0, created_at datetime(6) NOT NULL,
        FOREIGN KEY (customer_id) REFERENCES customers (id), FOREIGN KEY (parent_id) REFERENCES orders (id))
";

/// A database of its own on a server, with the tables in it. Dropped at the end.
pub(crate) struct Own {
    pub(crate) server: String,
    name: String,
    pub(crate) url: String,
}

impl Own {
    pub(crate) fn on(variable: &str, tag: &str, tables: &str) -> Self {
        let server = std::env::var(variable)
            .unwrap_or_else(|_| panic!("{variable} is not set: run `cargo xtask test`"));
        let name = format!("listing_test_cli_{tag}_{}", std::process::id());
        on_database(&server, &format!("CREATE DATABASE {name}"));
        let (start, end) = server.rsplit_once('/').unwrap();
        let options = end.find('?').map_or("", |at| &end[at..]);
        let url = format!("{start}/{name}{options}");
        on_database(&url, tables);
        Self { server, name, url }
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        on_database(&self.server, &format!("DROP DATABASE {}", self.name));
    }
}

/// The same entity as from SQLite, whose relations compile, and what is missing.
fn is_read(own: &Own, plan: &str) {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    write("Cargo.toml", "[package]\nname = \"bank\"\n");
    write("src/lib.rs", "//! A bank.\n");
    for entity in ["Customer", "Order"] {
        let arguments = ["make", entity, "--from-database", own.url.as_str()];
        listing(folder.path(), &arguments).well();
    }
    let entity = fs::read_to_string(folder.path().join("src/entity/order.rs")).unwrap();
    for line in [
        "pub id: i64,",
        "#[sea_orm(column_type = \"Decimal(Some((10, 2)))\")]\n    pub total: Decimal,",
        "#[sea_orm(column_type = \"Text\", nullable)]\n    pub note: Option<String>,",
        "pub weight: f64,",
        "pub customer: BelongsTo<super::customer::Entity>,",
        "pub parent: BelongsTo<Option<Entity>>,",
    ] {
        assert!(entity.contains(line), "`{line}` is not in:\n{entity}");
    }

    let shop = tested_shop();
    let said = listing(&shop, &["check", "--database", &own.url])
        .badly()
        .says("the table `products` does not exist")
        // An index over some of the rows serves no listing.
        .says("CREATE INDEX orders_total ON orders (total, id);")
        .out;
    for wrong in ["foreign key", "orders.total", "can be null"] {
        assert!(!said.contains(wrong), "{said}");
    }
    listing(
        &shop,
        &[
            "explain",
            "sort=id&populate=customer",
            "-r",
            "orders",
            "--database",
            &own.url,
        ],
    )
    .well()
    .says(plan);
}

#[test]
fn a_schema_of_postgres_is_read() {
    is_read(
        &Own::on("LISTING_TEST_POSTGRES_URL", "shop", POSTGRES),
        "Limit",
    );
}

#[test]
fn a_schema_of_mariadb_is_read() {
    is_read(
        &Own::on("LISTING_TEST_MYSQL_URL", "shop", MARIADB),
        "orders, index",
    );
}
