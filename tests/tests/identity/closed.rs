//! With a key for tokens, writing takes a token (d63, b140).

use blog::entity::article;
use jsonwebtoken::Algorithm;
use listing_tests::{Reply, Service, on_each_fresh_database};
use sea_orm::{EntityTrait, PaginatorTrait};
use serde_json::json;

use crate::tokens::{by_secret, claims, jwt, sign};

const ONE: &str = "/api/articles/1";

async fn writes(service: &Service, token: Option<&str>) -> Vec<Reply> {
    let payload = json!({ "title": "New", "slug": "new", "is_active": true });
    let client = match token {
        Some(token) => service
            .client()
            .with_header("authorization", &format!("Bearer {token}")),
        None => service.client(),
    };
    vec![
        client.post("/api/articles", &payload).await,
        client
            .put(
                ONE,
                &json!({ "title": "N", "slug": "n", "is_active": true }),
            )
            .await,
        client.delete(ONE).await,
        client.bare("POST", &format!("{ONE}/restore")).await,
        client.delete(&format!("{ONE}?force=true")).await,
        client.delete("/api/articles/987654321?force=true").await,
    ]
}

/// Rules d63, b140.
#[test]
fn with_a_key_writing_takes_a_token_and_reading_does_not() {
    on_each_fresh_database(async |service| {
        let closed = service.with_jwt(jwt(&by_secret()));
        let before = article::Entity::find().count(&service.db).await.unwrap();
        for reply in writes(&closed, None).await {
            assert_eq!(reply.error_code(401), "unauthorized");
            assert_eq!(reply.headers["www-authenticate"], "Bearer");
        }
        let after = article::Entity::find().count(&service.db).await.unwrap();
        assert_eq!(before, after);
        let _ = closed.get("/api/articles").await.ok();
        let shown = closed.get(ONE).await.ok().json();
        assert_eq!(shown["data"]["title"], "100% wool, 0% regret");

        let token = sign(Algorithm::HS256, &claims());
        let statuses: Vec<_> = writes(&closed, Some(&token))
            .await
            .iter()
            .map(|reply| reply.status.as_u16())
            .collect();
        assert_eq!(statuses, [201, 200, 200, 200, 200, 404]);
    });
}

/// Rules d63, c5_p1.
#[test]
fn without_a_key_everybody_may_write_as_in_the_contract() {
    on_each_fresh_database(async |service| {
        let statuses: Vec<_> = writes(service, None)
            .await
            .iter()
            .map(|reply| reply.status.as_u16())
            .collect();
        assert_eq!(statuses, [201, 200, 200, 200, 200, 404]);
    });
}
