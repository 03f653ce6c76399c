//! The definition of the relations that clients can populate (contract 2.3).

use std::marker::PhantomData;

use sea_orm::{ColumnTrait, EntityName, EntityTrait};

use super::relation_name::{IntoColumnName, IntoRelationName, NamedRelation, RelationName};
use super::{EntityId, Name, kind_of};
use crate::vocabulary::{Kind, SortDirection};

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
/// use listing::{Populate, Relations, SortDirection};
///
/// let relations = Relations::<article::Entity>::new()
///     .add_default("author")                                     // or `Entity::AUTHOR`
///     .add_all(["tags", "translations"])
///     .add(Populate::relation("comments").limit(5).order_by("created_at", SortDirection::Desc))
///     .add(Populate::relation("seo").only(["meta_title"]).alias("search"));
/// # let _ = relations;
/// ```
#[derive(Debug)]
#[must_use = "a definition is data: return it from `Listing::relations`"]
pub struct Relations<E> {
    pub(super) relations: Vec<DraftRelation>,
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
    pub fn add_default(self, relation: impl IntoPopulate<E>) -> Self {
        self.push(relation.into_populate(), true)
    }

    /// A relation that is populated only when the client asks for it.
    #[expect(clippy::should_implement_trait, reason = "the contract's name")]
    pub fn add(self, relation: impl IntoPopulate<E>) -> Self {
        self.push(relation.into_populate(), false)
    }

    /// Several relations that are populated when the client sends no `populate`.
    pub fn add_defaults(self, relations: impl IntoPopulates<E>) -> Self {
        let relations = relations.into_populates().into_iter();
        relations.fold(self, |all, relation| all.push(relation, true))
    }

    /// Several relations that are populated only when the client asks for them: an array of texts, or a tuple of typed
    /// names (`(Entity::AUTHOR, Entity::TAGS)`).
    pub fn add_all(self, relations: impl IntoPopulates<E>) -> Self {
        let relations = relations.into_populates().into_iter();
        relations.fold(self, |all, relation| all.push(relation, false))
    }

    fn push(mut self, relation: DraftRelation, default: bool) -> Self {
        self.relations.push(DraftRelation {
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

/// One relation of the entity `E` to the entity `R`, where more than its name is to be said.
#[derive(Debug)]
#[must_use = "a relation does nothing until it is added to `Relations`"]
pub struct Populate<E, R> {
    draft: DraftRelation,
    entities: PhantomData<fn() -> (E, R)>,
}

/// A relation as its developer defined it.
#[derive(Debug)]
pub struct DraftRelation {
    pub(super) relation: NamedRelation,
    pub(super) alias: Option<String>,
    pub(super) limit: Option<u64>,
    pub(super) order: Vec<(String, SortDirection)>,
    /// The order of the links of a many-to-many relation, which comes before the other.
    pub(super) links: Vec<DraftLinkOrder>,
    pub(super) only: Option<Vec<String>>,
    pub(super) default: bool,
}

/// An order by a column of the junction.
#[derive(Debug)]
pub(super) struct DraftLinkOrder {
    pub(super) entity: EntityId,
    /// The junction's table, where its entity is not known.
    pub(super) table: String,
    pub(super) column: Name,
    pub(super) kind: Kind,
    pub(super) direction: SortDirection,
}

impl DraftRelation {
    /// A relation with only its name.
    pub(super) fn of(relation: NamedRelation) -> Self {
        Self {
            relation,
            alias: None,
            limit: None,
            order: Vec::new(),
            links: Vec::new(),
            only: None,
            default: false,
        }
    }
}

impl<E, R> Populate<E, R> {
    /// The relation of that name: `Entity::AUTHOR`, or text.
    pub fn relation(name: impl IntoRelationName<E, Target = R>) -> Self {
        Self {
            draft: DraftRelation::of(name.named()),
            entities: PhantomData,
        }
    }

    /// The name that clients see (d90).
    pub fn alias(mut self, alias: &str) -> Self {
        self.draft.alias = Some(alias.to_owned());
        self
    }

    /// Its own number of items for each parent, instead of the project's.
    pub fn limit(mut self, limit: u64) -> Self {
        self.draft.limit = Some(limit);
        self
    }

    /// Its own order, by a column of the related entity; called again, the next sort.
    pub fn order_by<M>(
        mut self,
        column: impl IntoColumnName<R, M>,
        direction: SortDirection,
    ) -> Self {
        let column = column.into_column_name();
        self.draft.order.push((column, direction));
        self
    }

    /// Its own order, by a column of the junction of a many-to-many relation: the order in which rows were linked, or a position
    /// that the junction stores. It comes before [`order_by`](Self::order_by), and applies if the client requests no other order.
    /// A row that is linked twice appears at its first position.
    ///
    /// ```ignore
    /// Populate::relation(article::Entity::TAGS).order_by_link(article_tag::Column::Position, SortDirection::Asc)
    /// ```
    pub fn order_by_link<C: ColumnTrait>(mut self, column: C, direction: SortDirection) -> Self {
        self.draft.links.push(DraftLinkOrder {
            entity: EntityId::of::<C::EntityName>(),
            table: C::EntityName::default().table_name().to_owned(),
            kind: kind_of(column.def().get_column_type()),
            column: Name::Borrowed(column.as_str()),
            direction,
        });
        self
    }

    /// Shows only these columns of the related entity, besides its `id`. An entity without a listing can only be populated in
    /// this way (d42).
    pub fn only<M, C: IntoColumnName<R, M>>(
        mut self,
        columns: impl IntoIterator<Item = C>,
    ) -> Self {
        let columns = columns.into_iter().map(C::into_column_name);
        self.draft.only = Some(columns.collect());
        self
    }
}

/// The argument of [`Relations::add`]: a relation's name (`Entity::AUTHOR`, or text), or a [`Populate`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a relation of `{E}`",
    label = "expected a relation of `{E}`",
    note = "a relation is a constant that `derive(NamedRelations)` makes, such as `Entity::AUTHOR`, its name as text (`\"author\"`), or a `Populate`"
)]
pub trait IntoPopulate<E> {
    /// The relation.
    fn into_populate(self) -> DraftRelation;
}

impl<E> IntoPopulate<E> for &str {
    fn into_populate(self) -> DraftRelation {
        Populate::<E, _>::relation(self).draft
    }
}

impl<E: 'static, R> IntoPopulate<E> for RelationName<E, R> {
    fn into_populate(self) -> DraftRelation {
        Populate::<E, _>::relation(self).draft
    }
}

impl<E, R> IntoPopulate<E> for Populate<E, R> {
    fn into_populate(self) -> DraftRelation {
        self.draft
    }
}

/// The argument of [`Relations::add_all`]: an array or a tuple of arguments of [`Relations::add`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not relations of `{E}`",
    label = "expected relations of `{E}`",
    note = "several relations are an array of names (`[\"author\", \"tags\"]`), or a tuple of at most 12 (`(Entity::AUTHOR, Entity::TAGS)`)"
)]
pub trait IntoPopulates<E> {
    /// The relations.
    fn into_populates(self) -> Vec<DraftRelation>;
}

impl<E, T: IntoPopulate<E>, const N: usize> IntoPopulates<E> for [T; N] {
    fn into_populates(self) -> Vec<DraftRelation> {
        self.into_iter().map(T::into_populate).collect()
    }
}

impl<E, T: IntoPopulate<E>> IntoPopulates<E> for Vec<T> {
    fn into_populates(self) -> Vec<DraftRelation> {
        self.into_iter().map(T::into_populate).collect()
    }
}

macro_rules! tuples {
    ($(($($type:ident $name:ident),+))+) => {$(
        impl<E, $($type: IntoPopulate<E>),+> IntoPopulates<E> for ($($type,)+) {
            fn into_populates(self) -> Vec<DraftRelation> {
                let ($($name,)+) = self;
                vec![$($name.into_populate()),+]
            }
        }
    )+};
}

tuples! {
    (A a)
    (A a, B b)
    (A a, B b, C c)
    (A a, B b, C c, D d)
    (A a, B b, C c, D d, F f)
    (A a, B b, C c, D d, F f, G g)
    (A a, B b, C c, D d, F f, G g, H h)
    (A a, B b, C c, D d, F f, G g, H h, I i)
    (A a, B b, C c, D d, F f, G g, H h, I i, J j)
    (A a, B b, C c, D d, F f, G g, H h, I i, J j, K k)
    (A a, B b, C c, D d, F f, G g, H h, I i, J j, K k, L l)
    (A a, B b, C c, D d, F f, G g, H h, I i, J j, K k, L l, M m)
}
