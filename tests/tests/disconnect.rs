//! Clients that disconnect in the middle of a request while others read their responses over real sockets.

use axum::ServiceExt;
use axum::extract::Request;
use listing_bench::disconnect::storm;
use listing_tests::on_each_database;
use tokio::net::TcpListener;

/// Each request reads something else: rows of another would be seen.
fn targets() -> Vec<String> {
    let pages = (1..=10).map(|page| format!("/api/articles?sort=id&pagination[page]={page}"));
    let authors = (1..=20).map(|id| format!("/api/articles?filters[author_id]={id}"));
    let related = (1..=10).map(|page| {
        format!("/api/articles?populate=author,comments,tags&pagination[pageSize]=5&pagination[page]={page}")
    });
    let records = (1..=10).map(|id| format!("/api/authors/{id}"));
    pages.chain(authors).chain(related).chain(records).collect()
}

#[test]
fn clients_that_leave_never_mix_up_the_answers_of_others() {
    on_each_database(async |service| {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = ServiceExt::<Request>::into_make_service(service.app());
        let server = tokio::spawn(async move { axum::serve(listener, app).await });
        let outcome = storm(address, &targets(), 1_000).await.unwrap();
        assert_eq!(outcome.abandoned, 1_000);
        assert!(outcome.verified > 100, "{outcome:?}");
        server.abort();
    });
}
