//! Finds the total of a list, and whether it is exact.

use serde_json::Value;

use super::error::ExecuteError;
use super::reader::Reader;
use super::statement::{read_number, read_one};
use crate::sql::{Count, Statement};
use crate::vocabulary::{Key, Kind};

/// The known information about the rows that are not on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Total {
    Exact(u64),
    /// There are more rows than were counted.
    MoreThan {
        total: u64,
        more: bool,
    },
    /// There may be more rows or fewer; whether there is a next page is certain.
    About {
        total: u64,
        more: bool,
    },
    /// The rows were not counted; only whether there is a next page is known.
    Unknown {
        more: bool,
    },
}

/// The result of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counted {
    total: u64,
    certainty: Certainty,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Certainty {
    Exact,
    /// There are more rows.
    MoreThan,
    /// There may be more rows or fewer.
    About,
}

impl Counted {
    pub(super) fn is_exact(self) -> bool {
        self.certainty == Certainty::Exact
    }

    /// Whether no row after this many others matches.
    pub(super) fn ends_before(self, offset: u64) -> bool {
        self.is_exact() && self.total <= offset
    }

    /// Whether the matching rows are so few that reading and sorting all of them may cost less than finding a page of them in
    /// the order of the sort.
    pub(super) fn is_few(self) -> bool {
        self.is_exact() && self.total <= Count::FEW
    }

    /// A total that was kept: exact, or possibly outdated.
    const fn kept(total: u64, exact: bool) -> Self {
        let certainty = match exact {
            true => Certainty::Exact,
            false => Certainty::About,
        };
        Self { total, certainty }
    }
}

impl Total {
    /// Combines a count with the page, which shows `shown` rows after `before` others,
    /// as far as those are known, and `more` after them.
    pub(super) fn of(
        counted: Option<Counted>,
        before: Option<u64>,
        shown: u64,
        more: bool,
    ) -> Self {
        let end = before.filter(|before| !more && (shown > 0 || *before == 0));
        let before = before.unwrap_or(0);
        let seen = before.saturating_add(shown);
        let Some(Counted { total, certainty }) = counted else {
            return Self::Unknown { more };
        };
        let at_least = if shown > 0 { seen } else { 0 };
        match certainty {
            Certainty::Exact => Self::Exact(total),
            // The page shows the end of the list, so the total is certain.
            _ if end.is_some() => Self::Exact(seen),
            Certainty::MoreThan => Self::MoreThan {
                total: total.max(at_least),
                more,
            },
            Certainty::About => Self::About {
                total: total.max(at_least + u64::from(more && shown > 0)),
                more,
            },
        }
    }
}

/// Finds the total.
pub(super) async fn find(
    reader: &dyn Reader,
    count: Count,
) -> Result<Option<Counted>, ExecuteError> {
    let counted = match count {
        Count::None => return Ok(None),
        Count::Exact(count) => exact(number(reader, count).await?),
        Count::Capped { cap, count } => capped(cap, number(reader, count).await?),
        Count::Cached { seconds, count } => match reader.shared() {
            Some(shared) => {
                let (total, exact) = shared.count_cached(seconds, count).await?;
                Counted::kept(total, exact)
            }
            None => exact(number(reader, count).await?),
        },
        Count::Estimated { estimate, count } => {
            let estimated = match estimate {
                Some(statement) => estimated(reader, statement).await?,
                None => None,
            };
            match estimated.filter(|rows| *rows > Count::FEW) {
                Some(total) => Counted::kept(total, false),
                None => capped(Count::FEW, number(reader, count).await?),
            }
        }
    };
    Ok(Some(counted))
}

/// How many rows match, up to [`Count::LOOKED_AT`].
pub(super) async fn look(
    reader: &dyn Reader,
    statement: Statement,
) -> Result<Counted, ExecuteError> {
    Ok(capped(Count::LOOKED_AT, number(reader, statement).await?))
}

const fn exact(total: u64) -> Counted {
    Counted::kept(total, true)
}

fn capped(cap: u64, counted: u64) -> Counted {
    Counted {
        total: counted.min(cap),
        certainty: match counted > cap {
            true => Certainty::MoreThan,
            false => Certainty::Exact,
        },
    }
}

/// The number that a statement gives, shared with other requests where that is allowed.
async fn number(reader: &dyn Reader, statement: Statement) -> Result<u64, ExecuteError> {
    match reader.shared() {
        Some(shared) => shared.count_shared(statement).await,
        None => read_number(reader, statement).await,
    }
}

/// How many rows the planner expects; `None` if it does not say.
async fn estimated(reader: &dyn Reader, statement: Statement) -> Result<Option<u64>, ExecuteError> {
    let batch = read_one(reader, statement, Kind::Text).await?;
    Ok(match batch.keys(0).first() {
        Some(Key::Text(plan)) => serde_json::from_str(plan)
            .ok()
            .and_then(|plan| expected_rows(&plan)),
        _ => None,
    })
}

/// The rows at the top of a plan of PostgreSQL, MariaDB or MySQL.
fn expected_rows(plan: &Value) -> Option<u64> {
    let rows = match plan.pointer("/0/Plan/Plan Rows") {
        Some(rows) => rows.as_f64()?,
        None => joined_rows(plan.get("query_block")?)?,
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a guess, and what does not fit stands at the largest or at 0"
    )]
    Some(rows.round() as u64)
}

/// Each table multiplies the rows of those before it.
fn joined_rows(block: &Value) -> Option<f64> {
    let tables: Vec<_> = match block.get("nested_loop").and_then(Value::as_array) {
        Some(joined) => joined.iter().filter_map(|part| part.get("table")).collect(),
        None => block.get("table").into_iter().collect(),
    };
    if tables.is_empty() {
        return None;
    }
    let rows = |table: &&Value| {
        let number = |name| table.get(name).and_then(Value::as_f64);
        let rows = number("rows").or_else(|| number("rows_examined_per_scan"))?;
        Some(rows * number("filtered").unwrap_or(100.0) / 100.0)
    };
    tables.iter().map(rows).product()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Counted, Total, capped, expected_rows};

    /// Rule b83.
    #[test]
    fn the_page_corrects_what_is_not_exact() {
        let about = |total| Some(Counted::kept(total, false));
        let exact = Some(super::exact(40));
        let more_than = Some(capped(9, 10));
        for (counted, (before, shown, more), total) in [
            (exact, (0, 25, true), Total::Exact(40)),
            (exact, (100, 0, false), Total::Exact(40)),
            (None, (0, 25, true), Total::Unknown { more: true }),
            // The last page says how many there are.
            (about(9), (100, 7, false), Total::Exact(107)),
            (about(9), (0, 0, false), Total::Exact(0)),
            // There are at least those that were seen.
            (
                about(9),
                (100, 25, true),
                Total::About {
                    total: 126,
                    more: true,
                },
            ),
            (
                about(900),
                (100, 25, true),
                Total::About {
                    total: 900,
                    more: true,
                },
            ),
            // A count that stopped says that there are more.
            (
                more_than,
                (0, 5, true),
                Total::MoreThan {
                    total: 9,
                    more: true,
                },
            ),
            (
                more_than,
                (100, 25, true),
                Total::MoreThan {
                    total: 125,
                    more: true,
                },
            ),
            (more_than, (100, 7, false), Total::Exact(107)),
            (
                more_than,
                (500, 0, false),
                Total::MoreThan {
                    total: 9,
                    more: false,
                },
            ),
            // An empty page far past the end says nothing.
            (
                about(9),
                (100, 0, false),
                Total::About {
                    total: 9,
                    more: false,
                },
            ),
        ] {
            assert_eq!(Total::of(counted, Some(before), shown, more), total);
        }
        let unknown = Total::About {
            total: 9,
            more: false,
        };
        assert_eq!(Total::of(about(9), None, 7, false), unknown);
        let at = |counted| capped(10, counted);
        assert_eq!(
            (at(10).is_exact(), at(11).is_exact(), at(11).total),
            (true, false, 10)
        );
    }

    #[test]
    fn plans_are_understood() {
        for (plan, rows) in [
            (
                json!([{ "Plan": { "Node Type": "Seq Scan", "Plan Rows": 12_345 } }]),
                Some(12_345),
            ),
            (
                json!({ "query_block": { "table": { "rows": 200, "filtered": 50 } } }),
                Some(100),
            ),
            (
                json!({ "query_block": { "nested_loop": [
                    { "table": { "rows": 200, "filtered": 50.0 } },
                    { "table": { "rows_examined_per_scan": 3 } },
                ] } }),
                Some(300),
            ),
            (
                json!({ "query_block": { "table": { "message": "Impossible WHERE" } } }),
                None,
            ),
            (json!({ "query_block": {} }), None),
            (json!([]), None),
        ] {
            assert_eq!(expected_rows(&plan), rows, "{plan}");
        }
    }
}
