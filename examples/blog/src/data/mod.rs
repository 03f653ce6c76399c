//! Fills an empty database with the same rows each time, for trying things out or for measuring.
//!
//! `rows` computes any row from its number, `demo` arranges a small set in which every rule has a case, `seed` a
//! large one of any size; `insert` writes the one and `bulk` the other. No clock and no random source: the bytes are
//! the same on every machine and every database.

mod bulk;
mod country;
mod demo;
mod draw;
mod insert;
mod rows;
mod seed;
mod words;

pub use country::country_name;
pub use demo::{DemoRows, demo_rows, load_demo, load_demo_if_empty};
pub use seed::load_seed;
