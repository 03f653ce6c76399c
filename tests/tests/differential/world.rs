//! The rows of the demo data in memory, each with everything that its listing can show, filter or sort by.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use blog::data::{DemoRows, demo_rows};

use crate::cell::Cell;
use crate::listing::{Relation, Table};

/// One row; what is looked up elsewhere (a count, the author's name) is in it too.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) id: i64,
    cells: BTreeMap<&'static str, Cell>,
}

#[derive(Debug)]
pub(crate) struct World {
    articles: Vec<Row>,
    authors: Vec<Row>,
    comments: Vec<Row>,
    tags: Vec<Row>,
    seo: Vec<Row>,
    /// Article and tag.
    tagged: BTreeSet<(i64, i64)>,
    /// See `column`.
    columns: Vec<(Table, &'static str, Vec<Cell>)>,
}

/// The demo data.
pub(crate) static WORLD: LazyLock<World> = LazyLock::new(|| World::of(&demo_rows()));

impl Row {
    fn new<const N: usize>(id: i64, cells: [(&'static str, Cell); N]) -> Self {
        let mut cells = BTreeMap::from(cells);
        cells.insert("id", int(id));
        Self { id, cells }
    }

    pub(crate) fn cell(&self, name: &str) -> &Cell {
        self.cells
            .get(name)
            .unwrap_or_else(|| panic!("the model has no {name}"))
    }
}

impl World {
    pub(crate) fn rows(&self, table: Table) -> &[Row] {
        match table {
            Table::Articles => &self.articles,
            Table::Authors => &self.authors,
            Table::Comments => &self.comments,
            Table::Tags => &self.tags,
            Table::Seo => &self.seo,
        }
    }

    /// The different values of a column that is filtered by, without null.
    pub(crate) fn column(&self, table: Table, name: &str) -> &[Cell] {
        let found = self
            .columns
            .iter()
            .find(|(of, column, _)| *of == table && *column == name);
        &found.unwrap().2
    }

    /// The rows to which a relation leads, in no order, hidden ones among them.
    pub(crate) fn related(&self, from: Table, parent: &Row, relation: &Relation) -> Vec<&Row> {
        let parent_id = int(parent.id);
        let is_tagged = |article: i64, tag: i64| self.tagged.contains(&(article, tag));
        let meets = |row: &&Row| match (from, relation.name) {
            (Table::Articles, "author") => *parent.cell("author_id") == int(row.id),
            (Table::Articles, "comments" | "seo") => *row.cell("article_id") == parent_id,
            (Table::Articles, "tags") => is_tagged(parent.id, row.id),
            (Table::Authors, "articles") => *row.cell("author_id") == parent_id,
            (Table::Comments, "article") => *parent.cell("article_id") == int(row.id),
            (Table::Tags, "articles") => is_tagged(row.id, parent.id),
            other => panic!("the model has no relation {other:?}"),
        };
        self.rows(relation.target).iter().filter(meets).collect()
    }

    fn of(demo: &DemoRows) -> Self {
        let mut world = Self {
            articles: articles(demo),
            authors: demo
                .authors
                .iter()
                .map(|author| {
                    Row::new(
                        author.id,
                        [
                            ("name", text(&author.name)),
                            ("country", text(&author.country)),
                            ("joined_at", Cell::Moment(author.created_at)),
                        ],
                    )
                })
                .collect(),
            comments: demo
                .comments
                .iter()
                .map(|comment| {
                    Row::new(
                        comment.id,
                        [
                            ("article_id", int(comment.article_id)),
                            ("author_name", text(&comment.author_name)),
                            ("body", text(&comment.body)),
                            ("is_hidden", Cell::Bool(comment.is_hidden)),
                            ("created_at", Cell::Moment(comment.created_at)),
                        ],
                    )
                })
                .collect(),
            tags: tags(demo),
            seo: demo
                .seo
                .iter()
                .map(|seo| {
                    Row::new(
                        seo.id,
                        [
                            ("article_id", int(seo.article_id)),
                            ("meta_title", text(&seo.meta_title)),
                            ("meta_description", text(&seo.meta_description)),
                        ],
                    )
                })
                .collect(),
            tagged: demo
                .article_tags
                .iter()
                .map(|link| (link.article_id, link.tag_id))
                .collect(),
            columns: Vec::new(),
        };
        for table in Table::LISTED {
            for filter in table.listing().filters {
                let rows = world.rows(table).iter();
                let mut column: Vec<_> = rows.map(|row| row.cell(filter.key).clone()).collect();
                column.retain(|cell| *cell != Cell::Null);
                column.sort_by(Cell::sort_order);
                column.dedup();
                world.columns.push((table, filter.key, column));
            }
        }
        world
    }
}

fn articles(demo: &DemoRows) -> Vec<Row> {
    let row = |article: &blog::entity::article::Model| {
        let author = demo
            .authors
            .iter()
            .find(|author| Some(author.id) == article.author_id);
        let seo = demo.seo.iter().find(|seo| seo.article_id == article.id);
        let visible_comments = demo
            .comments
            .iter()
            .filter(|comment| comment.article_id == article.id && !comment.is_hidden);
        Row::new(
            article.id,
            [
                ("title", text(&article.title)),
                ("slug", text(&article.slug)),
                ("body", or_null(article.body.as_deref(), text)),
                ("is_active", Cell::Bool(article.is_active)),
                ("views", int(i64::from(article.views))),
                ("rating", or_null(article.rating, Cell::Decimal)),
                ("author_id", or_null(article.author_id, int)),
                ("created_at", Cell::Moment(article.created_at)),
                ("updated_at", Cell::Moment(article.updated_at)),
                ("deleted_at", or_null(article.deleted_at, Cell::Moment)),
                ("comments_count", count(visible_comments)),
                ("author_country", or_null(author, |row| text(&row.country))),
                ("author.name", or_null(author, |row| text(&row.name))),
                ("seo.meta_title", or_null(seo, |row| text(&row.meta_title))),
            ],
        )
    };
    demo.articles.iter().map(row).collect()
}

/// `articles_count` depends on the caller: the answer has the number of the articles that populate could show.
fn tags(demo: &DemoRows) -> Vec<Row> {
    let row = |tag: &blog::entity::tag::Model| {
        Row::new(
            tag.id,
            [("name", text(&tag.name)), ("articles_count", Cell::Null)],
        )
    };
    demo.tags.iter().map(row).collect()
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn int(number: i64) -> Cell {
    Cell::Int(i128::from(number))
}

fn count<T>(rows: impl Iterator<Item = T>) -> Cell {
    Cell::Int(i128::try_from(rows.count()).unwrap())
}

fn or_null<T>(value: Option<T>, cell: impl FnOnce(T) -> Cell) -> Cell {
    value.map_or(Cell::Null, cell)
}
