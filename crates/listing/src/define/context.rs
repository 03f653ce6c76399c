//! Carries what an application knows about a request, by type, to the definitions that ask for it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The application's data about a request: the current user and anything else that it adds.
///
/// Scopes, dynamic default filters, computed fields and label resolvers read it.
///
/// ```
/// use listing::Context;
///
/// #[derive(Debug, PartialEq)]
/// struct CurrentUser { id: i64 }
///
/// let context = Context::new().with(CurrentUser { id: 7 });
/// assert_eq!(context.get::<CurrentUser>(), Some(&CurrentUser { id: 7 }));
/// assert_eq!(Context::new().get::<CurrentUser>(), None);
/// ```
#[derive(Clone, Default)]
pub struct Context {
    /// Every request has a context, is cloned with it, and most know nothing.
    values: Option<Arc<Values>>,
}

/// One for each type: so few that a linear search is faster than a map.
type Values = Vec<Arc<dyn Any + Send + Sync>>;

impl Context {
    /// A context that knows nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The context, with this value in it; one value for each type.
    #[must_use]
    pub fn with<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        let values = Arc::make_mut(self.values.get_or_insert_default());
        values.retain(|known| !known.is::<T>());
        values.push(Arc::new(value));
        self
    }

    /// The value of this type, if there is one.
    #[must_use]
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let mut values = self.values.as_ref()?.iter();
        values.find_map(|value| value.downcast_ref())
    }
}

// The application's values may be secret, so only their number is shown.
impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("values", &self.values.as_ref().map_or(0, |v| v.len()))
            .finish()
    }
}
