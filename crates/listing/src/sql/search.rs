//! Writes a search as each database's engine wants it, with the client's words as bound values only (d87).
//!
//! No syntax of an engine reaches a client. PostgreSQL takes words as plain text (`plainto_tsquery`), SQLite takes them as
//! quoted strings, and MariaDB, whose boolean mode cannot quote, gets letters and digits alone.

use super::{Dialect, Writer, text_match};
use crate::define::SearchEngine;
use crate::plan::{CheckedSearch, TextPlace, Word};
use crate::vocabulary::FullTextNames;

/// Writes the condition that rows must meet. It can be joined to others with `AND`.
pub(super) fn condition(writer: &mut Writer, search: &CheckedSearch<'_>) {
    let language = match search.engine() {
        SearchEngine::Contains => return by_letters(writer, search),
        SearchEngine::FullText { language } => language,
    };
    // A search without any word that an index can have finds nothing.
    if search.wanted().chain(search.excluded()).next().is_none() {
        return writer.text("1 = 0");
    }
    match writer.dialect {
        Dialect::Postgres => {
            vector(writer, search);
            writer.text(" @@ (");
            let wanted = wanted_query(writer, search, language);
            for (at, word) in search.excluded().enumerate() {
                writer.text(if wanted || at > 0 { " && " } else { "" });
                writer.text("(!!");
                query(writer, word, language);
                writer.text(")");
            }
            writer.text(")");
        }
        Dialect::Mysql => mysql::condition(writer, search),
        Dialect::Sqlite => in_fts5(writer, search),
    }
}

/// Writes a number that is the smaller, the better a row fits.
///
/// It depends on the row alone. A rank that weighs words by how rare they are, as SQLite's and MariaDB's do, would reveal the
/// words of rows that the client cannot see.
pub(super) fn relevance(writer: &mut Writer, search: &CheckedSearch<'_>) {
    let SearchEngine::FullText { language } = search.engine() else {
        return writer.text("0");
    };
    match writer.dialect {
        Dialect::Postgres => {
            writer.text("(-ts_rank(");
            vector(writer, search);
            // In a sub-query, which is evaluated once and not for each row.
            writer.text(", (SELECT ");
            wanted_query(writer, search, language);
            writer.text(")))");
        }
        Dialect::Mysql | Dialect::Sqlite => rare_in(writer, search),
    }
}

/// Requires that every word is in some column, and that no excluded word is in any.
fn by_letters(writer: &mut Writer, search: &CheckedSearch<'_>) {
    let some_column = |writer: &mut Writer, word: &Word| {
        writer.text("(");
        for (at, column) in search.columns().enumerate() {
            writer.text(if at == 0 { "" } else { " OR " });
            text_match::write(writer, column, TextPlace::Anywhere, true, &word.text);
        }
        writer.text(")");
    };
    for (at, word) in search.wanted().chain(search.excluded()).enumerate() {
        writer.text(if at == 0 { "" } else { " AND " });
        some_column(writer, word);
        // A null has no parts.
        writer.text(if word.is_excluded { " IS NOT TRUE" } else { "" });
    }
}

/// The column that holds a row's words.
fn vector(writer: &mut Writer, search: &CheckedSearch<'_>) {
    writer.name(search.table());
    writer.text(".");
    writer.name(FullTextNames::VECTOR);
}

/// Writes the wanted words as a `tsquery`, and returns whether there are any.
fn wanted_query(writer: &mut Writer, search: &CheckedSearch<'_>, language: &str) -> bool {
    // Together they are one value: the text of the statement is the same for any number of words. A `<` could begin a
    // tag that ends in another word.
    let alone = |word: &&Word| word.is_phrase || word.is_prefix || word.text.contains('<');
    let plain: Vec<_> = search
        .wanted()
        .filter(|word| !alone(word))
        .map(|word| word.text.as_str())
        .collect();
    let mut any = false;
    if !plain.is_empty() {
        call(writer, "plainto_tsquery", language, &plain.join(" "));
        any = true;
    }
    for word in search.wanted().filter(alone) {
        writer.text(if any { " && " } else { "" });
        query(writer, word, language);
        any = true;
    }
    any
}

fn query(writer: &mut Writer, word: &Word, language: &str) {
    if word.is_prefix {
        // Letters and digits alone: nothing in it is syntax.
        let prefix = format!("{}:*", word.text);
        return call(writer, "to_tsquery", language, &prefix);
    }
    let function = if word.is_phrase {
        "phraseto_tsquery"
    } else {
        "plainto_tsquery"
    };
    call(writer, function, language, &word.text);
}

/// The language is a name of the definition's, verified at start-up.
fn call(writer: &mut Writer, function: &str, language: &str, text: &str) {
    writer.text(function);
    writer.text("('");
    writer.text(language);
    writer.text("', ");
    writer.value(text);
    writer.text(")");
}

/// The rows of the FTS5 table that match the wanted words without the excluded ones.
fn in_fts5(writer: &mut Writer, search: &CheckedSearch<'_>) {
    let strings = |words: &mut dyn Iterator<Item = &Word>, join: &str| {
        let quoted = words.map(|word| {
            let star = if word.is_prefix { "*" } else { "" };
            format!("\"{}\"{star}", word.text)
        });
        quoted.collect::<Vec<_>>().join(join)
    };
    let wanted = strings(&mut search.wanted(), " AND ");
    let excluded = strings(&mut search.excluded(), " OR ");
    let (is_in, expression) = match (wanted.is_empty(), excluded.is_empty()) {
        (true, _) => (" NOT IN (", excluded),
        (_, true) => (" IN (", wanted),
        _ => (" IN (", format!("({wanted}) NOT ({excluded})")),
    };
    let index = FullTextNames::of(search.table()).index();
    writer.name(search.table());
    writer.text(".rowid");
    writer.text(is_in);
    writer.text("SELECT rowid FROM ");
    writer.name(&index);
    writer.text(" WHERE ");
    writer.name(&index);
    writer.text(" MATCH ");
    writer.value(expression);
    writer.text(")");
}

/// The sum over words and columns of `weight / (1 + occurrences)`: the more often a word occurs, the less it adds, and the
/// first column counts most. The weights are those of `ts_rank`.
fn rare_in(writer: &mut Writer, search: &CheckedSearch<'_>) {
    let dialect = writer.dialect;
    let names = FullTextNames::of(search.table());
    let (length, lower) = match dialect {
        Dialect::Mysql => ("CHAR_LENGTH(", mysql::lower as fn(&str) -> String),
        Dialect::Postgres | Dialect::Sqlite => ("length(", str::to_ascii_lowercase as _),
    };
    let text = |writer: &mut Writer, column: &str| {
        let (before, name, after) = match dialect {
            Dialect::Mysql => ("", &names.lowered(column), ""),
            Dialect::Postgres | Dialect::Sqlite => {
                ("lower(coalesce(", &column.to_owned(), ", ''))")
            }
        };
        writer.text(before);
        writer.name(search.table());
        writer.text(".");
        writer.name(name);
        writer.text(after);
    };
    writer.text("(0e0");
    for word in search.wanted() {
        let word = lower(&word.text);
        let letters = word.chars().count() as u64;
        for (at, column) in search.columns().enumerate() {
            writer.text(if at == 0 { " + 1e0" } else { " + 0.4e0" });
            writer.text(" / (1 + (");
            writer.text(length);
            text(writer, &column.meta.name);
            writer.text(") - ");
            writer.text(length);
            writer.text("replace(");
            text(writer, &column.meta.name);
            writer.text(", ");
            writer.value(word.as_str());
            writer.text(", ''))) / ");
            writer.number(letters);
            writer.text(")");
        }
    }
    writer.text(")");
}

/// MariaDB, whose index leaves out words that are short or frequent.
mod mysql {
    use super::{FullTextNames, Word, Writer};
    use crate::plan::CheckedSearch;

    /// InnoDB's own list (`INFORMATION_SCHEMA.INNODB_FT_DEFAULT_STOPWORD`), of the words that are not too short anyway.
    const STOP_WORDS: &[&str] = &[
        "about", "are", "com", "for", "from", "how", "that", "the", "this", "und", "was", "what",
        "when", "where", "who", "will", "with", "www",
    ];

    /// A letter or digit on one side of a word would make it a part of another.
    const NOT_AFTER: &str = r"(?<![\p{L}\p{N}_])";
    const NOT_BEFORE: &str = r"(?![\p{L}\p{N}_])";
    const BETWEEN: &str = r"[^\p{L}\p{N}_]++";

    /// Letter by letter, as MariaDB does: no letter depends on its place in a word.
    pub(super) fn lower(text: &str) -> String {
        text.chars().flat_map(char::to_lowercase).collect()
    }

    /// A word or a phrase in terms of the index.
    struct Sought {
        /// The words that the index has.
        indexed: Vec<String>,
        /// A pattern for the rest: words that the index leaves out, and the order of several.
        pattern: Option<String>,
    }

    impl Sought {
        fn of(word: &Word) -> Self {
            let text = lower(&word.text);
            if word.is_prefix {
                return Self::prefix(&text);
            }
            let is_letter = |c: char| c.is_alphanumeric() || c == '_';
            let parts: Vec<_> = text
                .split(|c| !is_letter(c))
                .filter(|part| !part.is_empty())
                .collect();
            let indexed: Vec<_> = parts
                .iter()
                .filter(|part| is_indexed(part))
                .map(|part| (*part).to_owned())
                .collect();
            let exact = parts.len() == 1 && indexed.len() == 1;
            let pattern =
                (!exact).then(|| format!("{NOT_AFTER}{}{NOT_BEFORE}", parts.join(BETWEEN)));
            Self { indexed, pattern }
        }
    }

    impl Sought {
        /// A prefix of letters and digits. The index may lack words with the prefix, if it leaves out words that begin like it.
        fn prefix(text: &str) -> Self {
            let is_left_out = STOP_WORDS.iter().any(|word| word.starts_with(text));
            match is_indexed(text) && !is_left_out {
                true => Self {
                    indexed: vec![format!("{text}*")],
                    pattern: None,
                },
                false => Self {
                    indexed: Vec::new(),
                    pattern: Some(format!("{NOT_AFTER}{text}")),
                },
            }
        }
    }

    /// Whether the index has the word. A word with characters that may not be letters to MariaDB is matched by pattern.
    fn is_indexed(word: &str) -> bool {
        let is_sure = |c: char| c.is_ascii_alphanumeric() || ('À'..'\u{2000}').contains(&c);
        (3..=84).contains(&word.chars().count())
            && word.chars().all(is_sure)
            && !STOP_WORDS.contains(&word)
    }

    pub(super) fn condition(writer: &mut Writer, search: &CheckedSearch<'_>) {
        let mut parts = 0;
        let mut and = |writer: &mut Writer| {
            writer.text(if parts == 0 { "" } else { " AND " });
            parts += 1;
        };
        let wanted: Vec<_> = search.wanted().map(Sought::of).collect();
        let indexed: Vec<_> = wanted.iter().flat_map(|sought| &sought.indexed).collect();
        if !indexed.is_empty() {
            and(writer);
            matches(writer, search, &indexed);
        }
        for pattern in wanted.iter().filter_map(|sought| sought.pattern.as_ref()) {
            and(writer);
            has_pattern(writer, search, pattern);
        }
        for sought in search.excluded().map(Sought::of) {
            and(writer);
            writer.text("NOT (");
            if !sought.indexed.is_empty() {
                let indexed: Vec<_> = sought.indexed.iter().collect();
                matches(writer, search, &indexed);
            }
            if let Some(pattern) = &sought.pattern {
                writer.text(if sought.indexed.is_empty() {
                    ""
                } else {
                    " AND "
                });
                has_pattern(writer, search, pattern);
            }
            writer.text(")");
        }
    }

    /// Requires each word of the index. They are letters and digits: nothing in them is syntax.
    fn matches(writer: &mut Writer, search: &CheckedSearch<'_>, words: &[&String]) {
        let words: Vec<_> = words.iter().map(|word| format!("+{word}")).collect();
        writer.text("MATCH (");
        let columns = search.columns();
        writer.list(columns, |writer, column| {
            lowered(writer, search, &column.meta.name)
        });
        writer.text(") AGAINST (");
        writer.value(words.join(" "));
        writer.text(" IN BOOLEAN MODE)");
    }

    fn has_pattern(writer: &mut Writer, search: &CheckedSearch<'_>, pattern: &str) {
        writer.text("(");
        for (at, column) in search.columns().enumerate() {
            writer.text(if at == 0 { "" } else { " OR " });
            lowered(writer, search, &column.meta.name);
            writer.text(" REGEXP ");
            writer.value(pattern);
        }
        writer.text(")");
    }

    fn lowered(writer: &mut Writer, search: &CheckedSearch<'_>, column: &str) {
        writer.name(search.table());
        writer.text(".");
        writer.name(&FullTextNames::of(search.table()).lowered(column));
    }
}
