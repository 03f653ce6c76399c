//! Converts names between singular and plural, and between types, modules and columns.

use heck::{ToSnakeCase, ToUpperCamelCase};

/// `OrderItem` and `order_items` are `order_item`.
pub(crate) fn module(name: &str) -> String {
    let snake = name.to_snake_case();
    last_word(&snake, |word| pluralizer::pluralize(word, 1, false))
}

/// `order_item` is `order_items`.
pub(crate) fn table(name: &str) -> String {
    last_word(&module(name), |word| pluralizer::pluralize(word, 2, false))
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

/// A name that is a word of the language needs a prefix to be an identifier.
pub(crate) fn identifier(name: &str) -> String {
    if syn::parse_str::<syn::Ident>(name).is_ok() {
        return name.to_owned();
    }
    let raw = format!("r#{name}");
    if syn::parse_str::<syn::Ident>(&raw).is_ok() {
        return raw;
    }
    format!("{}_", name.to_snake_case())
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
        assert_eq!(identifier("type"), "r#type");
        assert_eq!(identifier("title"), "title");
    }
}
