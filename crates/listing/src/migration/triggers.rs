//! Writes the triggers that keep a counter up to date.
//!
//! They add and subtract one instead of counting again: of two concurrent transactions, neither sees the other's rows, but each
//! waits for the other's number.

use super::counter::{Counter, Links, quoted};
use crate::sql::Dialect;
use crate::vocabulary::fingerprint;

/// A trigger: the rows that it follows, and its action for an old and for a new row.
struct Trigger {
    /// The end of its name.
    name: &'static str,
    table: String,
    event: Event,
    /// The columns whose change matters, where the event is an update.
    columns: Vec<String>,
    /// Statements, each of them whole.
    does: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Event {
    AfterInsert,
    AfterUpdate,
    AfterDelete,
    BeforeDelete,
    BeforeUpdate,
}

impl Event {
    const fn sql(self) -> &'static str {
        match self {
            Self::AfterInsert => "AFTER INSERT",
            Self::AfterUpdate => "AFTER UPDATE",
            Self::AfterDelete => "AFTER DELETE",
            Self::BeforeDelete => "BEFORE DELETE",
            Self::BeforeUpdate => "BEFORE UPDATE",
        }
    }

    /// The rows that there are.
    const fn rows(self) -> &'static [&'static str] {
        match self {
            Self::AfterInsert => &["NEW"],
            Self::AfterUpdate | Self::BeforeUpdate => &["OLD", "NEW"],
            Self::AfterDelete | Self::BeforeDelete => &["OLD"],
        }
    }
}

pub(crate) fn create(counter: &Counter, dialect: Dialect) -> Vec<String> {
    let triggers = all(counter, dialect);
    let sql = triggers.iter().map(|trigger| match dialect {
        Dialect::Postgres => postgres(counter, trigger),
        Dialect::Mysql => vec![mysql(counter, trigger)],
        Dialect::Sqlite => vec![sqlite(counter, trigger)],
    });
    sql.flatten().collect()
}

/// A counter that an earlier version has created may have fewer (b559).
pub(crate) fn drop(counter: &Counter, dialect: Dialect) -> Vec<String> {
    let triggers = all(counter, dialect);
    let sql = triggers.iter().map(|trigger| {
        let name = name(counter, trigger, dialect);
        match dialect {
            // The trigger goes with its function.
            Dialect::Postgres => format!("DROP FUNCTION IF EXISTS {name}() CASCADE"),
            Dialect::Mysql | Dialect::Sqlite => format!("DROP TRIGGER IF EXISTS {name}"),
        }
    });
    sql.collect()
}

/// The most bytes of a name: PostgreSQL cuts off the rest, by which the triggers of a counter differ. MariaDB refuses names
/// that are longer than one character more.
const LONGEST_NAME: usize = 63;

fn name(counter: &Counter, trigger: &Trigger, dialect: Dialect) -> String {
    let (column, end) = (
        format!("{}_{}", counter.table, counter.column),
        trigger.name,
    );
    let mut name = format!("{column}_{end}");
    if name.len() > LONGEST_NAME {
        let [a, b, c, d, ..] = fingerprint(format_args!("{column}"));
        let end = format!("_{a:02x}{b:02x}{c:02x}{d:02x}_{end}");
        let start = column.floor_char_boundary(LONGEST_NAME - end.len());
        name = format!("{}{end}", &column[..start]);
    }
    quoted(dialect, &name)
}

fn all(counter: &Counter, dialect: Dialect) -> Vec<Trigger> {
    let mut triggers = match &counter.through {
        None => of_rows(counter, dialect),
        Some(links) => of_links(counter, links, dialect),
    };
    if dialect.cascades_fire_triggers() {
        triggers.push(of_keys(counter, dialect));
    }
    triggers
}

/// If a foreign key follows a new key of the row with the counter, each following row is added to it, and none can be subtracted
/// from the old key.
fn of_keys(counter: &Counter, dialect: Dialect) -> Trigger {
    let (key, column) = (
        quoted(dialect, &counter.key),
        quoted(dialect, &counter.column),
    );
    let (event, does) = if dialect == Dialect::Postgres {
        // Triggers of the rows that follow are fired at the end, when all of them have followed.
        (Event::BeforeUpdate, format!("NEW.{column} := 0;"))
    } else {
        // A trigger cannot change the row that is being written. This is right whether the rows follow before or after it.
        let recount = counter.refresh_sql(dialect);
        let does = format!("{recount} WHERE {key} = NEW.{key};");
        (Event::AfterUpdate, does)
    };
    Trigger {
        name: "key",
        table: counter.table.clone(),
        event,
        columns: vec![counter.key.clone()],
        does: vec![does],
    }
}

fn of_rows(counter: &Counter, dialect: Dialect) -> Vec<Trigger> {
    let by = quoted(dialect, &counter.by);
    let change = |sign: &str, row: &str| {
        let parent = format!("= {row}.{by}");
        let condition = counter.condition(dialect, row);
        change(counter, dialect, sign, &format!("{parent}{condition}"))
    };
    let conditions = counter.conditions.iter().map(|(column, _)| column.clone());
    following(
        ["insert", "update", "delete"],
        &counter.counted,
        std::iter::once(counter.by.clone())
            .chain(conditions)
            .collect(),
        change,
    )
}

fn of_links(counter: &Counter, links: &Links, dialect: Dialect) -> Vec<Trigger> {
    let name = |name: &str| quoted(dialect, name);
    let (key, parent, to) = (
        name(&counter.by),
        name(&links.to_parent),
        name(&links.to_counted),
    );
    // A link counts if its target row exists. When a row is deleted, its links are deleted after it, and no longer count.
    let change_link = |sign: &str, row: &str| {
        let counted = name(&counter.counted);
        let condition = counter.condition(dialect, "c");
        let exists =
            format!("EXISTS (SELECT 1 FROM {counted} c WHERE c.{key} = {row}.{to}{condition})");
        change(
            counter,
            dialect,
            sign,
            &format!("= {row}.{parent} AND {exists}"),
        )
    };
    let columns = vec![links.to_parent.clone(), links.to_counted.clone()];
    let mut triggers = following(
        ["link", "relink", "unlink"],
        &links.table,
        columns,
        change_link,
    );
    if dialect == Dialect::Postgres {
        // A concurrent deletion or change of the row waits, or is waited for; otherwise, neither would see the other's change.
        let lock = |row: &&str| {
            let counted = name(&counter.counted);
            format!("PERFORM 1 FROM {counted} WHERE {key} = {row}.{to} FOR SHARE;")
        };
        for trigger in &mut triggers {
            let rows = trigger.event.rows().iter();
            trigger.does.splice(0..0, rows.map(lock));
        }
    }
    let change_row = |sign: &str, row: &str, also: &str| {
        let linked = format!(
            "IN (SELECT {parent} FROM {} WHERE {to} = {row}.{key})",
            name(&links.table)
        );
        // Whether the row counts can be told without the counter's table.
        let condition = counter.condition(dialect, row);
        let parents = format!("{linked}{condition}{also}");
        change(counter, dialect, sign, &parents)
    };
    let changes = |also: &str| vec![change_row("-", "OLD", also), change_row("+", "NEW", also)];
    let trigger = |name, event, columns, does| Trigger {
        name,
        table: counter.counted.clone(),
        event,
        columns,
        does,
    };
    let mut same_key = String::new();
    if dialect.cascades_fire_triggers() {
        // Links that follow a new key are added then; here they are subtracted while they still lead to the row.
        let by_key = vec![counter.by.clone()];
        let event = Event::BeforeUpdate;
        triggers.push(trigger("counted_key", event, by_key, changes("")));
        same_key = format!(" AND OLD.{key} = NEW.{key}");
    }
    if !counter.conditions.is_empty() {
        let columns = counter.conditions.iter().map(|(column, _)| column.clone());
        let (columns, event) = (columns.collect(), Event::AfterUpdate);
        triggers.push(trigger("update", event, columns, changes(&same_key)));
    }
    let does = vec![change_row("-", "OLD", "")];
    triggers.push(trigger("delete", Event::BeforeDelete, Vec::new(), does));
    triggers
}

/// The triggers that follow all changes of a table.
fn following(
    names: [&'static str; 3],
    table: &str,
    columns: Vec<String>,
    change: impl Fn(&str, &str) -> String,
) -> Vec<Trigger> {
    let (less, more) = (|| change("-", "OLD"), || change("+", "NEW"));
    let trigger = |name, event, columns, does| Trigger {
        name,
        table: table.to_owned(),
        event,
        columns,
        does,
    };
    let [insert, update, delete] = names;
    vec![
        trigger(insert, Event::AfterInsert, Vec::new(), vec![more()]),
        trigger(update, Event::AfterUpdate, columns, vec![less(), more()]),
        trigger(delete, Event::AfterDelete, Vec::new(), vec![less()]),
    ]
}

fn change(counter: &Counter, dialect: Dialect, sign: &str, parents: &str) -> String {
    let name = |name: &str| quoted(dialect, name);
    let column = name(&counter.column);
    format!(
        "UPDATE {} SET {column} = {column} {sign} 1 WHERE {} {parents};",
        name(&counter.table),
        name(&counter.key)
    )
}

/// Whether one of the columns has another value.
fn has_changed(trigger: &Trigger, dialect: Dialect) -> String {
    let changed = trigger.columns.iter().map(|column| {
        let column = quoted(dialect, column);
        match dialect {
            Dialect::Postgres => format!("OLD.{column} IS DISTINCT FROM NEW.{column}"),
            Dialect::Mysql => format!("NOT (OLD.{column} <=> NEW.{column})"),
            Dialect::Sqlite => format!("OLD.{column} IS NOT NEW.{column}"),
        }
    });
    changed.collect::<Vec<_>>().join(" OR ")
}

/// The search path is that of the migration, whoever writes rows later.
fn postgres(counter: &Counter, trigger: &Trigger) -> Vec<String> {
    let dialect = Dialect::Postgres;
    let name = name(counter, trigger, dialect);
    let when = match trigger.event {
        Event::AfterUpdate | Event::BeforeUpdate => {
            format!(" WHEN ({})", has_changed(trigger, dialect))
        }
        _ => String::new(),
    };
    // Before a change, the row that is returned is the one to delete or to write.
    let returned = match trigger.event {
        Event::BeforeDelete => "OLD",
        Event::BeforeUpdate => "NEW",
        Event::AfterInsert | Event::AfterUpdate | Event::AfterDelete => "NULL",
    };
    vec![
        format!(
            "CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT \
             AS $counter$ BEGIN {} RETURN {returned}; END $counter$",
            trigger.does.join(" ")
        ),
        format!(
            "CREATE TRIGGER {name} {} ON {} FOR EACH ROW{when} EXECUTE FUNCTION {name}()",
            trigger.event.sql(),
            quoted(dialect, &trigger.table)
        ),
    ]
}

fn mysql(counter: &Counter, trigger: &Trigger) -> String {
    let dialect = Dialect::Mysql;
    let does = trigger.does.join(" ");
    let does = match trigger.event {
        Event::AfterUpdate | Event::BeforeUpdate => {
            format!("IF {} THEN {does} END IF;", has_changed(trigger, dialect))
        }
        _ => does,
    };
    format!(
        "CREATE TRIGGER {} {} ON {} FOR EACH ROW BEGIN {does} END",
        name(counter, trigger, dialect),
        trigger.event.sql(),
        quoted(dialect, &trigger.table)
    )
}

fn sqlite(counter: &Counter, trigger: &Trigger) -> String {
    let dialect = Dialect::Sqlite;
    let when = match trigger.event {
        Event::AfterUpdate | Event::BeforeUpdate => {
            format!("WHEN {} ", has_changed(trigger, dialect))
        }
        _ => String::new(),
    };
    format!(
        "CREATE TRIGGER {} {} ON {} FOR EACH ROW {when}BEGIN {} END",
        name(counter, trigger, dialect),
        trigger.event.sql(),
        quoted(dialect, &trigger.table),
        trigger.does.join(" ")
    )
}
