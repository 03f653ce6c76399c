//! Related rows of more parents than one statement can take part by part (b209), and of parents whose keys are text (b181).

use listing::{Context, HasListing, ListingRequest, SelectListing};
use listing_tests::{Engine, Recorder, on_each, reads, run};
use serde_json::{Value, json};

use crate::world::{
    Secrets, Tenant, World, continent, insert, label, land, listings, owner, project,
    project_label, task, town,
};

/// Below one parent, which shows at most 500; with three of them, more than 1,000.
const OF_ONE: i64 = 401;
const ALL: i64 = 3 * OF_ONE;
/// Numbers that the world's own rows do not have.
const FIRST: i64 = 1_000;

fn numbers() -> impl Iterator<Item = i64> {
    FIRST..FIRST + ALL
}

/// The parents of each number: three owners, three continents.
fn above(number: i64) -> i64 {
    FIRST + (number - FIRST) / OF_ONE
}

/// Three owners have many projects, and three continents have many lands; there are 0 to 4 rows below each of them.
async fn crowded(engine: Engine) -> World {
    let mut world = World::fresh(engine, Secrets::Known).await;
    world.listings = listings(|settings| {
        settings.relation_limit = 500;
        settings.max_page_size = 500;
    });
    let db = &world.db;
    let owner = |id| owner::Model {
        id,
        name: format!("owner {id}"),
        tenant: 1,
        deleted_at: None,
    };
    insert::<owner::Entity>(db, (FIRST..FIRST + 3).map(owner)).await;
    let project = |id| project::Model {
        id,
        name: format!("project {id}"),
        owner_id: Some(above(id)),
        tenant: 1,
        budget: None,
        data: None,
        tags: None,
    };
    insert::<project::Entity>(db, numbers().map(project)).await;
    let tasks = numbers().flat_map(|project| (0..project % 5).map(move |at| (project, at)));
    let task = |(project_id, at): (i64, i64)| task::Model {
        id: project_id * 10 + at,
        project_id,
        parent_id: None,
        // Not in the order of the keys, and some of them null.
        title: (at != 1).then(|| format!("task {}", 9 - at)),
        done: None,
        hidden: at == 3,
    };
    let tasks: Vec<_> = tasks.map(task).collect();
    for some in tasks.chunks(1_000) {
        insert::<task::Entity>(db, some.iter().cloned()).await;
    }
    // Both labels, one of them twice, and a link in the bin.
    let links = numbers().flat_map(|project_id| {
        [1, 2, 2]
            .into_iter()
            .enumerate()
            .map(move |(at, label_id)| {
                let id = project_id * 10 + i64::try_from(at).unwrap();
                project_label::Model {
                    id,
                    project_id,
                    label_id,
                    tenant: 1,
                    kind: "main".to_owned(),
                    removed_at: (label_id == 1 && project_id % 2 == 0).then(in_2024),
                }
            })
    });
    let links: Vec<_> = links.collect();
    for some in links.chunks(1_000) {
        insert::<project_label::Entity>(db, some.iter().cloned()).await;
    }
    let continent = |id| continent::Model { id };
    insert::<continent::Entity>(db, (FIRST..FIRST + 3).map(continent)).await;
    let land = |number| land::Model {
        code: format!("L{number}"),
        name: format!("land {number}"),
        continent_id: Some(above(number)),
    };
    insert::<land::Entity>(db, numbers().map(land)).await;
    let towns = numbers().flat_map(|land| (0..land % 5).map(move |at| (land, at)));
    let town = |(land, at): (i64, i64)| town::Model {
        id: land * 10 + at,
        land_code: Some(code_of_town(engine, land)),
        name: format!("town {}", 9 - at),
    };
    let towns: Vec<_> = towns.map(town).collect();
    for some in towns.chunks(1_000) {
        insert::<town::Entity>(db, some.iter().cloned()).await;
    }
    world
}

fn in_2024() -> chrono::DateTime<chrono::Utc> {
    chrono::DateTime::UNIX_EPOCH + chrono::TimeDelta::days(20_000)
}

/// In another case than the land's own, where the column takes them for the same.
fn code_of_town(engine: Engine, land: i64) -> String {
    match engine {
        Engine::Postgres => format!("L{land}"),
        Engine::Sqlite | Engine::Mysql => format!("l{land}"),
    }
}

/// The items of a list through both kinds of readers, its `meta.relations`, and the statements that it takes.
async fn ask<E: HasListing>(world: &World, body: &Value) -> (Vec<Value>, Value, Vec<String>) {
    let request = ListingRequest::from_json(&world.listings, body.to_string().as_bytes()).unwrap();
    let request = request.with_context(Context::new().with(Tenant(1)));
    let recorder = Recorder::new(world.db.clone());
    let page = E::find()
        .listing(&request)
        .listing_paginate(&recorder)
        .await;
    let page = page.unwrap().body(200, None, true);
    let reads = reads(&world.db).await;
    let again = E::find().listing(&request).listing_paginate(&reads).await;
    assert!(page == again.unwrap().body(200, None, true), "{body}");
    let mut page: Value = serde_json::from_slice(&page).unwrap();
    let statements = recorder.take().into_iter().map(|statement| statement.text);
    let items = page["data"].as_array().unwrap().clone();
    (
        items,
        page["meta"]["relations"].take(),
        statements.collect(),
    )
}

/// Of the relation between the list and the one at the end: every row of every item, in one list.
fn below(items: &[Value], relation: &str) -> Vec<Value> {
    let below = items.iter().map(|item| item[relation].as_array().unwrap());
    below.flatten().cloned().collect()
}

fn on_each_crowded_world(test: impl AsyncFn(&World)) {
    on_each(|engine| run(async { test(&crowded(engine).await).await }));
}

/// Rules d82, b209, b260.
#[test]
fn rows_of_more_parents_than_a_union_has_parts_are_numbered() {
    on_each_crowded_world(async |world| {
        let body = json!({
            "filters": { "name": { "$startsWith": "owner" } }, "sort": "id",
            "populate": { "projects": { "sort": "id", "fields": ["name"], "populate": {
                "tasks": { "sort": "title:desc", "pagination": { "limit": 2 } },
                "labels": { "sort": "name:desc", "fields": ["name"] },
            }}},
        });
        let (items, relations, statements) = ask::<owner::Entity>(world, &body).await;
        assert_eq!(
            statements.len(),
            5,
            "the page, the count, and one for each relation"
        );
        let ranked = statements
            .iter()
            .filter(|text| text.contains("listing_rank"));
        let expected = match world.engine {
            Engine::Mysql => 2,
            Engine::Postgres | Engine::Sqlite => 0,
        };
        assert_eq!(ranked.count(), expected, "{}", world.engine);
        let projects = below(&items, "projects");
        assert_eq!(projects.len(), usize::try_from(ALL).unwrap());
        for (project, id) in projects.iter().zip(numbers()) {
            // Without the hidden one. In descending order those without a title come first.
            let mut tasks: Vec<_> = (0..id % 5).filter(|at| *at != 3).collect();
            tasks.sort_by_key(|at| (*at != 1, *at));
            let tasks = tasks.into_iter().take(2).map(|at| {
                let title = (at != 1).then(|| format!("task {}", 9 - at));
                json!({ "id": id * 10 + at, "title": title })
            });
            // Linked twice and shown once.
            let labels = match id % 2 {
                0 => json!([{ "id": 2, "name": "new" }]),
                _ => json!([{ "id": 1, "name": "urgent" }, { "id": 2, "name": "new" }]),
            };
            let expected = json!({
                "id": id, "name": format!("project {id}"), "labels": labels,
                "tasks": tasks.collect::<Vec<_>>(),
            });
            assert_eq!(*project, expected);
        }
        assert_eq!(
            relations["projects.tasks"],
            json!({ "limit": 2, "truncated": true })
        );
        assert_eq!(
            relations["projects.labels"],
            json!({ "limit": 500, "truncated": false })
        );
    });
}

/// The keys of lands are text, which SQLite does not pick rows by, and a union of so many values is too large.
/// Rules d82, b209, b444.
#[test]
fn rows_of_many_parents_are_numbered_where_they_cannot_be_picked() {
    on_each(|engine| {
        run(async {
            let mut world = World::fresh(engine, Secrets::Known).await;
            world.listings = listings(|settings| settings.max_page_size = 500);
            let continents = FIRST..FIRST + 490;
            let models = continents.clone().map(|id| continent::Model { id });
            insert::<continent::Entity>(&world.db, models).await;
            let lands = continents.clone().flat_map(|id| {
                ["A", "B"].map(|code| land::Model {
                    code: format!("{code}{id}"),
                    name: format!("land {code}"),
                    continent_id: Some(id),
                })
            });
            insert::<land::Entity>(&world.db, lands).await;
            let names: Vec<_> = (b'A'..b'A' + 150)
                .map(|name| format!("land {}", char::from(name)))
                .collect();
            let body = json!({
                "pagination": { "pageSize": 500 },
                "populate": { "lands": {
                    "filters": { "name": { "$in": names } },
                    "sort": "name:desc", "pagination": { "limit": 1 },
                } },
            });
            let (items, relations, statements) = ask::<continent::Entity>(&world, &body).await;
            let is_ranked = statements[2].contains("listing_rank");
            assert_eq!(is_ranked, engine != Engine::Postgres, "{}", statements[2]);
            assert_eq!(relations["lands"]["truncated"], true);
            let added = |item: &&Value| item["id"].as_i64().unwrap() >= FIRST;
            for (item, id) in items.iter().filter(added).zip(continents) {
                let land = json!({ "id": format!("B{id}"), "name": "land B" });
                assert_eq!(*item, json!({ "id": id, "lands": [land] }));
            }
        });
    });
}

/// Rules d82, d85, b260.
#[test]
fn counts_of_many_parents() {
    on_each_crowded_world(async |world| {
        let body = json!({
            "filters": { "name": { "$startsWith": "owner" } }, "sort": "id",
            "populate": { "projects": { "sort": "id", "fields": ["id"], "populate": {
                "tasks": { "count": true, "filters": { "title": { "$notNull": true } } },
                "labels": { "count": true },
            }}},
        });
        let (items, relations, statements) = ask::<owner::Entity>(world, &body).await;
        assert_eq!(statements.len(), 5);
        for (project, id) in below(&items, "projects").iter().zip(numbers()) {
            let tasks = (0..id % 5).filter(|at| *at != 1 && *at != 3).count();
            let expected = json!({
                "id": id, "labels": { "count": 1 + id % 2 }, "tasks": { "count": tasks },
            });
            assert_eq!(*project, expected);
        }
        assert_eq!(relations.as_object().unwrap().len(), 1);
    });
}

/// Rules d82, d85, b181, b209.
#[test]
fn rows_and_counts_of_many_parents_whose_keys_are_text() {
    on_each_crowded_world(async |world| {
        let body = |towns: Value| {
            json!({
                "pagination": { "pageSize": 3 },
                "populate": { "lands": { "sort": "name", "fields": ["name"], "populate": { "towns": towns } } },
            })
        };
        let shown = body(json!({ "sort": "name", "pagination": { "limit": 2 } }));
        let (items, relations, statements) = ask::<continent::Entity>(world, &shown).await;
        assert_eq!(statements.len(), 4);
        // On SQLite in parts of 500 parts.
        let parts = statements[3].matches("UNION ALL").count();
        match world.engine {
            Engine::Postgres => assert_eq!(parts, 0),
            Engine::Sqlite | Engine::Mysql => assert_eq!(parts, usize::try_from(ALL - 1).unwrap()),
        }
        let lands = below(&items, "lands");
        assert_eq!(lands.len(), usize::try_from(ALL).unwrap());
        for (land, number) in lands.iter().zip(numbers()) {
            let towns = (0..number % 5).rev().take(2);
            let towns = towns
                .map(|at| json!({ "id": number * 10 + at, "name": format!("town {}", 9 - at) }));
            let expected = json!({
                "id": format!("L{number}"), "name": format!("land {number}"),
                "towns": towns.collect::<Vec<_>>(),
            });
            assert_eq!(*land, expected);
        }
        assert_eq!(
            relations["lands.towns"],
            json!({ "limit": 2, "truncated": true })
        );

        let counted = body(json!({ "count": true, "filters": { "name": { "$ne": "town 9" } } }));
        let (items, _, statements) = ask::<continent::Entity>(world, &counted).await;
        assert_eq!(statements.len(), 4);
        for (land, number) in below(&items, "lands").iter().zip(numbers()) {
            let expected = json!({
                "id": format!("L{number}"), "name": format!("land {number}"),
                "towns": { "count": (number % 5 - 1).max(0) },
            });
            assert_eq!(*land, expected);
        }
    });
}

/// A few parents take the other way, and show the same.
/// Rules d85, b181.
#[test]
fn counts_of_a_few_parents_whose_keys_are_text() {
    on_each_crowded_world(async |world| {
        let body = json!({ "sort": "code", "fields": ["name"], "pagination": { "pageSize": 4 },
            "populate": { "towns": { "count": true } } });
        let (items, _, _) = ask::<land::Entity>(world, &body).await;
        // Bonn, Kiel and Trier are in Germany, in any case of `DE` where the column compares so.
        let germany = items.iter().find(|item| item["id"] == "DE").unwrap();
        let expected = if world.engine == Engine::Postgres {
            1
        } else {
            3
        };
        assert_eq!(germany["towns"]["count"], expected);
        let labels = json!({ "populate": { "projects": { "count": true } } });
        let (items, _, _) = ask::<label::Entity>(world, &labels).await;
        assert!(
            items
                .iter()
                .all(|item| item["projects"]["count"].as_i64().unwrap() > 600)
        );
    });
}

/// Each part of a union would bind all names again: more values than any database takes.
/// Rules b512, b513.
#[test]
fn many_values_and_many_parents_whose_keys_are_text() {
    on_each_crowded_world(async |world| {
        let names: Vec<_> = (8..8 + 60).map(|at| format!("town {at}")).collect();
        let filters = json!({ "name": { "$in": names } });
        let body = |towns: Value| {
            json!({
                "pagination": { "pageSize": 3 },
                "populate": { "lands": { "sort": "name", "fields": ["name"], "populate": { "towns": towns } } },
            })
        };
        let shown = json!({ "sort": "name", "pagination": { "limit": 1 }, "filters": filters });
        let counted = json!({ "count": true, "filters": filters });
        for (towns, count) in [(shown, false), (counted, true)] {
            let (items, _, statements) = ask::<continent::Entity>(world, &body(towns)).await;
            assert_eq!(statements.len(), 4);
            for (land, number) in below(&items, "lands").iter().zip(numbers()) {
                // `town 9` and `town 8`, where there are so many.
                let found = (number % 5).min(2);
                let first = (0..found).next_back().map(
                    |at| json!({ "id": number * 10 + at, "name": format!("town {}", 9 - at) }),
                );
                let towns = match count {
                    true => json!({ "count": found }),
                    false => json!(first.into_iter().collect::<Vec<_>>()),
                };
                assert_eq!(land["towns"], towns, "{number}");
            }
        }
    });
}
