//! Tells which columns of SQLite hold values in other forms than SeaORM's, or values that are not of their type (b611, b613).

use listing::entity::{ColumnMeta, kind_of};
use listing::stored::{Look, SeenColumn, look};
use listing::whitelist::{ColumnDescription, ListingDescription};
use sea_orm::sea_query::ColumnType;
use sea_orm::{DatabaseConnection, DbBackend};

/// The remarkable values in every column of every listing. All rows are checked.
pub(super) async fn seen(
    db: &DatabaseConnection,
    listings: &[ListingDescription],
) -> Vec<SeenColumn> {
    let mut seen = Vec::new();
    if db.get_database_backend() != DbBackend::Sqlite {
        return seen;
    }
    for table in listings.iter().map(|listing| &listing.table) {
        for meta in table.columns.iter().filter_map(meta) {
            // A column that does not exist is reported elsewhere.
            if let Ok(one) = look(db, &table.name, &meta, Look::Completely).await {
                seen.push(one);
            }
        }
    }
    seen.retain(|one| !one.is_usual());
    seen
}

/// A column of whose kind SQLite may hold other values.
fn meta(column: &ColumnDescription) -> Option<ColumnMeta> {
    let column_type = match (&*column.kind, column.rust_type.as_deref()) {
        ("integer", _) => ColumnType::BigInteger,
        ("float", _) => ColumnType::Double,
        ("decimal", _) => ColumnType::Decimal(None),
        ("boolean", _) => ColumnType::Boolean,
        ("uuid", _) => ColumnType::Uuid,
        ("date", _) => ColumnType::Date,
        ("timestamp", Some("DateTimeUtc")) => ColumnType::TimestampWithTimeZone,
        ("timestamp", _) => ColumnType::DateTime,
        ("json", _) => ColumnType::Json,
        _ => return None,
    };
    Some(ColumnMeta {
        name: column.name.clone().into(),
        kind: kind_of(&column_type),
        column_type,
        nullable: column.nullable,
        unique: false,
        values: None,
        numeric: false,
        kept: listing::stored::FormCell::default(),
    })
}

#[cfg(test)]
mod tests {
    use sea_orm::{ConnectOptions, ConnectionTrait, Database};
    use serde_json::json;

    use super::*;

    fn payments() -> ListingDescription {
        let column = |name: &str, kind: &str, rust_type: Option<&str>| json!({ "name": name, "kind": kind, "nullable": true, "rust_type": rust_type });
        let columns = [
            column("id", "integer", None),
            column("amount", "decimal", None),
            column("number", "integer", None),
            column("key", "uuid", None),
            column("paid_at", "timestamp", Some("DateTime")),
            column("made_at", "timestamp", Some("DateTime")),
            column("day", "date", None),
            column("data", "json", None),
        ];
        let listing = json!({
            "listing": "PaymentListing",
            "table": { "schema": null, "name": "payments", "columns": columns },
            "key": "id", "soft_delete": null, "fields": [], "filters": [], "sorts": [], "relations": [],
        });
        serde_json::from_value(listing).unwrap()
    }

    /// Rules b611, b613.
    #[tokio::test]
    async fn columns_are_named_with_the_forms_and_the_number_of_rows_that_do_not_fit() {
        let mut options = ConnectOptions::new("sqlite::memory:");
        options.max_connections(1);
        let db = Database::connect(options).await.unwrap();
        let schema = "CREATE TABLE payments (id integer PRIMARY KEY, amount decimal(5, 2), number integer, key uuid, \
            paid_at timestamp, made_at timestamp, day date, data json);
            INSERT INTO payments (amount, number, key, paid_at, made_at, day, data) VALUES
            (5, 7, '0b5f8a0e-3c6d-4a51-9d5c-6f3a4b2c1d0e', '2024-05-31T10:00:00Z', '2024-05-31 10:00:00', '2024-05-31', '{}'),
            (5.99, 'abc', '1b5f8a0e-3c6d-4a51-9d5c-6f3a4b2c1d0e', '2024-05-31 10:00:00', '2024-05-31 10:00:00.5', 'never', '5'),
            ('many', 'xyz', null, '2024-05-31 10:00:00.000', '2024-05-31 10:00:00.500', null, 'nothing');";
        db.execute_unprepared(schema).await.unwrap();
        let seen = seen(&db, &[payments()]).await;
        let told: Vec<_> = seen.iter().map(ToString::to_string).collect();
        let several = "they are compared by what they mean, which no index serves";
        assert_eq!(
            told,
            [
                "`payments.amount`: 1 row holds a value that is not of the type decimal".to_owned(),
                "`payments.number`: 2 rows hold values that are not of the type integer".to_owned(),
                "`payments.key`: holds UUIDs as text, such as `0b5f8a0e-3c6d-4a51-9d5c-6f3a4b2c1d0e`"
                    .to_owned(),
                format!(
                    "`payments.paid_at`: holds values of the type timestamp in several forms, such as \
                     `2024-05-31T10:00:00Z` and `2024-05-31 10:00:00`; {several}"
                ),
                format!(
                    "`payments.made_at`: holds values of the type timestamp in several forms, such as \
                     `2024-05-31 10:00:00` and `2024-05-31 10:00:00.5`; {several}"
                ),
                format!(
                    "`payments.day`: holds values of the type date in several forms, such as \
                     `2024-05-31` and `never`; {several}; 1 row holds a value that is not of the type date"
                ),
                "`payments.data`: 1 row holds a value that is not of the type json".to_owned(),
            ]
        );
    }
}
