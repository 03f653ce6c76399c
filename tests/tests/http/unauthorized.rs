//! A list that needs a signed-in user (d32, d53), on the blog's own tags.

use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::Request;
use axum::response::Response;
use blog::data::demo_rows;
use listing::{
    Absent, Context, Fields, Filter, HasListing, Listing, Listings, SelectListing, Settings, Sorts,
};
use listing_axum::{ApiError, App, Config, ListingQuery, list_routes, success, with_defaults};
use listing_tests::{Reply, on_each_database};
use sea_orm::DatabaseConnection;
use sea_orm::entity::prelude::*;
use tower::ServiceExt;

use crate::errors::assert_layout;

#[expect(
    unreachable_pub,
    reason = "the derive makes public items, and those are public with them"
)]
mod own {
    use super::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "tags")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub name: String,
    }

    impl ActiveModelBehavior for ActiveModel {}

    /// The one tag that somebody sees.
    #[derive(Clone)]
    pub struct Sees(pub String);

    pub struct OwnTags;

    impl HasListing for Entity {
        type Listing = OwnTags;
    }

    impl Listing for OwnTags {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new().add_default(Column::Name)
        }

        fn filters() -> Vec<Filter<Entity>> {
            let seen = |context: &Context| context.get::<Sees>().map(|Sees(name)| name.clone());
            vec![
                Filter::make(Column::Name)
                    .default_value(seen)
                    .when_absent(Absent::Unauthorized),
            ]
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

async fn index(
    State(db): State<DatabaseConnection>,
    ListingQuery(request): ListingQuery,
) -> Result<Response, ApiError> {
    let page = own::Entity::find()
        .listing(&request)
        .listing_paginate(&db)
        .await?;
    Ok(success(None, page, true))
}

/// Rules d32, d53.
#[test]
fn no_identity_where_one_is_needed_is_401() {
    let tag = demo_rows().tags[3].clone();
    on_each_database(async |service| {
        let listings = Listings::builder(Settings::default())
            .add::<own::Entity>()
            .build()
            .unwrap();
        let ask = async |context: Context| {
            let (db, reads) = (service.db.clone(), service.reads.clone());
            let router = list_routes("/mine", index)
                .with_state(App::new(db, reads, listings.clone(), ()))
                .layer(Extension(context));
            let request = Request::get("/mine").body(Body::empty()).unwrap();
            let response = with_defaults(router, &Config::default())
                .oneshot(request)
                .await;
            Reply::of(response.unwrap()).await
        };
        let refused = ask(Context::new()).await;
        assert_layout(&refused);
        assert_eq!(refused.error_code(401), "unauthorized");
        assert_eq!(refused.error(401)["name"], "Unauthorized");

        let known = Context::new().with(own::Sees(tag.name.clone()));
        assert_eq!(ask(known).await.ids(), [tag.id]);
    });
}
