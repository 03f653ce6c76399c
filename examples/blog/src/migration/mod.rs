//! Creates or removes the blog's tables step by step.

mod column;
mod index;
mod m20260101_000001_create_blog;
mod m20260115_000002_search_articles;
mod m20260122_000003_index_filters;
mod m20260129_000004_sort_by_relations;
mod m20260205_000005_remember_requests;
mod m20260212_000006_create_events;
mod m20260219_000007_keep_history;
mod m20260226_000008_create_deliveries;

pub(crate) use index::{FILTER_INDEXES, INDEXES, TableIndex, trigrams};
pub(crate) use m20260115_000002_search_articles::articles as search_index;
use sea_orm_migration::prelude::*;

/// Every migration of the blog, oldest first.
#[derive(Debug)]
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20260101_000001_create_blog::Migration),
            Box::new(m20260115_000002_search_articles::Migration),
            Box::new(m20260122_000003_index_filters::Migration),
            Box::new(m20260129_000004_sort_by_relations::Migration),
            Box::new(m20260205_000005_remember_requests::Migration),
            Box::new(m20260212_000006_create_events::Migration),
            Box::new(m20260219_000007_keep_history::Migration),
            Box::new(m20260226_000008_create_deliveries::Migration),
        ]
    }
}
