//! Writes `fields()`: the columns with `default` or `field`, and the counts of relations.

use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::Result;

use super::model::{Column, Model, Relation};
use super::word::Word;

/// The methods of `Field` that are allowed in `default(..)` and `field(..)`.
const METHODS: [&str; 3] = ["alias", "as_text", "kind"];

/// The words that are allowed in `count(..)`.
const COUNT: [&str; 5] = ["default", "sort", "filter", "alias", "as_text"];

/// Default fields come first, so that answers begin with them.
pub(super) fn of(model: &Model<'_>) -> Result<Tokens> {
    let mut defaults = Tokens::new();
    let mut others = Tokens::new();
    for column in &model.columns {
        let (default, on_request) = (column.word("default"), column.word("field"));
        if let (Some(_), Some(word)) = (default, on_request) {
            return Err(word.error("`default` is a `field` already; remove one of the two words"));
        }
        let Some(word) = default.or(on_request) else {
            continue;
        };
        check(word)?;
        let field = field(column)?;
        match default {
            Some(_) => defaults.extend(quote!(.add_default(#field))),
            None => others.extend(quote!(.add(#field))),
        }
    }
    for relation in &model.relations {
        if let Some(word) = relation.word("count") {
            others.extend(count(relation, word)?);
        }
    }
    Ok(quote!(::listing::Fields::new() #defaults #others))
}

fn check(word: &Word) -> Result<()> {
    let inside = word.inside()?;
    match inside.iter().find(|word| !METHODS.contains(&&*word.text())) {
        Some(word) => Err(word.unknown("a word for a field", &METHODS)),
        None => Ok(()),
    }
}

/// The column as a field, with its options.
pub(super) fn field(column: &Column<'_>) -> Result<Tokens> {
    let variant = &column.variant;
    let said = column.word("default").or_else(|| column.word("field"));
    let said = said.map(Word::inside).transpose()?.unwrap_or_default();
    let alias = column.alias()?;
    if said.is_empty() && alias.is_none() {
        return Ok(quote!(Column::#variant));
    }
    let alias = alias.map(|alias| quote!(.alias(#alias)));
    let calls = said.iter().map(Word::call);
    Ok(quote!(::listing::Field::column(Column::#variant)#alias #(#calls)*))
}

/// The number of rows that the relation leads to.
fn count(relation: &Relation<'_>, word: &Word) -> Result<Tokens> {
    let constant = &relation.constant;
    let mut field = quote!(::listing::Field::count_of(Entity::#constant));
    let mut add = quote!(add);
    for word in word.inside()? {
        match &*word.text() {
            "default" => {
                word.alone()?;
                add = quote!(add_default);
            }
            "sort" => word.alone()?,
            // Handled by `filters()`.
            "filter" => {}
            "alias" | "as_text" => field.extend(word.call()),
            _ => return Err(word.unknown("a word for a count", &COUNT)),
        }
    }
    Ok(quote!(.#add(#field)))
}

/// The name of the relation's count, which sorts also use.
pub(super) fn count_name(relation: &Relation<'_>) -> Result<String> {
    let said = relation.word("count").map(Word::inside).transpose()?;
    let alias = said.iter().flatten().find(|word| word.name == "alias");
    match alias {
        Some(alias) => Ok(alias.string()?.value()),
        None => Ok(format!(
            "{}_count",
            syn::ext::IdentExt::unraw(relation.ident)
        )),
    }
}
