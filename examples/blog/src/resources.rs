//! The blog's endpoints: which entities are served, who may write them, and what clients send.

use garde::Validate;
use listing::{Context, DefinitionErrors, Settings};
use listing_axum::{
    Access, Api, ApiInfo, BuiltApi, Denied, Given, Payload, PublicRead, Resource, WritableResource,
    policy,
};
use sea_orm::ActiveValue::Set;

use crate::entity::{article, author, comment, tag};
use crate::listings::CurrentUser;
use crate::routes::{App, KeyIsMissing};

/// Every endpoint of the blog, with its listings and the names of its routes.
///
/// # Errors
/// Everything that is wrong in any definition.
pub fn api(settings: Settings) -> Result<BuiltApi<App>, DefinitionErrors> {
    let info = ApiInfo::new("Blog", env!("CARGO_PKG_VERSION"))
        .description("A small blog: articles with their authors, comments and tags.")
        .bearer_auth_if(|context| context.get::<KeyIsMissing>().is_none());
    let api = Api::new("/api")
        .crud::<Articles>()
        .read::<Authors>()
        .read::<Comments>()
        .read::<Tags>()
        .build(settings)?;
    Ok(api.describe(info))
}

/// Authors: list and show.
pub type Authors = PublicRead<author::Entity>;
/// Comments: list and show.
pub type Comments = PublicRead<comment::Entity>;
/// Tags: list and show.
pub type Tags = PublicRead<tag::Entity>;

/// Articles: list, show, store, update, destroy and restore.
#[derive(Debug)]
pub struct Articles;

impl Resource for Articles {
    type Entity = article::Entity;

    /// Everybody may write while no key for tokens is configured, as in the contract's reference. Once there is one, it
    /// takes a token.
    fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        if access.context().get::<KeyIsMissing>().is_some() {
            return policy::allow_all();
        }
        policy::read_for_all(access, policy::signed_in::<CurrentUser>)
    }
}

impl WritableResource for Articles {
    type Store = ArticlePayload;
    type Update = ArticlePayload;

    /// A new article is its author's own; where nobody is known, it is unsigned.
    fn before_store(record: &mut article::ActiveModel, context: &Context) {
        if let Some(user) = context.get::<CurrentUser>() {
            record.author_id = Set(Some(user.author_id));
        }
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
