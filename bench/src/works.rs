//! Lists everything that is measured, each with its goal.

use std::net::SocketAddr;

use anyhow::Result;

use crate::baseline::Baseline;
use crate::cursors;
use crate::data::Engine;
use crate::servers::{Program, Server};

/// One measurement: the same requests to two sides.
pub(crate) struct Work {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    /// Throughput of ours, divided by that of the baseline, should be at least this.
    pub(crate) goal: f64,
    pub(crate) ours: Side,
    pub(crate) baseline: Side,
    pub(crate) same: Same,
}

#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) server: Server,
    pub(crate) requests: Requests,
}

/// The requests; several of each, in rotation, so that no side answers from one warm place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Requests {
    /// The first twenty pages of the default order, without a count.
    Pages,
    /// The first page of one author's articles, with their count.
    ByAuthor,
    /// The first twenty pages, each article with its author and its comments.
    Populated,
    /// One request for the first page, with the exact count of all rows.
    CountOfAll,
    /// The first page by cursor.
    FirstByCursor,
    /// A page deep in the list, by cursor.
    DeepByCursor,
}

/// What both sides' answers have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Same {
    /// Every byte.
    Bytes,
    /// The ids of the items: the form of other values is the driver's.
    Ids,
    /// Nothing: the requests are different on purpose.
    Nothing,
}

pub(crate) fn works() -> Vec<Work> {
    use Baseline as B;
    use Engine::{Mysql, Postgres, Sqlite};
    use Requests::{ByAuthor, CountOfAll, DeepByCursor, FirstByCursor, Pages, Populated};
    let by_hand = |name, what, goal, engine, requests, baseline, same| Work {
        name,
        what,
        goal,
        ours: blog(engine, &[], requests),
        baseline: served(engine, baseline, requests),
        same,
    };
    let bytes = Same::Bytes;
    vec![
        by_hand(
            "pg_page",
            "25 rows of 6 columns; tokio-postgres",
            0.90,
            Postgres,
            Pages,
            B::Postgres,
            bytes,
        ),
        by_hand(
            "pg_page_count",
            "about 100 matches, counted; tokio-postgres",
            0.95,
            Postgres,
            ByAuthor,
            B::Postgres,
            bytes,
        ),
        by_hand(
            "pg_page_populate",
            "with author and comments; tokio-postgres",
            0.90,
            Postgres,
            Populated,
            B::Postgres,
            bytes,
        ),
        by_hand(
            "sqlite_page",
            "25 rows of 6 columns; rusqlite",
            0.85,
            Sqlite,
            Pages,
            B::Sqlite,
            bytes,
        ),
        by_hand(
            "sqlite_page_count",
            "about 100 matches, counted; rusqlite",
            0.90,
            Sqlite,
            ByAuthor,
            B::Sqlite,
            bytes,
        ),
        by_hand(
            "mysql_page",
            "25 rows of 6 columns; sqlx",
            0.90,
            Mysql,
            Pages,
            B::Mysql,
            bytes,
        ),
        by_hand(
            "pg_page_vs_seaorm",
            "25 rows of 6 columns; SeaORM's JSON",
            3.0,
            Postgres,
            Pages,
            B::Seaorm,
            Same::Ids,
        ),
        by_hand(
            "pg_page_vs_sqlx",
            "25 rows of 6 columns; sqlx, structs, serde_json",
            1.3,
            Postgres,
            Pages,
            B::SqlxStructs,
            bytes,
        ),
        Work {
            name: "contract_vs_lean",
            what: "the default layout; the lean one",
            goal: 0.90,
            ours: blog(Postgres, &[], Pages),
            baseline: blog(Postgres, &[("LISTING_ENVELOPE", "lean")], Pages),
            same: Same::Ids,
        },
        Work {
            name: "count_shared",
            what: "64 equal requests that count every row; each for itself",
            goal: 20.0,
            ours: blog(Postgres, &[], CountOfAll),
            baseline: served(Postgres, B::Alone, CountOfAll),
            same: Same::Bytes,
        },
        Work {
            name: "cursor_deep",
            what: "page 36,000 by cursor; page 1",
            goal: 0.5,
            ours: blog(Postgres, &[], DeepByCursor),
            baseline: blog(Postgres, &[], FirstByCursor),
            same: Same::Nothing,
        },
    ]
}

fn served(engine: Engine, baseline: Baseline, requests: Requests) -> Side {
    Side {
        server: Server {
            engine,
            program: Program::Baseline(baseline),
        },
        requests,
    }
}

fn blog(
    engine: Engine,
    settings: &'static [(&'static str, &'static str)],
    requests: Requests,
) -> Side {
    Side {
        server: Server {
            engine,
            program: Program::Blog(settings),
        },
        requests,
    }
}

impl Requests {
    /// The requests to a service with this many articles.
    pub(crate) async fn targets(self, articles: u64, service: SocketAddr) -> Result<Vec<String>> {
        Ok(match self {
            Self::Pages => pages(""),
            Self::Populated => pages("&populate=author,comments"),
            Self::ByAuthor => by_author(articles),
            Self::CountOfAll => vec!["/api/articles".to_owned()],
            Self::FirstByCursor => cursors::targets(service, 0).await?,
            // Page 36,000 of a million rows, and as deep in proportion in fewer.
            Self::DeepByCursor => cursors::targets(service, articles / 10 * 9).await?,
        })
    }
}

/// A little of everything.
pub(crate) fn mixture(articles: u64) -> Vec<String> {
    let mut targets = pages("");
    targets.extend(pages("&populate=author,comments"));
    targets.extend(by_author(articles));
    targets
}

fn pages(more: &str) -> Vec<String> {
    (1..=20)
        .map(|page| {
            format!("/api/articles?pagination[page]={page}&pagination[withCount]=false{more}")
        })
        .collect()
}

fn by_author(articles: u64) -> Vec<String> {
    let authors = (articles / 100).max(1);
    // A stride that is prime spreads them over all authors.
    (0..200)
        .map(|number| 1 + number * 7_919 % authors)
        .map(|author| format!("/api/articles?filters[author_id][$eq]={author}"))
        .collect()
}
