//! Rows that come and go between two pages neither repeat nor hide others (b88).

use blog::entity::article;
use listing_tests::{Service, on_each_fresh_database};
use sea_orm::{ActiveValue::Set, EntityTrait};

use crate::walk::cursor;

async fn page(
    service: &Service,
    sort: &str,
    token: &str,
) -> (Vec<i64>, Option<String>, Option<String>) {
    let path =
        format!("/api/articles?sort={sort}&pagination[cursor]={token}&pagination[pageSize]=10");
    let reply = service.get(&path).await.ok();
    (
        reply.ids(),
        cursor(&reply, "nextCursor"),
        cursor(&reply, "prevCursor"),
    )
}

async fn insert(service: &Service, slug: &str, views: i32) -> i64 {
    let row = article::ActiveModel {
        author_id: Set(None),
        title: Set("Come between".to_owned()),
        slug: Set(slug.to_owned()),
        body: Set(None),
        is_active: Set(true),
        views: Set(views),
        rating: Set(None),
        created_at: Set(chrono::DateTime::UNIX_EPOCH),
        updated_at: Set(chrono::DateTime::UNIX_EPOCH),
        deleted_at: Set(None),
        ..Default::default()
    };
    let inserted = article::Entity::insert(row)
        .exec(&service.db)
        .await
        .unwrap();
    inserted.last_insert_id
}

/// Rule b88.
#[test]
fn rows_that_come_and_go_neither_repeat_nor_lose_others() {
    on_each_fresh_database(async |service| {
        let all = service.with_settings(|settings| settings.max_page_size = 500);
        let before = all
            .get("/api/articles?sort=views&pagination[limit]=500")
            .await
            .ids();
        let (mut walked, next, _) = page(service, "views", "").await;
        // The row at which the page ended goes, and one before it, and one on the next page.
        let gone = [walked[9], walked[3], before[12]];
        for id in gone {
            let _ = service.delete(&format!("/api/articles/{id}")).await.ok();
        }
        // One comes before the place, and one after it; the last has the most views that there can be.
        let early = insert(service, "early", -5).await;
        let late = insert(service, "late", 2_000_000_000).await;
        let mut token = next;
        while let Some(next) = token {
            let (ids, next, _) = page(service, "views", &next).await;
            walked.extend(ids);
            token = next;
        }
        let mut expected = before.clone();
        expected.retain(|id| *id != before[12]);
        let last = expected.pop().unwrap();
        expected.extend([late, last]);
        assert_eq!(walked, expected);
        assert!(!walked.contains(&early));
    });
}

/// Rule b89.
#[test]
fn the_way_back_shows_what_is_there_now() {
    on_each_fresh_database(async |service| {
        let (first, next, _) = page(service, "views", "").await;
        let (second, _, previous) = page(service, "views", &next.unwrap()).await;
        let _ = service
            .delete(&format!("/api/articles/{}", first[9]))
            .await
            .ok();
        let _ = service
            .delete(&format!("/api/articles/{}", second[0]))
            .await
            .ok();
        let early = insert(service, "early", -5).await;
        let (back, next, previous) = page(service, "views", &previous.unwrap()).await;
        assert_eq!(back, [&[early], &first[..9]].concat());
        assert_eq!(previous, None);
        let (again, ..) = page(service, "views", &next.unwrap()).await;
        assert_eq!(again[..9], second[1..]);
        // After the end there is an empty page without ways on.
        let (last, _, _) = page(service, "views:desc", "").await;
        assert_eq!(last.len(), 10);
    });
}

/// Rule b89.
#[test]
fn a_page_from_which_every_row_has_gone_is_empty() {
    on_each_fresh_database(async |service| {
        let path =
            "/api/articles?filters[id][$in][]=1&filters[id][$in][]=2&filters[id][$in][]=3&sort=id";
        let reply = service
            .get(&format!(
                "{path}&pagination[cursor]=&pagination[pageSize]=1"
            ))
            .await;
        let next = cursor(&reply, "nextCursor").unwrap();
        for id in [2, 3] {
            let _ = service.delete(&format!("/api/articles/{id}")).await.ok();
        }
        let reply = service
            .get(&format!("{path}&pagination[cursor]={next}"))
            .await
            .ok();
        assert!(reply.items().is_empty());
        assert_eq!(
            (cursor(&reply, "nextCursor"), cursor(&reply, "prevCursor")),
            (None, None)
        );
    });
}
