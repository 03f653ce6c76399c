//! An explanation shows the statements that really run, as text that a database accepts.

use blog::entity::article;
use blog::listings::CurrentUser;
use listing::{Context, Dialect, ListingRequest, SelectListing};
use listing_tests::{Recorder, Service, on_each_database};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Statement};

const QUERIES: &[&str] = &[
    "",
    "filters[title][$contains]=garden&filters[views][$gt]=5&sort=author.name:desc&fields=title,comments_count",
    "filters[views][$between][]=5&filters[views][$between][]=4000&filters[rating][$gt]=1.5&sort=comments_count&pagination[withCount]=false",
    "filters[created_at][$gte]=2020-01-01&filters[is_active]=true&populate=comments,tags,author,seo",
    "search=night trains \"old maps\" -garden&sort=relevance&fields=title",
    // What a text with marks of its own would break.
    "filters[title][$contains]=a'b?c$1%25_\\&filters[slug][$in][]=x&filters[slug][$in][]=y''z",
];

#[test]
fn an_explanation_has_the_statements_that_run() {
    on_each_database(async |service| {
        // Its tables are known to be small, so that pages are read in their order.
        let service = &service.with_settings(|_| {});
        service.listings.inspect_indexes(&service.db).await.unwrap();
        for query in QUERIES {
            agrees(service, query).await;
        }
    });
}

async fn agrees(service: &Service, query: &str) {
    let request = ListingRequest::from_query(&service.listings, query).unwrap();
    // A condition of the application is explained too.
    let select = || article::Entity::find().filter(article::Column::Views.gte(3));
    let recorder = Recorder::new(service.db.clone());
    let page = select().listing(&request).listing_paginate(&recorder).await;
    let items: Vec<serde_json::Value> = serde_json::from_slice(page.unwrap().items()).unwrap();
    let ran = recorder.take();

    let backend = service.db.get_database_backend();
    let dialect = Dialect::of(backend).unwrap();
    let explanation = select().listing(&request).explain(dialect).unwrap();
    // Statements of relations hold the keys of the page, which an explanation has not read.
    let known = |purpose: &str| ["page", "count"].contains(&purpose);
    let is_rest = |purpose: &str| purpose.starts_with("page,");
    let explained: Vec<_> = explanation
        .statements
        .iter()
        .filter(|statement| known(&statement.purpose))
        .collect();
    // The count may end before or after what reads the rest of a page.
    for statement in &explained {
        let same = ran.iter().find(|ran| ran.text == statement.text);
        let same = same.unwrap_or_else(|| panic!("{query}: {}", statement.text));
        assert_eq!(statement.values.len(), same.values.len(), "{query}");
    }
    let mut rows = Vec::new();
    for statement in &explanation.statements {
        let literal = Statement::from_string(backend, &statement.literal);
        let read = service.db.query_all_raw(literal).await;
        let read = read.unwrap_or_else(|error| panic!("{}: {error}", statement.literal));
        rows.push(read.len());
    }
    let rest = explanation.statements.iter();
    let rest = rest.filter(|statement| is_rest(&statement.purpose)).count();
    let read: usize = rows[..=rest].iter().sum();
    // One row more than the page shows tells whether there is a next page.
    assert!(
        read == items.len() || read == items.len() + 1 || (rest > 0 && read > items.len()),
        "{query}"
    );
    let relations = query.split("populate=").nth(1);
    let relations = relations.map_or(0, |names| names.split(',').count());
    let counts = explanation.statements.iter();
    let counts = counts.filter(|statement| statement.purpose.starts_with("count of "));
    assert_eq!(
        explanation.statements.len(),
        explained.len() + rest + relations + counts.count(),
        "{explanation}"
    );
}

/// Rule b129.
#[test]
fn a_listing_is_explained_for_nobody_and_without_the_conditions_of_a_handler() {
    on_each_database(async |service| {
        let (listings, query) = (&service.listings, "fields=id");
        let dialect = Dialect::of(service.db.get_database_backend()).unwrap();
        let articles = listings.of::<article::Entity>().unwrap();
        let nobodys = listings.explain(articles, query, dialect).unwrap();
        // A request of somebody has a default filter, and this one has a condition.
        let caller = Context::new().with(CurrentUser { author_id: 3 });
        let request = ListingRequest::from_query(listings, query).unwrap();
        let request = request.with_context(caller);
        let select = article::Entity::find().filter(article::Column::Views.gte(3));
        let mine = select.listing(&request).explain(dialect).unwrap();
        for column in ["author_id", "views"] {
            let page = &nobodys.statements[0].text;
            assert!(!page.contains(column), "{page}");
            let page = &mine.statements[0].text;
            assert!(page.contains(column), "{page}");
        }
    });
}

#[test]
fn an_explanation_is_said_stage_by_stage() {
    on_each_database(async |service| {
        let query = "filters[views][$gt]=5&sort=titel,title&fields=title&pagination[page]=2";
        let request = ListingRequest::from_query(&service.listings, query).unwrap();
        let select = article::Entity::find().listing(&request);
        let told = select.explain(Dialect::Postgres).unwrap().to_string();
        for line in [
            "parsed\n",
            "  filter       views $gt 5\n",
            "checked\n  fields       id, title\n",
            "ignored\n  sort         titel\n",
            "  order        articles.title asc, articles.id asc\n",
            "  offset       25\n",
            "sql: page\n  SELECT ",
            "\"articles\".\"views\" > $1",
            "  with 5\n",
        ] {
            assert!(told.contains(line), "`{line}` is not in:\n{told}");
        }
    });
}
