//! The settings of replicas: a list in the file, text with commas in the environment, and what is refused.

use listing_axum::{Config, Service};
use listing_tests::{Engine, fresh_database, run};

fn config(file: &str, variables: &[(&str, &str)]) -> Result<Config, String> {
    let variables = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Config::from_parts("listing.toml", file, variables).map_err(|error| error.to_string())
}

/// Rule b1137.
#[test]
fn replicas_are_a_list_in_the_file_and_text_with_commas_in_the_environment() {
    let urls = |config: &Config| -> Vec<String> {
        config
            .database_replicas
            .iter()
            .map(|url| url.expose().to_owned())
            .collect()
    };
    let none = config("", &[]).unwrap();
    assert!(none.replicas().is_none() && urls(&none).is_empty());
    assert_eq!(
        (none.replica_max_lag_ms, none.replica_wait_ms),
        (10_000, 200)
    );
    let two = ["postgres://u:hunter2@one/db", "postgresql://two/db"];
    let file =
        format!("database_replicas = {two:?}\nreplica_max_lag_ms = 500\nreplica_wait_ms = 0");
    let read = config(&file, &[]).unwrap();
    assert_eq!(urls(&read), two);
    assert_eq!((read.replica_max_lag_ms, read.replica_wait_ms), (500, 0));
    assert!(!format!("{read:?}").contains("hunter2"));
    let variable = "LISTING_DATABASE_REPLICAS";
    let over = config(&file, &[(variable, "mysql://one/db, mysql://two/db")]).unwrap();
    assert_eq!(urls(&over), ["mysql://one/db", "mysql://two/db"]);
    assert!(urls(&config(&file, &[(variable, "")]).unwrap()).is_empty());

    for wrong in [
        r#"database_replicas = "postgres://u:hunter2@one/db""#,
        r#"database_replicas = ["postgres://u:hunter2@one,two/db"]"#,
        r#"database_replicas = ["u:hunter2@one/db"]"#,
        "database_replicas = [7]",
        "replica_max_lag_ms = 0",
        "replica_wait_ms = -1",
    ] {
        let error = config(wrong, &[]).unwrap_err();
        let key = wrong.split(' ').next().unwrap();
        assert!(error.contains(key) && !error.contains("hunter2"), "{error}");
    }
    let error = config("", &[(variable, "postgres://u:hunter2@one,two:5433/db")]).unwrap_err();
    assert!(
        error.contains(variable) && !error.contains("hunter2"),
        "{error}"
    );
}

/// Rule b1137.
#[test]
fn replicas_of_another_database_are_refused_at_the_start() {
    run(async {
        for (engine, url, wanted) in [
            (
                Engine::Sqlite,
                "postgres://127.0.0.1/db",
                "SQLite has no replicas",
            ),
            (Engine::Postgres, "mysql://127.0.0.1/db", "the same kind"),
            (Engine::Mysql, "postgres://127.0.0.1/db", "the same kind"),
        ] {
            let db = fresh_database(engine).await;
            let mut config = Config::default();
            config.database_replicas = vec![url.into()];
            let started = Service::new(blog::resources::api).on(db, &config).await;
            let error = started.unwrap_err();
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            let said = format!("{error} {}", cause.unwrap_or_default());
            assert!(
                said.contains("database_replicas") && said.contains(wanted),
                "{said}"
            );
        }
    });
}
