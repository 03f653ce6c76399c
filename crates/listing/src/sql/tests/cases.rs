//! Tests the statements of each request in `cases.sql`.
//!
//! A section is the name of its test, the request, and for each database its statements and their values.

use std::fmt::Write as _;

use super::{DIALECTS, Statement, statements};
use crate::request::{Request, parse_json, parse_query};
use crate::vocabulary::Bounds;

const CASES: &str = include_str!("cases.sql");

macro_rules! cases {
    ($($name:ident)+) => {
        $(
            #[test]
            fn $name() {
                holds(stringify!($name));
            }
        )+

        #[test]
        fn every_section_is_a_test() {
            let titles: Vec<_> = sections().map(|section| section.lines().next().unwrap()).collect();
            assert_eq!(titles, [$(stringify!($name)),+]);
        }
    };
}

cases! {
    c2_2_r7_d21_defaults_alone
    c2_5_t1_d36_eq
    c2_5_t2_ne_of_a_column_that_cannot_be_null
    c2_5_t2_d25_ne_of_a_column_that_can_be_null
    c2_5_t3_lt
    c2_5_t4_lte
    c2_5_t5_gt
    c2_5_t6_gte
    c2_5_t7_d26_b24_contains_takes_every_sign_literally
    c2_5_t8_in
    c2_5_t9_d25_not_in_of_a_column_that_can_be_null
    c2_5_t10_null
    c2_5_t11_not_null
    d29_null_false_is_not_null
    c2_5_p1_d28_between
    d27_in_nothing_matches_nothing
    d27_not_in_nothing_matches_everything
    d9_an_integer_that_no_signed_column_holds
    d9_a_boolean
    d9_a_moment_with_and_without_time_zone
    d9_a_date_is_its_whole_day
    d9_d25_any_moment_outside_a_day
    d9_d28_between_two_days
    d9_in_days_and_moments
    d9_after_the_last_day_of_the_calendar
    d9_d41_a_uuid
    d30_c4_1_r3_all_must_hold
    d35_a_custom_query
    d23_d24_defaults_of_a_listing
    d31_a_filter_drops_its_default
    a_scope_holds_in_page_and_count
    a_scope_of_no_alternative_shows_nothing
    c2_6_r1_d21_nothing_known_in_sort
    d21_the_key_ends_the_order_in_the_last_direction
    d21_nothing_comes_after_the_key
    d22_null_is_largest_ascending
    d22_null_is_largest_descending
    d22_nulls_last_whatever_the_direction
    d22_nulls_first_whatever_the_direction
    c2_2_r3_c2_2_r4_a_computed_field
    c2_2_r5_c2_6_r4_a_sort_by_a_computed_field_that_is_selected
    c2_6_r4_a_sort_by_a_computed_field_that_is_not_selected
    c2_6_r5_d46_b31_a_sort_by_the_row_that_can_be_seen
    c2_6_r5_d46_two_sorts_by_one_relation
    c2_6_r5_d46_a_sort_by_a_unique_row
    c2_6_r5_d46_a_sort_by_the_first_of_rows_that_may_be_several
    d15_d18_a_later_page
    d16_d18_numbers_without_end
    c4_1_t7_c4_1_t8_an_offset
    d20_b43_one_more_row_instead_of_a_count
    d45_a_row_each_for_all_parents
    d42_d45_columns_named_on_the_spot
    d45_the_first_of_rows_that_may_be_several
    d42_d43_d45_many_rows_each
    d43_d45_many_to_many_in_its_own_order
    d41_d44_d45_by_uuid_and_without_the_deleted
    a_cursor_begins_at_the_first_row
    what_is_after_a_place
    what_is_before_a_place
    what_is_after_a_place_in_mixed_directions
    what_is_after_a_null_within_mixed_directions
    what_is_after_a_key_alone
    what_is_after_a_value_with_nulls_after_it
    what_is_after_a_null_with_values_after_it
    what_is_after_a_value_with_nulls_before_it
    what_is_after_a_null_at_the_end
    what_is_after_a_moment
    what_is_after_a_computed_value
    what_is_after_a_related_value
    what_is_after_the_first_of_rows_that_may_be_several
    a_count_beside_a_cursor_is_of_all_rows
    d65_one_of_several_must_hold
    d65_d67_groups_in_groups
    d67_not_is_the_complement
    d72_d73_through_a_foreign_key
    d73_d75_none_of_those_that_can_be_seen
    d75_every_one
    d73_d76_existence_through_a_junction
    b32_b511_the_first_of_rows_that_may_be_several_is_filtered
    b32_b511_the_first_of_rows_that_may_be_several_is_populated_or_not
    b32_b511_the_first_of_rows_that_may_be_several_is_counted
    d86_the_start_of_a_text
    d86_b185_the_end_of_a_text_in_any_case
    d86_b185_equal_in_any_case
    d87_words_in_any_of_the_columns
    d87_full_text_in_the_order_of_relevance
}

fn sections() -> impl Iterator<Item = &'static str> {
    CASES.split("\n-- # ").skip(1)
}

/// The request of a section is written as the section says. When it is not, the whole section is shown as it would be.
#[track_caller]
fn holds(name: &str) {
    let is_it = |section: &&str| section.lines().next() == Some(name);
    let expected = sections().find(is_it).unwrap_or(name);
    let asked = expected.lines().nth(1).unwrap();
    let (part, asked_of) = asked[3..].split_once(" of ").unwrap();
    let (path, request) = request(asked_of);
    let mut written = format!("{name}\n{asked}\n");
    for (database, dialect) in DIALECTS {
        writeln!(written, "-- {database}").unwrap();
        for Statement { text, values, .. } in of_part(part, statements(path, &request, dialect)) {
            writeln!(written, "{text};").unwrap();
            if !values.is_empty() {
                writeln!(written, "--   {values:?}").unwrap();
            }
        }
    }
    assert!(
        written.trim_end() == expected.trim_end(),
        "expected\n\n-- # {}\n\nwritten\n\n-- # {written}",
        expected.trim_end()
    );
}

/// `GET articles?…` or `POST articles {…}`.
fn request(line: &str) -> (&str, Request) {
    let bounds = Bounds::default();
    if let Some(rest) = line.strip_prefix("POST ") {
        let (path, body) = rest.split_once(' ').unwrap();
        return (path, parse_json(body.as_bytes(), &bounds).unwrap());
    }
    let rest = line.strip_prefix("GET ").unwrap();
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    (path, parse_query(query, &bounds).unwrap())
}

/// What a section shows of the statements, so that what it is about can be seen.
fn of_part(part: &str, mut statements: Vec<Statement>) -> Vec<Statement> {
    match part {
        "all" => {}
        "relations" => drop(statements.drain(..2)),
        "ORDER" => {
            statements.truncate(1);
            let page = &mut statements[0];
            page.text = page.text[page.text.find("FROM").unwrap()..].to_owned();
        }
        "WHERE" => {
            let count = statements.remove(1);
            let page = &mut statements[0];
            let start = page.text.find("WHERE").unwrap();
            let end = page.text.rfind(" ORDER BY").unwrap();
            page.text = page.text[start..end].to_owned();
            assert!(count.text.ends_with(&page.text), "{}", count.text);
            assert_eq!(count.values, page.values);
        }
        _ => panic!("no part of the statements is called {part}"),
    }
    statements
}
