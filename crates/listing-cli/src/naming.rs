//! Spells a name in another way: singular or plural, type, module or column, and always as valid Rust.

use heck::{ToSnakeCase, ToUpperCamelCase};

/// `OrderItem` and `order_items` are `order_item`. A module is a file, whose name Rust wants in ASCII.
pub(crate) fn module(name: &str) -> String {
    let ascii: String = name.chars().filter(char::is_ascii).collect();
    let snake = plain(&ascii, "table");
    let singular = last_word(&snake, |word| pluralizer::pluralize(word, 1, false));
    // The singular of `s` is empty, and that of `crates` is not a name.
    match is_possible(&singular) {
        true => singular,
        false => snake,
    }
}

/// `order_item` is `order_items`.
pub(crate) fn table(name: &str) -> String {
    last_word(&module(name), |word| pluralizer::pluralize(word, 2, false))
}

/// The segment of a table whose name cannot be used in a path as it is.
pub(crate) fn segment(table: &str, module: &str) -> Option<String> {
    let is_plain =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    (!table.chars().all(is_plain)).then(|| self::table(module))
}

/// The field of a column: `AlbumId` is `album_id`, `2fast` is `column_2fast`, `type` is `r#type`.
pub(crate) fn field(column: &str) -> String {
    identifier(&plain(column, "column"))
}

/// `order_item` is `OrderItem`; a column's variant and an entity's type have the same form.
pub(crate) fn camel(name: &str) -> String {
    name.trim_start_matches("r#").to_upper_camel_case()
}

/// `order_item` is `Order item`, for messages.
pub(crate) fn sentence(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// `a category`, `an order`.
pub(crate) fn with_article(name: &str) -> String {
    let words = name.replace('_', " ");
    let article = if words.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {words}")
}

/// A name as an identifier: a word of the language needs a prefix.
pub(crate) fn identifier(name: &str) -> String {
    // Reserved since the edition of 2024, which `syn` does not know.
    if name != "gen" && syn::parse_str::<syn::Ident>(name).is_ok() {
        return name.to_owned();
    }
    format!("r#{name}")
}

/// Text as a string literal of Rust.
pub(crate) fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// Text inside a comment, where a line break would end it.
pub(crate) fn in_comment(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}

/// A name in snake case of letters and digits, with a prefix where Rust does not allow it otherwise.
fn plain(name: &str, prefix: &str) -> String {
    let snake: String = name
        .to_snake_case()
        .chars()
        .filter(|letter| is_plain(*letter) || *letter == '_')
        .collect();
    match is_possible(&snake) {
        true => snake,
        false => format!("{prefix}_{snake}"),
    }
}

/// Whether a name can be used in Rust, if necessary with `r#` before it.
pub(crate) fn is_possible(name: &str) -> bool {
    !["self", "super", "crate", "_", ""].contains(&name)
        && syn::parse_str::<syn::Ident>(&format!("r#{name}")).is_ok()
}

/// Whether a letter or digit can be in a name of Rust, as `²` cannot.
pub(crate) fn is_plain(letter: char) -> bool {
    let is_rust = || syn::parse_str::<syn::Ident>(&format!("_{letter}")).is_ok();
    letter.is_ascii_alphanumeric() || letter.is_alphanumeric() && is_rust()
}

fn last_word(name: &str, change: impl Fn(&str) -> String) -> String {
    match name.rsplit_once('_') {
        Some((before, last)) => format!("{before}_{}", change(last)),
        None => change(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_their_spellings() {
        assert_eq!(module("OrderItem"), "order_item");
        assert_eq!(module("order_items"), "order_item");
        assert_eq!(module("Categories"), "category");
        assert_eq!(table("Category"), "categories");
        assert_eq!(camel("order_item"), "OrderItem");
        assert_eq!(camel("r#type"), "Type");
        assert_eq!(sentence("order_item"), "Order item");
        assert_eq!(with_article("order_item"), "an order item");
        assert_eq!(identifier("type"), "r#type");
        assert_eq!(identifier("title"), "title");
    }

    /// Rule b222.
    #[test]
    fn every_name_of_a_database_is_valid_rust() {
        for (column, wanted) in [
            ("title", "title"),
            ("type", "r#type"),
            ("gen", "r#gen"),
            ("AlbumId", "album_id"),
            ("2fast", "column_2fast"),
            ("self", "column_self"),
            ("Self", "column_self"),
            ("unit price", "unit_price"),
            ("e-mail\"; struct X;\n", "e_mail_struct_x"),
            ("%", "column_"),
            ("größe", "größe"),
            ("area m²", "area_m"),
            ("½", "column_"),
        ] {
            let field = field(column);
            assert_eq!(field, wanted, "{column}");
            let model = format!("pub struct Model {{ pub {field}: i64 }}");
            assert!(syn::parse_file(&model).is_ok(), "{model}");
            let variant = format!("enum Column {{ {} }}", camel(&field));
            assert!(syn::parse_file(&variant).is_ok(), "{variant}");
        }
        assert_eq!(module("2fast"), "table_2fast");
        // The singular of the first is nothing, that of the second is a word that Rust keeps for itself (b571).
        assert_eq!(module("s"), "s");
        assert_eq!(module("crates"), "crates");
        assert_eq!(literal("a\"b\\\n"), r#""a\"b\\\n""#);
        assert_eq!(in_comment("a\nb"), "a b");
    }
}
