//! Turns the times of a record into UTC before they are stored (b461).

use sea_orm::sea_query::Value;
use sea_orm::{ActiveModelTrait, ActiveValue, DbErr, EntityTrait, Iterable};

/// Gives every time the offset of UTC: SQLite keeps the text, offset included, and compares times as texts. A `DateTimeLocal`
/// has the offset of the machine, whatever it is given.
pub(super) fn to_utc<E: EntityTrait>(record: &mut E::ActiveModel) -> Result<(), DbErr> {
    for column in E::Column::iter() {
        let ActiveValue::Set(Value::ChronoDateTimeWithTimeZone(Some(moment))) = record.get(column)
        else {
            continue;
        };
        if moment.offset().local_minus_utc() != 0 {
            let moment = moment.to_utc().fixed_offset();
            record.try_set(column, Value::from(moment))?;
        }
    }
    Ok(())
}
