//! Serves `GET /<resources>/{id}/_history`: the changes of one record, limited to what the caller may see today (d131).

use axum::extract::{Request, State};
use axum::http::header;
use axum::response::Response;
use listing::entity::EntityId;
use listing::reply::HistoryPage;
use listing::whitelist::Whitelist;
use listing::{Page, Trashed};
use sea_orm::sea_query::{Condition, Expr, ExprTrait, LikeExpr, Order, Query};
use sea_orm::{ConnectionTrait, DatabaseTransaction};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::access::{self, Settled};
use super::bind::{Asked, PathId};
use super::handlers::Parts;
use super::history::{
    Edge, Entry, MARK_OF_ALL, TABLE, Values, mark_of_relation, marks, record_key,
};
use super::id::text_of;
use super::resource::{Operation, WritableResource};
use super::write::{self, undone};
use crate::http::{ApiError, context_of, etag, success};

/// A history contains the values that the record has now, too.
const NEEDED: [Operation; 2] = [Operation::Show, Operation::History];

pub(super) async fn history<R: WritableResource, S: Parts>(
    State(state): State<S>,
    id: PathId,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of(&request);
    let (listings, db) = (state.listings(), state.db());
    let mut depends = false;
    for operation in NEEDED {
        let settled = access::before_record::<R>(operation, &context, &db).await?;
        depends |= settled == Settled::DependsOnRecord;
    }
    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    let page = listings.history_page::<R::Entity>(request.uri().query().unwrap_or_default())?;
    // The record and its changes are read at the same moment.
    let snapshot = write::snapshot(&db).await?;
    let read = read::<R>(depends, &asked, page, snapshot.connection()).await;
    snapshot.close().await;
    let mut response = success(R::message(Operation::History).as_deref(), read?, true);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, etag::cache_control());
    Ok(response)
}

async fn read<R: WritableResource>(
    depends_on_record: bool,
    asked: &Asked<'_>,
    page: Page,
    db: &DatabaseTransaction,
) -> Result<HistoryPage, ApiError> {
    if depends_on_record {
        let record = asked.find::<R::Entity>(db, Trashed::Without).await?;
        for operation in NEEDED {
            access::with_record::<R>(operation, asked.context, &record, db).await?;
        }
    }
    let listings = asked.listings;
    let (key, context) = (asked.key::<R::Entity>()?, asked.context);
    let record = listings.record::<R::Entity>(&key, context, Trashed::Without, db);
    let record = record.await?.ok_or(ApiError::NotFound)?;
    let whitelist = listings.by_id(EntityId::of::<R::Entity>());
    let whitelist = whitelist.ok_or(ApiError::NotFound)?;
    let is_shown = shown_today(&record_key::<R>(&id_in(&record)?), whitelist);
    let count = Query::select()
        .expr(Expr::cust("COUNT(*)"))
        .from(TABLE)
        .cond_where(is_shown.clone())
        .take();
    let row = db.query_one(&count).await.map_err(undone)?;
    let total: i64 = match row {
        Some(row) => row.try_get_by_index(0).map_err(undone)?,
        None => 0,
    };
    let total = total.unsigned_abs();
    let rows = Query::select()
        .column("body")
        .from(TABLE)
        .cond_where(is_shown)
        .order_by("id", Order::Desc)
        .limit(page.limit())
        .offset(Ord::min(page.offset(), total))
        .take();
    let rows = db.query_all(&rows).await.map_err(undone)?;
    let mut changes = vec![b'['];
    for (number, row) in (1..=total.saturating_sub(page.offset())).rev().zip(&rows) {
        let body: String = row.try_get_by_index(0).map_err(undone)?;
        let entry: Entry = serde_json::from_str(&body).map_err(ApiError::internal)?;
        if changes.len() > 1 {
            changes.push(b',');
        }
        let change = Shown::of(number, &entry, whitelist);
        serde_json::to_writer(&mut changes, &change).map_err(ApiError::internal)?;
    }
    changes.push(b']');
    Ok(HistoryPage::new(changes, total, page))
}

/// The record's `id` as text.
fn id_in(record: &[u8]) -> Result<String, ApiError> {
    let record: serde_json::Value = serde_json::from_slice(record).map_err(ApiError::internal)?;
    Ok(text_of(&record["id"]))
}

/// The changes of the record that has this key now, and not of an earlier one, that concern something the listing shows today.
fn shown_today(record: &str, whitelist: &Whitelist) -> Condition {
    let is_it = || Expr::col("record").eq(record);
    let edge = Query::select()
        .expr(Expr::col("id").max())
        .from(TABLE)
        .and_where(is_it())
        .and_where(Expr::col("edge").ne(i32::from(Edge::Within)))
        .take();
    let columns = whitelist.shown_columns().map(|(name, _)| name.to_owned());
    let relations = whitelist.shown_relations();
    let relations = relations.map(|(name, _)| mark_of_relation(name));
    let known = columns
        .chain(relations)
        .chain([MARK_OF_ALL.to_owned()])
        .map(|mark| Expr::col("names").like(has(&mark)));
    Condition::all()
        .add(is_it())
        .add(Expr::col("edge").ne(i32::from(Edge::Last)))
        .add(Expr::col("id").gte(Expr::expr(edge).if_null(0_i64)))
        .add(known.fold(Condition::any(), Condition::add))
}

/// The pattern that matches texts with this mark.
fn has(mark: &str) -> LikeExpr {
    let escaped = mark
        .replace('!', "!!")
        .replace('%', "!%")
        .replace('_', "!_");
    LikeExpr::new(format!("%{}%", marks(&[escaped]))).escape('!')
}

/// A change as clients see it.
#[derive(Serialize)]
struct Shown<'e> {
    /// Counts the visible changes, starting with 1.
    number: u64,
    operation: &'e str,
    at: &'e str,
    caller: Option<&'e str>,
    old: Option<Fields<'e>>,
    new: Option<Fields<'e>>,
    linked: Vec<&'e str>,
}

impl<'e> Shown<'e> {
    fn of(number: u64, entry: &'e Entry, whitelist: &'e Whitelist) -> Self {
        let fields = |values: &'e Option<Values>| {
            let values = values.as_ref()?;
            let columns = whitelist.shown_columns();
            let fields = columns.filter_map(|(column, name)| Some((name, &**values.get(column)?)));
            Some(Fields(fields.collect()))
        };
        let relations = whitelist.shown_relations();
        let linked = relations.filter(|(relation, _)| entry.linked.iter().any(|is| is == relation));
        Self {
            number,
            operation: &entry.operation,
            at: &entry.at,
            caller: entry.caller.as_deref(),
            old: fields(&entry.old),
            new: fields(&entry.new),
            linked: linked.map(|(_, name)| name).collect(),
        }
    }
}

/// Fields in the order of definition.
struct Fields<'e>(Vec<(&'e str, &'e RawValue)>);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}
