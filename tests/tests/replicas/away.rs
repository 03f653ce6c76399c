//! A replica that is away costs no request, and comes back by itself.

use listing::replicas::ReplicaOptions;
use listing_tests::Service;

use crate::proxy::{Proxy, Way};
use crate::servers::{Servers, on_each_replicated, statements, until, until_out};

const LISTS: [&str; 3] = [
    "/api/articles?populate=author,comments",
    "/api/authors?sort=name",
    "/api/articles/7",
];

/// The service with one replica, through a proxy.
async fn through(servers: &Servers) -> (Proxy, Service) {
    let proxy = Proxy::to(&servers.replicas[0]).await;
    let service = servers
        .service_with(ReplicaOptions::new([proxy.url.clone()]))
        .await;
    until(|| service.reads.replicas()[0].out.is_none()).await;
    (proxy, service)
}

async fn all_answer(service: &Service) {
    for list in LISTS {
        let _ = service.get(list).await.ok();
    }
    let _ = service.get("/readyz").await.ok();
}

/// Rule b1133.
#[test]
fn reads_go_on_while_a_replica_is_away_and_it_comes_back() {
    on_each_replicated(async |servers| {
        let (proxy, service) = through(servers).await;
        for way in [Way::Shut, Way::Silent] {
            all_answer(&service).await;
            proxy.set(way);
            // Before it is known, and after.
            all_answer(&service).await;
            until_out(&service, 0, "away").await;
            let before = statements(&service.reads.replicas());
            all_answer(&service).await;
            assert_eq!(statements(&service.reads.replicas()), before);
            proxy.set(Way::Open);
            until(|| service.reads.replicas()[0].out.is_none()).await;
            all_answer(&service).await;
            assert_ne!(statements(&service.reads.replicas()), before);
        }
    });
}

/// Rule b1133.
#[test]
fn a_replica_that_is_away_at_the_start_is_read_from_once_it_is_there() {
    on_each_replicated(async |servers| {
        let proxy = Proxy::to(&servers.replicas[0]).await;
        proxy.set(Way::Shut);
        let service = servers
            .service_with(ReplicaOptions::new([proxy.url.clone()]))
            .await;
        assert_eq!(
            service.reads.replicas()[0].out.as_ref().unwrap().reason(),
            "away"
        );
        all_answer(&service).await;
        proxy.set(Way::Open);
        until(|| service.reads.replicas()[0].out.is_none()).await;
        all_answer(&service).await;
        assert!(service.reads.replicas()[0].statements > 0);
    });
}

/// Rule b1133.
#[test]
fn the_primary_in_the_list_of_replicas_is_not_one() {
    on_each_replicated(async |servers| {
        let service = servers
            .service_with(ReplicaOptions::new([servers.primary.clone()]))
            .await;
        until_out(&service, 0, "is_primary").await;
        all_answer(&service).await;
        assert_eq!(statements(&service.reads.replicas()), [0]);
    });
}
