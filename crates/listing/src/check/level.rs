//! The filters at one level of the tree: those of the listing itself, or inside a relation.

use smallvec::SmallVec;

use crate::define::{
    EntityMeta, Listings, Whitelist, WhitelistFilter, WhitelistRelated, WhitelistRelation,
};

/// One place of the tree of filters, and which of its keys the client mentions there.
pub(super) struct Level<'w> {
    of: Of<'w>,
    /// The names around it inside a JSON column, `data.address.`; empty where it is not inside of one.
    json: String,
    /// Relations around it.
    pub(super) depth: usize,
    /// The keys that the client filters by, in groups too: their defaults do not hold (d31, d69).
    pub(super) touched: SmallVec<[&'w str; 8]>,
}

#[derive(Clone, Copy)]
enum Of<'w> {
    Listing(&'w Whitelist),
    Relation(&'w WhitelistRelated),
    /// The number of related rows of an entity's rows.
    Count(&'w EntityMeta, &'w WhitelistFilter),
}

impl<'w> Level<'w> {
    pub(super) fn of_listing(whitelist: &'w Whitelist) -> Self {
        Self {
            of: Of::Listing(whitelist),
            json: String::new(),
            depth: 0,
            touched: SmallVec::new(),
        }
    }

    /// The place inside a relation of this one.
    pub(super) fn inside(&self, related: &'w WhitelistRelated) -> Self {
        Self {
            of: Of::Relation(related),
            json: String::new(),
            depth: self.depth + 1,
            touched: SmallVec::new(),
        }
    }

    /// The place of the tests of how many related rows there are.
    pub(super) fn counting(&self, count: &'w WhitelistFilter) -> Self {
        Self {
            of: Of::Count(self.entity(), count),
            json: String::new(),
            depth: self.depth,
            touched: SmallVec::new(),
        }
    }

    /// The place inside a JSON column, or further inside.
    pub(super) fn inside_json(&self, name: &str) -> Self {
        Self {
            of: self.of,
            json: format!("{}{name}.", self.json),
            depth: self.depth,
            touched: SmallVec::new(),
        }
    }

    /// Whether filters look inside what this name leads to, which is JSON.
    pub(super) fn is_json(&self, listings: &'w Listings, name: &str) -> bool {
        self.names_inside(listings).any(|inside| inside == name)
    }

    /// The names that lead further inside a JSON column from here; those that end in a filter are not among them.
    fn names_inside(&self, listings: &'w Listings) -> impl Iterator<Item = &'w str> {
        let inside = self.filters(listings).filter_map(|filter| {
            let rest = match filter.path() {
                [] => return None,
                _ => filter.key.strip_prefix(self.json.as_str())?,
            };
            // A name of a column can have a dot in it.
            let name = match self.json.is_empty() {
                true => filter.root(),
                false => rest.split('.').next()?,
            };
            (name.len() < rest.len()).then_some(name)
        });
        inside.collect::<SmallVec<[&str; 4]>>().into_iter()
    }

    /// The entity whose columns are filtered by.
    pub(super) fn entity(&self) -> &'w EntityMeta {
        match self.of {
            Of::Listing(whitelist) => &whitelist.entity,
            Of::Relation(related) => &related.relation.meta.target,
            Of::Count(entity, _) => entity,
        }
    }

    /// The filter that clients can use under this key.
    pub(super) fn filter(&self, listings: &'w Listings, key: &str) -> Option<&'w WhitelistFilter> {
        if !self.json.is_empty() {
            let ends_here = |filter: &&WhitelistFilter| {
                let rest = filter.key.strip_prefix(self.json.as_str());
                !filter.path().is_empty() && rest == Some(key) && filter.last() == key
            };
            return self.filters(listings).find(ends_here);
        }
        if let Of::Relation(WhitelistRelated { id: Some(id), .. }) = self.of
            && key == id.key
        {
            return Some(id);
        }
        let is_it = |filter: &&WhitelistFilter| filter.key == key && filter.path().is_empty();
        self.filters(listings).find(is_it)
    }

    /// The relation that clients can filter through under this key.
    pub(super) fn relation(
        &self,
        listings: &'w Listings,
        key: &str,
    ) -> Option<&'w WhitelistRelated> {
        if !self.json.is_empty() {
            return None;
        }
        match self.of {
            Of::Listing(whitelist) => whitelist.related.iter().find(|related| related.key == key),
            Of::Relation(related) => related.related(listings).find(|related| related.key == key),
            Of::Count(..) => None,
        }
    }

    /// A relation that is filtered through as it is shown here, under the same name if it can be: its order says which of
    /// several rows it leads to (b32).
    pub(super) fn shown(
        &self,
        listings: &'w Listings,
        related: &'w WhitelistRelated,
    ) -> &'w WhitelistRelation {
        let shown = self.listing(listings).map(|listing| &listing.relations[..]);
        let is_it = |shown: &&WhitelistRelation| shown.meta.name == related.relation.meta.name;
        let all = shown.unwrap_or_default().iter().filter(is_it);
        let named = all.clone().find(|shown| shown.name == related.key);
        named
            .or_else(|| all.clone().next())
            .unwrap_or(&related.relation)
    }

    /// Every key that clients can use here.
    pub(super) fn known(&self, listings: &'w Listings) -> Vec<&'w str> {
        let mut known: Vec<&str> = Vec::new();
        for filter in self.filters(listings) {
            let name = match self.json.as_str() {
                "" => filter.root(),
                inside => match filter.key.strip_prefix(inside) {
                    Some(rest) => rest.split('.').next().unwrap_or(rest),
                    None => continue,
                },
            };
            if !known.contains(&name) {
                known.push(name);
            }
        }
        if !self.json.is_empty() {
            return known;
        }
        if let Of::Relation(WhitelistRelated { id: Some(id), .. }) = self.of
            && !known.contains(&id.key.as_str())
        {
            known.insert(0, &id.key);
        }
        let key = |related: &'w WhitelistRelated| related.key.as_str();
        match self.of {
            Of::Listing(whitelist) => known.extend(whitelist.related.iter().map(key)),
            Of::Relation(related) => known.extend(related.related(listings).map(key)),
            Of::Count(..) => {}
        }
        known
    }

    /// Whether this is a relation that is shown here, but not filtered through.
    pub(super) fn is_closed(&self, listings: &'w Listings, name: &str) -> bool {
        self.listing(listings)
            .is_some_and(|listing| listing.relation_names().any(|relation| relation == name))
    }

    /// The listing whose rows are filtered, if they have one.
    fn listing(&self, listings: &'w Listings) -> Option<&'w Whitelist> {
        match self.of {
            Of::Listing(whitelist) => Some(whitelist),
            Of::Relation(related) => {
                let listing = related.relation.target.listing?;
                Some(listings.get(listing))
            }
            Of::Count(..) => None,
        }
    }

    fn filters(&self, listings: &'w Listings) -> impl Iterator<Item = &'w WhitelistFilter> {
        let filters = match self.of {
            Of::Listing(whitelist) => &whitelist.filters,
            Of::Relation(related) => related.filters(listings),
            Of::Count(_, count) => std::slice::from_ref(count),
        };
        filters.iter().filter(|filter| !filter.operators.is_empty())
    }
}
