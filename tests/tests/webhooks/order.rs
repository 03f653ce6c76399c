//! In which order targets are told, and that none of them waits for another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::http::StatusCode;
use axum::response::IntoResponse;
use tokio::sync::Semaphore;

use crate::*;

/// Rules d130, b1195.
#[test]
fn messages_of_a_record_wait_for_each_other_and_those_of_other_records_do_not() {
    on_each_fresh(async |world| {
        // Of each record, the first message is taken the third time.
        let receiver = Receiver::answering(async |_, message| {
            static ASKED: Mutex<Option<HashMap<String, u32>>> = Mutex::new(None);
            let is_first = message.data("values")["name"] == "one";
            let mut asked = ASKED.lock().unwrap();
            let asked = asked
                .get_or_insert_default()
                .entry(message.id().to_owned())
                .or_default();
            *asked += 1;
            match is_first && *asked < 3 {
                true => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
                false => StatusCode::OK.into_response(),
            }
        })
        .await;
        let config = config([("crm", target(&receiver.url))]);
        let client = world.client();
        let ids = create(&client, &["one", "two"]).await;
        for name in ["one again", "one more"] {
            let _ = rename(&client, ids[0], name).await.ok();
        }
        let _ = rename(&client, ids[1], "two again").await.ok();
        let running = Running::start(dispatcher(world, &config));
        receiver.wait_for(7).await;
        all_are_delivered(world).await;
        running.end().await;
        let of = |id: i64| -> Vec<_> {
            let messages = receiver.all().into_iter();
            let messages = messages.filter(|message| message.data("record") == json!(id));
            messages
                .map(|message| message.data("values")["name"].clone())
                .collect()
        };
        assert_eq!(of(ids[0]), ["one", "one", "one", "one again", "one more"]);
        assert_eq!(of(ids[1]), ["two", "two again"]);
        // The second record did not wait for the first.
        let messages = receiver.all();
        let at = |name: &str| {
            let is_it = |message: &crate::receiver::Message| message.data("values")["name"] == name;
            messages.iter().rposition(is_it).unwrap()
        };
        assert!(at("two again") < at("one more"));
    });
}

/// Rule b1195.
#[test]
fn a_target_is_told_of_an_event_once_the_application_has_handled_it() {
    on_each_fresh(async |world| {
        let receiver = Arc::new(Receiver::taking().await);
        let config = config([("crm", target(&receiver.url))]);
        let told = Arc::<Mutex<Vec<usize>>>::default();
        let (seen, noted) = (Arc::clone(&receiver), Arc::clone(&told));
        let handler = move |event: Event| {
            noted.lock().unwrap().push(seen.all().len());
            async move {
                match event.attempts {
                    0 => Err("not now"),
                    _ => Ok(()),
                }
            }
        };
        let dispatcher = Dispatcher::new(world.db().clone(), handler);
        let running = Running::start(dispatcher.webhooks(webhooks(&config).unwrap()));
        create(&world.client(), &["one"]).await;
        receiver.wait_for(1).await;
        all_are_delivered(world).await;
        running.end().await;
        assert_eq!(*told.lock().unwrap(), [0, 0]);
        assert_eq!(receiver.all().len(), 1);
    });
}

/// Rules d130, b1197.
#[test]
fn a_target_that_hangs_holds_up_neither_others_nor_the_application() {
    on_each_fresh(async |world| {
        let hanging = Receiver::answering(async |_, _| std::future::pending().await).await;
        let quick = Receiver::taking().await;
        let mut slow = target(&hanging.url);
        slow.timeout_seconds = 1;
        slow.concurrency = 2;
        let config = config([("hanging", slow), ("quick", target(&quick.url))]);
        let (told, mut handled) = tokio::sync::mpsc::unbounded_channel();
        let handler = move |event: Event| {
            told.send(event.record).unwrap();
            async { Ok::<_, std::io::Error>(()) }
        };
        let dispatcher = Dispatcher::new(world.db().clone(), handler);
        let running = Running::start(dispatcher.webhooks(webhooks(&config).unwrap()));
        let client = world.client();
        let names: Vec<_> = (0..12).map(|number| format!("note {number}")).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let ids = create(&client, &names).await;
        quick.wait_for(12).await;
        for id in ids {
            assert_eq!(handled.recv().await.unwrap(), json!(id));
        }
        until(world, "only what hangs is left", async |world| {
            let left: Vec<String> = world.deliveries("target").await;
            left.len() == 12 && left.iter().all(|target| target == "hanging")
        })
        .await;
        until(world, "an attempt took too long", async |world| {
            let outcomes: Vec<String> = world.deliveries("outcome").await;
            outcomes.contains(&"no answer within 1 s".to_owned())
        })
        .await;
        running.end().await;
    });
}

/// Rule b1197.
#[test]
fn no_more_attempts_are_under_way_than_a_target_allows() {
    on_each_fresh(async |world| {
        let may_answer = Arc::new(Semaphore::new(0));
        let asked = Arc::clone(&may_answer);
        let receiver = Receiver::answering(move |_, _| {
            let asked = Arc::clone(&asked);
            async move {
                asked.acquire().await.unwrap().forget();
                StatusCode::OK.into_response()
            }
        })
        .await;
        let mut target = target(&receiver.url);
        target.concurrency = 3;
        let names: Vec<_> = (0..12).map(|number| format!("note {number}")).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        create(&world.client(), &names).await;
        let running = Running::start(dispatcher(world, &config([("crm", target)])));
        receiver.wait_for(3).await;
        until(world, "all of them wait", async |world| {
            world.count("listing_deliveries").await == 12
        })
        .await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(receiver.all().len(), 3);
        may_answer.add_permits(12);
        all_are_delivered(world).await;
        running.end().await;
        assert_eq!(receiver.all().len(), 12);
    });
}
