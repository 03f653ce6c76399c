//! Mistakes in `fields()`.

use listing::{Field, Fields, Kind};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Query, SelectStatement};

use crate::small::{article, entity, mistakes};

fn query() -> SelectStatement {
    Query::select().expr(1).take()
}

/// Rules c2_2_t1, c2_2_t2, d40.
#[test]
fn a_field_needs_a_column() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new()
                .add_default("titel")
                .add(("created", "written_at"))
                .add(("zzz", "sleep"))
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: field `titel`: `articles` has no column `titel`; did you mean `title`?",
            "ArticleListing: field `written_at`: `articles` has no column `created`; did you mean `created_at`?",
            "ArticleListing: field `sleep`: `articles` has no column `zzz`; use one of: id, author_id, title, views, details, created_at",
        ]
    );
}

/// Rules c2_2_r1, c7_t4.
#[test]
fn a_computed_field_needs_an_alias() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new().add((query, "")).add(Field::computed(query, "answer").alias(""))
        }
    }
    let without = "ArticleListing: field ``: the name is empty; give it a name";
    let twice = "ArticleListing: field ``: it is defined twice; remove one of the two, or give it another alias";
    assert_eq!(mistakes::<Entity>(), [without, without, twice]);
}

/// Rule d38.
#[test]
fn no_two_fields_have_one_name() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new().add("title").add(("views", "title")).add((query, "title"))
        }
    }
    let twice = "ArticleListing: field `title`: it is defined twice; remove one of the two, or give it another alias";
    assert_eq!(mistakes::<Entity>(), [twice, twice]);
}

/// Rules d38, d41, b40.
#[test]
fn no_field_but_the_key_is_called_id() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new().add(("views", "id")).add((query, "id"))
        }
    }
    let taken = "ArticleListing: field `id`: `id` is the name of the primary key in every response; give this field another alias";
    assert_eq!(mistakes::<Entity>(), [taken, taken]);
}

/// Rules d38, d41, b40.
#[test]
fn a_key_of_another_name_can_be_shown_under_it_too() {
    entity! {
        "countries" {
            #[sea_orm(primary_key, auto_increment = false)]
            code: i32,
            id: i32,
        }
        CountryListing:
        fn fields() -> Fields<Entity> {
            Fields::new().add("code").add(("code", "id")).add(("id", "number"))
        }
    }
    assert_eq!(mistakes::<Entity>(), [""; 0]);
}

/// Rule d38.
#[test]
fn a_name_must_be_one_that_clients_can_write() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new()
                .add(("title", "a,b"))
                .add(("title", "*"))
                .add(("title", "a[b]"))
                .add(("title", "a:b"))
                .add(("title", " a"))
                .add(("title", "übertitel-2.x"))
        }
    }
    let expected = ["a,b", "*", "a[b]", "a:b", " a"].map(|name| {
        format!(
            "ArticleListing: field `{name}`: clients cannot send this name in a query string; use only letters, digits, `_`, `-` and `.`"
        )
    });
    assert_eq!(mistakes::<Entity>(), expected);
}

/// Rules d40, d55.
#[test]
fn only_integers_can_be_shown_as_text() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new()
                .add(Field::named("title").as_text())
                .add(Field::computed(query, "undeclared").as_text())
                .add(Field::computed(query, "declared").kind(Kind::Integer).as_text())
                .add(Field::named("views").as_text())
        }
    }
    let expected = ["title", "undeclared"].map(|name| {
        format!(
            "ArticleListing: field `{name}`: `as_text` is for integers; remove it, or declare that the field is a `Kind::Integer`"
        )
    });
    assert_eq!(mistakes::<Entity>(), expected);
}
