//! Puts words into the source of a SeaORM model: at its columns, at its relations and at the struct.

use anyhow::{Context, Result, bail};
use syn::{Item, ItemStruct};

use super::{Source, by_hand};
use crate::model::attributes::{derived, derives, ends_in};

/// The text with lines of attributes before fields and before the struct, and with the derive that reads them.
pub(in crate::make) fn with_words(
    file: &str,
    text: &str,
    model_lines: &str,
    field_lines: &[(String, String)],
) -> Result<String> {
    let line = "#[derive(.., listing::Listing)]";
    let source = Source::parse(text).with_context(|| by_hand(file, line))?;
    let Some(model) = source.model() else {
        bail!(by_hand(file, line));
    };
    let mut edits: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    for path in derived(&model.attrs) {
        if ends_in(&path, "NamedRelations") {
            edits.push((source.place(&path), "listing::Listing".to_owned()));
        } else if ends_in(&path, "DeriveEntityModel") && !derives(model, "NamedRelations") {
            let end = source.place(&path).end;
            edits.push((end..end, ", listing::Listing".to_owned()));
        }
    }
    let start = match model.vis {
        syn::Visibility::Inherited => source.place(&model.struct_token).start,
        _ => source.place(&model.vis).start,
    };
    edits.push((start..start, model_lines.to_owned()));
    for field in &model.fields {
        let Some(ident) = &field.ident else { continue };
        let name = syn::ext::IdentExt::unraw(ident).to_string();
        let Some((_, lines)) = field_lines.iter().find(|(field, _)| *field == name) else {
            continue;
        };
        let at = match field.vis {
            syn::Visibility::Inherited => source.place(ident).start,
            _ => source.place(&field.vis).start,
        };
        edits.push((at..at, lines.clone()));
    }
    edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut after = text.to_owned();
    for (place, new) in edits {
        after.replace_range(place, &super::in_lines_of(text, &new));
    }
    Ok(after)
}

/// Whether the model of a source has words.
pub(in crate::make) fn has_words(text: &str) -> bool {
    let source = Source::parse(text);
    source.is_ok_and(|source| {
        source
            .model()
            .is_some_and(|model| derives(model, "Listing"))
    })
}

impl Source<'_> {
    /// The struct of the entity.
    fn model(&self) -> Option<&ItemStruct> {
        self.file.items.iter().find_map(|item| match item {
            Item::Struct(item) if derives(item, "DeriveEntityModel") => Some(item),
            _ => None,
        })
    }
}
