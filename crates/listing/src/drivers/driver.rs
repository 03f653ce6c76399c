//! The result of opening a driver: its reader and its name.

use std::sync::Arc;

use crate::execute::Reader;

/// The reader of a database, and the name of the driver.
#[derive(Clone)]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) reader: Arc<dyn Reader + Send + Sync>,
}

impl Driver {
    pub(super) fn new(name: &'static str, reader: impl Reader + Send + 'static) -> Self {
        Self {
            name,
            reader: Arc::new(reader),
        }
    }
}
