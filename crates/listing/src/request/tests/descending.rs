//! Tests sorts with a minus in front of them, as text and as JSON.

use crate::request::{Request, RequestError, parse_json, parse_query};
use crate::vocabulary::{Bounds, SortDirection};

fn text(query: &str) -> Result<Request, RequestError> {
    parse_query(query, &Bounds::default())
}

fn json(body: &str) -> Result<Request, RequestError> {
    parse_json(body.as_bytes(), &Bounds::default())
}

fn code(sent: Result<Request, RequestError>) -> &'static str {
    sent.map_err(|error| error.code()).expect_err("an error")
}

/// Rule d151.
#[test]
fn a_minus_in_front_of_a_sort_means_descending() {
    for (query, expected) in [
        ("sort=-views", "views:desc"),
        ("sort[0]=-views", "views:desc"),
        ("sort=-author.name", "author.name:desc"),
        ("sort=-+views", "views:desc"),
        ("sort=+views", "views:asc"),
        ("sort=a-b", "a-b:asc"),
        ("sort=-", "-:asc"),
    ] {
        let sorts = text(query).expect(query).sort.expect(query);
        let sort = format!("{}:{}", sorts[0].name, sorts[0].direction);
        assert_eq!(sort, expected, "{query}");
    }
    let sorts = json(r#"{"sort": ["-views", "title"]}"#)
        .expect("accepted")
        .sort;
    let sorts = sorts.expect("two sorts");
    assert_eq!(sorts[0].direction, SortDirection::Desc);
    assert_eq!(sorts[1].direction, SortDirection::Asc);
    let populated = text("populate[comments][sort]=-id")
        .expect("accepted")
        .populate;
    let relation = &populated.expect("one relation").relations[0];
    let sorts = relation.sort.as_ref().expect("one sort");
    assert_eq!(
        (&*sorts[0].name, sorts[0].direction),
        ("id", SortDirection::Desc)
    );
    assert_eq!(code(text("sort=-views:asc")), "two_directions");
    assert_eq!(code(text("sort=-views:desc")), "two_directions");
}
