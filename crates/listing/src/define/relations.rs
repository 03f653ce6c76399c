//! The definition of relations that clients may populate (contract 2.3).

use std::marker::PhantomData;

use sea_orm::EntityTrait;

use crate::vocabulary::SortDirection;

/// The relations that clients of a listing can populate.
///
/// ```
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64 }
/// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// use listing::{Relation, Relations, SortDirection};
///
/// let relations = Relations::<article::Entity>::new()
///     .add_default("author")
///     .add(Relation::named("comments").limit(5).order_by("created_at", SortDirection::Desc))
///     .add(Relation::named("seo").only(["meta_title"]));
/// # let _ = relations;
/// ```
#[derive(Debug)]
#[must_use = "a definition is data: return it from `Listing::relations`"]
pub struct Relations<E> {
    pub(super) relations: Vec<Relation>,
    entity: PhantomData<fn() -> E>,
}

impl<E: EntityTrait> Relations<E> {
    /// No relation.
    pub fn new() -> Self {
        Self {
            relations: Vec::new(),
            entity: PhantomData,
        }
    }

    /// A relation that is populated when the client sends no `populate`.
    pub fn add_default(self, relation: impl IntoRelation) -> Self {
        self.push(relation.into_relation(), true)
    }

    /// A relation that is populated only when the client asks for it.
    #[expect(clippy::should_implement_trait, reason = "the contract's name")]
    pub fn add(self, relation: impl IntoRelation) -> Self {
        self.push(relation.into_relation(), false)
    }

    fn push(mut self, relation: Relation, default: bool) -> Self {
        self.relations.push(Relation {
            default,
            ..relation
        });
        self
    }
}

impl<E: EntityTrait> Default for Relations<E> {
    fn default() -> Self {
        Self::new()
    }
}

/// One relation, where more than its name is to be said.
#[derive(Debug, Clone)]
#[must_use = "a relation does nothing until it is added to `Relations`"]
pub struct Relation {
    pub(super) name: String,
    pub(super) limit: Option<u64>,
    pub(super) order: Vec<(String, SortDirection)>,
    pub(super) only: Option<Vec<String>>,
    pub(super) default: bool,
}

impl Relation {
    /// The relation of that name.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            limit: None,
            order: Vec::new(),
            only: None,
            default: false,
        }
    }

    /// Its own number of items for each parent, instead of the project's.
    pub fn limit(mut self, limit: u64) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Its own order, by a column of the related entity; called again, the next sort.
    pub fn order_by(mut self, column: &str, direction: SortDirection) -> Self {
        self.order.push((column.to_owned(), direction));
        self
    }

    /// These columns of the related entity and no others, besides its `id`.
    /// An entity that has no listing of its own can be populated only so (d42).
    pub fn only<C: AsRef<str>>(mut self, columns: impl IntoIterator<Item = C>) -> Self {
        self.only = Some(
            columns
                .into_iter()
                .map(|column| column.as_ref().to_owned())
                .collect(),
        );
        self
    }
}

/// What [`Relations::add`] takes: a relation's name, or a [`Relation`].
pub trait IntoRelation {
    /// The relation.
    fn into_relation(self) -> Relation;
}

impl IntoRelation for &str {
    fn into_relation(self) -> Relation {
        Relation::named(self)
    }
}

impl IntoRelation for Relation {
    fn into_relation(self) -> Relation {
        self
    }
}
