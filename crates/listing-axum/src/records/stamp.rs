//! Sets the timestamps of a record before it is written, whatever the types of its fields (b460).

use chrono::{DateTime, Local, SubsecRound, Utc};
use listing::{DefinitionError, HasListing, Listing};
use sea_orm::sea_query::{ColumnType, Value};
use sea_orm::{ActiveModelTrait, ColumnTrait, DbErr, EntityTrait, IdenStatic, Iterable};

use super::Operation;

/// The current time, rounded to the microseconds that every database stores.
pub(super) fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(6)
}

/// Sets `created_at` or `updated_at`, if the entity has such a column and it stores times. The application sets columns of other
/// types, such as integers.
///
/// # Errors
/// When the column stores times and its field accepts none of ours: the record must not be written without it.
pub(super) fn stamp<E: EntityTrait>(
    record: &mut E::ActiveModel,
    column: &str,
    moment: DateTime<Utc>,
) -> Result<(), DbErr> {
    let Some(column) = column_of::<E>(column) else {
        return Ok(());
    };
    let is_set = set::<E>(record, column, Some(moment));
    if is_of_times(column) { is_set } else { Ok(()) }
}

/// Sets the column of a soft delete; `None` clears it.
///
/// # Errors
/// When the column cannot store a time: a record that is reported as deleted must be deleted.
pub(super) fn stamp_deleted<E: EntityTrait>(
    record: &mut E::ActiveModel,
    column: &str,
    moment: Option<DateTime<Utc>>,
) -> Result<(), DbErr> {
    let missing = || DbErr::Type(format!("there is no column `{column}`"));
    let column = column_of::<E>(column).ok_or_else(missing)?;
    set::<E>(record, column, moment)
}

/// The operations that could not set their timestamps, and why; found at start-up.
pub(super) fn mistakes<E: HasListing>() -> Vec<(Operation, DefinitionError)> {
    let stamps = [
        (Operation::Store, "created_at"),
        (Operation::Store, "updated_at"),
        (Operation::Update, "updated_at"),
    ];
    let stamps = stamps.into_iter().filter_map(|(operation, name)| {
        let column = column_of::<E>(name)?;
        is_of_times(column).then_some((operation, column, "column"))
    });
    let deleted = E::Listing::soft_delete().into_iter().flat_map(|column| {
        [Operation::Destroy, Operation::Restore].map(|operation| (operation, column, "soft_delete"))
    });
    stamps
        .chain(deleted)
        .filter(|(_, column, _)| {
            let mut record = <E::ActiveModel as ActiveModelTrait>::default();
            set::<E>(&mut record, *column, Some(now())).is_err()
        })
        .map(|(operation, column, place)| {
            let problem =
                "its field takes no time, so that it could not be set when a record is written";
            let remedy =
                "give the field a type of chrono, such as `DateTimeUtc`, or of `time` with the feature `time`, or replace the operation";
            let mistake = DefinitionError::of::<E>(place, column.as_str(), problem, remedy);
            (operation, mistake)
        })
        .collect()
}

fn column_of<E: EntityTrait>(name: &str) -> Option<E::Column> {
    E::Column::iter().find(|known| known.as_str() == name)
}

fn is_of_times(column: impl ColumnTrait) -> bool {
    matches!(
        column.def().get_column_type(),
        ColumnType::DateTime
            | ColumnType::Timestamp
            | ColumnType::TimestampWithTimeZone
            | ColumnType::Date
    )
}

/// A field accepts only values of its own type, also for null, and does not say which type that is.
fn set<E: EntityTrait>(
    record: &mut E::ActiveModel,
    column: E::Column,
    moment: Option<DateTime<Utc>>,
) -> Result<(), DbErr> {
    let mut forms = [
        Value::from(moment),
        Value::from(moment.map(|moment| moment.fixed_offset())),
        Value::from(moment.map(|moment| moment.with_timezone(&Local))),
        Value::from(moment.map(|moment| moment.naive_utc())),
        Value::from(moment.map(|moment| moment.date_naive())),
    ]
    .into_iter()
    .chain(forms_of_time(moment));
    let is_set = forms.any(|form| record.try_set(column, form).is_ok());
    if is_set {
        return Ok(());
    }
    let name = column.as_str();
    Err(DbErr::Type(format!("the field of `{name}` takes no time")))
}

/// A moment, in the types of the crate `time`.
#[cfg(feature = "time")]
fn forms_of_time(moment: Option<DateTime<Utc>>) -> impl Iterator<Item = Value> {
    use sea_orm::prelude::{TimeDateTime, TimeDateTimeWithTimeZone};

    let moment = moment.and_then(|moment| {
        let nanos = i128::from(moment.timestamp_micros()) * 1000;
        TimeDateTimeWithTimeZone::from_unix_timestamp_nanos(nanos).ok()
    });
    [
        Value::from(moment),
        Value::from(moment.map(|moment| TimeDateTime::new(moment.date(), moment.time()))),
        Value::from(moment.map(TimeDateTimeWithTimeZone::date)),
    ]
    .into_iter()
}

#[cfg(not(feature = "time"))]
fn forms_of_time(_: Option<DateTime<Utc>>) -> impl Iterator<Item = Value> {
    std::iter::empty()
}

#[cfg(all(test, feature = "time"))]
mod tests {
    use sea_orm::ActiveValue::Set;
    use sea_orm::entity::prelude::*;

    use super::{DateTime, stamp, stamp_deleted};

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "events")]
    pub(super) struct Model {
        #[sea_orm(primary_key)]
        pub(super) id: i64,
        pub(super) created_at: TimeDateTimeWithTimeZone,
        pub(super) updated_at: TimeDateTime,
        pub(super) deleted_at: Option<TimeDate>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}

    /// Rule b460.
    #[test]
    fn times_of_the_crate_time_are_set_and_cleared() {
        let moment = DateTime::from_timestamp_micros(1_500_000).unwrap();
        let mut event = <ActiveModel as sea_orm::ActiveModelTrait>::default();
        stamp::<Entity>(&mut event, "created_at", moment).unwrap();
        stamp::<Entity>(&mut event, "updated_at", moment).unwrap();
        stamp_deleted::<Entity>(&mut event, "deleted_at", Some(moment)).unwrap();
        let created = event.created_at.clone().unwrap();
        assert_eq!(created.unix_timestamp_nanos(), 1_500_000_000);
        let updated = event.updated_at.clone().unwrap();
        assert_eq!(updated.assume_utc(), created);
        assert_eq!(event.deleted_at, Set(Some(created.date())));
        stamp_deleted::<Entity>(&mut event, "deleted_at", None).unwrap();
        assert_eq!(event.deleted_at, Set(None));
    }
}
