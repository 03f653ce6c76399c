//! What happens when a target does not take a message.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use listing_axum::Observer;
use listing_axum::webhooks::{redeliver, redeliver_one};
use listing_tests::warnings_of;
use tokio::net::TcpListener;

use crate::*;

/// Rules d130, b1190, b1194.
#[test]
fn a_message_that_is_not_taken_comes_again_as_it_was() {
    on_each_fresh(async |world| {
        // A redirect is not followed: its receiver would be told, and the message would be delivered.
        let elsewhere = Receiver::taking().await;
        let there = elsewhere.url.clone();
        let receiver = Receiver::answering(move |number, _| {
            let there = there.clone();
            async move {
                match number {
                    1 => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
                    2 => Redirect::temporary(&there).into_response(),
                    3 => StatusCode::BAD_REQUEST.into_response(),
                    // More than is read of an answer.
                    _ => "long".repeat(1_000_000).into_response(),
                }
            }
        })
        .await;
        let config = config([("crm", target(&receiver.url))]);
        let running = Running::start(dispatcher(world, &config));
        create(&world.client(), &["one"]).await;
        let messages = receiver.wait_for(4).await;
        all_are_delivered(world).await;
        running.end().await;
        assert_eq!(receiver.all().len(), 4);
        assert_eq!(elsewhere.all().len(), 0);
        for message in &messages {
            assert_eq!(message.id(), messages[0].id());
            assert_eq!(message.text, messages[0].text);
        }
    });
}

/// Rules d130, b1194.
#[test]
fn a_target_that_refuses_connections_is_told_once_it_takes_them() {
    on_each_fresh(async |world| {
        let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = closed.local_addr().unwrap();
        drop(closed);
        let config = config([("crm", target(&format!("http://{address}/hooks")))]);
        let running = Running::start(dispatcher(world, &config));
        create(&world.client(), &["one"]).await;
        until(world, "attempts have failed", async |world| {
            let attempts: Vec<i32> = world.deliveries("attempts").await;
            attempts.first().is_some_and(|attempts| *attempts >= 2)
        })
        .await;
        let outcome: Vec<String> = world.deliveries("outcome").await;
        assert!(outcome[0].starts_with("no connection: "), "{outcome:?}");
        let listener = TcpListener::bind(address).await.unwrap();
        let receiver = Receiver::on(listener, async |_, _| StatusCode::OK.into_response());
        receiver.wait_for(1).await;
        all_are_delivered(world).await;
        running.end().await;
    });
}

/// Rules d130, b1194, b1198.
#[test]
fn what_has_failed_for_too_long_is_parked_and_can_be_delivered_again() {
    on_each_fresh(async |world| {
        let receiver = Receiver::answering(async |number, _| match number {
            1..=4 => StatusCode::SERVICE_UNAVAILABLE.into_response(),
            _ => StatusCode::ACCEPTED.into_response(),
        })
        .await;
        let config = config([("crm", target(&receiver.url))]);
        let nothing = async |_: Event| Ok::<_, std::io::Error>(());
        let impatient = webhooks(&config).unwrap().park_after(Duration::ZERO);
        let dispatcher = Dispatcher::new(world.db().clone(), nothing).webhooks(impatient);
        let parked_before = counted("listing_webhook_deliveries_parked_total");
        let running = Running::start(dispatcher);
        let client = world.client();
        let ids = create(&client, &["one", "two"]).await;
        until(world, "both are parked", async |world| {
            let parked: Vec<i64> = world.deliveries("parked_at").await;
            parked.len() == 2 && parked.iter().all(|at| *at > 0)
        })
        .await;
        // The counters are those of the whole process.
        assert!(counted("listing_webhook_deliveries_parked_total") >= parked_before + 2);
        assert!(counted("listing_webhook_attempts_failed_total") >= 4);
        let attempts: Vec<i32> = world.deliveries("attempts").await;
        assert_eq!(attempts, [2, 2]);
        let outcomes: Vec<String> = world.deliveries("outcome").await;
        assert_eq!(outcomes, ["HTTP 503", "HTTP 503"]);
        let first = receiver.all()[0].id().to_owned();
        assert_eq!(receiver.all().len(), 4);

        // Later messages of a record do not wait for one that is parked.
        let _ = rename(&client, ids[0], "three").await.ok();
        let later = receiver.wait_for(5).await.remove(4);
        assert_eq!(
            (later.data("record"), later.data("operation")),
            (json!(ids[0]), json!("update"))
        );

        assert_eq!(redeliver(world.db(), "other").await.unwrap(), 0);
        let numbers: Vec<i64> = world.deliveries("id").await;
        assert!(redeliver_one(world.db(), numbers[1]).await.unwrap());
        assert!(!redeliver_one(world.db(), numbers[1] + 1_000).await.unwrap());
        assert_eq!(receiver.wait_for(6).await[5].data("record"), json!(ids[1]));
        assert_eq!(redeliver(world.db(), "crm").await.unwrap(), 1);
        let again = receiver.wait_for(7).await.remove(6);
        assert_eq!(again.data("record"), json!(ids[0]));
        all_are_delivered(world).await;
        running.end().await;
        let known = receiver
            .all()
            .iter()
            .filter(|message| message.id() == first)
            .count();
        assert_eq!(known, 3, "it has kept its id");
    });
}

/// A number of the metrics.
fn counted(name: &str) -> u64 {
    let mut config = Config::default();
    "127.0.0.1:0".clone_into(&mut config.metrics_bind);
    let text = Observer::new(&config).metrics_text().unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap().trim().parse().unwrap()
}

/// Rules d130, b1194.
#[test]
fn a_target_that_is_gone_is_sent_a_message_once() {
    on_each_fresh(async |world| {
        let receiver = Receiver::with_status(410).await;
        let config = config([("crm", target(&receiver.url))]);
        let running = Running::start(dispatcher(world, &config));
        create(&world.client(), &["one"]).await;
        until(world, "it is parked", async |world| {
            let parked: Vec<i64> = world.deliveries("parked_at").await;
            parked.len() == 1 && parked[0] > 0
        })
        .await;
        running.end().await;
        let outcome: Vec<String> = world.deliveries("outcome").await;
        assert_eq!(outcome, ["HTTP 410"]);
        assert_eq!(receiver.all().len(), 1);
    });
}

/// Rules d130, b1192.
#[test]
fn neither_logs_nor_errors_show_where_a_message_goes_or_its_secret() {
    on_each_fresh(async |world| {
        let receiver = Receiver::with_status(500).await;
        let url = format!("{}/hunter2?token=hunter2", receiver.url);
        let secret = format!("whsec_{}", "hunter2x".repeat(4));
        let mut target = target(&url);
        target.secret = secret.as_str().into();
        let config = config([("crm", target)]);
        let dispatcher = dispatcher(world, &config);
        let shown = format!("{config:?} {dispatcher:?} {:?}", webhooks(&config).unwrap());
        assert!(!shown.contains("hunter2"), "{shown}");
        let client = world.client();
        let (stop, told) = tokio::sync::oneshot::channel();
        let ended = async { _ = told.await };
        let failing = async {
            create(&client, &["one"]).await;
            receiver.wait_for(3).await;
            stop.send(()).unwrap();
        };
        let delivering = async { tokio::join!(dispatcher.run(ended), failing).0.unwrap() };
        let ((), log) = warnings_of(delivering).await;
        assert!(
            log.contains("a webhook was not delivered: HTTP 500"),
            "{log}"
        );
        assert!(log.contains("webhook=\"crm\""), "{log}");
        assert!(!log.contains("hunter2"), "{log}");
        let outcome: Vec<String> = world.deliveries("outcome").await;
        assert_eq!(outcome, ["HTTP 500"]);
    });
}
