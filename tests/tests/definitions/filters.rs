//! Mistakes in `filters()`.

use listing::{
    Absent, Context, CustomCondition, DefaultValue, Field, Fields, Filter, FilterOperator, Kind,
};
use sea_orm::entity::prelude::*;

use crate::small::{article, entity, mistakes};

/// Rules c2_4_t1, c2_4_t4, d35.
#[test]
fn a_key_that_is_no_column_needs_a_custom_query() {
    article! { ArticleListing:
        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::make("titel").allowed_operators(FilterOperator::Equal),
                Filter::make("zzz"),
                Filter::make("popular").custom_query(|_, _, _| CustomCondition::every_row()),
                Filter::make("views").custom_query(|_, _, _| CustomCondition::every_row()),
            ]
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: filter `titel`: `articles` has no column `titel`; did you mean `title`? If not, add a `custom_query`",
            "ArticleListing: filter `zzz`: `articles` has no column `zzz`; use one of: id, author_id, title, views, details, created_at, or add a `custom_query`",
        ]
    );
}

/// Rule d35.
#[test]
fn a_key_is_there_once_and_clients_can_write_it() {
    article! { ArticleListing:
        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::make("title"),
                Filter::make(Column::Title),
                Filter::make("$or").custom_query(|_, _, _| CustomCondition::every_row()),
                Filter::make("").custom_query(|_, _, _| CustomCondition::every_row()),
            ]
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: filter `title`: it is defined twice; remove one of the two, or give it another alias",
            "ArticleListing: filter `$or`: clients cannot send this name in a query string; use only letters, digits, `_`, `-` and `.`",
            "ArticleListing: filter ``: the name is empty; give it a name",
        ]
    );
}

#[derive(Clone, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Enum", enum_name = "size")]
enum Size {
    #[sea_orm(string_value = "small")]
    Small,
    #[sea_orm(string_value = "large")]
    Large,
}

/// Rules c2_4_t2, d40, b21.
#[test]
fn an_operator_must_be_one_that_the_column_can_answer() {
    use FilterOperator::{Between, Contains, Equal, GreaterThan, In, NotNull, Null};
    entity! {
        "shirts" {
            #[sea_orm(primary_key)]
            id: i64,
            size: Size,
            price: i32,
            details: Json,
            #[sea_orm(column_type = "VarBinary(StringLen::N(9))")]
            picture: Vec<u8>,
        }
        ShirtListing:
        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::make("size").allowed_operators([Equal, In, Null, GreaterThan]),
                Filter::make("price").allowed_operators([Between, Contains]),
                Filter::make("details").allowed_operators([Null, NotNull, Equal]),
                Filter::make("picture").allowed_operators(In),
            ]
        }
    }
    let told = mistakes::<Entity>();
    let expected = [
        ("size", "`$gt` cannot be applied to a column of type Enum"),
        (
            "price",
            "`$contains` cannot be applied to a column of type Integer",
        ),
        (
            "details",
            "`$eq` cannot be applied to a column of type Json",
        ),
        (
            "picture",
            "`$in` cannot be applied to a column of type VarBinary",
        ),
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, (key, problem)) in told.iter().zip(expected) {
        assert!(
            told.starts_with(&format!("ShirtListing: filter `{key}`: {problem}")),
            "{told}"
        );
        assert!(
            told.ends_with("; remove the operator, or use a `custom_query`"),
            "{told}"
        );
    }
}

/// Rules c2_4_t3, c2_4_r1, d23, b25.
#[test]
fn a_default_is_of_the_columns_type_and_as_many_as_its_operator_takes() {
    use FilterOperator::{Between, Equal, In, LessThan};
    article! { ArticleListing:
        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::make("views").default_value("many"),
                Filter::make("created_at").default("yesterday", LessThan),
                Filter::make("id").default([1, 2, 3], Between),
                Filter::make("author_id").default([1, 2], Equal),
                Filter::make("title").default(DefaultValue::NULL, In),
                Filter::make("popular").value_kind(Kind::Boolean).custom_query(|_, _, _| CustomCondition::every_row()).default_value("very"),
            ]
        }
    }
    let expected = [
        (
            "views",
            "`many`: expected an integer between -9223372036854775808 and 18446744073709551615",
        ),
        (
            "created_at",
            "`yesterday`: expected a timestamp such as `2026-01-31T13:45:00Z` (RFC 3339, at most six digits of fraction), a date such as `2026-01-31`, a month, a year, or `now-7d`",
        ),
        ("id", "`$between` takes two values, not 3"),
        ("author_id", "`$eq` takes one value"),
        ("title", "null has no meaning with `$in`"),
        (
            "popular",
            "`very`: expected a boolean (`true false 1 0 t f yes no on off`)",
        ),
    ];
    let expected = expected.map(|(key, problem)| {
        format!(
            "ArticleListing: filter `{key}`: its default is wrong: {problem}; use a default that fits the column and the operator"
        )
    });
    assert_eq!(mistakes::<Entity>(), expected);
}

/// Rules d23, d24.
#[test]
fn the_operator_that_a_default_stands_for_is_verified_too() {
    article! { ArticleListing:
        fn filters() -> Vec<Filter<Entity>> {
            vec![Filter::make("details").default_value("{}"), Filter::make("author_id").default_value(DefaultValue::NULL)]
        }
    }
    mod many {
        use super::*;
        article! { ManyListing:
            fn filters() -> Vec<Filter<Entity>> {
                vec![Filter::make("details").default_value(["{}"])]
            }
        }
    }
    mod computed {
        use super::*;
        article! { ComputedListing:
            fn filters() -> Vec<Filter<Entity>> {
                vec![Filter::make("details").default_value(|_: &Context| Some("{}"))]
            }
        }
    }
    mod null {
        use super::*;
        article! { NullListing:
            fn filters() -> Vec<Filter<Entity>> {
                vec![Filter::make("details").default(DefaultValue::NULL, FilterOperator::Equal)]
            }
        }
    }
    mod not_null {
        use super::*;
        article! { NotNullListing:
            fn filters() -> Vec<Filter<Entity>> {
                vec![Filter::make("details").default(DefaultValue::NULL, FilterOperator::NotEqual)]
            }
        }
    }
    let cannot = |listing, operator| {
        format!(
            "{listing}: filter `details`: `{operator}` cannot be applied to a column of type Json; remove the operator, or use a `custom_query`"
        )
    };
    assert_eq!(mistakes::<Entity>(), [cannot("ArticleListing", "$eq")]);
    // Arrays in JSON are asked whether they hold one of these.
    assert_eq!(mistakes::<many::Entity>(), [""; 0]);
    assert_eq!(
        mistakes::<computed::Entity>(),
        [cannot("ComputedListing", "$eq")]
    );
    assert_eq!(mistakes::<null::Entity>(), [""; 0]);
    assert_eq!(mistakes::<not_null::Entity>(), [""; 0]);
}

/// Rule c2_4_r1.
#[test]
fn every_kind_of_default_is_taken() {
    use FilterOperator::{Between, NotIn};
    article! { ArticleListing:
        fn filters() -> Vec<Filter<Entity>> {
            let moment = DateTimeUtc::from_timestamp(0, 123_456_789).unwrap();
            vec![
                Filter::make("id").default(7, FilterOperator::Equal),
                Filter::make("title").default_value("Tea"),
                Filter::make("flag").value_kind(Kind::Boolean).custom_query(|_, _, _| CustomCondition::every_row()).default_value(true),
                Filter::make("views").default(vec![1, 2], NotIn),
                Filter::make("author_id").default_value(None::<i64>),
                Filter::make("created_at").default([moment, moment], Between),
                Filter::make("now").value_kind(Kind::Timestamp).custom_query(|_, _, _| CustomCondition::every_row()).default_value(
                    |_: &Context| Some(DateTimeUtc::MIN_UTC.fixed_offset()),
                ),
                Filter::make("at").value_kind(Kind::Time).custom_query(|_, _, _| CustomCondition::every_row()).default_value(moment.time()),
                Filter::make("then").value_kind(Kind::Timestamp).custom_query(|_, _, _| CustomCondition::every_row()).default_value(moment.naive_utc()),
            ]
        }
    }
    assert_eq!(mistakes::<Entity>(), [""; 0]);
}

/// Rule d40.
#[test]
fn what_is_said_in_vain_is_a_mistake() {
    article! { ArticleListing:
        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::make("views").value_kind(Kind::Text),
                Filter::make("title").default_value("Tea").when_absent(Absent::Unauthorized),
                Filter::make("author_id").when_absent(Absent::Skip),
                Filter::make("id").default_value(|_: &Context| Some(1)).when_absent(Absent::Skip),
            ]
        }
    }
    let absent = "`when_absent` is for defaults that are computed for each request; remove it, or pass a closure as the default";
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: filter `views`: `value_kind` is for filters with a `custom_query`, and for arrays in a JSON column; remove it: the type of the column decides"
                .to_owned(),
            format!("ArticleListing: filter `title`: {absent}"),
            format!("ArticleListing: filter `author_id`: {absent}"),
        ]
    );
}

/// Rules d146, b767, d40.
#[test]
fn a_filter_on_a_computed_field_needs_its_kind_and_compares() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            let one = || sea_orm::sea_query::Query::select().expr(1).take();
            Fields::new()
                .add(Field::computed(one, "score").kind(Kind::Integer))
                .add(Field::computed(one, "unknown"))
                .add(Field::computed(one, "seen").kind(Kind::Timestamp))
        }
        fn filters() -> Vec<Filter<Entity>> {
            use FilterOperator::{Equal, Contains};
            vec![
                Filter::computed("score").allowed_operators([Equal, Contains]).default_value(1),
                Filter::computed("unknown").allowed_operators(Equal),
                Filter::computed("seen").allowed_operators(Equal),
                Filter::computed("scor").allowed_operators(Equal),
                Filter::make("views").countable(),
            ]
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: filter `score`: `default` has no meaning for a filter on a computed field; remove it",
            "ArticleListing: filter `score`: `$contains` cannot be applied to a computed field; remove the operator: computed fields are compared",
            "ArticleListing: filter `unknown`: what the computed field is has not been said, or cannot be compared on every database; declare a number, a text or a boolean with `Field::kind`",
            "ArticleListing: filter `seen`: what the computed field is has not been said, or cannot be compared on every database; declare a number, a text or a boolean with `Field::kind`",
            "ArticleListing: filter `scor`: there is no computed field `scor`; did you mean `score`?",
            "ArticleListing: filter `views`: `countable` is for filters through a relation; remove it, or use `Filter::relation`",
        ]
    );
}
