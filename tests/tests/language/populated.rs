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
                let start = prop::option::weighted(0.3, 0_usize..3);
                let counts = (prop::bool::weighted(0.2), prop::bool::weighted(0.3));
                (counts, start, limit, asked).prop_map(
                    move |((count, with_count), start, limit, asked)| Branch {
                        relation,
                        count,
                        start,
                        limit,
                        with_count,
                        asked,
                    },
                )
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

/// Rule b771.
#[test]
fn related_rows_come_in_the_order_of_their_links() {
    on_each_world(async |world| {
        let ids = |reply: &listing_tests::Reply| -> Vec<Value> {
            let item = reply
                .items()
                .into_iter()
                .find(|item| item["id"] == 5)
                .unwrap();
            let rows = item["linked"].as_array().unwrap().clone();
            rows.into_iter().map(|row| row["id"].clone()).collect()
        };
        let reply = world
            .list::<project::Entity>("populate=linked,labels")
            .await;
        assert_eq!(ids(&reply), [json!(2), json!(1)], "{}", reply.text());
        let reply = world
            .list::<project::Entity>("populate[linked][pagination][limit]=1")
            .await;
        assert_eq!(ids(&reply), [json!(2)]);
        // The client's order is another.
        let reply = world
            .list::<project::Entity>("populate[linked][sort]=id")
            .await;
        assert_eq!(ids(&reply), [json!(1), json!(2)]);
    });
}

/// Rules d147, b207, b768.
#[test]
fn related_rows_begin_at_a_start_and_are_counted_for_each_parent() {
    on_each_world(async |world| {
        let query = "fields=id&sort=id&populate[tasks][fields]=id&populate[tasks][sort]=id:desc\
                     &populate[tasks][pagination][start]=1&populate[tasks][pagination][limit]=1&populate[tasks][withCount]=true\
                     &populate[labels][withCount]=true&populate[labels][filters][name]=new\
                     &populate[owner][populate][projects][withCount]=true";
        let reply = world.list::<project::Entity>(query).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let tasks: Vec<_> = reply
            .items()
            .iter()
            .map(|item| item["tasks"].clone())
            .collect();
        let one = |id: i64| json!([{ "id": id }]);
        assert_eq!(
            tasks,
            [one(2), json!([]), json!([]), json!([]), one(8), json!([])]
        );
        let relations = &reply.meta()["relations"];
        assert_eq!(
            relations["tasks"],
            json!({ "limit": 1, "truncated": true, "start": 1,
                    "totals": { "1": 3, "2": 1, "3": 0, "4": 1, "5": 2, "7": 0 } })
        );
        // Of those that are asked for, and that can be seen.
        assert_eq!(
            relations["labels"]["totals"],
            json!({ "1": 0, "2": 1, "3": 0, "4": 0, "5": 1, "7": 0 })
        );
        assert_eq!(
            relations["owner.projects"]["totals"],
            json!({ "1": 2, "2": 1 })
        );
        for (query, code, parameter) in [
            (
                "populate[owner][withCount]=true",
                "populate_of_one",
                "populate[owner][withCount]",
            ),
            (
                "populate[owner][pagination][start]=1",
                "populate_of_one",
                "populate[owner][pagination][start]",
            ),
            (
                "populate[tasks][count]=true&populate[tasks][sort]=id",
                "populate_count_options",
                "populate[tasks][sort]",
            ),
        ] {
            let error = world.list::<project::Entity>(query).await.error(400);
            assert_eq!(error["code"], code, "{query}");
            assert_eq!(error["details"]["parameter"], parameter, "{query}");
        }
        // No table has so many rows.
        let query = "populate[tasks][pagination][start]=99999999999999999999";
        let reply = world.list::<project::Entity>(query).await;
        assert_eq!(reply.items()[0]["tasks"], json!([]), "{}", reply.text());
    });
}

/// Rules d78, d79, d80, d82, d84, d85, d87.
#[test]
fn random_trees_and_searches_show_what_the_model_says() {
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
