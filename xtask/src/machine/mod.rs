//! Finds and installs programs, and manages folders and processes that leave nothing behind.

pub(crate) mod install;
pub(crate) mod programs;
pub(crate) mod supervise;
pub(crate) mod temp;
