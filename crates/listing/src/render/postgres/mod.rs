//! Reads values from PostgreSQL's binary protocol by the types of their columns.

pub(super) mod array;
mod binary;
mod direct;
pub(super) mod elements;
mod network;
pub(super) mod numeric;
mod wire;

pub(crate) use binary::decode;
pub(crate) use direct::write as write_direct;
pub(crate) use wire::{Base, Wire};

#[cfg(test)]
mod tests;
