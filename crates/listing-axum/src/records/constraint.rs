//! Finds the field to blame when a constraint of the database refuses a write (d58).
//!
//! A write that lost a race is repeated, and then our own checks see the winner. The constraints that get here are unknown to
//! them. Databases return the constraint's name, which usually contains the columns.

use listing::reply::FieldErrors;
use sea_orm::{DbErr, EntityTrait, IdenStatic, Iterable, PrimaryKeyToColumn, RuntimeErr, SqlErr};

use super::field_names::FieldNames;
use super::foreign::references_nothing;
use super::write::refusal;
use super::{Unique, refused_value};
use crate::http::{ApiError, RECORD};

/// A refused record as 422, if the mistake is known.
pub(super) fn of_record<E: EntityTrait>(
    error: ApiError,
    record: &E::ActiveModel,
    unique: &[Unique<E>],
    names: FieldNames,
) -> ApiError {
    let Some(refused) = refusal(&error) else {
        return error;
    };
    let blamed = match violation(refused) {
        Some(SqlErr::UniqueConstraintViolation(text)) => {
            taken(&name_of(refused, &text), unique, names)
        }
        Some(SqlErr::ForeignKeyConstraintViolation(text)) => {
            let columns = columns_in::<E>(&name_of(refused, &text));
            Some(match columns.first().map(|column| names.shown(column)) {
                Some(name) => (name.to_string(), references_nothing(&name)),
                // SQLite does not name the constraint.
                None => (
                    RECORD.to_owned(),
                    "This record references a record that does not exist.".to_owned(),
                ),
            })
        }
        _ => refused_value::blamed::<E>(refused, record, names),
    };
    blamed.map_or(error, |(field, message)| invalid(field, message))
}

/// A refused deletion as 422, where others reference the record or a trigger does not allow it.
pub(super) fn of_deletion(error: ApiError) -> ApiError {
    let Some(refused) = refusal(&error) else {
        return error;
    };
    let blamed = match violation(refused) {
        Some(SqlErr::ForeignKeyConstraintViolation(_)) => {
            let message = "Other records still reference this record.".to_owned();
            Some((RECORD.to_owned(), message))
        }
        _ => refused_value::of_deletion(refused),
    };
    blamed.map_or(error, |(field, message)| invalid(field, message))
}

/// The kind of constraint that refused a write. SeaORM does not recognize a foreign key that restricts deletions: newer
/// PostgreSQL has a separate code for it, and SQLite uses the code of triggers.
pub(super) fn violation(error: &DbErr) -> Option<SqlErr> {
    error.sql_err().or_else(|| {
        let (DbErr::Query(RuntimeErr::SqlxError(error))
        | DbErr::Exec(RuntimeErr::SqlxError(error))) = error
        else {
            return None;
        };
        let error = error.as_database_error()?;
        let text = error.message();
        let restricts = match &*error.code()? {
            "23001" => true,
            "1811" => text == "FOREIGN KEY constraint failed",
            _ => false,
        };
        restricts.then(|| SqlErr::ForeignKeyConstraintViolation(text.to_owned()))
    })
}

pub(super) fn invalid(field: String, message: String) -> ApiError {
    ApiError::Invalid(FieldErrors::from([(field, vec![message])]))
}

/// The field that is taken, with its message; none for a primary key that no client sends, since that is our mistake.
fn taken<E: EntityTrait>(
    name: &str,
    unique: &[Unique<E>],
    names: FieldNames,
) -> Option<(String, String)> {
    let columns = columns_in::<E>(name);
    let key: Vec<_> = E::PrimaryKey::iter()
        .map(|key| key.into_column().as_str())
        .collect();
    let lower = name.to_ascii_lowercase();
    let is_key = columns.len() == key.len() && key.iter().all(|part| columns.contains(part));
    let of_key = || {
        let sent = key.iter().find(|part| names.has(part))?;
        let name = names.shown(sent);
        Some((name.to_string(), Unique::<E>::message(&name)))
    };
    if is_key || lower.ends_with("primary") || lower.ends_with("_pkey") {
        return of_key();
    }
    let named = unique
        .iter()
        .filter(|rule| rule.names().all(|name| columns.contains(&name)))
        .max_by_key(|rule| rule.names().count());
    match (named, unique, columns.first()) {
        (Some(rule), ..) => Some(rule.taken(names)),
        // An index without a rule.
        (None, _, Some(column)) => {
            let name = names.shown(column);
            Some((name.to_string(), Unique::<E>::message(&name)))
        }
        // The name tells nothing, and there is only one thing that it can mean.
        (None, [rule], None) => Some(rule.taken(names)),
        // A key whose constraint has a custom name.
        (None, _, None) => of_key(),
    }
}

/// The database's name for the constraint; SQLite returns its columns instead, or nothing.
fn name_of(error: &DbErr, text: &str) -> String {
    if let DbErr::Query(RuntimeErr::SqlxError(error)) | DbErr::Exec(RuntimeErr::SqlxError(error)) =
        error
        && let Some(error) = error.as_database_error()
        && let Some(name) = error.constraint()
    {
        return name.to_owned();
    }
    name_in(text).to_owned()
}

/// The name in a message of MySQL or SQLite. What comes before it can be a client's own text.
fn name_in(text: &str) -> &str {
    let tail = |mark: &str| text.rsplit_once(mark).map(|(_, tail)| tail);
    let name = tail(" for key ")
        .or_else(|| tail(" FOREIGN KEY "))
        .or_else(|| tail("constraint failed: "))
        .unwrap_or_default();
    name.split(" REFERENCES ").next().unwrap_or_default()
}

/// The columns that a constraint's name is made of, the longest first. The table's name is not one of them.
pub(super) fn columns_in<E: EntityTrait>(name: &str) -> Vec<&'static str> {
    let mut columns: Vec<_> = E::Column::iter().map(|column| column.as_str()).collect();
    columns.sort_by_key(|column| std::cmp::Reverse(column.len()));
    let mut rest = without_table(name, E::default().table_name());
    // `author_name` is found before `name`, and then it is not there any more.
    columns.retain(|column| match blank(&rest, column) {
        Some(without) => {
            rest = without;
            true
        }
        None => false,
    });
    columns
}

/// A constraint's name without the table's: before each column (`notes.tenant_id, notes.slug`), or once (`notes_slug_key`).
fn without_table(name: &str, table: &str) -> String {
    let column = |part: &str| {
        let column = part.trim_matches('\'').strip_prefix(table)?;
        column.strip_prefix('.').map(str::to_owned)
    };
    let columns: Option<Vec<_>> = name.split(", ").map(column).collect();
    columns.map_or_else(
        || blank(name, table).unwrap_or_else(|| name.to_owned()),
        |columns| columns.join(", "),
    )
}

/// The text with a word of it blanked out; `None` if it does not contain the word.
fn blank(text: &str, word: &str) -> Option<String> {
    let ends = |edge: Option<char>| edge.is_none_or(|edge| !edge.is_alphanumeric());
    let (at, _) = text.match_indices(word).find(|(at, _)| {
        ends(text[..*at].chars().next_back()) && ends(text[at + word.len()..].chars().next())
    })?;
    Some(format!("{}\0{}", &text[..at], &text[at + word.len()..]))
}

#[cfg(test)]
mod tests {
    use sea_orm::entity::prelude::*;

    use super::{FieldNames, columns_in, name_in, taken};
    use crate::records::Unique;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "title")]
    pub(super) struct Model {
        #[sea_orm(primary_key)]
        pub(super) id: i64,
        pub(super) slug: String,
        pub(super) title: String,
        pub(super) name: String,
        pub(super) author_name: String,
        pub(super) tenant_id: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}

    /// Rule d58.
    #[test]
    fn the_columns_are_found_in_what_each_database_says() {
        for (text, columns) in [
            ("UNIQUE constraint failed: title.slug", &["slug"][..]),
            (
                "UNIQUE constraint failed: title.tenant_id, title.slug",
                &["tenant_id", "slug"],
            ),
            ("FOREIGN KEY constraint failed", &[]),
            // The client's value is not a name.
            ("Duplicate entry 'title' for key 'slug'", &["slug"]),
            (
                "Duplicate entry ' for key 'title'' for key 'slug'",
                &["slug"],
            ),
            ("Duplicate entry '7-x' for key 'title.title'", &["title"]),
            (
                "Duplicate entry 'x' for key 'one_author_name'",
                &["author_name"],
            ),
            (
                "Cannot add or update a child row: a foreign key constraint fails (`db`.`title`, \
                 CONSTRAINT `title_ibfk_1` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`))",
                &["tenant_id"],
            ),
        ] {
            assert_eq!(columns_in::<Entity>(name_in(text)), columns, "{text}");
        }
        // PostgreSQL returns the name itself.
        assert_eq!(columns_in::<Entity>("title_name_key"), ["name"]);
        assert_eq!(columns_in::<Entity>("title_title_key"), ["title"]);
        assert_eq!(columns_in::<Entity>("slugs"), [""; 0]);
    }

    /// Rule d58.
    #[test]
    fn the_rule_that_was_broken_is_found_by_its_columns() {
        let rules = [
            Unique::<Entity>::column(Column::Slug),
            Unique::column(Column::Slug).within(Column::TenantId),
            Unique::column(Column::Name),
        ];
        let field = |name: &str, rules: &[Unique<Entity>]| {
            taken(name, rules, FieldNames::none()).map(|(field, _)| field)
        };
        assert_eq!(field("title_name_key", &rules).as_deref(), Some("name"));
        assert_eq!(field("title_slug_key", &rules).as_deref(), Some("slug"));
        assert_eq!(
            field("title.tenant_id, title.slug", &rules).as_deref(),
            Some("slug")
        );
        assert_eq!(field("author_name", &rules).as_deref(), Some("author_name"));
        assert_eq!(field("unnamed_1", &rules), None);
        assert_eq!(field("unnamed_1", &rules[..1]).as_deref(), Some("slug"));
        for key in ["PRIMARY", "title.PRIMARY", "title_pkey", "title.id"] {
            assert_eq!(field(key, &rules[..1]), None, "{key}");
        }
    }
}
