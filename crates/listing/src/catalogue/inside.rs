//! Names the expressions in indexes by their text, without the parts that each database writes differently.
//!
//! An expression counts as a column of its index. Only expressions of filters inside JSON columns are ever looked up (d149). All
//! others get names that match no filter.

use sea_orm::DbBackend;

use crate::vocabulary::{Kind, inside};

/// The first column of an index that finds values inside a column: the array itself, or the value at a path. `None` if the
/// database has no such index.
pub(crate) fn expression(
    backend: DbBackend,
    column: &str,
    path: &[String],
    kind: &Kind,
) -> Option<String> {
    let template = match (backend, kind) {
        (DbBackend::Postgres, Kind::Array(_)) => inside::postgres_json(path),
        (DbBackend::Postgres, _) => inside::postgres(kind, path),
        (DbBackend::Sqlite, kind) if !matches!(kind, Kind::Array(_)) => inside::sqlite(kind, path),
        _ => return None,
    };
    Some(name(backend, &template.replace('@', column)))
}

/// The name of an expression. Quotes, spaces, parentheses, and the casts that PostgreSQL adds to constants do not matter in the
/// expressions of filters.
pub(super) fn name(backend: DbBackend, text: &str) -> String {
    let is_postgres = backend == DbBackend::Postgres;
    let (mut name, mut in_text) = (String::new(), false);
    for c in text.chars() {
        in_text ^= c == '\'';
        match c {
            '"' if is_postgres => {}
            _ if in_text || c == '\'' => name.push(c),
            '(' | ')' | '[' | ']' | '"' | '`' => {}
            _ if c.is_whitespace() => {}
            // SQLite keeps the text as it was typed.
            _ if is_postgres => name.push(c),
            _ => name.extend(c.to_lowercase()),
        }
    }
    if is_postgres {
        for added in [
            "ELSENULL::numeric",
            "ELSENULL::text",
            "ELSENULL::boolean",
            "::text",
            "::jsonb",
        ] {
            name = name.replace(added, "");
        }
    }
    name
}

/// The name of an expression in an ordered index. Those of filters begin with `CASE`. Any other, such as `(views::text)`, must
/// not be mistaken for the column in it.
pub(super) fn ordered(backend: DbBackend, text: &str) -> String {
    let name = name(backend, text);
    match name.get(..4) {
        Some(begin) if begin.eq_ignore_ascii_case("case") => name,
        _ => format!("({name})"),
    }
}

/// The expression at this position of a SQLite index, from its `CREATE INDEX` statement.
pub(super) fn part(statement: &str, place: usize) -> Option<&str> {
    let (mut quote, mut depth, mut at, mut start) = (None, 0_usize, 0_usize, 0_usize);
    for (index, c) in statement.char_indices() {
        match (quote, c) {
            (Some(end), _) => {
                quote = quote.filter(|_| c != end);
                continue;
            }
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '[') => quote = Some(']'),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        let begins = c == '(' && depth == 1;
        let ends = (c == ',' && depth == 1) || (c == ')' && depth == 0);
        if ends && at == place {
            return Some(without_direction(&statement[start..index]));
        }
        if begins || ends {
            at += usize::from(ends);
            start = index + 1;
        }
    }
    None
}

fn without_direction(part: &str) -> &str {
    let part = part.trim();
    let is_direction =
        |word: &str| word.eq_ignore_ascii_case("asc") || word.eq_ignore_ascii_case("desc");
    match part.rsplit_once(|c: char| c.is_whitespace() || c == ')') {
        Some((_, word)) if is_direction(word) => &part[..part.len() - word.len()],
        _ => part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(backend: DbBackend, kind: &Kind, path: &str) -> Option<String> {
        let path: Vec<_> = path.split('.').map(str::to_owned).collect();
        expression(backend, "Data", &path, kind)
    }

    /// Rule b1080.
    #[test]
    fn postgresql_tells_the_expressions_of_filters_in_its_own_words() {
        for (kind, path, told) in [
            (
                Kind::Text,
                "address.city",
                "\nCASE jsonb_typeof(\"Data\" #> '{address,city}'::text[])\n    \
                 WHEN 'string'::text THEN \"Data\" #>> '{address,city}'::text[]\n    ELSE NULL::text\nEND",
            ),
            (
                Kind::Integer,
                "null",
                "(\nCASE jsonb_typeof(((\"Data\" #> '{\"null\"}'::text[]))::jsonb)\n    \
                 WHEN 'number'::text THEN ((\"Data\" #>> '{\"null\"}'::text[]))::numeric\n    ELSE NULL::numeric\nEND)",
            ),
            (
                Kind::Array(Box::new(Kind::Text)),
                "tags",
                "(\"Data\" #> '{tags}'::text[])",
            ),
        ] {
            let told = name(DbBackend::Postgres, told);
            let wanted = wanted(DbBackend::Postgres, &kind, path);
            assert_eq!(wanted.as_deref(), Some(&*told));
        }
        for other in ["(views)::text", "views::text", "lower(\"title\")"] {
            let told = ordered(DbBackend::Postgres, other);
            assert!(told.starts_with('('), "{told}");
        }
        let text = wanted(DbBackend::Postgres, &Kind::Text, "Tags");
        for other in [(Kind::Text, "tags"), (Kind::Integer, "Tags")] {
            assert_ne!(text, wanted(DbBackend::Postgres, &other.0, other.1));
        }
    }

    /// Rule b1080.
    #[test]
    fn sqlite_keeps_the_expressions_of_filters_as_they_were_typed() {
        let statement = "CREATE INDEX \"a(b\" on [t,](Id, case CASE WHEN json_valid(\"Data\") \
            then JSON_TYPE(data, '$.\"Open, city\"') END WHEN 'text' THEN json_extract(`data`,'$.\"Open, city\"') end DESC)";
        let told = part(statement, 1).map(|part| name(DbBackend::Sqlite, part));
        let path = ["Open, city".to_owned()];
        let wanted = |kind| expression(DbBackend::Sqlite, "Data", &path, &kind);
        assert_eq!(told, wanted(Kind::Text));
        assert_ne!(told, wanted(Kind::Integer));
        assert_eq!(wanted(Kind::Array(Box::new(Kind::Text))), None);
        assert_eq!(part(statement, 0), Some("Id"));
        assert_eq!(part(statement, 2), None);
    }
}
