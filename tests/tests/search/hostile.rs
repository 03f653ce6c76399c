//! Whatever is typed into a search box, the answer is rows or none, and never an error of the engine.

use std::sync::LazyLock;

use listing_tests::{Engine, on_each, run};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::notes::{Notes, escaped, letters, words};

const NOTES: &[(&str, Option<&str>)] = &[
    ("foo%' OR 1=1 --", Some("AND NOT ( foo )")),
    (
        "title: maps*",
        Some("NEAR(a b, 5) ^x \"quoted\" <b>tag</b> &amp;"),
    ),
    ("plain", None),
];

/// What means something to one of the engines, or to SQL.
const HOSTILE: &[&str] = &[
    "foo%' OR 1=1 --",
    "AND NOT (",
    "NOT",
    "AND",
    "OR OR",
    "NEAR(",
    "NEAR/2",
    "title:foo",
    "{title body}: foo",
    "^foo",
    "foo*",
    "*",
    "+foo -bar ~baz <qux >quux (a b) @4",
    "+-foo",
    "+",
    "-",
    "@",
    "foo@4",
    "()",
    "((((((((((",
    ":*",
    "a & b | !c <-> d",
    "'a' & 'b'",
    "\\",
    "\\'",
    "''",
    "\"",
    "\"\"\"",
    "-\"",
    "\"a\" \"",
    "<b foo> bar</b>",
    "<script>alert(1)</script>",
    "&lt; &#65;",
    "%s %d %n $1 ?",
    "$1",
    "?",
    "; DROP TABLE notes; --",
    "/* */ #",
    "http://example.com/a?b=c#d user@example.com /usr/local 1.5e10 -1 +1",
    "(?<![a",
    "[[:alpha:]]+",
    "\\p{L}",
    "𠀀𠀁 日本語 テスト ไทย עברית",
    "İstanbul ΟΔΟΣ ẞ ﬁ",
    "e\u{301} \u{200d}\u{feff} \u{202e}",
    "\u{1}\u{7f}\u{fffd}",
    "the a of to in is it",
    "_ __ ___ a_b",
];

static ON: LazyLock<Vec<Notes>> = LazyLock::new(|| {
    let with = |engine| run(Notes::with(engine, NOTES));
    Engine::ALL.into_iter().map(with).collect()
});

/// Every way in which a text can be searched for.
async fn search_for(notes: &Notes, text: &str) {
    let context = listing::Context::new;
    let query = format!("search={}", escaped(text));
    let by_letters = notes.ids_for::<letters::Entity>(context(), &query).await;
    by_letters.unwrap_or_else(|error| panic!("{} by letters, {text:?}: {error}", notes.engine));
    for sort in ["id", "relevance"] {
        let query = format!("{query}&sort={sort}");
        let found = notes.ids_for::<words::Entity>(context(), &query).await;
        found.unwrap_or_else(|error| panic!("{} by {sort}, {text:?}: {error}", notes.engine));
    }
}

/// Rule d87.
#[test]
fn the_syntax_of_engines_is_nothing_but_text() {
    on_each(|engine| {
        let notes = ON.iter().find(|notes| notes.engine == engine).unwrap();
        run(async {
            for text in HOSTILE {
                search_for(notes, text).await;
                search_for(notes, &format!("-{text}")).await;
                search_for(notes, &format!("plain \"{text}")).await;
            }
            let found = notes.by_letters("foo%' OR 1=1 --").await;
            assert_eq!(found, [1], "every row would be too many");
            let found = notes.by_words("foo%' OR 1=1 --").await;
            assert_eq!(found, [1]);
            assert_eq!(notes.by_words("plain OR foo").await, [0; 0]);
        });
    });
}

fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        proptest::sample::select(HOSTILE).prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
        r#"[-+~<>()"'*:^&|!@%_\\ .,/=#$?{}\[\]]{1,4}"#,
        "[a-zA-Z]{1,5}",
        r"\PC{1,8}",
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| {
        let text: String = pieces.concat().chars().filter(|c| *c != '\0').collect();
        // Within the bounds, which are another test's.
        text.split_inclusive(char::is_whitespace)
            .take(30)
            .collect::<String>()
    })
}

/// Rule d87.
#[test]
fn no_text_gives_an_error() {
    let bounded = hostile_text().prop_filter("within the bounds", |text| {
        text.len() <= 1_000 && text.matches(['"', '“', '”', '„', '‟']).count() < 20
    });
    let mut runner = TestRunner::new(Config {
        cases: 150,
        failure_persistence: None,
        ..Config::default()
    });
    runner
        .run(&bounded, |text| {
            for notes in ON.iter() {
                run(search_for(notes, &text));
            }
            Ok(())
        })
        .unwrap();
}
