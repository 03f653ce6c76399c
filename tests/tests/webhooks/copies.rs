//! What several copies of a service deliver, and one that is started again.

use std::collections::HashSet;

use axum::http::StatusCode;
use axum::response::IntoResponse;

use crate::*;

/// Rules d130, b1196.
#[test]
fn what_was_under_way_in_a_copy_that_is_gone_is_delivered_by_another() {
    on_each_fresh(async |world| {
        let receiver = Receiver::answering(async |number, _| match number {
            1 => std::future::pending().await,
            _ => StatusCode::OK.into_response(),
        })
        .await;
        let config = config([("crm", target(&receiver.url))]);
        let nothing = async |_: Event| Ok::<_, std::io::Error>(());
        let copy = || {
            let webhooks = webhooks(&config).unwrap();
            let webhooks = webhooks.take_over_after(Duration::from_secs(5));
            let dispatcher = Dispatcher::new(world.db().clone(), nothing).webhooks(webhooks);
            dispatcher
                .time_limit(Duration::from_millis(10))
                .poll(Duration::from_millis(50))
        };
        let client = world.client();
        let ids = create(&client, &["one"]).await;
        let gone = Running::start(copy());
        receiver.wait_for(1).await;
        let _ = rename(&client, ids[0], "two").await.ok();
        until(world, "both wait", async |world| {
            world.count("listing_deliveries").await == 2
        })
        .await;
        let others = [(), ()].map(|()| Running::start(copy()));
        tokio::time::sleep(Duration::from_millis(1_000)).await;
        assert_eq!(
            receiver.all().len(),
            1,
            "the first copy has not given up yet"
        );
        gone.task.abort();
        let messages = receiver.wait_for(3).await;
        all_are_delivered(world).await;
        assert_eq!(messages[0].id(), messages[1].id());
        let operations: Vec<_> = messages
            .iter()
            .map(|message| message.data("operation"))
            .collect();
        assert_eq!(operations, ["store", "store", "update"]);

        // Both copies run, and one of them delivers: nothing comes twice.
        let names: Vec<_> = (0..20).map(|number| format!("note {number}")).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        create(&client, &names).await;
        receiver.wait_for(23).await;
        all_are_delivered(world).await;
        for other in others {
            other.end().await;
        }
        let messages = receiver.all();
        assert_eq!(messages.len(), 23);
        let ids: HashSet<_> = messages.iter().map(crate::receiver::Message::id).collect();
        assert_eq!(ids.len(), 22);
    });
}

/// Rules d130, b1196.
#[test]
fn a_copy_that_is_told_to_stop_ends_what_is_under_way_and_loses_nothing() {
    on_each_fresh(async |world| {
        let go_on = std::sync::Arc::new(tokio::sync::Notify::new());
        let told = std::sync::Arc::clone(&go_on);
        let receiver = Receiver::answering(move |number, _| {
            let told = std::sync::Arc::clone(&told);
            async move {
                if number == 1 {
                    told.notified().await;
                }
                StatusCode::OK.into_response()
            }
        })
        .await;
        let mut one = target(&receiver.url);
        one.concurrency = 1;
        let config = config([("crm", one)]);
        let client = world.client();
        create(&client, &["one", "two"]).await;
        let running = Running::start(dispatcher(world, &config));
        receiver.wait_for(1).await;
        until(world, "both wait", async |world| {
            world.count("listing_deliveries").await == 2
        })
        .await;
        let ended = tokio::spawn(running.end());
        tokio::time::sleep(Duration::from_millis(200)).await;
        go_on.notify_one();
        ended.await.unwrap();
        // The first was taken and written down; the second was not begun.
        assert_eq!(receiver.all().len(), 1);
        assert_eq!(world.count("listing_deliveries").await, 1);
        // Another copy goes on at once.
        let running = Running::start(dispatcher(world, &config));
        receiver.wait_for(2).await;
        all_are_delivered(world).await;
        running.end().await;
        assert_eq!(receiver.all().len(), 2);
    });
}

/// Rule b1198.
#[test]
fn deliveries_of_a_target_that_is_not_configured_wait_for_it() {
    on_each_fresh(async |world| {
        let receiver = Receiver::with_status(500).await;
        let with = config([("crm", target(&receiver.url))]);
        let running = Running::start(dispatcher(world, &with));
        create(&world.client(), &["one"]).await;
        receiver.wait_for(1).await;
        running.end().await;

        let other = Receiver::taking().await;
        let without = config([("other", target(&other.url))]);
        let running = Running::start(dispatcher(world, &without));
        create(&world.client(), &["two"]).await;
        other.wait_for(1).await;
        until(world, "the other has it", async |world| {
            world.count("listing_deliveries").await == 1
        })
        .await;
        running.end().await;
        assert_eq!(other.all().len(), 1);

        let now = Receiver::taking().await;
        let running = Running::start(dispatcher(world, &config([("crm", target(&now.url))])));
        assert_eq!(now.wait_for(1).await[0].id(), receiver.all()[0].id());
        all_are_delivered(world).await;
        running.end().await;
    });
}
