//! Prints messages, with colours and progress only on a terminal.

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};

const BOLD: Style = Style::new().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();

/// What went wrong, and why.
pub(crate) fn error(error: &anyhow::Error) {
    let mut said = String::new();
    for cause in error.chain().map(ToString::to_string) {
        // Some errors tell their cause themselves.
        if said.contains(&cause) {
            continue;
        }
        if !said.is_empty() {
            said.push_str(": ");
        }
        said.push_str(&cause);
    }
    anstream::eprintln!("{RED}error:{RED:#} {said}");
}

/// A heading.
pub(crate) fn heading(text: &str) {
    anstream::println!("{BOLD}{text}{BOLD:#}");
}

/// A line with a word in front that says how good it is.
pub(crate) fn good(word: &str, text: &str) {
    anstream::println!("{GREEN}{word:>8}{GREEN:#}  {text}");
}

/// The same for what is to be looked at.
pub(crate) fn doubtful(word: &str, text: &str) {
    anstream::println!("{YELLOW}{word:>8}{YELLOW:#}  {text}");
}

/// The same for what is wrong.
pub(crate) fn bad(word: &str, text: &str) {
    anstream::println!("{RED}{word:>8}{RED:#}  {text}");
}

/// Turns while something long goes on; shows nothing where nobody looks. Ends when it is dropped.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    pub(crate) fn new(doing: &'static str) -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(doing);
        bar.enable_steady_tick(Duration::from_millis(120));
        Self(bar)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
