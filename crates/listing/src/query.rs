//! The one place that calls every stage, from an entity's `Select` to a page.

use sea_orm::sea_query::{Condition, SelectStatement};
use sea_orm::{EntityTrait, QueryTrait, Select};
use tokio::io::AsyncWrite;

use crate::define::{Context, EntityId, HasListing, Listings, Whitelist};
use crate::envelope::{self, ListGroups, ListNumbers, ListPage};
use crate::error::Error;
use crate::execute::{self, Reader};
use crate::explain::{self, Explanation};
use crate::observe::{Stage, StageClock};
use crate::request::{self, Request, RequestError};
use crate::sql::{self, Dialect};
use crate::vocabulary::Format;
use crate::{check, export, plan};

/// A list request, with the listings that it is checked against and its context.
#[derive(Debug, Clone)]
pub struct ListingRequest {
    listings: Listings,
    asked: Request,
    context: Context,
}

impl ListingRequest {
    /// Reads a query string, without its question mark.
    ///
    /// # Errors
    /// When the text is not a list request.
    pub fn from_query(listings: &Listings, query: &str) -> Result<Self, RequestError> {
        let mut clock = StageClock::start();
        let asked = request::parse_query(query, &listings.settings().bounds)?;
        clock.done(Stage::Request);
        Ok(Self::new(listings, asked))
    }

    /// Reads a JSON body.
    ///
    /// # Errors
    /// When the body is not a list request.
    pub fn from_json(listings: &Listings, body: &[u8]) -> Result<Self, RequestError> {
        let mut clock = StageClock::start();
        let asked = request::parse_json(body, &listings.settings().bounds)?;
        clock.done(Stage::Request);
        Ok(Self::new(listings, asked))
    }

    /// Reads the query string of a request for groups, which has `by` and `having` in addition (d106).
    ///
    /// # Errors
    /// When the text is not a valid request.
    pub fn groups_from_query(listings: &Listings, query: &str) -> Result<Self, RequestError> {
        let asked = request::parse_groups_query(query, &listings.settings().bounds)?;
        Ok(Self::new(listings, asked))
    }

    /// Reads the JSON body of a request for groups.
    ///
    /// # Errors
    /// When the body is not a valid request.
    pub fn groups_from_json(listings: &Listings, body: &[u8]) -> Result<Self, RequestError> {
        let asked = request::parse_groups_json(body, &listings.settings().bounds)?;
        Ok(Self::new(listings, asked))
    }

    /// Reads the query string of an export, which says in addition how its file is written (d113, d114).
    ///
    /// # Errors
    /// When the text is not a valid request.
    pub fn export_from_query(listings: &Listings, query: &str) -> Result<Self, RequestError> {
        let asked = request::parse_export_query(query, &listings.settings().bounds)?;
        Ok(Self::new(listings, asked))
    }

    /// Reads the JSON body of an export.
    ///
    /// # Errors
    /// When the body is not a valid request.
    pub fn export_from_json(listings: &Listings, body: &[u8]) -> Result<Self, RequestError> {
        let asked = request::parse_export_json(body, &listings.settings().bounds)?;
        Ok(Self::new(listings, asked))
    }

    /// Adds the query string that came with a JSON body. It must not have parameters of lists, because only the body is listed.
    /// Parameters that a list does not have are ignored, like those of a body.
    ///
    /// # Errors
    /// When the text has a parameter of a list, or is malformed.
    pub fn with_query(mut self, query: &str) -> Result<Self, RequestError> {
        let asked = request::parse_query(query, &self.listings.settings().bounds)?;
        if let Some(parameter) = asked.first_parameter() {
            return Err(RequestError::QueryAndBody { parameter });
        }
        self.asked.unknown.extend(asked.unknown);
        Ok(self)
    }

    /// Adds the application's data about the caller.
    #[must_use]
    pub fn with_context(mut self, context: Context) -> Self {
        self.context = context;
        self
    }

    /// The caller and what else the application knows about the request.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The condition that a row of the entity is in the list, on any page: the requested filters, default filters, scope and soft
    /// delete together.
    ///
    /// # Errors
    /// When the request does not pass the whitelist.
    pub fn matching<E: HasListing>(&self, dialect: Dialect) -> Result<Condition, Error> {
        let whitelist = self.listings.required::<E>()?;
        let checked = check::against(&self.listings, whitelist, &self.asked, &self.context)?;
        let matching = sql::expression(&checked.predicate, dialect);
        Ok(matching.map_or_else(Condition::all, |matching| Condition::all().add(matching)))
    }

    /// The page of an entity that may be known at run time only: every row that the request asks for.
    ///
    /// # Errors
    /// When the request does not pass the whitelist, or the database does not answer.
    pub async fn page_of(&self, entity: EntityId, db: &impl Reader) -> Result<ListPage, Error> {
        let whitelist = self.listings.required_by_id(entity)?;
        self.page(whitelist, None, db).await
    }

    async fn page(
        &self,
        whitelist: &Whitelist,
        select: Option<Box<SelectStatement>>,
        db: &impl Reader,
    ) -> Result<ListPage, Error> {
        let dialect = db.dialect()?;
        let mut clock = StageClock::start();
        let checked = check::against(&self.listings, whitelist, &self.asked, &self.context)?;
        clock.done(Stage::Check);
        let plan = plan::build(select, checked)?;
        clock.ignored(|| plan.ignored.count());
        clock.done(Stage::Plan);
        plain(&plan, dialect)?;
        let statements = sql::render(&plan, dialect);
        clock.done(Stage::Sql);
        let rows = execute::run(db, dialect, &plan, statements).await?;
        clock.done(Stage::Execute);
        let page = envelope::list(&plan, rows);
        clock.done(Stage::Envelope);
        Ok(page)
    }

    /// The facets and totals of an entity that may be known at run time only, without rows.
    ///
    /// # Errors
    /// When the request does not pass the whitelist, or the database does not answer.
    pub async fn numbers_of(
        &self,
        entity: EntityId,
        db: &impl Reader,
    ) -> Result<ListNumbers, Error> {
        let whitelist = self.listings.required_by_id(entity)?;
        self.numbers(whitelist, None, db).await
    }

    async fn numbers(
        &self,
        whitelist: &Whitelist,
        select: Option<Box<SelectStatement>>,
        db: &impl Reader,
    ) -> Result<ListNumbers, Error> {
        let dialect = db.dialect()?;
        let checked = check::against(&self.listings, whitelist, &self.asked, &self.context)?;
        let plan = plan::build(select, checked)?;
        plain(&plan, dialect)?;
        let statements = sql::numbers(&plan, dialect);
        let read = execute::numbers_alone(db, &plan, statements).await?;
        Ok(envelope::list_numbers(&plan, &read))
    }

    /// The groups of an entity that may be known at run time only, for a request [for groups](Self::groups_from_query).
    ///
    /// # Errors
    /// When the request does not pass the whitelist, or the database does not answer.
    pub async fn groups_of(&self, entity: EntityId, db: &impl Reader) -> Result<ListGroups, Error> {
        let whitelist = self.listings.required_by_id(entity)?;
        self.groups(whitelist, None, db).await
    }

    async fn export<W: AsyncWrite + Send + Unpin>(
        &self,
        whitelist: &Whitelist,
        select: Option<Box<SelectStatement>>,
        format: Format,
        db: &impl Reader,
        writer: W,
    ) -> Result<u64, Error> {
        let dialect = db.dialect()?;
        let (listings, context) = (&self.listings, &self.context);
        let (checked, export) = check::export(listings, whitelist, &self.asked, context, format)?;
        let mut plan = plan::export(select, checked)?;
        plain(&plan, dialect)?;
        let nested = match export.nests {
            true => std::mem::take(&mut plan.relations),
            false => Vec::new(),
        };
        let statements = sql::export(&plan, export.most, dialect);
        let how = export::How::of(export, nested, format, db, context);
        Ok(export::write(&plan, statements, how, writer).await?)
    }

    async fn groups(
        &self,
        whitelist: &Whitelist,
        select: Option<Box<SelectStatement>>,
        db: &impl Reader,
    ) -> Result<ListGroups, Error> {
        let dialect = db.dialect()?;
        let (listings, context) = (&self.listings, &self.context);
        let (checked, groups) = check::groups(listings, whitelist, &self.asked, context)?;
        let plan = plan::build(select, checked)?;
        plain(&plan, dialect)?;
        let totals = plan.numbers.as_deref().map(|numbers| &numbers.totals[..]);
        let totals = totals.unwrap_or_default();
        let statement = sql::groups(&plan, &groups, totals, dialect);
        let read = execute::groups(db, &plan, &groups, totals, statement).await?;
        Ok(envelope::list_groups(&plan, &groups, totals, &read))
    }

    fn new(listings: &Listings, asked: Request) -> Self {
        Self {
            listings: listings.clone(),
            asked,
            context: Context::new(),
        }
    }
}

/// The application's query must not group its rows.
fn plain(plan: &plan::Plan<'_>, dialect: Dialect) -> Result<(), Error> {
    let base = plan.base.as_deref();
    match base.and_then(|base| sql::grouping_clause(base, dialect)) {
        Some(clause) => Err(Error::NotPlain { clause }),
        None => Ok(()),
    }
}

/// Gives an entity's `Select` the two methods of the contract (2.1).
///
/// ```
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[sea_orm::model]
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub title: String, pub tenant_id: i64 }
/// #     impl ActiveModelBehavior for ActiveModel {}
/// #     pub struct ArticleListing;
/// #     use listing::{Fields, Filter, Relations, Sorts};
/// #     impl listing::Listing for ArticleListing {
/// #         type Entity = Entity;
/// #         fn fields() -> Fields<Entity> { Fields::new().add_default(Column::Title) }
/// #         fn sorts() -> Sorts<Entity> { Sorts::new() }
/// #     }
/// #     impl listing::HasListing for Entity { type Listing = ArticleListing; }
/// # }
/// use listing::{Error, ListingRequest, SelectListing};
/// use listing::reply::ListPage;
/// use sea_orm::{ColumnTrait, DatabaseConnection, EntityTrait, QueryFilter};
///
/// async fn articles_of(
///     tenant: i64,
///     request: &ListingRequest,
///     db: &DatabaseConnection,
/// ) -> Result<ListPage, Error> {
///     article::Entity::find()
///         .filter(article::Column::TenantId.eq(tenant)) // a client can never widen this
///         .listing(request)
///         .listing_paginate(db)
///         .await
/// }
/// ```
pub trait SelectListing<E: HasListing> {
    /// Applies a client's request. Conditions and joins of the query stay; its columns, order and limit are replaced.
    ///
    /// Rows are listed and counted as the query gives them: a condition on rows to which a relation leads many times
    /// belongs into a sub-query, because a join would repeat the item. For the same reason a query that groups its rows
    /// (`DISTINCT`, `GROUP BY`, `HAVING`) is refused; one that locks them belongs elsewhere.
    fn listing(self, request: &ListingRequest) -> ListingQuery<'_, E>;
}

impl<E: HasListing> SelectListing<E> for Select<E> {
    fn listing(self, request: &ListingRequest) -> ListingQuery<'_, E> {
        ListingQuery {
            select: Some(self),
            request,
        }
    }
}

/// A query with a client's request applied; ask it for its page.
#[derive(Debug)]
#[must_use = "nothing is read until `listing_paginate` is called"]
pub struct ListingQuery<'r, E: EntityTrait> {
    /// None for every row.
    select: Option<Select<E>>,
    request: &'r ListingRequest,
}

impl<'r, E: HasListing> ListingQuery<'r, E> {
    /// A client's request for every row of the entity: what `E::find().listing(request)` is, without a query that would
    /// select every column first.
    pub fn all(request: &'r ListingRequest) -> Self {
        Self {
            select: None,
            request,
        }
    }

    /// Reads the page from a SeaORM connection or transaction, or from any other [`Reader`].
    ///
    /// # Errors
    /// When the request does not pass the whitelist, or the database does not answer.
    pub async fn listing_paginate(self, db: &impl Reader) -> Result<ListPage, Error> {
        let whitelist = self.request.listings.required::<E>()?;
        let select = self.select.map(|select| Box::new(select.into_query()));
        self.request.page(whitelist, select, db).await
    }

    /// Reads the requested facets and totals, without rows (d108).
    ///
    /// # Errors
    /// When the request does not pass the whitelist, or the database does not answer.
    pub async fn listing_numbers(self, db: &impl Reader) -> Result<ListNumbers, Error> {
        let whitelist = self.request.listings.required::<E>()?;
        let select = self.select.map(|select| Box::new(select.into_query()));
        self.request.numbers(whitelist, select, db).await
    }

    /// Reads the requested groups with their counts and totals (d106). The request must be one [for
    /// groups](ListingRequest::groups_from_query).
    ///
    /// # Errors
    /// When the request does not pass the whitelist, or the database does not answer.
    pub async fn listing_groups(self, db: &impl Reader) -> Result<ListGroups, Error> {
        let whitelist = self.request.listings.required::<E>()?;
        let select = self.select.map(|select| Box::new(select.into_query()));
        self.request.groups(whitelist, select, db).await
    }

    /// Writes every row that matches into a writer, once and in the list's order, from one snapshot of the database, and tells
    /// how many they were (d112). Memory does not grow with the rows. The listing must [allow it](crate::Listing::export), and
    /// the reader must be a [`ReadPool`](crate::ReadPool), which has connections for exports.
    ///
    /// If this fails, the file is incomplete and must not be kept.
    ///
    /// # Errors
    /// When the request does not pass the whitelist, more rows match than are allowed (nothing is written then), the database
    /// does not answer, or the writer fails.
    pub async fn export<W: AsyncWrite + Send + Unpin>(
        self,
        format: Format,
        db: &impl Reader,
        writer: W,
    ) -> Result<u64, Error> {
        let whitelist = self.request.listings.required::<E>()?;
        let select = self.select.map(|select| Box::new(select.into_query()));
        self.request
            .export(whitelist, select, format, db, writer)
            .await
    }

    /// The result of each stage for the request, up to the SQL of a dialect. Nothing is read.
    ///
    /// # Errors
    /// When the request does not pass the whitelist.
    pub fn explain(self, dialect: Dialect) -> Result<Explanation, Error> {
        let ListingRequest {
            listings,
            asked,
            context,
        } = self.request;
        let whitelist = listings.required::<E>()?;
        let base = self.select.map(|select| Box::new(select.into_query()));
        explain::explain(listings, whitelist, asked, context, base, dialect)
    }
}
