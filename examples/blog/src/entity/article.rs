//! The blog's main entity, with its author, comments, tags and SEO texts.

use sea_orm::entity::prelude::*;

/// One article.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "articles")]
#[listing(crate::listings::ArticleListing)]
pub struct Model {
    /// Primary key.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// Who wrote it; null for unsigned articles.
    pub author_id: Option<i64>,
    /// Headline.
    #[sea_orm(column_type = "String(StringLen::N(255))")]
    pub title: String,
    /// Name in the URL; unique and case-sensitive.
    #[sea_orm(column_type = "String(StringLen::N(255))", unique)]
    pub slug: String,
    /// The text; null until it is written.
    #[sea_orm(column_type = "Text", nullable)]
    pub body: Option<String>,
    /// Whether it is published; the table's own default is true.
    #[sea_orm(default_value = true)]
    pub is_active: bool,
    /// How often it was read.
    #[sea_orm(default_value = 0)]
    pub views: i32,
    /// Mean of the readers' votes, 1.00 to 5.00; null before the first vote.
    #[sea_orm(column_type = "Decimal(Some((3, 2)))", nullable)]
    pub rating: Option<Decimal>,
    /// When it was created.
    pub created_at: DateTimeUtc,
    /// When it was last changed.
    pub updated_at: DateTimeUtc,
    /// When it was soft-deleted; null for an article that is not.
    pub deleted_at: Option<DateTimeUtc>,
    /// Relation `author`.
    #[sea_orm(belongs_to, from = "author_id", to = "id")]
    pub author: BelongsTo<Option<super::author::Entity>>,
    /// Relation `comments`.
    #[sea_orm(has_many)]
    pub comments: HasMany<super::comment::Entity>,
    /// Relation `tags`, through `article_tags`.
    #[sea_orm(has_many, via = "article_tag")]
    pub tags: HasMany<super::tag::Entity>,
    /// Relation `seo`.
    #[sea_orm(has_one)]
    pub seo: HasOne<super::seo::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}
