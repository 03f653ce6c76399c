//! Posts with replies and topics, whose numbers the database keeps.

use listing::migration::Counter;
use listing::{Field, Fields, Filter, HasListing, Listing, Sorts};
use listing_tests::{Engine, fresh_database};
use sea_orm::{ConnectionTrait, DatabaseConnection};

/// The replies of a post that can be seen, and the posts of a topic.
pub fn counters() -> [Counter; 2] {
    [
        Counter::in_column("posts", "replies_count")
            .of("replies", "post_id")
            .only_false("is_hidden")
            .only_null("deleted_at"),
        Counter::in_column("topics", "posts_count")
            .of_linked("posts", "id", ("post_topics", "topic_id", "post_id"))
            .only_null("deleted_at"),
    ]
}

/// The tables, without counters.
pub async fn tables(engine: Engine) -> DatabaseConnection {
    let db = fresh_database(engine).await;
    let moment = match engine {
        Engine::Mysql => "DATETIME(6)",
        Engine::Postgres | Engine::Sqlite => "TIMESTAMP",
    };
    for sql in [
        format!("CREATE TABLE posts (id BIGINT PRIMARY KEY, deleted_at {moment} NULL)"),
        format!(
            "CREATE TABLE replies (id BIGINT PRIMARY KEY, post_id BIGINT, is_hidden BOOLEAN NOT NULL, \
             deleted_at {moment} NULL, note BIGINT, \
             FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE ON UPDATE CASCADE)"
        ),
        "CREATE TABLE topics (id BIGINT PRIMARY KEY)".to_owned(),
        "CREATE TABLE post_topics (post_id BIGINT NOT NULL, topic_id BIGINT NOT NULL, \
         PRIMARY KEY (post_id, topic_id), \
         FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE ON UPDATE CASCADE, \
         FOREIGN KEY (topic_id) REFERENCES topics (id) ON DELETE CASCADE ON UPDATE CASCADE)"
            .to_owned(),
    ] {
        db.execute_unprepared(&sql).await.unwrap();
    }
    db
}

pub mod post {
    use super::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "posts")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub deleted_at: Option<DateTimeUtc>,
        pub replies_count: i64,
        #[sea_orm(has_many)]
        pub replies: HasMany<super::reply::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct PostListing;

    impl HasListing for Entity {
        type Listing = PostListing;
    }

    impl Listing for PostListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
                .add_default(Column::RepliesCount)
                .add_default(Field::count_of(Entity::REPLIES).alias("counted"))
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new().add(Column::RepliesCount).add("counted")
        }

        fn soft_delete() -> Option<Column> {
            Some(Column::DeletedAt)
        }
    }
}

pub mod reply {
    use super::*;
    use listing::FilterOperator;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "replies")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub post_id: Option<i64>,
        pub is_hidden: bool,
        pub deleted_at: Option<DateTimeUtc>,
        #[sea_orm(belongs_to, from = "post_id", to = "id")]
        pub post: BelongsTo<Option<super::post::Entity>>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct ReplyListing;

    impl HasListing for Entity {
        type Listing = ReplyListing;
    }

    impl Listing for ReplyListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
        }

        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::make(Column::IsHidden)
                    .allowed_operators(FilterOperator::Equal)
                    .default_value(false),
            ]
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new().add_default(Column::Id)
        }

        fn soft_delete() -> Option<Column> {
            Some(Column::DeletedAt)
        }
    }
}
