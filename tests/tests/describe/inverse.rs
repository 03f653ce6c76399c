//! Which filter of a related list finds the records of one parent.

use listing::describe::{Audience, listing};
use listing::whitelist::Whitelist;
use listing::{Listings, Settings};

mod shelf {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "shelves")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        #[sea_orm(unique)]
        pub code: String,
        #[sea_orm(has_many, relation_enum = "ByCode", via_rel = "ByCode")]
        pub by_code: HasMany<super::parcel::Entity>,
        #[sea_orm(has_many, relation_enum = "ById", via_rel = "ById")]
        pub by_id: HasMany<super::parcel::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct ShelfListing;

    impl HasListing for Entity {
        type Listing = ShelfListing;
    }

    impl Listing for ShelfListing {
        type Entity = Entity;
        fn fields() -> Fields<Entity> {
            Fields::new().add_default(Column::Code)
        }
        fn relations() -> Relations<Entity> {
            Relations::new().add("by_code").add("by_id")
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("id")
        }
    }
}

mod parcel {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "parcels")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub shelf_code: String,
        pub shelf_id: i64,
        #[sea_orm(belongs_to, relation_enum = "ByCode", from = "shelf_code", to = "code")]
        pub by_code: BelongsTo<super::shelf::Entity>,
        #[sea_orm(belongs_to, relation_enum = "ById", from = "shelf_id", to = "id")]
        pub by_id: BelongsTo<super::shelf::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct ParcelListing;

    impl HasListing for Entity {
        type Listing = ParcelListing;
    }

    impl Listing for ParcelListing {
        type Entity = Entity;
        fn fields() -> Fields<Entity> {
            Fields::new().add_default(Column::ShelfCode)
        }
        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::make(Column::ShelfCode).allowed_operators(FilterOperator::EQUALITY),
                Filter::make(Column::ShelfId).allowed_operators(FilterOperator::EQUALITY),
            ]
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("id")
        }
    }
}

/// A client has the parent's id, and no other column of it for certain.
/// Rule b473.
#[test]
fn only_a_relation_from_the_key_has_an_inverse() {
    let listings = Listings::builder(Settings::default())
        .add::<shelf::Entity>()
        .add::<parcel::Entity>()
        .build()
        .unwrap();
    let shelves = listings.of::<shelf::Entity>().unwrap();
    let name = |_: &Whitelist| "one".to_owned();
    let described = listing(&listings, shelves, &name, Audience::Developers);
    let inverses = described.relations.iter();
    let inverses: Vec<_> = inverses
        .map(|relation| (relation.name.as_str(), relation.inverse.as_deref()))
        .collect();
    assert_eq!(inverses, [("by_code", None), ("by_id", Some("shelf_id"))]);
}
