//! The tables of events that wait for the application, and the statements on them (d129).

use std::time::Duration;

use chrono::{DateTime, Utc};
use listing::Dialect;
use sea_orm::sea_query::{Alias, ColumnDef, Expr, ExprTrait, Index, Order, Query, Table};
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, QueryResult};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use super::Operation;
use super::bind::dialect_of;
use crate::http::ApiError;

const EVENTS: &str = "listing_events";
const LEASE: &str = "listing_event_lease";

/// Wakes readers of events in this process when a change with an event is committed.
static WRITTEN: Notify = Notify::const_new();

pub(crate) fn written() -> &'static Notify {
    &WRITTEN
}

/// The one row of the lease.
const THE_LEASE: i32 = 1;

/// A change of a record that is committed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// Its number. Of two changes of one record, the later one has the greater number.
    pub id: i64,
    /// The resource's segment of the path: `articles`.
    pub resource: String,
    /// The record's `id`, as clients know it.
    pub record: Value,
    /// What was done with it.
    pub operation: Operation,
    /// The names of the fields and relations that have changed; of a new record, those that were set.
    pub changed: Vec<String>,
    /// The values after the change, of the columns that [`Events::values`](super::Events::values) names.
    pub values: Map<String, Value>,
    /// Who made the change, where [`Events::caller`](super::Events::caller) knows.
    pub caller: Option<String>,
    /// The request that made it, as the log calls it.
    pub request_id: Option<String>,
    /// When the record was written.
    pub at: DateTime<Utc>,
    /// How often it was handed over already, without success.
    pub attempts: u32,
}

impl Event {
    /// What is kept of it besides the columns of its row.
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

    /// The record as one text, to tell records of a resource apart.
    fn record_text(&self) -> String {
        match &self.record {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }
}

/// Creates the tables of events, `listing_events` and `listing_event_lease`, where they are missing: for a migration.
///
/// # Errors
/// When the database refuses.
pub async fn create_tables(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    let backend = db.get_database_backend();
    let is_mysql = backend == sea_orm::DbBackend::MySql;
    let mut body = ColumnDef::new("body");
    if is_mysql {
        // A `TEXT` ends at 64 KiB there.
        body.custom(Alias::new("LONGTEXT"));
    } else {
        body.text();
    }
    let mut events = Table::create();
    events
        .table(EVENTS)
        .if_not_exists()
        .col(
            ColumnDef::new("id")
                .big_integer()
                .not_null()
                .auto_increment()
                .primary_key(),
        )
        .col(ColumnDef::new("resource").string_len(100).not_null())
        .col(ColumnDef::new("record").string_len(600).not_null())
        .col(body.not_null())
        .col(ColumnDef::new("attempts").integer().not_null().default(0))
        .col(ColumnDef::new("due_at").big_integer().not_null().default(0));
    let mut lease = Table::create();
    lease
        .table(LEASE)
        .if_not_exists()
        .col(ColumnDef::new("id").integer().not_null().primary_key())
        .col(ColumnDef::new("holder").string_len(36).not_null())
        .col(ColumnDef::new("held_until").big_integer().not_null());
    db.execute(&events).await?;
    db.execute(&lease).await?;
    let known = Query::select().expr(Expr::cust("1")).from(LEASE).take();
    if db.query_one(&known).await?.is_none() {
        let mut insert = Query::insert();
        insert
            .into_table(LEASE)
            .columns(["id", "holder", "held_until"])
            .values_panic([THE_LEASE.into(), "".into(), 0_i64.into()]);
        db.execute(&insert).await?;
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

/// Removes the tables of events, with the events that wait.
///
/// # Errors
/// When the database refuses.
pub async fn drop_tables(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    for table in [EVENTS, LEASE] {
        db.execute(Table::drop().table(table).if_exists()).await?;
    }
    Ok(())
}

/// Writes events, in the transaction of their changes.
pub(super) async fn insert(events: &[Event], db: &DatabaseTransaction) -> Result<(), ApiError> {
    if events.is_empty() {
        return Ok(());
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
    db.execute(&insert).await.map_err(super::write::undone)?;
    Ok(())
}

/// The statements of one reader of events.
#[derive(Debug)]
pub(crate) struct Outbox {
    db: DatabaseConnection,
    dialect: Dialect,
    /// Tells this reader from those of other copies.
    holder: String,
}

impl Outbox {
    pub(crate) fn of(db: DatabaseConnection) -> Result<Self, ApiError> {
        Ok(Self {
            dialect: dialect_of(&db)?,
            db,
            holder: uuid::Uuid::new_v4().to_string(),
        })
    }

    /// The next events, in their order. One waits as long as an earlier event of its record does.
    pub(crate) async fn due(&self, at_most: u64) -> Result<Vec<Event>, DbErr> {
        let own = |column: &'static str| Expr::col((EVENTS, column));
        let earlier = |column: &'static str| Expr::col(("earlier", column));
        let waits = Query::select()
            .expr(Expr::cust("1"))
            .from_as(EVENTS, "earlier")
            .and_where(earlier("resource").eq(own("resource")))
            .and_where(earlier("record").eq(own("record")))
            .and_where(earlier("id").lt(own("id")))
            .and_where(earlier("due_at").gt(self.now()))
            .take();
        let events = Query::select()
            .columns(["id", "resource", "body", "attempts"])
            .from(EVENTS)
            .and_where(own("due_at").lte(self.now()))
            .and_where(Expr::exists(waits).not())
            .order_by("id", Order::Asc)
            .limit(at_most)
            .take();
        let rows = self.db.query_all(&events).await?;
        rows.iter().map(Event::of_row).collect()
    }

    /// Makes this the reader for that time, unless another one is.
    pub(crate) async fn hold(&self, time: Duration) -> Result<bool, DbErr> {
        let is_mine = Expr::col("holder").eq(self.holder.as_str());
        let is_over = Expr::col("held_until").lt(self.now());
        let until = self.now().add(milliseconds(time));
        let mut update = Query::update();
        update
            .table(LEASE)
            .value("holder", self.holder.as_str())
            .value("held_until", until)
            .and_where(Expr::col("id").eq(THE_LEASE))
            .and_where(is_mine.or(is_over));
        let updated = self.db.execute(&update).await?;
        Ok(updated.rows_affected() == 1)
    }

    /// Lets another reader take over at once.
    pub(crate) async fn release(&self) -> Result<(), DbErr> {
        let mut update = Query::update();
        update
            .table(LEASE)
            .value("held_until", 0_i64)
            .and_where(Expr::col("holder").eq(self.holder.as_str()));
        self.db.execute(&update).await?;
        Ok(())
    }

    /// Removes an event that was handed over.
    pub(crate) async fn done(&self, event: &Event) -> Result<(), DbErr> {
        let mut delete = Query::delete();
        delete
            .from_table(EVENTS)
            .and_where(Expr::col("id").eq(event.id));
        self.db.execute(&delete).await?;
        Ok(())
    }

    /// Hands an event over again after a pause.
    pub(crate) async fn again(&self, event: &Event, pause: Duration) -> Result<(), DbErr> {
        let mut update = Query::update();
        update
            .table(EVENTS)
            .value("attempts", Expr::col("attempts").add(1))
            .value("due_at", self.now().add(milliseconds(pause)))
            .and_where(Expr::col("id").eq(event.id));
        self.db.execute(&update).await?;
        Ok(())
    }

    /// The database's clock, in milliseconds: copies of a service need not agree on theirs.
    fn now(&self) -> Expr {
        Expr::cust(match self.dialect {
            Dialect::Postgres => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint)",
            Dialect::Mysql => "CAST(UNIX_TIMESTAMP(SYSDATE(3)) * 1000 AS SIGNED)",
            Dialect::Sqlite => "CAST((julianday('now') - 2440587.5) * 86400000 AS integer)",
        })
    }
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
