//! Verifies the search of a listing: its columns are text, and its engine supports its options.

use super::filter::{is_shown_as_text, text};
use super::{Draft, Mistakes, resolve_column};
use crate::define::search::{SearchEngine, WhitelistSearch};
use crate::define::sorts::{Sort, SortBy};
use crate::vocabulary::FullTextNames;

pub(super) fn freeze_search(draft: &Draft, mistakes: &mut Mistakes) -> Option<WhitelistSearch> {
    let by_relevance = |sort: &Sort| matches!(sort.by, SortBy::Relevance);
    if draft.sorts.iter().any(by_relevance)
        && !draft.search.as_ref().is_some_and(|search| search.full_text)
    {
        mistakes.add(
            "sort",
            "relevance",
            "only a full-text search knows how well a row fits",
            "return `Search::full_text([..])` from `search()`, or remove the sort",
        );
    }
    let search = draft.search.as_ref()?;
    if search.columns.is_empty() {
        mistakes.add(
            "search",
            &draft.entity.name,
            "it has no columns",
            "name the columns that it looks into",
        );
    }
    if let Some(language) = &search.language {
        if !search.full_text {
            mistakes.add(
                "search",
                language,
                "`contains` compares letters and knows no language",
                "use `Search::full_text`, or remove `language`",
            );
        } else if !FullTextNames::is_language(language) {
            mistakes.add(
                "search",
                language,
                "it cannot be the name of a text search configuration",
                "use letters, digits, `_` and `.`, as in `english`",
            );
        }
    }
    if search.prefix && !search.full_text {
        mistakes.add(
            "search",
            &draft.entity.name,
            "`contains` finds parts of words, and so their beginnings",
            "use `Search::full_text`, or remove `prefix`",
        );
    }
    let mut columns = Vec::with_capacity(search.columns.len());
    for name in &search.columns {
        let Some(column) = resolve_column(&draft.entity, name, "search", name, mistakes) else {
            continue;
        };
        if columns.contains(&column) {
            mistakes.add(
                "search",
                name,
                "the column is named twice",
                "remove one of the two",
            );
            continue;
        }
        let column_type = &draft.entity.columns[column].column_type;
        let is_searched = match search.full_text {
            true => text(column_type),
            false => text(column_type) || is_shown_as_text(column_type),
        };
        if !is_searched {
            mistakes.add(
                "search",
                name,
                format!("a column of type {column_type:?} has no words to look for"),
                match search.full_text {
                    true => "search text columns only",
                    false => "search columns of text, integers and enumerations only",
                },
            );
        }
        columns.push(column);
    }
    Some(WhitelistSearch {
        columns,
        engine: SearchEngine::of(search),
        prefix: search.prefix,
    })
}
