//! Finds and installs programs, and manages folders, ports and processes that leave nothing behind; asks servers over HTTP.

pub(crate) mod client;
pub(crate) mod family;
pub(crate) mod install;
pub(crate) mod ports;
pub(crate) mod programs;
pub(crate) mod python;
pub(crate) mod relay;
pub(crate) mod supervise;
pub(crate) mod temp;
