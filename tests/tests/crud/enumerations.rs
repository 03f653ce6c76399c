//! Values of enumerations that are shown can be sent, or the service does not start (b540).

use garde::Validate;
use listing::{Fields, HasListing, Listing, Settings, Sorts};
use listing_axum::Given;
use listing_axum::{
    Access, Api, App, Denied, Operation, Payload, Resource, ResourceRoutes, WritableResource,
    policy,
};

use self::shirt::{Colour, Column, Cut, Entity, Size, Weight};

#[allow(dead_code, reason = "the derives make more items than are used")]
pub mod shirt {
    use sea_orm::entity::prelude::*;
    use serde::Deserialize;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "shirts")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub size: Size,
        pub cut: Cut,
        pub colour: Colour,
        pub weight: Option<Weight>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    /// Serde reads `Small`.
    #[derive(
        Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, DeriveActiveEnum, Deserialize,
    )]
    #[sea_orm(rs_type = "String", db_type = "String(StringLen::N(10))")]
    pub enum Size {
        #[default]
        #[sea_orm(string_value = "small")]
        Small,
        #[sea_orm(string_value = "medium")]
        Medium,
        #[sea_orm(string_value = "large")]
        Large,
    }

    /// Serde reads `Wide`.
    #[derive(
        Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, DeriveActiveEnum, Deserialize,
    )]
    #[sea_orm(rs_type = "i32", db_type = "Integer")]
    pub enum Cut {
        #[default]
        #[sea_orm(num_value = 1)]
        Wide,
        #[sea_orm(num_value = 2)]
        Narrow,
    }

    #[derive(
        Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, DeriveActiveEnum, Deserialize,
    )]
    #[sea_orm(rs_type = "String", db_type = "String(StringLen::N(10))")]
    #[serde(rename_all = "lowercase")]
    pub enum Colour {
        #[default]
        #[sea_orm(string_value = "red")]
        Red,
        /// Only the server paints like this.
        #[serde(skip_deserializing)]
        #[sea_orm(string_value = "blue")]
        Blue,
    }

    #[derive(
        Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, DeriveActiveEnum, Deserialize,
    )]
    #[sea_orm(rs_type = "i32", db_type = "Integer")]
    #[serde(try_from = "i32")]
    pub enum Weight {
        #[default]
        #[sea_orm(num_value = 1)]
        Light,
        #[sea_orm(num_value = 2)]
        Heavy,
    }

    impl TryFrom<i32> for Weight {
        type Error = DbErr;

        fn try_from(number: i32) -> Result<Self, DbErr> {
            Self::try_from_value(&number)
        }
    }
}

#[derive(Debug)]
pub struct Shirts;

impl HasListing for Entity {
    type Listing = Shirts;
}

impl Listing for Shirts {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
            .add(Column::Size)
            .add(Column::Cut)
            .add(Column::Colour)
            .add(Column::Weight)
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
    }
}

impl Resource for Shirts {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}

impl WritableResource for Shirts {
    type Store = ShirtPayload;
    type Update = ShirtPayload;
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = shirt::ActiveModel)]
#[garde(allow_unvalidated)]
pub struct ShirtPayload {
    #[payload(alias = "howLarge")]
    size: Size,
    cut: Given<Cut>,
    #[payload(alias = "paint")]
    colour: Colour,
    weight: Option<Weight>,
}

fn build(routes: ResourceRoutes<App>) -> Result<(), String> {
    let api = Api::new("/api").resource(routes);
    let built = api.build(Settings::default());
    built.map(|_| ()).map_err(|mistakes| mistakes.to_string())
}

/// Rule b540.
#[test]
fn an_enumeration_whose_values_cannot_be_sent_is_found_at_start_up() {
    async fn own() {}
    let told = build(ResourceRoutes::crud::<Shirts>()).unwrap_err();
    let size = "Shirts: column `size`: lists show `\"small\"`, `\"medium\"`, `\"large\"`, which the payload refuses; \
                write `#[serde(rename = \"small\")]` above the variant, or \
                `#[serde(rename_all = \"…\")]` above the type";
    let cut = "Shirts: column `cut`: lists show `1`, `2`, which the payload refuses; \
               derive `serde_repr::Deserialize_repr` in place of `serde::Deserialize`";
    assert_eq!(
        told,
        format!("2 mistakes in listing definitions:\n  - {size}\n  - {cut}")
    );
    // Where our handlers read no payload, none is wrong.
    assert_eq!(build(ResourceRoutes::read::<Shirts>()), Ok(()));
    let own = ResourceRoutes::crud::<Shirts>()
        .replace(Operation::Store, own)
        .without(Operation::Update);
    assert_eq!(build(own), Ok(()));
}
