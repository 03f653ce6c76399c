//! Writes alternatives of which one leads through a relation as a union of keys.
//!
//! A database reads each part of the union from its own index, while one condition `author.name = 'x' OR views > 5` would read
//! all rows.
//! `cargo xtask bench --shapes` asks for such lists.

use super::Writer;
use super::condition::condition;
use crate::plan::{ColumnOf, Plan, Predicate};

/// Alternatives, and the other conditions of the plan.
pub(super) struct Either<'p, 'w> {
    plan: &'p Plan<'w>,
    alternatives: &'p [Predicate<'w>],
    others: Vec<&'p Predicate<'w>>,
}

impl<'p, 'w> Either<'p, 'w> {
    /// The most alternatives that are read one by one.
    const MOST: usize = 16;

    /// Returns `None` if the plan has no such condition, if its rows have no key, or if the application's query is more than their
    /// table.
    pub(super) fn of(plan: &'p Plan<'w>) -> Option<Self> {
        if plan.base.is_some() || plan.entity.key.is_empty() {
            return None;
        }
        let mut others: Vec<_> = conjuncts(&plan.predicate).collect();
        let at = others.iter().position(|part| is_either(part))?;
        let Predicate::Any(alternatives) = others.remove(at) else {
            return None;
        };
        Some(Self {
            plan,
            alternatives,
            others,
        })
    }

    /// Writes the rows with these keys, with these things selected. MariaDB would look for each of all rows in an `IN`, and SQLite
    /// begins at the keys because of `CROSS JOIN`.
    pub(super) fn rows(&self, writer: &mut Writer, select: &dyn Fn(&mut Writer)) {
        const KEYS: &str = "listing_keys";
        let entity = self.plan.entity;
        writer.text("SELECT ");
        select(writer);
        writer.text(" FROM (");
        self.keys(writer, None);
        writer.text(") AS ");
        writer.name(KEYS);
        writer.text(" CROSS JOIN ");
        writer.table(&entity.table);
        for (at, part) in entity.key.iter().enumerate() {
            let column = ColumnOf::new(entity, *part);
            writer.text(if at == 0 { " WHERE " } else { " AND " });
            writer.column(column);
            writer.text(" = ");
            writer.qualified(KEYS, &column.meta.name);
        }
    }

    /// Writes the keys, each of them once; no more than `most` of each alternative.
    pub(super) fn keys(&self, writer: &mut Writer, most: Option<u64>) {
        let (open, close) = writer.dialect.part_of_union();
        for (at, alternative) in self.alternatives.iter().enumerate() {
            writer.text(if at == 0 { "" } else { " UNION " });
            writer.text(open);
            writer.text("SELECT ");
            self.key(writer);
            writer.text(" FROM ");
            writer.table(&self.plan.entity.table);
            writer.text(" WHERE ");
            condition(writer, alternative);
            for other in &self.others {
                writer.text(" AND ");
                condition(writer, other);
            }
            if let Some(most) = most {
                writer.text(" LIMIT ");
                writer.number(most);
            }
            writer.text(close);
        }
    }

    fn key(&self, writer: &mut Writer) {
        let entity = self.plan.entity;
        writer.list(&entity.key, |writer, part| {
            writer.column(ColumnOf::new(entity, *part));
        });
    }
}

/// The conditions that must hold together.
fn conjuncts<'p, 'w>(
    predicate: &'p Predicate<'w>,
) -> Box<dyn Iterator<Item = &'p Predicate<'w>> + 'p> {
    match predicate {
        Predicate::All(parts) => Box::new(parts.iter().flat_map(conjuncts)),
        part => Box::new(std::iter::once(part)),
    }
}

/// Whether one of several alternatives goes through a relation. Databases read alternatives in columns from their indexes.
fn is_either(part: &Predicate<'_>) -> bool {
    let through = |part: &Predicate<'_>| matches!(part, Predicate::Exists { negated: false, .. });
    let is_related = |part: &Predicate<'_>| conjuncts(part).any(through);
    match part {
        // With an alternative that every row meets, there is nothing to choose.
        Predicate::Any(parts) if !part.is_always() => {
            let is_few = (2..=Either::MOST).contains(&parts.len());
            is_few && parts.iter().any(is_related)
        }
        _ => false,
    }
}
