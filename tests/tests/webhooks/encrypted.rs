//! Targets with an `https://` URL: only a certificate that is trusted, for the very host, is told anything.

use axum::http::StatusCode;
use listing_axum::Server;
use listing_tests::{Engine, run};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use sea_orm::ConnectionTrait;
use tokio::net::TcpListener;

use crate::*;

/// Rule b1192.
#[test]
fn a_target_is_told_nothing_unless_its_certificate_is_right() {
    run(async {
        let folder = std::env::temp_dir().join(format!("listing-webhooks-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name).display().to_string();
        let names = ["localhost".to_owned()];
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).unwrap();
        std::fs::write(path("certificate.pem"), cert.pem()).unwrap();
        std::fs::write(path("key.pem"), signing_key.serialize_pem()).unwrap();
        let mut https = Config::default();
        https.http.tls_certificate = path("certificate.pem");
        https.http.tls_key = path("key.pem");
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (told, mut taken) = tokio::sync::mpsc::unbounded_channel();
        let router = axum::Router::new().fallback(async move |body: String| {
            told.send(body).unwrap();
            StatusCode::OK
        });
        let server = Server::new(listener, &https).unwrap();
        let serving = tokio::spawn(server.serve(router, std::future::pending()));

        let world = World::fresh(Engine::Sqlite).await;
        let client = world.client();
        create(&client, &["one"]).await;
        let trusting = |url: String, ca_file: &str| {
            let mut target = target(&url);
            ca_file.clone_into(&mut target.ca_file);
            config([("crm", target)])
        };
        let by_name = format!("https://localhost:{port}/");
        let by_number = format!("https://127.0.0.1:{port}/");
        let trusted = path("certificate.pem");
        for (config, problem) in [
            (trusting(by_name.clone(), ""), "UnknownIssuer"),
            (
                trusting(by_number, &trusted),
                "the certificate is for another host",
            ),
        ] {
            let running = Running::start(dispatcher(&world, &config));
            until(&world, problem, async |world| {
                let outcome: Vec<String> = world.deliveries("outcome").await;
                outcome.first().is_some_and(|outcome| {
                    outcome.starts_with("no encryption: ") && outcome.contains(problem)
                })
            })
            .await;
            running.end().await;
            world
                .db()
                .execute_unprepared("UPDATE listing_deliveries SET outcome = ''")
                .await
                .unwrap();
        }
        assert!(taken.is_empty());
        let running = Running::start(dispatcher(&world, &trusting(by_name, &trusted)));
        assert!(taken.recv().await.unwrap().contains("notes.store"));
        all_are_delivered(&world).await;
        running.end().await;
        serving.abort();
        std::fs::remove_dir_all(&folder).unwrap();
    });
}
