//! Finds where a line belongs in a source, however a developer has formatted it, and adds the line there.

mod migrations;
pub(super) mod model;

use std::ops::Range;

use anyhow::{Context, Result, bail};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::{Attribute, Item, ItemEnum, ItemImpl, ItemMod, ItemUse, Type, UseTree, Visibility};

pub(super) use self::migrations::with_migration;
use crate::model::attributes::{derived, ends_in, text_attribute};
use crate::naming;

/// A parsed source. Code that only tests have is ignored.
struct Source<'t> {
    text: &'t str,
    /// The beginning of the parsed part: after a byte order mark.
    start: usize,
    file: syn::File,
    /// Every token that is not a comment, with its place in the text.
    tokens: Vec<(String, Range<usize>)>,
}

/// Whether a source declares a module.
pub(super) fn declares(text: &str, module: &str) -> bool {
    Source::parse(text).is_ok_and(|source| source.declares(module))
}

/// The text with a line that declares a module after the others, unless it is declared.
pub(super) fn with_module(file: &str, text: &str, line: &str) -> Result<String> {
    let source = Source::parse(text).with_context(|| by_hand(file, line))?;
    let name = line.trim_end_matches(';').rsplit(' ').next();
    let name = name.unwrap_or_default();
    if source.declares(name) {
        return Ok(text.to_owned());
    }
    let after = match source.modules().last() {
        Some(last) => source.with_lines(source.line_end(last), &[line]),
        None => source.with_first(line),
    };
    verified(file, after, line, |source| source.declares(name))
}

/// The text with a module's re-exports, below its modules, unless they are imported. Without `self`, the module could be taken
/// for a crate of the same name.
pub(super) fn with_export(file: &str, text: &str, module: &str, name: &str) -> Result<String> {
    let line = format!("pub use self::{module}::{name};");
    let source = Source::parse(text).with_context(|| by_hand(file, &line))?;
    if source.imports(module, name) {
        return Ok(text.to_owned());
    }
    let is_public = |one: &&ItemUse| matches!(one.vis, Visibility::Public(_));
    let after = match source.uses().filter(is_public).last() {
        Some(last) => source.with_lines(source.line_end(last), &[&line]),
        None => match source.modules().last() {
            Some(last) => source.with_lines(source.line_end(last), &["", &line]),
            None => source.with_first(&line),
        },
    };
    verified(file, after, &line, |source| source.imports(module, name))
}

/// Whether a source calls this, in any formatting.
pub(super) fn calls(text: &str, call: &str) -> bool {
    Source::parse(text).is_ok_and(|source| !source.find(&words(call)).is_empty())
}

/// The text with one call replaced by another, if it has the call.
pub(super) fn with_call_replaced(text: &str, call: &str, new: &str) -> Option<String> {
    let place = Source::parse(text).ok()?.find(&words(call)).pop()?;
    Some(format!(
        "{}{new}{}",
        &text[..place.start],
        &text[place.end..]
    ))
}

/// The text with a call before the last one of the chain, on a separate line.
pub(super) fn before_end(file: &str, text: &str, call: &str) -> Result<String> {
    let source = Source::parse(text).with_context(|| by_hand(file, call))?;
    let ends = [&[".", "build", "("][..], &[".", "finish", "(", ")"]];
    let found = ends.map(|end| source.find(end));
    let found = found.into_iter().find(|places| !places.is_empty());
    let at = match found.as_deref() {
        None => bail!("{file} has no `.build(…)` before which to write `{call}`: add it by hand"),
        Some([one]) => one.start,
        Some(several) => bail!(
            "{file} has {} calls of `.build(…)`: write `{call}` before the right one by hand, then run this again",
            several.len()
        ),
    };
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = &text[line..at];
    let indent: String = before.chars().take_while(|c| c.is_whitespace()).collect();
    let (start, end) = (&text[..at], &text[at..]);
    let eol = line_ending(text);
    let after = if indent.len() == before.len() {
        format!("{start}{call}{eol}{indent}{end}")
    } else {
        format!("{start}{eol}{indent}    {call}{eol}{indent}    {end}")
    };
    let wanted = words(call);
    verified(file, after, call, |source| !source.find(&wanted).is_empty())
}

/// The text with another derive after one that it has.
pub(super) fn with_derive(text: &str, known: &str, new: &str) -> String {
    let Ok(source) = Source::parse(text) else {
        return text.to_owned();
    };
    let structs = source.file.items.iter().filter_map(|item| match item {
        Item::Struct(item) => Some(derived(&item.attrs)),
        _ => None,
    });
    match structs.flatten().find(|path| ends_in(path, known)) {
        None => text.to_owned(),
        Some(path) => {
            let (before, after) = text.split_at(source.place(&path).end);
            format!("{before}, {new}{after}")
        }
    }
}

/// The text with an enumeration that is read from JSON by the values of the database, unless it is read already.
pub(super) fn with_deserialize(file: &str, text: &str, name: &str) -> Result<String> {
    let line = format!("#[derive(serde::Deserialize)] pub enum {name}");
    let source = Source::parse(text).with_context(|| by_hand(file, &line))?;
    if source.deserializes(name) {
        return Ok(text.to_owned());
    }
    let mut after = text.to_owned();
    let added = source.enumeration(name).map(|found| source.lacking(found));
    // The last first, so that the places of the others stay true.
    for (at, added) in added.into_iter().flatten().rev() {
        after.insert_str(at, &added);
    }
    verified(file, after, &line, |source| source.deserializes(name))
}

impl<'t> Source<'t> {
    fn parse(text: &'t str) -> Result<Self> {
        let file = syn::parse_file(text)?;
        let mark = text.len() - text.trim_start_matches('\u{feff}').len();
        let start = mark + file.shebang.as_ref().map_or(0, String::len);
        let mut source = Self {
            text,
            start,
            file,
            tokens: Vec::new(),
        };
        let stream = text[start..].parse::<TokenStream>();
        let stream = stream.map_err(|error| anyhow::anyhow!("{error}"))?;
        let mut tokens = Vec::new();
        flatten(stream, start, &mut tokens);
        let tests = source.file.items.iter().filter(|item| is_test(item));
        let tests: Vec<_> = tests.map(|item| source.place(item)).collect();
        tokens.retain(|(_, at)| !tests.iter().any(|test| test.contains(&at.start)));
        source.tokens = tokens;
        Ok(source)
    }

    fn place(&self, part: &impl Spanned) -> Range<usize> {
        let place = part.span().byte_range();
        place.start + self.start..place.end + self.start
    }

    /// The beginning of the line after a part. Anything after it on its last line, such as a comment, belongs to it.
    fn line_end(&self, part: &impl Spanned) -> usize {
        let end = self.place(part).end;
        let rest = self.text[end..].find('\n');
        rest.map_or(self.text.len(), |at| end + at + 1)
    }

    /// The modules that have their own files.
    fn modules(&self) -> impl Iterator<Item = &ItemMod> {
        let items = self.file.items.iter().filter(|item| !is_test(item));
        items.filter_map(|item| match item {
            Item::Mod(item) if item.content.is_none() => Some(item),
            _ => None,
        })
    }

    fn uses(&self) -> impl Iterator<Item = &ItemUse> {
        self.file.items.iter().filter_map(|item| match item {
            Item::Use(item) => Some(item),
            _ => None,
        })
    }

    fn declares(&self, module: &str) -> bool {
        let mut items = self.file.items.iter();
        items.any(|item| matches!(item, Item::Mod(item) if item.ident == module))
    }

    /// Whether a name of a module is imported, alone, among others or with everything.
    fn imports(&self, module: &str, name: &str) -> bool {
        let (one, all) = (format!("{module}::{name}"), format!("{module}::*"));
        self.uses().any(|item| {
            let mut paths = Vec::new();
            imported(&item.tree, "", &mut paths);
            let is_private = matches!(item.vis, Visibility::Inherited);
            paths.iter().any(|path| {
                let is = |wanted: &str| {
                    let before = path.strip_suffix(wanted);
                    before.is_some_and(|before| before.is_empty() || before.ends_with("::"))
                };
                is(&one) || (!is_private && is(&all))
            })
        })
    }

    fn enumeration(&self, name: &str) -> Option<&ItemEnum> {
        self.file.items.iter().find_map(|item| match item {
            Item::Enum(item) if item.ident == name => Some(item),
            _ => None,
        })
    }

    /// Whether an enumeration is read from JSON, by a derive or by hand.
    fn deserializes(&self, name: &str) -> bool {
        let is_it = |path: &syn::Path| ends_in(path, "Deserialize");
        let is_by_hand = |item: &ItemImpl| {
            let what = item.trait_.as_ref().is_some_and(|(_, path, _)| is_it(path));
            what && matches!(&*item.self_ty, Type::Path(own) if own.path.is_ident(name))
        };
        let mut items = self.file.items.iter();
        let found = self.enumeration(name);
        found.is_some_and(|found| derived(&found.attrs).any(|path| is_it(&path)))
            || items.any(|item| matches!(item, Item::Impl(item) if is_by_hand(item)))
    }

    /// The attributes that an enumeration needs to be read from JSON, each with its place. Existing serde names stay.
    fn lacking(&self, found: &ItemEnum) -> Vec<(usize, String)> {
        let is_named = |attributes: &[Attribute]| {
            let mut attributes = attributes.iter();
            attributes.any(|attribute| attribute.path().is_ident("serde"))
        };
        let mut derived = derived(&found.attrs);
        let derive = derived.find(|path| ends_in(path, "DeriveActiveEnum"));
        let derive = derive.map(|path| (self.place(&path).end, ", serde::Deserialize".to_owned()));
        let variants = found.variants.iter();
        let variants = variants.filter(|one| !is_named(&found.attrs) && !is_named(&one.attrs));
        let names = variants.filter_map(|variant| {
            let value = text_attribute(&variant.attrs, "string_value").ok()??;
            let at = self.place(&variant.ident).start;
            let (value, space) = (naming::literal(&value), self.space_before(at));
            Some((at, format!("#[serde(rename = {value})]{space}")))
        });
        derive.into_iter().chain(names).collect()
    }

    /// The text between two attributes, one of which is before this place.
    fn space_before(&self, at: usize) -> String {
        let line = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let before = &self.text[line..at];
        match before.trim().is_empty() {
            true => format!("{}{before}", line_ending(self.text)),
            false => " ".to_owned(),
        }
    }

    /// The places of this sequence of tokens.
    fn find(&self, wanted: &[impl AsRef<str>]) -> Vec<Range<usize>> {
        let windows = self.tokens.windows(wanted.len().max(1));
        let found = windows.filter(|window| {
            let tokens = window.iter().map(|(token, _)| token.as_str());
            tokens.eq(wanted.iter().map(AsRef::as_ref))
        });
        found
            .filter_map(|window| Some(window.first()?.1.start..window.last()?.1.end))
            .collect()
    }

    fn with_lines(&self, at: usize, lines: &[&str]) -> String {
        let (before, after) = self.text.split_at(at);
        let eol = line_ending(self.text);
        let mut text = before.to_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(eol);
        }
        for line in lines {
            text.push_str(line);
            text.push_str(eol);
        }
        text + after
    }

    /// The text with a line before everything else, but after comments about the whole file.
    fn with_first(&self, line: &str) -> String {
        let head = match self.file.attrs.iter().map(|one| self.line_end(one)).max() {
            Some(end) => end,
            None => leading_comment(self.text).max(self.start),
        };
        let (before, after) = self.text.split_at(head);
        let is_blank = |line: &str| line.trim().is_empty();
        let mut lines = vec![line];
        if before.lines().last().is_some_and(|last| !is_blank(last)) && head > self.start {
            lines.insert(0, "");
        }
        if after.lines().next().is_some_and(|next| !is_blank(next)) {
            lines.push("");
        }
        self.with_lines(head, &lines)
    }
}

/// The end of a separate comment at the beginning, such as a licence.
fn leading_comment(text: &str) -> usize {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            return end;
        }
        if !line.starts_with("//") || line.starts_with("///") {
            return 0;
        }
        end += line.len();
    }
    end
}

fn is_test(item: &Item) -> bool {
    let attributes: &[Attribute] = match item {
        Item::Mod(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        _ => &[],
    };
    attributes.iter().any(|attribute| {
        let cfg = attribute.meta.require_list().ok();
        let cfg = cfg.filter(|list| list.path.is_ident("cfg"));
        cfg.is_some_and(|list| list.tokens.to_string() == "test")
    })
}

/// Every path that a tree imports under its own name.
fn imported(tree: &UseTree, before: &str, paths: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => imported(&path.tree, &format!("{before}{}::", path.ident), paths),
        UseTree::Name(name) => paths.push(format!("{before}{}", name.ident)),
        UseTree::Glob(_) => paths.push(format!("{before}*")),
        UseTree::Group(group) => {
            for tree in &group.items {
                imported(tree, before, paths);
            }
        }
        UseTree::Rename(_) => {}
    }
}

/// The tokens of a call.
fn words(call: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    flatten(call.parse().unwrap_or_default(), 0, &mut tokens);
    tokens.into_iter().map(|(token, _)| token).collect()
}

fn flatten(stream: TokenStream, start: usize, tokens: &mut Vec<(String, Range<usize>)>) {
    let place = |span: proc_macro2::Span| {
        let place = span.byte_range();
        place.start + start..place.end + start
    };
    for tree in stream {
        let TokenTree::Group(group) = tree else {
            tokens.push((tree.to_string(), place(tree.span())));
            continue;
        };
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => ("", ""),
        };
        tokens.push((open.to_owned(), place(group.span_open())));
        flatten(group.stream(), start, tokens);
        tokens.push((close.to_owned(), place(group.span_close())));
    }
}

/// Lines to be added to a text, with its line endings.
pub(super) fn in_lines_of(text: &str, added: &str) -> String {
    added.replace('\n', line_ending(text))
}

fn line_ending(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The added code is there, and the source still parses.
fn verified(
    file: &str,
    text: String,
    line: &str,
    is_there: impl Fn(&Source<'_>) -> bool,
) -> Result<String> {
    match Source::parse(&text) {
        Ok(source) if is_there(&source) => Ok(text),
        Ok(_) => bail!(by_hand(file, line)),
        Err(error) => Err(error.context(by_hand(file, line))),
    }
}

fn by_hand(file: &str, line: &str) -> String {
    format!("{file} cannot be changed; add `{line}` by hand, then run this again")
}

#[cfg(test)]
mod tests;
