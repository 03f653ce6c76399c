//! What a run has shown, and whether that is what it must show.

use std::fmt;

use super::seen::{Errors, listed};

/// The most list statements that a primary may have while its replicas are in order, of 100.
const LARGEST_SHARE: f64 = 5.0;

#[derive(Debug, Default)]
pub(super) struct Total {
    pub(super) requests: u64,
    pub(super) errors: Errors,
    pub(super) healthy_rate: f64,
    /// How many of 100 list statements the primary had while everything was in order, where there are replicas.
    pub(super) share: Option<f64>,
    pub(super) wrong: u64,
    pub(super) unexpected: u64,
    pub(super) own: u64,
    pub(super) stale: u64,
    pub(super) acknowledged: usize,
    pub(super) lost: usize,
    pub(super) faults: usize,
    pub(super) longest_reads: f64,
    pub(super) longest_writes: f64,
}

impl Total {
    /// For how many seconds some client went without an answer, in one fault.
    pub(super) fn told(&mut self, reads: f64, writes: f64) {
        self.faults += 1;
        self.longest_reads = self.longest_reads.max(reads);
        self.longest_writes = self.longest_writes.max(writes);
    }

    pub(super) fn passed(&self) -> bool {
        self.wrong == 0
            && self.unexpected == 0
            && self.stale == 0
            && self.lost == 0
            && self.share.is_none_or(|share| share < LARGEST_SHARE)
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (share, goal) = match self.share {
            Some(share) => (format!("{share:.1} %"), "below 5 %"),
            None => ("all nodes are alike".to_owned(), ""),
        };
        let rows = [
            ("requests", self.requests.to_string(), ""),
            (
                "requests a second, without faults",
                format!("{:.0}", self.healthy_rate),
                "",
            ),
            (
                "list statements on the primary, without faults",
                share,
                goal,
            ),
            ("faults", self.faults.to_string(), ""),
            (
                "errors that faults explain, and others",
                listed(&self.errors),
                "",
            ),
            (
                "errors that no fault explains",
                self.unexpected.to_string(),
                "0",
            ),
            ("wrong bodies", self.wrong.to_string(), "0"),
            ("reads of own writes", self.own.to_string(), ""),
            ("stale ones of them", self.stale.to_string(), "0"),
            ("acknowledged records", self.acknowledged.to_string(), ""),
            ("lost ones of them", self.lost.to_string(), "0"),
            (
                "longest time without a read",
                format!("{:.1} s", self.longest_reads),
                "",
            ),
            (
                "longest time without a write",
                format!("{:.1} s", self.longest_writes),
                "",
            ),
        ];
        writeln!(f, "\n| what | seen | goal |\n|---|---|---|")?;
        for (what, seen, goal) in rows {
            writeln!(f, "| {what} | {seen} | {goal} |")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules b1171, b1174.
    #[test]
    fn a_run_fails_by_one_answer_that_should_not_be() {
        assert!(Total::default().passed());
        let one = |change: fn(&mut Total)| {
            let mut total = Total::default();
            change(&mut total);
            total.passed()
        };
        assert!(!one(|total| total.wrong = 1));
        assert!(!one(|total| total.stale = 1));
        assert!(!one(|total| total.lost = 1));
        assert!(!one(|total| total.unexpected = 1));
        assert!(!one(|total| total.share = Some(5.0)));
        assert!(one(|total| total.share = Some(4.9)));
        assert!(one(|total| total.longest_writes = 60.0));
    }
}
