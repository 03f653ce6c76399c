//! The texts that search engines show, at most one row per article.

use sea_orm::entity::prelude::*;

/// What search engines show for one article.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "seo")]
pub struct Model {
    /// Primary key.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The article; unique, which is what makes the relation a has-one.
    #[sea_orm(unique)]
    pub article_id: i64,
    /// Title in search results.
    #[sea_orm(column_type = "String(StringLen::N(255))")]
    pub meta_title: String,
    /// Text in search results.
    #[sea_orm(column_type = "Text")]
    pub meta_description: String,
    /// Relation `article`.
    #[sea_orm(belongs_to, from = "article_id", to = "id")]
    pub article: BelongsTo<super::article::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}
