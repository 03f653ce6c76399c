//! Checks the tree of relations to populate: names, options, and how much it could return (d42, d78–d85).

use super::ignored::{Path, Unknown};
use super::{
    CheckError, CheckedSort, Junction, Predicate, Trashed, filters, own, select, sort, visible,
};
use crate::define::{Context, Listings, Whitelist, WhitelistRelation};
use crate::request::{AskedFilter, AskedPopulate, AskedRelation};
use crate::vocabulary::Bounds;

/// A relation to populate.
pub(crate) struct CheckedRelation<'w> {
    pub(crate) relation: &'w WhitelistRelation,
    pub(crate) shown: Shown,
    /// Which related rows the caller can see, and asks for.
    pub(crate) visible: Predicate<'w>,
    /// The junction of a many-to-many relation.
    pub(crate) through: Option<Junction<'w>>,
    /// Sorts of the related listing; none where the relation has an order of its own, or leads to one row.
    pub(crate) order: Option<Vec<CheckedSort<'w>>>,
    /// At most this many items for each parent.
    pub(crate) limit: u64,
    /// Whether the rows are counted and not shown (d85).
    pub(crate) count: bool,
    /// The relations of the related rows.
    pub(crate) relations: Vec<CheckedRelation<'w>>,
}

/// What is shown of related rows.
pub(crate) enum Shown {
    /// What the relation shows when nothing is asked.
    Default,
    /// These fields of the related listing, by index.
    Fields(Vec<usize>),
    /// These of the columns that were named on the spot: 0 is `id`, the others begin at 1.
    Columns(Vec<usize>),
}

/// Holds the tree against the whitelists that it leads through. `rows` is how many rows the top can have.
pub(super) fn tree<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    asked: Option<&AskedPopulate>,
    rows: u64,
    context: &'w Context,
    unknown: &mut Unknown,
) -> Result<Vec<CheckedRelation<'w>>, CheckError> {
    let mut walk = Walk {
        listings,
        context,
        unknown,
        relations: 0,
    };
    let relations = walk.level(whitelist, asked, Path::TOP)?;
    if !relations.is_empty() {
        Items::default().within(&relations, rows, &listings.settings().bounds)?;
    }
    Ok(relations)
}

struct Walk<'w, 'u> {
    listings: &'w Listings,
    context: &'w Context,
    unknown: &'u mut Unknown,
    /// How many relations there are so far.
    relations: usize,
}

impl<'w> Walk<'w, '_> {
    fn level(
        &mut self,
        whitelist: &'w Whitelist,
        asked: Option<&AskedPopulate>,
        around: Path<'_>,
    ) -> Result<Vec<CheckedRelation<'w>>, CheckError> {
        let chosen = select::relations(whitelist, asked, around, self.unknown);
        self.relations += chosen.len();
        let limit = self.listings.settings().bounds.populate_relations;
        if self.relations > limit {
            return Err(CheckError::too_many_relations(limit));
        }
        let mut checked = Vec::with_capacity(chosen.len());
        for (relation, asked) in chosen {
            checked.push(match asked {
                Some(asked) => self.asked(relation, asked, around.below(&relation.name))?,
                None => self.plain(relation)?,
            });
        }
        Ok(checked)
    }

    /// A relation of which nothing in particular is asked.
    fn plain(&self, relation: &'w WhitelistRelation) -> Result<CheckedRelation<'w>, CheckError> {
        Ok(CheckedRelation {
            relation,
            shown: Shown::Default,
            visible: visible::related(self.listings, relation, self.context)?,
            through: visible::junction(self.listings, relation, self.context)?,
            order: sort::of_related(self.listings, relation, self.context)?,
            limit: relation.limit,
            count: false,
            relations: Vec::new(),
        })
    }

    fn asked(
        &mut self,
        relation: &'w WhitelistRelation,
        asked: &AskedRelation,
        here: Path<'_>,
    ) -> Result<CheckedRelation<'w>, CheckError> {
        let mut checked = self.plain(relation)?;
        let listing = relation.target.listing.map(|at| self.listings.get(at));
        // Columns that were named on the spot are all that there is (d79).
        let open = listing.filter(|_| relation.target.only.is_none());
        if let Some(fields) = &asked.fields {
            checked.shown = match (open, &relation.target.only) {
                (Some(listing), _) => {
                    let fields = select::fields(listing, Some(fields), here, self.unknown);
                    Shown::Fields(fields)
                }
                (None, only) => {
                    let only = only.as_deref().unwrap_or_default();
                    let key = &relation.target_key;
                    Shown::Columns(select::columns(only, key, fields, here, self.unknown))
                }
            };
        }
        if let Some(sorts) = &asked.sort {
            match open {
                Some(listing) => {
                    let (listings, context) = (self.listings, self.context);
                    let sorts = Some(sorts.as_slice());
                    let order =
                        sort::order(listings, listing, sorts, None, context, here, self.unknown)?;
                    // Which row a relation to one leads to is not the client's to choose.
                    checked.order = relation.meta.to_many.then_some(order);
                }
                None => sorts
                    .iter()
                    .for_each(|sort| sort::unknown(&sort.name, here, self.unknown)),
            }
        }
        if asked.filters != AskedFilter::default() {
            let Some(listing) = open else {
                return Err(CheckError::no_filters(&asked.filters, here));
            };
            let (narrowed, defaults) =
                filters::apart(self.listings, listing, &asked.filters, self.context)?;
            let visible = own(listing, self.context, Trashed::Without).and(defaults);
            let the_one = visible::the_one(relation, &visible);
            checked.visible = visible.and(narrowed).and(the_one);
        } else if asked.count {
            let the_one = visible::the_one(relation, &checked.visible);
            checked.visible = checked.visible.and(the_one);
        }
        if let Some(limit) = asked.limit {
            checked.limit = limit.min(relation.limit);
        }
        checked.count = asked.count;
        if let Some(populate) = &asked.populate {
            match open {
                Some(listing) => checked.relations = self.level(listing, Some(populate), here)?,
                None => {
                    let named = populate.relations.iter().map(|relation| &relation.name);
                    for name in named.chain(&populate.left_out) {
                        select::unknown_relation(name, here, self.unknown);
                    }
                }
            }
        }
        if checked.count {
            // A number has no relations.
            checked.relations = Vec::new();
        }
        Ok(checked)
    }
}

/// How many items a request could return, and which relation has most of them (d81).
#[derive(Default)]
struct Items {
    sum: u64,
    /// How many, where, and the limit there.
    most: Option<(u64, String, u64)>,
}

impl Items {
    fn within(
        mut self,
        relations: &[CheckedRelation<'_>],
        rows: u64,
        bounds: &Bounds,
    ) -> Result<(), CheckError> {
        self.add(relations, rows, Path::TOP);
        if self.sum <= bounds.populate_items {
            return Ok(());
        }
        let (_, path, limit) = self.most.unwrap_or_default();
        let (sum, most) = (self.sum, bounds.populate_items);
        Err(CheckError::too_many_items(sum, most, rows, &path, limit))
    }

    fn add(&mut self, relations: &[CheckedRelation<'_>], rows: u64, around: Path<'_>) {
        for relation in relations.iter().filter(|relation| !relation.count) {
            let to_many = relation.relation.meta.to_many;
            let limit = if to_many { relation.limit } else { 1 };
            let items = rows.saturating_mul(limit);
            self.sum = self.sum.saturating_add(items);
            let here = around.below(&relation.relation.name);
            // A relation to one has no number that could be lowered.
            if to_many && self.most.as_ref().is_none_or(|(most, ..)| items > *most) {
                self.most = Some((items, here.parameter(), limit));
            }
            self.add(&relation.relations, items, here);
        }
    }
}
