//! Which of the blog's entities are served, where, and how their records are written.

use garde::Validate;
use listing_axum::{Api, Given, Payload, Resource, RouteTable, Unique, WritableResource};

use crate::entity::{article, author, comment, tag};
use crate::routes::App;

/// Articles: the whole set.
#[derive(Debug)]
pub struct Articles;

impl Resource for Articles {
    type Entity = article::Entity;
    const SEGMENT: &'static str = "articles";
    const NAMES: (&'static str, &'static str) = ("Article", "Articles");
}

impl WritableResource for Articles {
    type Store = ArticlePayload;
    type Update = ArticlePayload;

    fn unique() -> Vec<Unique<article::Entity>> {
        vec![Unique::column(article::Column::Slug)]
    }
}

/// What a client sends to create or change an article.
#[derive(Debug, Payload, Validate)]
#[payload(active_model = article::ActiveModel)]
pub struct ArticlePayload {
    #[payload(trim)]
    #[garde(length(chars, min = 1, max = 255))]
    title: String,
    #[payload(trim)]
    #[garde(length(chars, min = 1, max = 255))]
    slug: String,
    #[garde(skip)]
    body: Given<Option<String>>,
    #[garde(skip)]
    is_active: bool,
}

macro_rules! read_only {
    ($($(#[$doc:meta])* $name:ident, $entity:ty, $segment:literal, $one:literal, $many:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name;

        impl Resource for $name {
            type Entity = $entity;
            const SEGMENT: &'static str = $segment;
            const NAMES: (&'static str, &'static str) = ($one, $many);
        }
    )+};
}

read_only! {
    /// Authors: list and show.
    Authors, author::Entity, "authors", "Author", "Authors";
    /// Comments: list and show.
    Comments, comment::Entity, "comments", "Comment", "Comments";
    /// Tags: list and show.
    Tags, tag::Entity, "tags", "Tag", "Tags";
}

/// Every endpoint of the blog, and the table of their names.
pub fn api() -> (axum::Router<App>, RouteTable) {
    Api::new("/api")
        .crud::<Articles>()
        .read::<Authors>()
        .read::<Comments>()
        .read::<Tags>()
        .finish()
}
