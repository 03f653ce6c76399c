//! Words, phrases and what is left out: by letters and by full text.

use crate::notes::on_notes;

const NOTES: &[(&str, Option<&str>)] = &[
    (
        "Old maps of the river",
        Some("Notes on paper, Ink and glue."),
    ),
    ("Night trains", Some("An old habit: reading maps at night.")),
    ("River swimming", None),
    (
        "The GO programming of trains",
        Some("maps, and old rivers too"),
    ),
    (
        "École d'été",
        Some("50% of pupils_and teachers; don't panic: 1=1"),
    ),
];

/// Rule d87.
#[test]
fn every_word_must_occur_in_at_least_one_of_the_columns() {
    on_notes(NOTES, async |notes| {
        assert_eq!(notes.both("maps").await, [1, 2, 4]);
        assert_eq!(notes.both("old maps").await, [1, 2, 4]);
        assert_eq!(notes.both("night maps").await, [2], "in two columns");
        assert_eq!(notes.both("trains swimming").await, [0; 0]);
        assert_eq!(notes.both("zeppelin").await, [0; 0]);
    });
}

/// Rules d148, b769.
#[test]
fn the_last_word_may_be_the_beginning_of_one() {
    on_notes(NOTES, async |notes| {
        for (search, found) in [
            ("map", &[1, 2, 4][..]),
            ("ma", &[1, 2, 4]),
            ("m", &[1, 2, 4]),
            ("swim", &[3]),
            ("RIV", &[1, 3, 4]),
            ("éco", &[5]),
            ("maps ol", &[1, 2, 4]),
            ("old hab", &[2]),
            // A word that databases leave out of their indexes, and others that begin so.
            ("th", &[1, 4]),
            ("the", &[1, 4]),
            ("te", &[5]),
            ("1", &[5]),
            // Only the last one, without quotes, without a minus, and of letters and digits alone.
            ("ma old", &[]),
            ("\"ma\"", &[]),
            ("old -ma", &[1, 2, 4]),
            ("don't pa", &[5]),
            ("ap", &[]),
            ("zepp", &[]),
        ] {
            let ids = notes.by_beginnings(search).await;
            assert_eq!(ids, found, "{search} on {}", notes.engine);
        }
        // Nowhere else.
        assert_eq!(notes.by_words("map").await, [0; 0]);
        let by_relevance = notes
            .ids::<crate::notes::beginnings::Entity>("sort=relevance&search=riv")
            .await;
        assert_eq!(by_relevance.len(), 3);
    });
}

/// Rules d148, b770.
#[test]
fn numbers_are_looked_into_as_text_where_a_definition_names_them() {
    on_notes(NOTES, async |notes| {
        notes.add(40, 1, "Four and forty", None).await;
        notes.add(45, 2, "Of another tenant", None).await;
        let ids = async |search: &str| {
            let query = format!("search={search}");
            notes.ids::<crate::notes::numbers::Entity>(&query).await
        };
        assert_eq!(ids("4").await, [4, 40]);
        assert_eq!(ids("40").await, [40]);
        assert_eq!(ids("4%20four").await, [40]);
        assert_eq!(ids("-4%20maps").await, [1]);
        let long = "4".repeat(1_010);
        assert_eq!(ids(&long).await, [0; 0]);
    });
}

/// Rules d87, b247.
#[test]
fn case_does_not_count_and_accents_do() {
    on_notes(NOTES, async |notes| {
        assert_eq!(notes.both("MAPS oLd").await, [1, 2, 4]);
        assert_eq!(notes.both("ink").await, [1]);
        assert_eq!(notes.by_words("école").await, [5]);
        assert_eq!(notes.by_words("ÉCOLE").await, [5]);
        assert_eq!(notes.by_words("ecole").await, [0; 0]);
    });
}

/// Rule d87.
#[test]
fn a_phrase_is_looked_for_as_one_piece() {
    on_notes(NOTES, async |notes| {
        assert_eq!(notes.both("\"old maps\"").await, [1]);
        assert_eq!(notes.both("\"maps old\"").await, [0; 0]);
        assert_eq!(notes.both("\"the river\" paper").await, [1]);
        assert_eq!(notes.both("“old maps”").await, [1], "as phones write it");
        assert_eq!(notes.both("\"old maps").await, [1], "not closed");
        assert_eq!(notes.both("\"d'été\"").await, [5]);
    });
}

/// Rule d87.
#[test]
fn a_phrase_does_not_begin_in_one_column_and_end_in_the_next() {
    on_notes(NOTES, async |notes| {
        assert_eq!(notes.both("\"river notes\"").await, [0; 0]);
        assert_eq!(notes.both("\"trains an old\"").await, [0; 0]);
    });
}

/// Rule d87.
#[test]
fn a_minus_leaves_rows_out() {
    on_notes(NOTES, async |notes| {
        assert_eq!(notes.both("maps -night").await, [1, 4]);
        assert_eq!(notes.both("-maps").await, [3, 5], "a null has no words");
        assert_eq!(notes.both("maps -\"old maps\"").await, [2, 4]);
        assert_eq!(notes.both("-maps -swimming").await, [5]);
        assert_eq!(notes.both("maps -maps").await, [0; 0]);
        assert_eq!(notes.both("--maps").await, [3, 5]);
    });
}

/// Rule d87.
#[test]
fn what_a_word_finds_and_what_its_minus_finds_are_all_rows_and_none_twice() {
    on_notes(NOTES, async |notes| {
        for word in [
            "maps",
            "the",
            "\"old maps\"",
            "École",
            "1=1",
            "zeppelin",
            "go",
        ] {
            let mut by_words = notes.by_words(word).await;
            by_words.extend(notes.by_words(&format!("-{word}")).await);
            by_words.sort_unstable();
            assert_eq!(by_words, [1, 2, 3, 4, 5], "{word}");
            let mut by_letters = notes.by_letters(word).await;
            by_letters.extend(notes.by_letters(&format!("-{word}")).await);
            by_letters.sort_unstable();
            assert_eq!(by_letters, [1, 2, 3, 4, 5], "{word}");
        }
    });
}

/// Rule d87.
#[test]
fn contains_finds_parts_of_words_and_full_text_whole_words() {
    on_notes(NOTES, async |notes| {
        assert_eq!(notes.by_letters("river").await, [1, 3, 4]);
        assert_eq!(notes.by_words("river").await, [1, 3], "not rivers");
        assert_eq!(notes.by_letters("ap").await, [1, 2, 4]);
        assert_eq!(notes.by_words("ap").await, [0; 0]);
    });
}

/// Rule d87.
#[test]
fn wildcards_and_quotes_of_sql_are_letters() {
    on_notes(NOTES, async |notes| {
        assert_eq!(notes.by_letters("50%").await, [5]);
        assert_eq!(notes.by_letters("5%c").await, [0; 0]);
        assert_eq!(notes.by_letters("pupils_and").await, [5]);
        assert_eq!(notes.by_letters("pupils.and").await, [0; 0]);
        assert_eq!(notes.by_letters("%").await, [5]);
        assert_eq!(notes.by_letters("'").await, [5]);
        assert_eq!(notes.by_words("ma*").await, [0; 0]);
        assert_eq!(notes.by_words("old* OR title:maps").await, [0; 0]);
        assert_eq!(notes.by_words("50%").await, [5]);
    });
}

/// Rule b246.
#[test]
fn words_that_are_short_or_frequent_are_found_everywhere() {
    on_notes(NOTES, async |notes| {
        assert_eq!(notes.by_words("the").await, [1, 4]);
        assert_eq!(notes.by_words("go").await, [4]);
        assert_eq!(notes.by_words("of maps").await, [1, 4]);
        assert_eq!(notes.by_words("1=1").await, [5]);
        assert_eq!(notes.by_words("don't").await, [5]);
        assert_eq!(notes.by_words("maps -the").await, [2]);
        assert_eq!(notes.by_words("\"of the\"").await, [1]);
    });
}

/// Rule b241.
#[test]
fn full_text_takes_no_notice_of_a_word_without_letters_and_digits() {
    on_notes(NOTES, async |notes| {
        assert_eq!(notes.by_words("old & maps").await, [1, 2, 4]);
        assert_eq!(notes.by_words("maps -%").await, [1, 2, 4]);
        assert_eq!(notes.by_words("%%%").await, [0; 0], "nothing is left");
        assert_eq!(notes.by_words("-%%%").await, [0; 0], "nothing is left");
    });
}
