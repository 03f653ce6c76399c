//! What `listing.toml` and the environment may say, and how a mistake is reported.

use listing::{Layout, Settings};
use listing_axum::Config;
use listing_axum::config::{ConfigError, KEYS};
use listing_tests::{Service, on_each_database};

fn file(text: &str) -> Result<Config, ConfigError> {
    Config::from_parts("listing.toml", text, [])
}

/// A file, and one variable on top of it.
fn with_variable(text: &str, name: &str, value: &str) -> Result<Config, ConfigError> {
    let variable = (name.to_owned(), value.to_owned());
    Config::from_parts("listing.toml", text, [variable])
}

/// For each key a value that is not its default, as the file has it and as the environment has it.
fn other_value(key: &str) -> (&'static str, &'static str) {
    match key {
        "bind" => ("\"0.0.0.0:9000\"", "0.0.0.0:9000"),
        "database" => (
            r#""postgres://Ann:p\"w\\@Host/Db""#,
            r#"postgres://Ann:p"w\@Host/Db"#,
        ),
        "database_replicas" => ("[\"postgres://one/db\"]", "postgres://one/db"),
        "count" => ("\"capped(500)\"", "capped(500)"),
        "cursor_key" => ("\"some text that is long\"", "some text that is long"),
        "strict"
        | "galera_sync_wait"
        | "http.server_timing"
        | "http.position_cookie"
        | "log.values" => ("true", "true"),
        "http.cors_origins" => ("\"https://example.org\"", "https://example.org"),
        "log.format" => ("\"json\"", "json"),
        "metrics_bind" => ("\"127.0.0.1:9100\"", "127.0.0.1:9100"),
        "exact_count" | "explorer" | "http.compression" => ("false", "false"),
        "http.rate_limit" => ("\"7/second\"", "7/second"),
        "otlp.endpoint" => ("\"http://127.0.0.1:4318\"", "http://127.0.0.1:4318"),
        "envelope" => ("\"lean\"", "lean"),
        "names" => ("\"camelCase\"", "camelCase"),
        "unindexed" => ("\"refuse\"", "refuse"),
        "http.tls_certificate" | "http.tls_key" => ("\"some.pem\"", "some.pem"),
        "jwt.algorithm" => ("\"ES256\"", "ES256"),
        text if text.starts_with("jwt.") && text != "jwt.leeway_seconds" => {
            ("\"some text\"", "some text")
        }
        _ => ("13", "13"),
    }
}

/// The same under the table that a key's name begins with.
fn line(key: &str, value: &str) -> String {
    match key.split_once('.') {
        Some((table, name)) => format!("[{table}]\n{name} = {value}\n"),
        None => format!("{key} = {value}\n"),
    }
}

#[test]
fn nothing_said_is_the_default() {
    let config = file("").unwrap();
    assert_eq!(config, Config::default());
    assert_eq!(config.bind, "127.0.0.1:8080");
    assert!(config.database.expose().starts_with("sqlite:"));
    let missing = std::path::Path::new("no such folder/listing.toml");
    assert!(Config::load(missing).is_ok());
}

/// Rules d3, d15.
#[test]
fn the_defaults_are_those_of_the_decisions() {
    let Settings {
        page_size,
        max_page_size,
        relation_limit,
        strict,
        layout,
        bounds,
        ..
    } = Config::default().settings;
    assert_eq!((page_size, max_page_size, relation_limit), (25, 100, 10));
    assert_eq!((strict, layout), (false, Layout::Contract));
    assert_eq!(
        (bounds.query_bytes, bounds.depth, bounds.pairs),
        (32 * 1024, 25, 1_000)
    );
    assert_eq!(
        (bounds.in_values, bounds.body_bytes, bounds.body_in_values),
        (1_000, 1024 * 1024, 10_000)
    );
    assert_eq!(
        (bounds.group_depth, bounds.conditions, bounds.relation_depth),
        (5, 100, 3)
    );
    let populate = (bounds.populate_depth, bounds.populate_relations);
    assert_eq!((populate, bounds.populate_items), ((3, 20), 20_000));
}

#[test]
fn every_key_can_be_set_in_the_file_and_by_its_variable() {
    let default = Config::default();
    for key in KEYS {
        let (in_file, in_variable) = other_value(key.name);
        assert_ne!(key.value(&default), in_file, "{}", key.name);
        let from_file = file(&line(key.name, in_file)).unwrap();
        let shown = if key.secret { "\"…\"" } else { in_file };
        assert_eq!(key.value(&from_file), shown, "{}", key.name);
        let from_variable = with_variable("", key.variable, in_variable).unwrap();
        assert_eq!(from_variable, from_file, "{}", key.name);
        // One key, and no other.
        for other in KEYS.iter().filter(|other| other.name != key.name) {
            assert_eq!(
                other.value(&from_file),
                other.value(&default),
                "{}",
                other.name
            );
        }
    }
}

#[test]
fn a_variable_overrides_the_file() {
    for key in KEYS {
        let (_, in_variable) = other_value(key.name);
        let in_file = line(key.name, &key.value(&Config::default()));
        let config = with_variable(&in_file, key.variable, in_variable).unwrap();
        assert_eq!(
            config,
            with_variable("", key.variable, in_variable).unwrap(),
            "{}",
            key.name
        );
        assert_ne!(config, Config::default(), "{}", key.name);
    }
}

#[test]
fn what_a_configuration_shows_can_be_read_again() {
    let mut text = String::new();
    for key in KEYS {
        text.push_str(
            &line(key.name, other_value(key.name).0)
                .replace("[bounds]\n", "bounds.")
                .replace("[http]\n", "http.")
                .replace("[jwt]\n", "jwt.")
                .replace("[log]\n", "log.")
                .replace("[otlp]\n", "otlp."),
        );
    }
    let config = file(&text).unwrap();
    let shown: String = KEYS
        .iter()
        .map(|key| match key.secret {
            // What is hidden has to be given again.
            true => format!("{} = {}\n", key.name, other_value(key.name).0),
            false => format!("{} = {}\n", key.name, key.value(&config)),
        })
        .collect();
    assert_eq!(file(&shown).unwrap(), config);
}

/// Rule b60.
#[test]
fn names_and_variables_are_unique_and_follow_each_other() {
    for (at, key) in KEYS.iter().enumerate() {
        assert!(
            KEYS[..at]
                .iter()
                .all(|other| other.name != key.name && other.variable != key.variable)
        );
        if !["database", "otlp.endpoint"].contains(&key.name) {
            let variable = key.name.replace('.', "_").to_uppercase();
            assert_eq!(key.variable, format!("LISTING_{variable}"));
        }
    }
}

/// Rule b61.
#[test]
fn an_unknown_key_is_an_error_with_the_nearest_right_name() {
    for (text, key, near) in [
        ("pagesize = 5", "pagesize", "did you mean `page_size`?"),
        ("stric = true", "stric", "did you mean `strict`?"),
        (
            "[bounds]\ndept = 5",
            "bounds.dept",
            "did you mean `bounds.depth`?",
        ),
        (
            "bounds.in_value = 5",
            "bounds.in_value",
            "did you mean `bounds.in_values`?",
        ),
        ("[bound]\ndepth = 5", "bound", "did you mean `bounds`?"),
        ("[bounds.extra]", "bounds.extra", "did you mean `bounds`?"),
        ("[zzz]", "zzz", "valid names: bind, database, "),
        ("\"\" = 1", "", "valid names: bind,"),
    ] {
        let error = file(text).unwrap_err();
        assert!(matches!(error, ConfigError::UnknownKey { .. }), "{text}");
        let told = error.to_string();
        assert!(
            told.starts_with(&format!("listing.toml: there is no key `{key}`; {near}")),
            "{told}"
        );
    }
}

/// Rule b61.
#[test]
fn a_wrong_value_is_told_with_its_key_and_what_is_expected() {
    for (text, told) in [
        (
            "page_size = 0",
            "`page_size` is 0, expected an integer of at least 1",
        ),
        (
            "page_size = -5",
            "`page_size` is -5, expected an integer of at least 1",
        ),
        (
            "page_size = 2.5",
            "`page_size` is 2.5, expected an integer of at least 1",
        ),
        (
            "page_size = \"25\"",
            "`page_size` is \"25\", expected an integer of at least 1",
        ),
        (
            "page_size = [25]",
            "`page_size` is a list, expected an integer of at least 1",
        ),
        (
            "[page_size]\nx = 1",
            "`page_size` is a table, expected an integer of at least 1",
        ),
        (
            "max_page_size = 501",
            "`max_page_size` is 501, expected an integer from 1 to 500",
        ),
        (
            "relation_limit = 0",
            "`relation_limit` is 0, expected an integer from 1 to 500",
        ),
        (
            "database_connections = 4294967296",
            "`database_connections` is 4294967296, expected an integer of at least 1",
        ),
        (
            "strict = \"true\"",
            "`strict` is \"true\", expected `true` or `false`",
        ),
        ("strict = 1", "`strict` is 1, expected `true` or `false`"),
        (
            "envelope = \"fat\"",
            "`envelope` is \"fat\", expected `contract` or `lean`",
        ),
        (
            "envelope = \"Lean\"",
            "`envelope` is \"Lean\", expected `contract` or `lean`",
        ),
        (
            "bind = 8080",
            "`bind` is 8080, expected an address and a port, such as `127.0.0.1:8080`",
        ),
        (
            "bind = \"\"",
            "`bind` is \"\", expected an address and a port, such as `127.0.0.1:8080`",
        ),
        (
            "bind = \"8080\"",
            "`bind` is \"8080\", expected an address and a port, such as `127.0.0.1:8080`",
        ),
        (
            "bind = \"::1:8080\"",
            "`bind` is \"::1:8080\", expected an address and a port, such as `127.0.0.1:8080`",
        ),
        (
            "bind = \"localhost:http\"",
            "`bind` is \"localhost:http\", expected an address and a port, such as `127.0.0.1:8080`",
        ),
        (
            "[bounds]\ndepth = 1979-05-27",
            "`bounds.depth` is 1979-05-27, expected an integer of at least 1",
        ),
    ] {
        assert_eq!(
            file(text).unwrap_err().to_string(),
            format!("listing.toml: {told}")
        );
    }
    for (name, value, told) in [
        (
            "LISTING_PAGE_SIZE",
            "many",
            "`page_size` is \"many\", expected an integer of at least 1",
        ),
        (
            "LISTING_PAGE_SIZE",
            "",
            "`page_size` is \"\", expected an integer of at least 1",
        ),
        (
            "LISTING_STRICT",
            "maybe",
            "`strict` is \"maybe\", expected `true` or `false`",
        ),
        (
            "LISTING_BOUNDS_DEPTH",
            "0",
            "`bounds.depth` is \"0\", expected an integer of at least 1",
        ),
        (
            "DATABASE_URL",
            "",
            "`database` is a value that is not shown, expected `sqlite:…`, `postgres://…` or `mysql://…` (also for MariaDB)",
        ),
    ] {
        let error = with_variable("", name, value).unwrap_err();
        assert_eq!(error.to_string(), format!("the variable {name}: {told}"));
    }
}

/// Rule b518.
#[test]
fn times_in_seconds_are_at_most_a_year() {
    let keys = KEYS.iter().map(|key| key.name);
    let keys: Vec<_> = keys.filter(|name| name.ends_with("_seconds")).collect();
    assert!(keys.contains(&"request_timeout_seconds"), "{keys:?}");
    for key in keys {
        let (least, most) = match key {
            "jwt.leeway_seconds" => (0, 3_600),
            "shutdown_delay_seconds" => (0, 31_536_000),
            _ => (1, 31_536_000),
        };
        file(&line(key, &most.to_string())).unwrap();
        for wrong in [most + 1, i64::MAX] {
            let error = file(&line(key, &wrong.to_string())).unwrap_err();
            let told = format!("`{key}` is {wrong}, expected an integer from {least} to {most}");
            assert_eq!(error.to_string(), format!("listing.toml: {told}"));
        }
    }
}

#[test]
fn text_that_is_not_toml_is_told_with_its_line() {
    let told = file("page_size = 5\nstrict = ").unwrap_err().to_string();
    assert!(
        told.starts_with("listing.toml: ") && told.contains("line 2"),
        "{told}"
    );
    assert!(file("strict = true\nstrict = true").is_err());
}

/// Rules c2_3_r5, c8_t1, d43.
#[test]
fn the_project_file_changes_the_limit_of_relations() {
    let config = file("relation_limit = 3").unwrap();
    on_each_database(async |service| {
        let most = async |service: &Service| {
            let reply = service
                .get("/api/articles?populate=comments&sort=comments_count:desc")
                .await
                .ok();
            let told = reply.meta()["relations"]["comments"].clone();
            assert_eq!(told["truncated"], true);
            let items = reply.column("comments");
            let longest = items
                .iter()
                .map(|items| items.as_array().unwrap().len())
                .max();
            assert_eq!(told["limit"], longest.unwrap());
            longest.unwrap()
        };
        assert_eq!(most(service).await, 10);
        let changed =
            Service::on(service.engine, service.db.clone(), config.settings.clone()).await;
        assert_eq!(most(&changed).await, 3);
    });
}

/// Rules d3, d7, d15, d48.
#[test]
fn the_project_file_changes_what_requests_meet() {
    let config = file("page_size = 4\nmax_page_size = 6\nstrict = true\nenvelope = \"lean\"\n[bounds]\ndepth = 1\n").unwrap();
    on_each_database(async |service| {
        let changed =
            Service::on(service.engine, service.db.clone(), config.settings.clone()).await;
        let reply = changed.get("/api/tags").await;
        assert_eq!(reply.ids().len(), 4);
        assert!(reply.meta().get("data").is_none());
        assert_eq!(
            changed
                .get("/api/tags?pagination[pageSize]=50")
                .await
                .ids()
                .len(),
            6
        );
        assert_eq!(
            changed.get("/api/tags?fields=nam").await.error_code(400),
            "unknown_field"
        );
        assert_eq!(
            changed
                .get("/api/tags?filters[name][$eq]=x")
                .await
                .error_code(400),
            "too_deep"
        );
    });
}

/// Rule b148.
#[test]
fn unknown_variables_are_refused_like_unknown_keys() {
    for (name, near) in [
        ("LISTING_PAGESIZE", "did you mean `LISTING_PAGE_SIZE`?"),
        ("LISTING_JWT_SECRETE", "did you mean `LISTING_JWT_SECRET`?"),
        ("LISTING_XYZZY", "valid names: LISTING_BIND, DATABASE_URL, "),
    ] {
        let told = with_variable("", name, "5").unwrap_err().to_string();
        let expected = format!("the variable {name} is unknown; {near}");
        assert!(told.starts_with(&expected), "{told}");
    }
    // Others have their own use for these.
    for name in ["LISTING_CONSOLE", "LISTING_TEST_READER", "HOME", "LISTINGS"] {
        assert_eq!(with_variable("", name, "5").unwrap(), Config::default());
    }
    // Kubernetes sets them for services called `listing` and `listing-api`.
    for (name, value) in [
        ("LISTING_SERVICE_HOST", "10.0.0.1"),
        ("LISTING_SERVICE_PORT", "80"),
        ("LISTING_PORT", "tcp://10.0.0.1:80"),
        ("LISTING_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
        ("LISTING_API_SERVICE_HOST", "10.0.0.1"),
        ("LISTING_API_SERVICE_PORT_HTTP", "80"),
        ("LISTING_API_PORT", "tcp://10.0.0.1:80"),
        ("LISTING_API_PORT_53_UDP_PROTO", "udp"),
    ] {
        let config = with_variable("", name, value);
        assert_eq!(config.unwrap(), Config::default(), "{name}");
    }
    // A guess at `LISTING_BIND` is not one of those.
    for name in ["LISTING_PORT", "LISTING_HTTP_PORT", "LISTING_PORT_80"] {
        assert!(with_variable("", name, "80").is_err(), "{name}");
    }
}
