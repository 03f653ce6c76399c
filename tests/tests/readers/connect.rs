//! Readers from a URL, and the error for a URL that does not work.

use std::net::TcpListener;

use listing::{ReadOptions, ReadPool};
use listing_tests::run;

use crate::base::value;

#[test]
fn a_url_is_enough() {
    run(async {
        for variable in ["LISTING_TEST_POSTGRES_URL", "LISTING_TEST_MYSQL_URL"] {
            let url = std::env::var(variable).unwrap();
            let reads = ReadPool::connect(&url, ReadOptions::new()).await.unwrap();
            assert_eq!(value(&reads, "SELECT 1").await, "1");
        }
    });
}

#[test]
fn a_url_that_does_not_do_is_refused_without_its_password() {
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .unwrap()
        .port();
    run(async {
        for (url, says) in [
            ("oracle://scott:tiger@host/db".to_owned(), "URL"),
            ("postgres://scott:tiger@host:port/db".to_owned(), "URL"),
            (
                format!("postgres://scott:tiger@127.0.0.1:{port}/db"),
                "not available",
            ),
            (
                format!("mysql://scott:tiger@127.0.0.1:{port}/db"),
                "not available",
            ),
            ("sqlite:/nowhere/at/all.sqlite".to_owned(), "not available"),
        ] {
            let timeout = std::time::Duration::from_secs(1);
            let error = ReadPool::connect(&url, ReadOptions::new().acquire_timeout(timeout))
                .await
                .unwrap_err();
            let text = format!("{error} {error:?}");
            assert!(text.contains(says), "{url}: {text}");
            assert!(!text.contains("tiger"), "{text}");
        }
    });
}
