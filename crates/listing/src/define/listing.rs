//! In: nothing. Out: the two traits that a developer implements: `Listing` and `HasListing` (contract 2.1).

use sea_orm::EntityTrait;
use sea_orm::sea_query::Condition;

use super::{Context, Fields, Filter, Relations, Sorts};

/// The whitelist of one entity. The four definitions have no default: a listing without a whitelist does not compile.
pub trait Listing: Sized + Send + Sync + 'static {
    /// The entity whose rows are listed.
    type Entity: EntityTrait + HasListing<Listing = Self>;

    /// What clients can select.
    fn fields() -> Fields<Self::Entity>;

    /// What clients can populate.
    fn relations() -> Relations<Self::Entity>;

    /// What clients can filter by.
    fn filters() -> Vec<Filter<Self::Entity>>;

    /// What clients can sort by.
    fn sorts() -> Sorts<Self::Entity>;

    /// A condition that no client can widen. It holds on list and count, and wherever another entity populates
    /// or sorts by this one. A default filter is not security: a client can replace it.
    #[must_use]
    fn scope(_context: &Context) -> Condition {
        Condition::all()
    }

    /// The column that marks a row as deleted. Rows in which it is not null are treated as absent.
    #[must_use]
    fn soft_delete() -> Option<<Self::Entity as EntityTrait>::Column> {
        None
    }

    /// Whether who asks may see deleted rows in lists, by `trashed=with` and `trashed=only`.
    #[must_use]
    fn trashed(_context: &Context) -> bool {
        false
    }

    /// What is shown of one record, where that is not every plain field of the list.
    #[must_use]
    fn show() -> Option<Fields<Self::Entity>> {
        None
    }

    /// Page sizes of its own, instead of the project's.
    fn paging() -> Paging {
        Paging::default()
    }
}

/// Links an entity to its listing.
pub trait HasListing: EntityTrait {
    /// The entity's listing.
    type Listing: Listing<Entity = Self>;
}

/// A listing's own page sizes (d15).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[must_use = "return it from `Listing::paging`"]
pub struct Paging {
    pub(super) page_size: Option<u64>,
    pub(super) max_page_size: Option<u64>,
}

impl Paging {
    /// The project's sizes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Rows on a page when the client names no size.
    pub fn page_size(mut self, rows: u64) -> Self {
        self.page_size = Some(rows);
        self
    }

    /// The largest page that a client can get.
    pub fn max_page_size(mut self, rows: u64) -> Self {
        self.max_page_size = Some(rows);
        self
    }
}
