//! Values of another storage class than SeaORM reads, and values that are not of their column's type.

use garde::Validate;
use listing::Context;
use listing::prelude::*;
use listing_axum::{Access, Api, Denied, Payload, Resource, WritableResource};
use listing_tests::{Client, Engine, fresh_database, run, warnings_of};
use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::{Value, json};

use self::payment::{Column, Entity};
use super::started;

#[allow(dead_code, reason = "the derive makes more items than are used")]
pub mod payment {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "payments")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        #[sea_orm(column_type = "Decimal(Some((5, 2)))")]
        pub amount: Decimal,
        pub weight: f64,
        pub size: f32,
        pub number: i32,
        pub is_open: bool,
        pub note: String,
        pub day: Date,
        pub at: DateTimeUtc,
        pub key: Uuid,
        pub data: Json,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

#[derive(Debug)]
pub struct Payments;

impl HasListing for Entity {
    type Listing = Payments;
}

impl Listing for Payments {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        use Column::{Amount, At, Data, Day, IsOpen, Key, Note, Number, Size, Weight};
        Fields::new().add_defaults([
            Amount, Weight, Size, Number, IsOpen, Note, Day, At, Key, Data,
        ])
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
    }
}

/// Whether the decision depends on the record.
#[derive(Debug, Clone, Copy)]
struct Looks;

impl Resource for Payments {
    type Entity = Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        if access.context().get::<Looks>().is_none() {
            return Ok(());
        }
        match access.record() {
            Some(record) if record.amount.is_sign_negative() => Err(Denied::Forbidden),
            _ => Ok(()),
        }
    }
}

impl WritableResource for Payments {
    type Store = PaymentPayload;
    type Update = PaymentPayload;
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = payment::ActiveModel)]
#[garde(allow_unvalidated)]
pub struct PaymentPayload {
    note: String,
}

const COLUMNS: [&str; 10] = [
    "amount", "weight", "size", "number", "is_open", "note", "day", "at", "key", "data",
];

/// What other programs store for one and the same record.
const ROWS: [[&str; 10]; 5] = [
    [
        "5",
        "2",
        "1",
        "7",
        "1",
        "'12'",
        "'2024-05-31'",
        "'2024-05-31 10:00:00'",
        "x'0b5f8a0e3c6d4a519d5c6f3a4b2c1d0e'",
        "'5'",
    ],
    [
        "5.0",
        "2.0",
        "1.0",
        "7.0",
        "'true'",
        "12",
        "'2024-05-31 00:00:00'",
        "'2024-05-31T10:00:00Z'",
        "'0b5f8a0e-3c6d-4a51-9d5c-6f3a4b2c1d0e'",
        "5",
    ],
    [
        "'5.00'",
        "'2'",
        "'1'",
        "'7'",
        "'t'",
        "x'3132'",
        "'2024-05-31T10:00:00Z'",
        "1717149600",
        "'0B5F8A0E-3C6D-4A51-9D5C-6F3A4B2C1D0E'",
        "x'35'",
    ],
    [
        "'5'",
        "'2e0'",
        "'1.0'",
        "'7.0'",
        "1.0",
        "'12'",
        "'2024-05-31'",
        "2460461.916666667",
        "'0b5f8a0e3c6d4a519d5c6f3a4b2c1d0e'",
        "' 5 '",
    ],
    [
        "5",
        "2",
        "1",
        "7",
        "'TRUE'",
        "'12'",
        "'2024-05-31'",
        "'2024-05-31T12:00:00.000+02:00'",
        "CAST('0b5f8a0e-3c6d-4a51-9d5c-6f3a4b2c1d0e' AS BLOB)",
        "'5'",
    ],
];

async fn filled() -> DatabaseConnection {
    let db = fresh_database(Engine::Sqlite).await;
    // Without types, so that every value stays what it is; the first is as Sakila has it.
    let table = "CREATE TABLE payments (id integer PRIMARY KEY, amount, weight, size, number, is_open, note, day, at, key, data)";
    db.execute_unprepared(table).await.unwrap();
    for row in ROWS {
        insert(&db, &row).await;
    }
    db
}

async fn insert(db: &DatabaseConnection, row: &[&str; 10]) {
    let (columns, values) = (COLUMNS.join(", "), row.join(", "));
    let insert = format!("INSERT INTO payments ({columns}) VALUES ({values})");
    db.execute_unprepared(&insert).await.unwrap();
}

async fn client(db: &DatabaseConnection, looks: bool) -> Client {
    let mut context = Context::new();
    if looks {
        context = context.with(Looks);
    }
    started(Api::new("/api").crud::<Payments>(), db, &context).await
}

fn shown(note: &str) -> Value {
    json!({
        "amount": "5.00", "weight": 2.0, "size": 1.0, "number": 7, "is_open": true, "note": note, "day": "2024-05-31",
        "at": "2024-05-31T10:00:00.000000Z", "key": "0b5f8a0e-3c6d-4a51-9d5c-6f3a4b2c1d0e", "data": 5,
    })
}

/// Rule b610.
#[test]
fn a_record_is_written_and_deleted_whatever_classes_its_values_have() {
    run(async {
        for looks in [false, true] {
            let db = filled().await;
            let client = client(&db, looks).await;
            for id in 1..=ROWS.len() {
                let one = format!("/api/payments/{id}");
                for note in ["12", "changed"] {
                    let mut record = client.get(&one).await.ok().json()["data"].clone();
                    record.as_object_mut().unwrap().remove("id");
                    assert_eq!(record, shown(note), "{id}");
                    let _ = client.put(&one, &json!({ "note": "changed" })).await.ok();
                }
                let _ = client.delete(&one).await.ok();
                let _ = client.get(&one).await.error(404);
            }
        }
    });
}

/// Rule b610.
#[test]
fn a_whole_number_in_a_column_of_decimals_is_written() {
    run(async {
        let db = filled().await;
        let table = "DROP TABLE payments; CREATE TABLE payments (id integer PRIMARY KEY, amount decimal(5, 2), weight float,
            size float, number integer, is_open boolean, note text, day date, at timestamp, key uuid, data json)";
        db.execute_unprepared(table).await.unwrap();
        insert(&db, &ROWS[0]).await;
        let client = client(&db, true).await;
        let _ = client
            .put("/api/payments/1", &json!({ "note": "paid" }))
            .await
            .ok();
        let record = client.get("/api/payments/1").await.ok().json();
        assert_eq!(record["data"]["note"], "paid");
        let _ = client.delete("/api/payments/1").await.ok();
    });
}

/// Rule b613.
#[test]
fn a_value_that_is_not_of_its_type_has_a_code_of_its_own_and_is_named_in_the_log() {
    run(async {
        let wrong = [
            ("amount", "'many'"),
            ("number", "'abc'"),
            ("number", "7.5"),
            ("day", "'never'"),
            ("at", "'soon'"),
            ("key", "'0b5f'"),
            ("is_open", "'perhaps'"),
            ("note", "NULL"),
        ];
        let db = filled().await;
        for (column, value) in wrong {
            let at = COLUMNS.iter().position(|known| *known == column).unwrap();
            let mut row = ROWS[0];
            row[at] = value;
            insert(&db, &row).await;
        }
        let free = client(&db, false).await;
        let looking = client(&db, true).await;
        for (id, (column, value)) in (ROWS.len() + 1..).zip(wrong) {
            let one = format!("/api/payments/{id}");
            let _ = free.get(&one).await.ok();
            let put = free.json("PUT", &one, r#"{"note": "changed"}"#);
            let (reply, said) = warnings_of(put).await;
            assert_eq!(
                reply.error_code(500),
                "unreadable_record",
                "{column} {value}"
            );
            assert!(!reply.text().contains("decoding"), "{}", reply.text());
            let record = format!("record `{id}` of `payments` cannot be read");
            assert!(said.contains(&record) && said.contains(column), "{said}");
            // A hook that looks at the record cannot decide.
            let reply = looking.delete(&one).await;
            assert_eq!(reply.error_code(500), "unreadable_record");
            let _ = free.delete(&one).await.ok();
            let _ = free.get(&one).await.error(404);
        }
    });
}
