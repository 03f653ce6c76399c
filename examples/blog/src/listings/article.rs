//! What lists of articles have that no word at a column can say; the words are in `entity/article.rs`.

use listing::prelude::*;

use super::{CurrentUser, author::from_countries};
use crate::entity::article::{Column::AuthorId, Entity};

/// The filters, and one more: by the country of the author.
pub(crate) fn by_country(mut filters: Vec<Filter<Entity>>) -> Vec<Filter<Entity>> {
    use FilterOperator::{Equal, In};
    let country = Filter::make("author_country")
        .allowed_operators([Equal, In])
        .custom_query(|_, values, _| AuthorId.in_subquery(from_countries(values)));
    filters.push(country);
    filters
}

/// Whether the caller may list deleted articles: everybody who is signed in.
pub(crate) fn sees_deleted(context: &Context) -> bool {
    context.get::<CurrentUser>().is_some()
}
