//! Plans which related rows and columns to read, and how they are matched with their parents (d42–d45).

use super::columns::require_key;
use super::{
    ColumnOf, ColumnSource, Junction, OrderTerm, PlannedColumn, Predicate, columns, order,
};
use crate::check::{CheckError, CheckedRelation};
use crate::define::{Context, EntityMeta, Listings, Whitelist, WhitelistRelation};
use crate::vocabulary::Plans;

/// A relation to populate.
pub(crate) struct RelationPlan<'w> {
    pub(crate) name: &'w str,
    pub(crate) to_many: bool,
    /// Items for each parent.
    pub(crate) limit: u64,
    /// Whether at most one row meets a parent, so that no limit has to be written.
    pub(crate) unique: bool,
    pub(crate) entity: &'w EntityMeta,
    /// The related column that meets the parent's key; with a junction, the one that meets the junction.
    pub(crate) to: ColumnOf<'w>,
    pub(crate) through: Option<Junction<'w>>,
    /// Where the parent's key is among the page's keys.
    pub(crate) parent_key: usize,
    /// The parent's column, whose type the keys have.
    pub(crate) from: ColumnOf<'w>,
    pub(crate) columns: Vec<PlannedColumn<'w>>,
    pub(crate) visible: Predicate<'w>,
    pub(crate) order: Vec<OrderTerm<'w>>,
    /// How its statement is planned: as the related listing says.
    pub(crate) plans: Plans,
}

/// Plans the relations, and adds to the page's columns the keys that they need.
pub(super) fn plan<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    checked: Vec<CheckedRelation<'w>>,
    page_columns: &mut Vec<PlannedColumn<'w>>,
    context: &Context,
) -> Result<Vec<RelationPlan<'w>>, CheckError> {
    let mut plans: Vec<_> = checked
        .into_iter()
        .map(|checked| {
            let relation = &whitelist.relations[checked.index];
            let from = ColumnOf::new(&whitelist.entity, relation.from);
            let at = require_key(page_columns, from);
            plan_one(listings, relation, checked, from, at, context)
        })
        .collect::<Result<_, _>>()?;
    // A key's place among the keys is known only when all of them are.
    for plan in &mut plans {
        plan.parent_key = page_columns[..plan.parent_key]
            .iter()
            .filter(|c| c.key)
            .count();
    }
    Ok(plans)
}

fn plan_one<'w>(
    listings: &'w Listings,
    relation: &'w WhitelistRelation,
    checked: CheckedRelation<'w>,
    from: ColumnOf<'w>,
    parent_column: usize,
    context: &Context,
) -> Result<RelationPlan<'w>, CheckError> {
    let entity = &relation.meta.target;
    let target = relation.target.listing.map(|listing| listings.get(listing));
    let (columns, computed) = match (&relation.target.only, target) {
        (None, Some(target)) => {
            let is_default = |at: &usize| target.fields[*at].default;
            let fields = (0..target.fields.len()).filter(is_default);
            let computed = columns::computed_positions(target, fields.clone());
            let shown = fields.map(|at| &target.fields[at]);
            let columns = columns::of_fields(listings, &target.entity, shown, context)?;
            (columns, computed)
        }
        (only, _) => (
            named(entity, relation.target_key, only.as_deref()),
            Vec::new(),
        ),
    };
    let order = match target {
        Some(target) if relation.order.is_empty() => {
            order::complete(listings, target, checked.order, &computed, context)?
        }
        _ => order::of_columns(entity, &relation.order, relation.target_key),
    };
    Ok(RelationPlan {
        name: &relation.name,
        to_many: relation.meta.to_many,
        limit: relation.limit,
        unique: relation.unique,
        entity,
        to: ColumnOf::new(entity, relation.to),
        through: checked.through,
        parent_key: parent_column,
        from,
        columns,
        visible: checked.visible,
        order,
        plans: target.map_or(Plans::Shared, |target| target.plans),
    })
}

/// `id`, and the columns that were named on the spot.
fn named<'w>(
    entity: &'w EntityMeta,
    key: usize,
    only: Option<&'w [(usize, String)]>,
) -> Vec<PlannedColumn<'w>> {
    let planned = |column: usize, name: &'w str| {
        let column = ColumnOf::new(entity, column);
        PlannedColumn {
            source: ColumnSource::Column(column),
            kind: &column.meta.kind,
            output: Some(name),
            key: false,
        }
    };
    let others = only.unwrap_or_default().iter();
    let others = others.filter(|(column, _)| *column != key);
    std::iter::once(planned(key, "id"))
        .chain(others.map(|(column, name)| planned(*column, name)))
        .collect()
}
