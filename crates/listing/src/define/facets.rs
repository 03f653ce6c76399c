//! The definition of facets: for which values of a filter clients can have counts (d96, d102, d103).

use std::fmt;
use std::marker::PhantomData;

use sea_orm::EntityTrait;

use super::filters::IntoKey;
use super::relation_name::{IntoRelationName, NamedRelation};

/// The counts that clients can have next to a list: how many rows there are for each value of a filter.
///
/// ```
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub is_active: bool, pub author_id: i64,
/// #         pub views: i32, pub created_at: DateTimeUtc }
/// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// use listing::Facet;
///
/// let facets: Vec<Facet<article::Entity>> = vec![
///     Facet::of(article::Column::IsActive),               // a count for each value
///     Facet::of(article::Column::AuthorId).limit(20),     // for the 20 most common ones
///     Facet::relation("tags"),                            // for each related record
///     Facet::range(article::Column::Views),               // the smallest and the largest value
///     Facet::calendar(article::Column::CreatedAt),        // a count for each month, or another unit
/// ];
/// # let _ = facets;
/// ```
#[must_use = "a definition is data: return it from `Listing::facets`"]
pub struct Facet<E> {
    pub(super) draft: FacetDraft,
    entity: PhantomData<fn() -> E>,
}

/// A facet as its developer wrote it, whichever entity it is for.
#[derive(Debug, Clone)]
pub(super) struct FacetDraft {
    pub(super) by: FacetDraftBy,
    pub(super) limit: Option<u64>,
    pub(super) narrowing: bool,
    /// The field of the related listing that labels its records.
    pub(super) label: Option<String>,
}

/// The subject of a facet: a filter by its column or key, or a relation.
#[derive(Debug, Clone)]
pub(super) enum FacetDraftBy {
    Values(String),
    Range(String),
    Calendar(String),
    Relation(NamedRelation),
}

impl<E: EntityTrait> Facet<E> {
    /// A count for each value of a column. The listing must have a filter on it that allows `$eq` or `$in`, so that every
    /// value that is shown can be chosen.
    pub fn of<M>(filter: impl IntoKey<E, M>) -> Self {
        Self::new(FacetDraftBy::Values(filter.into_key()))
    }

    /// A count of the rows for each related record that populate would show. The listing must have a filter through the
    /// relation in which the `id` of related records can be chosen.
    pub fn relation(relation: impl IntoRelationName<E>) -> Self {
        Self::new(FacetDraftBy::Relation(relation.named()))
    }

    /// The smallest and the largest value of a column of numbers or times. The listing must have a filter on it that
    /// allows `$between`, or `$gte` together with `$lt` or `$lte`.
    pub fn range<M>(filter: impl IntoKey<E, M>) -> Self {
        Self::new(FacetDraftBy::Range(filter.into_key()))
    }

    /// A count for each year, quarter, month, week, day or hour of a column of dates or timestamps, whichever the client
    /// asks for. The listing must have a filter as for [`range`](Self::range).
    pub fn calendar<M>(filter: impl IntoKey<E, M>) -> Self {
        Self::new(FacetDraftBy::Calendar(filter.into_key()))
    }

    /// How many values the facet returns if the client does not say; 30 by default, at most 1,000.
    pub fn limit(mut self, values: u64) -> Self {
        self.draft.limit = Some(values);
        self
    }

    /// Counts the rows of the list, including the facet's own filter. Without it, a facet ignores its own filter, so that the
    /// alternatives to the selected values stay visible.
    pub fn narrowing(mut self) -> Self {
        self.draft.narrowing = true;
        self
    }

    /// The field of the related listing that labels the records of a relation; by default the one by which descriptions
    /// label them: the first text that a list shows.
    pub fn label(mut self, field: &str) -> Self {
        self.draft.label = Some(field.to_owned());
        self
    }

    fn new(by: FacetDraftBy) -> Self {
        Self {
            draft: FacetDraft {
                by,
                limit: None,
                narrowing: false,
                label: None,
            },
            entity: PhantomData,
        }
    }
}

impl<E> fmt::Debug for Facet<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.draft.fmt(f)
    }
}
