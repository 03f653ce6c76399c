//! Plans which related rows and columns to read, and how they are matched with their parents (d42–d45).

use super::columns::require_key;
use super::{
    ColumnOf, ColumnSource, Junction, OrderTerm, PlannedColumn, Predicate, columns, order,
};
use crate::check::{CheckError, CheckedRelation, Shown};
use crate::define::{Context, EntityMeta, Listings, Whitelist};
use crate::vocabulary::Plans;

/// A relation to populate.
pub(crate) struct RelationPlan<'w> {
    pub(crate) name: &'w str,
    pub(crate) to_many: bool,
    /// Items of each parent that are left out before the first.
    pub(crate) start: u64,
    /// Items for each parent.
    pub(crate) limit: u64,
    /// Whether at most one row meets a parent, so that no limit has to be written.
    pub(crate) unique: bool,
    pub(crate) entity: &'w EntityMeta,
    /// The related column that meets the parent's key; with a junction, the one that meets the junction.
    pub(crate) to: ColumnOf<'w>,
    pub(crate) through: Option<Junction<'w>>,
    /// The position of the parent's key among the keys of the parent's row.
    pub(crate) parent_key: usize,
    /// The parent's column, whose type the keys have.
    pub(crate) from: ColumnOf<'w>,
    pub(crate) columns: Vec<PlannedColumn<'w>>,
    pub(crate) visible: Predicate<'w>,
    /// Ends in the primary key; empty where the rows are counted.
    pub(crate) order: Vec<OrderTerm<'w>>,
    /// Whether the rows are counted and not read (d85).
    pub(crate) count: bool,
    /// Counts all of them, if that is requested with the rows (d147).
    pub(crate) totals: Option<Box<RelationPlan<'w>>>,
    /// The relations of the related rows.
    pub(crate) relations: Vec<RelationPlan<'w>>,
    /// How its statement is planned: as the related listing says.
    pub(crate) plans: Plans,
}

impl<'w> RelationPlan<'w> {
    /// Counts all related rows of each parent.
    fn counting(&self) -> Self {
        Self {
            start: 0,
            limit: 1,
            through: self.through.clone(),
            columns: Vec::new(),
            visible: self.visible.clone(),
            order: Vec::new(),
            count: true,
            totals: None,
            relations: Vec::new(),
            ..*self
        }
    }
}

/// Plans the relations of one level, and adds to the columns of their parents the keys that they need. Where the parents
/// are related rows themselves, their first key says whose they are.
pub(super) fn plan<'w>(
    listings: &'w Listings,
    parent: &'w EntityMeta,
    checked: Vec<CheckedRelation<'w>>,
    parent_columns: &mut Vec<PlannedColumn<'w>>,
    keys_before: usize,
    context: &Context,
) -> Result<Vec<RelationPlan<'w>>, CheckError> {
    let mut plans = Vec::with_capacity(checked.len());
    for checked in checked {
        let from = ColumnOf::new(parent, checked.relation.from);
        let at = require_key(parent_columns, from);
        plans.push(plan_one(listings, checked, from, at, context)?);
    }
    place(&mut plans, parent_columns, keys_before);
    Ok(plans)
}

/// A key's place among the keys is known only when all of them are.
pub(super) fn place(
    plans: &mut [RelationPlan<'_>],
    parent_columns: &[PlannedColumn<'_>],
    keys_before: usize,
) {
    for plan in plans {
        let before = parent_columns[..plan.parent_key].iter();
        plan.parent_key = keys_before + before.filter(|column| column.key).count();
        if let Some(totals) = &mut plan.totals {
            totals.parent_key = plan.parent_key;
        }
    }
}

fn plan_one<'w>(
    listings: &'w Listings,
    checked: CheckedRelation<'w>,
    from: ColumnOf<'w>,
    parent_column: usize,
    context: &Context,
) -> Result<RelationPlan<'w>, CheckError> {
    let relation = checked.relation;
    let entity = &relation.meta.target;
    let target = relation.target.listing.map(|listing| listings.get(listing));
    let only = relation.target.only.as_deref();
    let (mut columns, computed) = match (checked.shown, target) {
        _ if checked.count => (Vec::new(), Vec::new()),
        (Shown::Fields(fields), Some(target)) => {
            of_listing(listings, target, fields.into_iter(), context)?
        }
        (Shown::Default, Some(target)) if only.is_none() => {
            let is_default = |at: &usize| target.fields[*at].default;
            let fields = (0..target.fields.len()).filter(is_default);
            of_listing(listings, target, fields, context)?
        }
        (Shown::Columns(chosen), _) => {
            let columns = named(entity, &relation.target_key, only);
            let is_chosen = |(at, _): &(usize, _)| chosen.contains(at);
            let columns = columns.into_iter().enumerate().filter(is_chosen);
            let columns = columns.flat_map(|(_, columns)| columns);
            (columns.collect(), Vec::new())
        }
        _ => {
            let columns = named(entity, &relation.target_key, only);
            (columns.into_iter().flatten().collect(), Vec::new())
        }
    };
    let order = match (checked.order, target) {
        _ if checked.count => Vec::new(),
        (Some(sorts), Some(target)) => {
            order::complete(listings, target, sorts, &computed, context)?
        }
        _ => order::of_relation(relation),
    };
    let relations = match checked.relations.is_empty() {
        true => Vec::new(),
        false => {
            let entity = target.map_or(entity, |target| &target.entity);
            plan(
                listings,
                entity,
                checked.relations,
                &mut columns,
                1,
                context,
            )?
        }
    };
    let mut plan = RelationPlan {
        name: &relation.name,
        to_many: relation.meta.to_many,
        start: checked.start,
        limit: checked.limit,
        unique: relation.unique,
        entity,
        to: ColumnOf::new(entity, relation.to),
        through: checked.through,
        parent_key: parent_column,
        from,
        columns,
        visible: checked.visible,
        order,
        count: checked.count,
        totals: None,
        relations,
        plans: target.map_or(Plans::Shared, |target| target.plans),
    };
    plan.totals = checked.with_count.then(|| Box::new(plan.counting()));
    Ok(plan)
}

/// Selected columns, and the places of the computed ones among them.
type Selected<'w> = (Vec<PlannedColumn<'w>>, Vec<(usize, usize)>);

/// The selected fields of the related listing, and which of them are computed.
fn of_listing<'w>(
    listings: &'w Listings,
    target: &'w Whitelist,
    fields: impl Iterator<Item = usize> + Clone,
    context: &Context,
) -> Result<Selected<'w>, CheckError> {
    let computed = columns::computed_positions(target, fields.clone());
    let shown = fields.map(|at| &target.fields[at]);
    let columns = columns::of_fields(listings, &target.entity, shown, context)?;
    Ok((columns, computed))
}

/// `id`, which can be several columns, and the columns that were named on the spot.
fn named<'w>(
    entity: &'w EntityMeta,
    key: &[usize],
    only: Option<&'w [(usize, String)]>,
) -> Vec<Vec<PlannedColumn<'w>>> {
    let planned = |column: usize, name: &'w str| {
        let column = ColumnOf::new(entity, column);
        PlannedColumn {
            source: ColumnSource::Column(column),
            kind: &column.meta.kind,
            output: Some(name),
            part: false,
            key: false,
        }
    };
    let id = match key {
        [key] => vec![planned(*key, "id")],
        parts => columns::parts(entity, parts).collect(),
    };
    let others = only.unwrap_or_default().iter();
    let others = others.filter(|(column, _)| key != [*column]);
    std::iter::once(id)
        .chain(others.map(|(column, name)| vec![planned(*column, name)]))
        .collect()
}
