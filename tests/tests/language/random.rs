//! Random trees of groups, negations and relations: every database gives the model's rows, and `$not` the others.

use std::cell::Cell;
use std::collections::BTreeSet;

use listing::HasListing;
use listing_tests::Reply;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::model::{Row, Tree};
use crate::world::{World, ids, on_each_world, project, task};

#[derive(Debug, Clone, Copy)]
pub(crate) enum Entity {
    Project,
    Owner,
    Label,
    Task,
}

const TEXTS: [&str; 21] = [
    "Atlas",
    "atlas",
    "ATLAS TWO",
    "A",
    "a",
    "las",
    " two",
    "%",
    "_",
    "\\",
    "100% wool_\\",
    "wool",
    "Ä",
    "Bor",
    "plan",
    "WRITE",
    "e",
    "secret",
    "",
    "Ada",
    "urgent",
];

fn text(key: &'static str) -> impl Strategy<Value = Tree> {
    let value = || prop::sample::select(&TEXTS[..]);
    let one = prop::sample::select(vec![
        "$eq",
        "$ne",
        "$contains",
        "$notContains",
        "$startsWith",
        "$endsWith",
        "$startsWithi",
        "$endsWithi",
        "$eqi",
        "$nei",
    ]);
    let many = prop::sample::select(vec!["$in", "$notIn"]);
    prop_oneof![
        6 => (one, value()).prop_map(move |(operator, value)| {
            Tree::Compare(key, operator, vec![value])
        }),
        2 => (many, prop::collection::vec(value(), 0..3))
            .prop_map(move |(operator, values)| Tree::Compare(key, operator, values)),
        1 => nulls(key),
    ]
}

fn number(key: &'static str) -> impl Strategy<Value = Tree> {
    let value = || prop::sample::select(vec!["0", "1", "2", "3", "4", "7"]);
    let one = prop::sample::select(vec!["$eq", "$ne", "$lt", "$gte"]);
    prop_oneof![
        4 => (one, value()).prop_map(move |(operator, value)| {
            Tree::Compare(key, operator, vec![value])
        }),
        1 => (value(), value())
            .prop_map(move |(low, high)| Tree::Compare(key, "$between", vec![low, high])),
        1 => nulls(key),
    ]
}

/// A comparison with a small number.
fn comparison(key: &'static str) -> impl Strategy<Value = Tree> {
    let value = prop::sample::select(vec!["0", "1", "2", "3"]);
    let operator = prop::sample::select(vec!["$eq", "$ne", "$lt", "$gte"]);
    (operator, value).prop_map(move |(operator, value)| Tree::Compare(key, operator, vec![value]))
}

/// A condition on how many rows one of these relations leads to.
fn counted(keys: &'static [&'static str]) -> impl Strategy<Value = Tree> {
    (prop::sample::select(keys), comparison("")).prop_map(|(key, comparison)| match comparison {
        Tree::Compare(_, operator, values) => Tree::Counted(key, operator, values),
        other => other,
    })
}

/// An operator that every id of a related row has, and its values.
fn of_ids() -> impl Strategy<Value = (&'static str, Vec<&'static str>)> {
    let value = || prop::sample::select(vec!["1", "2", "3", "4", "7"]);
    let one = prop::sample::select(vec!["$eq", "$ne"]);
    let many = prop::sample::select(vec!["$in", "$notIn"]);
    prop_oneof![
        (one, value()).prop_map(|(operator, value)| (operator, vec![value])),
        (many, prop::collection::vec(value(), 0..3)),
    ]
}

fn boolean(key: &'static str, with_ne: bool) -> impl Strategy<Value = Tree> {
    let operators = if with_ne {
        vec!["$eq", "$ne"]
    } else {
        vec!["$eq"]
    };
    let operator = prop::sample::select(operators);
    let value = prop::sample::select(vec!["true", "false"]);
    (operator, value).prop_map(move |(operator, value)| Tree::Compare(key, operator, vec![value]))
}

/// What is asked of an array of texts.
fn array(key: &'static str) -> impl Strategy<Value = Tree> {
    let values = |least| prop::collection::vec(prop::sample::select(&TEXTS[..5]), least..3);
    let all = prop::sample::select(vec!["$contains", "$notContains"]);
    let any = prop::sample::select(vec!["$in", "$notIn"]);
    prop_oneof![
        3 => (all, values(1)).prop_map(move |(operator, values)| Tree::Compare(key, operator, values)),
        3 => (any, values(0)).prop_map(move |(operator, values)| Tree::Compare(key, operator, values)),
        1 => nulls(key),
    ]
}

fn nulls(key: &'static str) -> impl Strategy<Value = Tree> {
    let operator = prop::sample::select(vec!["$null", "$notNull"]);
    let value = prop::sample::select(vec!["true", "false"]);
    (operator, value).prop_map(move |(operator, value)| Tree::Compare(key, operator, vec![value]))
}

/// A condition on one row, through at most so many relations.
fn leaf(entity: Entity, relations: u32) -> BoxedStrategy<Tree> {
    let own = match entity {
        Entity::Project => prop_oneof![
            3 => text("name"),
            1 => number("id"),
            2 => number("owner_id"),
            1 => number("labels_count"),
            1 => number("latest"),
            2 => text("data.city"),
            1 => number("data.size.beds"),
            1 => boolean("data.open", true),
            1 => nulls("data.open"),
            2 => array("tags"),
            1 => array("data.notes"),
            1 => prop::sample::select(&TEXTS[..])
                .prop_map(|name| Tree::Compare("named", "$eq", vec![name])),
        ]
        .boxed(),
        Entity::Owner => text("name").boxed(),
        Entity::Label => prop_oneof![3 => text("name"), 1 => comparison("projects_count")].boxed(),
        Entity::Task => prop_oneof![
            3 => text("title"),
            2 => boolean("done", true),
            1 => nulls("done"),
            1 => boolean("hidden", false),
            1 => comparison("parts_count"),
        ]
        .boxed(),
    };
    if relations == 0 {
        return own;
    }
    let through: &[(&str, Entity)] = match entity {
        Entity::Project => &[
            ("owner", Entity::Owner),
            ("labels", Entity::Label),
            ("tasks", Entity::Task),
        ],
        Entity::Owner | Entity::Label => &[("projects", Entity::Project)],
        Entity::Task => &[("parent", Entity::Task), ("parts", Entity::Task)],
    };
    let related = prop::sample::select(through).prop_flat_map(move |(key, target)| {
        let quantifier = prop::sample::select(vec!["", "$some", "$none", "$every"]);
        let inside = (quantifier, tree(target, relations - 1));
        prop_oneof![
            5 => inside.prop_map(move |(quantifier, part)| {
                Tree::Related(key, quantifier, Box::new(part))
            }),
            1 => any::<bool>().prop_map(move |is_null| Tree::Absent(key, is_null)),
            1 => of_ids().prop_map(move |(operator, values)| Tree::ById(key, operator, values)),
            1 => (prop::sample::select(vec!["", "$none", "$every"]), of_ids())
                .prop_map(move |(quantifier, (operator, values))| {
                    let id = Tree::Compare("id", operator, values);
                    Tree::Related(key, quantifier, Box::new(id))
                }),
        ]
    });
    match entity {
        Entity::Owner | Entity::Label => prop_oneof![2 => own, 3 => related].boxed(),
        Entity::Project => {
            let counted = counted(&["labels", "tasks"]);
            prop_oneof![4 => own, 6 => related, 1 => counted].boxed()
        }
        Entity::Task => prop_oneof![4 => own, 6 => related, 1 => counted(&["parts"])].boxed(),
    }
}

pub(crate) fn tree(entity: Entity, relations: u32) -> BoxedStrategy<Tree> {
    let deeper = |part: BoxedStrategy<Tree>| {
        prop_oneof![
            prop::collection::vec(part.clone(), 1..4).prop_map(Tree::All),
            prop::collection::vec(part.clone(), 1..4).prop_map(Tree::Any),
            part.prop_map(|part| Tree::Not(Box::new(part))),
        ]
    };
    // Within the bound on groups of a request, whatever the number of relations between them.
    leaf(entity, relations)
        .prop_recursive(if relations > 1 { 2 } else { 1 }, 6, 3, deeper)
        .boxed()
}

async fn ask<E: HasListing>(world: &World, tree: &Tree) -> Reply {
    ask_from::<E>(world, tree, 0).await
}

async fn ask_from<E: HasListing>(world: &World, tree: &Tree, start: u64) -> Reply {
    let body = json!({
        "filters": tree.json(), "sort": ["id"], "pagination": { "start": start, "limit": 100 },
    });
    world.post::<E>(&body).await
}

fn agree<E: HasListing>(entity: Entity, seen: impl Fn(&Tree) -> Vec<Row>) {
    let found = Cell::new(0);
    let mut trees = Vec::new();
    let mut runner = TestRunner::deterministic();
    // The same trees for every database, gathered first: a test on a database is asynchronous.
    let strategy = tree(entity, 3);
    for _ in 0..100 {
        trees.push(strategy.new_tree(&mut runner).unwrap().current());
    }
    on_each_world(async |world| {
        for tree in &trees {
            let rows = seen(tree);
            let expected: Vec<_> = rows
                .iter()
                .filter(|row| tree.holds(**row))
                .map(|row| row.id())
                .collect();
            let reply = ask::<E>(world, tree).await;
            assert_eq!(reply.status, 200, "{}: {}", tree.json(), reply.text());
            assert_eq!(ids(&reply), expected, "{}", tree.json());
            assert_eq!(reply.total(), expected.len() as u64, "{}", tree.json());
            // Without the first of them, whatever leads to it (b446).
            let rest = ids(&ask_from::<E>(world, tree, 1).await);
            assert_eq!(
                rest,
                expected.get(1..).unwrap_or_default(),
                "{}",
                tree.json()
            );
            // The complement: all others, and none twice.
            let others = ids(&ask::<E>(world, &Tree::Not(Box::new(tree.clone()))).await);
            let all: BTreeSet<_> = rows.iter().map(|row| row.id()).collect();
            let both: Vec<_> = expected.iter().chain(&others).copied().collect();
            assert_eq!(both.len(), all.len(), "{}", tree.json());
            assert_eq!(BTreeSet::from_iter(both), all, "{}", tree.json());
            found.set(found.get() + usize::from(!expected.is_empty() && !others.is_empty()));
        }
    });
    // A run in which nothing is ever found, or everything, proves nothing.
    assert!(found.get() > 3 * trees.len() / 5, "{}", found.get());
}

/// Rules d65, d67, d72, d73, d74, d75, d76, d77, b183.
#[test]
fn random_filters_on_projects_are_as_the_model_says() {
    agree::<project::Entity>(Entity::Project, |_| Row::projects());
}

/// Rules d65, d67, d69, d72, d75, d76.
#[test]
fn random_filters_on_a_table_that_is_related_to_itself() {
    agree::<task::Entity>(Entity::Task, |tree| Row::tasks(tree.mentions("hidden")));
}

/// By cursor, each row once.
/// Rules d65, d72.
#[test]
fn a_walk_by_cursor_with_groups_and_relations_shows_each_row_once() {
    let filter = "filters[$or][0][owner][name][$eq]=Ada&filters[$or][1][tasks][$every][done][$eq]=true\
                  &sort=name&pagination[pageSize]=2";
    on_each_world(async |world| {
        let whole = world
            .list::<project::Entity>(&filter.replace("pageSize]=2", "pageSize]=50"))
            .await;
        let (mut cursor, mut seen) = (String::new(), Vec::new());
        loop {
            let query = format!("{filter}&pagination[cursor]={cursor}");
            let reply = world.list::<project::Entity>(&query).await;
            seen.extend(ids(&reply));
            match reply.meta()["pagination"]["nextCursor"].as_str() {
                Some(next) => cursor = next.to_owned(),
                None => break,
            }
        }
        assert_eq!(seen, ids(&whole));
        assert!(seen.len() > 2);
        // A cursor belongs to its own groups.
        let first = format!("{filter}&pagination[cursor]=");
        let reply = world.list::<project::Entity>(&first).await;
        let cursor = reply.meta()["pagination"]["nextCursor"].clone();
        let cursor = cursor.as_str().unwrap();
        let other = filter.replace("$every", "$some");
        let query = format!("{other}&pagination[cursor]={cursor}");
        let reply = world.list::<project::Entity>(&query).await;
        assert_eq!(reply.error_code(400), "cursor_mismatch");
        let other = filter.replace("$or", "$and");
        let query = format!("{other}&pagination[cursor]={cursor}");
        let reply = world.list::<project::Entity>(&query).await;
        assert_eq!(reply.error_code(400), "cursor_mismatch");
    });
}
