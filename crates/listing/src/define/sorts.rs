//! The definition of sorts: columns, computed aliases and `relation.column` names (contract 2.6).

use std::marker::PhantomData;

use sea_orm::{ColumnTrait, EntityTrait};

use crate::vocabulary::SortDirection;

/// The sorts that clients of a listing can use.
///
/// ```
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub title: String, pub rating: Option<i32>,
/// #         pub created_at: DateTimeUtc }
/// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// use listing::{Sort, SortDirection, Sorts};
///
/// let sorts = Sorts::<article::Entity>::new()
///     .add_default_with(article::Column::CreatedAt, SortDirection::Desc)
///     .add(article::Column::Title)
///     .add(Sort::by("rating").nulls_last())
///     .add("comments_count")       // the alias of a computed field
///     .add("author.name");         // a column of a to-one relation
/// # let _ = sorts;
/// ```
#[derive(Debug)]
#[must_use = "a definition is data: return it from `Listing::sorts`"]
pub struct Sorts<E> {
    pub(super) sorts: Vec<Sort>,
    entity: PhantomData<fn() -> E>,
}

impl<E: EntityTrait> Sorts<E> {
    /// No sort but the primary key.
    pub fn new() -> Self {
        Self {
            sorts: Vec::new(),
            entity: PhantomData,
        }
    }

    /// A sort that is applied, ascending, when the client sends no `sort`.
    pub fn add_default<M>(self, sort: impl IntoSort<E, M>) -> Self {
        self.add_with(sort, true, SortDirection::Asc)
    }

    /// A sort that is applied in this direction when the client sends no `sort`.
    pub fn add_default_with<M>(self, sort: impl IntoSort<E, M>, direction: SortDirection) -> Self {
        self.add_with(sort, true, direction)
    }

    /// A sort that is applied only when the client asks for it.
    #[expect(clippy::should_implement_trait, reason = "the contract's name")]
    pub fn add<M>(self, sort: impl IntoSort<E, M>) -> Self {
        self.add_with(sort, false, SortDirection::Asc)
    }

    /// A sort with everything said: whether it is a default, and in which direction.
    pub fn add_with<M>(
        mut self,
        sort: impl IntoSort<E, M>,
        is_default: bool,
        direction: SortDirection,
    ) -> Self {
        self.sorts.push(Sort {
            default: is_default,
            direction,
            ..sort.into_sort()
        });
        self
    }
}

impl<E: EntityTrait> Default for Sorts<E> {
    fn default() -> Self {
        Self::new()
    }
}

/// One sort, where more than its name is to be said.
#[derive(Debug, Clone)]
#[must_use = "a sort does nothing until it is added to `Sorts`"]
pub struct Sort {
    pub(super) name: String,
    pub(super) nulls: Nulls,
    /// Whether it is `relevance`, which is not a column.
    pub(super) by_relevance: bool,
    pub(super) default: bool,
    pub(super) direction: SortDirection,
}

/// Where a sort puts the rows that have no value (d22).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nulls {
    /// Last in `asc`, first in `desc`.
    #[default]
    Largest,
    /// First, whatever the direction.
    First,
    /// Last, whatever the direction.
    Last,
}

impl Sort {
    /// A sort by a column, a field's alias or `relation.column`.
    pub fn by(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            nulls: Nulls::Largest,
            by_relevance: false,
            default: false,
            direction: SortDirection::Asc,
        }
    }

    /// `sort=relevance`: how well a row fits what is searched for, the best first (`desc` is the worst first). It needs
    /// [`Search::full_text`](crate::Search::full_text). Without a search all rows fit alike, and the sort has no effect:
    /// as a default sort it can stand before the others.
    pub fn relevance() -> Self {
        Self {
            by_relevance: true,
            ..Self::by("relevance")
        }
    }

    /// Rows without a value come first, whatever the direction.
    pub fn nulls_first(mut self) -> Self {
        self.nulls = Nulls::First;
        self
    }

    /// Rows without a value come last, whatever the direction.
    pub fn nulls_last(mut self) -> Self {
        self.nulls = Nulls::Last;
        self
    }
}

/// What [`Sorts::add`] takes: a column, a name, or a [`Sort`]. `Marker` only tells the cases apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no sort of this entity",
    note = "a sort is a column of the entity, a name (a column, a field's alias or `relation.column`) or a `Sort`"
)]
pub trait IntoSort<E, Marker> {
    /// The sort.
    fn into_sort(self) -> Sort;
}

impl<E: EntityTrait, C: ColumnTrait<EntityName = E>> IntoSort<E, super::fields::ByColumn> for C {
    fn into_sort(self) -> Sort {
        Sort::by(self.as_str())
    }
}

impl<E> IntoSort<E, super::fields::ByName> for &str {
    fn into_sort(self) -> Sort {
        Sort::by(self)
    }
}

impl<E> IntoSort<E, super::fields::Whole> for Sort {
    fn into_sort(self) -> Sort {
        self
    }
}
