//! Finds the list of migrations in a source, and adds one at its end.

use anyhow::{Context, Result, bail};

use super::{Source, by_hand, line_ending, verified, words};

/// The text with a migration after the others in the `vec![…]` of `fn migrations`, unless it already has it.
pub(in crate::make) fn with_migration(file: &str, text: &str, entry: &str) -> Result<String> {
    let source = Source::parse(text).with_context(|| by_hand(file, entry))?;
    let wanted = words(entry);
    if !source.find(&wanted).is_empty() {
        return Ok(text.to_owned());
    }
    let Some((last, end)) = list(&source) else {
        bail!(
            "{file} has no `fn migrations` with a `vec![…]`: add `{entry}` by hand, then run this again"
        );
    };
    let (last_token, last_place) = &source.tokens[last];
    let end = source.tokens[end].1.start;
    let separator = match last_token.as_str() {
        "[" | "," => "",
        _ => ",",
    };
    let before = &text[..last_place.end];
    // A comment after the last one stays there.
    let between = text[last_place.end..end].trim_end();
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let indent: String = before[line..]
        .chars()
        .take_while(|one| one.is_whitespace())
        .collect();
    let eol = line_ending(text);
    let after = format!(
        "{before}{separator}{between}{eol}{indent}{entry},{eol}{indent}{}",
        &text[end..]
    );
    verified(file, after, entry, |source| {
        !source.find(&wanted).is_empty()
    })
}

/// The places of the last token in the list, and of the bracket that ends it.
fn list(source: &Source<'_>) -> Option<(usize, usize)> {
    let function = source.find(&["fn", "migrations"]).pop()?;
    let tokens = source.tokens.iter().enumerate();
    let mut after = tokens.skip_while(|(_, (_, place))| place.start < function.end);
    let is = |at: usize, token: &str| {
        source
            .tokens
            .get(at)
            .is_some_and(|(known, _)| known == token)
    };
    let (start, _) = after.find(|(at, _)| is(*at, "[") && is(at - 1, "!") && is(at - 2, "vec"))?;
    let mut depth = 0;
    let end = (start..source.tokens.len()).find(|at| {
        depth += i32::from(is(*at, "[")) - i32::from(is(*at, "]"));
        depth == 0
    })?;
    Some((end - 1, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "impl MigratorTrait for Migrator {\n    fn migrations() -> Vec<Box<dyn MigrationTrait>> {\n";

    /// Rule b584.
    #[test]
    fn a_migration_is_added_after_the_others_however_they_are_written() {
        for (before, after) in [
            (
                "        vec![Box::new(a::M)]\n",
                "        vec![Box::new(a::M),\n        Box::new(b::M),\n        ]\n",
            ),
            (
                "        vec![]\n",
                "        vec![\n        Box::new(b::M),\n        ]\n",
            ),
            (
                "        vec![\n            Box::new(a::M), // first\n        ]\n",
                "        vec![\n            Box::new(a::M), // first\n            Box::new(b::M),\n            ]\n",
            ),
            (
                "        vec![\n            Box::new(a::M) // [old]\n        ]\n",
                "        vec![\n            Box::new(a::M), // [old]\n            Box::new(b::M),\n            ]\n",
            ),
        ] {
            let text = format!("{HEAD}{before}    }}\n}}\n");
            let changed = with_migration("f.rs", &text, "Box::new(b::M)").unwrap();
            assert_eq!(changed, format!("{HEAD}{after}    }}\n}}\n"));
            let again = with_migration("f.rs", &changed, "Box::new(b::M)").unwrap();
            assert_eq!(again, changed);
        }
        let error =
            with_migration("f.rs", "fn other() { vec![1]; }\n", "Box::new(b::M)").unwrap_err();
        assert_eq!(
            error.to_string(),
            "f.rs has no `fn migrations` with a `vec![…]`: add `Box::new(b::M)` by hand, then run this again"
        );
    }
}
