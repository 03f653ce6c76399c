//! Tests of the SQL that requests become on three databases.

mod cases;
mod cost;
mod entities;
mod identifiers;
mod listings;
mod parents;

use sea_orm::QueryTrait;

use self::entities::{article, author, comment, tag};
use self::listings::{Tenant, listings};
use super::{Dialect, First, Statement, labels};
use crate::check::CheckedCursor;
use crate::cursor::Bookmark;
use crate::define::{Context, HasListing, LabelColumn, Listings};
use crate::request::Request;
use crate::vocabulary::{Key, Kind};
use crate::{check, plan};

const DIALECTS: [(&str, Dialect); 3] = [
    ("PostgreSQL", Dialect::Postgres),
    ("MariaDB", Dialect::Mysql),
    ("SQLite", Dialect::Sqlite),
];

/// Every statement of a request, as if the page had two rows.
fn statements(path: &str, request: &Request, dialect: Dialect) -> Vec<Statement> {
    let (in_order, if_few) = both(path, request, dialect);
    in_order.into_iter().chain(if_few).collect()
}

/// The statements that read a page in its order, with its count and relations; and those that read it where few rows match.
fn both(path: &str, request: &Request, dialect: Dialect) -> (Vec<Statement>, Vec<Statement>) {
    let (listings, context) = (listings(), Context::new().with(Tenant(7)));
    match path {
        "articles" => of::<article::Entity>(&listings, request, &context, dialect),
        "authors" => of::<author::Entity>(&listings, request, &context, dialect),
        "comments" => of::<comment::Entity>(&listings, request, &context, dialect),
        // A caller without tenants.
        "strangers" => of::<author::Entity>(&listings, request, &Context::new(), dialect),
        "tags" => of::<tag::Entity>(&listings, request, &context, dialect),
        _ => panic!("there is no {path}"),
    }
}

/// `after(5;null)` as a cursor stands for the place with these values, and `before(5;null)` for the way back from it.
fn with_cursor<'w>(
    request: &Request,
    check: impl FnOnce(&Request) -> CheckedCursor<'w>,
) -> Request {
    let written = request.cursor.as_deref().unwrap_or_default();
    let Some((way, values)) = written.split_once('(') else {
        return request.clone();
    };
    let first = Request {
        cursor: Some(String::new()),
        ..request.clone()
    };
    let checked = check(&first);
    let value = |text: &str| match text.parse() {
        _ if text == "null" => Key::Null,
        Ok(number) => Key::Int(number),
        Err(_) => Key::Text(text.into()),
    };
    let bookmark = Bookmark {
        list: checked.list,
        backwards: way == "before",
        values: values.trim_end_matches(')').split(';').map(value).collect(),
    };
    Request {
        cursor: Some(checked.seal.seal(&bookmark.to_bytes())),
        ..first
    }
}

fn of<E: HasListing>(
    listings: &Listings,
    request: &Request,
    context: &Context,
    dialect: Dialect,
) -> (Vec<Statement>, Vec<Statement>) {
    let whitelist = listings.of::<E>().unwrap();
    let against = |request: &Request| {
        check::against(listings, whitelist, request, context).unwrap_or_else(|e| panic!("{e}"))
    };
    let request = with_cursor(request, |first| against(first).cursor.unwrap());
    let checked = against(&request);
    let plan = plan::build(Some(Box::new(E::find().into_query())), checked).unwrap();
    let rendered = super::render(&plan, dialect);
    let populated = plan.relations.iter().map(|relation| {
        let parents = match relation.from.meta.kind {
            Kind::Uuid => [Key::Uuid([0x11; 16]), Key::Uuid([0x22; 16])],
            _ => [Key::Int(11), Key::Int(22)],
        };
        super::populate(relation, &parents, dialect).statement
    });
    let few = plan.counts_first.then(|| rendered.page.few());
    let (count, mut if_few) = match rendered.first {
        First::Both { count, .. } => (count, Vec::new()),
        First::Count { count, look } => (count, look.into_iter().collect()),
    };
    if_few.extend(few);
    let page = rendered.page.all().into_iter();
    let in_order = page
        .chain(count.into_statements())
        .chain(populated)
        .collect();
    (in_order, if_few)
}

/// Rule d34.
#[test]
fn labels_are_read_from_rows_that_exist_for_the_caller() {
    let text = |column: Option<LabelColumn>, key: Key, context: &Context| {
        let column = column.unwrap();
        let visible = (column.visible)(context);
        labels(&column, &[key], &visible, Dialect::Postgres).text
    };
    let tags = || LabelColumn::of::<tag::Entity>(tag::Column::Name);
    let authors = || LabelColumn::of::<author::Entity>(author::Column::Name);
    // Where everybody sees every row there is no condition.
    assert_eq!(
        text(tags(), Key::Uuid([7; 16]), &Context::new()),
        r#"SELECT "tags"."code", "tags"."name" FROM "tags" WHERE "tags"."code" = $1"#
    );
    let named = r#"SELECT "authors"."id", "authors"."name" FROM "authors" WHERE "#;
    assert_eq!(
        text(authors(), Key::Int(5), &Context::new().with(Tenant(7))),
        format!(r#"{named}("authors"."tenant" = $1) AND "authors"."id" = $2"#)
    );
    assert_eq!(
        text(authors(), Key::Int(5), &Context::new()),
        format!(r#"{named}(FALSE) AND "authors"."id" = $1"#)
    );
}
