//! The definition of fields: columns, aliases, computed sub-queries and counts of related rows (contract 2.2).

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use sea_orm::sea_query::SelectStatement;
use sea_orm::{ColumnTrait, EntityTrait, IdenStatic};

use super::Context;
use super::relation_name::{NamedRelation, NamesRelation};
use crate::vocabulary::Kind;

/// The fields that clients of a listing can select. `id` is always among them.
///
/// ```
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub title: String, pub body: String,
/// #         pub views: i32, pub slug: String,
/// #         pub created_at: DateTimeUtc }
/// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// use listing::{Field, Fields};
/// use sea_orm::sea_query::{Expr, ExprTrait, Query};
///
/// let fields = Fields::<article::Entity>::new()
///     .add_default(article::Column::Title)                        // a column
///     .add_all([article::Column::Views, article::Column::Slug])   // several
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
///         "all_comments",                                         // computed: the name is mandatory
///     ))
///     .add(Field::count_of("comments"));                          // how many related rows: `comments_count`
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

    /// Several fields that are returned when the client sends no `fields`.
    pub fn add_defaults<M, F: IntoField<E, M>>(self, fields: impl IntoIterator<Item = F>) -> Self {
        let fields = fields.into_iter().map(F::into_field);
        fields.fold(self, |all, field| all.push(field, true))
    }

    /// Several fields that are returned only when the client asks for them.
    pub fn add_all<M, F: IntoField<E, M>>(self, fields: impl IntoIterator<Item = F>) -> Self {
        let fields = fields.into_iter().map(F::into_field);
        fields.fold(self, |all, field| all.push(field, false))
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
    /// The name that definitions use where there is no alias.
    pub(super) name: String,
    pub(super) alias: Option<String>,
    pub(super) source: Source,
    pub(super) kind: Option<Kind>,
    pub(super) text_integer: bool,
    pub(super) default: bool,
}

#[derive(Clone)]
pub(super) enum Source {
    Column(String),
    Computed(Computed),
    Count(NamedRelation),
}

/// A computed field's sub-query, built for each request.
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

    /// A sub-query that depends on the caller, under the name that clients see.
    pub fn computed_for(
        query: impl Fn(&Context) -> SelectStatement + Send + Sync + 'static,
        alias: &str,
    ) -> Self {
        Self::new(alias, Source::Computed(Arc::new(query))).alias(alias)
    }

    /// How many rows a relation leads to, as `<relation>_count`: those that populate could show, within the scope, soft
    /// delete and default filters of the related listing and of the junction's.
    /// The relation need not be in `relations()`.
    pub fn count_of(relation: impl NamesRelation) -> Self {
        let relation = relation.named();
        let name = format!("{}_count", relation.name);
        Self::new(&name, Source::Count(relation))
    }

    /// The name that clients see.
    pub fn alias(mut self, alias: &str) -> Self {
        self.alias = Some(alias.to_owned());
        self
    }

    /// The kind of a computed field's value, so that every database gives the same JSON.
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// Integers as JSON strings, for numbers above 2^53 that JavaScript would round (d55).
    pub fn as_text(mut self) -> Self {
        self.text_integer = true;
        self
    }

    /// The name by which other definitions mean this field.
    pub(super) fn said(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name)
    }

    fn new(name: &str, source: Source) -> Self {
        Self {
            name: name.to_owned(),
            alias: None,
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
            Source::Count(relation) => relation.name.as_str(),
        };
        f.debug_struct("Field")
            .field("name", &self.said())
            .field("source", &source)
            .finish()
    }
}

/// The argument of [`Fields::add`]: a column, its name, either with an alias, a closure with an alias, or a [`Field`].
///
/// A closure without an alias does not compile (contract 2.2 rule 1). `Marker` only tells the cases apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a field of `{E}`",
    label = "expected a field of `{E}`",
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
