//! The blog's main entity, with its author, comments, tags and SEO texts, and what clients may ask of each column.

use listing::Listing;
use listing_axum::Unique;
use sea_orm::entity::prelude::*;

use super::author;
use crate::listings::{CurrentUser, by_country, sees_deleted};
use crate::resources::{announced, author_of, caller, readers_and_writers, sign};

/// One article.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Listing)]
#[sea_orm(table_name = "articles")]
#[listing(
    populate(author, comments, tags),
    search(full_text(title, body), relevance),
    soft_delete = deleted_at,
    sort = "created_at:desc",
    export,
    show(title, slug, body, is_active, created_at, updated_at),
    filters = by_country,
    trashed = sees_deleted,
    authorize = readers_and_writers,
    bulk,
    import,
    upsert_by = Unique::column(Column::Slug),
    idempotency = caller,
    before_store = sign,
    events = announced(),
    history = author_of
)]
pub struct Model {
    /// Primary key.
    #[sea_orm(primary_key)]
    #[listing(filter(equality), sort)]
    pub id: i64,
    /// Headline.
    #[sea_orm(column_type = "String(StringLen::N(255))")]
    #[listing(default, filter(eq, ne, contains), sort, write(trim))]
    #[garde(length(chars, min = 1, max = 255))]
    pub title: String,
    /// Name in the URL; unique and case-sensitive.
    #[sea_orm(column_type = "String(StringLen::N(255))", unique)]
    #[listing(default, filter(eq, in), write(trim))]
    #[garde(length(chars, min = 1, max = 255))]
    pub slug: String,
    /// The text; null until it is written.
    #[sea_orm(column_type = "Text", nullable)]
    #[listing(field, filter(contains, nulls), write)]
    pub body: Option<String>,
    /// Whether it is published; the table's own default is true.
    #[sea_orm(default_value = true)]
    #[listing(default, filter(eq, labels([("true", "Active"), ("false", "Inactive")])), facet, write(required))]
    pub is_active: bool,
    /// How often it was read.
    #[sea_orm(default_value = 0)]
    #[listing(
        default,
        filter(comparisons, between),
        sort,
        facet(range),
        total(sum, avg, min, max)
    )]
    pub views: i32,
    /// Mean of the readers' votes, 1.00 to 5.00; null before the first vote.
    #[sea_orm(column_type = "Decimal(Some((3, 2)))", nullable)]
    #[listing(field, filter(comparisons, nulls), sort, total(avg, min, max))]
    pub rating: Option<Decimal>,
    /// Who wrote it; null for unsigned articles. Authors see their own articles first.
    #[listing(field, filter(
        eq, in, nulls,
        default_from(|user: &CurrentUser| user.author_id),
        labels_from(author::Column::Name)
    ), facet)]
    pub author_id: Option<i64>,
    /// When it was created.
    #[listing(default, filter(comparisons, between), facet(calendar))]
    pub created_at: DateTimeUtc,
    /// When it was last changed.
    #[listing(field)]
    pub updated_at: DateTimeUtc,
    /// When it was soft-deleted; null for an article that is not.
    pub deleted_at: Option<DateTimeUtc>,
    /// Relation `author`.
    #[sea_orm(belongs_to, from = "author_id", to = "id")]
    #[listing(filter, sort(name))]
    pub author: BelongsTo<Option<super::author::Entity>>,
    /// Relation `comments`.
    #[sea_orm(has_many)]
    #[listing(filter, count(sort))]
    pub comments: HasMany<super::comment::Entity>,
    /// Relation `tags`, through `article_tags`.
    #[sea_orm(has_many, via = "article_tag")]
    #[listing(filter, facet, write)]
    pub tags: HasMany<super::tag::Entity>,
    /// Relation `seo`, which has no listing of its own.
    #[sea_orm(has_one)]
    #[listing(
        populate(only(meta_title, meta_description)),
        filter(only(meta_title, meta_description)),
        sort(meta_title)
    )]
    pub seo: HasOne<super::seo::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}
