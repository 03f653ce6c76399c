//! Typed names of relations and of columns: what the derive `NamedRelations` generates and definitions take.

use std::fmt;
use std::marker::PhantomData;

use sea_orm::{ColumnTrait, EntityTrait, IdenStatic};

use super::EntityId;

/// The name of a relation from the entity `E` to the entity `R`. The derive
/// [`NamedRelations`](macro@crate::NamedRelations) gives the entity one constant for each relation: the field `author`
/// is `Entity::AUTHOR`. It stands wherever a definition takes the name of a relation as text.
///
/// ```
/// # mod author {
/// #     use sea_orm::entity::prelude::*;
/// #     #[sea_orm::model]
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
/// #     #[sea_orm(table_name = "authors")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub name: String,
/// #         #[sea_orm(has_many)] pub articles: HasMany<super::article::Entity> }
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[sea_orm::model]
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub author_id: i64,
/// #         #[sea_orm(belongs_to, from = "author_id", to = "id")] pub author: BelongsTo<super::author::Entity> }
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// # fn main() {
/// use article::Entity;
/// use listing::{Populate, Relations, Sorts};
///
/// let relations = Relations::<Entity>::new()
///     .add(Populate::relation(Entity::AUTHOR).only([author::Column::Name]));
/// let sorts = Sorts::<Entity>::new().add(Entity::AUTHOR.column(author::Column::Name));
/// # let _ = (relations, sorts);
/// # }
/// ```
pub struct RelationName<E, R> {
    name: &'static str,
    entities: PhantomData<fn() -> (E, R)>,
}

impl<E, R> RelationName<E, R> {
    /// The relation of that name. The derive writes it; by hand it is not checked before start-up.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            entities: PhantomData,
        }
    }

    /// The name as text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.name
    }
}

impl<E, R: EntityTrait> RelationName<E, R> {
    /// A column of the related entity, to sort by.
    #[must_use]
    pub fn column(self, column: R::Column) -> RelatedColumn<E> {
        RelatedColumn {
            relation: self.name,
            column: column.as_str(),
            entity: PhantomData,
        }
    }
}

impl<E, R> Clone for RelationName<E, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E, R> Copy for RelationName<E, R> {}

impl<E, R> fmt::Debug for RelationName<E, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RelationName").field(&self.name).finish()
    }
}

impl<E, R> fmt::Display for RelationName<E, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A column of the entity to which a relation of `E` leads: [`RelationName::column`].
#[derive(Debug, Clone, Copy)]
pub struct RelatedColumn<E> {
    pub(super) relation: &'static str,
    pub(super) column: &'static str,
    entity: PhantomData<fn() -> E>,
}

/// A relation that a definition names.
#[derive(Debug, Clone)]
pub struct NamedRelation {
    pub(super) name: String,
    /// The entity whose relation it is, where the name is typed.
    pub(super) entity: Option<EntityId>,
}

/// The related entity of a relation that is named by text: it is not known before start-up.
#[derive(Debug, Clone, Copy)]
pub enum AnyEntity {}

/// The name of a relation of some entity: `Entity::AUTHOR`, or text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the name of a relation",
    label = "expected the name of a relation",
    note = "a relation is named by a constant that `derive(NamedRelations)` makes, such as `Entity::AUTHOR`, or by text (`\"author\"`)"
)]
pub trait NamesRelation {
    /// The relation.
    fn named(self) -> NamedRelation;
}

impl NamesRelation for &str {
    fn named(self) -> NamedRelation {
        NamedRelation {
            name: self.to_owned(),
            entity: None,
        }
    }
}

impl<E: 'static, R> NamesRelation for RelationName<E, R> {
    fn named(self) -> NamedRelation {
        NamedRelation {
            name: self.name.to_owned(),
            entity: Some(EntityId::of::<E>()),
        }
    }
}

/// What definitions take as the name of a relation of `E`: `Entity::AUTHOR`, or text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the name of a relation of `{E}`",
    label = "expected the name of a relation of `{E}`",
    note = "a relation is named by a constant that `derive(NamedRelations)` makes, such as `Entity::AUTHOR`, or by text (`\"author\"`)"
)]
pub trait IntoRelationName<E>: NamesRelation {
    /// The related entity; [`AnyEntity`] where the name is text.
    type Target;
}

impl<E> IntoRelationName<E> for &str {
    type Target = AnyEntity;
}

impl<E: 'static, R> IntoRelationName<E> for RelationName<E, R> {
    type Target = R;
}

/// What definitions take as the names of several relations of `E`: a tuple of at most 8 (`(Entity::AUTHOR, Entity::TAGS)`),
/// or an array of texts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not names of relations of `{E}`",
    label = "expected names of relations of `{E}`",
    note = "several relations are an array of names (`[\"author\", \"tags\"]`), or a tuple of at most 8 (`(Entity::AUTHOR, Entity::TAGS)`)"
)]
pub trait IntoRelationNames<E> {
    /// The relations.
    fn into_relation_names(self) -> Vec<NamedRelation>;
}

impl<E, T: IntoRelationName<E>, const N: usize> IntoRelationNames<E> for [T; N] {
    fn into_relation_names(self) -> Vec<NamedRelation> {
        self.into_iter().map(T::named).collect()
    }
}

macro_rules! tuples {
    ($(($($type:ident $name:ident),+))+) => {$(
        impl<E, $($type: IntoRelationName<E>),+> IntoRelationNames<E> for ($($type,)+) {
            fn into_relation_names(self) -> Vec<NamedRelation> {
                let ($($name,)+) = self;
                vec![$($name.named()),+]
            }
        }
    )+};
}

tuples! {
    (A a, B b)
    (A a, B b, C c)
    (A a, B b, C c, D d)
    (A a, B b, C c, D d, F f)
    (A a, B b, C c, D d, F f, G g)
    (A a, B b, C c, D d, F f, G g, H h)
    (A a, B b, C c, D d, F f, G g, H h, I i)
}

/// What definitions take as a column of the related entity `R`: `author::Column::Name`, or text.
/// `Marker` only tells the cases apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a column of `{R}`",
    label = "expected a column of the related entity",
    note = "a column is named by the related entity's own `Column`, or by text (`\"name\"`)"
)]
pub trait IntoColumnName<R, Marker> {
    /// The column's name in the database.
    fn into_column_name(self) -> String;
}

/// Tells the cases of [`IntoColumnName`] apart.
#[derive(Debug)]
pub enum OfAnyEntity {}

impl<R: EntityTrait, C: ColumnTrait<EntityName = R>> IntoColumnName<R, super::fields::ByColumn>
    for C
{
    fn into_column_name(self) -> String {
        self.as_str().to_owned()
    }
}

impl<C: ColumnTrait> IntoColumnName<AnyEntity, OfAnyEntity> for C {
    fn into_column_name(self) -> String {
        self.as_str().to_owned()
    }
}

impl<R> IntoColumnName<R, super::fields::ByName> for &str {
    fn into_column_name(self) -> String {
        self.to_owned()
    }
}

impl<R> IntoColumnName<R, super::fields::ByName> for String {
    fn into_column_name(self) -> String {
        self
    }
}
