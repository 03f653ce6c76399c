//! Asks for each filter with each sort and each way of counting, and compares slow answers with statements written by hand.

mod filters;

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};

use self::filters::{Filter, filters};
use crate::client::{Connection, get};
use crate::data::{self, Databases, Engine, Places};
use crate::servers::Running;

/// Sorts: as a client writes them, and as SQL. A null comes last, and no first page gets there.
const SORTS: [(&str, &str); 8] = [
    (
        "created_at:desc",
        "articles.created_at DESC, articles.id DESC",
    ),
    ("created_at:asc", "articles.created_at, articles.id"),
    ("id:desc", "articles.id DESC"),
    ("title:asc", "articles.title, articles.id"),
    ("views:desc", "articles.views DESC, articles.id DESC"),
    ("views:asc", "articles.views, articles.id"),
    (
        "rating:desc",
        "articles.rating IS NULL, articles.rating DESC, articles.id DESC",
    ),
    ("author.name:asc", "authors.name, articles.id"),
];

/// Ways of counting: as a client asks for them, and how far the rows are counted by hand.
const COUNTS: [(&str, Option<u64>); 3] = [
    ("", Some(10_001)),
    ("&pagination[withCount]=false", None),
    ("&pagination[cursor]=", None),
];

/// The slowest answers are compared with statements written by hand: none may take more than five times as long, and this.
const QUICK: Duration = Duration::from_millis(20);
const MOST_TIMES: u32 = 5;
/// No answer may take longer than this.
const LONGEST: Duration = Duration::from_secs(1);
/// How long a statement written by hand may take; it is then not better.
const HAND_TIMEOUT: Duration = Duration::from_secs(10);
const SHOWN: usize = 20;

/// One request and how long it took.
struct Shape<'f> {
    filter: &'f Filter,
    sort: (&'static str, &'static str),
    count: (&'static str, Option<u64>),
    status: u16,
    took: Duration,
    by_hand: Option<Duration>,
}

impl Shape<'_> {
    fn target(&self) -> String {
        target(self.filter, self.sort.0, self.count.0)
    }

    /// Whether it is as quick as it has to be: where an index serves filter and sort.
    fn is_good(&self) -> bool {
        let by_hand = self.by_hand.unwrap_or_default();
        self.status == 200 && self.took <= by_hand * MOST_TIMES + QUICK
    }
}

fn target(filter: &Filter, sort: &str, count: &str) -> String {
    format!("/api/articles?sort={sort}{}{count}", filter.query)
}

/// Measures every shape of a list on each database.
///
/// # Errors
/// When PostgreSQL takes over a second for any list, or much longer than a statement written by hand.
pub async fn shapes(places: &Places, rows: u64, only: &[String]) -> Result<()> {
    let engines = [Engine::Postgres, Engine::Sqlite, Engine::Mysql];
    let is_wanted = |engine: &Engine| {
        let name = format!("{engine:?}").to_lowercase();
        only.is_empty() || only.contains(&name)
    };
    let engines: Vec<_> = engines.into_iter().filter(is_wanted).collect();
    let databases = data::load(places, rows, &engines).await?;
    let mut failed = Vec::new();
    for engine in engines {
        let bad = on(engine, &databases).await?;
        if bad > 0 {
            failed.push(format!("{engine:?}: {bad}"));
        }
    }
    ensure!(
        failed.is_empty(),
        "too slow, or much slower than by hand: {}",
        failed.join("; ")
    );
    Ok(())
}

/// Measures one database, and says how many shapes are not as they should be.
async fn on(engine: Engine, databases: &Databases) -> Result<usize> {
    let running = Running::blog(engine, databases)?;
    let db = databases.connect(engine).await?;
    limit_time(&db, engine).await?;
    let filters = filters(engine, &db).await?;
    let mut connection = Connection::open(running.address).await?;
    let mut shapes = Vec::new();
    for filter in &filters {
        for sort in SORTS {
            for count in COUNTS {
                let request = get(&target(filter, sort.0, count.0));
                let mut shape = Shape {
                    filter,
                    sort,
                    count,
                    status: 0,
                    took: Duration::MAX,
                    by_hand: None,
                };
                // The first asks for pages that are not in memory yet, and the shorter of the others counts, as it does for
                // statements by hand.
                for _ in 0..3 {
                    let start = Instant::now();
                    shape.status = connection.ask(&request).await?.status;
                    shape.took = shape.took.min(start.elapsed());
                }
                shapes.push(shape);
            }
        }
    }
    shapes.sort_by_key(|shape| std::cmp::Reverse(shape.took));
    // A statement by hand can take seconds: the slowest tell.
    let slowest = shapes.iter_mut().take(SHOWN);
    for shape in slowest.filter(|shape| shape.took > QUICK) {
        let (sort, count) = (shape.sort.1, shape.count.1);
        shape.by_hand = Some(by_hand(&db, engine, shape.filter, sort, count).await?);
    }
    db.close().await?;
    Ok(report(engine, &shapes))
}

/// The better of the two statements somebody would write: the page in its order, or all matching rows first; after the count.
async fn by_hand(
    db: &DatabaseConnection,
    engine: Engine,
    filter: &Filter,
    sort: &str,
    count: Option<u64>,
) -> Result<Duration> {
    let rows = format!("articles WHERE deleted_at IS NULL AND {}", filter.condition);
    let join = match sort.starts_with("authors") {
        true => " INNER JOIN authors ON authors.id = articles.author_id",
        false => "",
    };
    let page = |fence: &str| {
        format!(
            "SELECT articles.* FROM (SELECT id, title, slug, is_active, views, created_at, rating, author_id FROM {rows} {fence}) \
             AS articles{join} ORDER BY {sort} LIMIT 26"
        )
    };
    let fence = match engine {
        Engine::Postgres => "OFFSET 0",
        Engine::Mysql => "LIMIT 18446744073709551615",
        Engine::Sqlite => "LIMIT -1",
    };
    let counted = match count {
        None => Duration::ZERO,
        Some(most) => {
            let count = format!("SELECT COUNT(*) FROM (SELECT 1 FROM {rows} LIMIT {most}) AS c");
            time(db, &count).await
        }
    };
    let in_order = time(db, &page("")).await;
    Ok(counted + in_order.min(time(db, &page(fence)).await))
}

/// Statements end by themselves, and one that does not end in time is not better. SQLite's end anyway.
async fn limit_time(db: &DatabaseConnection, engine: Engine) -> Result<()> {
    let seconds = HAND_TIMEOUT.as_secs();
    match engine {
        Engine::Postgres => {
            let limit = format!("SET statement_timeout = '{seconds}s'");
            db.execute_unprepared(&limit).await?;
        }
        Engine::Mysql => {
            let limit = format!("SET max_statement_time = {seconds}");
            db.execute_unprepared(&limit).await?;
        }
        Engine::Sqlite => {}
    }
    Ok(())
}

/// The shorter of two runs.
async fn time(db: &DatabaseConnection, sql: &str) -> Duration {
    let mut best = HAND_TIMEOUT;
    for _ in 0..2 {
        let statement = Statement::from_string(db.get_database_backend(), sql);
        let start = Instant::now();
        if let Err(error) = db.query_all_raw(statement).await {
            eprintln!("{error}: {sql}");
            return HAND_TIMEOUT;
        }
        best = best.min(start.elapsed());
    }
    best
}

/// Prints the distribution and the slowest, and says how many are not as they should be.
fn report(engine: Engine, shapes: &[Shape<'_>]) -> usize {
    let all = shapes.len();
    let within = |limit: u64| {
        let limit = Duration::from_millis(limit);
        let count = shapes.iter().filter(|shape| shape.took <= limit).count();
        format!("{count} ({} %)", count * 100 / all.max(1))
    };
    let failed = shapes.iter().filter(|shape| shape.status != 200).count();
    println!("\n## {engine:?}: {all} lists\n");
    println!("| within 50 ms | within 500 ms | within 1 s | not answered |\n|---|---|---|---|");
    println!(
        "| {} | {} | {} | {failed} |\n",
        within(50),
        within(500),
        within(1_000)
    );
    println!("| the slowest | ms | by hand, ms | index |\n|---|---|---|---|");
    let index = |shape: &Shape<'_>| if shape.filter.is_served { "yes" } else { "no" };
    let millis = |duration: Duration| duration.as_secs_f64() * 1_000.0;
    for shape in shapes.iter().take(SHOWN) {
        let by_hand = shape
            .by_hand
            .map_or(String::new(), |by| format!("{:.1}", millis(by)));
        let (took, index) = (millis(shape.took), index(shape));
        println!(
            "| `{}` ({}) | {took:.1} | {by_hand} | {index} |",
            shape.target(),
            shape.status
        );
    }
    let is_bad = |shape: &&Shape<'_>| {
        let is_late = shape.took > LONGEST && shape.filter.is_served;
        let is_compared = shape.by_hand.is_some() || shape.status != 200;
        is_late || (is_compared && !shape.is_good())
    };
    let bad: Vec<_> = shapes.iter().filter(is_bad).collect();
    for shape in &bad {
        let by_hand = millis(shape.by_hand.unwrap_or_default());
        eprintln!(
            "{engine:?}: {} {:.1} ms, by hand {by_hand:.1} ms",
            shape.target(),
            millis(shape.took)
        );
    }
    bad.len()
}
