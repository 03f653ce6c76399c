//! Every database and every reader gives the model's answer to random valid requests, in the same bytes.

use std::cell::RefCell;

use blog::listings::CurrentUser;
use listing::Context;
use listing_tests::{Reply, Service, on_each_database, run};
use proptest::test_runner::TestCaseError;
use serde_json::Value;

use crate::answer::answer;
use crate::asked::Asked;
use crate::cases::try_cases;
use crate::listing::Table;
use crate::strategy;
use crate::wire::Outgoing;

/// Rules d21, d22, d25, d26, d27, d28, d29, d30, d31, d42, d46, d87.
#[test]
fn articles_are_as_the_model_says() {
    agree(Table::Articles);
}

/// Rules d36, d43, d44.
#[test]
fn authors_are_as_the_model_says() {
    agree(Table::Authors);
}

/// Rules d31, d42, d44.
#[test]
fn comments_are_as_the_model_says() {
    agree(Table::Comments);
}

/// Rules d39, d43.
#[test]
fn tags_are_as_the_model_says() {
    agree(Table::Tags);
}

/// How often things happened: a run in which nothing is ever found proves nothing.
#[derive(Debug, Default)]
struct Tally {
    cases: usize,
    filtered: usize,
    filtered_and_found: usize,
}

fn agree(table: Table) {
    let services = services();
    let tally = RefCell::new(Tally::default());
    let requests = (strategy::asked(table), strategy::transport());
    try_cases(requests, |(asked, transport)| {
        let path = table.listing().path;
        let request = Outgoing::new(path, asked.tree(), asked.transport(transport));
        let replies: Vec<_> = services
            .iter()
            .map(|service| (service.engine, ask(service, &asked, &request)))
            .collect();
        let expected = answer(&asked);
        let failed = |engine, problem: String| {
            let user = asked.user;
            TestCaseError::fail(format!("{engine}, user {user:?}: {request}\n{problem}"))
        };
        for (engine, reply) in &replies {
            same_as_model(reply, &expected).map_err(|problem| failed(engine, problem))?;
        }
        let ((first_engine, first), others) = replies.split_first().unwrap();
        for (engine, reply) in others {
            if reply.bytes != first.bytes {
                let (this, that) = (reply.text(), first.text());
                let problem = format!("other bytes than {first_engine}:\n{this}\n{that}");
                return Err(failed(engine, problem));
            }
        }
        let mut tally = tally.borrow_mut();
        tally.cases += 1;
        if !asked.filters.is_empty() {
            tally.filtered += 1;
            tally.filtered_and_found += usize::from(expected["data"] != Value::Array(Vec::new()));
        }
        Ok(())
    });
    let tally = tally.into_inner();
    // Of a handful of cases nothing can be said.
    let enough = tally.cases < 100 || tally.filtered_and_found * 5 >= tally.filtered;
    assert!(enough, "too few filters find something: {tally:?}");
}

/// The reference service on all three databases, through the fast readers and through SeaORM.
///
/// Of the first nothing is known of indexes, so that filtered lists are counted first and few rows collected (b660); of the
/// second it is known that its tables are small, and pages are read in their order.
fn services() -> Vec<Service> {
    let services = RefCell::new(Vec::new());
    on_each_database(async |service| {
        let inspected = service.with_settings(|_| {}).through_seaorm();
        let db = &inspected.db;
        inspected.listings.inspect_indexes(db).await.unwrap();
        let mut services = services.borrow_mut();
        services.push(service.clone());
        services.push(inspected);
    });
    services.into_inner()
}

fn ask(service: &Service, asked: &Asked, request: &Outgoing) -> Reply {
    run(async {
        match asked.user {
            None => request.send(service).await,
            Some(author_id) => {
                let context = Context::new().with(CurrentUser { author_id });
                request.send(&service.with_context(context)).await
            }
        }
    })
}

fn same_as_model(reply: &Reply, expected: &Value) -> Result<(), String> {
    if reply.status.as_u16() != 200 {
        return Err(format!("{}: {}", reply.status, reply.text()));
    }
    let mut given: Value = reply.json();
    // What may be wrong with a value that has a comma is advice, and no part of the answer.
    if let Some(meta) = given["meta"].as_object_mut() {
        meta.remove("hints");
    }
    if let Some(difference) = first_difference("", expected, &given) {
        return Err(difference);
    }
    // The keys of an item have an order too (d38).
    let (expected, given) = (expected["data"].to_string(), given["data"].to_string());
    if expected != given {
        return Err(format!(
            "the keys' order: expected {expected}\ngiven {given}"
        ));
    }
    Ok(())
}

/// Where two JSON values first differ, and how.
fn first_difference(place: &str, expected: &Value, given: &Value) -> Option<String> {
    match (expected, given) {
        _ if expected == given => None,
        (Value::Array(these), Value::Array(those)) if these.len() == those.len() => {
            let mut pairs = these.iter().zip(those).enumerate();
            pairs.find_map(|(at, (this, that))| {
                first_difference(&format!("{place}[{at}]"), this, that)
            })
        }
        (Value::Object(these), Value::Object(those)) => {
            let mut keys = these.keys().chain(those.keys());
            keys.find_map(|key| {
                let place = format!("{place}.{key}");
                match (these.get(key), those.get(key)) {
                    (Some(this), Some(that)) => first_difference(&place, this, that),
                    (this, that) => Some(format!("{place}: expected {this:?}, given {that:?}")),
                }
            })
        }
        _ => Some(format!("{place}: expected {expected}\ngiven {given}")),
    }
}
