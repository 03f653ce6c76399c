//! Webhooks: what targets are told over HTTP, on three databases (d130).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod attempts;
mod copies;
mod encrypted;
mod order;
mod receiver;
mod refused;
mod signed;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod world;

use std::time::Duration;

use listing_axum::Config;
use listing_axum::config::WebhookConfig;
use listing_axum::events::{Dispatcher, Event};
use listing_axum::webhooks::{WebhookError, Webhooks};
use serde_json::json;

use crate::receiver::Receiver;
use crate::world::{PATH, Running, World, create, note, on_each_fresh, rename, routes};

/// What every target of these tests signs with.
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// A target on this machine.
fn target(url: &str) -> WebhookConfig {
    let mut target = WebhookConfig::new(url, SECRET);
    target.allow_private = true;
    target
}

fn config(targets: impl IntoIterator<Item = (&'static str, WebhookConfig)>) -> Config {
    let mut config = Config::default();
    let named = targets
        .into_iter()
        .map(|(name, target)| (name.to_owned(), target));
    config.webhooks = named.collect();
    config
}

/// With short times.
fn webhooks(config: &Config) -> Result<Webhooks, WebhookError> {
    let webhooks = Webhooks::new(config, &routes())?;
    Ok(webhooks
        .pauses([Duration::from_millis(50)])
        .poll(Duration::from_millis(50)))
}

/// A dispatcher that does nothing but deliver.
fn dispatcher(world: &World, config: &Config) -> Dispatcher {
    let nothing = async |_: Event| Ok::<_, std::io::Error>(());
    let dispatcher = Dispatcher::new(world.db().clone(), nothing);
    dispatcher.webhooks(webhooks(config).unwrap())
}

/// Waits until the deliveries are as they should be.
async fn until(world: &World, what: &str, is_so: impl AsyncFn(&World) -> bool) {
    let so = async {
        while !is_so(world).await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let so = tokio::time::timeout(Duration::from_secs(60), so).await;
    so.unwrap_or_else(|_| panic!("it never came about that {what}"));
}

async fn all_are_delivered(world: &World) {
    until(world, "nothing waits", async |world| {
        world.count("listing_deliveries").await == 0 && world.count("listing_events").await == 0
    })
    .await;
}
