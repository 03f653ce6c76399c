//! Entities as their source or a database describes them, and what a listing of them should contain.

pub(crate) mod attributes;
pub(crate) mod definition;
pub(crate) mod entity;
pub(crate) mod judge;
pub(crate) mod names;
pub(crate) mod secrets;
