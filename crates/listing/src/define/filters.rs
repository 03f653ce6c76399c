//! The definition of filters: keys, operators, defaults, custom conditions and labels (contract 2.4).

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use sea_orm::sea_query::{Condition, IntoCondition};
use sea_orm::{ColumnTrait, EntityTrait};

use super::fields::{ByColumn, ByName};
use super::{Context, FilterValue, LabelFuture, LabelResolver, Lookup};
use crate::vocabulary::{FilterOperator, Kind};

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
///         .label_resolver(|value| if value == "true" { "Active" } else { "Inactive" }.to_owned()),
///     Filter::make(article::Column::AuthorId)
///         .allowed_operators([FilterOperator::Equal, FilterOperator::In])
///         .default_value(|context: &Context| context.get::<CurrentUser>().map(|user| user.author_id))
///         .when_absent(Absent::Skip),
///     Filter::make("popular")
///         .allowed_operators(FilterOperator::Equal)
///         .value_kind(listing::Kind::Boolean)
///         .custom_query(|query, values, _operator| {
///             let popular = values == [listing::FilterValue::Bool(true)];
///             let views = Expr::col(article::Column::Views);
///             query.and_where(if popular { views.gte(1000) } else { views.lt(1000) });
///         }),
/// ];
/// ```
#[must_use = "a filter does nothing until `Listing::filters` returns it"]
pub struct Filter<E> {
    pub(super) key: String,
    pub(super) operators: Vec<FilterOperator>,
    pub(super) default: Option<(DefaultSource, Option<FilterOperator>)>,
    pub(super) absent: Absent,
    pub(super) custom: Option<CustomFilter>,
    pub(super) value_kind: Option<Kind>,
    pub(super) labels: Option<LabelResolver>,
    entity: PhantomData<fn() -> E>,
}

impl<E: EntityTrait> Filter<E> {
    /// A filter on a column, or under a name of its own (which then needs [`custom_query`](Self::custom_query)).
    pub fn make<M>(key: impl IntoKey<E, M>) -> Self {
        Self {
            key: key.into_key(),
            operators: Vec::new(),
            default: None,
            absent: Absent::default(),
            custom: None,
            value_kind: None,
            labels: None,
            entity: PhantomData,
        }
    }

    /// The operators that clients may use: one or several. Without any, clients cannot use the filter.
    pub fn allowed_operators(mut self, operators: impl IntoOperators) -> Self {
        self.operators = operators.into_operators();
        self
    }

    /// What applies when the client does not filter by this key. Not a safeguard: a client can replace it.
    pub fn default<M>(mut self, value: impl IntoDefault<M>, operator: FilterOperator) -> Self {
        self.default = Some((value.into_default(), Some(operator)));
        self
    }

    /// The same without an operator: `$eq`, for an array `$in`, for null `$null`.
    pub fn default_value<M>(mut self, value: impl IntoDefault<M>) -> Self {
        self.default = Some((value.into_default(), None));
        self
    }

    /// What happens when a dynamic default yields nothing (no current user, say).
    pub fn when_absent(mut self, absent: Absent) -> Self {
        self.absent = absent;
        self
    }

    /// Applies the filter by own conditions instead of comparing a column.
    pub fn custom_query(
        mut self,
        apply: impl Fn(&mut CustomQuery<'_>, &[FilterValue], FilterOperator) + Send + Sync + 'static,
    ) -> Self {
        self.custom = Some(Arc::new(apply));
        self
    }

    /// What the values of a custom filter are; text if it is not said.
    pub fn value_kind(mut self, kind: Kind) -> Self {
        self.value_kind = Some(kind);
        self
    }

    /// The label of a value, for `meta.filters`. What stands behind `$null` and `$notNull` is no value of the field:
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
    /// The same filter, whichever entity it is for.
    pub(super) fn erase(self) -> Filter<()> {
        Filter {
            key: self.key,
            operators: self.operators,
            default: self.default,
            absent: self.absent,
            custom: self.custom,
            value_kind: self.value_kind,
            labels: self.labels,
            entity: PhantomData,
        }
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

/// What to do when a dynamic default yields nothing (d32).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Absent {
    /// No row matches.
    #[default]
    MatchNothing,
    /// The filter is not applied.
    Skip,
    /// The request is answered with 401.
    Unauthorized,
}

/// Where a custom filter puts its conditions. It can narrow the rows, never multiply them.
#[derive(Debug)]
pub struct CustomQuery<'a> {
    pub(crate) condition: Condition,
    pub(crate) context: &'a Context,
}

impl CustomQuery<'_> {
    /// A condition that must hold too.
    pub fn and_where(&mut self, condition: impl IntoCondition) -> &mut Self {
        let gathered = std::mem::replace(&mut self.condition, Condition::all());
        self.condition = gathered.add(condition.into_condition());
        self
    }

    /// Who asks.
    #[must_use]
    pub fn context(&self) -> &Context {
        self.context
    }
}

pub(crate) type CustomFilter =
    Arc<dyn Fn(&mut CustomQuery<'_>, &[FilterValue], FilterOperator) + Send + Sync>;

/// What [`Filter::make`] takes: a column of the entity, or a name. `Marker` only tells the cases apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no filter of this entity",
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

/// What [`Filter::allowed_operators`] takes: one operator or several.
pub trait IntoOperators {
    /// The operators.
    fn into_operators(self) -> Vec<FilterOperator>;
}

impl IntoOperators for FilterOperator {
    fn into_operators(self) -> Vec<FilterOperator> {
        vec![self]
    }
}

impl<const N: usize> IntoOperators for [FilterOperator; N] {
    fn into_operators(self) -> Vec<FilterOperator> {
        self.to_vec()
    }
}

impl IntoOperators for &[FilterOperator] {
    fn into_operators(self) -> Vec<FilterOperator> {
        self.to_vec()
    }
}

impl IntoOperators for Vec<FilterOperator> {
    fn into_operators(self) -> Vec<FilterOperator> {
        self
    }
}

/// A default's value, before it is typed as its column is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefaultValue(pub(crate) OneOrMany);

/// The shapes that a default's value has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OneOrMany {
    /// `NULL`
    Null,
    /// One value.
    One(String),
    /// An array.
    Many(Vec<String>),
}

impl DefaultValue {
    /// `NULL`, as distinct from no value at all.
    pub const NULL: Self = Self(OneOrMany::Null);
}

/// One value, in the text that a client would send for it.
pub trait Scalar {
    /// The text.
    fn text(&self) -> String;
}

macro_rules! scalars {
    ($($scalar:ty),+ $(,)?) => {$(
        impl Scalar for $scalar {
            fn text(&self) -> String {
                self.to_string()
            }
        }
    )+};
}

scalars!(
    bool,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    f32,
    f64,
    &str,
    String,
    uuid::Uuid,
    rust_decimal::Decimal,
    chrono::NaiveDate,
);

impl<Tz: chrono::TimeZone> Scalar for chrono::DateTime<Tz> {
    fn text(&self) -> String {
        self.to_utc().naive_utc().text()
    }
}

impl Scalar for chrono::NaiveDateTime {
    fn text(&self) -> String {
        self.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string()
    }
}

impl Scalar for chrono::NaiveTime {
    fn text(&self) -> String {
        self.format("%H:%M:%S%.6f").to_string()
    }
}

impl<T: Scalar> From<T> for DefaultValue {
    fn from(value: T) -> Self {
        Self(OneOrMany::One(value.text()))
    }
}

impl<T: Into<Self>> From<Option<T>> for DefaultValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::NULL, Into::into)
    }
}

impl<T: Scalar> From<Vec<T>> for DefaultValue {
    fn from(values: Vec<T>) -> Self {
        Self(OneOrMany::Many(values.iter().map(Scalar::text).collect()))
    }
}

impl<T: Scalar, const N: usize> From<[T; N]> for DefaultValue {
    fn from(values: [T; N]) -> Self {
        Self(OneOrMany::Many(values.iter().map(Scalar::text).collect()))
    }
}

type DynamicDefault = Arc<dyn Fn(&Context) -> Option<DefaultValue> + Send + Sync>;

/// Where a default's value comes from.
#[derive(Clone)]
pub enum DefaultSource {
    /// It is the same for every request.
    Fixed(DefaultValue),
    /// It is computed for each request.
    Dynamic(DynamicDefault),
}

impl fmt::Debug for DefaultSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(value) => value.fmt(f),
            Self::Dynamic(_) => f.write_str("Dynamic"),
        }
    }
}

/// What [`Filter::default`] takes: a number, text, a boolean, an array, [`DefaultValue::NULL`], or a closure
/// `|context: &Context| -> Option<…>` in which `None` means that there is nothing to filter by.
/// `Marker` only tells the cases apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no default value of a filter",
    note = "a default is a number, text, a boolean, an array, `DefaultValue::NULL` or a closure `|context: &Context| -> Option<..>`"
)]
pub trait IntoDefault<Marker> {
    /// The default.
    fn into_default(self) -> DefaultSource;
}

/// Tells the cases of [`IntoDefault`] apart.
#[derive(Debug)]
pub enum Fixed {}
/// Tells the cases of [`IntoDefault`] apart.
#[derive(Debug)]
pub struct Dynamic<T>(PhantomData<T>);

impl<T: Into<DefaultValue>> IntoDefault<Fixed> for T {
    fn into_default(self) -> DefaultSource {
        DefaultSource::Fixed(self.into())
    }
}

impl<F, T> IntoDefault<Dynamic<T>> for F
where
    F: Fn(&Context) -> Option<T> + Send + Sync + 'static,
    T: Into<DefaultValue>,
{
    fn into_default(self) -> DefaultSource {
        DefaultSource::Dynamic(Arc::new(move |context| self(context).map(Into::into)))
    }
}
