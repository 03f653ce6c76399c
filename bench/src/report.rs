//! Writes results as a table for the terminal, a file for programs and a table for the documentation.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;

use crate::works::Work;

/// What a side costs.
pub(crate) struct Cost {
    pub(crate) per_second: f64,
    /// Processor time of the server for one request.
    pub(crate) server: Duration,
    /// Processor time of the database for one request.
    pub(crate) database: Duration,
}

pub(crate) struct Measured {
    work: &'static str,
    what: &'static str,
    goal: f64,
    ours: Cost,
    baseline: Cost,
    /// The median of the rounds' ratios.
    ratio: f64,
    /// From the lower to the upper quartile of the rounds' ratios.
    spread: f64,
}

impl Measured {
    pub(crate) fn new(work: &Work, ours: Cost, baseline: Cost, mut ratios: Vec<f64>) -> Self {
        Self {
            work: work.name,
            what: work.what,
            goal: work.goal,
            ours,
            baseline,
            ratio: median(&mut ratios),
            spread: quantile(&mut ratios, 0.75) - quantile(&mut ratios, 0.25),
        }
    }

    fn verdict(&self) -> &'static str {
        if self.ratio >= self.goal { "" } else { "below" }
    }
}

#[derive(Default)]
pub(crate) struct Report {
    rows: Vec<Measured>,
}

impl Report {
    pub(crate) fn add(&mut self, measured: Measured) {
        self.rows.push(measured);
    }

    pub(crate) fn print(&self) {
        println!(
            "\n{:<18} {:>9} {:>9} {:>7} {:>6} {:>6} {:>6}   {:>15}   {:>15}",
            "", "", "", "", "", "", "", "server CPU ms", "database CPU ms"
        );
        println!(
            "{:<18} {:>9} {:>9} {:>7} {:>6} {:>6} {:>6}   {:>7} {:>7}   {:>7} {:>7}",
            "work",
            "ours/s",
            "base/s",
            "ratio",
            "spread",
            "goal",
            "",
            "ours",
            "base",
            "ours",
            "base"
        );
        for row in &self.rows {
            println!(
                "{:<18} {:>9.0} {:>9.0} {:>7.2} {:>6.2} {:>6.2} {:>6}   {:>7.0} {:>7.0}   {:>7.0} {:>7.0}",
                row.work,
                row.ours.per_second,
                row.baseline.per_second,
                row.ratio,
                row.spread,
                row.goal,
                row.verdict(),
                of_thousand(row.ours.server),
                of_thousand(row.baseline.server),
                of_thousand(row.ours.database),
                of_thousand(row.baseline.database),
            );
        }
        println!(
            "\nOurs and base are answers in a second; the ratio is the median of the rounds, the spread its quartiles \
             apart. Processor time is for 1,000 requests."
        );
    }

    pub(crate) fn write_json(&self, file: &Path) -> Result<()> {
        let rows: Vec<_> = self
            .rows
            .iter()
            .map(|row| {
                json!({
                    "work": row.work,
                    "ours": rounded(row.ours.per_second, 1),
                    "baseline": rounded(row.baseline.per_second, 1),
                    "ratio": rounded(row.ratio, 3),
                    "spread": rounded(row.spread, 3),
                })
            })
            .collect();
        fs::write(file, serde_json::to_string_pretty(&rows)? + "\n")
            .with_context(|| format!("cannot write {}", file.display()))?;
        println!("written to {}", file.display());
        Ok(())
    }

    /// Replaces the last section of a document, which holds the results.
    pub(crate) fn write_document(&self, file: &Path, rows: u64, command: &str) -> Result<()> {
        const SECTION: &str = "\n## Results\n";
        let text = fs::read_to_string(file)?;
        let (before, _) = text
            .split_once(SECTION)
            .with_context(|| format!("{} has no section of results", file.display()))?;
        fs::write(
            file,
            [before, SECTION, &self.section(rows, command)].concat(),
        )?;
        Ok(())
    }

    fn section(&self, rows: u64, command: &str) -> String {
        let mut text = format!(
            "\nMade by `{command}` on {} cores with {rows} articles. CPU is milliseconds of processor time for 1,000 \
             requests, ours and the baseline's.\n\n\
             | benchmark | what; compared with | ours, 1/s | baseline, 1/s | ratio | spread | goal | server CPU | database CPU |\n\
             |---|---|---|---|---|---|---|---|---|\n",
            std::thread::available_parallelism().map_or(1, usize::from)
        );
        for row in &self.rows {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "| `{}` | {} | {:.0} | {:.0} | {:.2} | {:.2} | {:.2} | {:.0}, {:.0} | {:.0}, {:.0} |",
                row.work,
                row.what,
                row.ours.per_second,
                row.baseline.per_second,
                row.ratio,
                row.spread,
                row.goal,
                of_thousand(row.ours.server),
                of_thousand(row.baseline.server),
                of_thousand(row.ours.database),
                of_thousand(row.baseline.database),
            );
        }
        text
    }
}

/// Milliseconds for a thousand requests.
fn of_thousand(of_one: Duration) -> f64 {
    of_one.as_secs_f64() * 1_000_000.0
}

fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

pub(crate) fn median(values: &mut [f64]) -> f64 {
    quantile(values, 0.5)
}

/// The smallest and the largest.
pub(crate) fn spread(values: &[f64]) -> String {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    format!("{least:.1} to {most:.1}")
}

#[expect(clippy::cast_precision_loss, reason = "for reading")]
pub(crate) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Between two values, the straight line.
fn quantile(values: &mut [f64], at: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let Some(last) = values.len().checked_sub(1) else {
        return f64::NAN;
    };
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few rounds"
    )]
    let (below, part) = {
        let place = at * last as f64;
        (place as usize, place.fract())
    };
    let above = (below + 1).min(last);
    values[below] + (values[above] - values[below]) * part
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b112.
    #[test]
    fn a_ratio_is_the_median_of_the_rounds_and_its_spread_lies_between_their_quartiles() {
        let cost = || Cost {
            per_second: 1.0,
            server: Duration::ZERO,
            database: Duration::ZERO,
        };
        let works = crate::works::works();
        let ratios = vec![5.0, 1.0, 4.0, 2.0, 3.0];
        let measured = Measured::new(&works[0], cost(), cost(), ratios);
        assert_eq!(measured.ratio.to_bits(), 3.0_f64.to_bits());
        assert_eq!(measured.spread.to_bits(), 2.0_f64.to_bits());
    }

    #[test]
    fn quantiles_of_few_values() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]).to_bits(), 2.0_f64.to_bits());
        assert_eq!(median(&mut [4.0, 1.0]).to_bits(), 2.5_f64.to_bits());
        assert_eq!(
            quantile(&mut [1.0, 2.0, 3.0, 4.0, 5.0], 0.75).to_bits(),
            4.0_f64.to_bits()
        );
        assert_eq!(quantile(&mut [7.0], 0.25).to_bits(), 7.0_f64.to_bits());
    }
}
