//! Looks on every node for all that was acknowledged.

use std::collections::HashMap;

use anyhow::{Context, Result};

use super::system::System;
use super::writer::{Verdict, Written};

/// All that clients wrote, past the service.
const ROWS: &str = "SELECT id, slug, title FROM articles WHERE slug LIKE 'cluster-%'";

/// How many are shown.
const SHOWN: usize = 20;

/// How many acknowledged writes are not there, on the node where most of them are missing.
pub(super) fn lost(system: &System, written: &[Written]) -> Result<usize> {
    let mut most = 0;
    for node in 0..system.nodes.len() {
        let text = system.nodes.ask(node, ROWS)?;
        let rows = rows(&text).context("a row has other columns")?;
        let lost: Vec<_> = written
            .iter()
            .filter(|article| is_lost(article, &rows))
            .collect();
        for article in lost.iter().take(SHOWN) {
            eprintln!("lost on node{}: {article:?}", node + 1);
        }
        most = most.max(lost.len());
    }
    Ok(most)
}

type Rows<'a> = HashMap<u64, (&'a str, &'a str)>;

fn rows(text: &str) -> Option<Rows<'_>> {
    let rows = text.lines().map(|line| {
        let mut columns = line.split('\t');
        let id = columns.next()?.parse().ok()?;
        Some((id, (columns.next()?, columns.next()?)))
    });
    rows.collect()
}

fn is_lost(article: &Written, rows: &Rows<'_>) -> bool {
    rows.get(&article.id)
        .is_none_or(|(slug, title)| article.judge(article.id, slug, title) != Verdict::Right)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b1171.
    #[test]
    fn what_is_missing_or_older_than_acknowledged_is_lost() {
        let rows = rows("7\ta\tVersion 1\n8\tb\tVersion 0\n").unwrap();
        let article = |id, slug: &str, acknowledged| Written {
            id,
            slug: slug.to_owned(),
            acknowledged,
            asked: 1,
        };
        assert!(!is_lost(&article(7, "a", 1), &rows));
        assert!(!is_lost(&article(8, "b", 0), &rows));
        assert!(is_lost(&article(8, "b", 1), &rows));
        assert!(is_lost(&article(9, "c", 0), &rows));
        assert!(is_lost(&article(7, "c", 1), &rows));
    }
}
