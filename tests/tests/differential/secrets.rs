//! No byte of an answer depends on what is hidden, whatever the request.

use axum::http::header::HeaderName;
use blog::data::demo_rows;
use blog::listings::CurrentUser;
use listing::Context;
use listing_tests::{Reply, Service, run};
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::Index;
use proptest::test_runner::TestCaseError;
use serde_json::{Map, Value, json};

use crate::answer::answer;
use crate::asked::{Asked, AskedPage, AskedSort, Names};
use crate::cases::try_cases;
use crate::listing::Table;
use crate::probe::{GUESSES, HIDDEN, Place, probes};
use crate::strategy;
use crate::twins::{TWINS, Twins, changed_rows};
use crate::wire::{Lists, Outgoing, Transport};

const PLAIN_QUERY: Transport = Transport::Query {
    lists: Lists::Indexed,
    escaped_brackets: false,
    plus: false,
};

/// Rules c1_r4, d44.
#[test]
fn no_byte_of_an_answer_depends_on_hidden_values() {
    let table = proptest::sample::select(Table::LISTED.to_vec());
    let valid = table.prop_flat_map(strategy::asked);
    let probe = (
        any::<Index>(),
        any::<Index>(),
        any::<Index>(),
        any::<Index>(),
    )
        .prop_map(|(place, column, guess, which)| {
            let probes = probes(
                *place.get(&Place::ALL),
                HIDDEN[column.index(HIDDEN.len())],
                GUESSES[guess.index(GUESSES.len())],
            );
            which.get(&probes).clone()
        });
    let probe = prop_oneof![1 => Just(Map::new()), 1 => probe];
    let cases = (valid, probe, strategy::transport(), any::<bool>());
    try_cases(cases, |(asked, probe, transport, strict)| {
        let path = asked.table.listing().path;
        let tree = with_probe(asked.tree(), probe);
        let request = Outgoing::new(path, tree, asked.transport(transport));
        let user = asked.user.map(|author_id| CurrentUser { author_id });
        for twins in TWINS.iter() {
            ask_both(twins, &request, strict, user)?;
        }
        Ok(())
    });
}

/// Rules c1_r4, c2_2_r8, c7_t1, d7.
#[test]
fn hidden_columns_are_not_selected() {
    hidden_columns_stay_hidden(Place::Fields);
}

/// Rules c1_r4, c2_6_r3, c7_t2, d7.
#[test]
fn hidden_columns_do_not_sort() {
    hidden_columns_stay_hidden(Place::Sort);
}

/// Rules c1_r4, c2_3_r1, c7_t3, d7, d47.
#[test]
fn hidden_columns_are_not_populated() {
    hidden_columns_stay_hidden(Place::Populate);
}

/// Rules c1_r4, d8.
#[test]
fn hidden_columns_cannot_be_filtered() {
    hidden_columns_stay_hidden(Place::Filters);
}

/// Rules d96, d98, d99, d104.
#[test]
fn no_byte_of_facets_and_totals_depends_on_hidden_values() {
    let numbers = json!({
        "facets": ["*"],
        "totals": { "views": ["sum", "avg", "min", "max"], "rating": ["avg", "min", "max"] },
    });
    let Value::Object(numbers) = numbers else {
        unreachable!("it is an object");
    };
    let cases = (
        strategy::asked(Table::Articles),
        strategy::transport(),
        any::<bool>(),
    );
    try_cases(cases, |(asked, transport, strict)| {
        let path = asked.table.listing().path;
        let tree = with_probe(asked.tree(), numbers.clone());
        let request = Outgoing::new(path, tree, asked.transport(transport));
        let user = asked.user.map(|author_id| CurrentUser { author_id });
        for twins in TWINS.iter() {
            let reply = ask_both(twins, &request, strict, user)?;
            let has_numbers = |reply: &Reply| reply.meta()["facets"].is_array();
            assert!(reply.status != 200 || has_numbers(&reply), "{request}");
        }
        Ok(())
    });
}

/// Rules d96, d106.
#[test]
fn no_byte_of_groups_depends_on_hidden_values() {
    let groups = [
        json!({ "by": ["author_id", "created_at:month"], "totals": { "views": ["sum", "avg", "min", "max"] } }),
        json!({ "by": ["is_active"], "totals": { "rating": ["avg", "max"] }, "sort": ["rating.max:desc"] }),
        json!({ "by": ["author_id"], "totals": { "views": ["sum"] }, "having": { "count": { "$gte": 2 } }, "sort": ["count"] }),
    ];
    let groups = proptest::sample::select(groups.to_vec());
    let cases = (
        strategy::asked(Table::Articles),
        groups,
        strategy::transport(),
        any::<bool>(),
    );
    try_cases(cases, |(asked, groups, transport, strict)| {
        let mut tree = asked.tree();
        // Groups are not rows: what is shown of a row is not asked for.
        tree.retain(|name, _| ["filters", "search", "trashed"].contains(&name.as_str()));
        let tree = with_probe(tree, groups.as_object().unwrap().clone());
        let transport = match asked.transport(transport) {
            Transport::Post => Transport::QueryMethod,
            other => other,
        };
        let request = Outgoing::new("/api/articles/_groups", tree, transport);
        let user = asked.user.map(|author_id| CurrentUser { author_id });
        for twins in TWINS.iter() {
            let reply = ask_both(twins, &request, strict, user)?;
            assert_eq!(reply.status, 200, "{request}: {}", reply.text());
        }
        Ok(())
    });
}

/// Rules d96, d97, d104, d106. What cannot be read is neither counted nor summed up, and its ends cannot be had.
#[test]
fn hidden_columns_are_neither_counted_nor_summed_up() {
    let mut transports = [PLAIN_QUERY, Transport::QueryMethod].into_iter().cycle();
    let one = |name: &str, value: Value| Map::from_iter([(name.to_owned(), value)]);
    for (addresses, groups, by) in [
        (
            ["/api/articles", "/api/articles/_facets"],
            "/api/articles/_groups",
            "is_active",
        ),
        (
            ["/api/authors", "/api/authors/_facets"],
            "/api/authors/_groups",
            "country",
        ),
    ] {
        for column in HIDDEN {
            for path in addresses {
                let ask = |tree, strict, transport| -> Vec<Reply> {
                    let request = Outgoing::new(path, tree, transport);
                    let twins = TWINS.iter();
                    twins.map(|twins| both(twins, &request, strict)).collect()
                };
                let transport = transports.next().unwrap();
                for strict in [false, true] {
                    for reply in ask(one("facets", json!([column])), strict, transport) {
                        let is_ignored =
                            reply.status == 200 && reply.meta()["ignored"]["facets"].is_array();
                        assert!(
                            reply.status == 400 || (!strict && is_ignored),
                            "{column}: {}",
                            reply.text()
                        );
                        assert!(
                            reply.meta()["facets"].is_null(),
                            "{column}: {}",
                            reply.text()
                        );
                    }
                    for function in ["min", "max", "count", "countDistinct"] {
                        let totals = one("totals", json!({ column: [function] }));
                        for reply in ask(totals, strict, transport) {
                            reply.error(400);
                        }
                    }
                }
            }
            for asked in [
                json!({ "by": [column] }),
                json!({ "by": [format!("{column}:month")] }),
                json!({ "by": [by], "sort": [column] }),
                json!({ "by": [by], "having": { column: { "$gte": 1 } } }),
            ] {
                let request = Outgoing::new(
                    groups,
                    asked.as_object().unwrap().clone(),
                    transports.next().unwrap(),
                );
                for twins in TWINS.iter() {
                    both(twins, &request, false).error(400);
                }
            }
        }
    }
}

/// Every hidden column, asked for in every way, of every list; as text and as JSON by turns.
fn hidden_columns_stay_hidden(place: Place) {
    let mut transports = [PLAIN_QUERY, Transport::Post].into_iter().cycle();
    for table in Table::LISTED {
        for (at, column) in HIDDEN.into_iter().enumerate() {
            for tree in probes(place, column, GUESSES[at % GUESSES.len()]) {
                let transport = transports.next().unwrap();
                let request = Outgoing::new(table.listing().path, tree.clone(), transport);
                for twins in TWINS.iter() {
                    let lenient = both(twins, &request, false);
                    let strict = both(twins, &request, true);
                    judge(place, table, &tree, &request, &lenient, &strict);
                }
            }
        }
    }
}

/// Both twins' answer, which is one.
fn both(twins: &Twins, request: &Outgoing, strict: bool) -> Reply {
    ask_both(twins, request, strict, None).unwrap_or_else(|failure| panic!("{failure}"))
}

/// A filter is refused, whatever the project's mode; the others are refused in strict mode and else at most ignored,
/// and then the answer is the one to the same request without them.
fn judge(
    place: Place,
    table: Table,
    tree: &Map<String, Value>,
    request: &Outgoing,
    lenient: &Reply,
    strict: &Reply,
) {
    let text = || format!("{request}\n{}\n{}", lenient.text(), strict.text());
    assert_eq!(strict.status.as_u16(), 400, "{}", text());
    if lenient.status.as_u16() == 200 && place != Place::Filters {
        assert!(lenient.meta()["ignored"].is_object(), "{}", text());
        if let Some(known) = what_is_known(place, table, tree) {
            let expected = answer(&known);
            assert_eq!(lenient.json()["data"], expected["data"], "{}", text());
        }
    } else {
        lenient.error(400);
    }
}

/// The request without the names that the listing does not have. The model knows lists of names alone: what options of
/// `populate` show is compared between the twins, and no further.
fn what_is_known(place: Place, table: Table, tree: &Map<String, Value>) -> Option<Asked> {
    let listing = table.listing();
    let fields = listing.default_fields.iter().chain(listing.further_fields);
    let relations = listing.relations.iter().map(|relation| &relation.name);
    let (parameter, allowed): (_, Vec<&'static str>) = match place {
        Place::Fields => ("fields", fields.copied().collect()),
        Place::Sort => ("sort", listing.sorts.to_vec()),
        Place::Populate => ("populate", relations.copied().collect()),
        Place::Filters => panic!("a filter is never ignored"),
    };
    let asked = tree[parameter].as_array()?;
    // The model does not know relations of relations.
    let deep = |name: &Value| name.as_str().unwrap().matches('.').count() > 1;
    if place == Place::Populate && asked.iter().any(deep) {
        return None;
    }
    let asked = asked
        .iter()
        .flat_map(|name| name.as_str().unwrap().split(','));
    let known = asked.filter_map(|name| {
        // A path populates what it leads through (d78).
        let end = if place == Place::Populate { '.' } else { ':' };
        let name = name.split(end).next().unwrap();
        // `-name` is the name, descending (d151).
        let turned = name.strip_prefix('-').filter(|_| place == Place::Sort);
        let direction = turned.map(|_| "desc");
        let name = turned.unwrap_or(name);
        let known = allowed.iter().find(|allowed| **allowed == name);
        Some((*known?, direction))
    });
    let sorts: Vec<(&'static str, Option<&'static str>)> = known.collect();
    let known = sorts.iter().map(|(name, _)| *name).collect();
    let mut asked = Asked {
        table,
        user: None,
        fields: Names::NotSent,
        populate: Names::NotSent,
        filters: Vec::new(),
        search: None,
        sorts: Vec::new(),
        page: AskedPage::Page {
            page: None,
            size: None,
        },
        with_count: None,
    };
    match place {
        Place::Fields => asked.fields = Names::These(known),
        Place::Populate => asked.populate = Names::These(known),
        // Nothing known is the primary key, ascending (d21).
        _ => {
            let sorts = match sorts.is_empty() {
                true => vec![("id", None)],
                false => sorts,
            };
            let sorts = sorts.into_iter();
            let sorts = sorts.map(|(name, direction)| AskedSort { name, direction });
            asked.sorts = sorts.collect();
        }
    }
    Some(asked)
}

/// The probe's parameters next to those of a valid request.
fn with_probe(mut tree: Map<String, Value>, probe: Map<String, Value>) -> Map<String, Value> {
    for (name, value) in probe {
        match (tree.get_mut(&name), value) {
            (Some(Value::Array(there)), Value::Array(more)) => there.extend(more),
            (Some(Value::Object(there)), Value::Object(more)) => there.extend(more),
            (_, value) => drop(tree.insert(name, value)),
        }
    }
    tree
}

fn ask_both(
    twins: &Twins,
    request: &Outgoing,
    strict: bool,
    user: Option<CurrentUser>,
) -> Result<Reply, TestCaseError> {
    let ask = |service: &Service| match user {
        None => run(request.send(service)),
        Some(user) => {
            let context = Context::new().with(user);
            run(request.send(&service.with_context(context)))
        }
    };
    let services = twins.services(strict);
    let engine = services[0].engine;
    let [demo, changed] = services.each_ref().map(ask);
    let fail = |problem: &str| {
        let (demo, changed) = (demo.text(), changed.text());
        let text =
            format!("{engine}, strict {strict}, {user:?}: {request}\n{problem}\n{demo}\n{changed}");
        Err(TestCaseError::fail(text))
    };
    if demo.bytes != changed.bytes || demo.status != changed.status {
        return fail("the answers differ");
    }
    if headers(&demo) != headers(&changed) {
        return fail("the headers differ");
    }
    if !matches!(demo.status.as_u16(), 200 | 400) {
        return fail("an unexpected status");
    }
    let (asked, told) = (request.to_string(), demo.text());
    // What a client wrote itself it may read again.
    let leaked = |email: &&String| told.contains(email.as_str()) && !asked.contains(email.as_str());
    if let Some(email) = EMAILS.iter().find(leaked) {
        return fail(&format!("tells {email}"));
    }
    Ok(demo)
}

static EMAILS: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| {
    let rows = demo_rows()
        .authors
        .into_iter()
        .chain(changed_rows().authors);
    rows.map(|author| author.email).collect()
});

/// All headers but the one that numbers requests.
fn headers(reply: &Reply) -> Vec<(HeaderName, String)> {
    let mut headers: Vec<_> = reply
        .headers
        .iter()
        .filter(|(name, _)| *name != "x-request-id")
        .map(|(name, value)| (name.clone(), format!("{value:?}")))
        .collect();
    headers.sort_by(|(a, _), (b, _)| a.as_str().cmp(b.as_str()));
    headers
}
