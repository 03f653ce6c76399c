//! List endpoints from one checked whitelist per entity.

pub mod vocabulary;
