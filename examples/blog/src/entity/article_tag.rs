//! The pairs that join articles and tags.

use sea_orm::entity::prelude::*;

/// One article under one tag.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "article_tags")]
pub struct Model {
    /// The article; first half of the primary key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub article_id: i64,
    /// The tag; second half of the primary key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tag_id: i64,
    /// The article's side of the join.
    #[sea_orm(belongs_to, from = "article_id", to = "id")]
    pub article: BelongsTo<super::article::Entity>,
    /// The tag's side of the join.
    #[sea_orm(belongs_to, from = "tag_id", to = "id")]
    pub tag: BelongsTo<super::tag::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}
