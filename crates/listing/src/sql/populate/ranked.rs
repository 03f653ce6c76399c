//! Numbers the rows of each parent and reads the first: for more parents, or more values, than a union takes (b209).

use super::super::keys::one_of;
use super::super::order;
use super::super::writer::{Numbered, Writer};
use super::numbered::{self, ALL};
use super::{Dialect, ParentBy, Populate, Write, link, link_form, related, row};
use crate::plan::{OrderBy, RelationPlan};
use crate::vocabulary::Key;

/// The first rows of each parent, by their number among its rows. They name their parent by its key, or by its number.
pub(super) fn ranked(
    plan: &RelationPlan<'_>,
    parents: &[Key],
    by: ParentBy,
    dialect: Dialect,
) -> Populate {
    const RANKED: &str = "listing_ranked";
    const RANK: &str = "listing_rank";
    let mut writer = Writer::new(dialect);
    let terms = || plan.order.iter().enumerate();
    let of_all = |writer: &mut Writer| {
        writer.name(ALL);
        writer.text(".");
    };
    let key = |writer: &mut Writer| {
        of_all(writer);
        writer.name("k");
    };
    writer.text("SELECT * FROM (SELECT ");
    let parent: Write<'_> = match by {
        ParentBy::Key => {
            of_all(&mut writer);
            writer.text("*");
            &key
        }
        ParentBy::Number => {
            numbered::row(&mut writer, plan);
            &numbered::number
        }
    };
    writer.text(", ROW_NUMBER() OVER (PARTITION BY ");
    parent(&mut writer);
    writer.text(" ORDER BY ");
    writer.list(terms(), |writer, (at, term)| {
        order::order_by(writer, term.direction, term.nulls, |writer| {
            of_all(writer);
            writer.numbered(match term.by {
                OrderBy::Selected(position) => Numbered::Selected(position),
                _ => Numbered::Sort(at),
            });
        });
    });
    writer.text(") AS ");
    writer.name(RANK);
    writer.text(" FROM (");
    let is_selected = |by: &OrderBy<'_>| matches!(by, OrderBy::Selected(_));
    related(&mut writer, plan, None, &|writer| {
        row(writer, plan, &|writer| link(writer, plan));
        for (at, term) in terms().filter(|(_, term)| !is_selected(&term.by)) {
            writer.text(", ");
            order::by(writer, &term.by, at);
            writer.text(" AS ");
            writer.numbered(Numbered::Sort(at));
        }
    });
    one_of(&mut writer, &plan.from.meta.kind, link_form(plan), parents);
    match by {
        ParentBy::Key => {
            writer.text(") AS ");
            writer.name(ALL);
        }
        ParentBy::Number => numbered::with_parents(&mut writer, parents, link_form(plan)),
    }
    writer.text(") AS ");
    writer.name(RANKED);
    writer.text(" WHERE ");
    if plan.start > 0 {
        writer.name(RANK);
        writer.text(" > ");
        writer.number(plan.start);
        writer.text(" AND ");
    }
    writer.name(RANK);
    writer.text(" <= ");
    writer.number(plan.start + plan.limit + u64::from(plan.to_many));
    writer.text(" ORDER BY ");
    writer.name(RANK);
    Populate {
        statement: writer.finish().planned(plan.plans),
        parent: by,
    }
}
