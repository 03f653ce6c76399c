//! Checks the tree of relations to populate: names, options, and how many items it could return (d42, d78–d85).

use super::ignored::{Path, Unknown};
use super::{
    CheckError, CheckedSort, Junction, Page, Predicate, Trashed, filters, own, select, sort,
    visible,
};
use crate::define::{Calendar, Context, Listings, Whitelist, WhitelistRelation};
use crate::request::{AskedFilter, AskedPopulate, AskedRelation};
use crate::vocabulary::{Bounds, Complaint};

/// A relation to populate.
pub(crate) struct CheckedRelation<'w> {
    pub(crate) relation: &'w WhitelistRelation,
    pub(crate) shown: Shown,
    /// The related rows that the caller can see and requests.
    pub(crate) visible: Predicate<'w>,
    /// The junction of a many-to-many relation.
    pub(crate) through: Option<Junction<'w>>,
    /// Sorts of the related listing; `None` if the relation has its own order, or leads to a single row.
    pub(crate) order: Option<Vec<CheckedSort<'w>>>,
    /// How many items of each parent are skipped. At most `limit` items follow.
    pub(crate) start: u64,
    pub(crate) limit: u64,
    /// Whether the rows are only counted (d85).
    pub(crate) count: bool,
    /// Whether they are counted and shown (d147).
    pub(crate) with_count: bool,
    /// The relations of the related rows.
    pub(crate) relations: Vec<CheckedRelation<'w>>,
}

/// The visible parts of related rows.
pub(crate) enum Shown {
    /// The default fields of the relation.
    Default,
    /// Fields of the related listing, by index.
    Fields(Vec<usize>),
    /// Columns that were listed in place: 0 is `id`, the others begin at 1.
    Columns(Vec<usize>),
}

/// Checks the tree against the whitelists of its listings. `page` is the page of parents; without it there is a single parent.
pub(super) fn tree<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    asked: Option<&AskedPopulate>,
    page: Option<Page>,
    (context, calendar): (&'w Context, &Calendar<'w>),
    unknown: &mut Unknown,
) -> Result<Vec<CheckedRelation<'w>>, CheckError> {
    let mut walk = Walk {
        listings,
        context,
        calendar,
        unknown,
        relations: 0,
    };
    let relations = walk.level(whitelist, asked, Path::TOP)?;
    if !relations.is_empty() {
        Items::default().within(&relations, page, &listings.settings().bounds)?;
    }
    Ok(relations)
}

struct Walk<'w, 'u> {
    listings: &'w Listings,
    context: &'w Context,
    calendar: &'u Calendar<'w>,
    unknown: &'u mut Unknown,
    /// The number of relations so far.
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
                Some(asked) => {
                    let has_key = !whitelist.key.is_empty();
                    self.asked(relation, asked, has_key, around.below(&relation.name))?
                }
                None => self.plain(relation)?,
            });
        }
        Ok(checked)
    }

    /// A relation without options.
    fn plain(&self, relation: &'w WhitelistRelation) -> Result<CheckedRelation<'w>, CheckError> {
        Ok(CheckedRelation {
            relation,
            shown: Shown::Default,
            visible: visible::related(self.listings, relation, self.context)?,
            through: visible::junction(self.listings, relation, self.context)?,
            order: sort::of_related(self.listings, relation, self.context)?,
            start: 0,
            limit: relation.limit,
            count: false,
            with_count: false,
            relations: Vec::new(),
        })
    }

    fn asked(
        &mut self,
        relation: &'w WhitelistRelation,
        asked: &AskedRelation,
        has_key: bool,
        here: Path<'_>,
    ) -> Result<CheckedRelation<'w>, CheckError> {
        let listing = relation.target.listing.map(|at| self.listings.get(at));
        // If columns are listed in place, they are all there is (d79).
        let open = listing.filter(|_| relation.target.only.is_none());
        let limit = asked.limit.unwrap_or(relation.limit);
        for (option, is_sent) in [
            ("withCount", asked.with_count),
            ("pagination][start", asked.start.is_some()),
        ] {
            if is_sent && !relation.meta.to_many {
                return Err(CheckError::for_many(here, option));
            }
        }
        if asked.with_count && !has_key {
            return Err(CheckError::totals_without_key(here));
        }
        self.relations += usize::from(asked.with_count);
        Ok(CheckedRelation {
            relation,
            shown: self.shown(relation, asked, open, here),
            order: self.order(relation, asked, open, here)?,
            visible: self.visible(relation, asked, open, here)?,
            through: visible::junction(self.listings, relation, self.context)?,
            // No table has more rows, and every database accepts the number.
            start: asked.start.unwrap_or_default().min(MOST_ROWS),
            limit: limit.min(relation.limit),
            count: asked.count,
            with_count: asked.with_count,
            relations: self.below(asked, open, here)?,
        })
    }

    fn shown(
        &mut self,
        relation: &WhitelistRelation,
        asked: &AskedRelation,
        open: Option<&Whitelist>,
        here: Path<'_>,
    ) -> Shown {
        let Some(fields) = &asked.fields else {
            return Shown::Default;
        };
        if let Some(listing) = open {
            return Shown::Fields(select::fields(listing, Some(fields), here, self.unknown));
        }
        let only = relation.target.only.as_deref().unwrap_or_default();
        let key = &relation.target_key;
        Shown::Columns(select::columns(only, key, fields, here, self.unknown))
    }

    fn order(
        &mut self,
        relation: &WhitelistRelation,
        asked: &AskedRelation,
        open: Option<&'w Whitelist>,
        here: Path<'_>,
    ) -> Result<Option<Vec<CheckedSort<'w>>>, CheckError> {
        let (listings, context) = (self.listings, self.context);
        let sorts = asked.sort.as_deref();
        if let (Some(listing), Some(_)) = (open, sorts) {
            let order = sort::order(listings, listing, sorts, None, context, here, self.unknown)?;
            // The row of a to-one relation is not the client's choice.
            return Ok(relation.meta.to_many.then_some(order));
        }
        for sort in sorts.unwrap_or_default() {
            sort::unknown(&sort.name, here, self.unknown);
        }
        sort::of_related(listings, relation, context)
    }

    /// The related rows that the caller can see and requests. Defaults for keys that the client filters by are not evaluated,
    /// because they might require an identity (d31, d32).
    fn visible(
        &self,
        relation: &'w WhitelistRelation,
        asked: &AskedRelation,
        open: Option<&'w Whitelist>,
        here: Path<'_>,
    ) -> Result<Predicate<'w>, CheckError> {
        let (listings, context) = (self.listings, self.context);
        if asked.filters == AskedFilter::default() {
            let visible = visible::related(listings, relation, context)?;
            return Ok(match asked.count {
                true => {
                    let the_one = visible::the_one(relation, &visible);
                    visible.and(the_one)
                }
                false => visible,
            });
        }
        let Some(listing) = open else {
            return Err(CheckError::no_filters(&asked.filters, here));
        };
        let (narrowed, defaults) =
            filters::apart(listings, listing, &asked.filters, (context, self.calendar))?;
        let visible = own(listing, context, Trashed::Without).and(defaults);
        let the_one = visible::the_one(relation, &visible);
        Ok(visible.and(narrowed).and(the_one))
    }

    /// The relations of the related rows.
    fn below(
        &mut self,
        asked: &AskedRelation,
        open: Option<&'w Whitelist>,
        here: Path<'_>,
    ) -> Result<Vec<CheckedRelation<'w>>, CheckError> {
        let Some(populate) = &asked.populate else {
            return Ok(Vec::new());
        };
        let Some(listing) = open else {
            let named = populate.relations.iter().map(|relation| &relation.name);
            for name in named.chain(&populate.left_out) {
                select::unknown_relation(name, here, self.unknown);
            }
            return Ok(Vec::new());
        };
        self.level(listing, Some(populate), here)
    }
}

/// The largest number of rows that a request can skip.
const MOST_ROWS: u64 = i64::MAX.unsigned_abs() / 2;

impl CheckError {
    /// An option for several rows, on a to-one relation.
    fn for_many(here: Path<'_>, option: &str) -> Self {
        let parameter = Complaint::shorten(&format!("{}[{option}]", here.parameter()));
        let message = format!("`{parameter}` has no effect: the relation leads to one row.");
        let token = option.rsplit('[').next().unwrap_or(option).to_owned();
        Self::refused("populate_of_one", message, parameter, token, &[], None)
    }

    /// The request could return more items than are allowed.
    fn too_many_items(
        items: u64,
        most: u64,
        page: Option<Page>,
        parameter: &str,
        limit: u64,
    ) -> Self {
        let page = page.filter(|page| page.limit() > 1);
        let page = page.map(|page| format!("`{}` ({})", page.size_parameter(), page.limit()));
        let limit =
            (!parameter.is_empty()).then(|| format!("`{parameter}[pagination][limit]` ({limit})"));
        let numbers: Vec<_> = page.into_iter().chain(limit).collect();
        let message = format!(
            "The request could return {items} related items, but at most {most} are allowed; lower {}.",
            numbers.join(" or ")
        );
        let parameter = Complaint::shorten(parameter);
        let code = "too_many_items";
        Self::refused(code, message, parameter, items.to_string(), &[], None)
    }

    /// Totals are listed by the id of their row.
    fn totals_without_key(here: Path<'_>) -> Self {
        let parameter = Complaint::shorten(&format!("{}[withCount]", here.parameter()));
        let message = format!("`{parameter}` cannot be used here, because these rows have no key.");
        let token = "withCount".to_owned();
        Self::refused("populate_without_key", message, parameter, token, &[], None)
    }
}

/// How many items a request could return, and which relation contributes most (d81).
#[derive(Default)]
struct Items {
    sum: u64,
    /// The largest number, its relation, and the limit there.
    most: Option<(u64, String, u64)>,
}

impl Items {
    fn within(
        mut self,
        relations: &[CheckedRelation<'_>],
        page: Option<Page>,
        bounds: &Bounds,
    ) -> Result<(), CheckError> {
        self.add(relations, page.map_or(1, Page::limit), Path::TOP);
        if self.sum <= bounds.populate_items {
            return Ok(());
        }
        let (_, path, limit) = self.most.unwrap_or_default();
        let (sum, most) = (self.sum, bounds.populate_items);
        Err(CheckError::too_many_items(sum, most, page, &path, limit))
    }

    fn add(&mut self, relations: &[CheckedRelation<'_>], rows: u64, around: Path<'_>) {
        for relation in relations.iter().filter(|relation| !relation.count) {
            let to_many = relation.relation.meta.to_many;
            let limit = if to_many { relation.limit } else { 1 };
            let items = rows.saturating_mul(limit);
            self.sum = self.sum.saturating_add(items);
            let here = around.below(&relation.relation.name);
            // A to-one relation has no limit that could be lowered.
            if to_many && self.most.as_ref().is_none_or(|(most, ..)| items > *most) {
                self.most = Some((items, here.parameter(), limit));
            }
            self.add(&relation.relations, items, here);
        }
    }
}
