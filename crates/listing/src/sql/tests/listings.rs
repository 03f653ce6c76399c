//! Listings of the test tables that use everything a listing can say.
#![expect(
    unreachable_pub,
    reason = "SeaORM and the trait want them public, and nobody else is to have them"
)]

use sea_orm::sea_query::{Expr, ExprTrait, Query};

use super::entities::{article, author, comment, draft, tag};
use crate::define::{
    Context, DefaultValue, Field, Fields, Filter, HasListing, Listing, Listings, Populate,
    Relations, Scope, Search, Sort, Sorts,
};
use crate::vocabulary::{CountMode, FilterOperator, Kind, Settings, SortDirection};

/// Whose rows the asker can see.
pub(super) struct Tenant(pub(super) i32);

pub(super) fn listings() -> Listings {
    // The plainest count: that others are written rightly is a matter of their own.
    let settings = Settings {
        count: CountMode::Exact,
        ..Settings::default()
    };
    Listings::builder(settings)
        .add::<article::Entity>()
        .add::<author::Entity>()
        .add::<comment::Entity>()
        .add::<draft::Entity>()
        .add::<tag::Entity>()
        .build()
        .unwrap()
}

pub struct ArticleListing;

impl HasListing for article::Entity {
    type Listing = ArticleListing;
}

impl Listing for ArticleListing {
    type Entity = article::Entity;

    fn fields() -> Fields<article::Entity> {
        let comments_count = || {
            Query::select()
                .expr(Expr::col("id").count())
                .from("comments")
                .and_where(Expr::col(("comments", "article_id")).equals(("articles", "id")))
                .take()
        };
        Fields::new()
            .add_default("title")
            .add((article::Column::CreatedAt, "written_at"))
            .add(Field::computed(comments_count, "comments_count").kind(Kind::Integer))
    }

    fn relations() -> Relations<article::Entity> {
        Relations::new()
            .add("author")
            .add(Populate::relation("comments").limit(3))
            .add(Populate::relation("tags").order_by("name", SortDirection::Desc))
            .add(Populate::relation("seo").only(["meta_title"]))
            .add(Populate::relation("draft").order_by("version", SortDirection::Desc))
    }

    fn filters() -> Vec<Filter<article::Entity>> {
        use article::Column;
        let all = || FilterOperator::ALL;
        let without_text = || -> Vec<_> {
            let all = all().iter().copied();
            all.filter(|operator| !operator.is_textual()).collect()
        };
        vec![
            Filter::make(Column::Title).allowed_operators(all()),
            Filter::make(Column::Body).allowed_operators(all()),
            Filter::make(Column::Views).allowed_operators(without_text()),
            Filter::make(Column::Rating).allowed_operators(without_text()),
            Filter::make(Column::IsActive).allowed_operators(FilterOperator::Equal),
            Filter::make(Column::CreatedAt).allowed_operators(without_text()),
            Filter::make(Column::PublishedAt).allowed_operators(without_text()),
            Filter::make("country")
                .allowed_operators(FilterOperator::Equal)
                .custom_query(|_, values, _| {
                    let country = values.iter().map(|value| value.canonical());
                    let authors = Query::select()
                        .column("id")
                        .from("authors")
                        .and_where(Expr::col("country").is_in(country))
                        .take();
                    Expr::col(("articles", "author_id")).in_subquery(authors)
                }),
            Filter::relation("author"),
            Filter::relation("comments"),
            Filter::relation("tags"),
            Filter::relation("draft"),
        ]
    }

    fn search() -> Option<Search<article::Entity>> {
        Some(Search::full_text([
            article::Column::Title,
            article::Column::Body,
        ]))
    }

    fn sorts() -> Sorts<article::Entity> {
        Sorts::new()
            .add_default_with("written_at", SortDirection::Desc)
            .add("id")
            .add("views")
            .add("rating")
            .add(Sort::by("body").nulls_last())
            .add(Sort::by("published_at").nulls_first())
            .add("comments_count")
            .add("author.name")
            .add("author.country")
            .add("seo.meta_title")
            .add(Sort::relevance())
            .add("draft.text")
    }

    fn soft_delete() -> Option<article::Column> {
        Some(article::Column::DeletedAt)
    }
}

pub struct AuthorListing;

impl HasListing for author::Entity {
    type Listing = AuthorListing;
}

impl Listing for AuthorListing {
    type Entity = author::Entity;

    fn fields() -> Fields<author::Entity> {
        Fields::new().add_default("name").add("country")
    }

    fn relations() -> Relations<author::Entity> {
        Relations::new().add("articles")
    }

    fn filters() -> Vec<Filter<author::Entity>> {
        vec![Filter::make("name").allowed_operators(FilterOperator::ALL)]
    }

    fn search() -> Option<Search<author::Entity>> {
        Some(Search::contains([
            author::Column::Name,
            author::Column::Country,
        ]))
    }

    fn sorts() -> Sorts<author::Entity> {
        Sorts::new().add("name")
    }

    /// Without a tenant, no row is visible.
    fn scope(context: &Context) -> Scope {
        let tenants = context.get::<Tenant>().into_iter();
        tenants.fold(Scope::nothing(), |any, Tenant(tenant)| {
            any.or(Expr::col((author::Entity, author::Column::Tenant)).eq(*tenant))
        })
    }
}

pub struct CommentListing;

impl HasListing for comment::Entity {
    type Listing = CommentListing;
}

impl Listing for CommentListing {
    type Entity = comment::Entity;

    fn fields() -> Fields<comment::Entity> {
        Fields::new().add_default("body")
    }

    fn relations() -> Relations<comment::Entity> {
        Relations::new().add("article")
    }

    fn filters() -> Vec<Filter<comment::Entity>> {
        vec![
            Filter::make("is_hidden")
                .allowed_operators(FilterOperator::Equal)
                .default_value(false),
            Filter::make("answered_at")
                .allowed_operators(FilterOperator::Null)
                .default(DefaultValue::NULL, FilterOperator::NotEqual),
        ]
    }

    fn sorts() -> Sorts<comment::Entity> {
        Sorts::new().add_default_with("answered_at", SortDirection::Desc)
    }
}

pub struct DraftListing;

impl HasListing for draft::Entity {
    type Listing = DraftListing;
}

impl Listing for DraftListing {
    type Entity = draft::Entity;

    fn fields() -> Fields<draft::Entity> {
        Fields::new().add_default("text")
    }

    fn filters() -> Vec<Filter<draft::Entity>> {
        vec![
            Filter::make("state").default(["open", "late"], FilterOperator::NotIn),
            Filter::make("text").allowed_operators(FilterOperator::Equal),
        ]
    }

    fn sorts() -> Sorts<draft::Entity> {
        Sorts::new()
    }
}

pub struct TagListing;

impl HasListing for tag::Entity {
    type Listing = TagListing;
}

impl Listing for TagListing {
    type Entity = tag::Entity;

    /// The key is shown as a text, and joined as what it is.
    fn fields() -> Fields<tag::Entity> {
        let id = Field::column(tag::Column::Code).alias("id");
        Fields::new().add(id.kind(Kind::Text)).add_default("name")
    }

    fn relations() -> Relations<tag::Entity> {
        Relations::new().add("articles")
    }

    fn filters() -> Vec<Filter<tag::Entity>> {
        vec![Filter::make("code").allowed_operators([FilterOperator::Equal, FilterOperator::In])]
    }

    fn sorts() -> Sorts<tag::Entity> {
        Sorts::new().add_default("name")
    }
}
