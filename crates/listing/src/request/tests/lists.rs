//! Tests fields, populate and sort in every spelling, as text and as JSON.

use crate::request::{AskedNames, Request, RequestError, parse_json, parse_query};
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

fn these(names: &[&str]) -> Option<AskedNames> {
    Some(AskedNames::These(
        names.iter().map(|&name| name.into()).collect(),
    ))
}

/// Spellings of a list, `F` for the parameter, and the names that it holds.
const LISTS: &[(&str, &[&str])] = &[
    ("F[0]=a&F[1]=b", &["a", "b"]),
    ("F%5B0%5D=a&F%5b1%5d=b", &["a", "b"]),
    ("F[]=b&F[]=a", &["b", "a"]),
    ("F=b&F=a", &["b", "a"]),
    ("F[2]=a&F[0]=b", &["b", "a"]),
    ("F[999999999999]=a&F[10]=b&F[9]=c", &["c", "b", "a"]),
    ("F[]=x&F[1]=a&F[]=y&F[0]=b", &["b", "a", "x", "y"]),
    ("F[1]=a&F[0]=z&F[1]=b", &["z", "a", "b"]),
    ("&&F=a&&&x=1&F=b&", &["a", "b"]),
    ("F=a,b", &["a", "b"]),
    ("F=a,+b,,", &["a", "b"]),
    ("F[]=a,b&F[]=c", &["a", "b", "c"]),
    ("F=a+b", &["a b"]),
    ("F=caf%C3%A9", &["café"]),
    ("F=b,a,b&x=1&F=a", &["b", "a"]),
    ("F[0]=&F[1]=a", &["a"]),
];

#[test]
fn d1_d2_d11_a_list_in_every_spelling() {
    for (query, names) in LISTS {
        let fields = query.replace('F', "fields");
        assert_eq!(
            text(&fields).map(|sent| sent.fields),
            Ok(these(names)),
            "{fields}"
        );
        let populate = query.replace('F', "populate");
        assert_eq!(
            text(&populate).map(|sent| sent.populate),
            Ok(these(names)),
            "{populate}"
        );
        let sort = query.replace('F', "sort");
        let sorts = text(&sort).expect(&sort).sort.expect(&sort);
        let sorts: Vec<_> = sorts.iter().map(|sort| &*sort.name).collect();
        assert_eq!(sorts, *names, "{sort}");
    }
}

#[test]
fn d13_a_list_in_every_json_spelling() {
    for (list, names) in [
        (r#"["b", "a"]"#, &["b", "a"] as &[_]),
        (r#""b,a""#, &["b", "a"]),
        (r#"["a", "b", "a"]"#, &["a", "b"]),
        (r#"["b,c", "a"]"#, &["b", "c", "a"]),
        (r#"{"1": "a", "0": "b"}"#, &["b", "a"]),
        (r#"["caf\u00e9", 5, true]"#, &["café", "5", "true"]),
    ] {
        let sent = json(&format!(
            "{{\"fields\": {list}, \"populate\": {list}, \"sort\": {list}}}"
        ));
        let sent = sent.expect(list);
        assert_eq!(sent.fields, these(names), "{list}");
        assert_eq!(sent.populate, these(names), "{list}");
        let sorts: Vec<_> = sent.sort.iter().flatten().map(|sort| &*sort.name).collect();
        assert_eq!(sorts, names, "{list}");
    }
}

#[test]
fn d2_a_star_is_everything() {
    for query in ["F=*", "F[0]=*", "F=a&F=*", "F=a,*"] {
        let sent = text(&query.replace('F', "fields"));
        assert_eq!(
            sent.map(|sent| sent.fields),
            Ok(Some(AskedNames::All)),
            "{query}"
        );
        let sent = text(&query.replace('F', "populate"));
        assert_eq!(
            sent.map(|sent| sent.populate),
            Ok(Some(AskedNames::All)),
            "{query}"
        );
    }
    let sent = json(r#"{"fields": "*", "populate": ["*"]}"#).expect("accepted");
    assert_eq!(
        (sent.fields, sent.populate),
        (Some(AskedNames::All), Some(AskedNames::All))
    );
}

#[test]
fn d12_empty_lists_are_as_if_not_sent() {
    for query in ["F=", "F", "F[]=", "F[0]=", "F=,", "F=&F=", "F=+"] {
        for name in ["fields", "sort", "populate"] {
            let query = query.replace('F', name);
            assert_eq!(text(&query), Ok(Request::default()), "{query}");
        }
    }
    for value in ["null", "\"\"", "[]", "[\"\"]", "{}"] {
        for name in ["fields", "sort", "populate"] {
            let body = format!("{{\"{name}\": {value}}}");
            assert_eq!(json(&body), Ok(Request::default()), "{body}");
        }
    }
}

#[test]
fn d1_an_index_that_is_no_number_is_an_error() {
    for name in ["fields", "sort"] {
        for index in ["abc", "-1", "1.0", "+1", "18446744073709551616", "0x1", "١"] {
            let query = format!("{name}[0]=b&{name}[{index}]=a");
            assert_eq!(code(text(&query)), "bad_index", "{query}");
        }
        assert_eq!(
            code(text(&format!("{name}[0][a]=b"))),
            "plain_value_expected"
        );
        assert_eq!(code(text(&format!("{name}[][]=b"))), "plain_value_expected");
        assert_eq!(
            code(json(&format!("{{\"{name}\": [[\"a\"]]}}"))),
            "plain_value_expected"
        );
        assert_eq!(code(json(&format!("{{\"{name}\": [null]}}"))), "null_value");
    }
}

#[test]
fn d10_a_direction_is_asc_or_desc_in_any_case_and_asc_when_missing() {
    use SortDirection::{Asc, Desc};
    for (entry, name, direction) in [
        ("views", "views", Asc),
        ("views:asc", "views", Asc),
        ("views:desc", "views", Desc),
        ("views:DESC", "views", Desc),
        ("author.name:Desc", "author.name", Desc),
        ("a.b.c", "a.b.c", Asc),
        ("a:b:desc", "a:b", Desc),
        ("*", "*", Asc),
    ] {
        for query in [format!("sort={entry}"), format!("sort[0]={entry}")] {
            let sorts = text(&query).expect(&query).sort.expect(&query);
            assert_eq!(
                (&*sorts[0].name, sorts[0].direction),
                (name, direction),
                "{query}"
            );
        }
    }
    for (entry, token) in [
        ("views:down", "down"),
        ("views:", ""),
        ("a,views:descending", "descending"),
        ("a:b", "b"),
    ] {
        let complaint = text(&format!("sort={entry}")).expect_err(entry).complaint();
        assert_eq!(
            (complaint.code, &*complaint.token),
            ("bad_direction", token)
        );
        assert_eq!(complaint.allowed, ["asc", "desc"]);
    }
    // A duplicate is dropped, and still has to be right.
    assert_eq!(code(text("sort=views:desc,views:down")), "bad_direction");
}

#[test]
fn d11_the_first_of_a_sort_counts() {
    let sorts = text("sort=views:desc,title,views:asc")
        .expect("accepted")
        .sort
        .expect("sent");
    let sorts: Vec<_> = sorts
        .iter()
        .map(|sort| (&*sort.name, sort.direction))
        .collect();
    assert_eq!(
        sorts,
        [
            ("views", SortDirection::Desc),
            ("title", SortDirection::Asc)
        ]
    );
}

#[test]
fn d47_nested_populate_is_an_error_of_its_own() {
    for (query, token) in [
        ("populate[author][fields][0]=name", "populate[author]"),
        ("populate[author]=*", "populate[author]"),
        ("populate[author]=true", "populate[author]"),
        ("populate[0]=tags&populate[x]=y", "populate[x]"),
        ("populate[0][author]=x", "populate[0]"),
        ("populate[][author]=x", "populate[]"),
        ("populate=tags,author.articles", "author.articles"),
    ] {
        let complaint = text(query).expect_err(query).complaint();
        assert_eq!(
            (complaint.code, &*complaint.token),
            ("nested_populate", token),
            "{query}"
        );
        assert_eq!(complaint.parameter, "populate");
    }
    for populate in [
        r#"{"author": true}"#,
        r#"{"author": {"fields": ["x"]}}"#,
        r#"[{"a": 1}]"#,
    ] {
        let body = format!("{{\"populate\": {populate}}}");
        assert_eq!(code(json(&body)), "nested_populate", "{body}");
    }
}

#[test]
fn d6_unknown_parameters_have_no_effect() {
    for query in [
        "page=1",
        "x[a][b]=1&x[c]=2",
        "=1",
        "=",
        "Fields=a",
        "[fields]=a",
        "x=1&x=2",
    ] {
        assert_eq!(text(query), Ok(Request::default()), "{query}");
    }
    let body = r#"{"page": 1, "x": {"a": 1, "a": [[[[[[[[null]]]]]]]]}, "Fields": ["a"], "": {}}"#;
    assert_eq!(json(body), Ok(Request::default()));
}

#[test]
fn d62_trashed_is_kept() {
    assert_eq!(
        text("trashed=with").map(|sent| sent.trashed),
        Ok(Some("with".to_owned()))
    );
    assert_eq!(text("trashed=").map(|sent| sent.trashed), Ok(None));
    assert_eq!(
        json(r#"{"trashed": "only"}"#).map(|sent| sent.trashed),
        Ok(Some("only".to_owned()))
    );
    assert_eq!(
        json(r#"{"trashed": null}"#).map(|sent| sent.trashed),
        Ok(None)
    );
    for query in [
        "trashed=with&trashed=only",
        "trashed[]=with",
        "trashed[a]=b",
    ] {
        assert_eq!(code(text(query)), "one_value_expected", "{query}");
    }
}

#[test]
fn d11_many_thousand_names_are_no_burden() {
    let bounds = Bounds {
        query_bytes: 1 << 20,
        ..Bounds::default()
    };
    let names: Vec<_> = (0..100_000).map(|number| number.to_string()).collect();
    let names: Vec<_> = names.iter().map(|name| &**name).collect();
    let sent = parse_query(&format!("fields={}", names.join(",")), &bounds);
    assert_eq!(sent.map(|sent| sent.fields), Ok(these(&names)));
}
