//! Writes `filters()`: operators as requests name them, and the methods of `Filter`.

use proc_macro2::{Ident, TokenStream as Tokens};
use quote::{ToTokens, quote};
use syn::{LitStr, Result};

use super::fields;
use super::model::{Column, Model, Relation};
use super::related::columns_of;
use super::word::{Said, Word};

/// The operators as requests name them, without the `$`.
const OPERATORS: [(&str, &str); 19] = [
    ("eq", "Equal"),
    ("ne", "NotEqual"),
    ("lt", "LessThan"),
    ("lte", "LessThanEqual"),
    ("gt", "GreaterThan"),
    ("gte", "GreaterThanEqual"),
    ("contains", "Contains"),
    ("in", "In"),
    ("notIn", "NotIn"),
    ("null", "Null"),
    ("notNull", "NotNull"),
    ("between", "Between"),
    ("startsWith", "StartsWith"),
    ("endsWith", "EndsWith"),
    ("startsWithi", "StartsWithInsensitive"),
    ("endsWithi", "EndsWithInsensitive"),
    ("eqi", "EqualInsensitive"),
    ("nei", "NotEqualInsensitive"),
    ("notContains", "NotContains"),
];

/// Named sets of operators, as in `FilterOperator`.
const SETS: [&str; 10] = [
    "comparisons",
    "equality",
    "nulls",
    "text",
    "for_text",
    "for_numbers",
    "for_times",
    "for_booleans",
    "for_keys",
    "for_arrays",
];

/// The kinds of values in JSON.
const KINDS: [&str; 5] = ["text", "integer", "decimal", "boolean", "array"];

/// The words that are allowed in a filter through a relation.
const THROUGH: [&str; 3] = ["only", "alias", "countable"];

/// The methods of `Filter` that can be given together with operators.
const METHODS: [&str; 12] = [
    "alias",
    "default",
    "default_value",
    "default_from",
    "when_absent",
    "custom_query",
    "value_kind",
    "labels",
    "labels_from",
    "label_resolver",
    "label_resolver_all",
    "label_resolver_async",
];

pub(super) fn of(model: &Model<'_>) -> Result<Tokens> {
    let mut filters = Vec::new();
    for column in &model.columns {
        if let Some(word) = column.word("filter") {
            filters.extend(by_column(column, word)?);
        }
    }
    for relation in &model.relations {
        if let Some(word) = relation.word("filter") {
            filters.push(through(relation, word)?);
        }
        let counted = relation.word("count").map(Word::inside).transpose()?;
        for word in counted.iter().flatten().filter(|w| w.name == "filter") {
            let name = fields::count_name(relation)?;
            let allowed = Allowed::required(word, &word.inside()?)?;
            filters.push(quote!(::listing::Filter::computed(#name)#allowed));
        }
    }
    if let Some(word) = model.word("filter") {
        for word in word.inside()? {
            filters.push(computed(&word)?);
        }
    }
    Ok(quote!(::std::vec![#(#filters),*]))
}

/// The options of a filter: its operators, and calls of its methods.
struct Allowed {
    operators: Tokens,
    calls: Tokens,
}

impl Allowed {
    fn of(words: &[Word]) -> Result<Self> {
        let mut allowed = Self {
            operators: Tokens::new(),
            calls: Tokens::new(),
        };
        for word in words {
            match &word.said {
                Said::Nothing => {
                    let operator = operator(word)?;
                    allowed.operators.extend(quote!(.and(#operator)));
                }
                _ if METHODS.contains(&&*word.text()) => allowed.calls.extend(word.call()),
                _ => {
                    let known: Vec<_> = METHODS.iter().chain(&["json"]).collect();
                    return Err(word.unknown("a method of `Filter`", &known));
                }
            }
        }
        Ok(allowed)
    }

    /// The same for a filter that has no operators by default.
    fn required(word: &Word, words: &[Word]) -> Result<Self> {
        let allowed = Self::of(words)?;
        if words.is_empty() {
            return Err(word.error(
                "say which operators clients may use, by their names in requests without `$`: `filter(eq, contains)`",
            ));
        }
        Ok(allowed)
    }
}

impl ToTokens for Allowed {
    fn to_tokens(&self, tokens: &mut Tokens) {
        let Self { operators, calls } = self;
        tokens.extend(quote! {
            .allowed_operators(::listing::Operators::NONE #operators) #calls
        });
    }
}

/// The filter on a column, and the filters inside it if it is JSON.
fn by_column(column: &Column<'_>, word: &Word) -> Result<Vec<Tokens>> {
    let words = word.inside()?;
    let (inside, own): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word.name == "json");
    let variant = &column.variant;
    let name = alias(column.alias()?);
    let mut filters = Vec::new();
    if inside.is_empty() || !own.is_empty() {
        let allowed = Allowed::required(word, &own)?;
        filters.push(quote!(::listing::Filter::make(Column::#variant) #name #allowed));
    }
    for word in &inside {
        let part = json(word)?;
        filters.push(quote!(::listing::Filter::json(Column::#variant) #name #part));
    }
    Ok(filters)
}

/// `json("address.city", text, eq)`; without operators, all operators of the kind.
fn json(word: &Word) -> Result<Tokens> {
    const EXAMPLE: &str = "json(\"address.city\", text)";
    let (path, words) = word.text_and_words(EXAMPLE)?;
    let Some((of, words)) = words.split_first() else {
        return Err(word.error(&format!("say what is there, too: `{EXAMPLE}`")));
    };
    let kind = kind(of)?;
    let inside = quote!(.path(#path, #kind));
    if words.is_empty() {
        return Ok(inside);
    }
    let allowed = Allowed::of(words)?;
    if allowed.operators.is_empty() {
        let calls = &allowed.calls;
        return Ok(quote!(#inside #calls));
    }
    Ok(quote!(#inside #allowed))
}

/// The kind of value at a path.
fn kind(word: &Word) -> Result<Tokens> {
    let name = word.text();
    if name != "array" && KINDS.contains(&&*name) {
        word.alone()?;
    }
    Ok(match &*name {
        "text" => quote!(::listing::Kind::Text),
        "integer" => quote!(::listing::Kind::Integer),
        "decimal" => {
            quote!(::listing::Kind::Decimal {
                scale: ::core::option::Option::None
            })
        }
        "boolean" => quote!(::listing::Kind::Boolean),
        "array" => match &word.inside()?[..] {
            [of] if of.name != "array" => {
                let of = kind(of)?;
                quote!(::listing::Kind::Array(::std::boxed::Box::new(#of)))
            }
            _ => return Err(word.error("say what is in the array: `array(text)`")),
        },
        _ => return Err(word.unknown("a kind of value inside JSON", &KINDS)),
    })
}

/// `computed("reading_time", comparisons)`, on the struct: a filter by a computed field.
fn computed(word: &Word) -> Result<Tokens> {
    if word.name != "computed" {
        return Err(word.unknown("a word for a filter of a model", &["computed"]));
    }
    let (name, words) = word.text_and_words("computed(\"reading_time\", comparisons)")?;
    let allowed = Allowed::required(word, &words)?;
    Ok(quote!(::listing::Filter::computed(#name) #allowed))
}

/// An operator, or a named set of them.
fn operator(word: &Word) -> Result<Tokens> {
    let name = word.text();
    let span = word.name.span();
    let ident = |name: &str| Ident::new(name, span);
    if let Some((_, operator)) = OPERATORS.iter().find(|(wire, _)| *wire == name) {
        let operator = ident(operator);
        return Ok(quote!(::listing::FilterOperator::#operator));
    }
    if SETS.contains(&&*name) {
        return Ok(if name.starts_with("for_") {
            let set = ident(&name);
            quote!(::listing::FilterOperator::#set())
        } else {
            let set = ident(&name.to_uppercase());
            quote!(::listing::FilterOperator::#set)
        });
    }
    if METHODS.contains(&&*name) {
        return Err(word.error(&format!("`{name}` takes a value: `{name}(..)`")));
    }
    let mut known: Vec<_> = OPERATORS.iter().map(|(wire, _)| *wire).collect();
    known.extend(SETS);
    Err(word.unknown("an operator", &known))
}

/// A filter on the columns of related rows.
fn through(relation: &Relation<'_>, word: &Word) -> Result<Tokens> {
    let constant = &relation.constant;
    let mut calls = alias(relation.alias()?);
    for word in word.inside()? {
        match &*word.text() {
            "only" => {
                let columns = columns_of(relation, &word.names()?);
                calls.extend(quote!(.only([#columns])));
            }
            "alias" => calls.extend(word.call()),
            "countable" => {
                word.alone()?;
                calls.extend(word.call());
            }
            _ => return Err(word.unknown("a word for a filter through a relation", &THROUGH)),
        }
    }
    Ok(quote!(::listing::Filter::relation(Entity::#constant)#calls))
}

fn alias(alias: Option<LitStr>) -> Tokens {
    match alias {
        Some(alias) => quote!(.alias(#alias)),
        None => Tokens::new(),
    }
}
