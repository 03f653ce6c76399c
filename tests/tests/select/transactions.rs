//! A list in a transaction sees what the transaction has written, and nobody else does (contract 2.1).

use blog::entity::{article, author, comment};
use chrono::{DateTime, TimeDelta, Utc};
use listing::execute::Reader;
use listing::{ListingRequest, SelectListing};
use listing_tests::{Service, on_each_fresh_database};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, TransactionTrait};
use serde_json::{Value, json};

const QUERY: &str = "filters[views][$eq]=123456789&populate=author,comments&fields=title,comments_count&sort=author.name";

async fn list(service: &Service, reader: &impl Reader) -> (Value, u64) {
    let request = ListingRequest::from_query(&service.listings, QUERY).unwrap();
    let select = article::Entity::find();
    let page = select
        .listing(&request)
        .listing_paginate(reader)
        .await
        .unwrap();
    (
        serde_json::from_slice(page.items()).unwrap(),
        page.total().unwrap(),
    )
}

fn now() -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_000)
}

/// Rules c2_1_p3, b42.
#[test]
fn a_list_in_a_transaction_sees_its_own_uncommitted_writes() {
    on_each_fresh_database(async |service| {
        let transaction = service.db.begin().await.unwrap();
        let author = author::ActiveModel {
            name: Set("Newly Come".to_owned()),
            email: Set("new@authors.example".to_owned()),
            country: Set("NO".to_owned()),
            created_at: Set(now()),
            ..Default::default()
        };
        let author = author::Entity::insert(author)
            .exec(&transaction)
            .await
            .unwrap();
        let article = article::ActiveModel {
            author_id: Set(Some(author.last_insert_id)),
            title: Set("Not yet committed".to_owned()),
            slug: Set("not-yet-committed".to_owned()),
            body: Set(None),
            is_active: Set(true),
            views: Set(123_456_789),
            rating: Set(None),
            created_at: Set(now()),
            updated_at: Set(now()),
            deleted_at: Set(None),
            ..Default::default()
        };
        let article = article::Entity::insert(article)
            .exec(&transaction)
            .await
            .unwrap();
        let comment = comment::ActiveModel {
            article_id: Set(article.last_insert_id),
            author_name: Set("Reader".to_owned()),
            body: Set("First!".to_owned()),
            is_hidden: Set(false),
            created_at: Set(now()),
            ..Default::default()
        };
        let comment = comment::Entity::insert(comment)
            .exec(&transaction)
            .await
            .unwrap();

        let moment = now().format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string();
        let expected = json!([{
            "id": article.last_insert_id,
            "title": "Not yet committed",
            "comments_count": 1,
            "author": {"id": author.last_insert_id, "name": "Newly Come", "country": "NO"},
            "comments": [{
                "id": comment.last_insert_id,
                "author_name": "Reader",
                "body": "First!",
                "created_at": moment,
            }],
        }]);
        assert_eq!(list(service, &transaction).await, (expected, 1));
        assert_eq!(list(service, &service.db).await, (json!([]), 0));

        // What the transaction takes back is gone for it too.
        article::Entity::update_many()
            .set(article::ActiveModel {
                deleted_at: Set(Some(now())),
                ..Default::default()
            })
            .filter(article::Column::Id.eq(article.last_insert_id))
            .exec(&transaction)
            .await
            .unwrap();
        assert_eq!(list(service, &transaction).await, (json!([]), 0));
        transaction.rollback().await.unwrap();
        assert_eq!(list(service, &service.db).await, (json!([]), 0));
    });
}
