//! The user that a request is made for, as the blog's listings know it.

/// The signed-in user: the application puts it into the request's context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurrentUser {
    /// The author that this user is.
    pub author_id: i64,
}
