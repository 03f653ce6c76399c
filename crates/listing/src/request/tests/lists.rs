//! Tests fields, populate and sort in every spelling, as text and as JSON.

use crate::request::{
    AskedNames, AskedPopulate, AskedRelation, Request, RequestError, parse_json, parse_query,
};
use crate::vocabulary::{Bounds, SortDirection};

fn text(query: &str) -> Result<Request, RequestError> {
    parse_query(query, &Bounds::default())
}

fn json(body: &str) -> Result<Request, RequestError> {
    parse_json(body.as_bytes(), &Bounds::default())
}

fn code(sent: Result<Request, RequestError>) -> &'static str {
    sent.expect_err("an error").code()
}

fn these(names: &[&str]) -> Option<AskedNames> {
    Some(AskedNames {
        all: false,
        names: names.iter().map(|&name| name.into()).collect(),
    })
}

fn relations(names: &[&str]) -> Option<AskedPopulate> {
    let relation = |name: &&str| AskedRelation {
        name: (*name).into(),
        ..AskedRelation::default()
    };
    Some(AskedPopulate {
        relations: names.iter().map(relation).collect(),
        ..AskedPopulate::default()
    })
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

/// Rules d1, d2, d11, b3, b5.
#[test]
fn a_list_in_every_spelling() {
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
            Ok(relations(names)),
            "{populate}"
        );
        let sort = query.replace('F', "sort");
        let sorts = text(&sort).expect(&sort).sort.expect(&sort);
        let sorts: Vec<_> = sorts.iter().map(|sort| &*sort.name).collect();
        assert_eq!(sorts, *names, "{sort}");
    }
}

/// Rule d13.
#[test]
fn a_list_in_every_json_spelling() {
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
        assert_eq!(sent.populate, relations(names), "{list}");
        let sorts: Vec<_> = sent.sort.iter().flatten().map(|sort| &*sort.name).collect();
        assert_eq!(sorts, names, "{list}");
    }
}

/// Rules d2, d95, b4.
#[test]
fn a_star_is_everything_and_names_next_to_it_are_kept() {
    let some = |names: &[&str]| {
        let mut these = these(names).expect("names");
        these.all = true;
        Some(these)
    };
    let all = |names: &[&str]| {
        let mut relations = relations(names).expect("names");
        relations.all = true;
        Some(relations)
    };
    for (query, names) in [
        ("F=*", &[] as &[_]),
        ("F[0]=*", &[]),
        ("F=a&F=*", &["a"]),
        ("F=*,b,a,*", &["b", "a"]),
    ] {
        let sent = text(&query.replace('F', "fields"));
        assert_eq!(sent.map(|sent| sent.fields), Ok(some(names)), "{query}");
        let sent = text(&query.replace('F', "populate"));
        assert_eq!(sent.map(|sent| sent.populate), Ok(all(names)), "{query}");
    }
    let sent = json(r#"{"fields": "*", "populate": ["*"]}"#).expect("accepted");
    assert_eq!((sent.fields, sent.populate), (some(&[]), all(&[])));
}

/// Rule d12.
#[test]
fn empty_lists_are_as_if_not_sent() {
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

/// Rules d1, b5.
#[test]
fn an_index_that_is_not_a_number_is_an_error() {
    for index in ["abc", "-1", "1.0", "+1", "18446744073709551616", "0x1", "١"] {
        let query = format!("fields[0]=b&fields[{index}]=a");
        assert_eq!(code(text(&query)), "bad_index", "{query}");
    }
    assert_eq!(code(text("fields[0][a]=b")), "plain_value_expected");
    assert_eq!(code(text("fields[][]=b")), "plain_value_expected");
    assert_eq!(code(json(r#"{"fields": [["a"]]}"#)), "plain_value_expected");
    for name in ["fields", "sort"] {
        assert_eq!(code(json(&format!("{{\"{name}\": [null]}}"))), "null_value");
    }
}

/// Rules d10, b3.
#[test]
fn a_direction_is_asc_or_desc_in_any_case_and_asc_when_missing() {
    use SortDirection::{Asc, Desc};
    for (entry, name, direction) in [
        ("views", "views", Asc),
        ("views:asc", "views", Asc),
        ("views:desc", "views", Desc),
        ("views:DESC", "views", Desc),
        ("author.name:Desc", "author.name", Desc),
        ("a.b.c", "a.b.c", Asc),
        ("a:b:desc", "a:b", Desc),
        ("views+:desc", "views", Desc),
        ("views:+desc", "views", Desc),
        ("+views+:+desc+", "views", Desc),
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
    assert_eq!(code(text("sort=views:desc,views:down")), "bad_direction");
}

/// Rule d11.
#[test]
fn the_first_of_a_sort_counts() {
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

/// Rules d6, b1.
#[test]
fn unknown_parameters_are_kept_by_name_and_not_read() {
    for (query, names) in [
        ("x[a][b]=1&x[c]=2&y", &["x", "y"] as &[_]),
        ("=1", &[]),
        ("=", &[]),
        ("[a]=1", &[]),
        ("x=1&x=2", &["x"]),
        (
            "utm_source=a&_=1700000000&locale=de",
            &["utm_source", "_", "locale"],
        ),
    ] {
        let sent = text(query).expect(query);
        let unknown: Vec<_> = sent.unknown.iter().map(|sent| &*sent.name).collect();
        assert_eq!(unknown, names, "{query}");
        let rest = Request {
            unknown: Vec::new(),
            ..sent
        };
        assert_eq!(rest, Request::default(), "{query}");
    }
    let body = r#"{"x": {"a": 1, "a": [[[[[[[[null]]]]]]]]}, "": {}}"#;
    let sent = json(body).expect("accepted");
    let unknown: Vec<_> = sent.unknown.iter().map(|sent| &*sent.name).collect();
    assert_eq!(unknown, ["x"]);
}

/// Rule b200.
#[test]
fn a_misspelt_parameter_is_an_error_with_the_right_spelling() {
    for (query, parameter, nearest) in [
        ("filter[title]=x", "filter", "filters"),
        ("Filters[title]=x", "Filters", "filters"),
        ("fiters[title]=x", "fiters", "filters"),
        ("filters.title=x", "filters.title", "filters[title]"),
        ("filter.title=x", "filter.title", "filters[title]"),
        ("Filters.title=x", "Filters.title", "filters[title]"),
        ("where.title=x", "where.title", "filters[title]"),
        (
            "filters%255Btitle%255D=x",
            "filters%5Btitle%5D",
            "filters[title]",
        ),
        ("[filters][title]=x", "[filters]", "filters"),
        ("[Filter][title]=x", "[Filter]", "filters"),
        ("page=2", "page", "pagination[page]"),
        ("limit=5", "limit", "pagination[limit]"),
        ("orderBy=title", "orderBy", "sort"),
        ("include=author", "include", "populate"),
    ] {
        let complaint = text(query).expect_err(query).complaint();
        assert_eq!(complaint.code, "misspelt_parameter", "{query}");
        assert_eq!(complaint.parameter, parameter, "{query}");
        assert_eq!(complaint.nearest.as_deref(), Some(nearest), "{query}");
        assert!(complaint.message.contains(nearest), "{}", complaint.message);
    }
    for body in [
        r#"{"filter": {"a": 1}}"#,
        r#"{"[filters][a]": 1}"#,
        r#"{"filters[author][name][$contains][of][a][relation][of][a][relation]": 1}"#,
    ] {
        assert_eq!(code(json(body)), "misspelt_parameter", "{body}");
    }
}

/// Rule d87.
#[test]
fn search_is_kept_as_it_is_and_has_two_names() {
    for (query, search) in [
        ("search=a+b", Some(("search", "a b"))),
        ("_q=%22a+b%22+-c", Some(("_q", "\"a b\" -c"))),
        ("search=", None),
        ("_q", None),
        ("search=&_q=x", Some(("_q", "x"))),
    ] {
        let sent = text(query).expect(query).search;
        let sent = sent.as_ref().map(|sent| (sent.parameter, &*sent.text));
        assert_eq!(sent, search, "{query}");
    }
    assert_eq!(code(text("search=a&_q=a")), "search_twice");
    assert_eq!(code(text("search=a&search=b")), "one_value_expected");
    assert_eq!(code(text("search[a]=b")), "one_value_expected");
    let sent = json(r#"{"search": "x", "_q": null}"#).expect("accepted");
    assert_eq!(sent.search.expect("sent").text, "x");
}

/// Rule d88.
#[test]
fn a_sort_as_an_object_is_the_same_as_a_list() {
    for (query, body, same) in [
        ("sort[views]=desc", r#"{"views": "desc"}"#, "views:desc"),
        (
            "sort[0][views]=desc",
            r#"[{"views": "desc"}]"#,
            "views:desc",
        ),
        (
            "sort[b]=asc&sort[a]=DESC",
            r#"{"b": "asc", "a": "DESC"}"#,
            "b:asc,a:desc",
        ),
        (
            "sort[1][a]=asc&sort[0]=c:desc,d&sort[1][b]=desc",
            r#"["c:desc,d", {"a": "asc", "b": "desc"}]"#,
            "c:desc,d,a,b:desc",
        ),
        (
            "sort[][a]=asc&sort[][b]=desc",
            r#"[{"a": "asc"}, {"b": "desc"}]"#,
            "a,b:desc",
        ),
        (
            "sort[author][name]=desc",
            r#"{"author": {"name": "desc"}}"#,
            "author.name:desc",
        ),
        (
            "sort[a]=asc&sort[b]=asc&sort[a.x]=desc",
            r#"[{"a": "asc", "b": "asc"}, "a.x:desc", "a:desc"]"#,
            "a,b,a.x:desc",
        ),
    ] {
        let same = text(&format!("sort={same}")).expect(same);
        assert_eq!(text(query).as_ref(), Ok(&same), "{query}");
        assert_eq!(
            json(&format!("{{\"sort\": {body}}}")).as_ref(),
            Ok(&same),
            "{body}"
        );
    }
    for (query, is) in [
        ("sort[views]=down", "bad_direction"),
        ("sort[views]=", "bad_direction"),
        ("sort[views]=asc&sort[views]=desc", "one_value_expected"),
        ("sort[0]=a&sort[views]=desc", "list_and_object"),
        ("sort=a&sort[views]=desc", "scalar_and_object"),
    ] {
        assert_eq!(code(text(query)), is, "{query}");
    }
    assert_eq!(code(json(r#"{"sort": {"views": null}}"#)), "null_value");
    assert_eq!(
        code(json(r#"{"sort": {"views": {}}}"#)),
        "one_value_expected"
    );
    assert_eq!(
        code(json(r#"{"sort": [["views"], {"a": "asc"}]}"#)),
        "one_value_expected"
    );
}

/// Rule d62.
#[test]
fn trashed_is_kept() {
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

/// Rules d1, d5.
#[test]
fn a_long_list_is_read_as_a_short_one_is() {
    for count in [3, 16, 17, 40, 200] {
        // In any order, and each index twice.
        let pairs = |name: &str| {
            let indexes = (0..count).rev().chain((0..count).map(|at| at * 7 % count));
            let pairs = indexes.map(|at| format!("{name}[{at}]=n{at}"));
            pairs.collect::<Vec<_>>().join("&")
        };
        let names: Vec<_> = (0..count).map(|at| format!("n{at}")).collect();
        let names: Vec<_> = names.iter().map(|name| &**name).collect();
        let sent = text(&format!(
            "{}&{}",
            pairs("fields"),
            pairs("populate[a][fields]")
        ));
        let sent = sent.expect("accepted");
        assert_eq!(sent.fields, these(&names), "{count}");
        let populate = sent.populate.expect("sent");
        assert_eq!(populate.relations[0].fields, these(&names), "{count}");
        let query = format!("{}&fields[{}][a]=1", pairs("fields"), count - 1);
        assert_eq!(code(text(&query)), "scalar_and_object", "{count}");
    }
    for count in [3, 16, 17, 40] {
        let object =
            |name: &'static str| (0..count).map(move |at| format!("filters[$or][{at}][{name}]=1"));
        let query: Vec<_> = object("a").chain(object("b")).collect();
        let body = vec![r#"{"a": 1, "b": 1}"#; count].join(",");
        assert_eq!(
            text(&query.join("&")),
            json(&format!("{{\"filters\": {{\"$or\": [{body}]}}}}")),
            "{count}"
        );
    }
}

/// Rule d11.
#[test]
fn many_thousand_names_are_no_burden() {
    let bounds = Bounds {
        query_bytes: 1 << 20,
        ..Bounds::default()
    };
    let names: Vec<_> = (0..100_000).map(|number| number.to_string()).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let sent = parse_query(&format!("fields={}", names.join(",")), &bounds).unwrap();
    assert_eq!(sent.fields, these(&names));
}
