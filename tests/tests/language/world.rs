//! A database of projects, their owners, labels and tasks, in which application code names columns without their tables.

pub mod continent;
pub mod label;
pub mod land;
pub mod owner;
pub mod project;
pub mod project_label;
pub mod task;
pub mod town;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::response::IntoResponse;
use chrono::{DateTime, TimeDelta};
use listing::{
    Context, HasListing, ListingRequest, Listings, NamedRelations, Scope, SelectListing, Settings,
};
use listing_axum::{ApiError, success};
use listing_tests::{Engine, Reply, fresh_database, run};
use rust_decimal::Decimal;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ActiveModelTrait, ConnectionTrait, DatabaseConnection, IntoActiveModel, Schema};
use serde_json::Value;

/// The caller.
#[derive(Debug, Clone, Copy)]
pub struct Tenant(pub i64);

/// The scope of every entity here, in the words of the documentation: a column without its table.
pub fn of_tenant(context: &Context) -> Scope {
    match context.get::<Tenant>() {
        Some(Tenant(tenant)) => Scope::rows(Expr::col("tenant").eq(*tenant)),
        None => Scope::everything(),
    }
}

/// Project, name, owner, tenant, budget.
pub type ProjectRow = (i64, &'static str, Option<i64>, i64, Option<&'static str>);

pub const PROJECTS: &[ProjectRow] = &[
    (1, "Atlas", Some(1), 1, Some("0.1")),
    (2, "atlas two", Some(2), 1, Some("1234567890.1234567")),
    (3, "Borealis", Some(1), 1, None),
    (4, "100% wool_\\", None, 1, Some("3")),
    (5, "Ceres", Some(3), 1, Some("0.3")),
    (6, "Atlas", Some(1), 2, Some("7.5")),
    (7, "Ätna", Some(4), 1, None),
];

/// What a project has in its two JSON columns, by its number; nothing where it is null. Values of the wrong kind, JSON nulls and
/// paths that lead nowhere are among them.
pub const DATA: &[(i64, Option<&str>, Option<&str>)] = &[
    (
        1,
        Some(
            r#"{"city": "Atlas", "size": {"beds": 2, "area": 10.5}, "open": true, "notes": ["a", "wool", 1]}"#,
        ),
        Some(r#"["a", "Atlas"]"#),
    ),
    (
        2,
        Some(r#"{"city": "atlas two", "size": {"beds": "2"}, "open": "true", "notes": []}"#),
        Some("[]"),
    ),
    (
        3,
        Some(r#"{"city": null, "size": null, "open": false, "notes": "a"}"#),
        None,
    ),
    (
        4,
        None,
        Some(r#"["100% wool_\\", "a", 1, null, ["Atlas"], {"las": "e"}]"#),
    ),
    (
        5,
        Some(r#"{"city": 7, "size": {"beds": 0}, "open": null, "notes": {"a": "a"}}"#),
        Some(r#""a""#),
    ),
    (6, Some(r#"{"city": "Atlas"}"#), Some(r#"["a"]"#)),
    (7, Some("null"), Some(r#"["\u00c4", "A", "a"]"#)),
];

/// Owner, name, tenant, whether it is deleted. Every name is also that of a column's neighbour.
pub const OWNERS: &[(i64, &str, i64, bool)] = &[
    (1, "Ada", 1, false),
    (2, "Bo", 1, false),
    (3, "Cy", 1, true),
    (4, "Di", 2, false),
];

/// Label, name, tenant.
pub const LABELS: &[(i64, &str, i64)] = &[(1, "urgent", 1), (2, "new", 1), (3, "foreign", 2)];

/// Link, project, label, tenant, kind, whether it is removed.
pub const LINKS: &[(i64, i64, i64, i64, &str, bool)] = &[
    (1, 1, 1, 1, "main", false),
    (2, 1, 2, 1, "main", true),
    (3, 2, 2, 1, "main", false),
    (4, 2, 1, 2, "main", false),
    (5, 3, 1, 1, "side", false),
    (6, 3, 3, 1, "main", false),
    (7, 5, 1, 1, "main", false),
    (8, 5, 2, 1, "main", false),
];

/// Task, project, the task that it is part of, title, whether it is done, whether it is hidden.
pub type TaskRow = (
    i64,
    i64,
    Option<i64>,
    Option<&'static str>,
    Option<bool>,
    bool,
);

pub const TASKS: &[TaskRow] = &[
    (1, 1, None, Some("plan"), Some(true), false),
    (2, 1, Some(1), Some("write"), Some(false), false),
    (3, 1, Some(1), None, None, false),
    (4, 2, None, Some("plan"), Some(true), false),
    (5, 2, Some(4), Some("secret"), Some(false), true),
    (6, 3, None, Some("secret"), Some(true), true),
    (7, 4, None, Some("write"), None, false),
    (8, 5, None, Some("write"), Some(true), false),
    (9, 5, Some(8), Some("plan"), Some(true), false),
];

/// The case of a land's code is not that of its towns' columns.
pub const LANDS: &[(&str, &str)] = &[("DE", "Germany"), ("fr", "France"), ("It", "Italy")];

/// Town, the code of its land, name.
pub const TOWNS: &[(i64, Option<&str>, &str)] = &[
    (1, Some("de"), "Bonn"),
    (2, Some("DE"), "Kiel"),
    (3, Some("FR"), "Lyon"),
    (4, Some("xx"), "Nowhere"),
    (5, None, "Drifting"),
    (6, Some("dE"), "Trier"),
];

/// A database with these tables, and their listings.
#[derive(Debug)]
pub struct World {
    pub engine: Engine,
    pub db: DatabaseConnection,
    pub listings: Listings,
}

/// Tries something on each database. The rows are shared: they must not be written to.
pub fn on_each_world(test: impl AsyncFn(&World)) {
    static SHARED: LazyLock<Mutex<HashMap<Engine, Arc<World>>>> = LazyLock::new(Mutex::default);
    for engine in Engine::ALL {
        let world = {
            let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
            let fresh = || Arc::new(run(World::fresh(engine, Secrets::Known)));
            shared.entry(engine).or_insert_with(fresh).clone()
        };
        // A failing test shows what it printed.
        eprintln!("on {engine}");
        run(test(&world));
    }
}

/// What stands in the rows that the first tenant cannot see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrets {
    /// What the tables above say.
    Known,
    /// Something else, and more rows of it.
    Changed,
}

impl World {
    pub async fn fresh(engine: Engine, secrets: Secrets) -> Self {
        let db = fresh_database(engine).await;
        projects(&db, secrets).await;
        if engine == Engine::Mysql {
            // Text of MariaDB takes `A` for `a` unless it is told otherwise.
            for table in ["projects", "owners", "labels", "tasks"] {
                let alter = format!(
                    "ALTER TABLE {table} CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
                );
                db.execute_unprepared(&alter).await.unwrap();
            }
        }
        lands(&db, engine).await;
        Self {
            engine,
            db,
            listings: listings(|_| {}),
        }
    }

    /// A list, for the first tenant.
    pub async fn list<E: HasListing>(&self, query: &str) -> Reply {
        let request = ListingRequest::from_query(&self.listings, query);
        self.answer::<E>(request).await
    }

    /// The same with a JSON body.
    pub async fn post<E: HasListing>(&self, body: &Value) -> Reply {
        let request = ListingRequest::from_json(&self.listings, body.to_string().as_bytes());
        self.answer::<E>(request).await
    }

    async fn answer<E: HasListing>(
        &self,
        request: Result<ListingRequest, listing::request::RequestError>,
    ) -> Reply {
        let response = match request {
            Err(error) => ApiError::from(error).into_response(),
            Ok(request) => {
                let request = request.with_context(Context::new().with(Tenant(1)));
                let page = E::find().listing(&request).listing_paginate(&self.db).await;
                match page {
                    Err(error) => ApiError::from(error).into_response(),
                    Ok(page) => success("Retrieved.", page, true),
                }
            }
        };
        Reply::of(response).await
    }
}

/// The listings of the world, whose bounds random trees do not reach.
pub fn listings(change: impl FnOnce(&mut Settings)) -> Listings {
    let mut settings = Settings::default();
    settings.bounds.group_depth = 12;
    settings.bounds.depth = 60;
    settings.bounds.conditions = 1_000;
    settings.bounds.populate_relations = 100;
    settings.bounds.populate_items = u64::MAX;
    change(&mut settings);
    Listings::builder(settings)
        .add::<project::Entity>()
        .add::<owner::Entity>()
        .add::<label::Entity>()
        .add::<project_label::Entity>()
        .add::<task::Entity>()
        .add::<continent::Entity>()
        .add::<land::Entity>()
        .add::<town::Entity>()
        .build()
        .unwrap()
}

/// The ids of a reply's items, in order.
pub fn ids(reply: &Reply) -> Vec<i64> {
    let items = reply.items();
    let ids = items.iter().map(|item| item["id"].as_i64().unwrap());
    ids.collect()
}

/// What a project has in its two JSON columns.
pub fn json_of(project: i64) -> (Option<Value>, Option<Value>) {
    let (_, data, tags) = DATA.iter().find(|(id, ..)| *id == project).unwrap();
    let read = |text: &Option<&str>| text.map(|text| serde_json::from_str(text).unwrap());
    (read(data), read(tags))
}

/// Makes an entity's table, with these rows in it.
async fn table<E: NamedRelations>(db: &DatabaseConnection, rows: impl IntoIterator<Item = E::Model>)
where
    E::Model: IntoActiveModel<E::ActiveModel>,
{
    let schema = Schema::new(db.get_database_backend());
    db.execute(&schema.create_table_from_entity(E::default()))
        .await
        .unwrap();
    insert::<E>(db, rows).await;
}

pub async fn insert<E: NamedRelations>(
    db: &DatabaseConnection,
    rows: impl IntoIterator<Item = E::Model>,
) where
    E::Model: IntoActiveModel<E::ActiveModel>,
{
    let rows = rows
        .into_iter()
        .map(|row| row.into_active_model().reset_all());
    E::insert_many(rows)
        .exec_without_returning(db)
        .await
        .unwrap();
}

async fn projects(db: &DatabaseConnection, secrets: Secrets) {
    let changed = secrets == Secrets::Changed;
    let gone = |deleted: bool| deleted.then_some(DateTime::UNIX_EPOCH + TimeDelta::days(20_000));
    // Names that visible rows have too, so that a filter would find them.
    let secret = |name: &'static str, hidden: bool| match changed && hidden {
        true => "Ada",
        false => name,
    };
    let owners = OWNERS
        .iter()
        .map(|&(id, name, tenant, deleted)| owner::Model {
            id,
            name: secret(name, deleted || tenant != 1).to_owned(),
            tenant,
            deleted_at: gone(deleted),
        });
    table::<owner::Entity>(db, owners).await;
    let projects = PROJECTS.iter();
    let projects = projects.map(|&(id, name, owner_id, tenant, budget)| project::Model {
        id,
        name: secret(name, tenant != 1).to_owned(),
        owner_id: owner_id.map(|owner| {
            if changed && tenant != 1 {
                owner + 1
            } else {
                owner
            }
        }),
        tenant,
        budget: budget.map(|budget| Decimal::from_str_exact(budget).unwrap()),
        data: match changed && tenant != 1 {
            true => {
                Some(serde_json::json!({ "city": "Ada", "size": { "beds": 2 }, "notes": ["wool"] }))
            }
            false => json_of(id).0,
        },
        tags: match changed && tenant != 1 {
            true => Some(serde_json::json!(["Ada", "wool"])),
            false => json_of(id).1,
        },
    });
    table::<project::Entity>(db, projects).await;
    let labels = LABELS.iter().map(|&(id, name, tenant)| label::Model {
        id,
        name: secret(name, tenant != 1).to_owned(),
        tenant,
    });
    table::<label::Entity>(db, labels).await;
    let links = LINKS.iter();
    let links =
        links.map(
            |&(id, project_id, label_id, tenant, kind, removed)| project_label::Model {
                id,
                project_id,
                label_id,
                tenant,
                kind: kind.to_owned(),
                removed_at: gone(removed),
            },
        );
    let links = links.map(|link| {
        let hidden = link.tenant != 1 || link.kind != "main" || link.removed_at.is_some();
        match changed && hidden {
            // To other rows, both of which can be seen.
            true => project_label::Model {
                project_id: link.project_id % 5 + 1,
                label_id: link.label_id % 2 + 1,
                ..link
            },
            false => link,
        }
    });
    let more = project_label::Model {
        id: 100,
        project_id: 7,
        label_id: 1,
        tenant: 1,
        kind: "main".to_owned(),
        removed_at: gone(true),
    };
    let links = links.chain(changed.then_some(more));
    table::<project_label::Entity>(db, links).await;
    let tasks = TASKS.iter();
    let tasks = tasks.map(
        |&(id, project_id, parent_id, title, done, hidden)| task::Model {
            id,
            project_id,
            parent_id,
            title: title.map(str::to_owned),
            done,
            hidden,
        },
    );
    table::<task::Entity>(db, tasks).await;
}

/// Codes that are equal whatever their case, where the database has such columns.
async fn lands(db: &DatabaseConnection, engine: Engine) {
    let code = match engine {
        Engine::Sqlite => "TEXT COLLATE NOCASE",
        Engine::Mysql => "VARCHAR(8) COLLATE utf8mb4_general_ci",
        Engine::Postgres => "VARCHAR(8)",
    };
    for create in [
        "CREATE TABLE continents (id BIGINT PRIMARY KEY)".to_owned(),
        format!(
            "CREATE TABLE lands (code {code} PRIMARY KEY, name VARCHAR(20) NOT NULL, continent_id BIGINT)"
        ),
        format!(
            "CREATE TABLE towns (id BIGINT PRIMARY KEY, land_code {code}, name VARCHAR(20) NOT NULL)"
        ),
    ] {
        db.execute_unprepared(&create).await.unwrap();
    }
    let lands = LANDS.iter().map(|&(code, name)| land::Model {
        code: code.to_owned(),
        name: name.to_owned(),
        continent_id: None,
    });
    insert::<land::Entity>(db, lands).await;
    let towns = TOWNS.iter().map(|&(id, code, name)| town::Model {
        id,
        land_code: code.map(str::to_owned),
        name: name.to_owned(),
    });
    insert::<town::Entity>(db, towns).await;
}
