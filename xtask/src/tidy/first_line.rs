//! Checks that a source file begins with one sentence that says what it is for.

use super::{Complaint, File};

pub(super) fn check(file: &File) -> Option<Complaint> {
    let first = file.text.lines().next().unwrap_or_default();
    let Some(sentence) = first.strip_prefix("//! ") else {
        return Some(file.complain(1, "begins without a `//!` line that says what it is for"));
    };
    if sentence.starts_with("In:") {
        let message = "begins with `In:`: say in a sentence what the file is for";
        return Some(file.complain(1, message));
    }
    if !sentence.ends_with('.') {
        let message = "the first line is not a whole sentence: end it with a full stop";
        return Some(file.complain(1, message));
    }
    if has_two_sentences(sentence) {
        let message = "the first line is more than one sentence: put the rest into a paragraph";
        return Some(file.complain(1, message));
    }
    None
}

/// Whether a full stop, a space and a capital letter follow each other.
fn has_two_sentences(line: &str) -> bool {
    line.split(". ")
        .skip(1)
        .any(|rest| rest.starts_with(char::is_uppercase))
}

#[cfg(test)]
mod tests {
    use super::super::tests::texts;
    use super::*;

    fn complaint(text: &str) -> String {
        texts(check(&File::new("crates/x/src/a.rs", text))).concat()
    }

    #[test]
    fn a_file_says_what_it_is_for() {
        for text in ["", "use b;\n", "// A comment.\n", "/// An item.\n", "//!\n"] {
            assert!(complaint(text).contains("begins without"), "{text:?}");
        }
        for text in [
            "//! Builds a plan.\n",
            "//! Builds a plan (contract 2.4, d21).\n//!\n//! It is plain data. It has no text.\n",
            "//! Reads `a.b. c` and nothing else.\n",
        ] {
            assert_eq!(complaint(text), "", "{text:?}");
        }
    }

    #[test]
    fn the_first_line_is_one_plain_sentence() {
        assert!(complaint("//! In: a request. Out: a plan.\n").contains("begins with `In:`"));
        assert!(complaint("//! Builds a plan\n").contains("full stop"));
        assert!(complaint("//! Builds a plan, of which\n//! not all is used.\n").contains("full"));
        assert!(complaint("//! Builds a plan. It is plain data.\n").contains("more than one"));
    }
}
