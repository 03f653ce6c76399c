//! The definition of aggregates: which numbers clients can have about a field of all rows (d96, d104).

use std::fmt;
use std::marker::PhantomData;

use sea_orm::EntityTrait;

use super::filters::IntoKey;
use crate::vocabulary::AggregateFunction;

/// The numbers that clients can have about one field: `totals[views]=sum,avg`.
///
/// ```
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub views: i32 }
/// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// use listing::Aggregate;
/// use listing::AggregateFunction::{Average, Max, Min, Sum};
///
/// let aggregates: Vec<Aggregate<article::Entity>> =
///     vec![Aggregate::of(article::Column::Views).allow([Sum, Average, Min, Max])];
/// # let _ = aggregates;
/// ```
#[must_use = "a definition is data: return it from `Listing::aggregates`"]
pub struct Aggregate<E> {
    pub(super) draft: AggregateDraft,
    entity: PhantomData<fn() -> E>,
}

/// An aggregate as its developer wrote it, whichever entity it is for.
#[derive(Debug, Clone)]
pub(super) struct AggregateDraft {
    /// A column, or the name of a field.
    pub(super) field: String,
    pub(super) functions: Vec<AggregateFunction>,
}

impl<E: EntityTrait> Aggregate<E> {
    /// Numbers about a field of the listing: a column that clients can read. What can be aggregated can be read.
    pub fn of<M>(field: impl IntoKey<E, M>) -> Self {
        Self {
            draft: AggregateDraft {
                field: field.into_key(),
                functions: Vec::new(),
            },
            entity: PhantomData,
        }
    }

    /// The functions that clients may ask for.
    pub fn allow(mut self, functions: impl IntoIterator<Item = AggregateFunction>) -> Self {
        for function in functions {
            if !self.draft.functions.contains(&function) {
                self.draft.functions.push(function);
            }
        }
        self
    }
}

impl<E> fmt::Debug for Aggregate<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.draft.fmt(f)
    }
}
