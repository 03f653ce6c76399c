//! Tests of the TypeScript client as text: its names, its syntax, and the client of the blog.

use std::path::Path;

use listing::Kind;
use listing::describe::{Field, ValueType};
use listing_axum::describe::ApiDescription;

/// The blog's description, as the tests of the descriptions keep it.
fn blog() -> ApiDescription {
    let file = "tests/tests/describe/snapshots/describe__description__developers.snap";
    let text = std::fs::read_to_string(root().join(file)).unwrap();
    let json = text.splitn(3, "---\n").nth(2).unwrap();
    serde_json::from_str(json).unwrap()
}

fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap()
}

/// Rules b479, b642. A listing's type of the same name would be declared a second time, or stand in front of a global one.
#[test]
fn every_name_of_the_runtime_is_one_that_no_listing_gets() {
    let file = root().join("crates/listing-axum/src/describe/names.rs");
    let text = std::fs::read_to_string(file).unwrap();
    let (reserved, _) = text.split_once("#[cfg(test)]").unwrap();
    let names = capitalized(super::RUNTIME);
    for name in ["Page", "Promise", "$Show"] {
        assert!(names.contains(&name), "{name}");
    }
    for name in names {
        // A type's parameter hides what is outside; nothing else is short.
        let is_parameter = name.len() == 1 || ["Item", "Data", "Id"].contains(&name);
        let is_inner = name.starts_with('$');
        let is_reserved = reserved.contains(&format!("\"{name}\","));
        assert!(is_parameter || is_inner || is_reserved, "{name}");
    }
}

/// The words with a capital letter, without comments and texts.
fn capitalized(source: &'static str) -> Vec<&'static str> {
    let code = source.lines().map(|line| {
        let is_comment = ["/*", "*", "//"]
            .iter()
            .any(|start| line.trim_start().starts_with(start));
        let line = if is_comment { "" } else { line };
        // What stands between quotes is every second part.
        line.split(['"', '`']).step_by(2)
    });
    let words = code.flatten().flat_map(|part| {
        part.split(|letter: char| !letter.is_alphanumeric() && letter != '$' && letter != '_')
    });
    let is_name = |word: &&str| {
        word.trim_start_matches('$')
            .starts_with(|letter: char| letter.is_ascii_uppercase())
    };
    words.filter(is_name).collect()
}

/// Rule b641. Parameter properties, enumerations and namespaces are more than types: they cannot be erased.
#[test]
fn the_client_is_javascript_once_its_types_are_erased() {
    let client = super::write(&blog());
    let mut in_constructor = false;
    for line in client.lines().map(str::trim_start) {
        let starts = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
        assert!(
            !starts(&["enum ", "export enum ", "namespace ", "import "]),
            "{line}"
        );
        in_constructor =
            line.starts_with("constructor(") || (in_constructor && !line.contains('{'));
        let is_property = starts(&["readonly ", "private ", "public ", "protected "]);
        assert!(!(in_constructor && is_property), "{line}");
    }
}

/// Rule b642.
#[test]
fn two_resources_never_share_a_property_of_the_client() {
    let mut description = blog();
    for (at, name) in ["order_items", "orderItems", "日本", "☂"]
        .into_iter()
        .enumerate()
    {
        description.listings[at].listing.name = name.to_owned();
    }
    let client = super::write(&description);
    for key in ["order_items", "orderItems", "\"日本\"", "\"☂\""] {
        assert!(
            client.contains(&format!("\n    {key}: new Resource<")),
            "{key}"
        );
    }
}

/// Rule b534.
#[test]
fn a_record_that_shows_a_field_otherwise_has_a_type_of_its_own() {
    let client = |change: fn(&mut Field)| {
        let mut description = blog();
        let articles = &mut description.listings[0].listing;
        let views = articles.fields.iter().find(|field| field.name == "views");
        let mut views = views.unwrap().clone();
        change(&mut views);
        articles.record.push(views);
        super::write(&description)
    };
    assert!(!client(|_| ()).contains("ArticleRecord"));
    let text = client(|views| views.value = ValueType::of(&Kind::IntegerText, None));
    let null = client(|views| views.nullable = true);
    for (client, line) in [(text, "views: string;"), (null, "views: number | null;")] {
        let (_, record) = client.split_once("interface ArticleRecord {").unwrap();
        let (record, _) = record.split_once('}').unwrap();
        assert!(record.contains(line), "{record}");
        assert!(client.contains("  record: ArticleRecord;"));
    }
}

/// Rules d149, b963.
#[test]
fn filters_inside_json_columns_have_types_in_one_another() {
    let mut description = blog();
    let filters = &mut description.listings[0].listing.filters;
    let title = filters
        .iter()
        .find(|filter| filter.name == "title")
        .unwrap();
    let inside = |path: &[&str], array: bool, operators: &[&str]| {
        let mut filter = title.clone();
        filter.name = path.join(".");
        filter.path = path.iter().map(|&step| step.to_owned()).collect();
        filter.operators = operators.iter().map(|&one| one.to_owned()).collect();
        filter.array = array;
        filter
    };
    let more = [
        inside(&["data", "address", "city"], false, &["$eq"]),
        inside(&["data", "address", "zip"], false, &["$in"]),
        inside(&["data", "tags"], true, &["$contains"]),
    ];
    filters.extend(more);
    let client = super::write(&description);
    let expected = "data: { address: { city: { $eq: string }; zip: { $in: readonly (string)[] } }; tags: { $contains: readonly (string)[] } }";
    assert!(client.contains(expected), "{client}");
}

/// `UPDATE_DOCS=1 cargo test -p listing-cli client` regenerates it.
/// Rule b296.
#[test]
fn the_client_of_the_blog_is_the_one_in_clients() {
    let file = root().join("clients/typescript/blog.ts");
    let client = super::write(&blog());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&file, &client).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), client);
    for hidden in ["email", "deleted_at", "article_tag"] {
        assert!(!client.contains(hidden), "{hidden}");
    }
}
