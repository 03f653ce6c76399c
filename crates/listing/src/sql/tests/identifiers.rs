//! Tests on random requests that SQL contains only our words, the whitelist's names and placeholders.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{DIALECTS, Dialect, Statement, statements};
use crate::request::parse_query;
use crate::vocabulary::Bounds;

proptest! {
    /// Rule c1_r4.
    #[test]
    fn no_text_of_a_client_is_in_the_sql(pairs in pairs()) {
        let pair = |(key, value): &(String, String)| format!("{}={}", encode(key), encode(value));
        let query = pairs.iter().map(pair).collect::<Vec<_>>().join("&");
        let request = parse_query(&query, &Bounds::default());
        // What says its direction twice, as `-name:desc` does, is refused (d151).
        let is_twice = |(key, value): &(String, String)| key.starts_with("sort") && value.starts_with('-');
        prop_assume!(request.is_ok() || !pairs.iter().any(is_twice));
        let request = request.unwrap();
        for (_, dialect) in DIALECTS {
            for statement in statements("articles", &request, dialect) {
                if let Some(alien) = alien(&statement, dialect) {
                    prop_assert!(false, "{alien:?} in {}", statement.text);
                }
            }
        }
    }
}

#[test]
fn what_is_not_ours_would_be_found() {
    let of = |text: &str, values: usize| {
        let values = (0..values).map(|_| 1.into()).collect();
        let text = text.to_owned();
        alien(&Statement::new(text, values), Dialect::Postgres)
    };
    assert_eq!(of(r#"SELECT "id" FROM "tags" LIMIT 1"#, 0), None);
    for (text, values) in [
        (r#"SELECT "email" FROM "authors""#, 0),
        (r#"SELECT "id" FROM "tags"; DROP TABLE "tags""#, 0),
        (r#"SELECT "id" FROM "tags" WHERE "name" = 'x'"#, 0),
        (r#"SELECT "id" FROM "tags" -- WHERE"#, 0),
        (r#"SELECT "id" FROM "tags" WHERE "name" = $1"#, 2),
    ] {
        assert!(of(text, values).is_some(), "{text}");
    }
}

/// The words that we write. None of them could come from a client: names and values are marked below.
const WORDS: &str = "SELECT FROM WHERE AND OR NOT IN IS NULL FALSE ORDER BY ASC DESC NULLS FIRST LAST LIMIT OFFSET COUNT \
    LEFT INNER CROSS JOIN ON AS LATERAL UNION ALL ANY unnest int8 ILIKE instr lower LOCATE LOWER CONVERT USING utf8mb4 \
    COLLATE utf8mb4_bin listing_counted -1 EXISTS TRUE LIKE ESCAPE '!' BINARY length substr -length + \
    json_each json_group_array hex unhex CAST TEXT";

/// The names that the whitelist and the relations of articles lead to. `email` is not one of them.
const NAMES: &str = "articles id author_id title body views rating is_active created_at published_at deleted_at \
    authors name country tenant comments article_id is_hidden answered_at tags code article_tags tag_code seo meta_title \
    drafts text version state k children key value";

/// Names of ours without a number.
const FIXED: [&str; 10] = [
    "listing_parents",
    "listing_meets",
    "listing_by",
    "listing_link",
    "listing_parent",
    "listing_target",
    "listing_related",
    "listing_others",
    "listing_picked",
    "listing_keys",
];

/// The first piece of a statement that is neither ours, nor the whitelist's, nor a placeholder.
fn alien(statement: &Statement, dialect: Dialect) -> Option<String> {
    let quote = if dialect == Dialect::Mysql { '`' } else { '"' };
    let placeholder = if dialect == Dialect::Postgres {
        '$'
    } else {
        '?'
    };
    let is_ours = |word: &str| WORDS.split_whitespace().any(|ours| ours == word);
    let is_name = |name: &str| NAMES.split_whitespace().any(|known| known == name);
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut placeholders = 0;
    for (at, piece) in statement.text.split(quote).enumerate() {
        if at % 2 == 1 {
            let numbered = piece
                .strip_prefix("listing_")
                .map(|rest| rest.trim_start_matches("sort_"));
            let fixed = FIXED.contains(&piece) || numbered.is_some_and(is_number);
            if !is_name(piece) && !fixed {
                return Some(piece.to_owned());
            }
            continue;
        }
        placeholders += piece.matches(placeholder).count();
        let mut words = piece.split(|c: char| " (),.=<>*:[]".contains(c) || c == placeholder);
        if let Some(word) = words.find(|word| !is_ours(word) && !is_number(word)) {
            return Some(word.to_owned());
        }
    }
    let wanted = statement.values.len();
    (placeholders != wanted).then(|| format!("{placeholders} placeholders for {wanted} values"))
}

/// Pairs of a query string that passes the whitelist, with what a client likes wherever that is possible.
fn pairs() -> impl Strategy<Value = Vec<(String, String)>> {
    let names = |known: &'static [&'static str]| {
        vec(
            prop_oneof![select(known).prop_map(str::to_owned), odd()],
            0..4,
        )
    };
    let fields = names(&["title", "written_at", "comments_count", "*"]);
    let populate = names(&["author", "comments", "tags", "seo", "draft", "*"]);
    let sort = names(&[
        "id",
        "views",
        "rating",
        "comments_count",
        "author.name",
        "draft.text",
    ]);
    let page = select(&["page", "pageSize", "start", "limit"][..]);
    (
        fields,
        populate,
        sort,
        vec(filter(), 0..4),
        page,
        1..u64::MAX,
    )
        .prop_map(|(fields, populate, sort, filters, page, number)| {
            let mut pairs = vec![(format!("pagination[{page}]"), number.to_string())];
            // A dot would be a nested relation, a colon a direction: both are refused before there is any SQL.
            let plain = |name: String, but: char| name.replace(but, "_");
            pairs.extend(fields.into_iter().map(|name| ("fields[]".to_owned(), name)));
            pairs.extend(
                populate
                    .into_iter()
                    .map(|name| ("populate[]".to_owned(), plain(name, '.'))),
            );
            pairs.extend(
                sort.into_iter()
                    .map(|name| ("sort[]".to_owned(), plain(name, ':') + ":desc")),
            );
            // One filter of a kind: a repeated one would be refused too.
            for (key, values) in filters {
                if !pairs.iter().any(|(known, _)| *known == key) {
                    pairs.extend(values.into_iter().map(|value| (key.clone(), value)));
                }
            }
            pairs
        })
}

/// Groups, relations, and operators on text.
const NESTED: &[&str] = &[
    "filters[$or][0][title][$startsWith]",
    "filters[$or][1][body][$endsWithi]",
    "filters[$not][title][$notContains]",
    "filters[title][$not][$eqi]",
    "filters[author][name][$startsWithi]",
    "filters[author][$none][name][$endsWith]",
    "filters[author][$every][name][$nei]",
    "filters[$and][0][$not][author][$or][0][name][$contains]",
];

fn filter() -> impl Strategy<Value = (String, Vec<String>)> {
    let key = |field: &str, operator: &str| format!("filters[{field}][{operator}]");
    let text = select(&["title", "body"][..]);
    let number = prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        any::<u64>().prop_map(|n| n.to_string())
    ];
    prop_oneof![
        (
            text.clone(),
            select(&["$eq", "$ne", "$lt", "$gte", "$contains"][..]),
            odd()
        )
            .prop_map(move |(field, operator, value)| (key(field, operator), vec![value])),
        (text, select(&["$in", "$notIn"][..]), vec(odd(), 1..5))
            .prop_map(move |(field, operator, values)| (key(field, operator) + "[]", values)),
        (select(&["$eq", "$ne", "$gt", "$lte"][..]), number)
            .prop_map(move |(operator, number)| (key("views", operator), vec![number])),
        odd().prop_map(move |value| (key("country", "$eq"), vec![value])),
        (select(NESTED), odd()).prop_map(|(key, value)| (key.to_owned(), vec![value])),
    ]
}

/// Any text, with a piece in it that no statement has and that often tries to end something.
fn odd() -> impl Strategy<Value = String> {
    let ends = select(
        &[
            "'", "\"", "`", "\\", "')", "$1", "?", ";--", "*/", "%", "\u{2019}",
        ][..],
    );
    ("\\PC{0,12}", ends, "\\PC{0,12}")
        .prop_map(|(before, end, after)| format!("{before}{end}DROP{after}"))
}

fn encode(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
