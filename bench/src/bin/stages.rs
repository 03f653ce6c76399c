//! Walks a request through every stage while valgrind counts the instructions.

use anyhow::{Context, Result};
use listing::Dialect;
use listing_bench::stages::{listings, parse, requests, write_sql};

/// How often; `cargo xtask bench --instructions` divides by it.
const TIMES: usize = 100;

fn main() -> Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let (_, query) = requests()
        .into_iter()
        .find(|(known, _)| *known == name)
        .with_context(|| format!("there is no request `{name}`"))?;
    let listings = listings()?;
    for _ in 0..TIMES {
        write_sql(&parse(&listings, &query), Dialect::Postgres);
    }
    Ok(())
}
