//! Delivers what is due, to each target separately, from one copy of the service (d130).

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use sea_orm::{DatabaseConnection, DbErr};
use tokio::time::{sleep, timeout};

use super::super::dispatch::{Stop, is_told};
use super::send::{Failure, send};
use super::target::Target;
use super::{DELIVERED, FAILED, PARKED, Webhooks};
use crate::http::ApiError;
use crate::records::deliveries::{Deliveries, Delivery, passed_on};
use crate::records::{Duty, Lease};

/// How many deliveries are read at once.
const BATCH: u64 = 100;

impl Webhooks {
    /// Checks that the table of deliveries exists.
    pub(crate) async fn check(&self, db: DatabaseConnection) -> Result<(), ApiError> {
        Deliveries::of(db)?.due("", 1, &[]).await?;
        Ok(())
    }

    /// Delivers until it is stopped, then waits for the attempts in flight.
    pub(in super::super) async fn run(
        &self,
        db: DatabaseConnection,
        stop: Stop<'_>,
    ) -> Result<(), ApiError> {
        if self.is_empty() {
            return Ok(());
        }
        let deliveries = Deliveries::of(db.clone())?;
        let lease = Lease::of(db, Duty::Deliveries)?;
        while !is_told(&stop) {
            let asked = Instant::now();
            match lease.hold(self.lease).await {
                Ok(true) => self.while_held(&lease, asked, &deliveries, &stop).await,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "cannot read deliveries to webhooks"),
            }
            tokio::select! {
                () = stop.clone() => {}
                () = sleep(self.lease / 3) => {}
            }
        }
        if let Err(error) = lease.release().await {
            tracing::warn!(%error, "another copy delivers to webhooks only after a while");
        }
        Ok(())
    }

    /// Each target has its own loop, so that none waits for another. When another copy takes over, attempts in flight are
    /// cancelled.
    async fn while_held(
        &self,
        lease: &Lease,
        asked: Instant,
        deliveries: &Deliveries,
        stop: &Stop<'_>,
    ) {
        let targets = self.targets.iter();
        let delivering = join_all(targets.map(|target| self.deliver(target, deliveries, stop)));
        tokio::select! {
            _ = delivering => {}
            () = self.keep(lease, asked) => tracing::warn!("another copy delivers to webhooks"),
        }
    }

    /// Renews the lease, which was last asked for at this time. Returns when it is lost or has ended.
    async fn keep(&self, lease: &Lease, mut held: Instant) {
        let left = |held: Instant| self.lease.saturating_sub(held.elapsed());
        loop {
            sleep((self.lease / 3).min(left(held))).await;
            // A database that refuses at once would be asked on and on.
            if left(held).is_zero() {
                return;
            }
            let asked = Instant::now();
            // Another copy may deliver from the moment when the lease ends, whether or not the database has answered.
            match timeout(left(held), lease.hold(self.lease)).await {
                Ok(Ok(true)) => held = asked,
                Ok(Ok(false)) | Err(_) => return,
                Ok(Err(error)) => tracing::warn!(%error, "cannot keep delivering to webhooks"),
            }
        }
    }

    async fn deliver(&self, target: &Arc<Target>, deliveries: &Deliveries, stop: &Stop<'_>) {
        let mut under_way = FuturesUnordered::new();
        let mut ids = Vec::new();
        let mut due = Vec::new().into_iter();
        while !is_told(stop) {
            // Created before the query, so that a delivery written between the query and the wait is not missed.
            let woken = passed_on().notified();
            if due.len() == 0 && under_way.len() < target.concurrency {
                match deliveries.due(&target.name, BATCH, &ids).await {
                    Ok(found) => due = found.into_iter(),
                    Err(error) => tracing::warn!(%error, "cannot read deliveries to webhooks"),
                }
            }
            while under_way.len() < target.concurrency
                && let Some(delivery) = due.next()
            {
                ids.push(delivery.id);
                under_way.push(self.attempt(target, deliveries, delivery, stop));
            }
            tokio::select! {
                Some(id) = under_way.next() => ids.retain(|known| *known != id),
                () = woken => {}
                () = sleep(self.poll) => {}
                () = stop.clone() => {}
            }
        }
        while under_way.next().await.is_some() {}
    }

    /// Sends one message, records the outcome, and returns the delivery's id. Until the outcome is recorded, the message is not
    /// sent again.
    async fn attempt(
        &self,
        target: &Target,
        deliveries: &Deliveries,
        delivery: Delivery,
        stop: &Stop<'_>,
    ) -> i64 {
        let became = self.judge(target, &delivery, send(target, &delivery).await);
        while let Err(error) = became.write(&target.name, &delivery, deliveries).await {
            tracing::warn!(%error, webhook = target.name, "cannot write down what became of a delivery");
            if is_told(stop) {
                break;
            }
            sleep(self.poll).await;
        }
        delivery.id
    }

    fn judge(&self, target: &Target, delivery: &Delivery, sent: Result<(), Failure>) -> Became {
        let (why, is_over) = match sent {
            Ok(()) => {
                DELIVERED.add();
                return Became::Delivered;
            }
            Err(Failure::Gone) => ("HTTP 410".to_owned(), true),
            Err(Failure::Passing(why)) => {
                let is_over = delivery.attempts > 0 && delivery.failing_for >= self.park_after;
                (why, is_over)
            }
        };
        FAILED.add();
        let Delivery {
            id,
            event,
            resource,
            record,
            ..
        } = delivery;
        let webhook = &target.name;
        if is_over {
            PARKED.add();
            tracing::error!(
                webhook,
                delivery = id,
                event,
                resource,
                record,
                "a webhook is not delivered any more, and its delivery is parked: {why}"
            );
            return Became::Parked { why };
        }
        let pause = self.pause(delivery.attempts + 1);
        let again_in_seconds = pause.as_secs();
        tracing::warn!(
            webhook,
            event,
            resource,
            record,
            again_in_seconds,
            "a webhook was not delivered: {why}"
        );
        Became::Waiting { why, pause }
    }
}

/// The outcome of an attempt.
enum Became {
    Delivered,
    Waiting { why: String, pause: Duration },
    Parked { why: String },
}

impl Became {
    async fn write(
        &self,
        target: &str,
        delivery: &Delivery,
        deliveries: &Deliveries,
    ) -> Result<(), DbErr> {
        match self {
            Self::Delivered => deliveries.done(delivery).await,
            Self::Waiting { why, pause } => deliveries.again(target, delivery, *pause, why).await,
            Self::Parked { why } => deliveries.park(delivery, why).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::Database;

    use super::*;
    use crate::records::RouteTable;
    use crate::service::Config;

    /// Rules d130, b1196.
    #[tokio::test]
    async fn a_lease_that_cannot_be_renewed_ends_although_the_database_refuses_at_once() {
        let db = Database::connect("sqlite::memory:").await.unwrap();
        let lease = Lease::of(db.clone(), Duty::Deliveries).unwrap();
        db.close_by_ref().await.unwrap();
        let webhooks = Webhooks::new(&Config::default(), &RouteTable::default()).unwrap();
        let webhooks = webhooks.take_over_after(Duration::from_millis(20));
        let kept = webhooks.keep(&lease, Instant::now());
        timeout(Duration::from_secs(10), kept).await.unwrap();
    }
}
