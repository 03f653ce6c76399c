//! Mistakes in `sorts()`.

use listing::entity::RelationMeta;
use listing::{Fields, Relations, Sort, Sorts};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Query, SelectStatement};

use crate::small::{article, mistakes};
use crate::world::{to_author, to_comments};

fn query() -> SelectStatement {
    Query::select().expr(1).take()
}

/// Rules c2_6_t1, c2_6_t2, d40, b34.
#[test]
fn a_sort_needs_a_field_or_a_column() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new().add(("created_at", "written_at")).add((query, "answer"))
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add_default("written").add("answers").add("zzz")
        }
    }
    let unknown = |name: &str, remedy: &str| {
        format!(
            "ArticleListing: sort `{name}`: `articles` has no field and no column `{name}`; {remedy}"
        )
    };
    assert_eq!(
        mistakes::<Entity>(),
        [
            unknown("written", "did you mean `written_at`?"),
            unknown("answers", "did you mean `answer`?"),
            unknown(
                "zzz",
                "use one of: written_at, answer, id, author_id, title, views, details, created_at"
            ),
        ]
    );
}

/// Rules c2_2_r5, c2_6_r4, b34.
#[test]
fn aliases_are_sorts() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new().add(("created_at", "written_at")).add((query, "answer"))
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("written_at").add("answer").add("id").add(Column::Views)
        }
    }
    assert_eq!(mistakes::<Entity>(), [""; 0]);
}

/// Rules d38, d40, b35.
#[test]
fn a_sort_is_there_once_and_has_an_order() {
    article! { ArticleListing:
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("title").add(Sort::by("title").nulls_last()).add("details")
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: sort `title`: it is defined twice; remove one of the two, or give it another alias",
            "ArticleListing: sort `details`: a JSON column has no order; sort by a computed field instead",
        ]
    );
}

/// Rule c2_6_r5.
#[test]
fn a_relation_to_sort_by_exists_and_is_in_relations() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add("comments")
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("author.name").add("comment.text").add("zzz.name")
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: sort `author.name`: `relations()` does not contain `author`; add `author` to `relations()`",
            "ArticleListing: sort `comment.text`: `relations()` does not contain `comment`; did you mean `comments`?",
            "ArticleListing: sort `zzz.name`: `relations()` does not contain `zzz`; use one of: comments",
        ]
    );
}

/// Rule c2_6_r5.
#[test]
fn a_relation_to_sort_by_leads_to_one() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add("comments").add("tags")
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("comments.text").add("tags.name")
        }
    }
    let many = |sort: &str, relation: &str| {
        format!(
            "ArticleListing: sort `{sort}`: the relation `{relation}` leads to many rows; sort by a relation that leads to one row, or by a computed field"
        )
    };
    assert_eq!(
        mistakes::<Entity>(),
        [many("comments.text", "comments"), many("tags.name", "tags")]
    );
}

/// Rules d46, b34, b35.
#[test]
fn a_column_to_sort_by_is_one_that_the_related_listing_shows() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add("author")
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new()
                .add("author.email")
                .add("author.nam")
                .add("author.settings")
                .add("author.name")
                .add("author.id")
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: sort `author.email`: the related `authors` does not show `email`; use one of: id, name, settings",
            "ArticleListing: sort `author.nam`: the related `authors` does not show `nam`; did you mean `name`?",
            "ArticleListing: sort `author.settings`: a JSON column has no order; sort by a computed field instead",
        ]
    );
}

/// Rules d42, d46.
#[test]
fn columns_named_on_the_spot_are_shown_and_no_others() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add(listing::Populate::relation("author").only(["email"]))
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("author.email").add("author.id").add("author.name")
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: sort `author.name`: the related `authors` does not show `name`; use one of: id, email"
        ]
    );
}

/// Rule d40.
#[test]
fn what_is_wrong_with_a_relation_is_said_once() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add("author").add("comments")
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("author.name")
        }
        fn named() -> Vec<RelationMeta> {
            vec![RelationMeta { from: vec!["nobody".into()], ..to_author() }, to_comments()]
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: relation `author`: `articles` has no column `nobody`; use one of: id, author_id, title, views, details, created_at"
        ]
    );
}
