//! Opens a cursor and finds where its page begins, if it belongs to this list.

use sea_orm::sea_query::ColumnType;

use super::{Applied, CheckError, CheckedSearch, CheckedSort, Trashed};
use crate::cursor::{Bookmark, Seal};
use crate::define::{ColumnMeta, Listings, SortSource, Whitelist, WhitelistSort, is_own_type};
use crate::vocabulary::{Kind, fingerprint};

/// A page requested by cursor.
pub(crate) struct CheckedCursor<'w> {
    pub(crate) seal: &'w Seal,
    /// Identifies the list. Cursors of other lists are refused.
    pub(crate) list: [u8; 16],
    /// `None` for the first page.
    pub(crate) place: Option<Bookmark>,
}

/// Identifies a list, independently of the caller and the page.
pub(super) struct List<'a, 'w> {
    pub(super) whitelist: &'w Whitelist,
    pub(super) sorts: &'a [CheckedSort<'w>],
    pub(super) filters: &'a [Applied<'w>],
    pub(super) search: Option<&'a CheckedSearch<'w>>,
    pub(super) trashed: Trashed,
    /// The offset of its filters' days and of their times without a zone.
    pub(super) timezone: i32,
}

impl<'w> List<'_, 'w> {
    /// The beginning of the page; `None` if no cursor was sent.
    pub(super) fn cursor(
        &self,
        listings: &'w Listings,
        token: Option<&str>,
    ) -> Result<Option<CheckedCursor<'w>>, CheckError> {
        let Some(token) = token else {
            return Ok(None);
        };
        if self.whitelist.key.is_empty() {
            return Err(CheckError::cursor_without_key());
        }
        for sort in self.sorts {
            if !has_place(self.whitelist, sort.sort) {
                return Err(CheckError::cursor_sort(&sort.sort.name));
            }
        }
        let (seal, list) = (listings.seal(), self.fingerprint());
        let place = match token {
            "" => None,
            token => {
                let opened = seal.open(token);
                let place = opened.and_then(|bytes| Bookmark::from_bytes(&bytes));
                let place = place.ok_or_else(|| CheckError::bad_cursor(token))?;
                if place.list != list {
                    return Err(CheckError::cursor_mismatch(token));
                }
                Some(place)
            }
        };
        Ok(Some(CheckedCursor { seal, list, place }))
    }

    fn fingerprint(&self) -> [u8; 16] {
        let Whitelist {
            listing,
            entity,
            key,
            ..
        } = self.whitelist;
        let sorts: Vec<_> = self
            .sorts
            .iter()
            .map(
                |CheckedSort {
                     sort, direction, ..
                 }| {
                    let sorted = sorted_by(self.whitelist, sort);
                    (&sort.name, direction, sort.nulls, sorted)
                },
            )
            .collect();
        let filters: Vec<_> = self
            .filters
            .iter()
            .map(|filter| (filter.key, filter.operator, &filter.values, &filter.path))
            .collect();
        let key = key.iter().map(|part| &entity.columns[*part]);
        let key: Vec<_> = key.map(|part| (&part.name, &part.kind)).collect();
        let whole = fingerprint(format_args!(
            "{:?}",
            (
                listing,
                &entity.name,
                key,
                sorts,
                filters,
                self.search.map(CheckedSearch::canonical),
                self.trashed,
                self.timezone
            )
        ));
        let mut short = [0; 16];
        short.copy_from_slice(&whole[..16]);
        short
    }
}

/// The kind of a sort's values, and their column, if there is one.
fn sorted_by<'w>(
    whitelist: &'w Whitelist,
    sort: &WhitelistSort,
) -> (&'w Kind, Option<(&'w str, &'w ColumnType)>) {
    let of = |column: &'w ColumnMeta| {
        let name: &str = &column.name;
        (&column.kind, Some((name, &column.column_type)))
    };
    match sort.source {
        SortSource::Column(column) => of(&whitelist.entity.columns[column]),
        SortSource::Computed(field) => (&whitelist.fields[field].kind, None),
        // Databases rank differently, and may rank differently tomorrow.
        SortSource::Relevance => (&Kind::Natural, None),
        SortSource::Related { relation, column } => {
            of(&whitelist.relations[relation].meta.target.columns[column])
        }
    }
}

/// Whether a row's value can be stored and compared again: every database must accept it as a parameter and order values in the
/// way it compares them. MariaDB orders an enumeration by number and compares it by name.
fn has_place(whitelist: &Whitelist, sort: &WhitelistSort) -> bool {
    let (kind, column) = sorted_by(whitelist, sort);
    let compared = matches!(
        kind,
        Kind::Integer
            | Kind::IntegerText
            | Kind::Float32
            | Kind::Float64
            | Kind::Decimal { .. }
            | Kind::Boolean
            | Kind::Text
            | Kind::Uuid
            | Kind::Date
            | Kind::Time
            | Kind::Timestamp
    );
    let own_type = column.map(|(_, column_type)| column_type);
    compared && !own_type.is_some_and(is_own_type)
}
