//! What words at columns make of payloads, and what a listing has that says nothing.

use listing::{Listings, Settings};

mod sent {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
    #[sea_orm(table_name = "parts")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        #[listing(write(once, trim))]
        pub code: String,
        #[listing(write)]
        #[garde(length(chars, max = 9))]
        pub name: String,
        #[listing(write)]
        #[garde(length(chars, max = 9))]
        pub place: Option<String>,
        #[sea_orm(default_value = 1)]
        #[listing(write)]
        pub count: i32,
        #[sea_orm(default_value = true)]
        #[listing(write(required), alias = "active")]
        pub is_active: bool,
        #[listing(write(optional))]
        pub weight: i64,
        pub secret: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Rule b704.
#[test]
fn what_can_be_null_or_has_a_default_can_be_left_out() {
    use listing_axum::Payload;
    use listing_axum::payload::PayloadField;
    let said = |field: &PayloadField| {
        let longest = field.rules.max_length;
        (
            field.column,
            field.alias,
            field.required,
            field.nullable,
            longest,
        )
    };
    let payload: Vec<_> = sent::Payload::FIELDS.iter().map(said).collect();
    assert_eq!(
        payload,
        [
            ("code", None, true, false, None),
            ("name", None, true, false, Some(9)),
            ("place", None, false, true, Some(9)),
            ("count", None, false, false, None),
            ("is_active", Some("active"), true, false, None),
            ("weight", None, false, false, None),
        ]
    );
    // What is sent once is not sent again.
    let changes: Vec<_> = sent::Changes::FIELDS.iter().map(said).collect();
    assert_eq!(changes, payload[1..]);
}

mod bare {
    use listing::{Fields, HasListing, Listing, Sorts};
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "bare")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub name: String,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct BareListing;

    impl HasListing for Entity {
        type Listing = BareListing;
    }

    impl Listing for BareListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

/// Rule b702.
#[test]
fn a_listing_that_says_nothing_of_relations_and_filters_has_none() {
    use listing::Listing;
    assert!(bare::BareListing::filters().is_empty());
    let listings = Listings::builder(Settings::default()).add::<bare::Entity>();
    let listings = listings.build().unwrap();
    let bare = listings.of::<bare::Entity>().unwrap();
    assert_eq!(bare.relation_names().count(), 0);
    assert_eq!(bare.filter_keys().count(), 0);
    assert_eq!(bare.related_keys().count(), 0);
}
