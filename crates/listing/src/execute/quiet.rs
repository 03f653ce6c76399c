//! Awaits a future that wakes whoever polls it at the moment at which it is over, without another poll of the task.
//!
//! Written by hand because it decides speed: `Shared` wakes all that wait for it when it is over, also the one that has just
//! learned it. A task that is woken while it runs is run once more, and often another thread is woken to do that.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Wake, Waker};

use futures_util::FutureExt as _;
use futures_util::task::AtomicWaker;

/// Awaits it. What wakes it while it is polled counts only if it is not over then.
pub(super) async fn quietly<F: Future + Unpin>(mut future: F) -> F::Output {
    let quiet = Arc::<Quiet>::default();
    let waker = Waker::from(Arc::clone(&quiet));
    poll_fn(move |context| {
        quiet.task.register(context.waker());
        quiet.state.store(POLLED, Ordering::SeqCst);
        let polled = future.poll_unpin(&mut Context::from_waker(&waker));
        let is_woken = quiet.state.swap(IDLE, Ordering::SeqCst) == WOKEN;
        if is_woken && polled.is_pending() {
            context.waker().wake_by_ref();
        }
        polled
    })
    .await
}

const IDLE: u8 = 0;
const POLLED: u8 = 1;
/// While it was polled.
const WOKEN: u8 = 2;

/// Wakes a task, unless it is just polling.
#[derive(Default)]
struct Quiet {
    state: AtomicU8,
    task: AtomicWaker,
}

impl Wake for Quiet {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let (ok, failed) = (Ordering::SeqCst, Ordering::SeqCst);
        let state = self.state.compare_exchange(POLLED, WOKEN, ok, failed);
        if state == Err(IDLE) {
            self.task.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::atomic::AtomicUsize;
    use std::task::Poll;

    use tokio::sync::oneshot;

    use super::*;

    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn b85_what_is_over_does_not_wake_the_task_that_has_learned_it() {
        let wakes = Arc::<Wakes>::default();
        let waker = Waker::from(Arc::clone(&wakes));
        let mut context = Context::from_waker(&waker);
        let woken = || wakes.0.load(Ordering::SeqCst);
        let (tell, told) = oneshot::channel();
        let told = told.shared();
        let mut first = pin!(quietly(told.clone()));
        assert_eq!(first.as_mut().poll(&mut context), Poll::Pending);
        assert_eq!(woken(), 0);
        // From outside, it is.
        tell.send(7).unwrap();
        assert_eq!(woken(), 1);
        assert_eq!(first.as_mut().poll(&mut context), Poll::Ready(Ok(7)));
        assert_eq!(woken(), 1);
    }

    #[test]
    fn b85_what_is_not_over_is_polled_again() {
        let wakes = Arc::<Wakes>::default();
        let waker = Waker::from(Arc::clone(&wakes));
        let mut context = Context::from_waker(&waker);
        let mut polls = 0;
        let twice = poll_fn(|context| {
            polls += 1;
            if polls == 2 {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        });
        let mut twice = pin!(quietly(twice));
        assert_eq!(twice.as_mut().poll(&mut context), Poll::Pending);
        assert_eq!(wakes.0.load(Ordering::SeqCst), 1);
        assert_eq!(twice.as_mut().poll(&mut context), Poll::Ready(()));
    }
}
