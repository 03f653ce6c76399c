//! In: requests, as clients send them. Out: proof of what they are in the SQL of three databases.

mod cases;
mod entities;
mod identifiers;
mod listings;

use sea_orm::QueryTrait;

use self::entities::{article, author, comment, tag};
use self::listings::{Tenant, listings};
use super::{Count, Dialect, Statement};
use crate::define::{Context, HasListing, Listings};
use crate::request::Request;
use crate::vocabulary::{Key, Kind};
use crate::{check, plan};

const DIALECTS: [(&str, Dialect); 3] = [
    ("PostgreSQL", Dialect::Postgres),
    ("MariaDB", Dialect::Mysql),
    ("SQLite", Dialect::Sqlite),
];

/// Every statement of a request, as if the page had two rows.
fn statements(path: &str, request: &Request, dialect: Dialect) -> Vec<Statement> {
    let (listings, context) = (listings(), Context::new().with(Tenant(7)));
    match path {
        "articles" => of::<article::Entity>(&listings, request, &context, dialect),
        "authors" => of::<author::Entity>(&listings, request, &context, dialect),
        "comments" => of::<comment::Entity>(&listings, request, &context, dialect),
        // Nobody's.
        "strangers" => of::<author::Entity>(&listings, request, &Context::new(), dialect),
        "tags" => of::<tag::Entity>(&listings, request, &context, dialect),
        _ => panic!("there is no {path}"),
    }
}

fn of<E: HasListing>(
    listings: &Listings,
    request: &Request,
    context: &Context,
    dialect: Dialect,
) -> Vec<Statement> {
    let whitelist = listings.of::<E>().unwrap();
    let checked = check::against(listings, whitelist, request, context)
        .unwrap_or_else(|error| panic!("{error}"));
    let plan = plan::build(E::find().into_query(), checked);
    let rendered = super::render(&plan, dialect);
    let populated = plan.relations.iter().map(|relation| {
        let parents = match relation.from.meta.kind {
            Kind::Uuid => [Key::Uuid([0x11; 16]), Key::Uuid([0x22; 16])],
            _ => [Key::Int(11), Key::Int(22)],
        };
        super::populate(relation, &parents, dialect)
    });
    let count = match rendered.count {
        Count::None => vec![],
        Count::Exact(count) | Count::Cached { count, .. } | Count::Capped { count, .. } => {
            vec![count]
        }
        Count::Estimated { estimate, count } => estimate.into_iter().chain([count]).collect(),
    };
    rendered
        .page
        .into_iter()
        .chain(count)
        .chain(populated)
        .collect()
}
