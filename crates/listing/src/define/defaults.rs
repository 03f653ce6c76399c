//! Default values of filters: fixed, or computed for each request (contract 2.4, d32).

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::Context;

/// What to do if a dynamic default has no value (d32).
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

/// The source of a default's value.
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

/// The argument of [`Filter::default`](super::Filter::default): a number, text, a boolean, an array, [`DefaultValue::NULL`], or a
/// closure `|context: &Context| -> Option<…>` in which `None` means that there is nothing to filter by. `Marker` only tells the
/// cases apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a default value of a filter",
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
