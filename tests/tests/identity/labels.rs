//! Labels of rows whose key is a UUID, which each database stores in its own way.

use listing::{Context, ListingRequest, Listings, SelectListing, Settings};
use listing_tests::{fresh_database, on_each, run};
use sea_orm::ActiveValue::Set;
use sea_orm::{ConnectionTrait, EntityTrait, Schema};
use serde_json::{Value, json};
use uuid::Uuid;

mod device {
    use listing::{Fields, HasListing, Listing, Sorts};
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "devices")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub key: Uuid,
        pub name: String,
        pub retired_at: Option<DateTimeUtc>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    #[derive(Debug)]
    pub struct DeviceListing;

    impl HasListing for Entity {
        type Listing = DeviceListing;
    }

    impl Listing for DeviceListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new().add_default(Column::Name)
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }

        fn soft_delete() -> Option<Column> {
            Some(Column::RetiredAt)
        }
    }
}

mod reading {
    use listing::{Fields, Filter, FilterOperator, HasListing, Kind, Listing, Sorts};
    use sea_orm::entity::prelude::*;

    use super::device;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "readings")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub device_key: Option<Uuid>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    #[derive(Debug)]
    pub struct ReadingListing;

    impl HasListing for Entity {
        type Listing = ReadingListing;
    }

    impl Listing for ReadingListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
        }

        fn filters() -> Vec<Filter<Entity>> {
            let any_text = Filter::make("device")
                .allowed_operators(FilterOperator::In)
                .value_kind(Kind::Text)
                .custom_query(|_, _, _| listing::CustomCondition::every_row());
            vec![
                Filter::make(Column::DeviceKey)
                    .allowed_operators([FilterOperator::Equal, FilterOperator::In])
                    .label_resolver_async(|values, lookup| {
                        lookup.labels::<device::Entity>(device::Column::Name, values)
                    }),
                any_text.label_resolver_async(|values, lookup| {
                    lookup.labels::<device::Entity>(device::Column::Name, values)
                }),
            ]
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

const LIVING: Uuid = Uuid::from_u128(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef);
const RETIRED: Uuid = Uuid::from_u128(0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe);
const MISSING: Uuid = Uuid::from_u128(7);

/// Rules d34, d41.
#[test]
fn labels_are_found_by_keys_of_any_kind() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            let schema = Schema::new(db.get_database_backend());
            let devices = schema.create_table_from_entity(device::Entity);
            let readings = schema.create_table_from_entity(reading::Entity);
            for table in [devices, readings] {
                db.execute(&table).await.unwrap();
            }
            let retired_at = sea_orm::prelude::DateTimeUtc::from_timestamp(1_700_000_000, 0);
            for (key, name, retired_at) in
                [(LIVING, "Boiler", None), (RETIRED, "Stove", retired_at)]
            {
                let row = device::ActiveModel {
                    key: Set(key),
                    name: Set(name.to_owned()),
                    retired_at: Set(retired_at),
                };
                let insert = device::Entity::insert(row);
                insert.exec_without_returning(&db).await.unwrap();
            }
            let listings = Listings::builder(Settings::default())
                .add::<device::Entity>()
                .add::<reading::Entity>()
                .build()
                .unwrap();
            let labels = async |key: &str, values: &[&str]| {
                let body = json!({ "filters": { key: { "$in": values } } }).to_string();
                let request = ListingRequest::from_json(&listings, body.as_bytes()).unwrap();
                let request = request.with_context(Context::new());
                let page = reading::Entity::find()
                    .listing(&request)
                    .listing_paginate(&db)
                    .await;
                let body = page.unwrap().body(200, None, true);
                let body: Value = serde_json::from_slice(&body).unwrap();
                let filters = body["meta"]["filters"].as_array().unwrap();
                let label = |filter: &Value| filter["label"].as_str().unwrap().to_owned();
                filters.iter().map(label).collect::<Vec<_>>()
            };
            let (living, retired) = (LIVING.to_string(), RETIRED.to_string());
            let missing = MISSING.to_string();
            // In any spelling of a UUID, since a value has one spelling when it comes to its label.
            let spelled = living.to_uppercase();
            assert_eq!(
                labels("device_key", &[&missing, &spelled, &retired, &living]).await,
                [missing.as_str(), "Boiler", &retired, "Boiler"]
            );
            // Values that are not keys at all cost nothing and are their own labels.
            assert_eq!(
                labels("device", &["x", &living, ""]).await,
                ["x", "Boiler", ""]
            );
            assert_eq!(labels("device", &["x"]).await, ["x"]);
        });
    });
}
