//! The definition of fields: columns, aliases and computed sub-queries (contract 2.2).

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use sea_orm::sea_query::SelectStatement;
use sea_orm::{ColumnTrait, EntityTrait, IdenStatic};

use super::Context;
use crate::vocabulary::Kind;

/// The fields that clients of a listing can select. `id` is always among them.
///
/// ```
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub title: String, pub body: String,
/// #         pub created_at: DateTimeUtc }
/// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// use listing::Fields;
/// use sea_orm::sea_query::{Expr, ExprTrait, Query};
///
/// let fields = Fields::<article::Entity>::new()
///     .add_default(article::Column::Title)                        // a column
///     .add("body")                                                // the same, by name
///     .add((article::Column::CreatedAt, "written_at"))            // under another name
///     .add((
///         || {
///             Query::select()
///                 .expr(Expr::col("id").count())
///                 .from("comments")
///                 .and_where(Expr::col(("comments", "article_id")).equals(("articles", "id")))
///                 .take()
///         },
///         "comments_count",                                       // computed: the name is mandatory
///     ));
/// # let _ = fields;
/// ```
#[derive(Debug)]
#[must_use = "a definition is data: return it from `Listing::fields`"]
pub struct Fields<E> {
    pub(super) fields: Vec<Field>,
    entity: PhantomData<fn() -> E>,
}

impl<E: EntityTrait> Fields<E> {
    /// No field but `id`.
    pub fn new() -> Self {
        Self {
            fields: Vec::new(),
            entity: PhantomData,
        }
    }

    /// A field that is returned when the client sends no `fields`.
    pub fn add_default<M>(self, field: impl IntoField<E, M>) -> Self {
        self.push(field.into_field(), true)
    }

    /// A field that is returned only when the client asks for it.
    #[expect(clippy::should_implement_trait, reason = "the contract's name")]
    pub fn add<M>(self, field: impl IntoField<E, M>) -> Self {
        self.push(field.into_field(), false)
    }

    fn push(mut self, field: Field, default: bool) -> Self {
        self.fields.push(Field { default, ..field });
        self
    }
}

impl<E: EntityTrait> Default for Fields<E> {
    fn default() -> Self {
        Self::new()
    }
}

/// One field, where more than its column and name is to be said.
#[derive(Clone)]
#[must_use = "a field does nothing until it is added to `Fields`"]
pub struct Field {
    pub(super) alias: String,
    pub(super) source: Source,
    pub(super) kind: Option<Kind>,
    pub(super) text_integer: bool,
    pub(super) default: bool,
}

#[derive(Clone)]
pub(super) enum Source {
    Column(String),
    Computed(Computed),
}

/// A computed field's sub-query, made anew for each request.
pub(crate) type Computed = Arc<dyn Fn(&Context) -> SelectStatement + Send + Sync>;

impl Field {
    /// A column, under its own name.
    pub fn column(column: impl IdenStatic) -> Self {
        Self::named(column.as_str())
    }

    /// A column by name, under its own name.
    pub fn named(column: &str) -> Self {
        Self::new(column, Source::Column(column.to_owned()))
    }

    /// A sub-query, under the name that clients see.
    pub fn computed(
        query: impl Fn() -> SelectStatement + Send + Sync + 'static,
        alias: &str,
    ) -> Self {
        Self::computed_for(move |_| query(), alias)
    }

    /// A sub-query that depends on who asks, under the name that clients see.
    pub fn computed_for(
        query: impl Fn(&Context) -> SelectStatement + Send + Sync + 'static,
        alias: &str,
    ) -> Self {
        Self::new(alias, Source::Computed(Arc::new(query)))
    }

    /// The name that clients see.
    pub fn alias(mut self, alias: &str) -> Self {
        alias.clone_into(&mut self.alias);
        self
    }

    /// What a computed field's value is, so that every database gives the same JSON.
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// Integers as JSON strings, for numbers above 2^53 that JavaScript would round (d55).
    pub fn as_text(mut self) -> Self {
        self.text_integer = true;
        self
    }

    fn new(alias: &str, source: Source) -> Self {
        Self {
            alias: alias.to_owned(),
            source,
            kind: None,
            text_integer: false,
            default: false,
        }
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = match &self.source {
            Source::Column(column) => column.as_str(),
            Source::Computed(_) => "computed",
        };
        f.debug_struct("Field")
            .field("alias", &self.alias)
            .field("source", &source)
            .finish()
    }
}

/// What [`Fields::add`] takes: a column, its name, either with an alias, a closure with an alias, or a [`Field`].
///
/// A closure without an alias does not compile (contract 2.2 rule 1). `Marker` only tells the cases apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no field of this entity",
    note = "a field is a column of the entity, a column name, `(column, \"alias\")`, `(closure, \"alias\")` or a `Field`; a computed field needs an alias"
)]
pub trait IntoField<E, Marker> {
    /// The field.
    fn into_field(self) -> Field;
}

/// Tells the cases of [`IntoField`] apart.
#[derive(Debug)]
pub enum ByColumn {}
/// Tells the cases of [`IntoField`] apart.
#[derive(Debug)]
pub enum ByColumnAs {}
/// Tells the cases of [`IntoField`] apart.
#[derive(Debug)]
pub enum ByName {}
/// Tells the cases of [`IntoField`] apart.
#[derive(Debug)]
pub enum ByClosure {}
/// Tells the cases of [`IntoField`] apart.
#[derive(Debug)]
pub enum Whole {}

impl<E: EntityTrait, C: ColumnTrait<EntityName = E>> IntoField<E, ByColumn> for C {
    fn into_field(self) -> Field {
        Field::column(self)
    }
}

impl<E: EntityTrait, C: ColumnTrait<EntityName = E>> IntoField<E, ByColumnAs> for (C, &str) {
    fn into_field(self) -> Field {
        Field::column(self.0).alias(self.1)
    }
}

impl<E> IntoField<E, ByName> for &str {
    fn into_field(self) -> Field {
        Field::named(self)
    }
}

impl<E> IntoField<E, ByName> for (&str, &str) {
    fn into_field(self) -> Field {
        Field::named(self.0).alias(self.1)
    }
}

impl<E, F> IntoField<E, ByClosure> for (F, &str)
where
    F: Fn() -> SelectStatement + Send + Sync + 'static,
{
    fn into_field(self) -> Field {
        Field::computed(self.0, self.1)
    }
}

impl<E> IntoField<E, Whole> for Field {
    fn into_field(self) -> Field {
        self
    }
}
