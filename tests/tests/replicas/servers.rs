//! A primary with its replicas, the reference service on them, and what tests do to a replica.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use blog::migration::Migrator;
use listing::replicas::{Out, ReplicaOptions, ReplicaStatus};
use listing::{ReadOptions, ReadPool};
use listing_tests::{Engine, Reply, Service, patient, run};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection};
use sea_orm_migration::MigratorTrait;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

/// Longer than anything takes here on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// The servers of one engine, for one test at a time.
pub(crate) struct Servers {
    pub(crate) engine: Engine,
    /// The URL of a database of the test's own, on the primary.
    pub(crate) primary: String,
    /// The same database on each replica.
    pub(crate) replicas: Vec<String>,
}

/// Tries something on the servers of each engine that has replicas. What one test does to them no other one sees.
pub(crate) fn on_each_replicated(test: impl AsyncFn(&Servers)) {
    for engine in [Engine::Postgres, Engine::Mysql] {
        println!("on {engine}");
        on_replicated(engine, &test);
    }
}

pub(crate) fn on_replicated(engine: Engine, test: impl AsyncFn(&Servers)) {
    // One at a time, whatever the engine: the counters of the process are looked at.
    static TURN: Mutex<u32> = Mutex::new(0);
    let mut number = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    *number += 1;
    run(async {
        let servers = Servers::of(engine, *number).await;
        test(&servers).await;
    });
}

impl Servers {
    async fn of(engine: Engine, number: u32) -> Self {
        let [primary, replicas] = match engine {
            Engine::Postgres => [
                "LISTING_TEST_POSTGRES_PRIMARY_URL",
                "LISTING_TEST_POSTGRES_REPLICA_URLS",
            ],
            _ => [
                "LISTING_TEST_MYSQL_PRIMARY_URL",
                "LISTING_TEST_MYSQL_REPLICA_URLS",
            ],
        };
        let variable = |name: &str| {
            std::env::var(name).unwrap_or_else(|_| {
                panic!("{name} is not set: run the tests with `cargo xtask test`, which brings the servers")
            })
        };
        let (server, replicas) = (variable(primary), variable(replicas));
        let name = format!("listing_test_{}_{number}", std::process::id());
        let at = |server: &str| {
            let (start, end) = server.rsplit_once('/').unwrap();
            let options = end.split_once('?').map_or("", |(_, options)| options);
            format!("{start}/{name}?{options}")
        };
        let servers = Self {
            engine,
            primary: at(&server),
            replicas: replicas.split(',').map(at).collect(),
        };
        // A test that failed may have left one standing still.
        for replica in replicas.split(',') {
            execute(replica, servers.go_on_sql()).await;
        }
        execute(&server, &format!("CREATE DATABASE {name}")).await;
        let db = servers.db().await;
        Migrator::up(&db, None).await.unwrap();
        blog::data::load_demo(&db).await.unwrap();
        servers
    }

    /// Connections that write.
    pub(crate) async fn db(&self) -> DatabaseConnection {
        blog::connect::connect(&self.primary, 5).await.unwrap()
    }

    /// The service, which reads from all replicas, once all of them are read from.
    pub(crate) async fn service(&self) -> Service {
        let service = self.service_with(self.options()).await;
        until(|| service.reads.replicas().iter().all(|one| one.out.is_none())).await;
        service
    }

    pub(crate) fn options(&self) -> ReplicaOptions {
        ReplicaOptions::new(self.replicas.clone())
    }

    pub(crate) async fn service_with(&self, replicas: ReplicaOptions) -> Service {
        let db = self.db().await;
        let mut service = Service::on(self.engine, db.clone(), patient()).await;
        let reads = ReadPool::alongside(&db, ReadOptions::new().connections(2)).await;
        service.reads = reads.unwrap().with_replicas(replicas).await.unwrap();
        service
    }

    /// A replica applies no more writes, until it is told to go on.
    pub(crate) async fn stand_still(&self, replica: usize) {
        let url = &self.replicas[replica];
        if self.engine == Engine::Mysql {
            return execute(url, "STOP SLAVE SQL_THREAD").await;
        }
        execute(url, "SELECT pg_wal_replay_pause()").await;
        let db = Database::connect(url).await.unwrap();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let state = db.query_one_raw(sea_orm::Statement::from_string(
                sea_orm::DbBackend::Postgres,
                "SELECT pg_get_wal_replay_pause_state()",
            ));
            let state: String = state.await.unwrap().unwrap().try_get_by_index(0).unwrap();
            if state == "paused" {
                return;
            }
            assert!(Instant::now() < deadline, "{state}");
            sleep(Duration::from_millis(5)).await;
        }
    }

    pub(crate) async fn go_on(&self, replica: usize) {
        execute(&self.replicas[replica], self.go_on_sql()).await;
    }

    fn go_on_sql(&self) -> &'static str {
        match self.engine {
            Engine::Mysql => "START SLAVE SQL_THREAD",
            _ => "SELECT pg_wal_replay_resume()",
        }
    }
}

/// What is sent to create an article with this title.
pub(crate) fn article(title: &str) -> Value {
    let slug = title.to_lowercase().replace(' ', "-");
    json!({ "title": title, "slug": slug, "is_active": true })
}

pub(crate) async fn execute(url: &str, sql: &str) {
    let db = Database::connect(url).await.unwrap();
    // A replica may end even this, because of what it has to replay.
    let mut done = db.execute_unprepared(sql).await;
    for _ in 0..20 {
        if done.is_ok() {
            break;
        }
        done = db.execute_unprepared(sql).await;
    }
    done.unwrap();
    db.close().await.unwrap();
}

/// Waits for something that comes by itself.
pub(crate) async fn until(is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "it has not come");
        sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until a replica is left out for this reason.
pub(crate) async fn until_out(service: &Service, replica: usize, reason: &str) {
    until(|| {
        let status = &service.reads.replicas()[replica];
        status.out.as_ref().map(Out::reason) == Some(reason)
    })
    .await;
}

pub(crate) fn statements(of: &[ReplicaStatus]) -> Vec<u64> {
    of.iter().map(|one| one.statements).collect()
}

/// The position that an answer tells.
#[track_caller]
pub(crate) fn position(reply: &Reply) -> String {
    let told = reply.headers.get("listing-position");
    told.expect("a position").to_str().unwrap().to_owned()
}
