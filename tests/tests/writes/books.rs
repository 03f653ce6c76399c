//! Books, which have a writer and labels of the same owner, for tests of relations in payloads.

use axum::extract::FromRef;
use listing::{Context, Listings, ReadPool, Scope, Settings};
use listing_axum::{Api, ApiError, Change, Config};
use listing_tests::{Client, Engine, fresh_database, on_each, reads, run};
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, Schema,
};

use crate::plans::Owner;

/// Rows of the caller.
fn own(context: &Context, column: impl ColumnTrait) -> Scope {
    match context.get::<Owner>() {
        Some(Owner(owner)) => Scope::rows(column.eq(owner)),
        None => Scope::nothing(),
    }
}

/// The caller's name, for a record of theirs. What is called `refused` is refused once everything is written.
async fn refuse(change: &mut Change<'_, book::Entity>) -> Result<(), ApiError> {
    let book = change.stored().await?;
    match &*book.title {
        "refused" => Err(ApiError::refused("Not this one.")),
        _ => Ok(()),
    }
}

async fn sign(change: &mut Change<'_, book::Entity>) -> Result<(), ApiError> {
    let owner = change.context().get::<Owner>().unwrap();
    change.record.owner = Set(owner.0.clone());
    Ok(())
}

pub mod book {
    use listing::Listing;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Listing)]
    #[sea_orm(table_name = "books")]
    #[listing(
        populate(labels, writer),
        scope = |context| super::own(context, Column::Owner),
        authorize = |_| listing_axum::policy::allow_all(),
        bulk,
        upsert_by = listing_axum::Unique::column(Column::Title),
        before_store = super::sign,
        after_store = super::refuse,
        after_update = super::refuse
    )]
    pub struct Model {
        #[sea_orm(primary_key)]
        #[listing(sort)]
        pub id: i64,
        pub owner: String,
        #[sea_orm(unique)]
        #[listing(default, write)]
        pub title: String,
        #[listing(default, write)]
        pub writer_id: Option<i64>,
        #[sea_orm(belongs_to, from = "writer_id", to = "id")]
        pub writer: BelongsTo<Option<super::writer::Entity>>,
        #[sea_orm(has_many, via = "book_label")]
        #[listing(write)]
        pub labels: HasMany<super::label::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod writer {
    use listing::Listing;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Listing)]
    #[sea_orm(table_name = "writers")]
    #[listing(scope = |context| super::own(context, Column::Owner))]
    pub struct Model {
        #[sea_orm(primary_key)]
        #[listing(sort)]
        pub id: i64,
        pub owner: String,
        #[sea_orm(has_many)]
        pub books: HasMany<super::book::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod label {
    use listing::Listing;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Listing)]
    #[sea_orm(table_name = "labels")]
    #[listing(scope = |context| super::own(context, Column::Owner), soft_delete = deleted_at)]
    pub struct Model {
        #[sea_orm(primary_key)]
        #[listing(sort)]
        pub id: i32,
        pub owner: String,
        pub deleted_at: Option<DateTimeUtc>,
        #[sea_orm(has_many, via = "book_label")]
        pub books: HasMany<super::book::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod book_label {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "book_labels")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub book_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub label_id: i32,
        #[sea_orm(belongs_to, from = "book_id", to = "id")]
        pub book: BelongsTo<super::book::Entity>,
        #[sea_orm(belongs_to, from = "label_id", to = "id")]
        pub label: BelongsTo<super::label::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// The application on one engine, for one test. Ann has the labels 1 to 60, of which 60 is deleted, and the writers 1 and 2; Bob
/// has the labels 101 and 102 and the writer 11.
#[derive(Debug, Clone)]
pub struct Shelf {
    state: App,
}

#[derive(Debug, Clone, FromRef)]
pub struct App {
    db: DatabaseConnection,
    reads: ReadPool,
    listings: Listings,
}

pub fn on_each_shelf(test: impl AsyncFn(&Shelf)) {
    on_each(|engine| run(async { test(&Shelf::fresh(engine).await).await }));
}

impl Shelf {
    async fn fresh(engine: Engine) -> Self {
        let db = fresh_database(engine).await;
        let schema = Schema::new(db.get_database_backend());
        for table in [
            schema.create_table_from_entity(writer::Entity),
            schema.create_table_from_entity(book::Entity),
            schema.create_table_from_entity(label::Entity),
            schema.create_table_from_entity(book_label::Entity),
        ] {
            db.execute(&table).await.unwrap();
        }
        let label = |id: i32, owner: &str| label::ActiveModel {
            id: Set(id),
            owner: Set(owner.to_owned()),
            deleted_at: Set((id == 60).then(chrono::Utc::now)),
        };
        let labels = (1..=60).map(|id| label(id, "ann"));
        let labels = labels.chain([label(101, "bob"), label(102, "bob")]);
        label::Entity::insert_many(labels).exec(&db).await.unwrap();
        let writers =
            [(1, "ann"), (2, "ann"), (11, "bob")].map(|(id, owner)| writer::ActiveModel {
                id: Set(id),
                owner: Set(owner.to_owned()),
            });
        writer::Entity::insert_many(writers)
            .exec(&db)
            .await
            .unwrap();
        let listings = Listings::builder(Settings::default())
            .add::<book::Entity>()
            .add::<label::Entity>()
            .add::<writer::Entity>()
            .build()
            .unwrap();
        let reads = reads(&db).await;
        Self {
            state: App {
                db,
                reads,
                listings,
            },
        }
    }

    pub fn db(&self) -> &DatabaseConnection {
        &self.state.db
    }

    /// The same, whose statements go through another connection.
    pub fn through(&self, db: DatabaseConnection) -> Self {
        let mut shelf = self.clone();
        shelf.state.db = db;
        shelf
    }

    pub fn client(&self, owner: &str) -> Client {
        let (router, _) = Api::<App>::new("/api")
            .crud::<book::Entity>()
            .finish()
            .unwrap();
        let context = Context::new().with(Owner(owner.to_owned()));
        Client::of(
            router.with_state(self.state.clone()),
            &context,
            &Config::default(),
        )
    }

    /// The labels of a book, whoever sees them.
    pub async fn labels(&self, book: i64) -> Vec<i32> {
        book_label::Entity::find()
            .select_only()
            .column(book_label::Column::LabelId)
            .filter(book_label::Column::BookId.eq(book))
            .order_by_asc(book_label::Column::LabelId)
            .into_tuple()
            .all(self.db())
            .await
            .unwrap()
    }

    /// A link that the application has made by itself.
    pub async fn link(&self, book: i64, label: i32) {
        let link = book_label::ActiveModel {
            book_id: Set(book),
            label_id: Set(label),
        };
        book_label::Entity::insert(link)
            .exec(self.db())
            .await
            .unwrap();
    }

    pub async fn book(&self, id: i64) -> book::Model {
        book::Entity::find_by_id(id)
            .one(self.db())
            .await
            .unwrap()
            .unwrap()
    }
}
