//! An application that finds its users by a header of its own, which defaults and hooks then see.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::{FromRef, OptionalFromRequestParts};
use axum::http::request::Parts;
use listing::{Absent, Context, Listings, ReadPool, Settings};
use listing_axum::{Api, ApiError, Config, Denied, ListingQuery, identify, list_routes};
use listing_tests::{Client, Engine, fresh_database, on_each, reads, run};
use sea_orm::{ActiveValue::Set, ConnectionTrait, DatabaseConnection, EntityTrait, Schema};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Eq)]
struct User(String);

/// What a middleware of the application knew before.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Branch(&'static str);

#[derive(Debug, Clone, FromRef)]
struct App {
    db: DatabaseConnection,
    reads: ReadPool,
    listings: Listings,
}

impl OptionalFromRequestParts<App> for User {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Option<Self>, ApiError> {
        let Some(session) = parts.headers.get("x-session") else {
            return Ok(None);
        };
        match session.as_bytes() {
            b"ann" | b"bob" => Ok(Some(Self(session.to_str().unwrap().to_owned()))),
            _ => Err(Denied::Unauthenticated.into()),
        }
    }
}

/// One table under three listings, which differ in what nobody sees.
macro_rules! notes {
    ($name:ident, $segment:literal, $absent:expr) => {
        #[allow(dead_code, reason = "the derive makes more items than are used")]
        #[expect(unreachable_pub, reason = "the derive makes public items")]
        mod $name {
            use garde::Validate;
            use listing::{Context, Fields, Filter, FilterOperator, HasListing, Listing, Sorts};
            use listing_axum::{
                Access, ApiError, Change, Denied, Payload, Resource, WritableResource, policy,
            };
            use sea_orm::ActiveValue::Set;
            use sea_orm::entity::prelude::*;

            use super::{Absent, User};

            #[sea_orm::model]
            #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
            #[sea_orm(table_name = "notes")]
            pub struct Model {
                #[sea_orm(primary_key)]
                pub id: i64,
                pub owner: String,
                pub text: String,
            }

            impl ActiveModelBehavior for ActiveModel {}

            #[derive(Debug)]
            pub struct Notes;

            impl HasListing for Entity {
                type Listing = Notes;
            }

            impl Listing for Notes {
                type Entity = Entity;

                fn fields() -> Fields<Entity> {
                    Fields::new().add_default(Column::Owner).add(Column::Text)
                }

                fn filters() -> Vec<Filter<Entity>> {
                    let user = |context: &Context| context.get::<User>().map(|user| user.0.clone());
                    let by_owner = Filter::make(Column::Owner)
                        .allowed_operators(FilterOperator::Equal)
                        .default_value(user)
                        .when_absent($absent);
                    vec![by_owner]
                }

                fn sorts() -> Sorts<Entity> {
                    Sorts::new().add_default(Column::Id)
                }
            }

            #[derive(Debug, Payload, Validate)]
            #[payload(active_model = ActiveModel)]
            pub struct NotePayload {
                #[garde(skip)]
                text: String,
            }

            impl Resource for Notes {
                type Entity = Entity;

                fn segment() -> &'static str {
                    $segment
                }

                async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
                    policy::read_for_all(access, |access| {
                        policy::owner(access, Column::Owner, |user: &User| user.0.clone())
                    })
                }
            }

            impl WritableResource for Notes {
                type Store = NotePayload;
                type Update = NotePayload;

                async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
                    let user = change.context().get::<User>().map(|user| user.0.clone());
                    change.record.owner = Set(user.unwrap_or_default());
                    Ok(())
                }
            }
        }
    };
}

notes!(hidden, "hidden", Absent::MatchNothing);
notes!(open, "open", Absent::Skip);
notes!(closed, "closed", Absent::Unauthorized);

/// Three notes: two of Ann's, one of Bob's.
async fn client(engine: Engine) -> Client {
    let db = fresh_database(engine).await;
    let schema = Schema::new(db.get_database_backend());
    let table = schema.create_table_from_entity(open::Entity);
    db.execute(&table).await.unwrap();
    for (owner, text) in [("ann", "1"), ("bob", "2"), ("ann", "3")] {
        let note = open::ActiveModel {
            owner: Set(owner.to_owned()),
            text: Set(text.to_owned()),
            ..Default::default()
        };
        open::Entity::insert(note).exec(&db).await.unwrap();
    }
    let listings = Listings::builder(Settings::default())
        .add::<hidden::Entity>()
        .add::<open::Entity>()
        .add::<closed::Entity>()
        .build()
        .unwrap();
    let app = App {
        reads: reads(&db).await,
        db,
        listings,
    };
    let (api, _) = Api::<App>::new("/api")
        .crud::<hidden::Notes>()
        .crud::<open::Notes>()
        .crud::<closed::Notes>()
        .finish()
        .unwrap();
    let who = async |ListingQuery(request): ListingQuery| {
        let user = request.context().get::<User>().map(|user| user.0.clone());
        format!("{user:?} {:?}", request.context().get::<Branch>())
    };
    let router: Router = api
        .merge(list_routes("/api/who", who))
        .layer(identify::<User, App>(app.clone()))
        .with_state(app);
    let context = Context::new().with(Branch("north"));
    Client::of(router, &context, &Config::default())
}

fn on_each_engine(test: impl AsyncFn(&Client)) {
    on_each(|engine| run(async { test(&client(engine).await).await }));
}

/// Rule d64.
#[test]
fn the_extractor_of_an_application_says_who_asks() {
    on_each_engine(async |client| {
        let ann = client.with_header("x-session", "ann");
        // What was in the context stays there.
        let who = ann.get("/api/who").await.text();
        assert_eq!(who, r#"Some("ann") Some(Branch("north"))"#);
        let by_body = ann.post("/api/who/query", &json!({})).await.text();
        assert_eq!(by_body, who);
        let nobody = client.get("/api/who").await.text();
        assert_eq!(nobody, r#"None Some(Branch("north"))"#);
    });
}

/// Rule d64.
#[test]
fn an_extractor_that_refuses_refuses_the_request() {
    on_each_engine(async |client| {
        let forged = client.with_header("x-session", "forged");
        for (method, path) in [
            ("GET", "/api/open"),
            ("GET", "/api/open/1"),
            ("GET", "/api/who"),
            ("DELETE", "/api/open/1"),
        ] {
            let reply = forged.bare(method, path).await;
            assert_eq!(reply.error_code(401), "unauthorized", "{method} {path}");
            assert_eq!(reply.headers["www-authenticate"], "Bearer");
        }
        assert_eq!(client.get("/api/open/1").await.status.as_u16(), 200);
    });
}

/// Rules d32, d64.
#[test]
fn a_default_without_a_user_matches_nothing_skips_or_is_401() {
    on_each_engine(async |client| {
        let ann = client.with_header("x-session", "ann");
        for path in ["/api/hidden", "/api/open", "/api/closed"] {
            let reply = ann.get(path).await;
            assert_eq!(reply.ids(), [1, 3], "{path}");
            let told = json!([{"key": "owner", "value": "ann", "label": "ann", "operator": "$eq"}]);
            assert_eq!(reply.meta()["filters"], told, "{path}");
        }
        let hidden = client.get("/api/hidden").await;
        assert_eq!(hidden.ids(), [] as [i64; 0]);
        assert_eq!(hidden.total(), 0);
        assert_eq!(hidden.meta()["filters"], json!([]));
        assert_eq!(client.get("/api/open").await.ids(), [1, 2, 3]);
        let closed = client.get("/api/closed").await;
        assert_eq!(closed.error_code(401), "unauthorized");
        assert_eq!(closed.headers["www-authenticate"], "Bearer");
        // A client's own filter drops the default, and with it what happens when it yields nothing.
        for path in ["/api/hidden", "/api/open", "/api/closed"] {
            let reply = client.get(&format!("{path}?filters[owner][$eq]=bob")).await;
            assert_eq!(reply.ids(), [2], "{path}");
        }
    });
}

/// Rules d63, d64.
#[test]
fn hooks_see_who_asks() {
    let payload = json!({ "text": "new", "owner": "bob" });
    on_each_engine(async |client| {
        let ann = client.with_header("x-session", "ann");
        // Nobody: 401, whether the record exists or not.
        for path in ["/api/open/1", "/api/open/99"] {
            let refused = client.put(path, &payload).await;
            assert_eq!(refused.error_code(401), "unauthorized", "{path}");
            let refused = client.delete(path).await;
            assert_eq!(refused.error_code(401), "unauthorized", "{path}");
        }
        let refused = client.post("/api/open", &payload).await;
        assert_eq!(refused.error_code(401), "unauthorized");
        // Ann: her own records, and no others.
        let refused = ann.put("/api/open/2", &payload).await;
        assert_eq!(refused.error_code(403), "forbidden");
        let refused = ann.delete("/api/open/2").await;
        assert_eq!(refused.error_code(403), "forbidden");
        assert_eq!(ann.put("/api/open/99", &payload).await.status.as_u16(), 404);
        assert_eq!(ann.put("/api/open/1", &payload).await.status.as_u16(), 200);
        assert_eq!(ann.delete("/api/open/3").await.status.as_u16(), 200);
        let stored = ann.post("/api/open", &payload).await;
        assert_eq!(stored.status.as_u16(), 201, "{}", stored.text());
        let rows = client.get("/api/open?fields=*").await.items();
        let rows: BTreeMap<_, _> = rows
            .iter()
            .map(|row| (row["id"].as_i64().unwrap(), (&row["owner"], &row["text"])))
            .collect();
        let is = |owner: &str, text: &str| (json!(owner), json!(text));
        let expected = BTreeMap::from([
            (1, is("ann", "new")),
            (2, is("bob", "2")),
            (
                stored.json()["data"]["id"].as_i64().unwrap(),
                is("ann", "new"),
            ),
        ]);
        let rows: BTreeMap<i64, (Value, Value)> = rows
            .into_iter()
            .map(|(id, (owner, text))| (id, (owner.clone(), text.clone())))
            .collect();
        assert_eq!(rows, expected);
    });
}
