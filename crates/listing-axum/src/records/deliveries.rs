//! The table of webhook deliveries and its statements (d130).

use std::time::Duration;

use listing::Dialect;
use sea_orm::sea_query::{
    CaseStatement, ColumnDef, Expr, ExprTrait, Index, Order, Query, Table, UpdateStatement,
};
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, QueryResult};
use tokio::sync::Notify;

use super::bind::dialect_of;
use super::clock::{milliseconds, now};
use super::lease::{self, Duty};
use super::outbox::{self, Event};
use crate::http::ApiError;

const DELIVERIES: &str = "listing_deliveries";

/// The longest name of a target, in characters.
pub(crate) const LONGEST_TARGET: usize = 64;

/// How many characters of an attempt's outcome are kept.
const LONGEST_OUTCOME: usize = 200;

/// Wakes the deliverers in this process when there is something to deliver.
static PASSED_ON: Notify = Notify::const_new();

pub(crate) fn passed_on() -> &'static Notify {
    &PASSED_ON
}

/// Creates the table of deliveries, `listing_deliveries`, if it does not exist. Call it in a migration, after the one that
/// creates the tables of [events](crate::events::create_tables).
///
/// # Errors
/// When the database refuses.
pub async fn create_table(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    let number = |name: &'static str| {
        let mut column = ColumnDef::new(name);
        column.big_integer().not_null().default(0).take()
    };
    let text = |name: &'static str, length: u32| {
        let mut column = ColumnDef::new(name);
        column.string_len(length).not_null().take()
    };
    let mut deliveries = outbox::table(DELIVERIES, db.get_database_backend());
    deliveries
        .col(text("target", 64))
        .col(number("event"))
        .col(text("resource", 100))
        .col(text("record", 600))
        .col(text("message", 40))
        .col(ColumnDef::new("attempts").integer().not_null().default(0))
        .col(number("due_at"))
        .col(number("failed_at"))
        .col(number("parked_at"))
        .col(text("outcome", 200).default(""));
    db.execute(&deliveries).await?;
    if lease::add(Duty::Deliveries, db).await? {
        let columns: [(&str, &[&str]); 2] = [
            ("listing_deliveries_due", &["target", "parked_at", "due_at"]),
            ("listing_deliveries_record", &["target", "record"]),
        ];
        for (name, columns) in columns {
            let mut index = Index::create();
            index.name(name).table(DELIVERIES);
            for column in columns {
                index.col(*column);
            }
            db.execute(&index).await?;
        }
    }
    Ok(())
}

/// Drops the table of deliveries, with all pending and parked deliveries.
///
/// # Errors
/// When the database refuses.
pub async fn drop_table(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    db.execute(Table::drop().table(DELIVERIES).if_exists())
        .await?;
    lease::remove(Duty::Deliveries, db).await
}

/// Delivers a target's parked deliveries again, starting with the first attempt. Returns how many there are.
///
/// ```
/// # async fn example(db: sea_orm::DatabaseConnection) -> Result<(), sea_orm::DbErr> {
/// let count = listing_axum::webhooks::redeliver(&db, "crm").await?;
/// println!("{count} are delivered again");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When the database refuses.
pub async fn redeliver(db: &impl ConnectionTrait, target: &str) -> Result<u64, DbErr> {
    again_from_the_start(db, Expr::col("target").eq(target)).await
}

/// Delivers one parked delivery again, by its `id` in `listing_deliveries`. Returns whether it exists and was parked.
///
/// # Errors
/// When the database refuses.
pub async fn redeliver_one(db: &impl ConnectionTrait, id: i64) -> Result<bool, DbErr> {
    let found = again_from_the_start(db, Expr::col("id").eq(id)).await?;
    Ok(found == 1)
}

async fn again_from_the_start(db: &impl ConnectionTrait, which: Expr) -> Result<u64, DbErr> {
    let mut update = Query::update();
    update
        .table(DELIVERIES)
        .value("attempts", 0)
        .value("due_at", 0_i64)
        .value("failed_at", 0_i64)
        .value("parked_at", 0_i64)
        .and_where(which)
        .and_where(Expr::col("parked_at").gt(0_i64));
    let updated = db.execute(&update).await?;
    PASSED_ON.notify_waiters();
    Ok(updated.rows_affected())
}

/// A delivery to one target that is not written yet.
#[derive(Debug)]
pub(crate) struct NewDelivery {
    pub(crate) target: String,
    /// The same for every attempt, and different for every delivery.
    pub(crate) message: String,
    pub(crate) body: String,
}

/// Inserts the deliveries of an event, in the transaction that removes the event from the outbox.
pub(super) async fn insert(
    event: &Event,
    deliveries: &[NewDelivery],
    db: &DatabaseTransaction,
    dialect: Dialect,
) -> Result<(), DbErr> {
    let mut insert = Query::insert();
    insert.into_table(DELIVERIES).columns([
        "target", "event", "resource", "record", "message", "body", "due_at",
    ]);
    for delivery in deliveries {
        insert.values_panic([
            delivery.target.as_str().into(),
            event.id.into(),
            event.resource.as_str().into(),
            event.record_text().into(),
            delivery.message.as_str().into(),
            delivery.body.as_str().into(),
            now(dialect),
        ]);
    }
    db.execute(&insert).await?;
    Ok(())
}

/// A delivery that is due.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(crate) id: i64,
    pub(crate) event: i64,
    pub(crate) resource: String,
    pub(crate) record: String,
    pub(crate) message: String,
    pub(crate) body: String,
    /// How many attempts have failed.
    pub(crate) attempts: u32,
    /// How long ago the first of them failed.
    pub(crate) failing_for: Duration,
}

impl Delivery {
    fn of_row(row: &QueryResult) -> Result<Self, DbErr> {
        let attempts: i32 = row.try_get_by_index(6)?;
        let failed_at: i64 = row.try_get_by_index(7)?;
        let now: i64 = row.try_get_by_index(8)?;
        let failing_for = match failed_at {
            0 => 0,
            failed_at => u64::try_from(now - failed_at).unwrap_or(0),
        };
        Ok(Self {
            id: row.try_get_by_index(0)?,
            event: row.try_get_by_index(1)?,
            resource: row.try_get_by_index(2)?,
            record: row.try_get_by_index(3)?,
            message: row.try_get_by_index(4)?,
            body: row.try_get_by_index(5)?,
            attempts: attempts.unsigned_abs(),
            failing_for: Duration::from_millis(failing_for),
        })
    }
}

/// The statements of a deliverer.
#[derive(Debug, Clone)]
pub(crate) struct Deliveries {
    db: DatabaseConnection,
    dialect: Dialect,
}

impl Deliveries {
    pub(crate) fn of(db: DatabaseConnection) -> Result<Self, ApiError> {
        Ok(Self {
            dialect: dialect_of(&db)?,
            db,
        })
    }

    /// The deliveries that are due for a target, without those that are being sent: for each record, only its first pending one.
    pub(crate) async fn due(
        &self,
        target: &str,
        at_most: u64,
        under_way: &[i64],
    ) -> Result<Vec<Delivery>, DbErr> {
        let own = |column: &'static str| Expr::col((DELIVERIES, column));
        let earlier = |column: &'static str| Expr::col(("earlier", column));
        let waits = Query::select()
            .expr(Expr::cust("1"))
            .from_as(DELIVERIES, "earlier")
            .and_where(earlier("target").eq(own("target")))
            .and_where(earlier("record").eq(own("record")))
            .and_where(earlier("resource").eq(own("resource")))
            .and_where(earlier("id").lt(own("id")))
            .and_where(earlier("parked_at").eq(0_i64))
            .take();
        let mut due = Query::select();
        due.columns([
            "id",
            "event",
            "resource",
            "record",
            "message",
            "body",
            "attempts",
            "failed_at",
        ])
        .expr(now(self.dialect))
        .from(DELIVERIES)
        .and_where(own("target").eq(target))
        .and_where(own("parked_at").eq(0_i64))
        .and_where(own("due_at").lte(now(self.dialect)))
        .and_where(Expr::exists(waits).not());
        if !under_way.is_empty() {
            due.and_where(own("id").is_not_in(under_way.iter().copied()));
        }
        due.order_by("due_at", Order::Asc)
            .order_by("id", Order::Asc)
            .limit(at_most);
        let rows = self.db.query_all(&due).await?;
        rows.iter().map(Delivery::of_row).collect()
    }

    /// Removes a completed delivery.
    pub(crate) async fn done(&self, delivery: &Delivery) -> Result<(), DbErr> {
        let mut delete = Query::delete();
        delete
            .from_table(DELIVERIES)
            .and_where(Expr::col("id").eq(delivery.id));
        self.db.execute(&delete).await?;
        Ok(())
    }

    /// Schedules another attempt after a pause. Later deliveries of the same record get the same time, so that they are not
    /// looked at before.
    pub(crate) async fn again(
        &self,
        target: &str,
        delivery: &Delivery,
        pause: Duration,
        outcome: &str,
    ) -> Result<(), DbErr> {
        let due_at = now(self.dialect).add(milliseconds(pause));
        let mut record = Query::update();
        record
            .table(DELIVERIES)
            .value("due_at", due_at)
            .and_where(Expr::col("target").eq(target))
            .and_where(Expr::col("record").eq(delivery.record.as_str()))
            .and_where(Expr::col("resource").eq(delivery.resource.as_str()))
            .and_where(Expr::col("id").gte(delivery.id))
            .and_where(Expr::col("parked_at").eq(0_i64));
        self.db.execute(&record).await?;
        self.db.execute(&self.failed(delivery, outcome)).await?;
        Ok(())
    }

    /// Parks it: it is not sent again until someone asks for it.
    pub(crate) async fn park(&self, delivery: &Delivery, outcome: &str) -> Result<(), DbErr> {
        let mut update = self.failed(delivery, outcome);
        update.value("parked_at", now(self.dialect));
        self.db.execute(&update).await?;
        Ok(())
    }

    fn failed(&self, delivery: &Delivery, outcome: &str) -> UpdateStatement {
        let first = CaseStatement::new()
            .case(Expr::col("failed_at").eq(0_i64), now(self.dialect))
            .finally(Expr::col("failed_at"));
        let outcome: String = outcome.chars().take(LONGEST_OUTCOME).collect();
        let mut update = Query::update();
        update
            .table(DELIVERIES)
            .value("attempts", Expr::col("attempts").add(1))
            .value("failed_at", first)
            .value("outcome", outcome)
            .and_where(Expr::col("id").eq(delivery.id));
        update
    }
}
