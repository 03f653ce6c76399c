//! What the derives write into applications; nothing else should name it.

use crate::http::Denied;
use crate::records::{Access, Resource};

/// What a function of the application decides.
///
/// # Errors
/// Those of the function.
pub fn decide<R: Resource>(
    decision: impl FnOnce(&Access<'_, R>) -> Result<(), Denied>,
    access: &Access<'_, R>,
) -> Result<(), Denied> {
    decision(access)
}
