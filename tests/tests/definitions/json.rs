//! Mistakes in filters inside JSON columns, and on arrays.

use listing::{Filter, FilterOperator, Kind, Relations};
use sea_orm::entity::prelude::*;

use crate::small::{article, mistakes};

/// Rules d149, b961, d40.
#[test]
fn a_path_is_one_that_clients_can_write_and_every_database_reads() {
    article! { ArticleListing:
        fn filters() -> Vec<Filter<Entity>> {
            use FilterOperator::{Contains, Equal, GreaterThan, In, Null};
            let text = |path: &str| Filter::json(Column::Details).path(path, Kind::Text);
            vec![
                text("address.city"),
                text("address.city"),
                text("address..city"),
                text("tags.0"),
                text("it's"),
                Filter::json(Column::Details),
                Filter::json(Column::Title).path("a", Kind::Text),
                Filter::make(Column::Details).path("b", Kind::Text),
                Filter::json(Column::Details).path("at", Kind::Timestamp),
                Filter::json(Column::Details).path("open", Kind::Boolean).allowed_operators(Contains),
                Filter::json(Column::Details)
                    .path("notes", Kind::Array(Box::new(Kind::Text)))
                    .allowed_operators([Contains, Equal]),
                Filter::make(Column::Details).alias("sizes").value_kind(Kind::Decimal { scale: None })
                    .allowed_operators(In),
                Filter::make(Column::Details).alias("details_of").allowed_operators([Null, In, GreaterThan]),
                Filter::json(Column::Details).alias("rated").path("stars", Kind::Integer).default_value("many"),
            ]
        }
    }
    let names = "use names of letters, digits, `_` and `-`, which do not consist of digits alone";
    let name = |name: &str| {
        format!(
            "ArticleListing: filter `details`: `{name}` in its path is not a name that clients can send and every database finds; {names}"
        )
    };
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: filter `details.address.city`: it is defined twice; remove one of the two, or give it another alias".to_owned(),
            name(""),
            name("0"),
            name("it's"),
            "ArticleListing: filter `details`: it does not say where in the column it looks; add `.path(\"address.city\", Kind::Text)`".to_owned(),
            "ArticleListing: filter `title`: the column `title` is not JSON, and has nothing inside; use `Filter::make`".to_owned(),
            "ArticleListing: filter `details`: `path` is for filters inside a JSON column; use `Filter::json`".to_owned(),
            "ArticleListing: filter `details`: Timestamp is not a kind that JSON has on every database; use `Kind::Text`, `Kind::Integer`, `Kind::Decimal`, `Kind::Boolean`, or an array of texts, integers or booleans".to_owned(),
            "ArticleListing: filter `details`: `$contains` cannot be applied to a column of type Boolean; remove the operator, or use a `custom_query`".to_owned(),
            "ArticleListing: filter `details`: `$eq` cannot be applied to an array; use `$contains`, `$notContains`, `$in`, `$notIn`, `$null` and `$notNull`".to_owned(),
            "ArticleListing: filter `sizes`: elements of kind Decimal { scale: None } cannot be looked for in an array; remove the operators, or use a `custom_query`".to_owned(),
            "ArticleListing: filter `details_of`: `$gt` cannot be applied to an array; use `$contains`, `$notContains`, `$in`, `$notIn`, `$null` and `$notNull`".to_owned(),
            "ArticleListing: filter `rated`: its default is wrong: `many`: expected an integer between -9223372036854775808 and 18446744073709551615; use a default that fits the column and the operator".to_owned(),
        ]
    );
}

/// Rule d149.
#[test]
fn a_relation_does_not_share_the_name_of_a_column_with_paths() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add("author")
        }
        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::json(Column::Details).alias("author").path("name", Kind::Text),
                Filter::relation("author"),
            ]
        }
    }
    let mistakes = mistakes::<Entity>();
    assert!(
        mistakes
            .iter()
            .any(|mistake| mistake.contains("filter `author`: it is defined twice")),
        "{mistakes:?}"
    );
}
