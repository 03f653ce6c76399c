//! Plans: an entity with a value of every usual type, for tests of what is changed in it and of what happens around a change.

mod resources;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::extract::FromRef;
use garde::Validate;
use listing::migration::{HistoryTable, IdempotencyTable};
use listing::{
    Context, Fields, Filter, FilterOperator, HasListing, Listing, Listings, NamedRelations,
    ReadPool, Scope, Settings, Sorts,
};
use listing_axum::events::create_tables;
use listing_axum::{Api, Config, Given, Payload};
use listing_tests::{Client, Engine, fresh_database, on_each, reads, run};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, EntityTrait, QueryFilter, Schema, Statement,
};
use serde_json::{Value, json};

pub use self::plan::{ActiveModel, Column, Entity, Model};
pub use self::resources::{Guarded, Plans, Shy, complete};

mod plan {
    use sea_orm::entity::prelude::*;
    use serde::Deserialize;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "plans")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub owner: String,
        #[sea_orm(unique)]
        pub name: String,
        pub note: Option<String>,
        pub first: i32,
        pub last: i32,
        #[sea_orm(column_type = "Decimal(Some((20, 4)))")]
        pub price: Decimal,
        pub day: Date,
        pub hour: Time,
        pub moment: DateTimeUtc,
        pub stage: Stage,
        pub settings: Option<Json>,
        pub visits: i32,
        pub deleted_at: Option<DateTimeUtc>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    #[derive(
        Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, DeriveActiveEnum, Deserialize,
    )]
    #[serde(rename_all = "lowercase")]
    #[sea_orm(rs_type = "String", db_type = "String(StringLen::N(10))")]
    pub enum Stage {
        #[default]
        #[sea_orm(string_value = "idea")]
        Idea,
        #[sea_orm(string_value = "done")]
        Done,
    }
}

/// Whose plans a caller sees.
#[derive(Debug, Clone)]
pub struct Owner(pub String);

pub struct PlanListing;

impl HasListing for Entity {
    type Listing = PlanListing;
}

impl Listing for PlanListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        use plan::Column::{
            Day, First, Hour, Last, Moment, Name, Note, Price, Settings, Stage, Visits,
        };
        Fields::new().add_defaults([
            Name, Note, First, Last, Price, Day, Hour, Moment, Stage, Settings, Visits,
        ])
    }

    fn filters() -> Vec<Filter<Entity>> {
        vec![
            Filter::make(Column::Name)
                .allowed_operators([FilterOperator::Equal, FilterOperator::In]),
        ]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new().add(Column::Id)
    }

    fn scope(context: &Context) -> Scope {
        match context.get::<Owner>() {
            Some(Owner(owner)) => Scope::rows(Column::Owner.eq(owner)),
            None => Scope::nothing(),
        }
    }

    fn soft_delete() -> Option<Column> {
        Some(Column::DeletedAt)
    }
}

/// What clients send: one field that must be there of each type, one that may be null, and some that may be left out.
#[derive(Debug, Payload, Validate)]
#[payload(active_model = plan::ActiveModel)]
pub struct PlanPayload {
    #[payload(trim)]
    #[garde(length(chars, min = 1, max = 40))]
    name: String,
    #[garde(length(chars, max = 40))]
    note: Option<String>,
    #[garde(skip)]
    first: i32,
    #[garde(custom(not_before(&self.first)))]
    last: i32,
    #[garde(skip)]
    price: sea_orm::prelude::Decimal,
    #[garde(skip)]
    day: sea_orm::prelude::Date,
    #[garde(skip)]
    hour: sea_orm::prelude::Time,
    #[garde(skip)]
    moment: sea_orm::prelude::DateTimeUtc,
    #[garde(skip)]
    stage: plan::Stage,
    #[garde(skip)]
    settings: Given<Option<sea_orm::prelude::Json>>,
}

fn not_before(first: &i32) -> impl FnOnce(&i32, &()) -> garde::Result + '_ {
    move |last, ()| match last >= first {
        true => Ok(()),
        false => Err(garde::Error::new("must not be before first")),
    }
}

/// The application on one engine. Tests share its table, and each has plans of an owner of its own.
#[derive(Debug, Clone)]
pub struct Planned {
    state: App,
}

#[derive(Debug, Clone, FromRef)]
pub struct App {
    db: DatabaseConnection,
    reads: ReadPool,
    listings: Listings,
}

/// Tries something on each engine.
pub fn on_each_planned(test: impl AsyncFn(&Planned)) {
    static PLANNED: LazyLock<Mutex<HashMap<Engine, Arc<Planned>>>> = LazyLock::new(Mutex::default);
    on_each(|engine| {
        let planned = PLANNED
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(engine)
            .or_insert_with(|| Arc::new(run(Planned::fresh(engine))))
            .clone();
        run(test(&planned));
    });
}

/// The same on tables of the test's own.
pub fn on_each_fresh_planned(test: impl AsyncFn(&Planned)) {
    on_each(|engine| run(async { test(&Planned::fresh(engine).await).await }));
}

impl Planned {
    /// One with tables of its own.
    pub async fn fresh(engine: Engine) -> Self {
        let db = fresh_database(engine).await;
        let table = Schema::new(db.get_database_backend()).create_table_from_entity(Entity);
        db.execute(&table).await.unwrap();
        let journal = "CREATE TABLE journal (word VARCHAR(50) PRIMARY KEY)";
        db.execute_unprepared(journal).await.unwrap();
        create_tables(&db).await.unwrap();
        // A migration that runs again finds them.
        create_tables(&db).await.unwrap();
        IdempotencyTable.create(&db).await.unwrap();
        HistoryTable.create(&db).await.unwrap();
        let listings = Listings::builder(Settings::default());
        let listings = listings.add::<Entity>().build().unwrap();
        // As a service does when it starts.
        listings.inspect_indexes(&db).await.unwrap();
        let reads = reads(&db).await;
        let state = App {
            db,
            reads,
            listings,
        };
        Self { state }
    }

    pub fn db(&self) -> &DatabaseConnection {
        &self.state.db
    }

    /// The same, whose statements go through another connection.
    pub fn through(&self, db: DatabaseConnection) -> Self {
        let mut planned = self.clone();
        planned.state.db = db;
        planned
    }

    /// The same with other settings.
    pub fn with_settings(&self, settings: Settings) -> Self {
        let listings = Listings::builder(settings);
        let mut planned = self.clone();
        planned.state.listings = listings.add::<Entity>().build().unwrap();
        planned
    }

    /// The same with another listing of the table.
    pub fn with_listing<E: HasListing + NamedRelations>(&self) -> Self {
        let mut planned = self.clone();
        let listings = Listings::builder(Settings::default()).add::<E>();
        planned.state.listings = listings.build().unwrap();
        planned
    }

    /// A client who sees the plans of an owner.
    pub fn client(&self, owner: &str) -> Client {
        self.client_with(owner, Context::new())
    }

    /// The same, who brings more for the hooks.
    pub fn client_with(&self, owner: &str, context: Context) -> Client {
        let api = Api::<App>::new("/api")
            .crud::<Plans>()
            .crud::<Guarded>()
            .crud::<Shy>();
        self.client_of(api, owner, context)
    }

    /// A client of resources of a test's own.
    pub fn client_of(&self, api: Api<App>, owner: &str, context: Context) -> Client {
        let (router, _) = api.finish().unwrap();
        let context = context.with(Owner(owner.to_owned()));
        let router = router.with_state(self.state.clone());
        Client::of(router, &context, &Config::default())
    }

    /// Whether a hook's word was committed.
    pub async fn has_word(&self, word: &str) -> bool {
        let sql = format!("SELECT word FROM journal WHERE word = '{word}'");
        let asked = Statement::from_string(self.db().get_database_backend(), sql);
        self.db().query_one_raw(asked).await.unwrap().is_some()
    }

    /// The number of rows of a table.
    pub async fn count(&self, table: &str) -> i64 {
        let sql = format!("SELECT COUNT(*) FROM {table}");
        let count = Statement::from_string(self.db().get_database_backend(), sql);
        let row = self.db().query_one_raw(count).await.unwrap().unwrap();
        row.try_get_by_index(0).unwrap()
    }

    /// The plans of an owner, deleted or not.
    pub async fn plans_of(&self, owner: &str) -> Vec<Model> {
        let plans = Entity::find().filter(Column::Owner.eq(owner));
        plans.all(self.db()).await.unwrap()
    }

    /// The row, deleted or not.
    pub async fn row(&self, id: i64) -> Option<Model> {
        Entity::find_by_id(id).one(self.db()).await.unwrap()
    }
}

/// A plan with nothing wrong in it.
pub fn plan(name: &str) -> Value {
    json!({
        "name": name,
        "note": "A note.",
        "first": 1,
        "last": 5,
        "price": "123456.789",
        "day": "2024-05-31",
        "hour": "12:30:00",
        "moment": "2024-05-31T12:00:00Z",
        "stage": "done",
        "settings": { "colour": "red", "size": { "width": 1, "height": 2 }, "tags": [1, 2] },
    })
}

pub fn at(id: i64) -> String {
    format!("/api/plans/{id}")
}

/// A new plan.
pub async fn create(client: &Client, name: &str) -> i64 {
    client.post("/api/plans", &plan(name)).await.created()
}
