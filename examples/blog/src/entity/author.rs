//! The people who write articles.

use sea_orm::entity::prelude::*;

/// One author.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "authors")]
pub struct Model {
    /// Primary key.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// Display name; two authors may share one.
    #[sea_orm(column_type = "String(StringLen::N(255))")]
    pub name: String,
    /// Private: no listing names this column, so that it can never be read, filtered or sorted by.
    #[sea_orm(column_type = "String(StringLen::N(255))", unique)]
    pub email: String,
    /// ISO 3166-1 code of two letters.
    #[sea_orm(column_type = "String(StringLen::N(2))")]
    pub country: String,
    /// When the author joined.
    pub created_at: DateTimeUtc,
    /// Relation `articles`.
    #[sea_orm(has_many)]
    pub articles: HasMany<super::article::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}
