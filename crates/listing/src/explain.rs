//! Says what each stage makes of a request, in words and without a database.

use std::fmt;

use sea_orm::sea_query::{SelectStatement, Value};
use sea_orm::{DbBackend, Values};
use serde::{Deserialize, Serialize};

use crate::check::{self, Checked, CheckedRelation, CheckedSearch, Ignored};
use crate::define::{Context, Listings, SearchEngine, Whitelist};
use crate::error::Error;
use crate::plan::{self, ColumnSource, NullsPlace, OrderBy, OrderTerm, Plan, RelationPlan};
use crate::request::{self, AskedFilter, AskedNames, AskedPopulate, AskedValues, Request};
use crate::sql::{self, Count, Dialect, First, Statement};
use crate::vocabulary::{Key, Kind};

/// The result of each stage for a request: [`ListingQuery::explain`](crate::ListingQuery::explain).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The listing's type.
    pub listing: String,
    /// The request, in the client's words.
    pub parsed: Vec<Note>,
    /// The request, as checked against the whitelist.
    pub checked: Vec<Note>,
    /// The names that the whitelist does not have.
    pub ignored: Vec<Note>,
    /// The plan.
    pub plan: Vec<Note>,
    /// The statements. Those of relations are written as if the page had two rows.
    pub statements: Vec<ExplainedStatement>,
}

/// One line about a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its subject: `fields`, `filter`, `order`, …
    pub about: String,
    /// Its text.
    pub text: String,
}

/// A statement and its purpose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ExplainedStatement {
    /// `page`, `page, if it is not full`, `count`, or `populate` and a relation.
    pub purpose: String,
    /// The text, with the dialect's placeholders.
    pub text: String,
    /// The bound values, as SQL would write them.
    pub values: Vec<String>,
    /// The text with its values in it, for a database's own `EXPLAIN`.
    pub literal: String,
}

impl Listings {
    /// Explains a query string on a listing, for a caller without an identity.
    ///
    /// # Errors
    /// When the text is not a list request, or does not pass the whitelist.
    pub fn explain(
        &self,
        whitelist: &Whitelist,
        query: &str,
        dialect: Dialect,
    ) -> Result<Explanation, Error> {
        let asked = request::parse_query(query, &self.settings().bounds)?;
        explain(self, whitelist, &asked, &Context::new(), None, dialect)
    }
}

/// Walks a request through every stage that needs no connection.
pub(crate) fn explain(
    listings: &Listings,
    whitelist: &Whitelist,
    asked: &Request,
    context: &Context,
    base: Option<Box<SelectStatement>>,
    dialect: Dialect,
) -> Result<Explanation, Error> {
    let checked = check::against(listings, whitelist, asked, context)?;
    let notes_on_check = say_checked(&checked);
    let ignored = say_ignored(&checked.ignored);
    let plan = plan::build(base, checked)?;
    Ok(Explanation {
        listing: whitelist.listing.to_string(),
        parsed: say_asked(asked),
        checked: notes_on_check,
        ignored,
        plan: say_plan(&plan),
        statements: statements(&plan, dialect),
    })
}

fn note(about: &str, text: impl Into<String>) -> Note {
    Note {
        about: about.to_owned(),
        text: text.into(),
    }
}

fn say_asked(asked: &Request) -> Vec<Note> {
    let mut notes = Vec::new();
    notes.extend(asked.fields.as_ref().map(|f| note("fields", say_names(f))));
    if let Some(populate) = &asked.populate {
        say_populate(populate, "", &mut notes);
        if *populate == AskedPopulate::default() {
            notes.push(note("populate", "no relation"));
        }
    }
    say_filters(&asked.filters, "filter", &mut notes);
    let search = asked.search.as_ref();
    notes.extend(search.map(|search| note("search", search.text.as_str())));
    for sort in asked.sort.iter().flatten() {
        notes.push(note("sort", format!("{} {}", sort.name, sort.direction)));
    }
    if asked.page != request::AskedPage::default() {
        notes.push(note("pagination", format!("{:?}", asked.page)));
    }
    if let Some(with_count) = asked.with_count {
        notes.push(note("withCount", with_count.to_string()));
    }
    if asked.exact_count {
        notes.push(note("count", "exact"));
    }
    notes.extend(asked.trashed.as_deref().map(|t| note("trashed", t)));
    if notes.is_empty() {
        notes.push(note("nothing", "the defaults apply"));
    }
    notes
}

fn say_names(asked: &AskedNames) -> String {
    let star = asked.all.then_some("*").into_iter();
    let names: Vec<_> = star.chain(asked.names.iter().map(AsRef::as_ref)).collect();
    names.join(", ")
}

/// Each relation by its path, with its options.
fn say_populate(asked: &AskedPopulate, around: &str, notes: &mut Vec<Note>) {
    if asked.all {
        notes.push(note("populate", format!("{around}*")));
    }
    for name in &asked.left_out {
        notes.push(note("populate", format!("{around}{name} left out")));
    }
    for relation in &asked.relations {
        let path = format!("{around}{}", relation.name);
        let mut text = path.clone();
        if let Some(fields) = &relation.fields {
            text.push_str(&format!(", fields {}", say_names(fields)));
        }
        for sort in relation.sort.iter().flatten() {
            text.push_str(&format!(", sort {} {}", sort.name, sort.direction));
        }
        if let Some(limit) = relation.limit {
            text.push_str(&format!(", limit {limit}"));
        }
        if relation.count {
            text.push_str(", count");
        }
        if let Some(start) = relation.start {
            text.push_str(&format!(", start {start}"));
        }
        if relation.with_count {
            text.push_str(", with count");
        }
        notes.push(note("populate", text));
        say_filters(&relation.filters, &format!("filter of {path}"), notes);
        if let Some(populate) = &relation.populate {
            say_populate(populate, &format!("{path}."), notes);
        }
    }
}

/// Each condition, with the groups and relations around it.
fn say_filters(asked: &AskedFilter, about: &str, notes: &mut Vec<Note>) {
    match asked {
        AskedFilter::All(parts) | AskedFilter::Any(parts) => {
            parts
                .iter()
                .for_each(|part| say_filters(part, about, notes));
        }
        AskedFilter::Not(part) => say_filters(part, about, notes),
        AskedFilter::Related(related) | AskedFilter::Counted(related) => {
            say_filters(&related.filter, about, notes);
        }
        AskedFilter::Compare(comparison) => {
            let values = match &comparison.values {
                AskedValues::One(value) => value.to_string(),
                AskedValues::Many(values) => format!("[{}]", values.join(", ")),
            };
            let (field, operator) = (&comparison.field, &comparison.operator);
            let path = comparison.path().map(|path| format!("{path}: "));
            let path = path.unwrap_or_default();
            notes.push(note(about, format!("{path}{field} {operator} {values}")));
        }
    }
}

fn say_checked(checked: &Checked<'_>) -> Vec<Note> {
    let whitelist = checked.whitelist;
    let fields = checked.fields.iter().map(|at| &whitelist.fields[*at]);
    let fields: Vec<_> = fields.map(|field| field.alias.as_str()).collect();
    let mut notes = vec![note("fields", fields.join(", "))];
    say_checked_relations(&checked.relations, "", &mut notes);
    for applied in &checked.applied {
        let values = applied.values.join(", ");
        let path = applied.path.as_ref().map(|path| format!("{path}: "));
        let path = path.unwrap_or_default();
        let text = format!("{path}{} {} {values}", applied.key, applied.operator);
        notes.push(note("filter", text));
    }
    notes.extend(checked.search.as_ref().map(say_search));
    for sort in &checked.order {
        notes.push(note(
            "sort",
            format!("{} {}", sort.sort.name, sort.direction),
        ));
    }
    if let Some(column) = whitelist.soft_delete_column() {
        notes.push(note("soft delete", format!("by {column}")));
    }
    let (rows, before) = (checked.page.limit(), checked.page.offset());
    notes.push(note(
        "page",
        format!("at most {rows} rows, {before} before them"),
    ));
    notes
}

fn say_checked_relations(relations: &[CheckedRelation<'_>], around: &str, notes: &mut Vec<Note>) {
    for relation in relations {
        let path = format!("{around}{}", relation.relation.name);
        notes.push(note("populate", path.as_str()));
        say_checked_relations(&relation.relations, &format!("{path}."), notes);
    }
}

fn say_search(search: &CheckedSearch<'_>) -> Note {
    let columns: Vec<_> = search.columns().map(|of| of.meta.name.as_ref()).collect();
    let how = match search.engine() {
        SearchEngine::Contains => "contains",
        SearchEngine::FullText { .. } => "full text",
    };
    let text = format!("{} in {} by {how}", search.canonical(), columns.join(", "));
    note("search", text)
}

fn say_ignored(ignored: &Ignored) -> Vec<Note> {
    let of = |about: &'static str, names: &[String]| {
        let names = names.to_vec();
        names.into_iter().map(move |name| note(about, name))
    };
    of("fields", &ignored.fields)
        .chain(of("populate", &ignored.populate))
        .chain(of("sort", &ignored.sort))
        .chain(of("facets", &ignored.facets))
        .chain(of("parameters", &ignored.parameters))
        .collect()
}

fn say_plan(plan: &Plan<'_>) -> Vec<Note> {
    let columns = plan.columns.iter().map(|column| match &column.source {
        ColumnSource::Column(of) => format!("{}.{}", of.table, of.meta.name),
        ColumnSource::Computed(_) => format!("computed {}", column.output.unwrap_or_default()),
        ColumnSource::Term(at) => format!("the value of sort {}", at + 1),
        ColumnSource::Later => format!("counted later: {}", column.output.unwrap_or_default()),
    });
    let order: Vec<_> = plan.order.iter().map(say_term).collect();
    let mut notes = vec![
        note("columns", columns.collect::<Vec<_>>().join(", ")),
        note("order", order.join(", ")),
        note("limit", plan.page.limit().to_string()),
        note("offset", plan.page.offset().to_string()),
        note("count", plan.count.to_string()),
    ];
    say_relations(&plan.relations, "", &mut notes);
    notes
}

fn say_relations(relations: &[RelationPlan<'_>], around: &str, notes: &mut Vec<Note>) {
    for relation in relations {
        let (from, to) = (relation.from, relation.to);
        let path = format!("{around}{}", relation.name);
        let mut text = format!(
            "{path} by {}.{} = {}.{}",
            from.table, from.meta.name, to.table, to.meta.name
        );
        if let Some(through) = &relation.through {
            text.push_str(&format!(" through {}", through.meta.name));
        }
        text.push_str(&match (relation.count, relation.to_many) {
            (true, _) => ", counted".to_owned(),
            (_, true) => format!(", at most {} each", relation.limit),
            (_, false) => ", one each".to_owned(),
        });
        notes.push(note("relation", text));
        say_relations(&relation.relations, &format!("{path}."), notes);
    }
}

fn say_term(term: &OrderTerm<'_>) -> String {
    let by = match &term.by {
        OrderBy::Column(of) => format!("{}.{}", of.table, of.meta.name),
        OrderBy::Selected(position) => format!("column {} of the page", position + 1),
        OrderBy::Computed(_) => "a computed field".to_owned(),
        OrderBy::Relevance(_) => "relevance".to_owned(),
        OrderBy::Link(order) => format!("{} of the link", order.column),
        OrderBy::Related(row) => {
            let column = &row.target.columns[row.column].name;
            format!("{}.{column}", row.target.name)
        }
    };
    let nulls = match term.nulls {
        None => "",
        Some(NullsPlace::First) => " nulls first",
        Some(NullsPlace::Last) => " nulls last",
    };
    format!("{by} {}{nulls}", term.direction)
}

fn statements(plan: &Plan<'_>, dialect: Dialect) -> Vec<ExplainedStatement> {
    let rendered = sql::render(plan, dialect);
    let purposes = std::iter::once("page").chain(std::iter::repeat("page, if it is not full"));
    let pages = || purposes.zip(rendered.page.all());
    let few = || ("page, if few rows match", rendered.page.few());
    let near = rendered.page.near();
    let near = near.map(|near| ("page, if it is among the first rows", near));
    let counts = |count: Count| {
        count
            .into_statements()
            .into_iter()
            .map(|one| ("count", one))
    };
    let first: Vec<_> = match rendered.first {
        First::Both { count, .. } => pages().chain(counts(count)).collect(),
        First::Count { count, look } => {
            let look = look.map(|look| ("count", look));
            let counts = counts(count).chain(look);
            let pages = pages().chain([few()]).chain(near);
            pages.chain(counts).collect()
        }
    };
    let mut statements: Vec<_> = first
        .into_iter()
        .map(|(purpose, statement)| (purpose.to_owned(), statement))
        .collect();
    if let Some((asked, numbers)) = plan.numbers.as_deref().zip(rendered.numbers) {
        statements.extend(numbers.named(asked));
    }
    populate_statements(&plan.counts, "count of ", dialect, &mut statements);
    populate_statements(&plan.relations, "populate ", dialect, &mut statements);
    statements
        .into_iter()
        .map(|(purpose, statement)| explained(purpose, statement, dialect))
        .collect()
}

fn populate_statements(
    relations: &[RelationPlan<'_>],
    around: &str,
    dialect: Dialect,
    statements: &mut Vec<(String, Statement)>,
) {
    for relation in relations {
        let path = format!("{around}{}", relation.name);
        let parents = two_keys(&relation.from.meta.kind);
        let populate = sql::populate(relation, &parents, dialect);
        statements.push((path.clone(), populate.statement));
        populate_statements(
            &relation.relations,
            &format!("{path}."),
            dialect,
            statements,
        );
    }
}

/// Keys that two parents could have.
fn two_keys(kind: &Kind) -> [Key; 2] {
    match kind {
        Kind::Uuid => [1, 2].map(|last| Key::Uuid(u128::to_be_bytes(last))),
        Kind::Integer | Kind::IntegerText => [1, 2].map(Key::Int),
        _ => ["1", "2"].map(|key| Key::Text(key.into())),
    }
}

fn explained(purpose: String, statement: Statement, dialect: Dialect) -> ExplainedStatement {
    let Statement { text, values, .. } = statement;
    let backend = match dialect {
        Dialect::Postgres => DbBackend::Postgres,
        Dialect::Mysql => DbBackend::MySql,
        Dialect::Sqlite => DbBackend::Sqlite,
    };
    let written = |values: Vec<Value>, text: &str| sea_orm::Statement {
        sql: text.to_owned(),
        values: Some(Values(values)),
        db_backend: backend,
    };
    let shown = |value: &Value| written(vec![value.clone()], one_placeholder(dialect)).to_string();
    ExplainedStatement {
        purpose,
        values: values.iter().map(shown).collect(),
        literal: written(values, &text).to_string(),
        text,
    }
}

fn one_placeholder(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Postgres => "$1",
        Dialect::Mysql | Dialect::Sqlite => "?",
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stages = [
            ("parsed", &self.parsed),
            ("checked", &self.checked),
            ("ignored", &self.ignored),
            ("plan", &self.plan),
        ];
        for (stage, notes) in stages.into_iter().filter(|(_, notes)| !notes.is_empty()) {
            writeln!(f, "{stage}")?;
            for note in notes {
                writeln!(f, "  {:<12} {}", note.about, note.text)?;
            }
        }
        for statement in &self.statements {
            writeln!(f, "{statement}")?;
        }
        Ok(())
    }
}

impl fmt::Display for ExplainedStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sql: {}\n  {}", self.purpose, self.text)?;
        if !self.values.is_empty() {
            write!(f, "\n  with {}", self.values.join(", "))?;
        }
        Ok(())
    }
}
