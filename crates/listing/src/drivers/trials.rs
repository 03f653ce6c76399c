//! The first statement of each text that a pool runs: others of its text wait until it is known how long it takes.

use std::hash::BuildHasher as _;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use hashlink::{DefaultHashBuilder, LruCache};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many texts are remembered; the one that was not run for longest has a first statement again.
const MOST: usize = 2_000;

/// The texts that have run, or of which the first is running.
pub(super) struct Trials {
    /// By the hashes of texts, which can be long: two with the same hash would only wait for each other once.
    texts: Mutex<LruCache<u64, Arc<Semaphore>>>,
    hasher: DefaultHashBuilder,
}

impl Default for Trials {
    fn default() -> Self {
        Self {
            texts: Mutex::new(LruCache::new(MOST)),
            hasher: DefaultHashBuilder::default(),
        }
    }
}

impl Trials {
    /// Nothing if the text has run before, or else the trial that begins.
    ///
    /// # Errors
    /// With the trial of another statement that is not over.
    pub(super) fn begin(&self, text: &str) -> Result<Option<Trial>, OtherTrial> {
        let text = self.hasher.hash_one(text);
        let mut texts = self.texts();
        match texts.get(&text) {
            Some(over) if over.is_closed() => Ok(None),
            Some(over) => Err(OtherTrial(Arc::clone(over))),
            None => {
                let over = Arc::new(Semaphore::new(0));
                texts.insert(text, Arc::clone(&over));
                Ok(Some(Trial {
                    over,
                    place: OnceLock::new(),
                }))
            }
        }
    }

    /// The next statement of the text is the first once more.
    pub(super) fn forget(&self, text: &str) {
        let text = self.hasher.hash_one(text);
        let mut texts = self.texts();
        if texts.get(&text).is_some_and(|over| over.is_closed()) {
            texts.remove(&text);
        }
    }

    fn texts(&self) -> MutexGuard<'_, LruCache<u64, Arc<Semaphore>>> {
        // Nothing panics while it is held.
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The run of a text's first statement. It is over when this is dropped, if not before.
pub(super) struct Trial {
    /// Closed when it is over, which is what others wait for.
    over: Arc<Semaphore>,
    /// Among the slow statements, if it turned out to be one.
    place: OnceLock<OwnedSemaphorePermit>,
}

impl Trial {
    /// Others need not wait any longer: it is known to be slow, and takes one of these places, if there is one.
    pub(super) fn end(&self, places: &Arc<Semaphore>) {
        if self.over.is_closed() {
            return;
        }
        if let Ok(place) = Arc::clone(places).try_acquire_owned() {
            let _ = self.place.set(place);
        }
        self.over.close();
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        self.over.close();
    }
}

/// The trial of another statement.
pub(super) struct OtherTrial(Arc<Semaphore>);

impl OtherTrial {
    /// Waits for its end.
    pub(super) async fn over(&self) {
        // There is never a permit: this fails when it is closed.
        let _ = self.0.acquire().await;
    }
}
