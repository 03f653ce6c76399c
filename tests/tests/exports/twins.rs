//! What a caller cannot see changes no byte of a file (d73, d112).

use blog::entity::{article, author, comment};
use blog::listings::CurrentUser;
use listing::Context;
use listing_tests::{Service, on_each_fresh_database};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use crate::csv::DEMO;

const FILES: &[&str] = &[
    "articles.csv?sort=id",
    "articles.csv?fields=*&populate[author]=true&populate[comments][count]=true&labels=true&sort=author.name,id",
    "articles.ndjson?sort=author.name,id",
    "articles.ndjson?fields=*&populate[author][populate]=articles&populate[comments][withCount]=true&populate[tags]=true",
    "articles.ndjson?fields=id&populate[tags][populate]=articles&filters[author][articles][comments][body][$contains]=a",
    "articles.xlsx?fields=*&populate[author]=true&populate[comments][count]=true&sort=id",
];

async fn files(service: &Service) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for path in FILES {
        let reply = service.get(&format!("/api/{path}")).await;
        // What a filter may not say is answered with the same error.
        files.push(reply.bytes);
    }
    files
}

/// Rules d73, d112, d115.
#[test]
fn what_a_caller_cannot_see_changes_no_byte_of_a_file() {
    let user = |at: usize| CurrentUser {
        author_id: DEMO.authors[at].id,
    };
    on_each_fresh_database(async |service| {
        let callers = [
            Context::new(),
            Context::new().with(user(0)),
            Context::new().with(user(1)),
        ];
        let mut before = Vec::new();
        for caller in &callers {
            let service = service.with_context(caller.clone());
            before.push(files(&service).await);
        }
        let changed = Expr::value("a changed text");
        let db = &service.db;
        article::Entity::update_many()
            .col_expr(article::Column::Title, changed.clone())
            .col_expr(article::Column::Body, changed.clone())
            .filter(article::Column::DeletedAt.is_not_null())
            .exec(db)
            .await
            .unwrap();
        comment::Entity::update_many()
            .col_expr(comment::Column::Body, changed)
            .filter(comment::Column::IsHidden.eq(true))
            .exec(db)
            .await
            .unwrap();
        author::Entity::update_many()
            .col_expr(author::Column::Email, Expr::value("another@example.org"))
            .filter(author::Column::Id.eq(DEMO.authors[0].id))
            .exec(db)
            .await
            .unwrap();
        for (caller, before) in callers.iter().zip(&before) {
            let service = service.with_context(caller.clone());
            assert!(*before == files(&service).await, "{caller:?}");
        }
        // They have changed for someone who sees deleted articles.
        let service = service.with_context(callers[1].clone());
        let path = "/api/articles.csv?fields=title&trashed=only&filters[author_id][$notNull]=true";
        let text = service.get(path).await.text();
        assert!(text.contains("a changed text"), "{text}");
    });
}
