//! Scopes that are composed of others show what their parts say, and an unknown caller no more than that.

use listing::{
    Context, Fields, HasListing, Listing, ListingRequest, Listings, Scope, SelectListing, Settings,
    Sorts, Trashed, visible,
};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Condition;
use sea_orm::{QueryOrder, QuerySelect};

use crate::tenants::{A, Member, on_each_tenants, own_rows, rows, task};

/// The tasks of both companies, in a scope that the context brings along.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "tasks")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: i64,
    pub priority: i32,
}

impl ActiveModelBehavior for ActiveModel {}

pub struct ComposedListing;

impl HasListing for Entity {
    type Listing = ComposedListing;
}

#[derive(Debug, Clone, Copy)]
struct Composed(fn(&Context) -> Scope);

impl Listing for ComposedListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
    }

    fn scope(context: &Context) -> Scope {
        let composed = context.get::<Composed>();
        composed
            .map(|Composed(scope)| scope(context))
            .unwrap_or_default()
    }
}

/// The recipe of the guide.
fn own(context: &Context) -> Scope {
    own_rows(context, Column::TenantId)
}

fn urgent() -> Expr {
    Column::Priority.eq(3)
}

/// A scope, and which tasks are in it: those for which this holds, given the caller's company.
type Case = (
    &'static str,
    fn(&Context) -> Scope,
    fn(&task::Model, Option<i64>) -> bool,
);

fn is_own(task: &task::Model, caller: Option<i64>) -> bool {
    caller == Some(task.tenant_id)
}

fn is_urgent(task: &task::Model) -> bool {
    task.priority == 3
}

const CASES: &[Case] = &[
    ("own", own, is_own),
    (
        "own and urgent",
        |context| own(context).and(urgent()),
        |task, caller| is_own(task, caller) && is_urgent(task),
    ),
    (
        "urgent and own",
        |context| Scope::rows(urgent()).and(own(context)),
        |task, caller| is_own(task, caller) && is_urgent(task),
    ),
    (
        "own or urgent",
        |context| own(context).or(urgent()),
        |task, caller| is_own(task, caller) || is_urgent(task),
    ),
    (
        "own or urgent, and not of B",
        |context| own(context).or(urgent()).and(Column::TenantId.eq(A)),
        |task, caller| (is_own(task, caller) || is_urgent(task)) && task.tenant_id == A,
    ),
    (
        "not own: everything for an unknown caller",
        |context| own(context).not(),
        |task, caller| !is_own(task, caller),
    ),
    (
        "own in a group of any",
        |context| Scope::rows(Condition::any().add(own(context)).add(urgent())),
        |task, caller| is_own(task, caller) || is_urgent(task),
    ),
    (
        "own in a group of all",
        |context| Scope::rows(Condition::all().add(own(context)).add(urgent())),
        |task, caller| is_own(task, caller) && is_urgent(task),
    ),
    (
        "own as a condition, to which another is added",
        |context| Scope::rows(Condition::from(own(context)).add(urgent())),
        |task, caller| is_own(task, caller) && is_urgent(task),
    ),
    (
        "an empty any",
        |_| Scope::rows(Condition::any()),
        |_, _| false,
    ),
    (
        "an empty all",
        |_| Scope::rows(Condition::all()),
        |_, _| false,
    ),
    (
        "empty groups in groups",
        |_| Scope::rows(Condition::any().add(Condition::all().add(Condition::all()))),
        |_, _| false,
    ),
    (
        "an empty group next to a condition",
        |_| Scope::rows(Condition::any().add(Condition::all()).add(urgent())),
        |task, _| is_urgent(task),
    ),
    ("everything", |_| Scope::everything(), |_, _| true),
    ("the default", |_| Scope::default(), |_, _| false),
];

/// Rules b600, b601.
#[test]
fn composed_scopes_show_an_unknown_caller_no_more_than_they_say() {
    let listings = Listings::builder(Settings::default());
    let listings = listings.add::<Entity>().build().unwrap();
    let tasks = rows().tasks;
    on_each_tenants(async |tenants| {
        for (name, scope, holds) in CASES {
            for caller in [None, Some(A), Some(crate::tenants::B)] {
                let case = format!("{name}, for {caller:?}");
                let mut context = Context::new().with(Composed(*scope));
                if let Some(tenant) = caller {
                    context = context.with(Member { tenant });
                }
                let expected = tasks.iter().filter(|task| holds(task, caller));
                let mut expected: Vec<_> = expected.map(|task| task.id).collect();
                expected.sort_unstable();

                let query = "pagination[pageSize]=100";
                let request = ListingRequest::from_query(&listings, query).unwrap();
                let request = request.with_context(context.clone());
                let page = Entity::find().listing(&request);
                let page = page.listing_paginate(&tenants.db).await.unwrap();
                let items: Vec<serde_json::Value> = serde_json::from_slice(page.items()).unwrap();
                let ids: Vec<_> = items
                    .iter()
                    .map(|item| item["id"].as_i64().unwrap())
                    .collect();
                assert_eq!(ids, expected, "{case}");
                assert_eq!(page.total(), Some(expected.len() as u64), "{case}");

                let by_hand = Entity::find().filter(visible::<Entity>(&context));
                assert_eq!(
                    read(by_hand, &tenants.db).await,
                    expected,
                    "{case}, by hand"
                );
                let dialect = listing::Reader::dialect(&tenants.db).unwrap();
                let shown = listings.visible::<Entity>(&context, Trashed::Without, dialect);
                let records = Entity::find().filter(shown.unwrap());
                assert_eq!(
                    read(records, &tenants.db).await,
                    expected,
                    "{case}, records"
                );
            }
        }
    });
}

async fn read(select: Select<Entity>, db: &sea_orm::DatabaseConnection) -> Vec<i64> {
    let ids = select.order_by_asc(Column::Id).select_only();
    ids.column(Column::Id).into_tuple().all(db).await.unwrap()
}
