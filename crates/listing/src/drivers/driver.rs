//! What a driver gives the pool that chose it.

use crate::execute::Reader;

/// A reader of one database, with the name of what it reads with.
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) reader: Box<dyn Reader + Send + Sync>,
}

impl Driver {
    pub(super) fn new(name: &'static str, reader: impl Reader + Send + 'static) -> Self {
        Self {
            name,
            reader: Box::new(reader),
        }
    }
}
