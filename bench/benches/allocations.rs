//! Counts the allocations of the stages that need no database, for requests of three sizes.
//!
//! A program of its own: counting would slow down what is timed elsewhere.

use std::hint::black_box;
use std::time::Instant;

use allocation_counter::measure;
use listing_bench::stages::{DIALECTS, listings, parse, requests, write_sql};

const TIMES: u32 = 2_000;

fn main() -> anyhow::Result<()> {
    let listings = listings()?;
    println!(
        "{:<12} {:<11} {:>11} {:>8} {:>13}",
        "request", "dialect", "allocations", "bytes", "microseconds"
    );
    for (name, query) in requests() {
        for (dialect_name, dialect) in DIALECTS {
            let whole = || write_sql(&parse(&listings, black_box(&query)), dialect);
            // What is made once, at the first request, is not counted.
            whole();
            let counted = measure(whole);
            let began = Instant::now();
            for _ in 0..TIMES {
                whole();
            }
            let each = began.elapsed() / TIMES;
            println!(
                "{name:<12} {dialect_name:<11} {:>11} {:>8} {:>13.1}",
                counted.count_total,
                counted.bytes_total,
                each.as_secs_f64() * 1e6
            );
        }
    }
    Ok(())
}
