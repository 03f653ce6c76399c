//! The tags under which articles are filed.

use sea_orm::entity::prelude::*;

/// One tag.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "tags")]
pub struct Model {
    /// Primary key.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The word; unique and case-sensitive.
    #[sea_orm(column_type = "String(StringLen::N(100))", unique)]
    pub name: String,
    /// Relation `articles`, through `article_tags`.
    #[sea_orm(has_many, via = "article_tag")]
    pub articles: HasMany<super::article::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}
