//! An application for these tests: notes in folders, with hooks, a scope and every kind of constraint.

mod app;
mod folder;
mod mark;
mod note;

pub use app::{App, Entry, Own, on_each_own, on_each_own_alone};
pub use folder::Folders;
pub use mark::Marks;
pub use note::{NotePayload, Notes};

/// The entities.
pub mod entity {
    pub use super::folder::entity as folder;
    pub use super::mark::entity as mark;
    pub use super::note::entity as note;
}
