//! Finds the foreign keys whose actions change counted rows and fire no trigger, as on MariaDB and MySQL.

use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement};

use super::counter::Counter;

/// A foreign key of the counted rows, or of their junction.
#[derive(Debug)]
struct ForeignKey {
    name: String,
    table: String,
    columns: Vec<String>,
    to: String,
    on_delete: String,
    on_update: String,
}

/// Refuses a counter of rows that can go without a trigger.
pub(crate) async fn refuse(counter: &Counter, db: &impl ConnectionTrait) -> Result<(), DbErr> {
    let junction = counter.through.as_ref().map(|links| &links.table);
    let tables = [&counter.counted, junction.unwrap_or(&counter.counted)];
    let tables = tables.map(|table| table.as_str().into());
    let backend = db.get_database_backend();
    let statement = Statement::from_sql_and_values(backend, FOREIGN_KEYS, tables);
    let mut keys: Vec<ForeignKey> = Vec::new();
    for row in db.query_all_raw(statement).await? {
        let key = foreign_key(&row)?;
        match keys.last_mut() {
            Some(last) if last.name == key.name && last.table == key.table => {
                last.columns.extend(key.columns);
            }
            _ => keys.push(key),
        }
    }
    match keys.iter().find(|key| changes(counter, key)) {
        Some(key) => Err(DbErr::Custom(problem(counter, key))),
        None => Ok(()),
    }
}

const FOREIGN_KEYS: &str = "
    SELECT CAST(k.constraint_name AS CHAR), CAST(k.table_name AS CHAR), CAST(k.column_name AS CHAR),
           CAST(k.referenced_table_name AS CHAR), CAST(r.delete_rule AS CHAR), CAST(r.update_rule AS CHAR)
    FROM information_schema.referential_constraints r
    JOIN information_schema.key_column_usage k ON k.constraint_schema = r.constraint_schema
        AND k.constraint_name = r.constraint_name AND k.table_name = r.table_name
    WHERE r.constraint_schema = DATABASE() AND r.table_name IN (?, ?)
    ORDER BY k.table_name, k.constraint_name, k.ordinal_position";

fn foreign_key(row: &QueryResult) -> Result<ForeignKey, DbErr> {
    Ok(ForeignKey {
        name: row.try_get_by_index(0)?,
        table: row.try_get_by_index(1)?,
        columns: vec![row.try_get_by_index(2)?],
        to: row.try_get_by_index(3)?,
        on_delete: row.try_get_by_index(4)?,
        on_update: row.try_get_by_index(5)?,
    })
}

/// Whether an action of this foreign key changes a number. Rows that go with the row that has the counter need not be
/// subtracted from it, and links that go with a counted row are subtracted when that row is deleted.
fn changes(counter: &Counter, key: &ForeignKey) -> bool {
    let conditions = counter.conditions.iter().map(|(column, _)| column);
    let (followed, mut decisive) = match &counter.through {
        Some(links) if is(&key.table, &links.table) => {
            let to_parent = (&links.to_parent, &counter.table);
            let to_counted = (&links.to_counted, &counter.counted);
            let columns = vec![&links.to_parent, &links.to_counted];
            (vec![to_parent, to_counted], columns)
        }
        Some(_) => (Vec::new(), conditions.collect()),
        None => {
            let columns = conditions.chain([&counter.by]).collect();
            (vec![(&counter.by, &counter.table)], columns)
        }
    };
    let has = |column: &String| key.columns.iter().any(|own| is(own, column));
    let is_followed = followed
        .iter()
        .any(|(column, table)| is(&key.to, table) && has(column));
    decisive.retain(|column| has(column));
    let on_delete = match key.on_delete.as_str() {
        "CASCADE" => true,
        "SET NULL" => !decisive.is_empty(),
        _ => false,
    };
    on_delete && !is_followed || key.on_update == "SET NULL" && !decisive.is_empty()
}

/// Whether both are the same name, which may differ in case on these databases.
fn is(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

fn problem(counter: &Counter, key: &ForeignKey) -> String {
    let (table, column) = (&counter.table, &counter.column);
    let (name, of, to, columns) = (&key.name, &key.table, &key.to, key.columns.join(", "));
    format!(
        "the counter `{table}.{column}` would be wrong after a change of `{to}`: the foreign key `{name}` ({columns}) then \
         deletes or changes rows of `{of}`, and on MariaDB and MySQL such actions fire no triggers; make it ON DELETE RESTRICT \
         and delete these rows first, or use `Field::count_of`"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(from: (&str, &str), to: &str, rules: (&str, &str)) -> ForeignKey {
        ForeignKey {
            name: "fk".to_owned(),
            table: from.0.to_owned(),
            columns: vec!["tenant_id".to_owned(), from.1.to_owned()],
            to: to.to_owned(),
            on_delete: rules.0.to_owned(),
            on_update: rules.1.to_owned(),
        }
    }

    /// Rule b483.
    #[test]
    fn rows_may_go_with_their_parent_and_by_no_other_foreign_key() {
        let comments = Counter::in_column("articles", "comments_count")
            .of("comments", "article_id")
            .only_null("deleted_by");
        for (column, to, on_delete, refused) in [
            ("article_id", "articles", "CASCADE", false),
            ("article_id", "Articles", "SET NULL", false),
            ("user_id", "users", "CASCADE", true),
            ("user_id", "users", "RESTRICT", false),
            ("user_id", "users", "NO ACTION", false),
            // Who wrote it does not decide whether it counts; who deleted it does.
            ("user_id", "users", "SET NULL", false),
            ("deleted_by", "users", "SET NULL", true),
            ("reply_to", "comments", "CASCADE", true),
            ("other_article_id", "articles", "CASCADE", true),
        ] {
            let key = key(("comments", column), to, (on_delete, "CASCADE"));
            assert_eq!(changes(&comments, &key), refused, "{key:?}");
        }
        let nulls = key(
            ("comments", "article_id"),
            "articles",
            ("CASCADE", "SET NULL"),
        );
        assert!(changes(&comments, &nulls));
    }

    /// Rule b483.
    #[test]
    fn links_may_go_with_either_end_and_counted_rows_by_no_foreign_key() {
        let articles = Counter::in_column("tags", "articles_count")
            .of_linked("articles", "id", ("article_tags", "tag_id", "article_id"))
            .only_null("deleted_at");
        for (from, to, on_delete, refused) in [
            (("article_tags", "tag_id"), "tags", "CASCADE", false),
            (("article_tags", "article_id"), "articles", "CASCADE", false),
            (("article_tags", "user_id"), "users", "CASCADE", true),
            (("article_tags", "user_id"), "users", "SET NULL", false),
            (("articles", "author_id"), "authors", "CASCADE", true),
            (("articles", "author_id"), "authors", "SET NULL", false),
            (("articles", "main_tag_id"), "tags", "CASCADE", true),
        ] {
            let key = key(from, to, (on_delete, "RESTRICT"));
            assert_eq!(changes(&articles, &key), refused, "{key:?}");
        }
    }

    /// Rule b483.
    #[test]
    fn the_message_names_the_foreign_key() {
        let comments =
            Counter::in_column("articles", "comments_count").of("comments", "article_id");
        let key = key(("comments", "user_id"), "users", ("CASCADE", "RESTRICT"));
        let told = problem(&comments, &key);
        for part in [
            "`articles.comments_count`",
            "`fk` (tenant_id, user_id)",
            "of `users`",
        ] {
            assert!(told.contains(part), "{told}");
        }
    }
}
