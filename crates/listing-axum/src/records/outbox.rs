//! The tables of events that wait for the application, and their statements (d129).

#[cfg(feature = "webhooks")]
use std::slice;
use std::time::Duration;

use chrono::{DateTime, Utc};
use listing::Dialect;
#[cfg(feature = "webhooks")]
use sea_orm::TransactionTrait as _;
use sea_orm::sea_query::{
    ColumnDef, Expr, ExprTrait, Index, InsertStatement, Order, Query, Table, TableCreateStatement,
};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, QueryResult};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use super::Operation;
use super::bind::dialect_of;
use super::clock::{milliseconds, now};
#[cfg(feature = "webhooks")]
use super::deliveries::{self, NewDelivery};
use super::id::text_of;
use super::lease::{self, Duty};
use crate::http::ApiError;

const EVENTS: &str = "listing_events";

/// Wakes readers of events in this process when a change with an event is committed.
static WRITTEN: Notify = Notify::const_new();

pub(crate) fn written() -> &'static Notify {
    &WRITTEN
}

/// A committed change to a record.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// Its number. Of two changes to one record, the later one has the greater number.
    pub id: i64,
    /// The resource's path segment: `articles`.
    pub resource: String,
    /// The record's `id`, as clients know it.
    pub record: Value,
    /// The operation.
    pub operation: Operation,
    /// The names of the fields and relations that have changed or, for a new record, were set.
    pub changed: Vec<String>,
    /// The values after the change, of the columns that [`Events::values`](super::Events::values) names.
    pub values: Map<String, Value>,
    /// The caller who made the change, if [`Events::caller`](super::Events::caller) knows it.
    pub caller: Option<String>,
    /// The id of the request, as in the log.
    pub request_id: Option<String>,
    /// When the record was written.
    pub at: DateTime<Utc>,
    /// The number of failed attempts to hand it over.
    pub attempts: u32,
}

impl Event {
    /// The data that is stored besides the columns of its row.
    fn body(&self) -> String {
        json!({
            "record": self.record,
            "operation": self.operation.name(),
            "changed": self.changed,
            "values": self.values,
            "caller": self.caller,
            "request_id": self.request_id,
            "at": self.at.to_rfc3339(),
        })
        .to_string()
    }

    fn of_row(row: &QueryResult) -> Result<Self, DbErr> {
        let body: String = row.try_get_by_index(2)?;
        let attempts: i32 = row.try_get_by_index(3)?;
        let unreadable = || DbErr::Type(format!("`{EVENTS}` has a row that is not an event"));
        let mut body: Value = serde_json::from_str(&body).map_err(|_| unreadable())?;
        let text = |of: &Value| of.as_str().map(str::to_owned);
        let operation = body["operation"].as_str().and_then(Operation::of_name);
        let at = body["at"].as_str().map(DateTime::parse_from_rfc3339);
        let changed = body["changed"].as_array().into_iter().flatten();
        Ok(Self {
            id: row.try_get_by_index(0)?,
            resource: row.try_get_by_index(1)?,
            operation: operation.ok_or_else(unreadable)?,
            changed: changed.filter_map(text).collect(),
            caller: text(&body["caller"]),
            request_id: text(&body["request_id"]),
            at: at
                .and_then(Result::ok)
                .ok_or_else(unreadable)?
                .with_timezone(&Utc),
            attempts: attempts.unsigned_abs(),
            values: match body["values"].take() {
                Value::Object(values) => values,
                _ => Map::new(),
            },
            record: body["record"].take(),
        })
    }

    /// The record's id as one text, to tell records of a resource apart.
    pub(super) fn record_text(&self) -> String {
        text_of(&self.record)
    }
}

/// Creates the tables of events, `listing_events` and `listing_event_lease`, if they do not exist. Call it in a migration.
///
/// # Errors
/// When the database refuses.
pub async fn create_tables(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    let mut events = table(EVENTS, db.get_database_backend());
    events
        .col(ColumnDef::new("resource").string_len(100).not_null())
        .col(ColumnDef::new("record").string_len(600).not_null())
        .col(ColumnDef::new("attempts").integer().not_null().default(0))
        .col(ColumnDef::new("due_at").big_integer().not_null().default(0));
    db.execute(&events).await?;
    lease::create_table(db).await?;
    if lease::add(Duty::Events, db).await? {
        let mut index = Index::create();
        index
            .name("listing_events_record")
            .table(EVENTS)
            .col("resource")
            .col("record");
        db.execute(&index).await?;
    }
    Ok(())
}

/// A table with a numeric key and a `body` of any length.
pub(super) fn table(name: &'static str, backend: DbBackend) -> TableCreateStatement {
    let mut table = Table::create();
    let mut body = ColumnDef::new("body");
    if backend == DbBackend::MySql {
        // A `TEXT` holds at most 64 KiB there, and the default character set of a database may not have all characters.
        body.custom("LONGTEXT");
        table.character_set("utf8mb4");
    } else {
        body.text();
    }
    let mut id = ColumnDef::new("id");
    id.big_integer().not_null().auto_increment().primary_key();
    table.table(name).if_not_exists().col(id);
    table.col(body.not_null()).take()
}

/// Drops the tables of events, with all pending events.
///
/// # Errors
/// When the database refuses.
pub async fn drop_tables(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    db.execute(Table::drop().table(EVENTS).if_exists()).await?;
    lease::drop_table(db).await
}

/// The statement that writes events; `None` if there are none.
pub(super) fn insert(events: &[Event]) -> Option<InsertStatement> {
    if events.is_empty() {
        return None;
    }
    let mut insert = Query::insert();
    insert
        .into_table(EVENTS)
        .columns(["resource", "record", "body"]);
    for event in events {
        insert.values_panic([
            event.resource.as_str().into(),
            event.record_text().into(),
            event.body().into(),
        ]);
    }
    Some(insert)
}

/// The statements of one reader of events.
#[derive(Debug)]
pub(crate) struct Outbox {
    db: DatabaseConnection,
    dialect: Dialect,
}

impl Outbox {
    pub(crate) fn of(db: DatabaseConnection) -> Result<Self, ApiError> {
        Ok(Self {
            dialect: dialect_of(&db)?,
            db,
        })
    }

    /// The next events in order. An event waits until all earlier events of its record are done.
    pub(crate) async fn due(&self, at_most: u64) -> Result<Vec<Event>, DbErr> {
        let own = |column: &'static str| Expr::col((EVENTS, column));
        let earlier = |column: &'static str| Expr::col(("earlier", column));
        let waits = Query::select()
            .expr(Expr::cust("1"))
            .from_as(EVENTS, "earlier")
            .and_where(earlier("resource").eq(own("resource")))
            .and_where(earlier("record").eq(own("record")))
            .and_where(earlier("id").lt(own("id")))
            .and_where(earlier("due_at").gt(now(self.dialect)))
            .take();
        let events = Query::select()
            .columns(["id", "resource", "body", "attempts"])
            .from(EVENTS)
            .and_where(own("due_at").lte(now(self.dialect)))
            .and_where(Expr::exists(waits).not())
            .order_by("id", Order::Asc)
            .limit(at_most)
            .take();
        let rows = self.db.query_all(&events).await?;
        rows.iter().map(Event::of_row).collect()
    }

    /// Removes events that were handed over.
    pub(crate) async fn done(&self, events: &[Event]) -> Result<(), DbErr> {
        remove(events, &self.db).await?;
        Ok(())
    }

    /// Removes events and inserts their deliveries, in one transaction.
    #[cfg(feature = "webhooks")]
    pub(crate) async fn pass_on(
        &self,
        events: impl Iterator<Item = (&Event, &Vec<NewDelivery>)>,
    ) -> Result<(), DbErr> {
        let transaction = self.db.begin().await?;
        for (event, deliveries) in events {
            // Another copy may have passed it on already.
            if remove(slice::from_ref(event), &transaction).await? == 1 && !deliveries.is_empty() {
                deliveries::insert(event, deliveries, &transaction, self.dialect).await?;
            }
        }
        transaction.commit().await?;
        deliveries::passed_on().notify_waiters();
        Ok(())
    }

    /// Hands an event over again after a pause.
    pub(crate) async fn again(&self, event: &Event, pause: Duration) -> Result<(), DbErr> {
        let mut update = Query::update();
        update
            .table(EVENTS)
            .value("attempts", Expr::col("attempts").add(1))
            .value("due_at", now(self.dialect).add(milliseconds(pause)))
            .and_where(Expr::col("id").eq(event.id));
        self.db.execute(&update).await?;
        Ok(())
    }
}

/// Returns how many of them existed.
async fn remove(events: &[Event], db: &impl ConnectionTrait) -> Result<u64, DbErr> {
    let mut delete = Query::delete();
    // The list is filled up with its last id to a power of two: drivers cache statements by their text, and this keeps the number of
    // different texts small.
    let ids = events.iter().chain(events.last().into_iter().cycle());
    let ids = ids.map(|event| event.id);
    let ids = ids.take(events.len().next_power_of_two());
    delete
        .from_table(EVENTS)
        .and_where(Expr::col("id").is_in(ids));
    Ok(db.execute(&delete).await?.rows_affected())
}
