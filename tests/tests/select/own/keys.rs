//! Keys that are not integers or not called `id`, and a listing with its own page sizes and places for nulls.

use uuid::Uuid;

pub mod document {
    use listing::{Fields, Filter, FilterOperator, HasListing, Listing, Relations, Sorts};
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "documents")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub uuid: Uuid,
        pub title: String,
        #[sea_orm(has_many)]
        pub attachments: HasMany<super::attachment::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct DocumentListing;

    impl HasListing for Entity {
        type Listing = DocumentListing;
    }

    impl Listing for DocumentListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new().add_default(Column::Title)
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add("attachments")
        }

        fn filters() -> Vec<Filter<Entity>> {
            use FilterOperator::{Equal, In};
            vec![Filter::make(Column::Uuid).allowed_operators([Equal, In])]
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new().add(Column::Title).add("id")
        }
    }
}

pub mod attachment {
    use listing::{Fields, HasListing, Listing, Relations, Sorts};
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "attachments")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub uuid: Uuid,
        pub document_uuid: Uuid,
        pub name: String,
        #[sea_orm(belongs_to, from = "document_uuid", to = "uuid")]
        pub document: BelongsTo<super::document::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct AttachmentListing;

    impl HasListing for Entity {
        type Listing = AttachmentListing;
    }

    impl Listing for AttachmentListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
                .add_default(Column::Name)
                .add(Column::DocumentUuid)
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add("document")
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new().add_default(Column::Name).add("document.title")
        }
    }
}

pub mod country {
    use listing::{
        Fields, HasListing, Listing, Populate as Shown, Relations, SortDirection, Sorts,
    };
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "countries")]
    pub struct Model {
        #[sea_orm(
            primary_key,
            auto_increment = false,
            column_type = "String(StringLen::N(8))"
        )]
        pub code: String,
        pub name: String,
        #[sea_orm(has_many)]
        pub cities: HasMany<super::city::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct CountryListing;

    impl HasListing for Entity {
        type Listing = CountryListing;
    }

    impl Listing for CountryListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            // The key under its own name too.
            Fields::new().add_default(Column::Name).add(Column::Code)
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add(
                Shown::relation("cities")
                    .limit(2)
                    .order_by("population", SortDirection::Desc)
                    .only(["population", "name"]),
            )
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

pub mod city {
    use listing::{Fields, HasListing, Listing, Paging, Relations, Sort, SortDirection, Sorts};
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "cities")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(column_type = "String(StringLen::N(8))", nullable)]
        pub country_code: Option<String>,
        pub name: String,
        pub population: Option<i32>,
        pub founded: Option<i32>,
        pub area: Option<i32>,
        #[sea_orm(belongs_to, from = "country_code", to = "code")]
        pub country: BelongsTo<Option<super::country::Entity>>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct CityListing;

    impl HasListing for Entity {
        type Listing = CityListing;
    }

    impl Listing for CityListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new().add_default(Column::Name)
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add_default("country")
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
                .add(Sort::by("founded").nulls_last())
                .add(Sort::by("area").nulls_first())
                .add(Sort::by("country.name").nulls_first())
                // Two defaults, in this order.
                .add_with(Column::Population, true, SortDirection::Desc)
                .add_default(Column::Name)
        }

        fn paging() -> Paging {
            Paging::new().page_size(3).max_page_size(5)
        }
    }
}

/// A key whose last byte is `n`, and whose first ones make the order of keys another than that of numbers.
pub fn key(n: u8) -> Uuid {
    let mut bytes = [0xa5; 16];
    bytes[0] = 255 - n;
    bytes[15] = n;
    Uuid::from_bytes(bytes)
}

/// Code, name. The codes hold what has a meaning elsewhere.
pub const COUNTRIES: &[(&str, &str)] = &[
    ("NO", "norway"),
    ("PE", "peru"),
    ("it's", "apostrophe"),
    ("a%_\\\"é", "odd"),
];

/// City, country, population, founded, area.
#[expect(clippy::type_complexity, reason = "a table of literals")]
pub const CITIES: &[(
    i64,
    Option<&str>,
    &str,
    Option<i32>,
    Option<i32>,
    Option<i32>,
)] = &[
    (1, Some("NO"), "oslo", Some(700), Some(1040), Some(45)),
    (2, Some("NO"), "bergen", Some(280), None, Some(46)),
    (3, Some("NO"), "moss", None, Some(1720), None),
    (4, Some("PE"), "lima", Some(10_000), Some(1535), None),
    (5, Some("it's"), "quote", None, None, Some(1)),
    (6, None, "nowhere", Some(280), None, None),
    (7, Some("a%_\\\"é"), "odd", Some(1), Some(1), Some(1)),
    (8, Some("NO"), "alta", Some(15), Some(1863), Some(9)),
];
