//! Prints messages, with colours and progress only on a terminal.

use std::io::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};

const BOLD: Style = Style::new().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();

/// The error and its reason.
pub(crate) fn error(error: &anyhow::Error) {
    let mut said = String::new();
    for cause in error.chain().map(ToString::to_string) {
        // Some errors already contain the text of their cause.
        if said.contains(&cause) {
            continue;
        }
        if !said.is_empty() {
            said.push_str(": ");
        }
        said.push_str(&cause);
    }
    let _ = writeln!(anstream::stderr(), "{RED}error:{RED:#} {said}");
}

/// A line of the answer. A reader that has seen enough (`listing … | head`) closes the pipe: the remaining output is dropped,
/// while the remaining work is still done.
pub(crate) fn line(text: &str) {
    let _ = writeln!(anstream::stdout(), "{text}");
}

/// Text as it is, for other programs.
pub(crate) fn raw(text: &[u8]) {
    let _ = std::io::stdout().write_all(text);
}

/// A heading.
pub(crate) fn heading(text: &str) {
    line(&format!("{BOLD}{text}{BOLD:#}"));
}

/// A line that begins with a word in green.
pub(crate) fn good(word: &str, text: &str) {
    line(&format!("{GREEN}{word:>8}{GREEN:#}  {text}"));
}

/// A line that begins with a word in yellow, for what deserves a look.
pub(crate) fn doubtful(word: &str, text: &str) {
    line(&format!("{YELLOW}{word:>8}{YELLOW:#}  {text}"));
}

/// A line that begins with a word in red.
pub(crate) fn bad(word: &str, text: &str) {
    line(&format!("{RED}{word:>8}{RED:#}  {text}"));
}

/// A line that continues the one before.
pub(crate) fn more(text: &str) {
    line(&format!("          {text}"));
}

/// A spinner, on terminals only. Ends when it is dropped.
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

/// How much has come, on terminals only. Ends when it is dropped.
pub(crate) struct Download(ProgressBar);

impl Download {
    pub(crate) fn new(is_shown: bool) -> Self {
        let bar = match is_shown {
            true => ProgressBar::no_length(),
            false => ProgressBar::hidden(),
        };
        let style = "{spinner} {bytes} ({bytes_per_sec}) {elapsed}";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Self(bar)
    }

    pub(crate) fn at(&self, bytes: u64) {
        self.0.set_position(bytes);
    }
}

impl Drop for Download {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
