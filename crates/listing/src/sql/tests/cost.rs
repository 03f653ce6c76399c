//! Tests that a query of about 300 bytes becomes SQL within its budget of allocations.
//!
//! The time that it takes is a matter for the benchmark; the number of allocations is the same on every machine.

use allocation_counter::measure;
use sea_orm::{EntityTrait, QueryTrait};

use super::entities::article;
use super::listings::{Tenant, listings};
use crate::define::Context;
use crate::request::parse_query;
use crate::sql::Dialect;
use crate::{check, plan, sql};

const QUERY: &str = "fields=title,written_at&filters[title][$contains]=rust&filters[views][$gte]=100\
    &filters[is_active][$eq]=true&filters[rating][$in][0]=1.5&filters[rating][$in][1]=4.5&sort[0]=rating:desc\
    &sort[1]=title&populate[0]=author&populate[1]=comments&pagination[page]=3&pagination[pageSize]=25";

#[test]
fn a_query_of_300_bytes_is_sql_within_60_allocations() {
    assert!((280..=320).contains(&QUERY.len()), "{}", QUERY.len());
    let listings = listings();
    let context = Context::new().with(Tenant(7));
    let whitelist = listings.of::<article::Entity>().unwrap();
    let bounds = &listings.settings().bounds;
    for dialect in [Dialect::Postgres, Dialect::Mysql, Dialect::Sqlite] {
        let base = article::Entity::find().into_query();
        let (mut request, mut counts) = (None, [0; 4]);
        counts[0] = measure(|| request = parse_query(QUERY, bounds).ok()).count_total;
        let request = request.unwrap();
        let mut checked = None;
        let check = || checked = check::against(&listings, whitelist, &request, &context).ok();
        counts[1] = measure(check).count_total;
        let mut planned = None;
        let plan = || planned = plan::build(Some(Box::new(base)), checked.unwrap()).ok();
        counts[2] = measure(plan).count_total;
        let planned = planned.unwrap();
        counts[3] = measure(|| drop(sql::render(&planned, dialect))).count_total;
        let sum: u64 = counts.iter().sum();
        assert!(sum <= 60, "{sum}: parse, check, plan, SQL {counts:?}");
    }
}
