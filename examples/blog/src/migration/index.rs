//! Creates the indexes that serve the sorts, filters and relations of the listings.

use listing::migration::TrigramIndex;
use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

/// One index that is not also a constraint.
#[derive(Debug)]
pub(crate) struct TableIndex {
    name: &'static str,
    table: &'static str,
    columns: &'static [&'static str],
}

/// `id` ends every index that serves a sort, because it ends every order: then the index alone gives the rows in
/// order, forwards and backwards. One that starts with a foreign key gives each parent's children in order, which is
/// what makes populating a relation cheap.
///
/// Where rows of one value are counted, the index also tells which of them are deleted: no row has to be read for it (b445).
pub(crate) const INDEXES: &[TableIndex] = &[
    TableIndex::on("authors", "authors_name", &["name", "id"]),
    TableIndex::on("authors", "authors_country", &["country", "id"]),
    TableIndex::on(
        "articles",
        "articles_author",
        &["author_id", "created_at", "id", "deleted_at"],
    ),
    TableIndex::on("articles", "articles_created_at", &["created_at", "id"]),
    TableIndex::on("articles", "articles_views", &["views", "id"]),
    TableIndex::on("articles", "articles_rating", &["rating", "id"]),
    TableIndex::on("articles", "articles_title", &["title", "id"]),
    TableIndex::on("comments", "comments_article", &["article_id", "id"]),
    // Counts the visible comments of an article without reading them.
    TableIndex::on(
        "comments",
        "comments_visible",
        &["article_id", "is_hidden", "id"],
    ),
    TableIndex::on("comments", "comments_created_at", &["created_at", "id"]),
    TableIndex::on("comments", "comments_author_name", &["author_name", "id"]),
    // The primary key has the other direction, from article to tags.
    TableIndex::on(
        "article_tags",
        "article_tags_tag",
        &["tag_id", "article_id"],
    ),
];

/// A filter by value finds rows of one value in the default order, with which every list begins. Without the order in the
/// index, a database has to choose: it sorts what it finds, or it looks for a rare value along the whole order.
pub(crate) const FILTER_INDEXES: &[TableIndex] = &[
    TableIndex::on(
        "articles",
        "articles_title_created_at",
        &["title", "created_at", "id", "deleted_at"],
    ),
    TableIndex::on(
        "authors",
        "authors_country_name",
        &["country", "name", "id"],
    ),
];

/// The columns in which clients look for a part of a text. The body of an article is too long for it: its words are
/// searched.
pub(crate) fn trigrams() -> [TrigramIndex; 4] {
    [
        TrigramIndex::on("articles", ["title"]),
        TrigramIndex::on("authors", ["name"]),
        TrigramIndex::on("comments", ["author_name"]),
        TrigramIndex::on("tags", ["name"]),
    ]
}

impl TableIndex {
    const fn on(table: &'static str, name: &'static str, columns: &'static [&'static str]) -> Self {
        Self {
            name,
            table,
            columns,
        }
    }

    /// The statement that creates it.
    ///
    /// SQLite refuses a plain `CREATE INDEX` on a connection that has not yet noticed that another one of the pool
    /// removed the index; with `IF NOT EXISTS` it looks first. (MySQL has no such clause.)
    pub(crate) fn create(&self) -> IndexCreateStatement {
        let mut index = Index::create()
            .if_not_exists()
            .name(self.name)
            .table(self.table)
            .take();
        for column in self.columns {
            index.col(*column);
        }
        index
    }

    /// The statement that removes it.
    pub(crate) fn remove(&self) -> IndexDropStatement {
        Index::drop().name(self.name).table(self.table).to_owned()
    }

    /// Whether the database allows that: MySQL keeps an index that a foreign key uses.
    pub(crate) fn is_removable(&self, backend: DbBackend) -> bool {
        let first_is_foreign_key = self
            .columns
            .first()
            .is_some_and(|column| column.ends_with("_id"));
        backend != DbBackend::MySql || !first_is_foreign_key
    }
}
