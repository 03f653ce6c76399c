//! Lists everything that is measured, each with its goal.

use crate::baseline::Baseline;
use crate::data::Engine;
use crate::load::CONNECTIONS;
use crate::requests::Requests;
use crate::servers::{Program, Server};

/// One measurement: the same requests to two sides.
pub(crate) struct Work {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    /// Throughput of ours, divided by that of the baseline, should be at least this.
    pub(crate) goal: f64,
    /// How many requests are on the way at once.
    pub(crate) connections: usize,
    pub(crate) ours: Side,
    pub(crate) baseline: Side,
    pub(crate) same: Same,
}

#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) server: Server,
    pub(crate) requests: Requests,
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
    let mut works = next_to_hand_written();
    works.extend(next_to_bare());
    works.extend(next_to_itself());
    works
}

/// Endpoints written by hand, with our layers around them.
fn next_to_hand_written() -> Vec<Work> {
    use Baseline as B;
    use Engine::{Mysql, Postgres, Sqlite};
    let bytes = Same::Bytes;
    [
        (
            "pg_page",
            "25 rows of 6 columns; tokio-postgres",
            0.90,
            Postgres,
            Requests::Pages,
            B::Postgres,
            bytes,
        ),
        (
            "pg_page_count",
            "about 100 matches, counted; tokio-postgres",
            0.95,
            Postgres,
            Requests::ByAuthor,
            B::Postgres,
            bytes,
        ),
        (
            "pg_page_populate",
            "with author and comments; tokio-postgres",
            0.90,
            Postgres,
            Requests::Populated,
            B::Postgres,
            bytes,
        ),
        (
            "pg_or_group",
            "two indexed columns under $or, counted; tokio-postgres",
            0.90,
            Postgres,
            Requests::OrGroup,
            B::Postgres,
            bytes,
        ),
        (
            "pg_relation_filter",
            "by the author's country, counted; tokio-postgres",
            0.90,
            Postgres,
            Requests::FromCountry,
            B::Postgres,
            bytes,
        ),
        (
            "pg_nested_populate",
            "with author, 5 articles of the author, 5 comments; tokio-postgres",
            0.85,
            Postgres,
            Requests::Nested,
            B::Postgres,
            bytes,
        ),
        (
            "pg_search",
            "3 words, by relevance, counted; tokio-postgres",
            0.90,
            Postgres,
            Requests::Search,
            B::Postgres,
            bytes,
        ),
        (
            "pg_sort_relation",
            "by the author's name, first page; tokio-postgres",
            0.90,
            Postgres,
            Requests::ByAuthorName,
            B::Postgres,
            bytes,
        ),
        (
            "sqlite_page",
            "25 rows of 6 columns; rusqlite",
            0.85,
            Sqlite,
            Requests::Pages,
            B::Sqlite,
            bytes,
        ),
        (
            "sqlite_page_count",
            "about 100 matches, counted; rusqlite",
            0.90,
            Sqlite,
            Requests::ByAuthor,
            B::Sqlite,
            bytes,
        ),
        (
            "mysql_page",
            "25 rows of 6 columns; sqlx",
            0.90,
            Mysql,
            Requests::Pages,
            B::Mysql,
            bytes,
        ),
        (
            "pg_page_vs_seaorm",
            "25 rows of 6 columns; SeaORM's JSON",
            3.0,
            Postgres,
            Requests::Pages,
            B::Seaorm,
            Same::Ids,
        ),
        (
            "pg_page_vs_sqlx",
            "25 rows of 6 columns; sqlx, structs, serde_json",
            1.3,
            Postgres,
            Requests::Pages,
            B::SqlxStructs,
            bytes,
        ),
    ]
    .map(
        |(name, what, goal, engine, requests, baseline, same)| Work {
            name,
            what,
            goal,
            connections: CONNECTIONS,
            ours: blog(engine, &[], requests),
            baseline: served(engine, baseline, requests),
            same,
        },
    )
    .into_iter()
    .chain([Work {
        name: "pg_sort_relation_deep",
        what: "by the author's name, from the middle by cursor; tokio-postgres",
        goal: 0.90,
        connections: CONNECTIONS,
        ours: blog(Postgres, &[], Requests::DeepByAuthorName),
        baseline: served(Postgres, B::Postgres, Requests::PlacesByAuthorName),
        // A cursor is sealed: only the service can read it.
        same: Same::Ids,
    }])
    .collect()
}

/// The same endpoints with nothing around them, at two loads.
fn next_to_bare() -> Vec<Work> {
    use Baseline as B;
    use Engine::{Mysql, Postgres, Sqlite};
    let few = 16;
    let mut works = Vec::new();
    for (names, what, goal, engine, requests, baseline) in [
        (
            ["pg_page_bare_16", "pg_page_bare_64"],
            ROWS,
            0.92,
            Postgres,
            Requests::Pages,
            B::Postgres,
        ),
        (
            ["pg_page_count_bare_16", "pg_page_count_bare_64"],
            COUNTED,
            0.92,
            Postgres,
            Requests::ByAuthor,
            B::Postgres,
        ),
        (
            ["pg_page_populate_bare_16", "pg_page_populate_bare_64"],
            POPULATED,
            0.92,
            Postgres,
            Requests::Populated,
            B::Postgres,
        ),
        (
            ["pg_or_group_bare_16", "pg_or_group_bare_64"],
            "two indexed columns under $or, counted; bare",
            0.90,
            Postgres,
            Requests::OrGroup,
            B::Postgres,
        ),
        (
            ["pg_relation_filter_bare_16", "pg_relation_filter_bare_64"],
            "by the author's country, counted; bare",
            0.90,
            Postgres,
            Requests::FromCountry,
            B::Postgres,
        ),
        (
            ["pg_nested_populate_bare_16", "pg_nested_populate_bare_64"],
            "with author, 5 articles of the author, 5 comments; bare",
            0.85,
            Postgres,
            Requests::Nested,
            B::Postgres,
        ),
        (
            ["pg_search_bare_16", "pg_search_bare_64"],
            "3 words, by relevance, counted; bare",
            0.90,
            Postgres,
            Requests::Search,
            B::Postgres,
        ),
        (
            ["pg_sort_relation_bare_16", "pg_sort_relation_bare_64"],
            "by the author's name, first page; bare",
            0.90,
            Postgres,
            Requests::ByAuthorName,
            B::Postgres,
        ),
        (
            ["sqlite_page_bare_16", "sqlite_page_bare_64"],
            ROWS,
            0.95,
            Sqlite,
            Requests::Pages,
            B::Sqlite,
        ),
        (
            ["sqlite_page_count_bare_16", "sqlite_page_count_bare_64"],
            COUNTED,
            0.95,
            Sqlite,
            Requests::ByAuthor,
            B::Sqlite,
        ),
        (
            ["mysql_page_bare_16", "mysql_page_bare_64"],
            ROWS,
            0.95,
            Mysql,
            Requests::Pages,
            B::Mysql,
        ),
    ] {
        for (name, connections) in names.into_iter().zip([few, CONNECTIONS]) {
            works.push(Work {
                name,
                what,
                goal,
                connections,
                ours: blog(engine, &[], requests),
                baseline: Side {
                    server: Server {
                        engine,
                        program: Program::Bare(baseline),
                    },
                    requests,
                },
                same: Same::Bytes,
            });
        }
    }
    works
}

const ROWS: &str = "25 rows of 6 columns; bare";
const COUNTED: &str = "about 100 matches, counted; bare";
const POPULATED: &str = "with author and comments; bare";

/// The service compared with itself.
fn next_to_itself() -> Vec<Work> {
    use Engine::Postgres;
    use Requests::{CountOfAll, DeepByCursor, FirstByCursor, Pages};
    let work = |name, what, goal, ours, baseline, same| Work {
        name,
        what,
        goal,
        connections: CONNECTIONS,
        ours,
        baseline,
        same,
    };
    vec![
        work(
            "contract_vs_lean",
            "the default layout; the lean one",
            0.90,
            blog(Postgres, &[], Pages),
            blog(Postgres, &[("LISTING_ENVELOPE", "lean")], Pages),
            Same::Ids,
        ),
        work(
            "count_shared",
            "64 equal requests that count every row; each for itself",
            20.0,
            blog(Postgres, &[("LISTING_COUNT", "exact")], CountOfAll),
            served(Postgres, Baseline::Alone, CountOfAll),
            Same::Bytes,
        ),
        work(
            "cursor_deep",
            "page 36,000 by cursor; page 1",
            0.5,
            blog(Postgres, &[], DeepByCursor),
            blog(Postgres, &[], FirstByCursor),
            Same::Nothing,
        ),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b110.
    #[test]
    fn ours_is_the_service_as_it_is_and_baselines_have_the_same_layers() {
        for work in next_to_hand_written() {
            let (ours, baseline) = (work.ours.server, work.baseline.server);
            assert_eq!(ours.program, Program::Blog(&[]), "{}", work.name);
            let has_layers = matches!(baseline.program, Program::Baseline(_));
            assert!(has_layers, "{}", work.name);
            assert_eq!(ours.engine, baseline.engine, "{}", work.name);
        }
    }

    /// Rule b111.
    #[test]
    fn the_filtered_page_is_one_authors_and_both_sides_give_the_same_bytes() {
        let works = next_to_hand_written();
        let counted = |work: &&Work| work.name.ends_with("_page_count");
        let counted: Vec<_> = works.iter().filter(counted).collect();
        assert_eq!(counted.len(), 2);
        for work in counted {
            assert!(matches!(work.ours.requests, Requests::ByAuthor));
            assert!(matches!(work.baseline.requests, Requests::ByAuthor));
            // The label of the filter is one of these bytes.
            assert_eq!(work.same, Same::Bytes, "{}", work.name);
        }
    }
}
