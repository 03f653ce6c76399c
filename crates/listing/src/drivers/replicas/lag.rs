//! Decides whether a replica is too far behind, only by comparing the positions of both servers.
//!
//! The servers' clocks are not used: on an idle primary the last transaction is old, but that is not lag. A replica is behind for
//! as long as it has not reached an earlier position of the primary.

use std::time::{Duration, Instant};

use super::position::Position;
use super::status::Out;

/// How far one replica is behind.
pub(super) struct Lag {
    most: Duration,
    /// A position of the primary that the replica had not reached yet, and when that was.
    target: Option<(Position, Instant)>,
    is_late: bool,
}

impl Lag {
    /// The lag is unknown at first. A replica is used once it has caught up.
    pub(super) fn new(most: Duration) -> Self {
        Self {
            most,
            target: None,
            is_late: true,
        }
    }

    /// The replica did not answer, so its lag is unknown.
    pub(super) fn forget(&mut self) {
        *self = Self::new(self.most);
    }

    /// Judges a replica at position `here`. While the primary is unreachable nothing is written, and the result does not change.
    pub(super) fn judge(
        &mut self,
        here: &Position,
        primary: Option<&Position>,
        now: Instant,
    ) -> Option<Out> {
        if let Some(primary) = primary {
            self.compare(here, primary, now);
        }
        let since = self.target.as_ref().map_or(now, |(_, since)| *since);
        self.is_late.then(|| Out::Late { by: now - since })
    }

    fn compare(&mut self, here: &Position, primary: &Position, now: Instant) {
        if let Some((there, since)) = &self.target {
            let is_over = now - *since > self.most;
            if here.has_reached(there) {
                self.is_late = is_over;
                self.target = None;
            } else if there.is_comparable(primary) {
                self.is_late |= is_over;
                return;
            }
        }
        if here.has_reached(primary) {
            self.is_late = false;
            self.target = None;
        } else {
            self.target = Some((primary.clone(), now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(place: u64) -> Position {
        format!("pg.1.1.{place:x}").parse().unwrap()
    }

    /// Rule b1132.
    #[test]
    fn a_replica_is_late_by_the_time_for_which_it_has_not_reached_the_primary() {
        let start = Instant::now();
        let seconds = |seconds| start + Duration::from_secs(seconds);
        let mut lag = Lag::new(Duration::from_secs(10));
        let mut judged = |here, primary: Option<u64>, now| {
            let primary = primary.map(at);
            let out = lag.judge(&at(here), primary.as_ref(), seconds(now));
            out.map(|out| match out {
                Out::Late { by } => by.as_secs(),
                other => panic!("{other}"),
            })
        };
        // The lag is unknown until it has caught up for the first time.
        assert_eq!(judged(5, Some(9), 0), Some(0));
        assert_eq!(judged(9, Some(12), 1), None);
        // An idle primary causes no lag, however long it lasts.
        assert_eq!(judged(12, Some(12), 2), None);
        assert_eq!(judged(12, Some(12), 600), None);
        // The replica makes no progress.
        assert_eq!(judged(12, Some(20), 600), None);
        assert_eq!(judged(12, Some(30), 610), None);
        assert_eq!(judged(12, Some(40), 611), Some(11));
        // The primary is unreachable: the result does not change.
        assert_eq!(judged(12, None, 620), Some(20));
        // It reaches the position of second 600 at second 630, which is still late.
        assert_eq!(judged(20, Some(50), 630), Some(0));
        assert_eq!(judged(50, Some(60), 633), None);
        assert_eq!(judged(60, None, 900), None);
    }
}
