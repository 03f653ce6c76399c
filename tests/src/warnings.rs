//! Captures the warnings and errors that are logged while something runs.

use std::io::Write;
use std::sync::{Arc, Mutex};

use tracing::Level;
use tracing::instrument::WithSubscriber;

/// What a future gives, and what it logs.
pub async fn warnings_of<T>(future: impl Future<Output = T>) -> (T, String) {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(Level::WARN)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let result = future.with_subscriber(subscriber).await;
    let bytes = log.0.lock().unwrap().clone();
    (result, String::from_utf8(bytes).unwrap())
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
