//! `populate` in every spelling: paths, values and options, as text and as JSON (d78, d80, d81, d85).

use crate::request::{AskedFilter, AskedPopulate, Request, RequestError, parse_json, parse_query};
use crate::vocabulary::Bounds;

/// The tree in short: `author{fields a,b; limit 3; articles}`.
fn say(asked: &AskedPopulate) -> String {
    let mut parts: Vec<String> = asked.all.then(|| "*".to_owned()).into_iter().collect();
    parts.extend(asked.left_out.iter().map(|name| format!("-{name}")));
    for relation in &asked.relations {
        let mut options = Vec::new();
        if let Some(fields) = &relation.fields {
            let star = if fields.all { "*" } else { "" };
            options.push(format!("fields {star}{}", fields.names.join(",")));
        }
        for sort in relation.sort.iter().flatten() {
            options.push(format!("sort {}:{}", sort.name, sort.direction));
        }
        if let AskedFilter::All(all) = &relation.filters
            && !all.is_empty()
        {
            options.push(format!("{} filters", all.len()));
        }
        options.extend(relation.start.map(|start| format!("start {start}")));
        options.extend(relation.limit.map(|limit| format!("limit {limit}")));
        options.extend(relation.with_count.then(|| "with count".to_owned()));
        options.extend(relation.count.then(|| "count".to_owned()));
        options.extend(relation.populate.as_ref().map(say));
        parts.push(match options.is_empty() {
            true => relation.name.to_string(),
            false => format!("{}{{{}}}", relation.name, options.join("; ")),
        });
    }
    parts.join(" ")
}

fn said(sent: Result<Request, RequestError>) -> Result<String, RequestError> {
    sent.map(|sent| sent.populate.as_ref().map_or("none".to_owned(), say))
}

fn text(query: &str) -> Result<String, RequestError> {
    said(parse_query(query, &Bounds::default()))
}

fn json(populate: &str) -> Result<String, RequestError> {
    let body = format!("{{\"populate\": {populate}}}");
    said(parse_json(body.as_bytes(), &Bounds::default()))
}

/// Rule d78.
#[test]
fn every_spelling_gives_the_same_tree() {
    for (query, body, tree) in [
        (
            "populate=author.articles",
            r#""author.articles""#,
            "author{articles}",
        ),
        (
            "populate[0]=author.articles&populate[1]=tags&populate[2]=author",
            r#"["author.articles", "tags", "author"]"#,
            "tags author{articles}",
        ),
        (
            "populate=a.b,a.c.d,a.b.e",
            r#"["a.b", "a.c.d", "a.b.e"]"#,
            "a{b{e} c{d}}",
        ),
        ("populate=author.*,*", r#"["author.*", "*"]"#, "* author{*}"),
        ("populate[author]=true", r#"{"author": true}"#, "author"),
        ("populate[author]=YES", r#"{"author": "on"}"#, "author"),
        (
            "populate[author]=false&populate[tags]=1",
            r#"{"author": false, "tags": {}}"#,
            "-author tags",
        ),
        ("populate[author]=*", r#"{"author": "*"}"#, "author{*}"),
        (
            "populate[author][populate]=*",
            r#"{"author": {"populate": "*"}}"#,
            "author{*}",
        ),
        (
            "populate[*]=true&populate[a]=no",
            r#"{"*": true, "a": false}"#,
            "* -a",
        ),
        (
            "populate[comments][fields][0]=body&populate[comments][sort]=created_at:desc\
             &populate[comments][filters][author_name][$eq]=Ada&populate[comments][pagination][limit]=3\
             &populate[comments][populate]=article.tags",
            r#"{"comments": {"fields": ["body"], "sort": {"created_at": "desc"}, "filters": {"author_name": "Ada"},
                "pagination": {"limit": 3}, "populate": {"article": {"populate": ["tags"]}}}}"#,
            "comments{fields body; sort created_at:desc; 1 filters; limit 3; article{tags}}",
        ),
        (
            "populate[comments][count]=true",
            r#"{"comments": {"count": true}}"#,
            "comments{count}",
        ),
        (
            "populate[comments][pagination][start]=5&populate[comments][withCount]=true",
            r#"{"comments": {"pagination": {"start": 5}, "withCount": true}}"#,
            "comments{start 5; with count}",
        ),
        (
            "populate[a][populate][b][populate][c][fields]=*",
            r#"{"a": {"populate": {"b": {"populate": {"c": {"fields": "*"}}}}}}"#,
            "a{b{c{fields *}}}",
        ),
        (
            "populate[a][fields]=x&populate[a.b]=true",
            r#"{"a": {"fields": "x"}, "a.b": true}"#,
            "a{fields x; b}",
        ),
        (
            "populate[a][fields]=",
            r#"{"a": {"fields": null, "sort": []}}"#,
            "a",
        ),
        ("populate=", "null", "none"),
        ("populate[]=", r#"{"a": null}"#, "none"),
    ] {
        assert_eq!(text(query).as_deref(), Ok(tree), "{query}");
        assert_eq!(json(body).as_deref(), Ok(tree), "{body}");
    }
}

/// Rules d78, d80.
#[test]
fn other_shapes_are_errors_that_name_the_place() {
    for (query, code, parameter) in [
        (
            "populate[0]=a&populate[b]=true",
            "list_and_object",
            "populate",
        ),
        (
            "populate=a&populate[b]=true",
            "scalar_and_object",
            "populate",
        ),
        ("populate[a]=b", "bad_populate", "populate[a]"),
        ("populate[a]=", "bad_populate", "populate[a]"),
        (
            "populate[a]=1&populate[a]=1",
            "one_value_expected",
            "populate[a]",
        ),
        (
            "populate[a]=1&populate[a][fields]=x",
            "scalar_and_object",
            "populate[a]",
        ),
        ("populate[0][a]=x", "plain_value_expected", "populate[0]"),
        ("populate[][a]=x", "plain_value_expected", "populate[]"),
        (
            "populate[a][limit]=3",
            "unknown_populate_key",
            "populate[a][limit]",
        ),
        ("populate[a][0]=b", "unknown_populate_key", "populate[a][0]"),
        (
            "populate[a][count]=maybe",
            "bad_boolean",
            "populate[a][count]",
        ),
        (
            "populate[a][pagination][page]=2",
            "populate_page",
            "populate[a][pagination][page]",
        ),
        (
            "populate[a][pagination][pageSize]=5",
            "populate_page",
            "populate[a][pagination][pageSize]",
        ),
        (
            "populate[a][pagination][start]=-1",
            "bad_number",
            "populate[a][pagination][start]",
        ),
        (
            "populate[a][withCount]=maybe",
            "bad_boolean",
            "populate[a][withCount]",
        ),
        (
            "populate[a][pagination][limit]=0",
            "bad_number",
            "populate[a][pagination][limit]",
        ),
        (
            "populate[a][filters][b][$gt]=1&populate[a][filters][b][$gt]=2",
            "one_value_expected",
            "populate[a][filters][b][$gt]",
        ),
        (
            "populate[a][sort]=b:down",
            "bad_direction",
            "populate[a][sort]",
        ),
        (
            "populate[a.b][fields]=x&populate[a][populate][b][fields]=y",
            "duplicate_key",
            "populate[a]",
        ),
    ] {
        let complaint = text(query).expect_err(query).complaint();
        assert_eq!(
            (complaint.code, &*complaint.parameter),
            (code, parameter),
            "{query}"
        );
    }
    assert_eq!(code(json(r#"[{"author": true}]"#)), "plain_value_expected");
}

/// Rule d147.
#[test]
fn an_option_next_to_count_that_would_have_no_effect_is_an_error() {
    for option in [
        "[fields]=x",
        "[sort]=x",
        "[pagination][limit]=3",
        "[pagination][start]=3",
        "[populate]=b",
        "[withCount]=true",
    ] {
        for query in [
            format!("populate[a]{option}&populate[a][count]=true"),
            format!("populate[a][count]=true&populate[a]{option}"),
        ] {
            let complaint = text(&query).expect_err(&query).complaint();
            assert_eq!(complaint.code, "populate_count_options", "{query}");
            assert!(
                complaint.parameter.starts_with("populate[a]["),
                "{}",
                complaint.parameter
            );
        }
    }
    let query = "populate[a][count]=true&populate[a.b]=true";
    assert_eq!(code(text(query)), "populate_count_options");
    for query in [
        "populate[a][count]=true&populate[a][filters][b]=1",
        "populate[a][count]=false&populate[a][sort]=b",
        "populate[a][count]=true&populate[a][fields]=",
    ] {
        assert!(text(query).is_ok(), "{query}");
    }
}

/// Rule b764.
#[test]
fn a_path_with_an_empty_name_or_a_star_inside_is_an_error_with_the_right_one() {
    for (query, parameter, token, meant) in [
        ("populate=*.*", "populate", "*.*", "*"),
        ("populate=.author", "populate", ".author", "author"),
        ("populate=author.", "populate", "author.", "author"),
        ("populate=tags,a..b", "populate", "a..b", "a.b"),
        ("populate[0]=a.*.b", "populate", "a.*.b", "a.*"),
        ("populate=.", "populate", ".", "*"),
        ("populate[.a]=true", "populate[.a]", ".a", "a"),
        ("populate[*.a]=false", "populate[*.a]", "*.a", "*"),
        (
            "populate[a][populate]=b.",
            "populate[a][populate]",
            "b.",
            "b",
        ),
    ] {
        let complaint = text(query).expect_err(query).complaint();
        assert_eq!(
            (complaint.code, &*complaint.parameter, &*complaint.token),
            ("bad_populate_path", parameter, token),
            "{query}"
        );
        assert_eq!(complaint.nearest.as_deref(), Some(meant), "{query}");
    }
}

/// Rule d81.
#[test]
fn levels_and_relations_are_bounded() {
    for query in [
        "populate=a.b.c",
        "populate[a.b][populate]=c",
        "populate[a][populate][b.c]=true",
    ] {
        assert_eq!(text(query).as_deref(), Ok("a{b{c}}"), "{query}");
    }
    for query in [
        "populate=a.b.c.d",
        "populate=a.b.c.*",
        "populate[a][populate][b][populate][c][populate]=d",
        "populate[a][populate][b][populate][c]=*",
        "populate[a][populate][b][populate][c][populate][d]=true",
        "populate[a][populate]=b.c.d",
        "populate[a.b.c.d]=true",
        "populate[a.b.c.d][fields]=id",
        "populate[a.b.c]=*",
        "populate[a.b.c][populate]=d",
        "populate[a.b.c][populate][d]=true",
        "populate[a.b][populate]=c.d",
        "populate[a][populate][b.c][populate]=d",
    ] {
        let complaint = text(query).expect_err(query).complaint();
        assert_eq!(complaint.code, "populate_too_deep", "{query}");
        assert!(
            complaint.message.contains("3 levels"),
            "{}",
            complaint.message
        );
    }
    let long = format!("populate={}a", "a.".repeat(10_000));
    assert_eq!(code(text(&long)), "populate_too_deep");
    let many = |count: usize| {
        let pairs = (0..count).map(|at| format!("populate[r{at}]=true"));
        pairs.collect::<Vec<_>>().join("&")
    };
    assert!(text(&many(20)).is_ok());
    assert_eq!(code(text(&many(21))), "too_many_relations");
    let many = |count: usize| {
        let paths = (0..count).map(|at| format!("a.r{at}"));
        format!("populate={}", paths.collect::<Vec<_>>().join(","))
    };
    assert!(text(&many(20)).is_ok());
    assert_eq!(code(text(&many(21))), "too_many_relations");
}

/// Rule b549.
#[test]
fn a_path_and_a_star_are_left_out_as_names_are() {
    for (query, body, tree) in [
        (
            "populate[a]=*&populate[a.b]=false",
            r#"{"a": "*", "a.b": false}"#,
            "a{* -b}",
        ),
        (
            "populate[a.b]=false&populate[a]=*",
            r#"{"a.b": false, "a": "*"}"#,
            "a{* -b}",
        ),
        (
            "populate[a.b]=true&populate[a.b.c]=no",
            r#"{"a.b": {}, "a.b.c": "no"}"#,
            "a{b{-c}}",
        ),
        // Sent, and nothing chosen: default relations do not come.
        ("populate[*]=false", r#"{"*": false}"#, ""),
        ("populate[a.b]=false", r#"{"a.b": false}"#, "-a.b"),
        (
            "populate[*]=false&populate[a]=true",
            r#"{"*": false, "a": true}"#,
            "a",
        ),
        (
            "populate[a.*]=false&populate[a]=*",
            r#"{"a.*": false, "a": "*"}"#,
            "a{}",
        ),
        (
            "populate[a][populate][*]=off",
            r#"{"a": {"populate": {"*": "off"}}}"#,
            "a{}",
        ),
    ] {
        assert_eq!(text(query).as_deref(), Ok(tree), "{query}");
        assert_eq!(json(body).as_deref(), Ok(tree), "{body}");
    }
}

/// Rule b550.
#[test]
fn every_name_counts_in_every_spelling() {
    let names = |count: usize| {
        let names = (0..count).map(|at| format!("r{at}"));
        names.collect::<Vec<_>>()
    };
    let listed = |count| format!("populate={}", names(count).join(","));
    assert!(text(&listed(20)).is_ok());
    assert_eq!(code(text(&listed(21))), "too_many_relations");
    assert_eq!(code(text(&listed(5_000))), "too_many_relations");
    // One that comes again is the same.
    assert!(text(&format!("{},r0,r1", listed(20))).is_ok());
    // All levels count together, and so do the two spellings.
    let spread = |count| {
        format!(
            "populate[a]=true&populate[b][{}",
            listed(count).replace('=', "]=")
        )
    };
    assert!(text(&spread(18)).is_ok());
    assert_eq!(code(text(&spread(19))), "too_many_relations");
    let body = |count| format!("[\"{}\", \"a.b\"]", names(count).join("\",\""));
    assert!(json(&body(19)).is_ok());
    assert_eq!(code(json(&body(20))), "too_many_relations");
}

fn code(sent: Result<String, RequestError>) -> &'static str {
    sent.expect_err("an error").code()
}
