//! One table of notes, searched by letters through one entity and by full text through another.

use listing::migration::FullTextIndex;
use listing::{Context, HasListing, ListingQuery, ListingRequest, Listings, ReadPool, Settings};
use listing_tests::{Engine, fresh_database, on_each, reads, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, Statement, Value};
use serde_json::Value as Json;

/// The caller; notes of other tenants do not exist for them.
#[derive(Debug, Clone, Copy)]
pub struct Tenant(pub i64);

macro_rules! notes {
    ($module:ident, $listing:ident, $search:expr, [$($sort:expr),*]) => {
        pub mod $module {
            use listing::{
                Context, Fields, Filter, FilterOperator, HasListing, Listing, Scope,
                Search, Sort, Sorts,
            };
            use sea_orm::entity::prelude::*;

            #[sea_orm::model]
            #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
            #[sea_orm(table_name = "notes")]
            pub struct Model {
                #[sea_orm(primary_key, auto_increment = false)]
                pub id: i64,
                pub tenant_id: i64,
                pub title: String,
                #[sea_orm(column_type = "Text", nullable)]
                pub body: Option<String>,
                pub deleted_at: Option<DateTimeUtc>,
            }

            impl ActiveModelBehavior for ActiveModel {}

            pub struct $listing;

            impl HasListing for Entity {
                type Listing = $listing;
            }

            impl Listing for $listing {
                type Entity = Entity;

                fn fields() -> Fields<Entity> {
                    Fields::new().add_default(Column::Title).add(Column::Body)
                }

                fn filters() -> Vec<Filter<Entity>> {
                    vec![Filter::make(Column::Title).allowed_operators(FilterOperator::Contains)]
                }

                fn sorts() -> Sorts<Entity> {
                    let sorts: Vec<Sort> = vec![$($sort),*];
                    sorts.into_iter().fold(Sorts::new().add("id"), Sorts::add)
                }

                fn search() -> Option<Search<Entity>> {
                    Some($search([Column::Title, Column::Body]))
                }

                fn scope(context: &Context) -> Scope {
                    let tenant = context.get::<super::Tenant>().map_or(1, |tenant| tenant.0);
                    Scope::rows(Column::TenantId.eq(tenant))
                }

                fn soft_delete() -> Option<Column> {
                    Some(Column::DeletedAt)
                }
            }
        }
    };
}

notes!(letters, LettersListing, Search::contains, []);
notes!(words, WordsListing, Search::full_text, [Sort::relevance()]);
notes!(
    beginnings,
    BeginningsListing,
    |columns: [Column; 2]| Search::full_text(columns).prefix(),
    [Sort::relevance()]
);
notes!(
    numbers,
    NumbersListing,
    |[title, _]: [Column; 2]| Search::contains([title, Column::Id]),
    []
);

/// The index that the listing of words needs.
pub fn index() -> FullTextIndex {
    FullTextIndex::on("notes", ["title", "body"])
}

/// All listings.
pub fn listings() -> Listings {
    Listings::builder(Settings::default())
        .add::<letters::Entity>()
        .add::<words::Entity>()
        .add::<beginnings::Entity>()
        .add::<numbers::Entity>()
        .build()
        .unwrap()
}

/// A database with notes.
pub struct Notes {
    pub engine: Engine,
    pub db: DatabaseConnection,
    /// The same, to read from.
    pub reads: ReadPool,
    pub listings: Listings,
}

impl Notes {
    /// An empty table, with or without its index.
    pub async fn without_index(engine: Engine) -> Self {
        let db = fresh_database(engine).await;
        let (text, moment, options) = match engine {
            Engine::Mysql => (
                "MEDIUMTEXT",
                "DATETIME(6)",
                " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
            ),
            Engine::Postgres => ("TEXT", "TIMESTAMPTZ", ""),
            Engine::Sqlite => ("TEXT", "TEXT", ""),
        };
        let create = format!(
            "CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY, tenant_id BIGINT NOT NULL, \
             title VARCHAR(255) NOT NULL, body {text}, deleted_at {moment}){options}"
        );
        db.execute_unprepared(&create).await.unwrap();
        Self {
            engine,
            reads: reads(&db).await,
            db,
            listings: listings(),
        }
    }

    /// An empty table with its index.
    pub async fn new(engine: Engine) -> Self {
        let notes = Self::without_index(engine).await;
        index().create(&notes.db).await.unwrap();
        notes
    }

    /// A table of these titles and bodies, numbered from 1.
    pub async fn with(engine: Engine, rows: &[(&str, Option<&str>)]) -> Self {
        let notes = Self::new(engine).await;
        for (id, (title, body)) in (1..).zip(rows) {
            notes.add(id, 1, title, *body).await;
        }
        notes
    }

    pub async fn add(&self, id: i64, tenant: i64, title: &str, body: Option<&str>) {
        let values = [id.into(), tenant.into(), title.into(), body.into()];
        let text = "INSERT INTO notes (id, tenant_id, title, body) VALUES (?, ?, ?, ?)";
        self.change(text, values).await.unwrap();
    }

    /// Runs a statement whose values are marked `?`.
    pub async fn change(
        &self,
        text: &str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<(), DbErr> {
        let mut numbered = String::new();
        for (at, piece) in text.split('?').enumerate() {
            match self.engine {
                _ if at == 0 => {}
                Engine::Postgres => numbered.push_str(&format!("${at}")),
                Engine::Mysql | Engine::Sqlite => numbered.push('?'),
            }
            numbered.push_str(piece);
        }
        let backend = self.db.get_database_backend();
        let statement = Statement::from_sql_and_values(backend, numbered, values);
        self.db.execute_raw(statement).await.map(|_| ())
    }

    /// The ids that a query string finds, in order, through a reader of ours.
    pub async fn ids<E: HasListing>(&self, query: &str) -> Vec<i64> {
        self.ids_for::<E>(Context::new(), query).await.unwrap()
    }

    /// The same, for somebody.
    pub async fn ids_for<E: HasListing>(
        &self,
        context: Context,
        query: &str,
    ) -> Result<Vec<i64>, listing::Error> {
        let query = format!("fields=id&pagination[pageSize]=100&{query}");
        let request = ListingRequest::from_query(&self.listings, &query)?.with_context(context);
        let page = ListingQuery::<E>::all(&request)
            .listing_paginate(&self.reads)
            .await?;
        let items: Vec<Json> = serde_json::from_slice(page.items()).unwrap();
        let ids: Vec<_> = items
            .iter()
            .map(|item| item["id"].as_i64().unwrap())
            .collect();
        assert_eq!(page.total(), Some(ids.len() as u64), "{query}");
        Ok(ids)
    }

    /// What a search finds by letters and by words, where both find the same.
    pub async fn both(&self, search: &str) -> Vec<i64> {
        let letters = self.by_letters(search).await;
        let words = self.by_words(search).await;
        assert_eq!(letters, words, "{search} by letters and by words");
        words
    }

    pub async fn by_letters(&self, search: &str) -> Vec<i64> {
        self.ids::<letters::Entity>(&format!("search={}", escaped(search)))
            .await
    }

    pub async fn by_words(&self, search: &str) -> Vec<i64> {
        self.ids::<words::Entity>(&format!("search={}", escaped(search)))
            .await
    }

    /// Of whole words, the last of which may be the beginning of one.
    pub async fn by_beginnings(&self, search: &str) -> Vec<i64> {
        self.ids::<beginnings::Entity>(&format!("search={}", escaped(search)))
            .await
    }

    pub async fn by_relevance(&self, search: &str) -> Vec<i64> {
        let query = format!("sort=relevance&search={}", escaped(search));
        self.ids::<words::Entity>(&query).await
    }
}

/// Tries something with these notes on each database.
pub fn on_notes(rows: &[(&str, Option<&str>)], test: impl AsyncFn(&Notes)) {
    on_each(|engine| run(async { test(&Notes::with(engine, rows).await).await }));
}

/// A text as it stands in a query string.
pub fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
