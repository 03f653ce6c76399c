//! Finds how many requests may be worked on at the same time in overload, so that each takes a quarter longer than usual (b335).
//!
//! The right number is not known beforehand: it depends on what is asked, on the processors here and on the database, which
//! may be on another machine. Every answer tells whether it was too many or too few, and moves the number a little. A fixed
//! number, four for each processor, with 10 ms of waiting made answers take twice as long (`cargo xtask bench --overload`).
//!
//! Written by hand: the crates for it (such as `tower-acc`) are limits at all times, and compare with the shortest time of any
//! request, or with an average of all. One list costs a hundred times as much as another, and in overload all are slow.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

/// A request that takes longer waits for the database, not for a processor, and is no longer one of the few.
pub(super) const LONG: Duration = Duration::from_millis(100);

/// How many times as long as usual a request may take.
const TIMES_AS_LONG: f64 = 1.25;

/// By how much one answer may move the number, at most.
const STEP: f64 = 0.05;

/// How much of the usual time one more request is.
const WEIGHT: f64 = 1.0 / 256.0;

/// For each processor, so many to begin with.
const AT_FIRST: usize = 4;

/// The few requests that are worked on at the same time in overload.
#[derive(Debug)]
pub(super) struct Few {
    places: Semaphore,
    /// The usual time of a request that does not have to wait for others: the logarithm of its seconds, as bits. A mean of
    /// logarithms is not ruled by the few requests that take a hundred times as long as the others.
    usual: AtomicU64,
    number: Mutex<Number>,
    processors: usize,
    most: usize,
}

#[derive(Debug)]
struct Number {
    wanted: f64,
    /// How many places there are, taken or free.
    places: usize,
}

impl Few {
    pub(super) fn of(processors: usize, max_requests: usize) -> Self {
        let most = max_requests.clamp(1, Semaphore::MAX_PERMITS);
        let places = (AT_FIRST * processors).min(most);
        Self {
            places: Semaphore::new(places),
            usual: AtomicU64::new(f64::NAN.to_bits()),
            number: Mutex::new(Number {
                wanted: places as f64,
                places,
            }),
            processors: processors.min(most),
            most,
        }
    }

    pub(super) fn places(&self) -> &Semaphore {
        &self.places
    }

    /// A request was answered, and so many were worked on when it began: if each had a processor, it tells what is usual.
    pub(super) fn answered(&self, took: Duration, at_once: usize) {
        if at_once > self.processors {
            return;
        }
        let (usual, took) = (self.usual(), logarithm(took));
        let usual = if usual.is_nan() {
            took
        } else {
            usual + WEIGHT * (took - usual)
        };
        self.usual.store(usual.to_bits(), Ordering::Relaxed);
    }

    /// One of the few was answered, or takes long: gives its place back, and there may be one more or one less from now on.
    pub(super) fn leave(&self, place: SemaphorePermit<'_>, took: Duration) {
        let usual = self.usual();
        let mut number = self.number();
        if !usual.is_nan() {
            let too_long = logarithm(took) - usual - TIMES_AS_LONG.ln();
            let wanted = number.wanted - STEP * too_long.clamp(-1.0, 1.0);
            number.wanted = wanted.clamp(self.processors as f64, self.most as f64);
        }
        if number.wanted >= (number.places + 1) as f64 {
            self.places.add_permits(1);
            number.places += 1;
        } else if number.wanted < number.places as f64 {
            place.forget();
            number.places -= 1;
        }
    }

    fn usual(&self) -> f64 {
        f64::from_bits(self.usual.load(Ordering::Relaxed))
    }

    fn number(&self) -> MutexGuard<'_, Number> {
        self.number.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn logarithm(took: Duration) -> f64 {
    took.min(LONG).as_secs_f64().max(1e-6).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Duration = Duration::from_millis(2);

    /// On two processors, after requests that took [`USUAL`].
    fn few() -> Few {
        let few = Few::of(2, 100);
        few.answered(USUAL, 1);
        few
    }

    fn places(few: &Few) -> usize {
        assert_eq!(few.places.available_permits(), few.number().places);
        few.number().places
    }

    /// Answers requests; each takes `took` of how many are worked on at the same time.
    fn answer(few: &Few, took: impl Fn(usize) -> Duration) -> usize {
        for _ in 0..5_000 {
            let took = took(places(few));
            few.leave(few.places.try_acquire().unwrap(), took);
        }
        places(few)
    }

    /// A machine that works on `at_once` requests at the same time, and divides itself among more.
    fn machine(at_once: u32) -> impl Fn(usize) -> Duration {
        move |places| USUAL.max(USUAL * u32::try_from(places).unwrap() / at_once)
    }

    #[test]
    fn b335_in_overload_so_many_are_worked_on_that_each_takes_a_quarter_longer_than_usual() {
        let few = few();
        assert_eq!(places(&few), 8);
        assert!((7..=8).contains(&answer(&few, machine(6))));
        assert!((2..=3).contains(&answer(&few, machine(2))));
        assert!((24..=26).contains(&answer(&few, machine(20))));
    }

    #[test]
    fn b335_there_is_one_for_each_processor_at_least_and_max_requests_at_most() {
        let few = few();
        assert_eq!(answer(&few, |_| USUAL * 10), 2);
        assert_eq!(answer(&few, |_| USUAL / 2), 100);
        assert_eq!(places(&Few::of(64, 1)), 1);
    }

    #[test]
    fn b335_what_is_usual_is_told_by_requests_that_do_not_wait_for_others() {
        let few = few();
        for _ in 0..5_000 {
            few.answered(USUAL * 10, 3);
        }
        assert!((2..=3).contains(&answer(&few, machine(2))));
        for _ in 0..5_000 {
            few.answered(USUAL * 2, 2);
        }
        assert!((4..=5).contains(&answer(&few, machine(2))));
    }

    #[test]
    fn b335_nothing_is_changed_before_anything_is_usual() {
        let few = Few::of(2, 100);
        assert_eq!(answer(&few, |_| USUAL * 10), 8);
    }
}
