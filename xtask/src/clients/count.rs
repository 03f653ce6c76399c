//! Counts passed, failed and skipped tests in the TAP output of Node's test runner, and finds those that failed.

use std::fmt;

pub(super) struct Count {
    passed: u32,
    failed: u32,
    not_run: u32,
    /// What the runner's exit code says: a file that cannot be loaded has no tests to count.
    ended_well: bool,
    second_try: bool,
}

impl Count {
    pub(super) fn read(results: &str, ended_well: bool) -> Self {
        let number = |what: &str| {
            let mut numbers = results.lines().filter_map(|line| {
                line.strip_prefix("# ")?
                    .strip_prefix(what)?
                    .trim()
                    .parse()
                    .ok()
            });
            numbers.next_back().unwrap_or(0)
        };
        Self {
            passed: number("pass "),
            failed: number("fail "),
            not_run: number("cancelled ") + number("skipped ") + number("todo "),
            ended_well,
            second_try: false,
        }
    }

    /// The tests had failed before.
    pub(super) fn is_second_try(&mut self) {
        self.second_try = true;
    }

    /// A test that did not run shows nothing, so it does not count as a success.
    pub(super) fn is_success(&self) -> bool {
        self.ended_well && self.passed > 0 && self.failed == 0 && self.not_run == 0
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed", self.passed)?;
        if self.failed > 0 {
            write!(f, ", {} FAILED", self.failed)?;
        }
        if self.not_run > 0 {
            write!(f, ", {} NOT RUN", self.not_run)?;
        }
        if !self.ended_well && self.failed == 0 {
            write!(f, ", ended with an ERROR")?;
        }
        if self.second_try {
            write!(f, ", on the SECOND TRY")?;
        }
        Ok(())
    }
}

/// The tests of a file that failed, with what they say.
pub(super) fn failed(file: &str, results: &str) -> String {
    let mut found = String::new();
    let mut is_failed = false;
    for line in results.lines() {
        let test = line.trim_start();
        if test.starts_with("ok ") || test.starts_with("# ") {
            is_failed = false;
        } else if test.starts_with("not ok ") {
            is_failed = true;
            found += &format!("\n{file}: {test}\n");
        } else if is_failed {
            found += &format!("{line}\n");
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(pass: u32, fail: u32, skipped: u32) -> String {
        format!(
            "ok 1 - a\n    # pass 99\n1..1\n# tests 9\n# pass {pass}\n# fail {fail}\n\
             # cancelled 0\n# skipped {skipped}\n# todo 0\n# duration_ms 5.5\n"
        )
    }

    #[test]
    fn a_run_in_which_all_passed() {
        let count = Count::read(&results(12, 0, 0), true);
        assert!(count.is_success());
        assert_eq!(count.to_string(), "12 passed");
    }

    #[test]
    fn a_second_try_is_told() {
        let mut count = Count::read(&results(12, 0, 0), true);
        count.is_second_try();
        assert!(count.is_success());
        assert_eq!(count.to_string(), "12 passed, on the SECOND TRY");
    }

    #[test]
    fn tests_that_failed_are_found_with_what_they_say() {
        let results = "ok 1 - one\n  ---\n  duration_ms: 1\n  ...\nnot ok 2 - two\n  ---\n  error: 'no'\n  ...\n\
                       ok 3 - three\n1..3\n# fail 1\n";
        assert_eq!(
            failed("lists", results),
            "\nlists: not ok 2 - two\n  ---\n  error: 'no'\n  ...\n"
        );
    }

    #[test]
    fn failures_skips_and_crashes_are_no_success() {
        for (count, text) in [
            (
                Count::read(&results(11, 1, 0), false),
                "11 passed, 1 FAILED",
            ),
            (
                Count::read(&results(11, 0, 1), true),
                "11 passed, 1 NOT RUN",
            ),
            (Count::read(&results(0, 0, 0), true), "0 passed"),
            (Count::read("", false), "0 passed, ended with an ERROR"),
        ] {
            assert!(!count.is_success(), "{text}");
            assert_eq!(count.to_string(), text);
        }
    }
}
