//! What a client reads it can write back, exactly; what it misspells it is told (b145, d90, d92, d93, d94).

use garde::Validate;
use listing::{Context, Field, Fields, HasListing, Listing, Names, Settings, Sorts};
use listing_axum::Given;
use listing_axum::{Access, Api, Config, Denied, Payload, Resource, WritableResource, policy};
use listing_tests::{Client, Engine, fresh_database, on_each, reads, run};
use sea_orm::{ConnectionTrait, Schema};
use serde_json::{Value, json};

use self::reading::{Column, Entity, Size};

#[allow(dead_code, reason = "the derive makes more items than are used")]
pub mod reading {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "readings")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        /// Without a zone.
        pub taken_at: DateTime,
        #[sea_orm(column_type = "Decimal(Some((20, 2)))")]
        pub amount: Decimal,
        pub serial_number: i64,
        pub size: Size,
        pub day: Option<Date>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    #[derive(
        Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, DeriveActiveEnum, serde::Deserialize,
    )]
    #[sea_orm(rs_type = "String", db_type = "String(StringLen::N(10))")]
    #[serde(rename_all = "lowercase")]
    pub enum Size {
        #[default]
        #[sea_orm(string_value = "small")]
        Small,
        #[sea_orm(string_value = "medium")]
        Medium,
        #[sea_orm(string_value = "large")]
        Large,
    }
}

#[derive(Debug)]
pub struct Readings;

impl HasListing for Entity {
    type Listing = Readings;
}

impl Listing for Readings {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
            .add_default(Column::TakenAt)
            .add_default(Field::column(Column::Amount).alias("howMuch"))
            .add_default(Field::column(Column::SerialNumber).as_text())
            .add_default(Column::Size)
            .add_default(Column::Day)
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
    }
}

impl Resource for Readings {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}

impl WritableResource for Readings {
    type Store = ReadingPayload;
    type Update = ReadingPayload;
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = reading::ActiveModel)]
#[garde(allow_unvalidated)]
pub struct ReadingPayload {
    taken_at: chrono::NaiveDateTime,
    #[payload(alias = "howMuch")]
    #[garde(custom(not_negative))]
    amount: rust_decimal::Decimal,
    serial_number: i64,
    size: Size,
    day: Given<Option<chrono::NaiveDate>>,
}

fn not_negative(amount: &rust_decimal::Decimal, _: &()) -> garde::Result {
    if amount.is_sign_negative() {
        return Err(garde::Error::new("must not be negative"));
    }
    Ok(())
}

#[derive(Clone, axum::extract::FromRef)]
struct App {
    db: sea_orm::DatabaseConnection,
    reads: listing::ReadPool,
    listings: listing::Listings,
}

fn on_each_readings(strict: bool, test: impl AsyncFn(Engine, &Client)) {
    let mut settings = Settings::default();
    settings.strict = strict;
    on_each_with(&settings, test);
}

fn on_each_with(settings: &Settings, test: impl AsyncFn(Engine, &Client)) {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            let schema = Schema::new(db.get_database_backend());
            let table = schema.create_table_from_entity(Entity);
            db.execute(&table).await.unwrap();
            let api = Api::new("/api").crud::<Readings>();
            let api = api.build(settings.clone()).unwrap();
            let router = api.router.with_state(App {
                reads: reads(&db).await,
                db,
                listings: api.listings,
            });
            let client = Client::of(router, &Context::new(), &Config::default());
            test(engine, &client).await;
        });
    });
}

fn reading() -> Value {
    json!({ "taken_at": "2024-05-31T10:00:00.000000Z", "howMuch": "80.10",
        "serial_number": "9007199254740993", "size": "medium", "day": "2024-05-31" })
}

fn reading_with(field: &str, value: impl Into<Value>) -> Value {
    let mut reading = reading();
    reading[field] = value.into();
    reading
}

const PATH: &str = "/api/readings";

/// Rules b145, d90, d93.
#[test]
fn what_is_read_can_be_written_back() {
    on_each_readings(false, async |_, client| {
        let id = client.post(PATH, &reading()).await.created();
        let one = format!("{PATH}/{id}");
        let shown = client.get(&one).await.ok().json()["data"].clone();
        let mut expected = reading();
        expected["id"] = json!(id);
        assert_eq!(shown, expected);
        let _ = client.put(&one, &shown).await.ok();
        assert_eq!(client.get(&one).await.ok().json()["data"], expected);
        // As a number, too, and the same moment in another zone.
        let mut other = reading_with("serial_number", 9_007_199_254_740_993_i64);
        other["taken_at"] = json!("2024-05-31T12:00:00+02:00");
        other["howMuch"] = json!(80.1);
        let _ = client.put(&one, &other).await.ok();
        assert_eq!(client.get(&one).await.ok().json()["data"], expected);
    });
}

/// Rule b145.
#[test]
fn a_decimal_is_kept_exactly_or_refused() {
    on_each_readings(false, async |engine, client| {
        let body = reading().to_string();
        let sent = |number: &str| body.replace("\"80.10\"", number);
        for number in ["12345678901234567.89", "\"12345678901234567.89\""] {
            let reply = client.json("POST", PATH, sent(number)).await;
            if engine == Engine::Sqlite {
                // Its decimals are floats.
                let text = "howMuch must have at most 15 digits on this database.";
                assert_eq!(reply.invalid()["howMuch"], [text]);
                continue;
            }
            let one = format!("{PATH}/{}", reply.created());
            let shown = client.get(&one).await.ok().json();
            assert_eq!(shown["data"]["howMuch"], "12345678901234567.89");
        }
        let reply = client.json("POST", PATH, sent("9999999999999.99")).await;
        let one = format!("{PATH}/{}", reply.created());
        let shown = client.get(&one).await.ok().json();
        assert_eq!(shown["data"]["howMuch"], "9999999999999.99");
        // A database would round it, and a filter would not find it again.
        for number in ["80.001", "\"80.001\"", "8.0001e1"] {
            let reply = client.json("POST", PATH, sent(number)).await;
            let text = "howMuch must have at most 2 digits after the decimal point.";
            assert_eq!(reply.invalid()["howMuch"], [text], "{number}");
        }
        for number in ["80.100", "8.01e1", "801E-1"] {
            client.json("POST", PATH, sent(number)).await.created();
        }
    });
}

/// Rule d90.
#[test]
fn errors_call_a_field_as_clients_do_and_say_what_it_must_be() {
    on_each_readings(false, async |_, client| {
        for (field, value, text) in [
            (
                "howMuch",
                json!("much"),
                "howMuch must be a decimal number.",
            ),
            ("howMuch", json!(-1), "howMuch must not be negative."),
            (
                "howMuch",
                json!("1000000000000000000"),
                "howMuch must be less than 1000000000000000000 and more than -1000000000000000000.",
            ),
            (
                "taken_at",
                json!("yesterday"),
                "taken_at must be a timestamp such as 2024-05-31T12:00:00Z.",
            ),
            (
                "day",
                json!("2024-02-30"),
                "day must be a date such as 2024-05-31.",
            ),
            (
                "serial_number",
                json!("12.5"),
                "serial_number must be an integer from -9223372036854775808 to 9223372036854775807.",
            ),
        ] {
            let reply = client.post(PATH, &reading_with(field, value)).await;
            assert_eq!(reply.invalid_fields(), [field]);
            assert_eq!(reply.invalid()[field], [text]);
        }
        let mut absent = reading();
        absent.as_object_mut().unwrap().remove("howMuch");
        let reply = client.post(PATH, &absent).await;
        assert_eq!(reply.invalid()["howMuch"], ["howMuch is required."]);
    });
}

/// Rule d94.
#[test]
fn a_value_that_an_enumeration_lacks_is_422() {
    on_each_readings(false, async |_, client| {
        for wrong in [json!("huge"), json!("Medium"), json!(""), json!(1)] {
            let reply = client.post(PATH, &reading_with("size", wrong)).await;
            assert_eq!(reply.invalid_fields(), ["size"]);
        }
        let reply = client.post(PATH, &reading_with("size", "huge")).await;
        let text = "size must be one of `small`, `medium`, `large`.";
        assert_eq!(reply.invalid()["size"], [text]);
    });
}

/// Rules d59, d92.
#[test]
fn unknown_keys_are_ignored_or_422_when_strict() {
    let misspelt = {
        let mut reading = reading_with("howmuch", 7);
        reading["colour"] = json!("red");
        reading
    };
    on_each_readings(false, async |_, client| {
        client.post(PATH, &misspelt).await.created();
    });
    on_each_readings(true, async |_, client| {
        let reply = client.post(PATH, &misspelt).await;
        assert_eq!(reply.invalid_fields(), ["colour", "howmuch"]);
        let text = "howmuch is not a field of this record; did you mean `howMuch`?";
        assert_eq!(reply.invalid()["howmuch"], [text]);
        let text = "colour is not a field of this record; the fields are taken_at, howMuch, \
                    serial_number, size, day.";
        assert_eq!(reply.invalid()["colour"], [text]);
        let id = client.post(PATH, &reading()).await.created();
        let reply = client.put(&format!("{PATH}/{id}"), &misspelt).await;
        assert_eq!(reply.invalid_fields(), ["colour", "howmuch"]);
    });
}

/// Rule d91.
#[test]
fn the_convention_of_names_holds_in_payloads_and_their_errors() {
    let mut settings = Settings::default();
    settings.names = Names::CamelCase;
    settings.strict = true;
    on_each_with(&settings, async |_, client| {
        let reading = json!({ "takenAt": "2024-05-31T10:00:00.000000Z", "howMuch": "80.10",
            "serialNumber": "7", "size": "medium", "day": null });
        let id = client.post(PATH, &reading).await.created();
        let one = format!("{PATH}/{id}");
        let shown = client.get(&one).await.ok().json()["data"].clone();
        let mut expected = reading.clone();
        expected["id"] = json!(id);
        assert_eq!(shown, expected);
        let mut wrong = reading.clone();
        wrong["takenAt"] = json!("never");
        wrong["serial_number"] = wrong["serialNumber"].take();
        wrong.as_object_mut().unwrap().remove("serialNumber");
        let errors = client.put(&one, &wrong).await;
        assert_eq!(
            errors.invalid_fields(),
            ["serialNumber", "serial_number", "takenAt"]
        );
        let errors = errors.invalid();
        assert_eq!(errors["serialNumber"], ["serialNumber is required."]);
        let text = "takenAt must be a timestamp such as 2024-05-31T12:00:00Z.";
        assert_eq!(errors["takenAt"], [text]);
    });
}
