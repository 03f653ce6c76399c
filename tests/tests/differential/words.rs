//! Searches by full text: words and phrases of the demo data whose limits no database draws differently.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_oneof};
use proptest::sample::Index;
use serde_json::{Value, json};

use crate::cell::Cell;
use crate::listing::Table;
use crate::world::{Row, WORLD};

/// The columns that articles are searched in.
const COLUMNS: [&str; 2] = ["title", "body"];

/// A search: what is written and what it means, side by side.
#[derive(Debug, Clone)]
pub(crate) struct AskedSearch {
    /// Never empty.
    parts: Vec<Part>,
}

/// A word, or the words of a phrase.
#[derive(Debug, Clone)]
struct Part {
    words: Vec<String>,
    is_excluded: bool,
    /// Written in capital letters.
    is_loud: bool,
}

impl AskedSearch {
    /// As a client writes it, and as `meta.filters` tells it.
    pub(crate) fn text(&self) -> String {
        let part = |part: &Part| {
            let mut text = part.words.join(" ");
            if part.is_loud {
                text = text.to_uppercase();
            }
            let text = match part.words.len() {
                1 => text,
                _ => format!("\"{text}\""),
            };
            format!("{}{text}", if part.is_excluded { "-" } else { "" })
        };
        self.parts.iter().map(part).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn told(&self) -> Value {
        let text = self.text();
        json!({ "key": "search", "value": text, "label": text, "operator": "$search" })
    }

    pub(crate) fn holds(&self, row: &Row) -> bool {
        let texts: Vec<_> = COLUMNS.iter().map(|column| words_of(row, column)).collect();
        let found = |part: &Part| {
            let is_there = |words: &Vec<String>| {
                words
                    .windows(part.words.len())
                    .any(|window| window == part.words)
            };
            texts.iter().any(is_there) != part.is_excluded
        };
        self.parts.iter().all(found)
    }
}

/// Searches for what some article has, more often than not.
pub(crate) fn search() -> impl Strategy<Value = AskedSearch> {
    let pick = prop_oneof![
        4 => any::<Index>().prop_map(|at| vec![at.get(&KNOWN.words).clone()]),
        1 => any::<Index>().prop_map(|at| at.get(&KNOWN.phrases).to_vec()),
    ];
    let part = (pick, proptest::bool::weighted(0.25), any::<bool>()).prop_map(
        |(words, is_excluded, is_loud)| Part {
            words,
            is_excluded,
            is_loud,
        },
    );
    vec(part, 1..=3).prop_map(|parts| AskedSearch { parts })
}

struct Known {
    words: Vec<String>,
    phrases: Vec<[String; 2]>,
}

/// Words of ASCII letters that stand between spaces, commas and full stops wherever they stand, and pairs of them with
/// one space between them wherever one follows the other. What an apostrophe or a hyphen divides is the engine's own rule.
static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let mut words: BTreeMap<String, bool> = BTreeMap::new();
    let mut phrases: BTreeMap<[String; 2], bool> = BTreeMap::new();
    for row in WORLD.rows(Table::Articles) {
        for column in COLUMNS {
            let Cell::Text(text) = row.cell(column) else {
                continue;
            };
            let text = text.to_lowercase();
            let mut before: Option<(usize, &str)> = None;
            for (at, word) in spans(&text) {
                let end = at + word.len();
                let plain = |c: Option<char>| c.is_none_or(|c| matches!(c, ' ' | ',' | '.' | '\n'));
                let clear = word.len() > 1
                    && word.bytes().all(|byte| byte.is_ascii_lowercase())
                    && plain(text[..at].chars().next_back())
                    && plain(text[end..].chars().next());
                *words.entry(word.to_owned()).or_insert(true) &= clear;
                if let Some((start, first)) = before {
                    let one_space = &text[start + first.len()..at] == " ";
                    let pair = [first.to_owned(), word.to_owned()];
                    *phrases.entry(pair).or_insert(true) &= one_space;
                }
                before = Some((at, word));
            }
        }
    }
    words.retain(|_, clear| *clear);
    phrases
        .retain(|pair, one_space| *one_space && pair.iter().all(|word| words.contains_key(word)));
    Known {
        words: words.into_keys().collect(),
        phrases: phrases.into_keys().collect(),
    }
});

fn words_of(row: &Row, column: &str) -> Vec<String> {
    match row.cell(column) {
        Cell::Text(text) => {
            let text = text.to_lowercase();
            spans(&text).map(|(_, word)| word.to_owned()).collect()
        }
        _ => Vec::new(),
    }
}

/// Runs of letters and digits, with where they begin.
fn spans(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let begin = rest + text[rest..].find(char::is_alphanumeric)?;
        let length = text[begin..].find(|c: char| !c.is_alphanumeric());
        rest = length.map_or(text.len(), |length| begin + length);
        Some((begin, &text[begin..rest]))
    })
}

#[test]
fn there_are_enough_words_to_search_for() {
    assert!(KNOWN.words.len() > 100, "{:?}", KNOWN.words);
    assert!(KNOWN.phrases.len() > 100, "{:?}", KNOWN.phrases);
}
