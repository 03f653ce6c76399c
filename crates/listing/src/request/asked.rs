//! A list request, with names that are not resolved yet and values without types.

use compact_str::CompactString;

use super::export::AskedExport;
use super::foreign::AskedUnknown;
use super::groups::AskedGroups;
use super::numbers::AskedNumbers;
use super::quote::Quote;
use crate::vocabulary::{Quantifier, SortDirection};

/// A list request as the client wrote it.
///
/// Names and values are short, and short ones are kept in place: a request is read with few allocations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// `fields`; `None` when it was not sent (or sent empty).
    pub fields: Option<AskedNames>,
    /// `populate`; `None` when it was not sent (or sent empty).
    pub populate: Option<AskedPopulate>,
    /// `filters`, as a tree.
    pub filters: AskedFilter,
    /// `search` or `_q`; `None` when it was not sent (or sent empty).
    pub search: Option<AskedSearch>,
    /// `sort`, in order; `None` when it was not sent (or sent empty).
    pub sort: Option<Vec<AskedSort>>,
    /// `pagination`
    pub page: AskedPage,
    /// `pagination[cursor]`, empty for the first page; `None` when it was not sent.
    pub cursor: Option<String>,
    /// `pagination[withCount]`; `None` when it was not sent.
    pub with_count: Option<bool>,
    /// `pagination[count]=exact`
    pub exact_count: bool,
    /// `timezone`, in minutes ahead of UTC; `None` when it was not sent.
    pub timezone: Option<i32>,
    /// `facets` and `totals`; `None` when neither was sent (or both were sent empty).
    pub numbers: Option<Box<AskedNumbers>>,
    /// `by` and `having`, in a request for groups; `None` elsewhere.
    pub groups: Option<Box<AskedGroups>>,
    /// The options of the file, in an export; `None` if there are none.
    pub export: Option<AskedExport>,
    /// `trashed`, read only by listings that allow it; `None` when it was not sent.
    pub trashed: Option<String>,
    /// Top-level parameters that a list does not have, in the order sent.
    pub unknown: Vec<AskedUnknown>,
}

impl Request {
    /// The first parameter that was sent; `None` if nothing was requested.
    pub(crate) fn first_parameter(&self) -> Option<&'static str> {
        let of_records = [
            (self.fields.is_some(), "fields"),
            (self.populate.is_some(), "populate"),
            (self.timezone.is_some(), "timezone"),
        ];
        let mut of_records = of_records.into_iter();
        let of_records = of_records.find_map(|(is_sent, parameter)| is_sent.then_some(parameter));
        of_records.or_else(|| self.of_lists())
    }

    /// The first parameter that only a list has; `None` if a request for one record could have them all (d89).
    #[must_use]
    pub fn of_lists(&self) -> Option<&'static str> {
        let paged = self.page != AskedPage::default();
        let counted = self.with_count.is_some() || self.exact_count;
        let search = self.search.as_ref();
        let search = search.map_or("search", |search| search.parameter);
        let numbers = self.numbers.as_deref();
        let totals = numbers.is_some_and(|numbers| !numbers.totals.is_empty());
        [
            (self.filters != AskedFilter::default(), "filters"),
            (self.search.is_some(), search),
            (self.sort.is_some(), "sort"),
            (paged || self.cursor.is_some() || counted, "pagination"),
            (totals, "totals"),
            (numbers.is_some(), "facets"),
            (self.trashed.is_some(), "trashed"),
        ]
        .into_iter()
        .find_map(|(is_sent, parameter)| is_sent.then_some(parameter))
    }
}

/// The search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedSearch {
    /// The client's name for it: `search` or `_q`.
    pub parameter: &'static str,
    /// The text, as sent. Never empty.
    pub text: String,
}

/// Names in a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskedNames {
    /// Whether `*` is among them: everything that is whitelisted.
    pub all: bool,
    /// The other names, in order, without repetitions (the first counts, d11).
    pub names: Vec<CompactString>,
}

/// The relations to populate, of one level of the tree (d78).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskedPopulate {
    /// Whether `*` is among them: every relation that is whitelisted.
    pub all: bool,
    /// The relations that are named, each once.
    pub relations: Vec<AskedRelation>,
    /// Those that are named to be left out (`populate[author]=false`).
    pub left_out: Vec<CompactString>,
}

/// One relation to populate, with its options.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskedRelation {
    /// The relation's name, as sent.
    pub name: CompactString,
    /// `fields`; `None` when it was not sent (or sent empty).
    pub fields: Option<AskedNames>,
    /// `filters`, which restrict the rows of the relation.
    pub filters: AskedFilter,
    /// `sort`, in order; `None` when it was not sent (or sent empty).
    pub sort: Option<Vec<AskedSort>>,
    /// `pagination[start]`; `None` when it was not sent.
    pub start: Option<u64>,
    /// `pagination[limit]`; `None` when it was not sent.
    pub limit: Option<u64>,
    /// `withCount=true`: how many there are, in `meta`, next to the rows (d147).
    pub with_count: bool,
    /// `count=true`: how many there are, instead of the rows (d85).
    pub count: bool,
    /// The relations of the related rows.
    pub populate: Option<AskedPopulate>,
}

/// One node of the tree of filters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedFilter {
    /// All of these must hold: the members of an object, or those of `$and`.
    All(Vec<AskedFilter>),
    /// One of these must hold: `$or`. Never empty.
    Any(Vec<AskedFilter>),
    /// This must not hold: `$not`.
    Not(Box<AskedFilter>),
    /// One operator on one field; `$null` and `$notNull` on a relation look the same.
    Compare(AskedComparison),
    /// A condition on related rows: `filters[author][name][$eq]`.
    Related(AskedRelated),
    /// A condition on how many related rows there are, as comparisons of `$count`: `filters[comments][$count][$gte]=3`. It has
    /// no quantifier.
    Counted(AskedRelated),
}

impl Default for AskedFilter {
    fn default() -> Self {
        Self::All(Vec::new())
    }
}

/// `filters[<field>][<operator>]=<values>`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedComparison {
    /// The field, as sent.
    pub field: CompactString,
    /// The operator, as sent; `$eq` for `filters[views]=5`.
    pub operator: CompactString,
    /// Whether it was not sent.
    pub implied: bool,
    /// The value or values, as sent.
    pub values: AskedValues,
    /// Its position, if it is not directly under `filters`.
    pub nesting: Option<Box<Nesting>>,
}

/// `filters[<relation>][..]`, or `filters[<relation>][$none][..]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedRelated {
    /// The name in front of the nested filter, as sent. Whether it is a relation is not yet known.
    pub key: CompactString,
    /// Which of the related rows must meet the filter; `None` if the client did not say.
    pub quantifier: Option<Quantifier>,
    /// The condition on a related row. Never empty.
    pub filter: Box<AskedFilter>,
    /// Its position, if it is not directly under `filters`.
    pub nesting: Option<Box<Nesting>>,
}

/// The position of a nested filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nesting {
    /// The groups and relations around it, `$or.0.author`; empty where there are none (a filter of `populate`).
    pub path: CompactString,
    /// The whole way to it, `filters[$or][0][author][name][$eq]`.
    pub parameter: String,
}

impl AskedComparison {
    /// The groups and relations around it, for `meta.filters` (d70).
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        path(self.nesting.as_deref())
    }

    /// The whole way to it, as the client wrote it and an error quotes it.
    #[must_use]
    pub fn parameter(&self) -> Quote {
        Quote::new(&self.written())
    }

    /// Its values.
    pub(crate) fn texts(&self) -> &[CompactString] {
        match &self.values {
            AskedValues::One(text) => std::slice::from_ref(text),
            AskedValues::Many(texts) => texts,
        }
    }

    /// The whole way to one of its values.
    pub(crate) fn parameter_of(&self, index: usize) -> Quote {
        match self.values {
            AskedValues::One(_) => self.parameter(),
            AskedValues::Many(_) => Quote::new(&format!("{}[{index}]", self.written())),
        }
    }

    /// The same of a field of the relation that it names: `filters[author]=3` as `filters[author][id]=3`.
    pub(crate) fn of_related(&self, field: &str) -> AskedRelated {
        let nesting = |path: CompactString| {
            Some(Box::new(Nesting {
                path,
                parameter: self.written(),
            }))
        };
        let around = CompactString::from(self.path().unwrap_or_default());
        let inside = match around.as_str() {
            "" => self.field.clone(),
            around => compact_str::format_compact!("{around}.{}", self.field),
        };
        AskedRelated {
            key: self.field.clone(),
            quantifier: None,
            filter: Box::new(AskedFilter::Compare(Self {
                field: field.into(),
                nesting: nesting(inside),
                ..self.clone()
            })),
            nesting: nesting(around),
        }
    }

    fn written(&self) -> String {
        match &self.nesting {
            Some(nesting) => nesting.parameter.clone(),
            None if self.implied => format!("filters[{}]", self.field),
            None => format!("filters[{}][{}]", self.field, self.operator),
        }
    }
}

impl AskedRelated {
    /// The groups and relations around it, itself not included.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        path(self.nesting.as_deref())
    }

    /// The whole way to it, as an error quotes it.
    #[must_use]
    pub fn parameter(&self) -> Quote {
        match &self.nesting {
            Some(nesting) => Quote::new(&nesting.parameter),
            None => Quote::new(&format!("filters[{}]", self.key)),
        }
    }
}

fn path(nesting: Option<&Nesting>) -> Option<&str> {
    nesting
        .map(|nesting| nesting.path.as_str())
        .filter(|path| !path.is_empty())
}

/// The operand of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedValues {
    /// One scalar.
    One(CompactString),
    /// An array, in the order of its indexes; can be empty only from JSON.
    Many(Vec<CompactString>),
}

/// `<name>[:<direction>]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedSort {
    /// The sort's name, as sent.
    pub name: CompactString,
    /// `asc` where none was sent.
    pub direction: SortDirection,
}

/// The requested part of the rows. Numbers that do not fit into 64 bits become the largest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedPage {
    /// `page` and `pageSize`, or neither; with a cursor, `pageSize` alone.
    Page {
        /// 1 or more; `None` when it was not sent.
        page: Option<u64>,
        /// 1 or more; `None` when it was not sent.
        size: Option<u64>,
    },
    /// `start` and `limit`, at least one of them sent.
    Offset {
        /// 0 or more; `None` when it was not sent.
        start: Option<u64>,
        /// 1 or more; `None` when it was not sent.
        limit: Option<u64>,
    },
}

impl Default for AskedPage {
    fn default() -> Self {
        Self::Page {
            page: None,
            size: None,
        }
    }
}
