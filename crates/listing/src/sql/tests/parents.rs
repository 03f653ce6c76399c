//! Tests how related rows are read where many parents and many values come together.
#![expect(
    unreachable_pub,
    reason = "SeaORM and the trait want them public, and nobody else is to have them"
)]

use allocation_counter::measure;
use sea_orm::QueryTrait;
use serde_json::json;

use super::Dialect;
use super::entities::author;
use super::listings::{Tenant, listings};
use crate::define::{Context, HasListing, Listings};
use crate::plan::Plan;
use crate::request::parse_json;
use crate::sql::{ParentBy, Populate, populate};
use crate::vocabulary::{Key, Settings};
use crate::{check, plan};

/// Lands, by a text.
mod land {
    use crate::define::{Fields, HasListing, Listing, Relations, Sorts};
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "lands")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Char(Some(2))")]
        pub code: String,
        #[sea_orm(has_many)]
        pub towns: HasMany<super::town::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct Lands;

    impl HasListing for Entity {
        type Listing = Lands;
    }

    impl Listing for Lands {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add("towns")
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

mod town {
    use crate::define::{Fields, Filter, HasListing, Listing, Sorts};
    use crate::vocabulary::FilterOperator;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "towns")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        #[sea_orm(column_type = "Char(Some(2))")]
        pub land_code: String,
        pub size: i32,
        #[sea_orm(belongs_to, from = "land_code", to = "code")]
        pub land: BelongsTo<super::land::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct Towns;

    impl HasListing for Entity {
        type Listing = Towns;
    }

    impl Listing for Towns {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
        }

        fn filters() -> Vec<Filter<Entity>> {
            vec![Filter::make("size").allowed_operators(FilterOperator::In)]
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new().add_default("size")
        }
    }
}

/// What is made of the plan of a request.
fn planned<E: HasListing, R>(
    listings: &Listings,
    body: &serde_json::Value,
    made: impl FnOnce(&Plan<'_>) -> R,
) -> R {
    let context = Context::new().with(Tenant(7));
    let whitelist = listings.of::<E>().unwrap();
    let bounds = &listings.settings().bounds;
    let request = parse_json(body.to_string().as_bytes(), bounds).unwrap();
    let checked = check::against(listings, whitelist, &request, &context);
    let checked = checked.unwrap_or_else(|error| panic!("{error}"));
    made(&plan::build(Some(Box::new(E::find().into_query())), checked).unwrap())
}

/// Rule b512.
#[test]
fn values_are_not_multiplied_by_parents_in_memory() {
    let views: Vec<_> = (0..VALUES).collect();
    let body = json!({ "populate": { "articles": { "filters": { "views": { "$in": views } } } } });
    let parents: Vec<_> = (0..500).map(Key::Int).collect();
    planned::<author::Entity, _>(&listings(), &body, |plan| {
        let mut written = None;
        let memory = measure(|| {
            written = Some(populate(&plan.relations[0], &parents, Dialect::Mysql));
        });
        let statement = written.unwrap().statement;
        assert!(statement.text.contains("listing_rank"));
        assert_eq!(statement.values.len(), VALUES + parents.len());
        assert!(memory.bytes_max < 4_000_000, "{}", memory.bytes_max);
    });
}

/// As many as a request can have.
const VALUES: usize = 10_000;

/// The statement for the towns of seven lands, with more values than a union would have for it.
fn of_lands(count: bool, dialect: Dialect) -> Populate {
    let listings = Listings::builder(Settings::default())
        .add::<land::Entity>()
        .add::<town::Entity>()
        .build()
        .unwrap();
    let sizes: Vec<_> = (0..VALUES).collect();
    let towns = json!({ "filters": { "size": { "$in": sizes } }, "count": count });
    let parents = ["DE", "de", "FR", "IT", "ES", "AT", "CH"].map(|code| Key::Text(code.into()));
    let body = json!({ "populate": { "towns": towns } });
    planned::<land::Entity, _>(&listings, &body, |plan| {
        populate(&plan.relations[0], &parents, dialect)
    })
}

/// The text with lists of placeholders made short.
fn short(text: &str) -> String {
    text.replace(&"?, ".repeat(VALUES - 1), "…, ")
        .replace(&"?, ".repeat(6), "…, ")
}

/// Rules b181, b513.
#[test]
fn parents_whose_keys_are_text_bind_the_condition_once() {
    let mysql = "UNION ALL SELECT 6) AS `listing_parents` ON `listing_all`.`k` = ELT(`listing_parents`.column1 + 1, …, ?)";
    let sqlite = r#"(6, ?)) AS "listing_parents" ON "listing_all"."k" = "listing_parents".column2"#;
    for (dialect, joined) in [(Dialect::Mysql, mysql), (Dialect::Sqlite, sqlite)] {
        for (count, end) in [(false, ") AS "), (true, " GROUP BY ")] {
            let Populate { statement, parent } = of_lands(count, dialect);
            let text = short(&statement.text);
            assert!(text.contains(&format!("{joined}{end}")), "{text}");
            assert_eq!(
                text.matches("`size` IN").count() + text.matches(r#""size" IN"#).count(),
                1
            );
            assert_eq!(statement.values.len(), VALUES + 2 * 7);
            assert_eq!(parent, ParentBy::Number);
        }
    }
}

/// Rules b181, b513.
#[test]
fn postgres_counts_the_rows_that_it_would_show() {
    for count in [false, true] {
        let Populate { statement, parent } = of_lands(count, Dialect::Postgres);
        let text = &statement.text;
        assert!(text.contains("unnest($1::text[])"), "{text}");
        // Filled up with spaces, as the column is.
        let parent_key = r#""towns"."land_code" = "listing_parents"."k"::bpchar"#;
        assert!(text.contains(parent_key), "{text}");
        assert_eq!(
            (statement.values.len(), parent),
            (VALUES + 1, ParentBy::Key)
        );
    }
}
