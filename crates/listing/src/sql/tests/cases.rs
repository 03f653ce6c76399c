//! Tests the statements of each request in `cases.sql`.
//!
//! A section is the name of its test, the request, and for each database its statements and their values.

use std::fmt::Write as _;

use super::{DIALECTS, Statement, both};
use crate::request::{Request, parse_json, parse_query};
use crate::vocabulary::Bounds;

const CASES: &str = include_str!("cases.sql");

macro_rules! cases {
    ($($(#[$rules:meta])* $name:ident)+) => {
        $(
            $(#[$rules])*
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
    /// Rules c2_2_r7, d21.
    defaults_alone
    /// Rules c2_5_t1, d36.
    eq
    /// Rule c2_5_t2.
    ne_of_a_column_that_cannot_be_null
    /// Rules c2_5_t2, d25.
    ne_of_a_column_that_can_be_null
    /// Rule c2_5_t3.
    lt
    /// Rule c2_5_t4.
    lte
    /// Rule c2_5_t5.
    gt
    /// Rule c2_5_t6.
    gte
    /// Rules c2_5_t7, d26, b24.
    contains_takes_every_sign_literally
    /// Rule c2_5_t8.
    in_a_list
    /// Rules c2_5_t9, d25.
    not_in_of_a_column_that_can_be_null
    /// Rule c2_5_t10.
    null
    /// Rule c2_5_t11.
    not_null
    /// Rule d29.
    null_false_is_not_null
    /// Rules c2_5_p1, d28.
    between
    /// Rule d27.
    in_nothing_matches_nothing
    /// Rule d27.
    not_in_nothing_matches_everything
    /// Rule d9.
    an_integer_that_no_signed_column_holds
    /// Rule d9.
    a_boolean
    /// Rule d9.
    a_moment_with_and_without_time_zone
    /// Rule d9.
    a_date_is_its_whole_day
    /// Rules d9, d25.
    any_moment_outside_a_day
    /// Rules d9, d28.
    between_two_days
    /// Rule d9.
    in_days_and_moments
    /// Rule d9.
    after_the_last_day_of_the_calendar
    /// Rules d9, d41.
    a_uuid
    /// Rules d30, c4_1_r3.
    all_must_hold
    /// Rule d35.
    a_custom_query
    /// Rules d23, d24.
    defaults_of_a_listing
    /// Rule d31.
    a_filter_drops_its_default
    a_scope_holds_in_page_and_count
    a_scope_of_no_alternative_shows_nothing
    /// Rules c2_6_r1, d21.
    nothing_known_in_sort
    /// Rule d21.
    the_key_ends_the_order_in_the_last_direction
    /// Rule d21.
    nothing_comes_after_the_key
    /// Rule d22.
    null_is_largest_ascending
    /// Rule d22.
    null_is_largest_descending
    /// Rule d22.
    nulls_last_whatever_the_direction
    /// Rule d22.
    nulls_first_whatever_the_direction
    /// Rules c2_2_r3, c2_2_r4.
    a_computed_field
    /// Rules c2_2_r5, c2_6_r4.
    a_sort_by_a_computed_field_that_is_selected
    /// Rule c2_6_r4.
    a_sort_by_a_computed_field_that_is_not_selected
    /// Rules c2_6_r5, d46, b31.
    a_sort_by_the_row_that_can_be_seen
    /// Rules c2_6_r5, d46.
    two_sorts_by_one_relation
    /// Rules c2_6_r5, d46.
    a_sort_by_a_unique_row
    /// Rules c2_6_r5, d46.
    a_sort_by_the_first_of_rows_that_may_be_several
    /// Rules d15, d18.
    a_later_page
    /// Rules d16, d18.
    numbers_without_end
    /// Rules c4_1_t7, c4_1_t8.
    an_offset
    /// Rules d20, b43.
    one_more_row_instead_of_a_count
    /// Rule d45.
    a_row_each_for_all_parents
    /// Rules d42, d45.
    columns_named_on_the_spot
    /// Rule d45.
    the_first_of_rows_that_may_be_several
    /// Rules d42, d43, d45.
    many_rows_each
    /// Rules d43, d45.
    many_to_many_in_its_own_order
    /// Rules d41, d44, d45.
    by_uuid_and_without_the_deleted
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
    /// Rule d65.
    one_of_several_must_hold
    /// Rules d65, d67.
    groups_in_groups
    /// Rules d67, b662.
    not_is_the_complement
    /// Rules d72, d73, b664.
    through_a_foreign_key
    /// Rules d73, d75.
    none_of_those_that_can_be_seen
    /// Rule d75.
    every_one
    /// Rules d73, d76.
    existence_through_a_junction
    /// Rules b32, b511.
    the_first_of_rows_that_may_be_several_is_filtered
    /// Rules b32, b511.
    the_first_of_rows_that_may_be_several_is_populated_or_not
    /// Rules b32, b511.
    the_first_of_rows_that_may_be_several_is_counted
    /// Rule b660.
    few_rows_are_collected_before_they_are_sorted
    /// Rule b660.
    few_rows_after_a_cursor
    /// Rule b660.
    few_rows_in_the_order_of_a_relation
    /// Rule b663.
    alternatives_through_relations_are_a_union_of_keys
    /// Rule d86.
    the_start_of_a_text
    /// Rules d86, b185.
    the_end_of_a_text_in_any_case
    /// Rules d86, b185.
    equal_in_any_case
    /// Rule d87.
    words_in_any_of_the_columns
    /// Rule d87.
    full_text_in_the_order_of_relevance
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
        for Statement { text, values, .. } in of_part(part, both(path, &request, dialect)) {
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
fn of_part(
    part: &str,
    (mut statements, if_few): (Vec<Statement>, Vec<Statement>),
) -> Vec<Statement> {
    match part {
        "all" => {}
        "few" => return if_few,
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
