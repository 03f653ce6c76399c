//! Decides which copy of a service does what only one of them may do at a time (d129, d130).

use std::time::Duration;

use listing::Dialect;
use sea_orm::sea_query::{ColumnDef, Expr, ExprTrait, Query, Table};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr};

use super::bind::dialect_of;
use super::clock::{milliseconds, now};
use crate::http::ApiError;

const LEASES: &str = "listing_event_lease";

/// A task that only one copy does at a time, with the number of its row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Duty {
    /// Handing events over.
    Events = 1,
    /// Delivering to webhooks.
    #[cfg(feature = "webhooks")]
    Deliveries = 2,
}

/// A copy's claim to a duty.
#[derive(Debug)]
pub(crate) struct Lease {
    db: DatabaseConnection,
    dialect: Dialect,
    duty: Duty,
    /// Identifies this copy.
    holder: String,
}

impl Lease {
    pub(crate) fn of(db: DatabaseConnection, duty: Duty) -> Result<Self, ApiError> {
        Ok(Self {
            dialect: dialect_of(&db)?,
            db,
            duty,
            holder: uuid::Uuid::new_v4().to_string(),
        })
    }

    /// Takes the duty for this long, unless another copy has it.
    pub(crate) async fn hold(&self, time: Duration) -> Result<bool, DbErr> {
        let is_over = Expr::col("held_until").lt(now(self.dialect));
        self.claim(time, self.is_mine().or(is_over)).await
    }

    /// Keeps the duty for this long, unless another copy has taken it in the meantime, even if that copy does not have it any more.
    pub(crate) async fn keep(&self, time: Duration) -> Result<bool, DbErr> {
        self.claim(time, self.is_mine()).await
    }

    async fn claim(&self, time: Duration, can_be_mine: Expr) -> Result<bool, DbErr> {
        let until = now(self.dialect).add(milliseconds(time));
        let mut update = Query::update();
        update
            .table(LEASES)
            .value("holder", self.holder.as_str())
            .value("held_until", until)
            .and_where(Expr::col("id").eq(self.duty as i32))
            .and_where(can_be_mine);
        let updated = self.db.execute(&update).await?;
        Ok(updated.rows_affected() == 1)
    }

    fn is_mine(&self) -> Expr {
        Expr::col("holder").eq(self.holder.as_str())
    }

    /// Lets another copy take over at once.
    pub(crate) async fn release(&self) -> Result<(), DbErr> {
        let mut update = Query::update();
        update
            .table(LEASES)
            .value("held_until", 0_i64)
            .and_where(self.is_mine());
        self.db.execute(&update).await?;
        Ok(())
    }
}

/// Creates the table if it does not exist.
pub(super) async fn create_table(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    let mut leases = Table::create();
    leases
        .table(LEASES)
        .if_not_exists()
        .col(ColumnDef::new("id").integer().not_null().primary_key())
        .col(ColumnDef::new("holder").string_len(36).not_null())
        .col(ColumnDef::new("held_until").big_integer().not_null());
    db.execute(&leases).await?;
    Ok(())
}

pub(super) async fn drop_table(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    db.execute(Table::drop().table(LEASES).if_exists()).await?;
    Ok(())
}

/// Adds the row of a duty. Returns whether it was missing.
pub(super) async fn add(duty: Duty, db: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let known = Query::select()
        .column("id")
        .from(LEASES)
        .and_where(Expr::col("id").eq(duty as i32))
        .take();
    if db.query_one(&known).await?.is_some() {
        return Ok(false);
    }
    let mut insert = Query::insert();
    insert
        .into_table(LEASES)
        .columns(["id", "holder", "held_until"])
        .values_panic([(duty as i32).into(), "".into(), 0_i64.into()]);
    db.execute(&insert).await?;
    Ok(true)
}

/// Removes the row of a duty.
#[cfg(feature = "webhooks")]
pub(super) async fn remove(duty: Duty, db: &impl ConnectionTrait) -> Result<(), DbErr> {
    let mut delete = Query::delete();
    delete
        .from_table(LEASES)
        .and_where(Expr::col("id").eq(duty as i32));
    db.execute(&delete).await?;
    Ok(())
}
