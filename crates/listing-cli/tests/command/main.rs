//! The built command on temporary projects.
//!
//! One application is generated, built and asked for all tests together; its dependencies are compiled once, into a folder
//! that outlives the run.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod ask;
mod check;
mod existing;
mod export;
mod fresh;
mod make;
mod new;
mod schemas;
mod serve;
mod servers;
mod shop;
mod tutorial;
mod words;
