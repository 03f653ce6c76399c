//! Reads the contents of SQLite's columns, which their types do not determine, and writes values in the existing form (b611, b612).

use std::fmt;

use sea_orm::sea_query::{Expr, ExprTrait, SimpleExpr, Value};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};

use crate::check::ColumnOf;
use crate::define::{
    ColumnMeta, EntityId, EntityMeta, FieldSource, Listings, RelationMeta, Whitelist,
};
use crate::sql::{self, Dialect};
use crate::vocabulary::Kind;

pub use crate::vocabulary::{Form, FormCell, MomentText, ZoneText};

/// How many rows of a table are read when a program starts. Reading a text takes a third of a microsecond.
const MOST_ROWS: u64 = 1_000_000;
/// How many of the latest rows of a larger table are read.
const LATEST_ROWS: u64 = 10_000;

/// The findings about a column of SQLite.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SeenColumn {
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
    /// The kind of its values: [`Kind::name`].
    pub kind: &'static str,
    /// The form in which they are kept.
    pub form: Form,
    /// Texts that show the form, or two of several forms.
    pub examples: Vec<String>,
    /// Whether every row was read.
    pub is_complete: bool,
    /// How many rows hold a value that is not of the column's kind; counted only if everything is read.
    pub unfit: u64,
}

impl SeenColumn {
    /// Whether there is nothing to be said of it.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        self.form == Form::Ours && self.unfit == 0 && self.is_complete
    }

    /// A comparison without the help of an index is a warning; a single other form is not.
    pub(crate) fn log(&self) {
        if self.form == Form::Several || !self.is_complete {
            tracing::warn!("{self}");
        } else {
            tracing::info!("{self}");
        }
    }
}

impl fmt::Display for SeenColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            table,
            column,
            kind,
            ..
        } = self;
        write!(f, "`{table}.{column}`: ")?;
        let examples: Vec<_> = self.examples.iter().map(|one| format!("`{one}`")).collect();
        let examples = examples.join(" and ");
        let mut said = Vec::new();
        match self.form {
            Form::Ours => {}
            Form::UuidText => said.push(format!("holds UUIDs as text, such as {examples}")),
            Form::Moments(_) => said.push(format!("holds timestamps such as {examples}")),
            Form::Several => said.push(format!(
                "holds values of the type {kind} in several forms, such as {examples}; they are compared by what they mean, \
                 which no index serves"
            )),
        }
        match self.unfit {
            0 => {}
            1 => said.push(format!(
                "1 row holds a value that is not of the type {kind}"
            )),
            rows => said.push(format!(
                "{rows} rows hold values that are not of the type {kind}"
            )),
        }
        if !self.is_complete {
            said.push(
                "not all rows were looked at; `listing check --database` looks at all of them"
                    .to_owned(),
            );
        }
        f.write_str(&said.join("; "))
    }
}

/// How much of a table is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// The part that can be read while a program starts.
    AtStart,
    /// Everything.
    Completely,
}

impl Listings {
    /// Reads the columns of SQLite whose values can have several forms, so that they are compared in the existing form: UUIDs,
    /// timestamps, dates and booleans (b611). Returns everything that differs from SeaORM's form. Other databases have types, and
    /// nothing is read there.
    ///
    /// [`inspect_indexes`](Self::inspect_indexes) calls it and logs what it returns.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn inspect_forms(&self, db: &impl ConnectionTrait) -> Result<Vec<SeenColumn>, DbErr> {
        if db.get_database_backend() != DbBackend::Sqlite {
            return Ok(Vec::new());
        }
        let mut seen: Vec<SeenColumn> = Vec::new();
        for place in self.places() {
            let known =
                |one: &&SeenColumn| one.table == place.table && one.column == place.meta.name;
            let found = match seen.iter().find(known) {
                Some(known) => known.form,
                None => {
                    let looked = look(db, place.table, &place.meta, Look::AtStart).await;
                    let one = match looked {
                        Ok(one) => one,
                        // A table that does not exist is reported when it is requested.
                        Err(error) if error.to_string().contains("no such ") => continue,
                        Err(error) => return Err(error),
                    };
                    seen.push(one.clone());
                    one.form
                }
            };
            place.cell.set(found);
        }
        seen.retain(|one| !one.is_usual());
        Ok(seen)
    }

    /// A value that SeaORM would write, in the form in which the entity's column keeps it.
    #[must_use]
    pub fn stored_value(
        &self,
        entity: EntityId,
        column: &str,
        value: Value,
        dialect: Dialect,
    ) -> Value {
        let meta = self.other_form(entity, column, dialect);
        let stored = meta.and_then(|meta| sql::stored(&value, meta.form()));
        stored.unwrap_or(value)
    }

    /// The condition that the entity's column holds a value that SeaORM would write, in whichever form it is kept.
    #[must_use]
    pub fn holds(
        &self,
        entity: EntityId,
        column: &str,
        value: Value,
        dialect: Dialect,
    ) -> Option<SimpleExpr> {
        let meta = self.other_form(entity, column, dialect)?;
        let table = &self.by_id(entity)?.entity.name;
        let of = ColumnOf::of(table, meta);
        let own = || Expr::col((table.to_string(), meta.name.to_string()));
        let compared = sql::compared(of, dialect).unwrap_or_else(own);
        Some(compared.eq(sql::stored(&value, meta.form()).unwrap_or(value)))
    }

    /// Whether a column of the entity keeps its values in another form than SeaORM's.
    #[must_use]
    pub fn has_other_forms(&self, entity: EntityId, dialect: Dialect) -> bool {
        let whitelist = self.by_id(entity).filter(|_| dialect == Dialect::Sqlite);
        let mut columns = whitelist
            .into_iter()
            .flat_map(|whitelist| &whitelist.entity.columns);
        columns.any(|column| column.form() != Form::Ours)
    }

    fn other_form(&self, entity: EntityId, column: &str, dialect: Dialect) -> Option<&ColumnMeta> {
        if dialect != Dialect::Sqlite {
            return None;
        }
        let entity = &self.by_id(entity)?.entity;
        let meta = &entity.columns[entity.column(column)?];
        (meta.form() != Form::Ours).then_some(meta)
    }

    /// Every place in which a form is kept.
    fn places(&self) -> Vec<Place<'_>> {
        let mut places = Vec::new();
        for whitelist in self.iter() {
            of_entity(&whitelist.entity, &mut places);
            for relation in relations(whitelist) {
                of_entity(&relation.target, &mut places);
                of_junction(&whitelist.entity, relation, &mut places);
            }
        }
        places
    }
}

/// A place in which the form of a column is kept.
struct Place<'l> {
    table: &'l str,
    meta: ColumnMeta,
    cell: &'l FormCell,
}

fn of_entity<'l>(entity: &'l EntityMeta, places: &mut Vec<Place<'l>>) {
    let columns = entity.columns.iter().filter(|column| has_forms(column));
    places.extend(columns.map(|column| Place {
        table: &entity.name,
        meta: column.clone(),
        cell: &column.kept,
    }));
}

/// The columns of a junction have no separate types, but hold keys of the two sides.
fn of_junction<'l>(parent: &EntityMeta, relation: &'l RelationMeta, places: &mut Vec<Place<'l>>) {
    let Some(through) = &relation.through else {
        return;
    };
    let sides = [
        (parent, &relation.from, &through.to_parent, &through.kept[0]),
        (
            &relation.target,
            &relation.to,
            &through.to_target,
            &through.kept[1],
        ),
    ];
    for (entity, own, names, cell) in sides {
        let own = own.first().and_then(|own| entity.column(own));
        let (Some(own), Some(name)) = (own, names.first()) else {
            continue;
        };
        let meta = ColumnMeta {
            name: name.clone(),
            ..entity.columns[own].clone()
        };
        if meta.kind == Kind::Uuid {
            places.push(Place {
                table: &through.name,
                meta,
                cell,
            });
        }
    }
}

fn relations(whitelist: &Whitelist) -> impl Iterator<Item = &RelationMeta> {
    let fields = whitelist.fields.iter().chain(&whitelist.show);
    let counts = fields.filter_map(|field| match &field.source {
        FieldSource::Count(relation) => Some(&relation.meta),
        _ => None,
    });
    let related = whitelist
        .related
        .iter()
        .map(|related| &related.relation.meta);
    let populated = whitelist.relations.iter().map(|relation| &relation.meta);
    populated.chain(related).chain(counts)
}

fn has_forms(column: &ColumnMeta) -> bool {
    let has = matches!(
        column.kind,
        Kind::Uuid | Kind::Timestamp | Kind::Date | Kind::Boolean
    );
    has && !column.numeric
}

/// Looks at a column of a table.
///
/// # Errors
/// When the database does not answer, or has no such column.
pub async fn look(
    db: &impl ConnectionTrait,
    table: &str,
    meta: &ColumnMeta,
    look: Look,
) -> Result<SeenColumn, DbErr> {
    let of = ColumnOf::of(table, meta);
    let column = Looked {
        db,
        column: quoted(&meta.name),
        table: quoted(table),
        look,
        is_large: false,
    };
    let column = column.sized().await?;
    let (form, examples) = if has_forms(meta) {
        column.form(meta).await?
    } else {
        (Form::Ours, Vec::new())
    };
    let unfit = match (look, sql::unfit(of)) {
        (Look::Completely, Some(unfit)) => column.count(&unfit).await?,
        _ => 0,
    };
    Ok(SeenColumn {
        table: table.to_owned(),
        column: meta.name.to_string(),
        kind: meta.kind.name(),
        form,
        examples,
        is_complete: !column.is_large,
        unfit,
    })
}

/// A column that is read.
struct Looked<'d, D> {
    db: &'d D,
    table: String,
    column: String,
    look: Look,
    /// Whether the table has more rows than are read.
    is_large: bool,
}

impl<D: ConnectionTrait> Looked<'_, D> {
    async fn sized(mut self) -> Result<Self, DbErr> {
        if self.look == Look::AtStart {
            let limit = MOST_ROWS + 1;
            let sql = format!(
                "SELECT count(*) FROM (SELECT 1 FROM {} LIMIT {limit})",
                self.table
            );
            let rows: i64 = self.first(&sql).await?.unwrap_or_default();
            self.is_large = u64::try_from(rows).is_ok_and(|rows| rows > MOST_ROWS);
        }
        Ok(self)
    }

    /// The form of all values that are read, with the expression that shows it.
    async fn form(&self, meta: &ColumnMeta) -> Result<(Form, Vec<String>), DbErr> {
        let Some(first) = self.other("0").await? else {
            return Ok((Form::Ours, Vec::new()));
        };
        let mut other = None;
        for (form, is_it) in candidates(meta, &first) {
            match self.other(&is_it).await? {
                None if form == Form::Ours => return Ok((form, Vec::new())),
                None => return Ok((form, vec![first])),
                found => other = found,
            }
        }
        let mut examples = vec![first];
        examples.extend(other);
        examples.dedup();
        Ok((Form::Several, examples))
    }

    /// A value for which the condition on `v` does not hold, as text.
    async fn other(&self, is_it: &str) -> Result<Option<String>, DbErr> {
        let Self { table, column, .. } = self;
        let first = match self.look {
            Look::Completely => format!("SELECT {column} AS v FROM {table}"),
            Look::AtStart => format!("SELECT {column} AS v FROM {table} LIMIT {MOST_ROWS}"),
        };
        let latest =
            format!("SELECT {column} AS v FROM {table} ORDER BY rowid DESC LIMIT {LATEST_ROWS}");
        let among = |rows: &str| {
            format!(
                "SELECT CASE typeof(v) WHEN 'blob' THEN hex(v) ELSE CAST(v AS TEXT) END FROM ({rows}) \
                 WHERE v IS NOT NULL AND ({is_it}) IS NOT TRUE LIMIT 1"
            )
        };
        let found = self.first(&among(&first)).await?;
        if found.is_some() || !self.is_large {
            return Ok(found);
        }
        // A view has no such number, and neither has a table without one.
        Ok(self.first(&among(&latest)).await.unwrap_or_default())
    }

    async fn count(&self, condition: &str) -> Result<u64, DbErr> {
        let sql = format!("SELECT count(*) FROM {} WHERE {condition}", self.table);
        let rows: Option<i64> = self.first(&sql).await?;
        Ok(rows
            .and_then(|rows| u64::try_from(rows).ok())
            .unwrap_or_default())
    }

    async fn first<T: sea_orm::TryGetable>(&self, sql: &str) -> Result<Option<T>, DbErr> {
        let statement = Statement::from_string(DbBackend::Sqlite, sql);
        let row = self.db.query_one_raw(statement).await?;
        row.map(|row| row.try_get_by_index(0)).transpose()
    }
}

/// The forms that a column can have, given one of its values, each with the condition that `v` has it.
fn candidates(meta: &ColumnMeta, first: &str) -> Vec<(Form, String)> {
    match meta.kind {
        Kind::Uuid => {
            let pattern = ["????????", "????", "????", "????", "????????????"].join("-");
            let bytes = "typeof(v) = 'blob' AND length(v) = 16".to_owned();
            let text = format!("typeof(v) = 'text' AND v GLOB '{pattern}' AND v = lower(v)");
            vec![(Form::Ours, bytes), (Form::UuidText, text)]
        }
        Kind::Timestamp => {
            let mut forms = vec![(Form::Ours, ours(meta.is_zoned()))];
            forms.extend(MomentText::of(first).map(|shape| {
                let pattern = shape.pattern();
                (
                    Form::Moments(shape),
                    format!("typeof(v) = 'text' AND v GLOB '{pattern}'"),
                )
            }));
            forms
        }
        Kind::Date => vec![(Form::Ours, "v GLOB '????-??-??'".to_owned())],
        Kind::Boolean => vec![(
            Form::Ours,
            "typeof(v) = 'integer' AND v IN (0, 1)".to_owned(),
        )],
        _ => Vec::new(),
    }
}

/// The condition that a moment is in SeaORM's form: without a fraction, or with three or six digits, as few as it needs.
fn ours(is_zoned: bool) -> String {
    let whole = MomentText::ours(is_zoned);
    let of = |digits: u8| MomentText { digits, ..whole }.pattern();
    let zone = whole.zone.text();
    let (none, three, six) = (of(0), of(3), of(6));
    format!(
        "v GLOB '{none}' OR (v GLOB '{three}' AND v NOT GLOB '*.000{zone}') \
         OR (v GLOB '{six}' AND v NOT GLOB '*000{zone}')"
    )
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
