//! The rows of two companies, with every link between them that a careless import can make.

use sea_orm::prelude::DateTimeUtc;
use sea_orm::sea_query::Index;
use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DatabaseConnection, DbBackend, EntityTrait, IntoActiveModel,
    Schema,
};

use super::{project, tag, task, task_tag};

/// Two companies.
pub(crate) const A: i64 = 1;
pub(crate) const B: i64 = 2;

/// An id that no row of any table has, and that occurs in no text.
pub(crate) const MISSING: i64 = 7_999;

/// Everything that is in the tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) projects: Vec<project::Model>,
    pub(crate) tasks: Vec<task::Model>,
    pub(crate) tags: Vec<tag::Model>,
    pub(crate) tagged: Vec<task_tag::Model>,
}

fn deleted() -> Option<DateTimeUtc> {
    Some(DateTimeUtc::from_timestamp(1_700_000_000, 0).unwrap())
}

fn project(tenant_id: i64, id: i64, name: &str) -> project::Model {
    let slug = format!("{}-{id}", if tenant_id == A { "a" } else { "b" });
    project::Model {
        id,
        tenant_id,
        name: name.to_owned(),
        slug,
        deleted_at: None,
    }
}

fn task(tenant_id: i64, id: i64, project_id: Option<i64>, title: &str) -> task::Model {
    task::Model {
        id,
        tenant_id,
        project_id,
        title: title.to_owned(),
        // The same in both companies.
        code: format!("c{}", id % 1_000),
        priority: i32::try_from(id % 4).unwrap(),
        deleted_at: None,
    }
}

/// A's ids are small, B's begin at 7,000. Project 4 and task 6 of A, and 7,004 and 7,006 of B, are soft-deleted.
pub(crate) fn rows() -> Rows {
    let mut projects = vec![
        project(A, 1, "Harbour"),
        project(A, 2, "Bridge"),
        project(A, 3, "Tower"),
        project(A, 4, "Ruin"),
        project(B, 7_001, "Alpha"),
        project(B, 7_002, "Harbour"),
        project(B, 7_003, "Zenith"),
        project(B, 7_004, "Wreck"),
    ];
    let mut tasks = vec![
        task(A, 1, Some(1), "Draw"),
        task(A, 2, Some(1), "Build"),
        task(A, 3, Some(2), "Draw"),
        task(A, 4, None, "Rest"),
        // A's own rows that point over to B.
        task(A, 5, Some(7_001), "Stray"),
        task(A, 6, Some(1), "Gone"),
        task(A, 7, Some(7_003), "Stray"),
        task(A, 8, Some(3), "Paint"),
        task(B, 7_001, Some(7_001), "Draw"),
        task(B, 7_002, Some(7_002), "Spy"),
        // B's rows that point over to A.
        task(B, 7_003, Some(1), "Spy"),
        task(B, 7_004, Some(2), "Draw"),
        task(B, 7_005, Some(3), "Spy"),
        task(B, 7_006, Some(7_001), "Gone"),
    ];
    projects[3].deleted_at = deleted();
    projects[7].deleted_at = deleted();
    tasks[5].deleted_at = deleted();
    tasks[13].deleted_at = deleted();
    let tag = |tenant_id, id, name: &str| tag::Model {
        id,
        tenant_id,
        name: name.to_owned(),
    };
    let tags = vec![
        tag(A, 1, "red"),
        tag(A, 2, "green"),
        tag(B, 7_001, "red"),
        tag(B, 7_002, "secret"),
    ];
    let tagged = [
        (1, 1),
        (1, 7_001),
        (2, 2),
        (3, 7_002),
        (6, 1),
        (7_001, 1),
        (7_002, 7_002),
        (7_003, 2),
    ];
    let tagged = tagged.map(|(task_id, tag_id)| task_tag::Model { task_id, tag_id });
    Rows {
        projects,
        tasks,
        tags,
        tagged: tagged.into(),
    }
}

pub(super) async fn create(db: &DatabaseConnection) {
    let schema = Schema::new(db.get_database_backend());
    for table in [
        schema.create_table_from_entity(project::Entity),
        schema.create_table_from_entity(task::Entity),
        schema.create_table_from_entity(tag::Entity),
        schema.create_table_from_entity(task_tag::Entity),
    ] {
        db.execute(&table).await.unwrap();
    }
    let code = Index::create()
        .name("tasks_code_within_tenant")
        .table(task::Entity)
        .col(task::Column::TenantId)
        .col(task::Column::Code)
        .unique()
        .take();
    db.execute(&code).await.unwrap();
}

pub(super) async fn insert(db: &DatabaseConnection, rows: &Rows) {
    for row in &rows.projects {
        let row = row.clone().into_active_model();
        project::Entity::insert(row.reset_all())
            .exec(db)
            .await
            .unwrap();
    }
    for row in &rows.tasks {
        let row = row.clone().into_active_model();
        task::Entity::insert(row.reset_all())
            .exec(db)
            .await
            .unwrap();
    }
    for row in &rows.tags {
        let row = row.clone().into_active_model();
        tag::Entity::insert(row.reset_all()).exec(db).await.unwrap();
    }
    for row in &rows.tagged {
        let row = row.clone().into_active_model();
        let insert = task_tag::Entity::insert(row.reset_all());
        insert.exec_without_returning(db).await.unwrap();
    }
    // The next id is over all of these, which PostgreSQL does not find out by itself.
    if db.get_database_backend() == DbBackend::Postgres {
        for table in ["projects", "tasks", "tags"] {
            let sql = format!("SELECT setval(pg_get_serial_sequence('{table}', 'id'), 7500)");
            db.execute_unprepared(&sql).await.unwrap();
        }
    }
}

impl Rows {
    /// What is in the tables now.
    pub(crate) async fn read(db: &DatabaseConnection) -> Self {
        let mut rows = Self {
            projects: project::Entity::find().all(db).await.unwrap(),
            tasks: task::Entity::find().all(db).await.unwrap(),
            tags: tag::Entity::find().all(db).await.unwrap(),
            tagged: task_tag::Entity::find().all(db).await.unwrap(),
        };
        rows.projects.sort_by_key(|row| row.id);
        rows.tasks.sort_by_key(|row| row.id);
        rows.tags.sort_by_key(|row| row.id);
        rows.tagged.sort_by_key(|row| (row.task_id, row.tag_id));
        rows
    }
}
