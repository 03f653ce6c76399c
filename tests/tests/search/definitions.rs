//! Mistakes in `search()`, which are told at start-up.

use listing::{Listings, Settings};

/// A listing of pages with these sorts and this search.
macro_rules! pages {
    ($sorts:expr, $search:expr) => {
        #[allow(
            dead_code,
            unreachable_pub,
            reason = "the derives of entities make public items"
        )]
        mod page {
            use listing::{Fields, HasListing, Listing, Search, Sort, Sorts};
            use sea_orm::entity::prelude::*;

            #[sea_orm::model]
            #[derive(Clone, Debug, PartialEq, DeriveEntityModel, listing::NamedRelations)]
            #[sea_orm(table_name = "pages")]
            pub struct Model {
                #[sea_orm(primary_key)]
                pub id: i64,
                pub title: String,
                pub views: i32,
                pub score: f64,
            }

            impl ActiveModelBehavior for ActiveModel {}

            pub struct PageListing;

            impl HasListing for Entity {
                type Listing = PageListing;
            }

            impl Listing for PageListing {
                type Entity = Entity;

                fn fields() -> Fields<Entity> {
                    Fields::new()
                }

                fn sorts() -> Sorts<Entity> {
                    let sorts: Vec<Sort> = $sorts;
                    sorts.into_iter().fold(Sorts::new(), Sorts::add)
                }

                fn search() -> Option<Search<Entity>> {
                    $search
                }
            }
        }

        fn mistakes() -> Vec<String> {
            let built = Listings::builder(Settings::default())
                .add::<page::Entity>()
                .build();
            match built {
                Ok(_) => Vec::new(),
                Err(mistakes) => mistakes.0.iter().map(ToString::to_string).collect(),
            }
        }
    };
}

/// Rule d87.
#[test]
fn a_search_by_full_text_may_be_sorted_by_relevance() {
    pages!(
        vec![Sort::relevance(), Sort::by("title")],
        Some(Search::full_text([Column::Title]).language("english"))
    );
    assert_eq!(mistakes(), [""; 0]);
}

/// Rules d87, d40.
#[test]
fn the_columns_of_a_search_are_text() {
    pages!(
        Vec::new(),
        Some(Search::contains([
            Column::Title,
            Column::Views,
            Column::Score,
            Column::Title
        ]))
    );
    assert_eq!(
        mistakes(),
        [
            "PageListing: search `score`: a column of type Double has no words to look for; search columns of text, integers and enumerations only",
            "PageListing: search `title`: the column is named twice; remove one of the two",
        ]
    );
}

/// Rules d148, d40.
#[test]
fn beginnings_are_for_full_text_and_numbers_are_not() {
    pages!(
        Vec::new(),
        Some(Search::full_text([Column::Title, Column::Views]))
    );
    assert_eq!(
        mistakes(),
        [
            "PageListing: search `views`: a column of type Integer has no words to look for; search text columns only"
        ]
    );
}

/// Rules d148, d40.
#[test]
fn a_search_for_parts_of_words_has_no_beginnings() {
    pages!(Vec::new(), Some(Search::contains([Column::Title]).prefix()));
    assert_eq!(
        mistakes(),
        [
            "PageListing: search `pages`: `contains` finds parts of words, and so their beginnings; use `Search::full_text`, or remove `prefix`"
        ]
    );
}

/// Rules d87, d40.
#[test]
fn a_search_has_columns() {
    pages!(Vec::new(), Some(Search::full_text([] as [Column; 0])));
    assert_eq!(
        mistakes(),
        ["PageListing: search `pages`: it has no columns; name the columns that it looks into"]
    );
}

/// Rules d87, d40.
#[test]
fn relevance_needs_full_text() {
    pages!(
        vec![Sort::relevance()],
        Some(Search::contains([Column::Title]))
    );
    assert_eq!(
        mistakes(),
        [
            "PageListing: sort `relevance`: only a full-text search knows how well a row fits; \
             return `Search::full_text([..])` from `search()`, or remove the sort"
        ]
    );
}

/// Rules d87, d40.
#[test]
fn relevance_needs_a_search() {
    pages!(vec![Sort::relevance()], None);
    assert_eq!(mistakes().len(), 1);
}

/// Rules d87, d40.
#[test]
fn a_language_is_a_name_and_belongs_to_full_text() {
    pages!(
        Vec::new(),
        Some(Search::full_text([Column::Title]).language("english'; --"))
    );
    assert_eq!(
        mistakes(),
        [
            "PageListing: search `english'; --`: it cannot be the name of a text search configuration; \
             use letters, digits, `_` and `.`, as in `english`"
        ]
    );
}

/// Rules d87, d40.
#[test]
fn contains_has_no_language() {
    pages!(
        Vec::new(),
        Some(Search::contains([Column::Title]).language("english"))
    );
    assert_eq!(
        mistakes(),
        [
            "PageListing: search `english`: `contains` compares letters and knows no language; \
             use `Search::full_text`, or remove `language`"
        ]
    );
}
