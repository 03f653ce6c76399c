//! One small table, and a listing of it for each way to define a filter.
#![expect(unreachable_pub, reason = "the derives make public items")]

/// An entity of the same table, with filters of its own.
macro_rules! notes {
    ($($(#[$doc:meta])* $name:ident => $filters:expr;)+) => {$(
        $(#[$doc])*
        pub mod $name {
            #[allow(unused_imports, reason = "not every definition needs all of them")]
            use listing::{
                Absent, Context, CustomCondition, DefaultValue, Fields, Filter, FilterOperator::*, FilterValue,
                HasListing, Kind, Listing, Relations, Sorts,
            };
            use sea_orm::entity::prelude::*;
            #[allow(unused_imports, reason = "not every definition needs them")]
            use sea_orm::sea_query::{Condition, Expr, ExprTrait};
            #[allow(unused_imports, reason = "not every definition needs it")]
            use super::*;

            // Not `#[sea_orm::model]`: there are many of these, and they have no relations.
            #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
            #[sea_orm(table_name = "filter_notes")]
            pub struct Model {
                #[sea_orm(primary_key, auto_increment = false)]
                pub id: i64,
                pub owner_id: Option<i64>,
                #[sea_orm(column_type = "String(StringLen::N(50))", nullable)]
                pub state: Option<String>,
                pub views: i32,
                pub is_open: bool,
                pub written_at: DateTimeUtc,
            }

            #[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
            pub enum Relation {}

            impl ActiveModelBehavior for ActiveModel {}

            impl listing::NamedRelations for Entity {
                fn named_relations() -> Vec<listing::entity::RelationMeta> {
                    Vec::new()
                }
            }

            pub struct Notes;

            impl HasListing for Entity {
                type Listing = Notes;
            }

            impl Listing for Notes {
                type Entity = Entity;
                fn fields() -> Fields<Entity> {
                    Fields::new().add_default(Column::State)
                }
                fn filters() -> Vec<Filter<Entity>> {
                    $filters
                }
                fn sorts() -> Sorts<Entity> {
                    Sorts::new().add_default(Column::Id)
                }
            }
        }
    )+};
}
pub(crate) use notes;

notes! {
    /// No filter at all.
    plain => Vec::new();
}

/// Noon of a day in January 2024: of the first for the first note, and so on.
pub(crate) fn noon(day: i64) -> chrono::DateTime<chrono::Utc> {
    format!("2024-01-{day:02}T12:00:00Z").parse().unwrap()
}

/// The rows.
pub(crate) fn rows() -> Vec<plain::Model> {
    let row = |id, owner_id, state: Option<&str>, is_open| plain::Model {
        id,
        owner_id,
        state: state.map(str::to_owned),
        views: 10 * i32::try_from(id).unwrap(),
        is_open,
        written_at: noon(id),
    };
    vec![
        row(1, Some(1), Some("draft"), true),
        row(2, Some(2), Some("open"), true),
        row(3, None, Some("open"), false),
        row(4, Some(1), Some("closed"), false),
        row(5, Some(2), None, true),
        row(6, None, None, true),
    ]
}
