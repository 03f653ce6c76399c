//! Items that the derives use in applications; nothing else should name them.

use crate::http::Denied;
use crate::records::{Access, Resource};

/// The result of an application's decision function.
///
/// # Errors
/// Those of the function.
pub fn decide<R: Resource>(
    decision: impl FnOnce(&Access<'_, R>) -> Result<(), Denied>,
    access: &Access<'_, R>,
) -> Result<(), Denied> {
    decision(access)
}
