//! The search of a listing: which columns `search=` looks into, and with which engine (d87).

use std::marker::PhantomData;

use sea_orm::{ColumnTrait, EntityTrait};

use super::Name;
use crate::vocabulary::FullTextNames;

/// The search of `search=`. A listing without a search refuses the parameter.
///
/// Clients write words, `"a phrase"` in quotes and `-word`; every word must occur in at least one of the columns.
///
/// ```
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub title: String, pub body: String }
/// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// use article::Column;
/// use listing::Search;
///
/// // Any part of a word, without an index of its own: for small tables.
/// let small: Search<article::Entity> = Search::contains([Column::Title, Column::Body]);
///
/// // Whole words, by the database's own engine and the index that `listing::migration::FullTextIndex` creates.
/// let large: Search<article::Entity> = Search::full_text([Column::Title, Column::Body]);
/// # let _ = (small, large);
/// ```
#[derive(Debug, Clone)]
#[must_use = "a definition is data: return it from `Listing::search`"]
pub struct Search<E> {
    pub(super) draft: SearchDraft,
    entity: PhantomData<fn() -> E>,
}

/// A search as its developer wrote it.
#[derive(Debug, Clone)]
pub(super) struct SearchDraft {
    pub(super) columns: Vec<Name>,
    pub(super) full_text: bool,
    pub(super) language: Option<String>,
    /// Whether the last word may be the beginning of one.
    pub(super) prefix: bool,
}

impl<E: EntityTrait> Search<E> {
    /// Each word must be a part of one of the columns, in any case, as with `$contains`. It needs no index, and reads
    /// every row (on PostgreSQL a trigram index helps). Integers and enumerations are looked into as text (d148).
    pub fn contains<C>(columns: impl IntoIterator<Item = C>) -> Self
    where
        C: ColumnTrait<EntityName = E>,
    {
        Self::of(columns, false)
    }

    /// Each word must be a word of one of the columns. The database's own engine finds the rows: `tsvector` on
    /// PostgreSQL, `MATCH … AGAINST` on MariaDB, FTS5 on SQLite. A migration creates its index with
    /// [`FullTextIndex`](crate::migration::FullTextIndex), with the same columns in the same order. The first column
    /// counts most in `sort=relevance`.
    pub fn full_text<C>(columns: impl IntoIterator<Item = C>) -> Self
    where
        C: ColumnTrait<EntityName = E>,
    {
        Self::of(columns, true)
    }

    /// The text search configuration of PostgreSQL, such as `english`, which finds `running` by `run`. It must be the
    /// one that the index was created with. Without it `simple`, which takes words as they are. The other databases have
    /// no such setting.
    pub fn language(mut self, configuration: &str) -> Self {
        self.draft.language = Some(configuration.to_owned());
        self
    }

    /// For full-text searches: the last word may be the beginning of a word, so that a client can search while the user types
    /// (d148). Quoted words and words with a minus are whole words, and so is one with anything but letters and digits in it.
    pub fn prefix(mut self) -> Self {
        self.draft.prefix = true;
        self
    }

    fn of<C: ColumnTrait>(columns: impl IntoIterator<Item = C>, full_text: bool) -> Self {
        Self {
            draft: SearchDraft {
                full_text,
                ..SearchDraft::contains(columns.into_iter().map(|column| column.as_str()))
            },
            entity: PhantomData,
        }
    }
}

impl SearchDraft {
    /// A search for parts of words in these columns.
    pub(super) fn contains<N: Into<Name>>(columns: impl IntoIterator<Item = N>) -> Self {
        Self {
            columns: columns.into_iter().map(Into::into).collect(),
            full_text: false,
            language: None,
            prefix: false,
        }
    }
}

/// A search, verified.
#[derive(Debug, Clone)]
pub(crate) struct WhitelistSearch {
    /// The columns of the entity, in the order of definition.
    pub(crate) columns: Vec<usize>,
    pub(crate) engine: SearchEngine,
    /// Whether the last word may be the beginning of one.
    pub(crate) prefix: bool,
}

/// How rows are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SearchEngine {
    /// By parts of words, as `$contains`.
    Contains,
    /// By the database's own index of words.
    FullText {
        /// PostgreSQL's text search configuration.
        language: String,
    },
}

impl SearchEngine {
    pub(super) fn of(draft: &SearchDraft) -> Self {
        if draft.full_text {
            let language = draft.language.as_deref().unwrap_or(FullTextNames::LANGUAGE);
            Self::FullText {
                language: language.to_owned(),
            }
        } else {
            Self::Contains
        }
    }
}
