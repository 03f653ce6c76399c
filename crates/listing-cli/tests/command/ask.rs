//! `listing routes` and `listing explain`, which ask the application itself.

use std::process::Command;

use crate::shop::{Ended, database, listing, target, tested_shop};

/// Rule b120.
#[test]
fn routes_are_those_that_are_served() {
    let shop = tested_shop();
    let table = listing(&shop, &["routes"]).well().out;
    for line in [
        ["products.index", "GET", "/api/products"],
        ["orders.store", "POST", "/api/orders"],
        ["customers.update", "PUT", "/api/customers/{id}"],
    ] {
        let found = table.lines().any(|known| known.split_whitespace().eq(line));
        assert!(found, "{line:?} is not in:\n{table}");
    }
    // Nobody looks: no colours.
    assert!(!table.contains('\u{1b}'), "{table}");
    let json = listing(&shop, &["routes", "--json"]).well().out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["name"], "products.index");
}

#[test]
fn a_request_is_explained_stage_by_stage() {
    let (_, url) = database("explain");
    let query = "filters[total][$gt]=10&sort=number:desc&populate=customer&fields=number";
    let told = listing(
        &tested_shop(),
        &["explain", query, "-r", "orders", "--database", &url],
    )
    .well()
    .out;
    for line in [
        "filter       total $gt 10",
        "checked by OrderListing",
        "fields       id, number",
        "order        orders.number desc, orders.id desc",
        "relation     customer by orders.customer_id = customers.id, one each",
        "sql: page",
        "WHERE \"orders\".\"total\" > ?",
        "sql: count",
        "sql: populate customer",
        // The database's own plan.
        "plan: ",
    ] {
        assert!(told.contains(line), "`{line}` is not in:\n{told}");
    }
    // b502
    let arguments = ["explain", query, "-r", "orders", "--json", "--database"];
    let json = listing(&tested_shop(), &[&arguments[..], &[&url]].concat());
    let json: serde_json::Value = serde_json::from_str(&json.well().out).unwrap();
    for statement in json["statements"].as_array().unwrap() {
        assert!(statement["plan"][0].is_string(), "{statement}");
    }
}

#[test]
fn the_sql_of_every_dialect_can_be_seen_without_its_database() {
    let shop = tested_shop();
    let explain = |dialect: &str| {
        let arguments = [
            "explain",
            "sort=name",
            "-r",
            "products",
            "--dialect",
            dialect,
        ];
        listing(&shop, &arguments).well()
    };
    explain("postgres").says("ORDER BY \"products\".\"name\" ASC");
    explain("mysql").says("ORDER BY `products`.`name` ASC");
}

#[test]
fn a_listing_is_found_by_the_name_of_its_entity_too() {
    let shop = tested_shop();
    let arguments = [
        "explain",
        "sort=name",
        "-r",
        "Product",
        "--dialect",
        "sqlite",
    ];
    listing(&shop, &arguments).well().says("\"products\"");
}

#[test]
fn what_is_refused_or_unknown_is_told_with_a_remedy() {
    let shop = tested_shop();
    listing(&shop, &["explain", "filters[titel]=1", "-r", "products"])
        .badly()
        .says("filter_unknown_field");
    listing(&shop, &["explain", "", "-r", "product_s"])
        .badly()
        .says("did you mean `products`?");
    // The application is strict, and so is what it explains.
    listing(&shop, &["explain", "sort=nothing", "-r", "products"])
        .badly()
        .says("nothing");
}

/// Rule b120.
#[test]
fn a_program_that_is_asked_nonsense_says_so_and_does_not_serve() {
    let shop = tested_shop();
    let mut program = Command::new(target().join("debug/shop"));
    program.env("LISTING_CONSOLE", "serve").current_dir(&shop);
    Ended::from(program.output().unwrap())
        .badly()
        .says("LISTING_CONSOLE holds no question");
}

/// Rule b624.
#[test]
fn a_program_that_cannot_serve_does_not_say_that_it_listens() {
    let shop = tested_shop();
    let (_, url) = database("certificate");
    let mut program = Command::new(target().join("debug/shop"));
    program
        .env("DATABASE_URL", url)
        .env("LISTING_BIND", "127.0.0.1:0")
        .env("LISTING_HTTP_TLS_CERTIFICATE", "not-there.pem")
        .env("LISTING_HTTP_TLS_KEY", "not-there.pem")
        .current_dir(&shop);
    let ended = Ended::from(program.output().unwrap()).badly();
    assert!(!ended.out.contains("Listening"), "{}", ended.out);
    ended.says("certificate");
}
