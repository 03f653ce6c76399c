//! What a database refuses for reasons that only it knows is the client's mistake (b465, b466).

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use garde::Validate;
use listing::{Context, Fields, HasListing, Listing, Listings, Settings, Sorts};
use listing_axum::Given;
use listing_axum::{Access, Api, Config, Denied, Payload, Resource, WritableResource, policy};
use listing_tests::{Client, Engine, fresh_database, on_each, run};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use self::booking::{Column, Entity};

#[allow(dead_code, reason = "the derive makes more items than are used")]
mod booking {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "bookings")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub room: String,
        #[sea_orm(column_type = "Text")]
        pub remark: String,
        pub first: i32,
        pub last: i32,
        /// The schema takes no null here.
        pub guests: Option<i32>,
        /// No client sends it, and nothing else sets it.
        pub deleted_at: Option<DateTimeUtc>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

#[derive(Debug)]
pub struct Bookings;

impl HasListing for Entity {
    type Listing = Bookings;
}

impl Listing for Bookings {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new().add_default(Column::Room)
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
    }

    fn soft_delete() -> Option<Column> {
        Some(Column::DeletedAt)
    }
}

impl Resource for Bookings {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}

impl WritableResource for Bookings {
    type Store = BookingPayload;
    type Update = BookingPayload;
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = booking::ActiveModel)]
#[garde(allow_unvalidated)]
pub struct BookingPayload {
    #[payload(alias = "roomName")]
    room: String,
    remark: String,
    first: i32,
    last: i32,
    guests: Given<Option<i32>>,
}

#[derive(Clone, axum::extract::FromRef)]
struct App {
    db: sea_orm::DatabaseConnection,
    reads: listing::ReadPool,
    listings: Listings,
}

const COLUMNS: &str = "room VARCHAR(50) NOT NULL, remark TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, \
    guests INTEGER NOT NULL";

/// A room has one booking that is not deleted, of the first to the last day; no trigger lets the room `closed` be booked,
/// nor the room `kept` be deleted.
fn schema(engine: Engine) -> Vec<String> {
    match engine {
        Engine::Sqlite => vec![
            format!("CREATE TABLE bookings (id INTEGER PRIMARY KEY AUTOINCREMENT, {COLUMNS}, deleted_at TIMESTAMP)"),
            "CREATE UNIQUE INDEX bookings_room_living ON bookings (room) WHERE deleted_at IS NULL".into(),
            "CREATE TRIGGER closed BEFORE INSERT ON bookings WHEN NEW.room = 'closed' \
             BEGIN SELECT RAISE(ABORT, 'secret words'); END"
                .into(),
            "CREATE TRIGGER kept BEFORE UPDATE ON bookings WHEN NEW.room = 'kept' AND NEW.deleted_at IS NOT NULL \
             BEGIN SELECT RAISE(ABORT, 'secret words'); END"
                .into(),
        ],
        Engine::Postgres => vec![
            format!(
                "CREATE TABLE bookings (id BIGSERIAL PRIMARY KEY, {COLUMNS}, deleted_at TIMESTAMPTZ, \
                 CONSTRAINT bookings_first EXCLUDE USING gist (int4range(first, last) WITH &&) WHERE (room = 'shared'))"
            ),
            "CREATE UNIQUE INDEX bookings_room_living ON bookings (room) WHERE deleted_at IS NULL AND room <> 'shared'"
                .into(),
            "CREATE INDEX bookings_remark ON bookings (remark)".into(),
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'secret words'; END $$"
                .into(),
            "CREATE TRIGGER closed BEFORE INSERT ON bookings FOR EACH ROW WHEN (NEW.room = 'closed') \
             EXECUTE FUNCTION refuse()"
                .into(),
            "CREATE TRIGGER kept BEFORE UPDATE ON bookings FOR EACH ROW \
             WHEN (NEW.room = 'kept' AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION refuse()"
                .into(),
        ],
        Engine::Mysql => vec![
            format!(
                "CREATE TABLE bookings (id BIGINT PRIMARY KEY AUTO_INCREMENT, {COLUMNS}, deleted_at TIMESTAMP(6) NULL, \
                 living VARCHAR(50) AS (CASE WHEN deleted_at IS NULL THEN room END), \
                 UNIQUE KEY bookings_room_living (living))"
            ),
            "CREATE TRIGGER closed BEFORE INSERT ON bookings FOR EACH ROW \
             IF NEW.room = 'closed' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'secret words'; END IF"
                .into(),
            "CREATE TRIGGER kept BEFORE UPDATE ON bookings FOR EACH ROW \
             IF NEW.room = 'kept' AND NEW.deleted_at IS NOT NULL THEN \
             SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'secret words'; END IF"
                .into(),
        ],
    }
}

async fn start(engine: Engine) -> Client {
    let db = fresh_database(engine).await;
    for sql in schema(engine) {
        db.execute_unprepared(&sql).await.unwrap();
    }
    let listings = Listings::builder(Settings::default());
    let listings = listings.add::<Entity>().build().unwrap();
    let (router, _) = Api::<App>::new("/api").crud::<Bookings>().finish().unwrap();
    let router = router.with_state(App {
        reads: db.clone().into(),
        db,
        listings,
    });
    Client::of(router, &Context::new(), &Config::default())
}

fn on_each_bookings(test: impl AsyncFn(Engine, &Client)) {
    static BOOKINGS: LazyLock<Mutex<HashMap<Engine, Arc<Client>>>> = LazyLock::new(Mutex::default);
    on_each(|engine| {
        let client = BOOKINGS
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(engine)
            .or_insert_with(|| Arc::new(run(start(engine))))
            .clone();
        run(test(engine, &client));
    });
}

const PATH: &str = "/api/bookings";

fn booking(room: &str) -> Value {
    json!({ "roomName": room, "remark": "", "first": 1, "last": 2, "guests": 1 })
}

fn booking_with(room: &str, field: &str, value: impl Into<Value>) -> Value {
    let mut booking = booking(room);
    booking[field] = value.into();
    booking
}

/// Rule b465.
#[test]
fn a_record_whose_value_was_taken_meanwhile_cannot_be_restored() {
    on_each_bookings(async |_, client| {
        let first = client.post(PATH, &booking("blue")).await.created();
        let first = format!("{PATH}/{first}");
        let _ = client.delete(&first).await.ok();
        let second = client.post(PATH, &booking("blue")).await.created();
        let second = format!("{PATH}/{second}");
        let reply = client.bare("POST", &format!("{first}/restore")).await;
        let text = "roomName has already been taken.";
        assert_eq!(reply.invalid()["roomName"], [text]);
        assert_eq!(client.get(&first).await.error_code(404), "not_found");
        let _ = client.delete(&second).await.ok();
        let _ = client.bare("POST", &format!("{first}/restore")).await.ok();
        let _ = client.get(&first).await.ok();
    });
}

/// Rule b466.
#[test]
fn a_field_that_the_schema_needs_is_required() {
    on_each_bookings(async |_, client| {
        let mut absent = booking("green");
        absent.as_object_mut().unwrap().remove("guests");
        let reply = client.post(PATH, &absent).await;
        assert_eq!(reply.invalid()["guests"], ["guests is required."]);
        let null = booking_with("green", "guests", Value::Null);
        let reply = client.post(PATH, &null).await;
        assert_eq!(reply.invalid()["guests"], ["guests must not be null."]);
        let id = client.post(PATH, &booking("green")).await.created();
        let one = format!("{PATH}/{id}");
        let reply = client.put(&one, &null).await;
        assert_eq!(reply.invalid()["guests"], ["guests must not be null."]);
        let _ = client.put(&one, &absent).await.ok();
    });
}

/// Rule b466.
#[test]
fn what_a_trigger_refuses_is_422_without_its_words() {
    on_each_bookings(async |_, client| {
        let refused = client.post(PATH, &booking("closed")).await;
        let id = client.post(PATH, &booking("kept")).await.created();
        let one = format!("{PATH}/{id}");
        for reply in [refused, client.delete(&one).await] {
            let text = "A rule of the database does not allow this change.";
            assert_eq!(reply.invalid()["record"], [text]);
            assert!(!reply.text().contains("secret"), "{}", reply.text());
        }
        let _ = client.get(&one).await.ok();
    });
}

/// Rule b466.
#[test]
fn records_that_exclude_each_other_and_values_that_no_index_holds_are_422() {
    // Letters that do not compress.
    let mut state = 1_u64;
    let letters = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        char::from(b'0' + u8::try_from((state >> 33) % 75).unwrap())
    });
    let long: String = letters.take(8_000).collect();
    on_each_bookings(async |engine, client| {
        let reply = client
            .post(PATH, &booking_with("long", "remark", &*long))
            .await;
        if engine == Engine::Postgres {
            assert_eq!(reply.invalid()["remark"], ["remark is too long."]);
            client.post(PATH, &booking("shared")).await.created();
            let reply = client.post(PATH, &booking("shared")).await;
            assert_eq!(
                reply.invalid()["first"],
                ["first conflicts with another record."]
            );
        } else {
            reply.created();
        }
    });
}
