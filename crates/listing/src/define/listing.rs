//! The two traits that a developer implements: `Listing` and `HasListing` (contract 2.1).

use sea_orm::sea_query::Condition;
use sea_orm::{ColumnTrait, EntityTrait};

use super::{Aggregate, Context, Export, Facet, Fields, Filter, Relations, Scope, Search, Sorts};
use crate::vocabulary::{CountMode, Names, Plans};

/// The whitelist of one entity. What it does not name is out of reach: a listing without relations or filters need not say so,
/// and one without fields and sorts does not compile.
///
/// The derive [`Listing`](macro@crate::Listing) writes it from words at the columns of the entity.
pub trait Listing: Sized + Send + Sync + 'static {
    /// The entity whose rows are listed.
    type Entity: EntityTrait + HasListing<Listing = Self>;

    /// The fields that clients can select.
    fn fields() -> Fields<Self::Entity>;

    /// The relations that clients can populate; none by default.
    fn relations() -> Relations<Self::Entity> {
        Relations::new()
    }

    /// The filters that clients can use; none by default.
    #[must_use]
    fn filters() -> Vec<Filter<Self::Entity>> {
        Vec::new()
    }

    /// The sorts that clients can use.
    fn sorts() -> Sorts<Self::Entity>;

    /// The search of `search=`. Without it, `search=` is refused.
    #[must_use]
    fn search() -> Option<Search<Self::Entity>> {
        None
    }

    /// For which filters clients can have counts of their values, by `facets=`; none unless said otherwise.
    #[must_use]
    fn facets() -> Vec<Facet<Self::Entity>> {
        Vec::new()
    }

    /// The numbers about the fields of all rows that clients can request with `totals[..]=`; none by default.
    #[must_use]
    fn aggregates() -> Vec<Aggregate<Self::Entity>> {
        Vec::new()
    }

    /// Whether clients may take all matching rows away as a file, by `GET /api/articles.csv` and the like (d110). They may not
    /// unless this says so.
    #[must_use]
    fn export() -> Option<Export> {
        None
    }

    /// The rows that exist for the caller, which no client can widen. It holds on list and count, on every operation on one
    /// record, and wherever another entity populates, sorts by or points to this one. A default filter is not security: a
    /// client can replace it.
    fn scope(_context: &Context) -> Scope {
        Scope::everything()
    }

    /// The column that marks a row as deleted. Rows in which it is not null are treated as absent.
    #[must_use]
    fn soft_delete() -> Option<<Self::Entity as EntityTrait>::Column> {
        None
    }

    /// Whether the caller may see deleted rows in lists, by `trashed=with` and `trashed=only`.
    #[must_use]
    fn trashed(_context: &Context) -> bool {
        false
    }

    /// Columns whose timestamps SQLite stores as numbers in some or all rows: seconds, milliseconds or microseconds since 1970,
    /// as programs other than SeaORM write them. They are shown as timestamps without being named here, but filters, sorts and
    /// cursors compare the stored values, and a number is not a text. In the columns that are named here, they compare moments,
    /// whatever form a row has, without the help of an index (b250). Other databases have a type for timestamps, and this changes
    /// nothing there.
    #[must_use]
    fn numeric_timestamps() -> Vec<<Self::Entity as EntityTrait>::Column> {
        Vec::new()
    }

    /// Whether a key identifies the rows. SeaORM requires a primary key for every entity, but many views and some tables have
    /// none; a column that is marked anyway must not be treated as one. Without a key there is only a list: no `id`, no records,
    /// no cursors and no writes, and every order ends with all fields that are columns and can be sorted by (b570).
    #[must_use]
    fn has_key() -> bool {
        true
    }

    /// The fields of a single record, if they are not every plain field of the list.
    #[must_use]
    fn show() -> Option<Fields<Self::Entity>> {
        None
    }

    /// Its own way to find the total, instead of the project's.
    #[must_use]
    fn count() -> Option<CountMode> {
        None
    }

    /// Whether clients may ask for an exact total with `pagination[count]=exact`, where that is not as in the project. They
    /// never may where the listing has no total.
    #[must_use]
    fn exact_count() -> Option<bool> {
        None
    }

    /// How PostgreSQL and SQLite plan its statements. [`Plans::ForEachRequest`] is for columns whose values are far from equally
    /// common.
    #[must_use]
    fn plans() -> Plans {
        Plans::Shared
    }

    /// Its own form of names that have no alias, instead of the project's (d91).
    #[must_use]
    fn names() -> Option<Names> {
        None
    }

    /// The page sizes of this listing, instead of the project's.
    fn paging() -> Paging {
        Paging::default()
    }
}

/// Links an entity to its listing.
#[diagnostic::on_unimplemented(
    message = "the entity `{Self}` has no listing",
    label = "`HasListing` is missing",
    note = "derive it on the entity's model: `#[derive(.., DeriveEntityModel, listing::Listing)]`; or write it, and link the two: `impl HasListing for Entity {{ type Listing = MyListing; }}`"
)]
pub trait HasListing: EntityTrait {
    /// The entity's listing.
    type Listing: Listing<Entity = Self>;
}

/// The rows of an entity that exist for the caller: those in its scope that are not soft-deleted. Queries that are written
/// by hand need it: those of custom filters, of computed fields and of label resolvers.
///
/// ```
/// # mod comment {
/// #     use sea_orm::entity::prelude::*;
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "comments")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub article_id: i64, pub tenant_id: i64 }
/// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
/// #     impl ActiveModelBehavior for ActiveModel {}
/// #     pub struct CommentListing;
/// #     use listing::{Context, Fields, Filter, Relations, Sorts};
/// #     impl listing::Listing for CommentListing {
/// #         type Entity = Entity;
/// #         fn fields() -> Fields<Entity> { Fields::new() }
/// #         fn sorts() -> Sorts<Entity> { Sorts::new() }
/// #         fn scope(_: &Context) -> listing::Scope {
/// #             listing::Scope::rows(Column::TenantId.eq(1))
/// #         }
/// #     }
/// #     impl listing::HasListing for Entity { type Listing = CommentListing; }
/// # }
/// use listing::{Context, Field, Kind, visible};
/// use sea_orm::{DbBackend, EntityTrait, QueryFilter, QuerySelect, QueryTrait};
/// use sea_orm::sea_query::{Expr, ExprTrait, SelectStatement};
///
/// /// How many comments an article has, of those that the caller can see.
/// fn comments(context: &Context) -> SelectStatement {
///     comment::Entity::find()
///         .select_only()
///         .expr(Expr::col((comment::Entity, comment::Column::Id)).count())
///         .filter(Expr::col((comment::Entity, comment::Column::ArticleId)).equals(("articles", "id")))
///         .filter(visible::<comment::Entity>(context))
///         .into_query()
/// }
///
/// let field = Field::computed_for(comments, "comments_count").kind(Kind::Integer);
/// # let _ = field;
/// let sql = DbBackend::Sqlite.build(&comments(&Context::new())).to_string();
/// assert!(sql.contains(r#""comments"."tenant_id" = 1"#));
/// ```
#[must_use]
pub fn visible<E: HasListing>(context: &Context) -> Condition {
    let scope = E::Listing::scope(context);
    let living = E::Listing::soft_delete().map(|column| column.is_null());
    Condition::all()
        .add_option(scope.into_condition())
        .add_option(living)
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
