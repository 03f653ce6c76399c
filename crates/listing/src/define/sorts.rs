//! The definition of sorts: columns, fields' aliases and columns of related rows (contract 2.6).

use std::marker::PhantomData;

use sea_orm::{ColumnTrait, EntityTrait};

use super::RelatedColumn;
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
///     .add_all([article::Column::Id, article::Column::Title])
///     .add(Sort::by("rating").nulls_last())
///     .add("comments_count")       // the alias of a computed field
///     .add("author.name");         // a column of a to-one relation, or `Entity::AUTHOR.column(author::Column::Name)`
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

    /// Several sorts that are applied only when the client asks for them: an array of what [`add`](Self::add) takes, or a
    /// tuple of different things (`("comments_count", Sort::relevance())`).
    pub fn add_all<M>(self, sorts: impl IntoSorts<E, M>) -> Self {
        sorts.into_sorts().into_iter().fold(self, Self::add)
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
    pub(super) by: SortBy,
    pub(super) alias: Option<String>,
    pub(super) nulls: Nulls,
    pub(super) default: bool,
    pub(super) direction: SortDirection,
}

/// The value that a sort compares.
#[derive(Debug, Clone)]
pub(super) enum SortBy {
    /// A column, a field's alias or `relation.column`.
    Name(String),
    /// A column of the row to which a relation leads.
    Related {
        relation: &'static str,
        column: &'static str,
    },
    /// The relevance of a row for the search.
    Relevance,
}

/// The position of rows without a value (d22).
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
        Self::new(SortBy::Name(name.to_owned()))
    }

    /// A sort by a column of the row to which a relation leads: `Entity::AUTHOR.column(author::Column::Name)`.
    pub fn by_related<E>(column: RelatedColumn<E>) -> Self {
        Self::new(SortBy::Related {
            relation: column.relation,
            column: column.column,
        })
    }

    /// The name that clients see (d90).
    pub fn alias(mut self, alias: &str) -> Self {
        self.alias = Some(alias.to_owned());
        self
    }

    fn new(by: SortBy) -> Self {
        Self {
            by,
            alias: None,
            nulls: Nulls::Largest,
            default: false,
            direction: SortDirection::Asc,
        }
    }

    /// `sort=relevance`: by the relevance of a row for the search, the best first (`desc` is the worst first). It needs
    /// [`Search::full_text`](crate::Search::full_text). Without a search, all rows are equally relevant, and the sort has no
    /// effect, so it can be the first default sort.
    pub fn relevance() -> Self {
        Self::new(SortBy::Relevance)
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

/// The argument of [`Sorts::add`]: a column, a name, or a [`Sort`]. `Marker` only tells the cases apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a sort of `{E}`",
    label = "expected a sort of `{E}`",
    note = "a sort is a column of the entity, a name (a column, a field's alias or `relation.column`), `(column, \"alias\")`, `Entity::AUTHOR.column(..)` or a `Sort`"
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

impl<E: EntityTrait, C: ColumnTrait<EntityName = E>> IntoSort<E, super::fields::ByColumnAs>
    for (C, &str)
{
    fn into_sort(self) -> Sort {
        Sort::by(self.0.as_str()).alias(self.1)
    }
}

impl<E> IntoSort<E, super::fields::Whole> for RelatedColumn<E> {
    fn into_sort(self) -> Sort {
        Sort::by_related(self)
    }
}

impl<E> IntoSort<E, super::fields::Whole> for Sort {
    fn into_sort(self) -> Sort {
        self
    }
}

/// The argument of [`Sorts::add_all`]: an array, a vector or a tuple of arguments of [`Sorts::add`]. `Marker` only tells the
/// cases apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not sorts of `{E}`",
    label = "expected sorts of `{E}`",
    note = "several sorts are an array (`[Column::Id, Column::Title]`), or a tuple of at most 6 (`(\"comments_count\", Sort::relevance())`)"
)]
pub trait IntoSorts<E, Marker> {
    /// The sorts.
    fn into_sorts(self) -> Vec<Sort>;
}

impl<E, M, S: IntoSort<E, M>, const N: usize> IntoSorts<E, [M; 0]> for [S; N] {
    fn into_sorts(self) -> Vec<Sort> {
        self.into_iter().map(S::into_sort).collect()
    }
}

impl<E, M, S: IntoSort<E, M>> IntoSorts<E, Vec<M>> for Vec<S> {
    fn into_sorts(self) -> Vec<Sort> {
        self.into_iter().map(S::into_sort).collect()
    }
}

macro_rules! tuples {
    ($(($($type:ident $marker:ident $name:ident),+))+) => {$(
        impl<E, $($type: IntoSort<E, $marker>, $marker),+> IntoSorts<E, ($($marker,)+)> for ($($type,)+) {
            fn into_sorts(self) -> Vec<Sort> {
                let ($($name,)+) = self;
                vec![$($name.into_sort()),+]
            }
        }
    )+};
}

tuples! {
    (A MA a, B MB b)
    (A MA a, B MB b, C MC c)
    (A MA a, B MB b, C MC c, D MD d)
    (A MA a, B MB b, C MC c, D MD d, F MF f)
    (A MA a, B MB b, C MC c, D MD d, F MF f, G MG g)
}
