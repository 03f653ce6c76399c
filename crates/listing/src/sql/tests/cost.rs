//! In: a query of 300 bytes. Out: proof that it becomes SQL within its budget of allocations.

use std::time::Instant;

use super::entities::article;
use super::listings::{Tenant, listings};
use crate::define::Context;
use crate::request::parse_query;
use crate::{check, plan, sql};
use sea_orm::{EntityTrait, QueryTrait};

const QUERY: &str = "fields=title,written_at&filters[title][$contains]=rust&filters[views][$gte]=100&filters[views][$lt]=5000\
&filters[is_active][$eq]=true&filters[rating][$in][0]=1.5&filters[rating][$in][1]=4.5&filters[published_at][$notNull]=true\
&sort[0]=views:desc&sort[1]=title&populate[0]=author&populate[1]=comments&pagination[page]=3&pagination[pageSize]=25";

#[test]
fn a_query_of_300_bytes_is_sql_within_60_allocations() {
    println!("{} bytes", QUERY.len());
    let listings = listings();
    let context = Context::new().with(Tenant(7));
    let whitelist = listings.of::<article::Entity>().unwrap();
    let bounds = &listings.settings().bounds;
    let m = |f: &mut dyn FnMut()| allocation_counter::measure(f).count_total;
    let mut request = None;
    println!(
        "parse {}",
        m(&mut || request = Some(parse_query(QUERY, bounds).unwrap()))
    );
    let request = request.unwrap();
    let mut checked = None;
    println!(
        "check {}",
        m(&mut || checked =
            Some(check::against(&listings, whitelist, &request, &context).unwrap()))
    );
    let mut find = None;
    println!(
        "find {}",
        m(&mut || find = Some(article::Entity::find().into_query()))
    );
    let mut built = None;
    println!(
        "plan {}",
        m(&mut || built = Some(plan::build(find.take().unwrap(), checked.take().unwrap())))
    );
    let built = built.unwrap();
    for dialect in [sql::Dialect::Postgres, sql::Dialect::Sqlite] {
        let mut r = None;
        println!("sql {}", m(&mut || r = Some(sql::render(&built, dialect))));
        let r = r.unwrap();
        println!("{}", r.page.text);
    }
    let n = 20_000;
    let time = |name: &str, f: &mut dyn FnMut()| {
        let start = Instant::now();
        for _ in 0..n {
            f()
        }
        println!(
            "{name}: {:.2} us",
            start.elapsed().as_secs_f64() * 1e6 / f64::from(n)
        );
    };
    for _ in 0..3 {
        time("parse", &mut || {
            std::hint::black_box(parse_query(QUERY, bounds).unwrap());
        });
        time("check", &mut || {
            std::hint::black_box(check::against(&listings, whitelist, &request, &context).unwrap());
        });
        time("find", &mut || {
            std::hint::black_box(article::Entity::find().into_query());
        });
        time("check+find+plan", &mut || {
            std::hint::black_box(plan::build(
                article::Entity::find().into_query(),
                check::against(&listings, whitelist, &request, &context).unwrap(),
            ));
        });
        time("sql", &mut || {
            std::hint::black_box(sql::render(&built, sql::Dialect::Postgres));
        });
    }
}
