//! Parses one word of a `#[listing(..)]` attribute, and builds errors that suggest the nearest word.

use proc_macro2::{Ident, TokenStream as Tokens};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, ExprLit, Lit, LitStr, Result, Token, token};

/// `sort`, `sort = "title"` or `filter(eq)`.
#[derive(Clone)]
pub(super) struct Word {
    pub(super) name: Ident,
    pub(super) said: Said,
}

/// The part after a word.
#[derive(Clone)]
pub(super) enum Said {
    Nothing,
    Value(Box<Expr>),
    Inside(Tokens),
}

impl Parse for Word {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        // `in` is an operator, and a keyword of Rust.
        let name = input.call(Ident::parse_any)?;
        let said = if input.peek(token::Paren) {
            let content;
            syn::parenthesized!(content in input);
            Said::Inside(content.parse()?)
        } else if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Said::Value(input.parse()?)
        } else {
            Said::Nothing
        };
        Ok(Self { name, said })
    }
}

impl Word {
    /// The words of every `#[listing(..)]` among the attributes, each at most once.
    pub(super) fn of(attributes: &[Attribute]) -> Result<Vec<Self>> {
        let mut words: Vec<Self> = Vec::new();
        for attribute in attributes {
            if !attribute.path().is_ident("listing") {
                continue;
            }
            let more =
                attribute.parse_args_with(Punctuated::<Self, Token![,]>::parse_terminated)?;
            for word in more {
                if words.iter().any(|known| known.name == word.name) {
                    let name = &word.name;
                    return Err(word.error(&format!("`{name}` is said twice")));
                }
                words.push(word);
            }
        }
        Ok(words)
    }

    /// The word as text; `in` for `r#in`.
    pub(super) fn text(&self) -> String {
        self.name.unraw().to_string()
    }

    /// An error at the word.
    pub(super) fn error(&self, message: &str) -> Error {
        Error::new(self.name.span(), message)
    }

    /// Refuses a word that is not among the known ones, with the nearest of them.
    pub(super) fn unknown(&self, what: &str, known: &[impl AsRef<str>]) -> Error {
        unknown(&self.name, what, known)
    }

    /// The words in its parentheses; empty without parentheses.
    pub(super) fn inside(&self) -> Result<Vec<Self>> {
        match &self.said {
            Said::Nothing => Ok(Vec::new()),
            Said::Inside(tokens) => {
                let words = Punctuated::<Self, Token![,]>::parse_terminated;
                Ok(words.parse2(tokens.clone())?.into_iter().collect())
            }
            Said::Value(_) => Err(self.error(&format!(
                "`{name}` takes parentheses: `{name}(..)`",
                name = self.name
            ))),
        }
    }

    /// The names in its parentheses: `populate(author, tags)`.
    pub(super) fn names(&self) -> Result<Vec<Ident>> {
        let mut names = Vec::new();
        for word in self.inside()? {
            match word.said {
                Said::Nothing => names.push(word.name),
                _ => return Err(word.error("expected a name")),
            }
        }
        if names.is_empty() {
            let name = &self.name;
            return Err(self.error(&format!(
                "say which: `{name}(..)` takes one name or several"
            )));
        }
        Ok(names)
    }

    /// The text at the beginning of its parentheses, and the words after it: `json("address.city", text)`.
    pub(super) fn text_and_words(&self, example: &str) -> Result<(LitStr, Vec<Self>)> {
        let mistake = || self.error(&format!("`{}` begins with a text: `{example}`", self.name));
        let Said::Inside(tokens) = &self.said else {
            return Err(mistake());
        };
        let parts = |input: ParseStream<'_>| {
            let text = input.parse().map_err(|_| mistake())?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
            let words = Punctuated::<Self, Token![,]>::parse_terminated(input)?;
            Ok((text, words.into_iter().collect()))
        };
        parts.parse2(tokens.clone())
    }

    /// The expression after `=`, such as the function of `scope = own_rows`.
    pub(super) fn value(&self) -> Result<&Expr> {
        match &self.said {
            Said::Value(value) => Ok(value),
            _ => Err(self.error(&format!(
                "`{name}` takes a value: `{name} = ..`",
                name = self.name
            ))),
        }
    }

    /// The text after `=`, or in the parentheses.
    pub(super) fn string(&self) -> Result<LitStr> {
        let text = match &self.said {
            Said::Value(value) => match &**value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }) => Some(text.clone()),
                _ => None,
            },
            Said::Inside(tokens) => syn::parse2(tokens.clone()).ok(),
            Said::Nothing => None,
        };
        text.ok_or_else(|| {
            let name = &self.name;
            self.error(&format!("`{name}` takes a text: `{name} = \"..\"`"))
        })
    }

    /// The name after `=`: `soft_delete = deleted_at`.
    pub(super) fn ident(&self) -> Result<Ident> {
        let path = match self.value()? {
            Expr::Path(path) => path.path.get_ident().cloned(),
            _ => None,
        };
        path.ok_or_else(|| {
            let name = &self.name;
            self.error(&format!(
                "`{name}` takes the name of a column: `{name} = ..`"
            ))
        })
    }

    /// Fails if anything follows the word.
    pub(super) fn alone(&self) -> Result<()> {
        match self.said {
            Said::Nothing => Ok(()),
            _ => Err(self.error(&format!("`{}` takes no value", self.name))),
        }
    }

    /// The word as a call of the builder's method of the same name: `limit(5)`, or `limit = 5`.
    pub(super) fn call(&self) -> Tokens {
        let name = &self.name;
        let arguments = match &self.said {
            Said::Nothing => Tokens::new(),
            Said::Value(value) => value.to_token_stream(),
            Said::Inside(tokens) => tokens.clone(),
        };
        quote::quote!(.#name(#arguments))
    }
}

/// An error at an unknown name.
pub(super) fn unknown(name: &Ident, what: &str, known: &[impl AsRef<str>]) -> Error {
    Error::new(name.span(), is_not(&name.unraw().to_string(), what, known))
}

/// The message of that error.
pub(super) fn is_not(name: &str, what: &str, known: &[impl AsRef<str>]) -> String {
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    let remedy = match nearest(name, &known) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("expected one of `{}`", known.join("`, `")),
    };
    format!("`{name}` is not {what}; {remedy}")
}

/// The most similar known word, if any is similar.
fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let name = name.to_lowercase();
    let likeness = |word: &str| strsim::jaro_winkler(&name, &word.to_lowercase());
    known
        .iter()
        .map(|word| (likeness(word), *word))
        .filter(|(likeness, _)| *likeness >= 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, word)| word)
}
