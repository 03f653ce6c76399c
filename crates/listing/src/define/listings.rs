//! Every listing of an application, verified together and ready to be shared by its requests.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use sea_orm::EntityTrait;

use super::freeze::{Draft, freeze};
use super::{DefinitionErrors, EntityId, HasListing, NamedRelations, TableListing, Whitelist};
use crate::catalogue::LargeTables;
use crate::cursor::Seal;
use crate::vocabulary::Settings;

/// Every listing of an application, verified. Cheap to clone.
///
/// ```
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[sea_orm::model]
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub title: String }
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// use listing::{Fields, Filter, HasListing, Listing, Listings, Relations, Settings, Sorts};
///
/// pub struct ArticleListing;
///
/// impl Listing for ArticleListing {
///     type Entity = article::Entity;
///     fn fields() -> Fields<article::Entity> { Fields::new().add_default("titel") }
///     fn sorts() -> Sorts<article::Entity> { Sorts::new() }
/// }
///
/// impl HasListing for article::Entity {
///     type Listing = ArticleListing;
/// }
///
/// let mistakes = Listings::builder(Settings::default()).add::<article::Entity>().build().unwrap_err();
/// assert!(mistakes.to_string().contains("did you mean `title`"));
/// ```
#[derive(Debug, Clone)]
pub struct Listings {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    whitelists: Vec<Whitelist>,
    by_entity: HashMap<EntityId, usize>,
    settings: Settings,
    seal: Seal,
    /// The indexes that were found at start-up, if requests that read too much are refused.
    large: OnceLock<LargeTables>,
}

impl Listings {
    /// Starts with no listing.
    pub fn builder(settings: Settings) -> ListingsBuilder {
        ListingsBuilder {
            settings,
            drafts: Vec::new(),
        }
    }

    /// The listing of an entity, if it was added.
    #[must_use]
    pub fn of<E: HasListing>(&self) -> Option<&Whitelist> {
        self.inner
            .by_entity
            .get(&EntityId::of::<E>())
            .map(|index| &self.inner.whitelists[*index])
    }

    /// The listing of an entity, if it has one that was added.
    #[must_use]
    pub fn of_entity<E: EntityTrait>(&self) -> Option<&Whitelist> {
        self.by_id(EntityId::of::<E>())
    }

    /// The same for an entity that may be known at run time only.
    #[must_use]
    pub fn by_id(&self, entity: EntityId) -> Option<&Whitelist> {
        self.inner
            .by_entity
            .get(&entity)
            .map(|index| &self.inner.whitelists[*index])
    }

    /// The project's settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// The key that seals cursors.
    pub(crate) fn seal(&self) -> &Seal {
        &self.inner.seal
    }

    /// The tables that are too large to be read without an index; `None` if the sizes have not been read.
    pub(crate) fn large_tables(&self) -> Option<&LargeTables> {
        self.inner.large.get()
    }

    /// Stores what was found at start-up; later results are ignored.
    pub(crate) fn keep_large_tables(&self, tables: LargeTables) {
        let _ = self.inner.large.set(tables);
    }

    /// Every listing, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Whitelist> {
        self.inner.whitelists.iter()
    }

    pub(crate) fn get(&self, index: usize) -> &Whitelist {
        &self.inner.whitelists[index]
    }
}

/// Gathers the listings of an application.
#[derive(Debug)]
#[must_use = "nothing is verified until `build` is called"]
pub struct ListingsBuilder {
    settings: Settings,
    drafts: Vec<Draft>,
}

impl ListingsBuilder {
    /// Adds the listing of an entity.
    pub fn add<E: HasListing + NamedRelations>(mut self) -> Self {
        if !self
            .drafts
            .iter()
            .any(|draft| draft.entity.id == EntityId::of::<E>())
        {
            self.drafts.push(Draft::of::<E>(&self.settings));
        }
        self
    }

    /// Adds the listing of a table that is known at run time only.
    pub fn add_table(mut self, table: TableListing) -> Self {
        self.drafts.push(Draft::of_table(table, &self.settings));
        self
    }

    /// Verifies all of them together.
    ///
    /// # Errors
    /// Everything that is wrong in any definition, at once (d40).
    pub fn build(self) -> Result<Listings, DefinitionErrors> {
        let by_entity = self
            .drafts
            .iter()
            .enumerate()
            .map(|(at, draft)| (draft.entity.id, at))
            .collect();
        let whitelists = freeze(self.drafts, &by_entity, &self.settings)?;
        Ok(Listings {
            inner: Arc::new(Inner {
                whitelists,
                by_entity,
                seal: Seal::new(&self.settings.cursor_key),
                settings: self.settings,
                large: OnceLock::new(),
            }),
        })
    }
}
