//! Changes many records with one statement for each kind of check and each write (d126, d127).

use std::collections::HashMap;

use sea_orm::sea_query::{CaseStatement, Expr, Query, Value};
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityName,
    EntityTrait, IdenStatic, IntoActiveModel, Iterable,
};

use super::super::attempt::Whole;
use super::checks::{are_in_scope, is_taken, references_exist, share_values};
use super::{MOST_VALUES, Prepared, Together, finish, is_ready};
use crate::http::ApiError;
use crate::records::bind::PathId;
use crate::records::change::{Draft, id_in, primary_key};
use crate::records::history::remember;
use crate::records::hooks::Change;
use crate::records::resource::{ActiveModelOf, ColumnOf, ModelOf, Operation, WritableResource};
use crate::records::stamp::{now, stamp};
use crate::records::write::undone;

/// The most rows in a statement that sets a different value for each of them. It compares every row with every case.
const MOST_CASES: usize = 1_000;

/// Changes records that were read and locked, if they can be written together.
pub(in super::super) async fn update<R: WritableResource>(
    turns: Vec<(ModelOf<R>, &Draft<'_, R>)>,
    whole: &Whole<'_, R>,
    transaction: &DatabaseTransaction,
) -> Result<Together<R>, ApiError> {
    if turns.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let Some(Prepared { key, dialect }) = Prepared::of(whole, transaction)? else {
        return Ok(None);
    };
    let id = PathId::default();
    let asked = whole.asked(&id);
    let moment = now();
    let mut changes = Vec::with_capacity(turns.len());
    let mut keys = Vec::with_capacity(turns.len());
    for (old, draft) in turns {
        let mut record = old.clone().into_active_model();
        let own = primary_key::<R>(&record).unwrap_or_default();
        let (errors, links) = draft.write(&mut record)?;
        if !errors.is_empty() || links.iter().any(|(_, links)| !links.is_empty()) {
            return Ok(None);
        }
        let before = (Some(old), record);
        let update = Operation::Update;
        let mut change = Change::<R>::new(update, &asked, draft.names, transaction, before);
        change.names_it(id_in::<R>(&own, &asked));
        R::before_update(&mut change).await?;
        stamp::<R::Entity>(&mut change.record, "updated_at", moment)?;
        let is_same = primary_key::<R>(&change.record).is_some_and(|key| key == own);
        if !is_ready(&mut change, draft.names, dialect)? || !is_same {
            return Ok(None);
        }
        keys.extend(own);
        changes.push(change);
    }
    if is_taken(&changes, whole, transaction).await?
        || !references_exist(&changes, whole, dialect, transaction).await?
    {
        return Ok(None);
    }
    remember(&mut changes, whole.listings, transaction).await?;
    if !write(&changes, &keys, key, transaction).await?
        || share_values(&changes, &keys, key, whole, transaction).await?
        || !are_in_scope(&keys, key, whole, dialect, transaction).await?
    {
        return Ok(None);
    }
    for change in &mut changes {
        R::after_update(change).await?;
    }
    finish(changes, whole, transaction).await
}

/// Writes the columns that are set, with one statement for all records that set the same columns. Returns whether each record was
/// updated exactly once.
pub(super) async fn write<R: WritableResource>(
    changes: &[Change<'_, R>],
    keys: &[Value],
    key: ColumnOf<R>,
    db: &DatabaseTransaction,
) -> Result<bool, ApiError> {
    type Alike<'r, R> = (Vec<ColumnOf<R>>, Vec<(&'r Value, &'r ActiveModelOf<R>)>);
    let mut groups: HashMap<Vec<&str>, Alike<'_, R>> = HashMap::new();
    for (change, own) in changes.iter().zip(keys) {
        let columns = <R::Entity as EntityTrait>::Column::iter().filter(|column| {
            let is_set = matches!(change.record.get(*column), ActiveValue::Set(_));
            is_set && column.as_str() != key.as_str()
        });
        let columns: Vec<_> = columns.collect();
        let names = columns.iter().map(IdenStatic::as_str).collect();
        let (_, rows) = groups.entry(names).or_insert((columns, Vec::new()));
        rows.push((own, &change.record));
    }
    for (columns, rows) in groups.into_values() {
        if columns.is_empty() {
            continue;
        }
        let values: Vec<_> = columns
            .iter()
            .map(|column| Values::of::<R>(*column, &rows))
            .collect();
        let own = values.iter().filter(|values| values.differ()).count();
        let most = match own {
            0 => MOST_VALUES - columns.len(),
            own => MOST_CASES.min((MOST_VALUES - columns.len()) / (1 + 2 * own)),
        };
        let count = rows.len();
        for from in (0..count).step_by(most.max(1)) {
            let these = from..count.min(from + most.max(1));
            let own: Vec<_> = rows[these.clone()]
                .iter()
                .map(|(own, _)| (*own).clone())
                .collect();
            let mut query = Query::update();
            query.table(R::Entity::default().table_ref());
            for (column, values) in columns.iter().zip(&values) {
                let value = match values {
                    Values::One(value) => column.save_as(Expr::val(value.clone())),
                    Values::Each(values) => {
                        let cases = own.iter().zip(&values[these.clone()]);
                        let cases = cases.fold(CaseStatement::new(), |cases, (own, value)| {
                            let value = column.save_as(Expr::val(value.clone()));
                            cases.case(key.eq(own.clone()), value)
                        });
                        cases.into()
                    }
                };
                query.value(*column, value);
            }
            query.and_where(key.is_in(own.iter().cloned()));
            let written = db.execute(&query).await.map_err(undone)?.rows_affected();
            if usize::try_from(written) != Ok(own.len()) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The values written to one column of several rows.
enum Values {
    One(Value),
    Each(Vec<Value>),
}

impl Values {
    fn of<R: WritableResource>(column: ColumnOf<R>, rows: &[(&Value, &ActiveModelOf<R>)]) -> Self {
        let values = rows
            .iter()
            .filter_map(|(_, record)| match record.get(column) {
                ActiveValue::Set(value) => Some(value),
                _ => None,
            });
        let values: Vec<_> = values.collect();
        match values.first() {
            Some(first) if values.iter().all(|value| value == first) => Self::One(first.clone()),
            _ => Self::Each(values),
        }
    }

    fn differ(&self) -> bool {
        matches!(self, Self::Each(_))
    }
}
