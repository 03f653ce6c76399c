//! What readers wrote under an article.

use sea_orm::entity::prelude::*;

/// One comment.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "comments")]
pub struct Model {
    /// Primary key.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The article it belongs to.
    pub article_id: i64,
    /// The name that the reader gave.
    #[sea_orm(column_type = "String(StringLen::N(255))")]
    pub author_name: String,
    /// The text.
    #[sea_orm(column_type = "Text")]
    pub body: String,
    /// Whether a moderator has hidden it; the table's own default is false.
    #[sea_orm(default_value = false)]
    pub is_hidden: bool,
    /// When it was written.
    pub created_at: DateTimeUtc,
    /// Relation `article`.
    #[sea_orm(belongs_to, from = "article_id", to = "id")]
    pub article: BelongsTo<super::article::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}
