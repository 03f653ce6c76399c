//! Random populate trees with options, and searches: every database shows what the model says.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::branches::{Branch, Shown, Word, answer, whitelist};
use crate::random::{Entity, tree};
use crate::world::{World, label, on_each_world, owner, project, task};

/// What is asked of a list's rows, with so many levels of relations below them.
fn shown(entity: Entity, levels: u32) -> BoxedStrategy<Shown> {
    let known = whitelist(entity);
    let fields = subsequence(known.fields, 1..=known.fields.len());
    let branches = match levels {
        0 => Just(Vec::new()).boxed(),
        _ => {
            let all: Vec<_> = (0..known.relations.len()).collect();
            let least = usize::from(levels == 3);
            let relations = subsequence(all, least..=known.relations.len().min(2));
            let branch = move |at: usize| {
                let relation = &known.relations[at];
                let limit = prop::option::weighted(0.8, 1_usize..3);
                let asked = shown(relation.target, levels - 1);
                (prop::bool::weighted(0.2), limit, asked).prop_map(move |(count, limit, asked)| {
                    Branch {
                        relation,
                        count,
                        limit,
                        asked,
                    }
                })
            };
            let branches =
                relations.prop_flat_map(move |all| all.into_iter().map(branch).collect::<Vec<_>>());
            branches.boxed()
        }
    };
    (
        prop::option::of(fields),
        prop::option::weighted(0.5, tree(entity, 1)),
        prop::option::of((select(known.sorts), any::<bool>())),
        branches,
    )
        .prop_map(|(fields, filters, sort, populate)| Shown {
            fields,
            filters,
            sort,
            populate,
        })
        .boxed()
}

const WORDS: [&str; 12] = [
    "atlas", "LAS", "two", "s tw", "%", "_\\", "wool", "Bor", "plan", "write", "a", "secret",
];

fn words() -> impl Strategy<Value = Vec<Word>> {
    let word = (select(&WORDS[..]), prop::bool::weighted(0.3))
        .prop_map(|(text, is_excluded)| Word { text, is_excluded });
    prop::collection::vec(word, 0..3)
}

/// A request for a list of the world.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) entity: Entity,
    shown: Shown,
    words: Vec<Word>,
}

impl Request {
    pub(crate) fn json(&self) -> Value {
        let mut body = self.shown.json();
        body.insert("pagination".to_owned(), json!({ "pageSize": 100 }));
        if !self.words.is_empty() {
            let words = self.words.iter().map(|word| {
                let minus = if word.is_excluded { "-" } else { "" };
                match word.text.contains(' ') {
                    true => format!("{minus}\"{}\"", word.text),
                    false => format!("{minus}{}", word.text),
                }
            });
            let words: Vec<_> = words.collect();
            body.insert("search".to_owned(), json!(words.join(" ")));
        }
        Value::Object(body)
    }

    pub(crate) async fn ask(&self, world: &World) -> listing_tests::Reply {
        let body = self.json();
        match self.entity {
            Entity::Project => world.post::<project::Entity>(&body).await,
            Entity::Owner => world.post::<owner::Entity>(&body).await,
            Entity::Label => world.post::<label::Entity>(&body).await,
            Entity::Task => world.post::<task::Entity>(&body).await,
        }
    }
}

/// So many requests for each list, the same ones each time.
pub(crate) fn requests(number: usize) -> Vec<Request> {
    let mut runner = TestRunner::deterministic();
    let mut requests = Vec::new();
    for entity in [Entity::Project, Entity::Owner, Entity::Label, Entity::Task] {
        // Owners and labels cannot be searched.
        let searched = matches!(entity, Entity::Project | Entity::Task);
        for _ in 0..number {
            let mut draw = (shown(entity, 3), words()).new_tree(&mut runner);
            let (shown, words) = draw.as_mut().unwrap().current();
            requests.push(Request {
                entity,
                shown,
                words: if searched { words } else { Vec::new() },
            });
        }
    }
    requests
}

#[test]
fn d78_d79_d80_d82_d84_d85_d87_random_trees_and_searches_show_what_the_model_says() {
    let requests = requests(75);
    let mut tally = [0; 4];
    for request in &requests {
        let (items, relations) = answer(request.entity, &request.shown, &request.words);
        let text = json!(items).to_string();
        let told = relations.to_string();
        let happened = [
            !items.is_empty(),
            told.contains("true"),
            text.contains(r#"{"count":"#),
            told.matches("limit").count() > 2,
        ];
        for (count, happened) in tally.iter_mut().zip(happened) {
            *count += usize::from(happened);
        }
    }
    on_each_world(async |world| {
        for request in &requests {
            let asked = request.json();
            let reply = request.ask(world).await;
            assert_eq!(reply.status, 200, "{asked}: {}", reply.text());
            let (items, relations) = answer(request.entity, &request.shown, &request.words);
            assert_eq!(json!(reply.items()), json!(items), "{asked}");
            // The order of keys, too.
            let data = reply.json()["data"].to_string();
            assert_eq!(data, json!(items).to_string(), "{asked}");
            assert_eq!(reply.meta()["relations"], relations, "{asked}");
            assert_eq!(reply.total(), items.len() as u64, "{asked}");
        }
    });
    // Rows, truncated relations, counts and deep trees all occurred: a run in which nothing is shown proves nothing.
    let enough = requests.len() / 15;
    assert!(tally.iter().all(|count| *count > enough), "{tally:?}");
}
