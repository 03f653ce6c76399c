//! Hands events to the application: one after another, from one of several copies of a service (d129).

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use sea_orm::{DatabaseConnection, DbErr};
use tokio::time::{sleep, timeout};

use crate::http::ApiError;
use crate::records::{Event, Outbox, written};

/// How many events are read at once.
const BATCH: u64 = 100;

/// How much longer than one event may take a copy stays the one that hands events over, without saying so again.
const SPARE: Duration = Duration::from_secs(5);

/// The longest pause before an event is handed over again.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);

type Failure = Box<dyn Error + Send + Sync>;
/// Told when to stop.
type Stop<'a> = Shared<BoxFuture<'a, ()>>;
type Handler = Box<dyn Fn(Event) -> BoxFuture<'static, Result<(), Failure>> + Send + Sync>;

/// Hands every event to a function of the application at least once, and the events of a record in their order. Several copies
/// of a service can run one each: one of them hands events over at a time, and another takes its place when it is gone.
///
/// An event is done with when the function returns `Ok`. When it fails, panics or takes too long, the event is handed over again
/// after a pause, which doubles each time from one second to an hour; later events of the same record wait for it, and those of
/// other records do not.
#[must_use = "no event is handed over until it runs"]
pub struct Dispatcher {
    db: DatabaseConnection,
    handler: Handler,
    poll: Duration,
    time_limit: Duration,
}

impl Dispatcher {
    /// Hands the events of that database to this function.
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
        }
    }

    /// How often it looks for events of other copies of the service, one second unless said otherwise. Those of this process
    /// are handed over at once.
    pub fn poll(mut self, every: Duration) -> Self {
        self.poll = every;
        self
    }

    /// How long the function may take for one event: ten seconds unless said otherwise.
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.time_limit = time;
        self
    }

    /// Whether events can be read: their tables exist.
    pub(crate) async fn check(&self) -> Result<(), ApiError> {
        let outbox = Outbox::of(self.db.clone())?;
        outbox.due(1).await?;
        Ok(())
    }

    /// Hands events over until it is told to stop, after the event at which it is. Where the database does not answer, it tries
    /// again.
    ///
    /// # Errors
    /// When the database is of a kind that no listing reads.
    pub async fn run(self, stop: impl Future<Output = ()> + Send) -> Result<(), ApiError> {
        let outbox = Outbox::of(self.db.clone())?;
        let mut stop = stop.boxed().shared();
        while !is_told(&stop) {
            // Before it looks, so that no event is written unseen between looking and waiting.
            let woken = written().notified();
            match self.turn(&outbox, &stop).await {
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
        if let Err(error) = outbox.release().await {
            tracing::warn!(%error, "another copy takes over events only after a while");
        }
        Ok(())
    }

    /// Hands over the events that are due; whether there may be more.
    async fn turn(&self, outbox: &Outbox, stop: &Stop<'_>) -> Result<bool, DbErr> {
        if outbox.due(1).await?.is_empty() || !self.hold(outbox).await? {
            return Ok(false);
        }
        // Read again: another copy may have handed over what was due.
        let events = outbox.due(BATCH).await?;
        let mut held = Instant::now();
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
            if held.elapsed() > SPARE / 2 {
                if !self.hold(outbox).await? {
                    return Ok(false);
                }
                held = Instant::now();
            }
            handed += 1;
            match self.hand_over(event.clone()).await {
                Ok(()) => outbox.done(&event).await?,
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

    /// Stays the one that hands over for as long as one event may take, and a while.
    async fn hold(&self, outbox: &Outbox) -> Result<bool, DbErr> {
        outbox.hold(self.time_limit + SPARE).await
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

impl fmt::Debug for Dispatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dispatcher").finish_non_exhaustive()
    }
}

fn is_told(stop: &Stop<'_>) -> bool {
    stop.clone().now_or_never().is_some()
}

/// How long to wait after that many attempts before another one.
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
