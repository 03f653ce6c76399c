//! Hands events to the application, one after another, from one copy of the service (d129).

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use sea_orm::{DatabaseConnection, DbErr};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

#[cfg(feature = "webhooks")]
use super::webhooks::Webhooks;
use crate::http::ApiError;
use crate::records::{Duty, Event, Lease, Outbox, written};

/// How many events are read at once.
const BATCH: u64 = 100;

/// How many handled events are removed at once.
const MOST_HANDLED: usize = 100;

/// A copy keeps the lease for the time limit of one event plus this, before it has to renew it.
const SPARE: Duration = Duration::from_secs(5);

/// The longest pause before an event is handed over again.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);

type Failure = Box<dyn Error + Send + Sync>;
/// Resolves when it is time to stop.
pub(super) type Stop<'a> = Shared<BoxFuture<'a, ()>>;
type Handler = Box<dyn Fn(Event) -> BoxFuture<'static, Result<(), Failure>> + Send + Sync>;

/// Hands every event to a function of the application at least once, and the events of a record in order. Every copy of a service
/// can run one. Only one of them hands over events at a time, and another takes over when it is gone.
///
/// An event is done when the function returns `Ok`. If the function fails, panics or takes too long, the event is handed over
/// again after a pause. The pause doubles each time, from one second to an hour. Later events of the same record wait, and those
/// of other records do not.
#[must_use = "no event is handed over until it runs"]
pub struct Dispatcher {
    db: DatabaseConnection,
    handler: Handler,
    poll: Duration,
    time_limit: Duration,
    #[cfg(feature = "webhooks")]
    webhooks: Option<Webhooks>,
}

impl Dispatcher {
    /// Hands the events of this database to this function.
    pub fn new<F, E>(
        db: DatabaseConnection,
        handler: impl Fn(Event) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Failure>,
    {
        let handler = move |event| -> BoxFuture<'static, Result<(), Failure>> {
            let handled = handler(event);
            Box::pin(async move { handled.await.map_err(Into::into) })
        };
        Self {
            db,
            handler: Box::new(handler),
            poll: Duration::from_secs(1),
            time_limit: Duration::from_secs(10),
            #[cfg(feature = "webhooks")]
            webhooks: None,
        }
    }

    /// How often to look for events of other copies of the service: every second by default. Events of this process are handed
    /// over at once.
    pub fn poll(mut self, every: Duration) -> Self {
        self.poll = every;
        self
    }

    /// How long the function may take for one event: ten seconds by default.
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.time_limit = time;
        self
    }

    /// Also delivers every event to these webhook targets after the function has handled it. A delivery delays neither the
    /// function nor the other targets. A migration creates the table of deliveries with
    /// [`create_table`](crate::webhooks::create_table).
    #[cfg(feature = "webhooks")]
    pub fn webhooks(mut self, webhooks: Webhooks) -> Self {
        self.webhooks = Some(webhooks);
        self
    }

    /// Checks that the tables of events exist.
    pub(crate) async fn check(&self) -> Result<(), ApiError> {
        let outbox = Outbox::of(self.db.clone())?;
        outbox.due(1).await?;
        Ok(())
    }

    /// Hands over events until it is stopped, and finishes the current one. If the database does not answer, it retries.
    ///
    /// # Errors
    /// When the database is of a kind that listings do not support.
    pub async fn run(self, stop: impl Future<Output = ()> + Send) -> Result<(), ApiError> {
        let outbox = Outbox::of(self.db.clone())?;
        let mut held = Held {
            lease: Lease::of(self.db.clone(), Duty::Events)?,
            since: None,
        };
        let stop = stop.boxed().shared();
        let dispatching = self.dispatch(&outbox, &mut held, stop.clone());
        #[cfg(feature = "webhooks")]
        if let Some(webhooks) = &self.webhooks {
            let delivering = webhooks.run(self.db.clone(), stop);
            return tokio::join!(dispatching, delivering).1;
        }
        dispatching.await;
        Ok(())
    }

    async fn dispatch(&self, outbox: &Outbox, held: &mut Held, mut stop: Stop<'_>) {
        while !is_told(&stop) {
            // Created before the query, so that an event written between the query and the wait is not missed.
            let woken = written().notified();
            match self.turn(outbox, held, &stop).await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "cannot read events"),
            }
            tokio::select! {
                () = &mut stop => break,
                () = woken => {}
                () = sleep(self.poll) => {}
            }
        }
        if let Err(error) = held.lease.release().await {
            tracing::warn!(%error, "another copy takes over events only after a while");
        }
    }

    /// Hands over the events that are due. Returns whether there may be more.
    async fn turn(&self, outbox: &Outbox, held: &mut Held, stop: &Stop<'_>) -> Result<bool, DbErr> {
        if !held.is_certain()
            && (outbox.due(1).await?.is_empty() || !held.take(self.time_limit).await?)
        {
            return Ok(false);
        }
        // Read again, because another copy may have handed over the earlier ones.
        let events = outbox.due(BATCH).await?;
        // Handled events are removed together while the next ones are handed over, instead of by one statement each.
        let (handled, mut done) = mpsc::unbounded_channel();
        // It owns the receiver, so that handing over ends if this fails.
        let removing = async move {
            let mut events = Vec::new();
            while done.recv_many(&mut events, MOST_HANDLED).await > 0 {
                self.done(outbox, &events).await?;
                events.clear();
            }
            Ok(())
        };
        let handing = self.hand_over_all(events, outbox, held, stop, handled);
        let (handed, removed): (_, Result<(), DbErr>) = tokio::join!(handing, removing);
        removed.and(handed)
    }

    /// Hands these events over. Returns whether there may be more. It ends early if handled events cannot be removed.
    async fn hand_over_all(
        &self,
        events: Vec<Event>,
        outbox: &Outbox,
        held: &mut Held,
        stop: &Stop<'_>,
        handled: mpsc::UnboundedSender<Event>,
    ) -> Result<bool, DbErr> {
        let mut waiting = HashSet::new();
        let mut handed = 0;
        for event in events {
            if is_told(stop) {
                return Ok(true);
            }
            let of = (event.resource.clone(), event.record.to_string());
            if waiting.contains(&of) {
                continue;
            }
            // If another copy had the lease in the meantime, it may have handed these events over, and they are read again.
            if !held.is_certain() && !held.keep(self.time_limit).await? {
                return Ok(true);
            }
            handed += 1;
            match self.hand_over(event.clone()).await {
                Ok(()) => {
                    if handled.send(event).is_err() {
                        return Ok(false);
                    }
                }
                Err(error) => {
                    let pause = pause(event.attempts);
                    tracing::warn!(
                        %error, event = event.id, resource = event.resource, record = %event.record,
                        again_in_seconds = pause.as_secs(), "an event was not handled"
                    );
                    outbox.again(&event, pause).await?;
                    waiting.insert(of);
                }
            }
        }
        Ok(handed > 0)
    }

    /// Removes handled events, and stores their webhook deliveries.
    async fn done(&self, outbox: &Outbox, events: &[Event]) -> Result<(), DbErr> {
        #[cfg(feature = "webhooks")]
        if let Some(webhooks) = &self.webhooks {
            let deliveries = events.iter().map(|event| webhooks.deliveries(event));
            let deliveries: Vec<_> = deliveries.collect();
            if deliveries.iter().any(|deliveries| !deliveries.is_empty()) {
                return outbox.pass_on(events.iter().zip(&deliveries)).await;
            }
        }
        outbox.done(events).await
    }

    async fn hand_over(&self, event: Event) -> Result<(), Failure> {
        let handled = AssertUnwindSafe(async { (self.handler)(event).await }).catch_unwind();
        match timeout(self.time_limit, handled).await {
            Ok(Ok(handled)) => handled,
            Ok(Err(_)) => Err("the handler panicked".into()),
            Err(_) => Err("the handler took too long".into()),
        }
    }
}

/// The lease, and when this copy last renewed it.
struct Held {
    lease: Lease,
    since: Option<Instant>,
}

impl Held {
    /// Whether no other copy can take the lease during the next event.
    fn is_certain(&self) -> bool {
        self.since.is_some_and(|since| since.elapsed() < SPARE / 2)
    }

    /// Takes or renews the lease for the time limit of one event and some spare time.
    async fn take(&mut self, time_limit: Duration) -> Result<bool, DbErr> {
        let since = Instant::now();
        let is_held = self.lease.hold(time_limit + SPARE).await?;
        self.since = is_held.then_some(since);
        Ok(is_held)
    }

    /// Renews the lease, unless another copy has taken it in the meantime.
    async fn keep(&mut self, time_limit: Duration) -> Result<bool, DbErr> {
        let since = Instant::now();
        let is_held = self.lease.keep(time_limit + SPARE).await?;
        self.since = is_held.then_some(since);
        Ok(is_held)
    }
}

impl fmt::Debug for Dispatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dispatcher").finish_non_exhaustive()
    }
}

pub(super) fn is_told(stop: &Stop<'_>) -> bool {
    stop.clone().now_or_never().is_some()
}

/// How long to wait after this many failed attempts.
fn pause(attempts: u32) -> Duration {
    let doubled = Duration::from_secs(1).saturating_mul(1 << attempts.min(20));
    doubled.min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules d129, b981.
    #[test]
    fn pauses_double_up_to_an_hour() {
        let seconds: Vec<_> = (0..14).map(|attempts| pause(attempts).as_secs()).collect();
        assert_eq!(seconds[..5], [1, 2, 4, 8, 16]);
        assert_eq!(seconds[11..], [2_048, 3_600, 3_600]);
        assert_eq!(pause(u32::MAX), LONGEST_PAUSE);
    }
}
