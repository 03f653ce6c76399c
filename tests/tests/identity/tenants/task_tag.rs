//! The tags of tasks, in a table that does not say which company they belong to.

use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "task_tags")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub task_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub tag_id: i64,
    #[sea_orm(belongs_to, from = "task_id", to = "id", on_delete = "Cascade")]
    pub task: HasOne<super::task::Entity>,
    #[sea_orm(belongs_to, from = "tag_id", to = "id", on_delete = "Cascade")]
    pub tag: HasOne<super::tag::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}
