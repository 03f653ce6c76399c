//! The reference service: a small blog in which every rule of the contract can be tried.

pub mod connect;
pub mod data;
pub mod entity;
pub mod listings;
pub mod migration;
pub mod resources;
mod service;

pub use service::service;
