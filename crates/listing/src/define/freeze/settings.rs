//! Freezes page sizes and ways of counting, and verifies the numbers in a project's settings.

use super::{Mistakes, check_limit};
use crate::define::Paging;
use crate::vocabulary::{CountMode, Settings};

pub(super) fn freeze_paging(
    paging: Paging,
    settings: &Settings,
    mistakes: &mut Mistakes,
) -> (u64, u64) {
    let largest = paging.max_page_size.unwrap_or(settings.max_page_size);
    let size = paging
        .page_size
        .unwrap_or_else(|| settings.page_size.min(largest));
    if paging != Paging::default() {
        check_sizes("paging", size, largest, mistakes);
    }
    (size, largest)
}

pub(super) fn freeze_count(
    own: Option<CountMode>,
    settings: &Settings,
    mistakes: &mut Mistakes,
) -> CountMode {
    if let Some(own) = own {
        check_count("count", own, mistakes);
    }
    own.unwrap_or(settings.count)
}

fn check_count(place: &'static str, mode: CountMode, mistakes: &mut Mistakes) {
    if let Some(remedy) = mode.problem() {
        mistakes.add(place, "count", format!("it is {mode}"), remedy);
    }
}

pub(super) fn check_settings(settings: &Settings, mistakes: &mut Mistakes) {
    check_sizes(
        "settings",
        settings.page_size,
        settings.max_page_size,
        mistakes,
    );
    check_limit(
        "settings",
        "relation_limit",
        settings.relation_limit,
        mistakes,
    );
    check_count("settings", settings.count, mistakes);
    let bounds = &settings.bounds;
    for (name, bound) in [
        ("bounds.query_bytes", bounds.query_bytes),
        ("bounds.depth", bounds.depth),
        ("bounds.pairs", bounds.pairs),
        ("bounds.in_values", bounds.in_values),
        ("bounds.body_bytes", bounds.body_bytes),
        ("bounds.body_in_values", bounds.body_in_values),
        ("bounds.group_depth", bounds.group_depth),
        ("bounds.conditions", bounds.conditions),
        ("bounds.relation_depth", bounds.relation_depth),
        ("bounds.populate_depth", bounds.populate_depth),
        ("bounds.populate_relations", bounds.populate_relations),
        (
            "bounds.populate_items",
            usize::try_from(bounds.populate_items).unwrap_or(usize::MAX),
        ),
        ("bounds.bulk_items", bounds.bulk_items),
        (
            "bounds.bulk_matches",
            usize::try_from(bounds.bulk_matches).unwrap_or(usize::MAX),
        ),
        ("bounds.import_bytes", bounds.import_bytes),
        (
            "import_max_rows",
            usize::try_from(settings.import_max_rows).unwrap_or(usize::MAX),
        ),
    ] {
        if bound == 0 {
            mistakes.add(
                "settings",
                name,
                "it must not be 0",
                "choose a number of at least 1",
            );
        }
    }
}

fn check_sizes(place: &'static str, size: u64, largest: u64, mistakes: &mut Mistakes) {
    check_limit(place, "max_page_size", largest, mistakes);
    if size == 0 || size > largest {
        mistakes.add(
            place,
            "page_size",
            format!("a page size of {size} is out of range"),
            format!("choose a number from 1 to the largest page size, {largest}"),
        );
    }
}
