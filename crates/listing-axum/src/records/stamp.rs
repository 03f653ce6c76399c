//! Sets the timestamps of a record that is about to be written.

use chrono::{DateTime, SubsecRound, Utc};
use sea_orm::sea_query::{ColumnType, Value};
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, IdenStatic, Iterable};

/// Now, in the microseconds that every database keeps.
pub(super) fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(6)
}

/// Sets a column of times, if the entity has it; `None` clears it.
pub(super) fn stamp<E: EntityTrait>(
    record: &mut E::ActiveModel,
    column: &str,
    moment: Option<DateTime<Utc>>,
) {
    let Some(column) = E::Column::iter().find(|known| known.as_str() == column) else {
        return;
    };
    let value = match column.def().get_column_type() {
        ColumnType::TimestampWithTimeZone => Value::from(moment),
        _ => Value::from(moment.map(|moment| moment.naive_utc())),
    };
    if let Err(error) = record.try_set(column, value) {
        tracing::error!(%error, column = column.as_str(), "the column takes no chrono time; it is not set");
    }
}
