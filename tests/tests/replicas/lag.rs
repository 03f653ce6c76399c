//! A replica that is too far behind is left out, and comes back by itself.

use std::time::Duration;

use crate::servers::{article, on_each_replicated, statements, until, until_out};

/// Rule b1132.
#[test]
fn a_replica_that_is_too_far_behind_is_left_out_until_it_has_caught_up() {
    on_each_replicated(async |servers| {
        let options = servers.options().max_lag(Duration::from_millis(400));
        let service = servers.service_with(options).await;
        until(|| service.reads.replicas().iter().all(|one| one.out.is_none())).await;
        let all = 0..servers.replicas.len();
        for replica in all.clone() {
            servers.stand_still(replica).await;
        }
        let id = service
            .post("/api/articles", &article("Behind"))
            .await
            .created();
        let path = format!("/api/articles/{id}");
        for replica in all.clone() {
            until_out(&service, replica, "late").await;
        }
        // Nothing is brought, and the primary is read all the same.
        let before = statements(&service.reads.replicas());
        let _ = service.get(&path).await.ok();
        assert_eq!(statements(&service.reads.replicas()), before);
        for replica in all {
            servers.go_on(replica).await;
        }
        until(|| service.reads.replicas().iter().all(|one| one.out.is_none())).await;
        let _ = service.get(&path).await.ok();
        assert_ne!(statements(&service.reads.replicas()), before);
    });
}
