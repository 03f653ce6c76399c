//! Worlds that differ only in rows that the caller cannot see answer with the same bytes.

use listing::{Context, HasListing, ListingRequest, SelectListing};
use listing_tests::{Engine, run};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use sea_orm::EntityTrait as _;
use serde_json::{Value, json};

use crate::model::Tree;
use crate::populated::requests;
use crate::random::{Entity, tree};
use crate::world::{Secrets, World, label, owner, project};

async fn same<E: HasListing>(twins: &[World; 2], body: &Value) -> String {
    let known = twins[0].post::<E>(body).await;
    let changed = twins[1].post::<E>(body).await;
    assert_eq!(known.status, 200, "{body}: {}", known.text());
    assert_eq!(known.text(), changed.text(), "{}: {body}", twins[0].engine);
    known.text()
}

/// Rules d73, d75, d76.
#[test]
fn hidden_rows_and_links_change_no_byte() {
    let mut runner = TestRunner::deterministic();
    let mut trees = |entity| -> Vec<Tree> {
        let one = |_| tree(entity, 3).new_tree(&mut runner).unwrap().current();
        (0..40).map(one).collect()
    };
    let projects = trees(Entity::Project);
    let (owners, labels) = (trees(Entity::Owner), trees(Entity::Label));
    for engine in Engine::ALL {
        run(async {
            let twins = [
                World::fresh(engine, Secrets::Known).await,
                World::fresh(engine, Secrets::Changed).await,
            ];
            let asked = |tree: &Tree, fields: &str, sort: &str| json!({ "filters": tree.json(), "fields": fields, "populate": "*", "sort": sort });
            for tree in &projects {
                same::<project::Entity>(&twins, &asked(tree, "*", "owner.name")).await;
            }
            for tree in &owners {
                same::<owner::Entity>(&twins, &asked(tree, "*", "name")).await;
            }
            for tree in &labels {
                same::<label::Entity>(&twins, &asked(tree, "*", "id")).await;
            }
            // Existence, and every quantifier, of what is hidden in one way or another.
            for (key, part) in [
                ("labels", json!({ "$null": true })),
                ("labels", json!({ "$every": { "name": "urgent" } })),
                (
                    "labels",
                    json!({ "$none": { "name": { "$contains": "a" } } }),
                ),
                ("labels", json!({ "projects": { "name": { "$ne": "x" } } })),
                ("owner", json!({ "$notNull": true })),
                ("owner", json!({ "$none": { "name": "Ada" } })),
                (
                    "owner",
                    json!({ "projects": { "$every": { "owner": { "$null": false } } } }),
                ),
            ] {
                let body = json!({ "filters": { key: part }, "fields": "*", "populate": "*" });
                same::<project::Entity>(&twins, &body).await;
            }
            assert_ne!(
                everything(&twins[0]).await,
                everything(&twins[1]).await,
                "the twins do not differ"
            );
        });
    }
}

/// Populate trees with options, counts, fields that count, and searches.
/// Rules d73, d79, d85, d87.
#[test]
fn hidden_rows_and_links_change_no_byte_of_trees_and_searches() {
    let requests = requests(60);
    for engine in Engine::ALL {
        run(async {
            let twins = [
                World::fresh(engine, Secrets::Known).await,
                World::fresh(engine, Secrets::Changed).await,
            ];
            for request in &requests {
                let known = request.ask(&twins[0]).await;
                let changed = request.ask(&twins[1]).await;
                assert_eq!(known.status, 200, "{}: {}", request.json(), known.text());
                assert_eq!(known.text(), changed.text(), "{engine}: {}", request.json());
            }
            // What every row that is hidden in one way or another could show, at the end of every way to it.
            for body in [
                json!({ "populate": { "labels": { "count": true }, "owner": { "count": true } } }),
                json!({ "populate": { "labels": { "populate": { "projects": { "count": true } } } }, "fields": "*" }),
                json!({ "populate": { "labels": { "fields": "*", "populate": { "projects": { "fields": "*", "populate": "*" } } } } }),
                json!({ "populate": { "labels": { "filters": { "name": "Ada" } }, "owner": { "filters": { "name": "Ada" } } } }),
                json!({ "populate": { "owner": { "fields": "*", "populate": { "projects": { "sort": "owner.name", "pagination": { "limit": 1 } } } } } }),
                json!({ "search": "Ada", "fields": "*" }),
                json!({ "search": "-Ada", "fields": "*", "sort": "owner.name:desc", "pagination": { "cursor": "", "pageSize": 2 } }),
                json!({ "search": "-Ada", "pagination": { "withCount": true, "pageSize": 1 } }),
            ] {
                same::<project::Entity>(&twins, &body).await;
            }
        });
    }
}

/// What somebody without a tenant sees: the rows of all.
async fn everything(world: &World) -> String {
    let query = "populate=*&filters[labels][name]=Ada&fields=*";
    let request = ListingRequest::from_query(&world.listings, query).unwrap();
    let request = request.with_context(Context::new());
    let page = project::Entity::find()
        .listing(&request)
        .listing_paginate(&world.db)
        .await
        .unwrap();
    String::from_utf8(page.body(200, None, true)).unwrap()
}
