//! Webhooks: configured targets receive events over HTTP, signed, at least once, and in order for each record (d130).

mod address;
mod connection;
mod deliver;
mod message;
mod selection;
mod send;
mod signature;
mod target;
mod url;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use listing::observe::TallyCounter;

use self::target::Target;
use super::Config;
use crate::records::deliveries::NewDelivery;
use crate::records::{Event, RouteTable};

pub(super) use self::signature::keys;
pub(super) use self::url::Url;

/// Deliveries that a target accepted.
pub(super) static DELIVERED: TallyCounter = TallyCounter::zero();
/// Attempts that failed.
pub(super) static FAILED: TallyCounter = TallyCounter::zero();
/// Deliveries that were parked.
pub(super) static PARKED: TallyCounter = TallyCounter::zero();

/// The pauses after failed attempts. The last one is used for all further attempts.
const PAUSES: [Duration; 6] = [
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_secs(120),
    Duration::from_secs(600),
    Duration::from_secs(1_800),
    Duration::from_secs(3_600),
];

/// The targets of the configuration, and how to deliver to them. A [`Dispatcher`](crate::events::Dispatcher) with webhooks stores
/// what they are to receive, and delivers it while it runs. A [`Service`](crate::Service) does this by itself if targets are
/// configured.
///
/// ```
/// use listing_axum::events::{Dispatcher, Event};
/// use listing_axum::routes::RouteTable;
/// use listing_axum::webhooks::{WebhookError, Webhooks};
/// use listing_axum::Config;
/// use sea_orm::DatabaseConnection;
///
/// fn dispatcher(db: DatabaseConnection, config: &Config, routes: &RouteTable) -> Result<Dispatcher, WebhookError> {
///     let nothing_else = async |_: Event| Ok::<_, std::io::Error>(());
///     let webhooks = Webhooks::new(config, routes)?;
///     Ok(Dispatcher::new(db, nothing_else).webhooks(webhooks))
/// }
/// # let _ = dispatcher;
/// ```
#[must_use = "nothing is delivered until a dispatcher has them and runs"]
#[derive(Clone)]
pub struct Webhooks {
    targets: Vec<Arc<Target>>,
    pauses: Vec<Duration>,
    park_after: Duration,
    poll: Duration,
    lease: Duration,
}

impl Webhooks {
    /// The targets of the configuration. The events that they name must be events of these routes.
    ///
    /// # Errors
    /// When a target names a list or an operation that has no events, or has no usable address, secret or certificate.
    pub fn new(config: &Config, routes: &RouteTable) -> Result<Self, WebhookError> {
        let targets = config.webhooks.iter().map(|(name, target)| {
            let target = Target::of(name, target, routes.served())?;
            Ok(Arc::new(target))
        });
        Ok(Self {
            targets: targets.collect::<Result<_, _>>()?,
            pauses: PAUSES.to_vec(),
            park_after: Duration::from_secs(24 * 3_600),
            poll: Duration::from_secs(1),
            lease: Duration::from_secs(15),
        })
    }

    /// The pauses before an attempt is repeated. The last one is used for all further attempts. The default is 5 seconds, 30
    /// seconds, 2 minutes, 10 minutes, 30 minutes and an hour.
    pub fn pauses(mut self, pauses: impl IntoIterator<Item = Duration>) -> Self {
        self.pauses = pauses.into_iter().collect();
        self
    }

    /// How long attempts may fail before a delivery is parked: 24 hours by default.
    pub fn park_after(mut self, time: Duration) -> Self {
        self.park_after = time;
        self
    }

    /// How often to look for due deliveries: every second by default. New ones from this process are sent at once.
    pub fn poll(mut self, every: Duration) -> Self {
        self.poll = every;
        self
    }

    /// How long it takes at most until another copy of the service delivers after this one has gone: 15 seconds by default.
    pub fn take_over_after(mut self, time: Duration) -> Self {
        self.lease = time;
        self
    }

    /// Whether no targets are configured.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The deliveries of an event, one for each target that receives it.
    pub(super) fn deliveries(&self, event: &Event) -> Vec<NewDelivery> {
        let targets = self.targets.iter();
        let targets = targets.filter(|target| target.selection.includes(event));
        let deliveries = targets.map(|target| NewDelivery {
            target: target.name.clone(),
            message: message::new_id(),
            body: message::body(event),
        });
        deliveries.collect()
    }

    /// The pause after this many failed attempts.
    fn pause(&self, failed: u32) -> Duration {
        let at = usize::try_from(failed.saturating_sub(1)).unwrap_or(usize::MAX);
        let pause = self.pauses.get(at).or(self.pauses.last());
        pause.copied().unwrap_or(self.park_after)
    }
}

impl fmt::Debug for Webhooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.targets.iter().map(|target| &target.name).collect();
        f.debug_struct("Webhooks")
            .field("targets", &names)
            .finish_non_exhaustive()
    }
}

/// An invalid target. The message shows neither its address nor its secret.
#[derive(Debug, thiserror::Error)]
#[error("`webhooks.{target}.{key}`: {problem}")]
pub struct WebhookError {
    target: String,
    key: &'static str,
    problem: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules d130, b1194.
    #[test]
    fn pauses_grow_to_an_hour() {
        let routes = RouteTable::default();
        let webhooks = Webhooks::new(&Config::default(), &routes).unwrap();
        let seconds = (1..9).map(|failed| webhooks.pause(failed).as_secs());
        let seconds: Vec<_> = seconds.collect();
        assert_eq!(seconds, [5, 30, 120, 600, 1_800, 3_600, 3_600, 3_600]);
        assert_eq!(webhooks.pause(u32::MAX).as_secs(), 3_600);
        assert_eq!(webhooks.park_after.as_secs(), 86_400);
        let none = webhooks.pauses([]);
        assert_eq!(none.pause(1), none.park_after);
    }
}
