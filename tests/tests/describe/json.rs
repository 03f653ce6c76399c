//! How filters inside JSON columns, and on arrays, are described.

use listing::describe::{Audience, Listing, listing};
use listing::whitelist::Whitelist;
use listing::{Context, Listings, Settings};
use listing_axum::describe::ApiDescription;
use listing_axum::{Access, Api, ApiInfo, Denied, Resource};
use serde_json::{Value, json};

use crate::office::App;

mod place {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "places")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub data: Json,
        pub tags: Json,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct PlaceListing;

    impl HasListing for Entity {
        type Listing = PlaceListing;
    }

    impl Listing for PlaceListing {
        type Entity = Entity;
        fn fields() -> Fields<Entity> {
            Fields::new()
        }
        fn filters() -> Vec<Filter<Entity>> {
            use FilterOperator::{Contains, Equal, GreaterThan, In, Null};
            let inside = || Filter::json(Column::Data);
            vec![
                Filter::make(Column::Data).allowed_operators(Null),
                inside()
                    .path("address.city", Kind::Text)
                    .allowed_operators([Equal, In]),
                inside()
                    .path("address.floor", Kind::Integer)
                    .allowed_operators(GreaterThan),
                inside()
                    .path("open", Kind::Boolean)
                    .allowed_operators(Equal),
                Filter::make(Column::Tags).allowed_operators([Contains, In]),
            ]
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

struct Places;

impl Resource for Places {
    type Entity = place::Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        Ok(())
    }
}

fn described() -> Listing {
    let listings = Listings::builder(Settings::default()).add::<place::Entity>();
    let listings = listings.build().unwrap();
    let name = |_: &Whitelist| "places".to_owned();
    let whitelist = listings.of::<place::Entity>().unwrap();
    listing(&listings, whitelist, &name, Audience::Developers)
}

/// Rules d149, b963.
#[test]
fn a_description_tells_the_way_to_each_path_and_which_filters_ask_arrays() {
    let described = described();
    let brackets = described
        .filters
        .iter()
        .map(|filter| (filter.brackets(), filter.array));
    assert_eq!(
        brackets.collect::<Vec<_>>(),
        [
            ("[data]".to_owned(), false),
            ("[data][address][city]".to_owned(), false),
            ("[data][address][floor]".to_owned(), false),
            ("[data][open]".to_owned(), false),
            ("[tags]".to_owned(), true),
        ]
    );
    assert_eq!(
        serde_json::to_value(&described.filters[1]).unwrap(),
        json!({
            "name": "data.address.city", "type": "string", "operators": ["$eq", "$in"],
            "path": ["data", "address", "city"],
        })
    );
    assert_eq!(
        serde_json::to_value(&described.filters[4]).unwrap(),
        json!({ "name": "tags", "type": "string", "operators": ["$contains", "$in"], "array": true })
    );
}

/// Rules d149, b963.
#[test]
fn the_openapi_document_has_a_parameter_for_each_path_and_objects_in_one_another() {
    let api = Api::<App>::new("/v1").read::<Places>();
    let api = api.build(Settings::default()).unwrap();
    let api = api.describe(ApiInfo::new("Places", "1.0.0"));
    let (context, db) = (Context::new(), sea_orm::DatabaseConnection::default());
    let told = ApiDescription::for_caller(&api.listings, &api.routes, &context, &db);
    let told = listing_tests::run(told).unwrap();
    let document = serde_json::to_value(told.to_openapi()).unwrap();
    let parameters = document["paths"]["/v1/places"]["get"]["parameters"].as_array();
    let schema = |name: &str| -> Value {
        let mut parameters = parameters.unwrap().iter();
        let found = parameters.find(|known| known["name"] == name);
        found.unwrap_or_else(|| panic!("{name}"))["schema"].clone()
    };
    assert_eq!(
        schema("filters[data][address][city][$eq]")["type"],
        "string"
    );
    assert_eq!(
        schema("filters[data][address][floor][$gt]")["type"],
        "integer"
    );
    assert_eq!(schema("filters[tags][$contains]")["type"], "array");
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let filters = &schemas["PlaceFilters"]["properties"];
    assert_eq!(
        filters["data"]["anyOf"][0]["properties"]["$null"]["type"],
        "boolean"
    );
    let inside = &filters["data"]["anyOf"][1]["properties"];
    assert_eq!(inside["open"]["anyOf"][0]["type"], "boolean");
    let address = &inside["address"]["properties"];
    assert_eq!(address["floor"]["properties"]["$gt"]["type"], "integer");
    assert_eq!(address["city"]["anyOf"][0]["type"], "string");
    assert_eq!(filters["tags"]["properties"]["$contains"]["type"], "array");
}
