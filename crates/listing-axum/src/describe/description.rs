//! Describes an API to one caller: the lists that it may read, their related lists, and the records that it may write.

use std::collections::HashSet;

use listing::describe::{self, Audience, Listing, Operator};
use listing::whitelist::Whitelist;
use listing::{Context, Listings};
use sea_orm::DatabaseConnection;
use serde::{Deserialize, Serialize};

use super::Operations;
use super::names::{Named, relation_ends, type_names};
use crate::http::ApiError;
use crate::records::{ApiInfo, Operation, RouteTable, Served, Titles};

/// An API as plain data: what documents, pages and clients are made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ApiDescription {
    /// The title of the API.
    pub title: String,
    /// The application's version.
    pub version: String,
    /// A few sentences about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The path under which its routes are.
    pub prefix: String,
    /// How callers are known, if they can be.
    pub authentication: Option<Authentication>,
    /// The settings that clients can notice.
    pub settings: describe::Settings,
    /// Every operator, with its operand.
    pub operators: Vec<Operator>,
    /// The lists, and the listings that they lead to.
    pub listings: Vec<ResourceDescription>,
}

/// How callers are known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Authentication {
    /// `bearer`: a token in the header `Authorization`.
    pub scheme: String,
}

/// A listing with its addresses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceDescription {
    /// The name of its type in documents and clients: `Article`.
    pub type_name: String,
    /// Its names in messages.
    pub title: Titles,
    /// Its list's path. Without it the caller has no such list, and only relations lead there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The group of lists to which it belongs, for pages that show many of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The requests that clients can send to it.
    #[serde(flatten)]
    pub listing: Listing,
    /// The operations that the caller may use.
    pub operations: Operations,
}

impl ResourceDescription {
    /// The name of the type of a relation without a listing, in documents and clients: `ArticleSeo`.
    #[must_use]
    pub fn relation_type(&self, relation: &str) -> String {
        let ends = relation_ends(&self.listing);
        let end = ends.iter().find(|(name, _)| *name == relation);
        format!("{}{}", self.type_name, end.map_or("", |(_, end)| end))
    }
}

impl ApiDescription {
    /// The part that a caller may see. A resource whose list the caller may not read is left out, unless a relation of another
    /// one leads there: then it is described without an address, because that is how it can be read.
    ///
    /// # Errors
    /// When the database does not answer a decision that asks it.
    pub async fn for_caller(
        listings: &Listings,
        routes: &RouteTable,
        context: &Context,
        db: &DatabaseConnection,
    ) -> Result<Self, ApiError> {
        let mut allowed = Vec::new();
        for served in routes.served() {
            let mut operations = Vec::new();
            for known in &served.operations {
                if (served.may)(known.operation, context, db).await? {
                    operations.push(known.operation);
                }
            }
            allowed.push((served, operations));
        }
        let may = |served: &Served, operation: Operation| {
            let mut known = allowed.iter();
            known.any(|(known, operations)| {
                std::ptr::eq(*known, served) && operations.contains(&operation)
            })
        };
        Ok(Self::of(listings, routes, Audience::Caller(context), &may))
    }

    /// Everything that some caller may do, for those who develop the application.
    #[must_use]
    pub fn for_developers(listings: &Listings, routes: &RouteTable) -> Self {
        Self::of(listings, routes, Audience::Developers, &|_, _| true)
    }

    fn of(
        listings: &Listings,
        routes: &RouteTable,
        audience: Audience<'_>,
        may: &dyn Fn(&Served, Operation) -> bool,
    ) -> Self {
        let info = routes
            .info
            .clone()
            .unwrap_or_else(|| ApiInfo::new("API", "0.0.0"));
        let has_list = |served: &&Served| {
            let index = Operation::Index;
            served
                .operations
                .iter()
                .any(|known| known.operation == index)
                && may(served, index)
        };
        let listed: Vec<_> = routes.served().iter().filter(has_list).collect();
        let name = |whitelist: &Whitelist| name_of(whitelist, &listed, listings);
        let mut described: Vec<_> = listed
            .iter()
            .filter_map(|served| {
                let whitelist = listings.by_id(served.entity)?;
                let mut listing = describe::listing(listings, whitelist, &name, audience);
                listing.name = served.segment.to_string();
                let may = |operation| may(served, operation);
                Some(ResourceDescription {
                    type_name: String::new(),
                    title: served.titles.clone(),
                    path: Some(served.path.clone()),
                    group: served.group.as_ref().map(ToString::to_string),
                    listing,
                    operations: Operations::of(served, listings, &name, may),
                })
            })
            .collect();
        add_related(&mut described, listings, &name, audience);
        forget_unlisted(&mut described);
        let names = type_names(&described.iter().map(Named::of).collect::<Vec<_>>());
        for (known, name) in described.iter_mut().zip(names) {
            known.type_name = name;
        }
        let bearer = info.bearer.is_some_and(|condition| match audience {
            Audience::Caller(context) => condition(context),
            Audience::Developers => true,
        });
        Self {
            title: info.title,
            version: info.version,
            description: info.description,
            prefix: routes.prefix().to_owned(),
            authentication: bearer.then(|| Authentication {
                scheme: "bearer".to_owned(),
            }),
            settings: listings.settings().into(),
            operators: describe::operators(),
            listings: described,
        }
    }

    /// The listing of that name.
    #[must_use]
    pub fn listing(&self, name: &str) -> Option<&ResourceDescription> {
        self.listings
            .iter()
            .find(|known| known.listing.name == name)
    }
}

/// The name of a listing: the segment of the first list that the caller may read, or else its table's name.
fn name_of(whitelist: &Whitelist, listed: &[&Served], listings: &Listings) -> String {
    let is_it = |served: &&&Served| {
        let known = listings.by_id(served.entity);
        known.is_some_and(|known| std::ptr::eq(known, whitelist))
    };
    if let Some(served) = listed.iter().find(is_it) {
        return served.segment.to_string();
    }
    let table = whitelist.table_name();
    match listed.iter().any(|served| served.segment == table) {
        true => format!("{table}_related"),
        false => table.to_owned(),
    }
}

/// Adds what relations lead to.
fn add_related(
    described: &mut Vec<ResourceDescription>,
    listings: &Listings,
    name: &dyn Fn(&Whitelist) -> String,
    audience: Audience<'_>,
) {
    let mut at = 0;
    while let Some(known) = described.get(at) {
        let listing = &known.listing;
        let relations = listing.relations.iter().map(|relation| &relation.listing);
        let filters = listing
            .related_filters
            .iter()
            .map(|related| &related.listing);
        let targets: Vec<_> = relations.chain(filters).flatten().cloned().collect();
        for target in targets {
            if described.iter().any(|known| known.listing.name == target) {
                continue;
            }
            let Some(whitelist) = listings.iter().find(|known| name(known) == target) else {
                continue;
            };
            described.push(ResourceDescription {
                type_name: String::new(),
                title: Titles::of_table(whitelist.table_name()),
                path: None,
                group: None,
                listing: describe::listing(listings, whitelist, name, audience),
                operations: Operations::default(),
            });
        }
        at += 1;
    }
}

/// Ids are chosen from lists: those of a list that the caller may not read are plain values.
fn forget_unlisted(described: &mut [ResourceDescription]) {
    let listed = described.iter().filter(|known| known.path.is_some());
    let listed: HashSet<String> = listed.map(|known| known.listing.name.clone()).collect();
    let keep = |references: &mut Option<String>| {
        if references
            .as_ref()
            .is_some_and(|name| !listed.contains(name))
        {
            *references = None;
        }
    };
    for resource in described {
        let Listing {
            fields,
            record,
            filters,
            related_filters,
            relations,
            ..
        } = &mut resource.listing;
        let only = related_filters.iter_mut().flat_map(|related| {
            let only = related.only.iter_mut();
            let only = only.flat_map(|only| only.filters.iter_mut());
            only.chain(&mut related.id)
        });
        let fields = fields.iter_mut().chain(record);
        fields.for_each(|field| keep(&mut field.references));
        let filters = filters.iter_mut().chain(only);
        filters.for_each(|filter| keep(&mut filter.references));
        let references = resource.operations.references_mut();
        references.for_each(keep);
        for relation in relations {
            if relation
                .listing
                .as_ref()
                .is_some_and(|name| !listed.contains(name))
            {
                relation.inverse = None;
            }
        }
    }
}
