//! Parses a search: words, quoted phrases, and either of them with a minus (d87).

use std::fmt;
use std::sync::Arc;

use super::{CheckError, ColumnOf};
use crate::define::{EntityMeta, SearchEngine, Whitelist, WhitelistSearch};
use crate::request::AskedSearch;
use crate::vocabulary::Complaint;

/// The most bytes of a search. No real search is longer.
const MOST_BYTES: usize = 1_024;

/// The most words and phrases in a search.
const MOST_WORDS: usize = 32;

/// A search to apply. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct CheckedSearch<'w> {
    entity: &'w EntityMeta,
    search: &'w WhitelistSearch,
    words: Arc<[Word]>,
    /// The parameter that was sent: `search` or `_q`.
    pub(super) parameter: &'static str,
}

/// A word or a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// The text: not empty, without quotes, and without surrounding blanks.
    pub(crate) text: String,
    /// Whether it was quoted, and is searched for as one piece.
    pub(crate) is_phrase: bool,
    /// Whether rows that contain it are excluded.
    pub(crate) is_excluded: bool,
    /// Whether it may be the beginning of a word (d148): it consists of letters and digits.
    pub(crate) is_prefix: bool,
}

impl Word {
    fn can_be_prefix(&self) -> bool {
        let is_plain = !self.is_phrase && !self.is_excluded;
        is_plain && self.text.chars().all(char::is_alphanumeric)
    }

    /// Whether an index of words can contain it.
    fn has_letters(&self) -> bool {
        self.text.chars().any(char::is_alphanumeric)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minus = if self.is_excluded { "-" } else { "" };
        let quote = if self.is_phrase { "\"" } else { "" };
        write!(f, "{minus}{quote}{}{quote}", self.text)
    }
}

/// The requested search; `None` if none was sent, or if it has no words.
pub(super) fn checked<'w>(
    whitelist: &'w Whitelist,
    asked: Option<&AskedSearch>,
) -> Result<Option<CheckedSearch<'w>>, CheckError> {
    let Some(asked) = asked.filter(|asked| !asked.text.trim().is_empty()) else {
        return Ok(None);
    };
    let Some(search) = &whitelist.search else {
        return Err(CheckError::no_search(asked));
    };
    let text = asked.text.trim();
    if text.len() > MOST_BYTES {
        return Err(CheckError::long_search(asked, text.len()));
    }
    let mut words = words(text);
    if let Some(last) = words.last_mut().filter(|_| search.prefix) {
        last.is_prefix = last.can_be_prefix();
    }
    if words.len() > MOST_WORDS {
        return Err(CheckError::many_words(asked, words.len()));
    }
    Ok((!words.is_empty()).then(|| CheckedSearch {
        entity: &whitelist.entity,
        search,
        words: words.into(),
        parameter: asked.parameter,
    }))
}

impl<'w> CheckedSearch<'w> {
    pub(crate) fn table(&self) -> &'w str {
        &self.entity.name
    }

    pub(crate) fn engine(&self) -> &'w SearchEngine {
        &self.search.engine
    }

    /// The columns that are searched.
    pub(crate) fn columns(&self) -> impl Iterator<Item = ColumnOf<'w>> + Clone + use<'w> {
        let entity = self.entity;
        let columns = self.search.columns.iter();
        columns.map(|column| ColumnOf::new(entity, *column))
    }

    /// The words that a row must contain. An index of words does not contain words without a letter or digit, so these are left
    /// out there.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = &Word> {
        self.counting().filter(|word| !word.is_excluded)
    }

    /// Words that a row must not contain.
    pub(crate) fn excluded(&self) -> impl Iterator<Item = &Word> {
        self.counting().filter(|word| word.is_excluded)
    }

    fn counting(&self) -> impl Iterator<Item = &Word> {
        let by_letters = *self.engine() == SearchEngine::Contains;
        let words = self.words.iter();
        words.filter(move |word| by_letters || word.has_letters())
    }

    /// Whether some rows can be more relevant than others.
    pub(super) fn ranks(&self) -> bool {
        self.wanted().next().is_some()
    }

    /// Its canonical form.
    pub(crate) fn canonical(&self) -> String {
        let words: Vec<_> = self.words.iter().map(Word::to_string).collect();
        words.join(" ")
    }
}

/// Phones write typographic quotes.
const fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„' | '‟')
}

/// Splits a text into words and phrases. Every text is a valid search: an unclosed quote ends with the text, and hyphens
/// without a word are ignored.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let begun = rest;
        rest = rest.trim_start_matches('-');
        let is_excluded = rest.len() < begun.len();
        let is_phrase = rest.starts_with(is_quote);
        let (word, after) = if is_phrase {
            let inside = rest.strip_prefix(is_quote).unwrap_or(rest);
            inside.split_once(is_quote).unwrap_or((inside, ""))
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || is_quote(c));
            rest.split_at(end.unwrap_or(rest.len()))
        };
        let word = word.trim();
        if !word.is_empty() {
            words.push(Word {
                text: word.to_owned(),
                is_phrase,
                is_excluded,
                is_prefix: false,
            });
        }
        rest = after.trim_start();
    }
    words
}

impl CheckError {
    fn no_search(asked: &AskedSearch) -> Self {
        let message = "This list cannot be searched: its listing does not define a search.";
        Self::wrong_search("no_search", message.to_owned(), asked)
    }

    fn long_search(asked: &AskedSearch, bytes: usize) -> Self {
        let parameter = asked.parameter;
        let message = format!("`{parameter}` has {bytes} bytes; at most {MOST_BYTES} are allowed.");
        Self::wrong_search("search_too_long", message, asked)
    }

    fn many_words(asked: &AskedSearch, words: usize) -> Self {
        let parameter = asked.parameter;
        let message = format!(
            "`{parameter}` has {words} words and phrases; at most {MOST_WORDS} are allowed."
        );
        Self::wrong_search("too_many_words", message, asked)
    }

    fn wrong_search(code: &'static str, message: String, asked: &AskedSearch) -> Self {
        let token = Complaint::shorten(asked.text.trim());
        let parameter = asked.parameter.to_owned();
        Self::refused(code, message, parameter, token, &[], None)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Word, is_quote, words};

    fn told(text: &str) -> Vec<String> {
        words(text).iter().map(Word::to_string).collect()
    }

    /// Rule d87.
    #[test]
    fn words_phrases_and_minus_are_all_there_is() {
        assert_eq!(told("rust  axum"), ["rust", "axum"]);
        assert_eq!(
            told(r#"rust "old maps" -draft"#),
            ["rust", "\"old maps\"", "-draft"]
        );
        assert_eq!(told(r#"-"old maps""#), ["-\"old maps\""]);
        assert_eq!(told("second-hand lenses-"), ["second-hand", "lenses-"]);
        assert_eq!(
            told("foo%' OR 1=1 --"),
            ["foo%'", "OR", "1=1"],
            "hyphens before nothing are nothing"
        );
        assert_eq!(told("AND NOT ("), ["AND", "NOT", "("]);
        assert_eq!(told("a - b --c"), ["a", "b", "-c"]);
    }

    /// Rules d87, b240.
    #[test]
    fn a_quote_ends_a_word_and_need_not_be_closed() {
        assert_eq!(told(r#"foo"bar baz"qux"#), ["foo", "\"bar baz\"", "qux"]);
        assert_eq!(told(r#"foo "bar baz"#), ["foo", "\"bar baz\""]);
        assert_eq!(told("“old maps”"), ["\"old maps\""]);
        assert_eq!(told(r#""" foo"#), ["foo"]);
        for nothing in [
            "\"", "\"\"", "-", "--", "-\"\"", "\" \"", "“", "- -", "\"\"\"",
        ] {
            assert_eq!(told(nothing), [""; 0], "{nothing}");
        }
    }

    proptest! {
        /// Rule d87.
        #[test]
        fn every_text_is_a_search(text in any::<String>()) {
            let words = words(&text);
            for word in &words {
                prop_assert!(!word.text.is_empty());
                prop_assert_eq!(word.text.trim(), &word.text);
                prop_assert!(!word.text.contains(is_quote));
                prop_assert!(text.contains(&word.text));
                prop_assert!(word.is_phrase || !word.text.contains(char::is_whitespace));
            }
        }

        /// Rule d87.
        #[test]
        fn the_one_spelling_of_a_search_means_the_same(text in r#"([-"“ab%' ]|\PC){0,40}"#) {
            let once = words(&text);
            let spelt: Vec<_> = once.iter().map(Word::to_string).collect();
            prop_assert_eq!(words(&spelt.join(" ")), once);
        }
    }
}
