//! What a target is sent, and how it is signed.

use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::receiver::Message;
use crate::*;

/// The signature of a message by the algorithm of Standard Webhooks.
fn signature(secret: &str, message: &Message) -> String {
    let key = STANDARD
        .decode(secret.strip_prefix("whsec_").unwrap())
        .unwrap();
    let signed = [
        message.id(),
        message.header("webhook-timestamp"),
        &message.text,
    ]
    .join(".");
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(signed.as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

/// Rules d130, b1190, b1193.
#[test]
fn a_target_is_told_of_what_is_committed_signed_and_of_nothing_else() {
    on_each_fresh(async |world| {
        let receiver = Receiver::taking().await;
        let config = config([("crm", target(&receiver.url))]);
        let running = Running::start(dispatcher(world, &config));
        let client = world.client();
        let id = client.post(PATH, &note("one")).await.created();
        let path = format!("{PATH}/{id}");
        let _ = client.post(PATH, &json!({})).await.invalid();
        // Written, and rolled back.
        let refused = rename(&client, id, "refused").await;
        let _ = refused.invalid();
        let _ = rename(&client, id, "two").await.ok();
        let _ = client.delete(&path).await.ok();
        let messages = receiver.wait_for(3).await;
        all_are_delivered(world).await;
        running.end().await;
        assert_eq!(receiver.all().len(), 3);

        let types: Vec<_> = messages
            .iter()
            .map(|message| message.json()["type"].clone())
            .collect();
        assert_eq!(types, ["notes.store", "notes.update", "notes.destroy"]);
        let told = messages[1].json();
        let at = told["timestamp"].as_str().unwrap();
        assert!(
            at.ends_with('Z') && at.len() == "2026-01-01T00:00:00.000Z".len(),
            "{at}"
        );
        let event = told["data"]["event"].as_i64().unwrap();
        // Neither the caller nor a value that the resource does not give to its events.
        let expected = json!({
            "type": "notes.update",
            "timestamp": at,
            "data": {
                "event": event,
                "list": "notes",
                "operation": "update",
                "record": id,
                "changed": ["name"],
                "values": { "name": "two" },
            },
        });
        assert_eq!(told, expected);

        for message in &messages {
            assert_eq!(message.header("content-type"), "application/json");
            let agent = message.header("user-agent");
            assert!(agent.starts_with("listing-axum/"), "{agent}");
            let sent: i64 = message.header("webhook-timestamp").parse().unwrap();
            assert!((chrono::Utc::now().timestamp() - sent).abs() < 60);
            assert_eq!(
                message.header("webhook-signature"),
                signature(SECRET, message)
            );
            assert!(message.id().starts_with("msg_"));
            assert_eq!(verified_by_node(message), "true");
            let mut forged = message.clone();
            forged.text = forged.text.replace("notes", "votes");
            assert_eq!(verified_by_node(&forged), "false");
        }
        assert_ne!(messages[0].id(), messages[1].id());
    });
}

/// What the example of the guide says of a message.
fn verified_by_node(message: &Message) -> &'static str {
    let guide = include_str!("../../../docs/webhooks.md");
    let (_, rest) = guide.split_once("```js\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    let headers: serde_json::Map<_, _> = names
        .map(|name| (name.to_owned(), message.header(name).into()))
        .into_iter()
        .collect();
    let script = format!(
        "{example}\nconsole.log(isGenuine({}, {}, Buffer.from({})))",
        json!(SECRET),
        json!(headers),
        json!(message.text)
    );
    let output = Command::new("node")
        .args(["--input-type=module", "--eval", &script])
        .output()
        .expect("Node.js runs the example of docs/webhooks.md: install `nodejs`");
    let problem = String::from_utf8_lossy(&output.stderr);
    match String::from_utf8_lossy(&output.stdout).trim() {
        "true" => "true",
        "false" => "false",
        other => panic!("{other}: {problem}"),
    }
}

/// Rule b1190.
#[test]
fn every_key_of_a_secret_signs() {
    const NEXT: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    on_each_fresh(async |world| {
        let receiver = Receiver::taking().await;
        let mut both = target(&receiver.url);
        both.secret = format!("{NEXT} {SECRET}").into();
        let running = Running::start(dispatcher(world, &config([("crm", both)])));
        create(&world.client(), &["one"]).await;
        let message = receiver.wait_for(1).await.remove(0);
        running.end().await;
        let expected = [NEXT, SECRET]
            .map(|secret| signature(secret, &message))
            .join(" ");
        assert_eq!(message.header("webhook-signature"), expected);
    });
}

/// Rules d130, b1191.
#[test]
fn a_target_is_told_of_the_events_that_it_selects() {
    on_each_fresh(async |world| {
        let receivers = [Receiver::taking().await, Receiver::taking().await];
        let [mut some, mut all] = [0, 1].map(|at| target(&receivers[at].url));
        some.events = vec!["notes.update".to_owned()];
        all.events = vec!["notes.*".to_owned()];
        let config = config([("all", all), ("some", some)]);
        let running = Running::start(dispatcher(world, &config));
        let client = world.client();
        let ids = create(&client, &["one", "two"]).await;
        let _ = rename(&client, ids[1], "three").await.ok();
        receivers[1].wait_for(3).await;
        all_are_delivered(world).await;
        running.end().await;
        let some = receivers[0].all();
        assert_eq!(some.len(), 1);
        assert_eq!(some[0].data("operation"), "update");
        // Each target has messages of its own.
        let all = receivers[1].all();
        assert!(all.iter().all(|message| message.id() != some[0].id()));
    });
}
