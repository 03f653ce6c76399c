//! Reads the rules of a payload's field that can be told beforehand from its `#[garde(..)]` attributes.

use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::{Expr, ExprLit, ExprUnary, Field, Lit, LitStr, Result, UnOp, token};

/// The rules that are found; garde itself reports errors in an attribute.
#[derive(Default)]
struct Found {
    min_length: Option<Expr>,
    max_length: Option<Expr>,
    minimum: Option<Expr>,
    maximum: Option<Expr>,
    pattern: Option<LitStr>,
    format: Option<&'static str>,
}

/// The field's `PayloadRules`.
pub(crate) fn of(field: &Field) -> Tokens {
    let mut found = Found::default();
    let attributes = field.attrs.iter();
    for attribute in attributes.filter(|attribute| attribute.path().is_ident("garde")) {
        // An attribute that cannot be read tells nothing.
        let _ = attribute.parse_nested_meta(|meta| found.read(&meta));
    }
    let mut given = Vec::new();
    let lengths = [
        ("min_length", &found.min_length),
        ("max_length", &found.max_length),
    ];
    for (name, length) in lengths {
        let name = quote::format_ident!("{name}");
        let constant = length.iter().filter(|length| is_constant(length));
        given.extend(constant.map(|length| quote!(#name: Some((#length) as u64))));
    }
    let numbers = [("minimum", &found.minimum), ("maximum", &found.maximum)];
    for (name, number) in numbers {
        let name = quote::format_ident!("{name}");
        let literal = number.iter().filter(|number| is_number(number));
        given.extend(literal.map(|number| {
            let number = as_float(number);
            quote!(#name: Some(#number))
        }));
    }
    given.extend(
        found
            .pattern
            .iter()
            .map(|text| quote!(pattern: Some(#text))),
    );
    given.extend(found.format.iter().map(|text| quote!(format: Some(#text))));
    quote! {
        ::listing_axum::payload::PayloadRules { #(#given,)* ..::listing_axum::payload::PayloadRules::NONE }
    }
}

impl Found {
    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        if meta.path.is_ident("inner") {
            return meta.parse_nested_meta(|inner| self.read(&inner));
        }
        if meta.path.is_ident("length") {
            return self.length(meta);
        }
        if meta.path.is_ident("range") {
            return bounds(meta, &mut self.minimum, &mut self.maximum);
        }
        if meta.path.is_ident("pattern") && meta.input.peek(token::Paren) {
            let content;
            syn::parenthesized!(content in meta.input);
            match content.parse::<LitStr>() {
                // Syntax that only Rust understands would be wrong elsewhere.
                Ok(text) if !text.value().contains("(?") => self.pattern = Some(text),
                _ => content.parse::<Tokens>().map(|_| ())?,
            }
            return Ok(());
        }
        let formats = [
            ("email", "email"),
            ("url", "uri"),
            ("ipv4", "ipv4"),
            ("ipv6", "ipv6"),
        ];
        let format = formats
            .into_iter()
            .find(|(name, _)| meta.path.is_ident(name));
        self.format = format.map(|(_, format)| format).or(self.format);
        skip(meta)
    }

    /// `length(chars, min = 1, max = 255)`. Only characters are counted as JSON Schema counts; whatever else is counted,
    /// there are at most as many characters.
    fn length(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let (mut by_characters, mut equal) = (false, None);
        let (mut least, mut most) = (None, None);
        meta.parse_nested_meta(|inner| {
            by_characters |= inner.path.is_ident("chars");
            let place = if inner.path.is_ident("min") {
                &mut least
            } else if inner.path.is_ident("max") {
                &mut most
            } else if inner.path.is_ident("equal") {
                &mut equal
            } else {
                return skip(&inner);
            };
            *place = Some(inner.value()?.parse()?);
            Ok(())
        })?;
        self.max_length = most.or_else(|| equal.clone());
        self.min_length = least.or(equal).filter(|_| by_characters);
        Ok(())
    }
}

/// `(min = 1, max = 5)`
fn bounds(
    meta: &ParseNestedMeta<'_>,
    least: &mut Option<Expr>,
    most: &mut Option<Expr>,
) -> Result<()> {
    meta.parse_nested_meta(|inner| {
        let place = if inner.path.is_ident("min") {
            &mut *least
        } else if inner.path.is_ident("max") {
            &mut *most
        } else {
            return skip(&inner);
        };
        *place = Some(inner.value()?.parse()?);
        Ok(())
    })
}

/// Skips the arguments of a rule.
fn skip(meta: &ParseNestedMeta<'_>) -> Result<()> {
    if meta.input.peek(token::Paren) {
        let content;
        syn::parenthesized!(content in meta.input);
        content.parse::<Tokens>()?;
    } else if meta.input.peek(syn::Token![=]) {
        meta.value()?.parse::<Expr>()?;
    }
    Ok(())
}

/// A number that is written out, or a constant.
fn is_constant(expression: &Expr) -> bool {
    is_number(expression) || matches!(expression, Expr::Path(_))
}

/// Cast to a float right away, an integer without a suffix would have to fit into an `i32`.
fn as_float(number: &Expr) -> Tokens {
    if is_integer(number) {
        quote!(((#number) as i128) as f64)
    } else {
        quote!((#number) as f64)
    }
}

fn is_integer(number: &Expr) -> bool {
    match number {
        Expr::Unary(ExprUnary { expr, .. }) => is_integer(expr),
        Expr::Lit(ExprLit { lit, .. }) => matches!(lit, Lit::Int(_)),
        _ => false,
    }
}

/// A number that is written out, and so can be told as one.
fn is_number(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(ExprLit { lit, .. }) => matches!(lit, Lit::Int(_) | Lit::Float(_)),
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            expr,
            ..
        }) => is_number(expr),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    /// An integer that is cast to a float at once is an `i32`.
    /// Rule b290.
    #[test]
    fn bounds_may_be_larger_than_an_i32() {
        let field = parse_quote! {
            #[garde(range(min = -10_000_000_000, max = 1.5))]
            amount: f64
        };
        let told = super::of(&field).to_string();
        let minimum = "minimum : Some (((- 10_000_000_000) as i128) as f64)";
        assert!(told.contains(minimum), "{told}");
        assert!(told.contains("maximum : Some ((1.5) as f64)"), "{told}");
    }
}
