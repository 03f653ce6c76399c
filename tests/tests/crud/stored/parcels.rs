//! Parcels, their owners and their tags, which are told apart by UUIDs.

use garde::Validate;
use listing::prelude::*;
use listing_axum::{Access, Denied, Payload, Resource, WritableResource, policy};

macro_rules! named {
    ($module:ident $table:literal $listing:ident { $($relation:tt)* }) => {
        #[allow(dead_code, reason = "the derive makes more items than are used")]
        pub mod $module {
            use sea_orm::entity::prelude::*;

            #[sea_orm::model]
            #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
            #[sea_orm(table_name = $table)]
            pub struct Model {
                #[sea_orm(primary_key, auto_increment = false)]
                pub id: Uuid,
                pub name: String,
                $($relation)*
            }

            impl ActiveModelBehavior for ActiveModel {}
        }

        #[derive(Debug)]
        pub struct $listing;

        impl HasListing for $module::Entity {
            type Listing = $listing;
        }

        impl Resource for $listing {
            type Entity = $module::Entity;

            async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
                policy::allow_all()
            }
        }
    };
}

named!(owner "owners" Owners {
    #[sea_orm(has_many)]
    pub parcels: HasMany<super::parcel::Entity>,
});

named!(tag "tags" Tags {});

#[allow(dead_code, reason = "the derive makes more items than are used")]
pub mod parcel_tag {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "parcel_tags")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub parcel_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub tag_id: Uuid,
        #[sea_orm(belongs_to, from = "parcel_id", to = "id")]
        pub parcel: HasOne<super::parcel::Entity>,
        #[sea_orm(belongs_to, from = "tag_id", to = "id")]
        pub tag: HasOne<super::tag::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

#[allow(dead_code, reason = "the derive makes more items than are used")]
pub mod parcel {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "parcels")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        #[sea_orm(unique)]
        pub code: Uuid,
        pub owner_id: Option<Uuid>,
        pub title: String,
        #[sea_orm(belongs_to, from = "owner_id", to = "id")]
        pub owner: BelongsTo<Option<super::owner::Entity>>,
        #[sea_orm(has_many, via = "parcel_tag")]
        pub tags: HasMany<super::tag::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

#[derive(Debug)]
pub struct Parcels;

impl HasListing for parcel::Entity {
    type Listing = Parcels;
}

impl Listing for Parcels {
    type Entity = parcel::Entity;

    fn fields() -> Fields<parcel::Entity> {
        use parcel::Column::{Code, OwnerId, Title};
        Fields::new()
            .add_defaults([Title, OwnerId, Code])
            .add_default(Field::count_of("tags").alias("tag_count"))
    }

    fn relations() -> Relations<parcel::Entity> {
        Relations::new().add("owner").add("tags")
    }

    fn filters() -> Vec<Filter<parcel::Entity>> {
        use FilterOperator::{Equal, In, NotEqual, NotIn, NotNull, Null};
        use parcel::Column::{Id, OwnerId};
        let operators = [Equal, NotEqual, In, NotIn, Null, NotNull];
        vec![
            Filter::make(Id).allowed_operators(operators),
            Filter::make(OwnerId)
                .allowed_operators(operators)
                .labels_from(owner::Column::Name),
            Filter::relation("owner"),
            Filter::relation("tags"),
        ]
    }

    fn sorts() -> Sorts<parcel::Entity> {
        use parcel::Column::{Id, OwnerId, Title};
        Sorts::new()
            .add_all([Id, OwnerId, Title])
            .add(parcel::Entity::OWNER.column(owner::Column::Name))
    }
}

impl Listing for Owners {
    type Entity = owner::Entity;

    fn fields() -> Fields<owner::Entity> {
        let count = Field::count_of("parcels").alias("parcel_count");
        Fields::new().add_default("name").add_default(count)
    }

    fn relations() -> Relations<owner::Entity> {
        Relations::new().add("parcels")
    }

    fn filters() -> Vec<Filter<owner::Entity>> {
        use FilterOperator::Equal;
        vec![
            Filter::make(owner::Column::Name).allowed_operators(Equal),
            Filter::relation("parcels"),
        ]
    }

    fn sorts() -> Sorts<owner::Entity> {
        Sorts::new().add("name")
    }
}

impl Listing for Tags {
    type Entity = tag::Entity;

    fn fields() -> Fields<tag::Entity> {
        Fields::new().add_default("name")
    }

    fn filters() -> Vec<Filter<tag::Entity>> {
        vec![Filter::make(tag::Column::Name).allowed_operators(FilterOperator::Equal)]
    }

    fn sorts() -> Sorts<tag::Entity> {
        Sorts::new().add("name")
    }
}

impl Resource for Parcels {
    type Entity = parcel::Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}

impl WritableResource for Parcels {
    type Store = NewParcel;
    type Update = ParcelPayload;
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = parcel::ActiveModel)]
#[garde(allow_unvalidated)]
pub struct NewParcel {
    id: uuid::Uuid,
    code: uuid::Uuid,
    title: String,
    owner_id: Option<uuid::Uuid>,
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = parcel::ActiveModel)]
#[garde(allow_unvalidated)]
pub struct ParcelPayload {
    code: uuid::Uuid,
    title: String,
    owner_id: Option<uuid::Uuid>,
}
