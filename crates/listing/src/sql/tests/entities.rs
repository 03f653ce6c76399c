//! The tables of these tests, with every way in which two of them can be related.
#![expect(
    unreachable_pub,
    reason = "SeaORM and the trait want them public, and nobody else is to have them"
)]

pub(super) mod author {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "authors")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub name: String,
        pub country: String,
        pub email: String,
        pub tenant: i32,
        #[sea_orm(has_many)]
        pub articles: HasMany<super::article::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) mod article {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "articles")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub author_id: Option<i64>,
        pub title: String,
        #[sea_orm(column_type = "Text", nullable)]
        pub body: Option<String>,
        pub views: i32,
        #[sea_orm(column_type = "Decimal(Some((3, 2)))", nullable)]
        pub rating: Option<Decimal>,
        pub is_active: bool,
        pub created_at: DateTimeUtc,
        pub published_at: Option<DateTime>,
        pub deleted_at: Option<DateTimeUtc>,
        #[sea_orm(belongs_to, from = "author_id", to = "id")]
        pub author: BelongsTo<Option<super::author::Entity>>,
        #[sea_orm(has_many)]
        pub comments: HasMany<super::comment::Entity>,
        #[sea_orm(has_many, via = "article_tag")]
        pub tags: HasMany<super::tag::Entity>,
        #[sea_orm(has_one)]
        pub seo: HasOne<super::seo::Entity>,
        #[sea_orm(has_one)]
        pub draft: HasOne<super::draft::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) mod comment {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "comments")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub article_id: i64,
        pub body: String,
        pub is_hidden: bool,
        pub answered_at: Option<DateTimeUtc>,
        #[sea_orm(belongs_to, from = "article_id", to = "id")]
        pub article: BelongsTo<super::article::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) mod tag {
    use sea_orm::entity::prelude::*;

    /// Its key is a UUID, and not called `id`.
    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "tags")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub code: Uuid,
        pub name: String,
        #[sea_orm(has_many, via = "article_tag")]
        pub articles: HasMany<super::article::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) mod article_tag {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "article_tags")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub article_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub tag_code: Uuid,
        #[sea_orm(belongs_to, from = "article_id", to = "id")]
        pub article: BelongsTo<super::article::Entity>,
        #[sea_orm(belongs_to, from = "tag_code", to = "code")]
        pub tag: BelongsTo<super::tag::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) mod seo {
    use sea_orm::entity::prelude::*;

    /// One for each article, and the table says so. It has no listing.
    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "seo")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        #[sea_orm(unique)]
        pub article_id: i64,
        pub meta_title: String,
        #[sea_orm(belongs_to, from = "article_id", to = "id")]
        pub article: BelongsTo<super::article::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) mod draft {
    use sea_orm::entity::prelude::*;

    /// One for each article, and nothing in the table says so.
    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "drafts")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub article_id: i64,
        pub text: String,
        pub version: i32,
        pub state: String,
        #[sea_orm(belongs_to, from = "article_id", to = "id")]
        pub article: BelongsTo<super::article::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}
