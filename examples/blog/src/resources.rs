//! The blog's endpoints: which entities are served, and who may write them.

use std::convert::Infallible;

use listing::{Context, DefinitionErrors, Settings};
use listing_axum::events::{Event, Events};
use listing_axum::{
    Access, Api, ApiError, ApiInfo, App, BuiltApi, Change, Denied, Operation, PublicRead, policy,
};
use sea_orm::ActiveValue::Set;

use crate::entity::{article, author, comment, tag};
use crate::listings::CurrentUser;

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
pub type Articles = article::Entity;

/// No key for tokens is configured, so that nobody can be known.
#[derive(Debug, Clone, Copy)]
pub struct KeyIsMissing;

/// Everybody may write articles while no key for tokens is configured, as in the contract's reference. Once there is one, it
/// takes a token.
pub(crate) fn readers_and_writers(access: &Access<'_, Articles>) -> Result<(), Denied> {
    if access.context().get::<KeyIsMissing>().is_some() {
        return policy::allow_all();
    }
    // What everybody may read page by page, everybody may have as a file too.
    if access.operation() == Operation::Export {
        return policy::allow_all();
    }
    policy::read_for_all(access, policy::signed_in::<CurrentUser>)
}

/// Changes of articles are events, which say who made them.
pub(crate) fn announced() -> Events<Articles> {
    Events::new().caller(author_of)
}

/// Who has made a change, for events and histories.
pub(crate) fn author_of(context: &Context) -> Option<String> {
    let user = context.get::<CurrentUser>()?;
    Some(format!("author {}", user.author_id))
}

/// Says in the log what was done with an article. A blog that is read would tell its subscribers here.
///
/// # Errors
/// Never: an error would have the event handed over again.
pub async fn notify(event: Event, _app: App) -> Result<(), Infallible> {
    let (operation, caller) = (event.operation.name(), event.caller.as_deref());
    tracing::info!(operation, article = %event.record, changed = ?event.changed, caller, "an article has changed");
    Ok(())
}

/// Whose idempotency keys these are: those of nobody in particular, where nobody is known.
pub(crate) fn caller(context: &Context) -> Option<String> {
    let user = context.get::<CurrentUser>();
    Some(user.map_or_else(String::new, |user| user.author_id.to_string()))
}

/// A new article is its author's own; where nobody is known, it is unsigned.
pub(crate) async fn sign(change: &mut Change<'_, Articles>) -> Result<(), ApiError> {
    if let Some(user) = change.context().get::<CurrentUser>() {
        change.record.author_id = Set(Some(user.author_id));
    }
    Ok(())
}
