//! The definition of filters: keys, operators, defaults, custom conditions and labels (contract 2.4).

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use sea_orm::{ColumnTrait, EntityTrait};

use super::custom::IntoCustomCondition;
use super::fields::{ByColumn, ByName, Whole};
use super::labels::LabelColumn;
use super::relation_name::{IntoRelationName, IntoRelationNames, NamedRelation};
use super::{
    Absent, Context, CustomFilter, CustomQuery, DefaultSource, DefaultValue, EntityId, FilterValue,
    HasListing, IntoDefault, KnownLabels, LabelFuture, LabelResolver, Lookup,
};
use crate::vocabulary::{FilterOperator, IntoOperators, Kind, Operators};

/// One filter that clients of a listing can use.
///
/// ```
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub views: i32, pub is_active: bool, pub author_id: i64 }
/// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// # struct CurrentUser { author_id: i64 }
/// use listing::{Absent, Context, Filter, FilterOperator};
/// use sea_orm::sea_query::{Expr, ExprTrait};
///
/// let filters: Vec<Filter<article::Entity>> = vec![
///     Filter::make(article::Column::Views).allowed_operators(FilterOperator::COMPARISONS),
///     Filter::make("is_active")
///         .allowed_operators(FilterOperator::Equal)
///         .default_value(true)
///         .labels([("true", "Active"), ("false", "Inactive")]),
///     Filter::make(article::Column::AuthorId)
///         .allowed_operators([FilterOperator::Equal, FilterOperator::In])
///         .default_value(|context: &Context| context.get::<CurrentUser>().map(|user| user.author_id))
///         .when_absent(Absent::Skip),
///     Filter::make("popular")
///         .allowed_operators(FilterOperator::Equal)
///         .value_kind(listing::Kind::Boolean)
///         .custom_query(|_query, values, _operator| {
///             let popular = values == [listing::FilterValue::Bool(true)];
///             let views = Expr::col(article::Column::Views);
///             if popular { views.gte(1000) } else { views.lt(1000) }
///         }),
/// ];
/// ```
#[must_use = "a filter does nothing until `Listing::filters` returns it"]
pub struct Filter<E> {
    pub(super) key: String,
    pub(super) alias: Option<String>,
    pub(super) operators: Operators,
    pub(super) default: Option<(DefaultSource, Option<FilterOperator>)>,
    pub(super) absent: Absent,
    pub(super) custom: Option<CustomFilter>,
    pub(super) value_kind: Option<Kind>,
    pub(super) labels: Option<LabelResolver>,
    /// Whether its key is that of a computed field.
    pub(super) computed: bool,
    /// Whether its key is that of a JSON column in which it looks.
    pub(super) json: bool,
    /// The path to the compared value inside a JSON column, with dots in between.
    pub(super) path: Option<String>,
    /// Whether clients can filter by how many related rows there are.
    pub(super) countable: bool,
    /// The relation through which it filters, if it is a filter through one.
    pub(super) relation: Option<NamedRelation>,
    /// Further relations with the same options.
    pub(super) further: Vec<NamedRelation>,
    /// The filters of the related entity that can be used; without it those of its listing.
    pub(super) only: Option<Vec<RelatedFilter>>,
    entity: PhantomData<fn() -> E>,
}

/// A filter of the related entity that [`Filter::only`] names.
#[derive(Debug)]
pub struct RelatedFilter {
    /// The entity, where it is known.
    pub(super) entity: Option<EntityId>,
    pub(super) by: RelatedBy,
}

#[derive(Debug)]
pub(super) enum RelatedBy {
    /// A filter of the related listing, or a column where the entity has no listing.
    Name(String),
    /// A filter that is defined on the spot.
    Filter(Box<Filter<()>>),
}

impl<E: EntityTrait> Filter<E> {
    /// A filter on a column, or under another name (which then needs [`custom_query`](Self::custom_query)).
    pub fn make<M>(key: impl IntoKey<E, M>) -> Self {
        Self::new(key.into_key())
    }

    /// A filter on a computed field of the listing, or on a count of related rows, by the field's name:
    /// `Filter::computed("comments_count").allowed_operators(FilterOperator::COMPARISONS)`. What a computed field is has to be
    /// said with [`Field::kind`](super::Field::kind); it is computed for every row that the other filters find (d146).
    pub fn computed(field: &str) -> Self {
        Self {
            computed: true,
            ..Self::new(field.to_owned())
        }
    }

    /// Filters by what related rows hold: `Filter::relation(Entity::AUTHOR)` allows
    /// `filters[author][name][$eq]=Ada`, with the filters and operators of the related entity's own listing, or those
    /// that [`only`](Self::only) names (d72).
    pub fn relation(name: impl IntoRelationName<E>) -> Self {
        let relation = name.named();
        Self {
            relation: Some(relation.clone()),
            ..Self::new(relation.name)
        }
    }

    /// The same for several relations, with the filters of each related entity's own listing:
    /// `Filter::relations((Entity::AUTHOR, Entity::TAGS))`, or an array of texts.
    pub fn relations(names: impl IntoRelationNames<E>) -> Self {
        let mut relations = names.into_relation_names().into_iter();
        let first = relations.next();
        Self {
            relation: first.clone(),
            further: relations.collect(),
            ..Self::new(first.map_or_else(String::new, |first| first.name))
        }
    }

    /// Of a filter through a relation: clients can also filter by how many related rows there are, of those that populate
    /// could show: `filters[comments][$count][$gte]=3` (d146).
    pub fn countable(mut self) -> Self {
        self.countable = true;
        self
    }

    /// Of a filter through a relation: these filters of the related entity and no others. A filter is named by its key
    /// or its column, or defined on the spot by a [`Filter`] of the related entity. Where that entity has no listing, a
    /// column that is only named has every operator that suits its type.
    pub fn only<M, F: IntoRelatedFilter<M>>(
        mut self,
        filters: impl IntoIterator<Item = F>,
    ) -> Self {
        let filters = filters.into_iter().map(F::into_related_filter);
        self.only = Some(filters.collect());
        self
    }

    /// The name that clients see (d90).
    pub fn alias(mut self, alias: &str) -> Self {
        self.alias = Some(alias.to_owned());
        self
    }

    /// The operators that clients may use: one, several or a named set such as [`FilterOperator::COMPARISONS`].
    /// Without any, clients cannot use the filter.
    pub fn allowed_operators(mut self, operators: impl IntoOperators) -> Self {
        self.operators = operators.into_operators();
        self
    }

    /// The filter that applies if the client does not filter by this key. It is not a safeguard: a client can replace it.
    pub fn default<M>(mut self, value: impl IntoDefault<M>, operator: FilterOperator) -> Self {
        self.default = Some((value.into_default(), Some(operator)));
        self
    }

    /// The same without an operator: `$eq`, for an array `$in`, for null `$null`.
    pub fn default_value<M>(mut self, value: impl IntoDefault<M>) -> Self {
        self.default = Some((value.into_default(), None));
        self
    }

    /// What to do if a dynamic default has no value (for example without a current user).
    pub fn when_absent(mut self, absent: Absent) -> Self {
        self.absent = absent;
        self
    }

    /// A default that is taken from something in the request's context, such as the current user:
    /// `.default_from(|user: &CurrentUser| user.author_id)`. It does not apply to a request without one; for another
    /// choice say [`when_absent`](Self::when_absent) after it.
    pub fn default_from<T, V>(self, value: impl Fn(&T) -> V + Send + Sync + 'static) -> Self
    where
        T: Send + Sync + 'static,
        V: Into<DefaultValue>,
    {
        self.default_value(move |context: &Context| context.get::<T>().map(&value))
            .when_absent(Absent::Skip)
    }

    /// Applies the filter by the condition that the closure returns instead of comparing a column. An empty condition
    /// matches nothing; [`CustomCondition::every_row`](super::CustomCondition::every_row) matches every row (d71).
    pub fn custom_query<C: IntoCustomCondition>(
        mut self,
        apply: impl Fn(&CustomQuery<'_>, &[FilterValue], FilterOperator) -> C + Send + Sync + 'static,
    ) -> Self {
        self.custom = Some(Arc::new(move |query, values, operator| {
            apply(query, values, operator).into_custom_condition()
        }));
        self
    }

    /// The type of a custom filter's values, or of the elements of arrays in a JSON column; text by default.
    pub fn value_kind(mut self, kind: Kind) -> Self {
        self.value_kind = Some(kind);
        self
    }

    /// The labels of these values, for `meta.filters`: `[("true", "Active"), ("false", "Inactive")]`. Any other value
    /// is its own label.
    pub fn labels<V: Into<String>, L: Into<String>>(
        mut self,
        labels: impl IntoIterator<Item = (V, L)>,
    ) -> Self {
        let labels = labels.into_iter();
        let labels = labels.map(|(value, label)| (value.into(), label.into()));
        let labels = KnownLabels(labels.collect());
        self.labels = Some(LabelResolver::Known(Arc::new(labels)));
        self
    }

    /// Values that are primary keys of another entity have what its row holds in this column as their label:
    /// `Filter::make(Column::AuthorId).labels_from(author::Column::Name)`. See [`Lookup::labels`].
    pub fn labels_from<C>(mut self, label: C) -> Self
    where
        C: ColumnTrait + Send + Sync,
        C::EntityName: HasListing<Column = C>,
    {
        let column = LabelColumn::of::<C::EntityName>(label);
        self.labels = column.map(|column| LabelResolver::Column(Arc::new(column)));
        self
    }

    /// The label of a value, for `meta.filters`. The value of `$null` and `$notNull` is not a value of the field:
    /// no resolver sees it, and its label is `true` or `false`.
    pub fn label_resolver(
        mut self,
        label: impl Fn(&str) -> String + Send + Sync + 'static,
    ) -> Self {
        self.labels = Some(LabelResolver::Each(Arc::new(label)));
        self
    }

    /// The labels of all values of the filter, in their order.
    pub fn label_resolver_all(
        mut self,
        labels: impl Fn(&[String]) -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        self.labels = Some(LabelResolver::All(Arc::new(labels)));
        self
    }

    /// The labels of all values of the filter, in their order, with the database at hand:
    /// `|values, lookup| Box::pin(async move { … })`.
    pub fn label_resolver_async(
        mut self,
        labels: impl for<'a> Fn(&'a [String], &'a Lookup<'a>) -> LabelFuture<'a> + Send + Sync + 'static,
    ) -> Self {
        self.labels = Some(LabelResolver::Lookup(Arc::new(labels)));
        self
    }
}

impl<E> Filter<E> {
    /// A filter on a column by name.
    pub(super) fn of_column(column: &str, operators: Operators) -> Self {
        Self {
            operators,
            ..Self::new(column.to_owned())
        }
    }

    pub(super) fn new(key: String) -> Self {
        Self {
            key,
            alias: None,
            operators: Operators::NONE,
            default: None,
            absent: Absent::default(),
            custom: None,
            value_kind: None,
            labels: None,
            computed: false,
            json: false,
            path: None,
            countable: false,
            relation: None,
            further: Vec::new(),
            only: None,
            entity: PhantomData,
        }
    }

    /// The same filter, whichever entity it is for.
    pub(super) fn erase(self) -> Filter<()> {
        Filter {
            key: self.key,
            alias: self.alias,
            operators: self.operators,
            default: self.default,
            absent: self.absent,
            custom: self.custom,
            value_kind: self.value_kind,
            labels: self.labels,
            computed: self.computed,
            json: self.json,
            path: self.path,
            countable: self.countable,
            relation: self.relation,
            further: self.further,
            only: self.only,
            entity: PhantomData,
        }
    }
}

impl Filter<()> {
    /// One filter for each relation. If there are more options than names, `freeze` refuses them.
    pub(super) fn each(mut self) -> impl Iterator<Item = Self> {
        let said = self.only.is_some() || self.alias.is_some();
        let further = match said {
            true => Vec::new(),
            false => std::mem::take(&mut self.further),
        };
        let further = further.into_iter();
        let countable = self.countable;
        let further = further.map(move |relation| Self {
            countable,
            relation: Some(relation.clone()),
            ..Self::new(relation.name)
        });
        std::iter::once(self).chain(further)
    }
}

impl<E> fmt::Debug for Filter<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter")
            .field("key", &self.key)
            .field("operators", &self.operators)
            .finish_non_exhaustive()
    }
}

/// The argument of [`Filter::make`]: a column of the entity, or a name. `Marker` only tells the cases apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a column of `{E}`",
    label = "expected a column of `{E}`, or a name",
    note = "a filter is on a column of the entity, or under a name"
)]
pub trait IntoKey<E, Marker> {
    /// The key.
    fn into_key(self) -> String;
}

impl<E: EntityTrait, C: ColumnTrait<EntityName = E>> IntoKey<E, ByColumn> for C {
    fn into_key(self) -> String {
        self.as_str().to_owned()
    }
}

impl<E> IntoKey<E, ByName> for &str {
    fn into_key(self) -> String {
        self.to_owned()
    }
}

/// The argument of [`Filter::only`]: the key of a filter of the related listing, a column of the related entity, or a [`Filter`]
/// of it. `Marker` only tells the cases apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a filter of a related entity",
    label = "expected a key, a column or a `Filter` of the related entity",
    note = "`only` takes keys (`[\"name\"]`), columns (`[author::Column::Name]`) or filters (`[Filter::make(author::Column::Name).allowed_operators(..)]`)"
)]
pub trait IntoRelatedFilter<Marker> {
    /// The filter.
    fn into_related_filter(self) -> RelatedFilter;
}

impl IntoRelatedFilter<ByName> for &str {
    fn into_related_filter(self) -> RelatedFilter {
        RelatedFilter {
            entity: None,
            by: RelatedBy::Name(self.to_owned()),
        }
    }
}

impl<C: ColumnTrait> IntoRelatedFilter<ByColumn> for C {
    fn into_related_filter(self) -> RelatedFilter {
        RelatedFilter {
            entity: Some(EntityId::of::<C::EntityName>()),
            by: RelatedBy::Name(self.as_str().to_owned()),
        }
    }
}

impl<R: EntityTrait> IntoRelatedFilter<Whole> for Filter<R> {
    fn into_related_filter(self) -> RelatedFilter {
        RelatedFilter {
            entity: Some(EntityId::of::<R>()),
            by: RelatedBy::Filter(Box::new(self.erase())),
        }
    }
}
