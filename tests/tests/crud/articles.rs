//! Creates articles for a test and reads what the database holds of them.

use blog::entity::article;
use listing_tests::{Reply, Service};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use serde_json::{Value, json};

pub(crate) const PATH: &str = "/api/articles";

/// A payload with nothing wrong in it.
pub(crate) fn payload(slug: &str) -> Value {
    json!({ "title": format!("About {slug}"), "slug": slug, "body": "Text.", "is_active": true })
}

/// The same with one member more, or another one.
pub(crate) fn payload_with(slug: &str, name: &str, value: impl Into<Value>) -> Value {
    let mut payload = payload(slug);
    payload[name] = value.into();
    payload
}

/// The same without one member.
pub(crate) fn payload_without(slug: &str, name: &str) -> Value {
    let mut payload = payload(slug);
    payload.as_object_mut().unwrap().shift_remove(name).unwrap();
    payload
}

pub(crate) fn at(id: i64) -> String {
    format!("{PATH}/{id}")
}

/// A new article.
pub(crate) async fn create(service: &Service, slug: &str) -> i64 {
    service.post(PATH, &payload(slug)).await.created()
}

/// Takes an article out of the bin.
pub(crate) async fn restore(service: &Service, id: i64) -> Reply {
    let path = format!("{}/restore", at(id));
    service.client().bare("POST", &path).await
}

/// The row, deleted or not.
pub(crate) async fn row(service: &Service, id: i64) -> Option<article::Model> {
    article::Entity::find_by_id(id)
        .one(&service.db)
        .await
        .unwrap()
}

/// The rows of a slug.
pub(crate) async fn rows_of(service: &Service, slug: &str) -> Vec<article::Model> {
    article::Entity::find()
        .filter(article::Column::Slug.eq(slug))
        .all(&service.db)
        .await
        .unwrap()
}

/// Every row, so that two states of the table can be compared.
pub(crate) async fn all(service: &Service) -> Vec<article::Model> {
    article::Entity::find()
        .order_by_asc(article::Column::Id)
        .all(&service.db)
        .await
        .unwrap()
}

/// A moment as every response writes it.
pub(crate) fn moment(moment: chrono::DateTime<chrono::Utc>) -> String {
    moment.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string()
}
