//! Who runs the statements of lists while everything is in order.

use anyhow::{Context, Result};

use super::system::Nodes;

/// Statements that read tables which nobody writes: nothing but lists and records runs them.
const READS: &str = "SELECT COALESCE(SUM(calls), 0) FROM pg_stat_statements \
     WHERE query ~ '\"(authors|tags|comments)\"' AND query !~ 'FOR KEY SHARE'";

const RESET: &str = "SELECT pg_stat_statements_reset()";

/// Counts from now on.
pub(super) fn reset(nodes: &Nodes) -> Result<()> {
    if let Nodes::Postgres(_) = nodes {
        for node in 0..nodes.len() {
            nodes.ask(node, RESET)?;
        }
    }
    Ok(())
}

/// How many of 100 the primary has run; none where all nodes are alike.
pub(super) fn of_primary(nodes: &Nodes, primary: usize) -> Result<Option<f64>> {
    let Nodes::Postgres(_) = nodes else {
        return Ok(None);
    };
    let mut calls = Vec::new();
    for node in 0..nodes.len() {
        let text = nodes.ask(node, READS)?;
        calls.push(text.trim().parse::<f64>().context("not a number")?);
    }
    let all: f64 = calls.iter().sum();
    Ok((all > 0.0).then(|| calls[primary] * 100.0 / all))
}
