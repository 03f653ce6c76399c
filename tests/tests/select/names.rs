//! The names that clients see: one convention for a listing, aliases, `id` for the key; and counts of related rows.

use listing::{Context, Dialect, HasListing, ListingRequest, Listings, SelectListing, Settings};
use serde_json::{Value, json};

use crate::own::films::{film, studio};
use crate::own::graph::{club, person};
use crate::own::{Own, on_each_own_database};

/// What a client is told whose request is refused.
async fn refused<E: HasListing>(own: &Own, query: &str) -> String {
    let request = ListingRequest::from_query(&own.listings, query).unwrap();
    let page = E::find().listing(&request).listing_paginate(&own.db).await;
    page.expect_err(query).to_string()
}

/// Rules d91, b163.
#[test]
fn names_without_an_alias_have_the_listings_form() {
    on_each_own_database(async |own| {
        let query = "fields=mainTitle,filmState,stageActorsCount&populate=studio\
                     &sort=studio.fullName&filters[mainTitle][$ne]=faust";
        let reply = own.list::<film::Entity>(query).await;
        assert_eq!(
            reply.items(),
            [
                json!({"id": 3, "mainTitle": "civil war", "filmState": "planned", "stageActorsCount": 1,
                       "studio": {"id": "A24", "fullName": "A24 Films"}}),
                json!({"id": 1, "mainTitle": "metropolis", "filmState": "shown", "stageActorsCount": 3,
                       "studio": {"id": "ufa", "fullName": "Universum"}}),
            ]
        );
        assert_eq!(reply.meta()["filters"][0]["key"], "mainTitle");
        // The name of the column is another name, and is not known.
        let reply = own
            .list::<film::Entity>("fields=main_title&sort=main_title&populate=stage_actors")
            .await;
        assert_eq!(
            reply.meta()["ignored"],
            json!({"fields": ["main_title"], "sort": ["main_title"], "populate": ["stage_actors"]})
        );
        let told = refused::<film::Entity>(own, "filters[main_title]=faust").await;
        assert!(told.contains("did you mean `mainTitle`?"), "{told}");
    });
}

/// Rule d90.
#[test]
fn an_alias_is_the_name_that_clients_see() {
    on_each_own_database(async |own| {
        let query = "fields=popularity&populate=cast&filters[popularity][$gt]=20&sort=votes:desc";
        let reply = own.list::<film::Entity>(query).await;
        let cast = |names: &[(i64, &str)]| {
            let one = |(id, name): &(i64, &str)| json!({"id": id, "name": name});
            Value::from(names.iter().map(one).collect::<Vec<_>>())
        };
        assert_eq!(
            reply.items(),
            [
                json!({"id": 1, "popularity": "9007199254740993", "cast": cast(&[(1, "brigitte"), (2, "gustav")])}),
                json!({"id": 3, "popularity": "30", "cast": cast(&[(4, "kirsten")])}),
            ]
        );
        assert_eq!(
            reply.meta()["relations"],
            json!({"cast": {"limit": 2, "truncated": true}})
        );
        assert_eq!(reply.meta()["filters"][0]["key"], "popularity");
        let told = refused::<film::Entity>(own, "filters[voteCount]=1").await;
        assert!(
            told.contains("`voteCount`") && told.contains("popularity"),
            "{told}"
        );
        // A cursor of an order by alias leads on.
        let page = "fields=popularity&sort=votes&pagination[pageSize]=2&pagination[cursor]=";
        let reply = own.list::<film::Entity>(page).await;
        assert_eq!(reply.column("id"), [2, 3]);
        let next = reply.meta()["pagination"]["nextCursor"]
            .as_str()
            .unwrap()
            .to_owned();
        let reply = own.list::<film::Entity>(&format!("{page}{next}")).await;
        assert_eq!(reply.column("id"), [1]);
    });
}

/// Rule d79.
#[test]
fn named_columns_are_all_that_there_is_though_the_entity_has_a_listing() {
    on_each_own_database(async |own| {
        let query = "filters[id]=1&populate[studio][fields]=fullName,films_count&populate[studio][sort]=id\
                     &populate[studio][populate]=films";
        let reply = own.list::<film::Entity>(query).await;
        assert_eq!(
            reply.items(),
            [
                json!({"id": 1, "mainTitle": "metropolis", "studio": {"id": "ufa", "fullName": "Universum"}})
            ]
        );
        assert_eq!(
            reply.meta()["ignored"],
            json!({"fields": ["studio.films_count"], "sort": ["studio.id"], "populate": ["studio.films"]})
        );
        let told = refused::<film::Entity>(own, "populate[studio][filters][id]=ufa").await;
        assert!(told.contains("`id`"), "{told}");
    });
}

/// Rule d93.
#[test]
fn integers_shown_as_text_are_taken_as_text() {
    on_each_own_database(async |own| {
        let body = br#"{"filters": {"popularity": {"$eq": "9007199254740993"}}}"#;
        let request = ListingRequest::from_json(&own.listings, body).unwrap();
        let page = listing::ListingQuery::<film::Entity>::all(&request);
        let page = page.listing_paginate(&own.db).await.unwrap();
        let body: Value = serde_json::from_slice(&page.body(200, None, false)).unwrap();
        assert_eq!(body["data"], json!([{"id": 1, "mainTitle": "metropolis"}]));
    });
}

/// Rule b160.
#[test]
fn the_primary_key_is_called_id_wherever_it_is_filtered_or_sorted_by() {
    on_each_own_database(async |own| {
        let reply = own
            .list::<film::Entity>("filters[id][$in][]=3&filters[id][$in][]=1&sort=id:desc")
            .await;
        assert_eq!(reply.column("id"), [3, 1]);
        let reply = own
            .list::<studio::Entity>("filters[id][$ne]=none&sort=id")
            .await;
        assert_eq!(reply.items().len(), 2);
        let told = refused::<film::Entity>(own, "filters[filmId]=1").await;
        assert!(told.contains("filmId"), "{told}");
        let reply = own.list::<film::Entity>("sort=filmId").await;
        assert_eq!(reply.meta()["ignored"], json!({"sort": ["filmId"]}));
    });
}

/// Rule d94.
#[test]
fn an_enumeration_has_its_values_and_no_others() {
    on_each_own_database(async |own| {
        let reply = own.list::<film::Entity>("filters[filmState]=planned").await;
        assert_eq!(reply.column("id"), [3]);
        let reply = own
            .list::<film::Entity>("filters[filmStars][$in][]=5&filters[filmStars][$in][]=1&sort=id")
            .await;
        assert_eq!(reply.column("id"), [1, 2]);
        for query in [
            "filters[filmState]=lost",
            "filters[filmState][$notIn][]=shown&filters[filmState][$notIn][]=lost",
        ] {
            let told = refused::<film::Entity>(own, query).await;
            assert!(told.contains("planned") && told.contains("shown"), "{told}");
        }
        let told = refused::<film::Entity>(own, "filters[filmStars][$eq]=3").await;
        assert!(told.contains('5'), "{told}");
        // What compares in other ways needs no value of the enumeration.
        let reply = own
            .list::<film::Entity>("filters[filmState][$contains]=SHOW&sort=id")
            .await;
        assert_eq!(reply.column("id"), [1, 2]);
        let reply = own.list::<film::Entity>("filters[filmStars][$gt]=3").await;
        assert_eq!(reply.column("id"), [1]);
    });
}

/// An order and its customer, who has no listing.
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the derives make more items than are used"
)]
mod order {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "orders")]
    #[listing(OrderListing)]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub customer_id: i64,
        #[sea_orm(belongs_to, from = "customer_id", to = "id")]
        pub customer: BelongsTo<super::customer::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct OrderListing;

    impl Listing for OrderListing {
        type Entity = Entity;
        fn fields() -> Fields<Entity> {
            Fields::new()
        }
        fn filters() -> Vec<Filter<Entity>> {
            vec![Filter::relation(Entity::CUSTOMER).only([super::customer::Column::Tier])]
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

#[allow(
    dead_code,
    unreachable_pub,
    reason = "the derives make more items than are used"
)]
mod customer {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "customers")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub tier: Tier,
    }

    impl ActiveModelBehavior for ActiveModel {}

    #[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
    #[sea_orm(rs_type = "String", db_type = "String(StringLen::N(10))")]
    pub enum Tier {
        #[sea_orm(string_value = "silver")]
        Silver,
        #[sea_orm(string_value = "golden")]
        Golden,
    }
}

/// Rule d94.
#[test]
fn an_enumeration_of_a_related_entity_without_a_listing_has_its_values() {
    let listings = Listings::builder(Settings::default()).add::<order::Entity>();
    let listings = listings.build().unwrap();
    let explained = |query: &str| {
        let request = ListingRequest::from_query(&listings, query).unwrap();
        listing::ListingQuery::<order::Entity>::all(&request)
            .explain(Dialect::Sqlite)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_eq!(explained("filters[customer][tier]=golden"), Ok(()));
    let told = explained("filters[customer][tier]=bronze").unwrap_err();
    assert!(told.contains("silver") && told.contains("golden"), "{told}");
}

/// Rule b161.
#[test]
fn labels_of_text_keys_come_from_their_rows() {
    on_each_own_database(async |own| {
        for (query, labels) in [
            ("filters[studioCode]=A24", json!(["A24 Films"])),
            (
                "filters[studioCode][$in][]=ufa&filters[studioCode][$in][]=A24&filters[studioCode][$in][]=gone",
                json!(["Universum", "A24 Films", "gone"]),
            ),
        ] {
            let reply = own.list::<film::Entity>(query).await;
            let told = reply.meta()["filters"].as_array().unwrap().clone();
            let label = |told: &Value| told["label"].clone();
            assert_eq!(
                Value::from(told.iter().map(label).collect::<Vec<_>>()),
                labels
            );
        }
    });
}

/// Rule b162.
#[test]
fn a_count_of_related_rows_counts_what_populate_could_show() {
    on_each_own_database(async |own| {
        // Retired actors are left out by a default filter, deleted castings by the junction's soft delete.
        let reply = own
            .list::<film::Entity>("fields=stageActorsCount&sort=stageActorsCount:desc,id")
            .await;
        assert_eq!(reply.column("id"), [1, 3, 2]);
        assert_eq!(reply.column("stageActorsCount"), [3, 1, 0]);
        // Not selected, only sorted by; and walked by cursor.
        let page =
            "fields=mainTitle&sort=stageActorsCount&pagination[pageSize]=2&pagination[cursor]=";
        let reply = own.list::<film::Entity>(page).await;
        assert_eq!(reply.column("id"), [2, 3]);
        let next = reply.meta()["pagination"]["nextCursor"]
            .as_str()
            .unwrap()
            .to_owned();
        let reply = own.list::<film::Entity>(&format!("{page}{next}")).await;
        assert_eq!(reply.column("id"), [1]);
        // To many, without a junction; one row has none.
        let reply = own
            .list::<studio::Entity>("fields=films_count&sort=films_count")
            .await;
        assert_eq!(reply.column("films_count"), [0, 1, 2]);
    });
}

/// Rule b162.
#[test]
fn a_count_of_rows_of_the_same_table() {
    on_each_own_database(async |own| {
        let reply = own
            .list::<person::Entity>("fields=followers_count,following_count&sort=name")
            .await;
        assert_eq!(reply.column("followers_count"), [2, 1, 3, 0]);
        assert_eq!(reply.column("following_count"), [2, 2, 1, 1]);
        let reply = own
            .list_for::<club::Entity>("fields=members_count", Context::new())
            .await;
        assert_eq!(reply.column("members_count"), [2, 2]);
    });
}
