//! Relations that a client leaves out of what it populates, and of the defaults (d78, b549).

use listing_tests::{Reply, Service, on_each_database};
use serde_json::json;

async fn get(service: &Service, query: &str) -> Reply {
    service.get(&format!("/api/articles?{query}")).await
}

/// Rule b549.
#[test]
fn a_path_and_a_star_are_left_out_as_names_are() {
    on_each_database(async |service| {
        let plain = get(service, "populate=author").await.ok();
        for query in [
            "populate[author]=*&populate[author.articles]=false",
            "populate[author.articles]=false&populate[author][populate]=*",
            "populate[author]=true&populate[author.articles]=false",
            "populate[*]=false&populate[author]=true",
        ] {
            let reply = get(service, query).await.ok();
            assert_eq!(reply.bytes, plain.bytes, "{query}");
        }
        let none = get(service, "populate[author.articles]=false").await.ok();
        assert_eq!(none.bytes, get(service, "").await.ok().bytes);
        let reply = get(service, "populate[author]=*&populate[author.artikel]=false").await;
        assert_eq!(
            reply.ok().meta()["ignored"],
            json!({"populate": ["author.artikel"]})
        );
        let reply = get(service, "populate[author]=*&populate[autor.articles]=false").await;
        assert_eq!(
            reply.ok().meta()["ignored"],
            json!({"populate": ["autor.articles"]})
        );
        // Comments have a default relation.
        let comments = async |query: &str| {
            let reply = service.get(&format!("/api/comments?{query}")).await.ok();
            reply.items()[0].get("article").is_some()
        };
        assert!(comments("").await);
        for query in [
            "populate[*]=false",
            "populate[article]=false",
            "populate[article.author]=false",
        ] {
            assert!(!comments(query).await, "{query}");
        }
    });
}
