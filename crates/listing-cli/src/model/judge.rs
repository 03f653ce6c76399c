//! Decides what is sensible for a column in a listing: visible or not, its operators, sortable or not.

use listing::{AggregateFunction, FilterOperator};

use super::entity::{Column, Entity, Kind};

/// How a column is treated in `fields()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Returned unless the client names others.
    Default,
    /// Returned when the client names it: heavy, or of interest to few.
    OnRequest,
    /// Looks like a secret.
    Secret,
    /// `id` is always shown, so the column of that key need not be; the mark of a soft delete never is.
    No,
}

pub(crate) fn shown(column: &Column) -> Shown {
    if column.is_id || is_deleted_at(column) {
        return Shown::No;
    }
    if is_secret(column) {
        return Shown::Secret;
    }
    let quiet = column.field == "updated_at" || column.field.ends_with("_id");
    match column.kind {
        Kind::LongText | Kind::Json | Kind::Binary | Kind::List | Kind::Unknown => Shown::OnRequest,
        _ if quiet => Shown::OnRequest,
        _ => Shown::Default,
    }
}

/// The operators that clients may use on a column; none if it should not be a filter.
pub(crate) fn operators(column: &Column) -> Option<Operators> {
    use FilterOperator::{Between, Contains, Equal, In, NotNull, Null};
    if is_secret(column) || is_deleted_at(column) {
        return None;
    }
    let is_reference = column.field.ends_with("_id");
    let (comparisons, mut more) = match column.kind {
        Kind::Integer if column.key || is_reference => (false, vec![Equal, In]),
        Kind::Integer | Kind::Number | Kind::Time => (true, vec![Between]),
        Kind::Boolean => (false, vec![Equal]),
        Kind::Text(_) if column.key || column.unique => (false, vec![Equal, In]),
        Kind::Text(_) => (false, vec![Equal, In, Contains]),
        Kind::LongText => (false, vec![Contains]),
        Kind::Uuid | Kind::Enumeration => (false, vec![Equal, In]),
        Kind::Json | Kind::Binary | Kind::List | Kind::Opaque | Kind::Unknown => return None,
    };
    if column.nullable {
        more.extend([Null, NotNull]);
    }
    Some(Operators { comparisons, more })
}

/// Operators of a filter.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Operators {
    /// All of `FilterOperator::COMPARISONS`.
    pub(crate) comparisons: bool,
    pub(crate) more: Vec<FilterOperator>,
}

/// Whether to count rows by the values of the column: there are few of them, or each refers to another row.
pub(crate) fn is_facet(column: &Column) -> bool {
    let is_open = operators(column).is_some() && !column.key;
    match column.kind {
        Kind::Boolean | Kind::Enumeration => is_open,
        Kind::Integer | Kind::Uuid | Kind::Text(_) => {
            is_open && is_foreign(column) && !column.unique
        }
        _ => false,
    }
}

/// How the column is summed up: by what gives the same digits on every database. A key or a foreign key is not.
pub(crate) fn totals(column: &Column) -> &'static [AggregateFunction] {
    use AggregateFunction::{Average, Max, Min, Sum};
    let is_number = matches!(column.kind, Kind::Integer | Kind::Number);
    let is_quantity = !column.key && !is_foreign(column) && !is_secret(column);
    match (is_number && is_quantity, column.exact) {
        (true, true) => &[Sum, Average, Min, Max],
        (true, false) => &[Min, Max],
        (false, _) => &[],
    }
}

fn is_foreign(column: &Column) -> bool {
    column.foreign || column.field.ends_with("_id")
}

/// Whether an order by the column makes sense to a client.
pub(crate) fn is_sort(column: &Column) -> bool {
    let is_reference = column.field.ends_with("_id");
    let ordered = matches!(
        column.kind,
        Kind::Integer | Kind::Number | Kind::Text(_) | Kind::Time
    );
    column.key || (ordered && !is_reference && !is_secret(column) && !is_deleted_at(column))
}

/// The column that marks a row as deleted.
pub(crate) fn soft_delete(entity: &Entity) -> Option<&Column> {
    entity.columns.iter().find(|column| is_deleted_at(column))
}

fn is_deleted_at(column: &Column) -> bool {
    column.field == "deleted_at" && column.nullable && column.kind == Kind::Time
}

pub(crate) fn is_secret(column: &Column) -> bool {
    column.secret.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::secrets::Why;

    /// Rules b367, b965.
    #[test]
    fn types_of_one_database_are_shown_and_sent_and_have_no_filter() {
        for declared in [
            "Money(None)",
            "Interval(None, None)",
            "Inet",
            "Cidr",
            "MacAddr",
            "Bit(Some(8))",
            "VarBit(8)",
            r#"custom(\"citext\")"#,
            r#"custom(\"ltree\")"#,
            r#"custom(\"oid\")"#,
            r#"custom(\"time with time zone\")"#,
        ] {
            let source = format!(
                "#[derive(DeriveEntityModel)]\n#[sea_orm(table_name = \"hosts\")]\n\
                 pub struct Model {{\n    #[sea_orm(column_type = \"{declared}\")]\n    pub address: String,\n}}\n"
            );
            let entity = Entity::parse("host", &source, &|_| false).unwrap().unwrap();
            let column = &entity.columns[0];
            assert_eq!(operators(column), None, "{declared}");
            assert_eq!(shown(column), Shown::Default, "{declared}");
            assert!(column.sendable, "{declared}");
        }
    }

    fn column(name: &str, kind: Kind, nullable: bool) -> Column {
        Column {
            name: name.to_owned(),
            field: name.to_owned(),
            numbered: false,
            variant: crate::naming::camel(name),
            rust_type: String::new(),
            kind,
            nullable,
            key: false,
            is_id: false,
            unique: false,
            has_default: false,
            computed: false,
            sendable: true,
            foreign: false,
            exact: false,
            alias: None,
            secret: None,
        }
    }

    #[test]
    fn a_secret_is_neither_shown_nor_filtered_nor_sorted() {
        let secret = Column {
            secret: Some(Why::Words("token".to_owned())),
            ..column("reset_token", Kind::Text(None), true)
        };
        assert_eq!(shown(&secret), Shown::Secret);
        assert_eq!(operators(&secret), None);
        assert!(!is_sort(&secret));
    }

    /// Rule b923.
    #[test]
    fn rows_are_counted_by_what_repeats_and_summed_up_by_quantities() {
        let source = "#[derive(DeriveEntityModel)]\n#[sea_orm(table_name = \"orders\")]\npub struct Model {
            #[sea_orm(primary_key)] pub id: i64,
            pub customer_id: i64,
            pub parent: Option<i32>,
            #[sea_orm(unique)] pub invoice_id: i64,
            pub is_paid: bool,
            pub state: State,
            pub title: String,
            pub pieces: i32,
            #[sea_orm(column_type = \"Decimal(Some((10, 2)))\")] pub price: Decimal,
            #[sea_orm(column_type = \"Decimal(None)\")] pub rate: Decimal,
            pub weight: f64,
            pub is_secret: bool,
            pub pin: i32,
            pub placed_at: DateTimeUtc,
            #[sea_orm(belongs_to, from = \"parent\", to = \"id\")] pub above: BelongsTo<Option<Entity>>,
        }";
        let entity = Entity::parse("order", source, &|name| name == "State");
        let mut entity = entity.unwrap().unwrap();
        let pin = entity.columns.iter_mut().find(|one| one.field == "pin");
        pin.unwrap().secret = Some(Why::Words("pin".to_owned()));
        let named = |is_it: &dyn Fn(&Column) -> bool| -> Vec<_> {
            let columns = entity.columns.iter().filter(|column| is_it(column));
            columns.map(|column| column.field.as_str()).collect()
        };
        let facets = ["customer_id", "parent", "is_paid", "state", "is_secret"];
        assert_eq!(named(&is_facet), facets);
        assert_eq!(
            named(&|column| totals(column).len() == 4),
            ["pieces", "price"]
        );
        assert_eq!(
            named(&|column| totals(column).len() == 2),
            ["rate", "weight"]
        );
    }

    #[test]
    fn types_have_their_operators() {
        use FilterOperator::{Between, Contains, Equal, In, NotNull, Null};
        let of = |kind, nullable| operators(&column("x", kind, nullable));
        let some = |comparisons, more: &[FilterOperator]| {
            let more = more.to_vec();
            Some(Operators { comparisons, more })
        };
        assert_eq!(of(Kind::Integer, false), some(true, &[Between]));
        let null = [Between, Null, NotNull];
        assert_eq!(of(Kind::Time, true), some(true, &null));
        assert_eq!(of(Kind::Boolean, false), some(false, &[Equal]));
        assert_eq!(of(Kind::LongText, false), some(false, &[Contains]));
        assert_eq!(of(Kind::Json, true), None);
        let reference = operators(&column("author_id", Kind::Integer, false));
        assert_eq!(reference, some(false, &[Equal, In]));
    }

    /// Rule b505.
    #[test]
    fn a_column_called_id_that_is_not_the_whole_key_has_another_name() {
        let entity = |fields: &str| {
            let source = format!(
                "#[derive(DeriveEntityModel)]\n#[sea_orm(table_name = \"units\")]\npub struct Model {{ {fields} }}"
            );
            Entity::parse("unit", &source, &|_| false).unwrap().unwrap()
        };
        let named = |entity: &Entity| -> Vec<_> {
            let columns = entity.columns.iter();
            columns.map(|column| column.alias.clone()).collect()
        };
        let alone = entity("#[sea_orm(primary_key)] pub id: i64, pub name: String");
        assert_eq!(named(&alone), [None, None]);
        let part = entity(
            "#[sea_orm(primary_key)] pub tenant: i64, \
             #[sea_orm(primary_key, column_name = \"ID\")] pub id: i64",
        );
        assert_eq!(named(&part), [None, Some("unit_id".to_owned())]);
        let taken =
            entity("#[sea_orm(primary_key)] pub code: String, pub id: i64, pub unit_id: i64");
        assert_eq!(
            named(&taken),
            [None, Some("unit_id_column".to_owned()), None]
        );
        let source = crate::source::listing::source(&part, "crate::entity::unit", &[], true);
        for line in [
            ".add_default((Column::Id, \"unit_id\"))",
            "Filter::make(Column::Id).alias(\"unit_id\").allowed_operators([Equal, In]),",
            ".add_default(Column::Tenant)\n            .add((Column::Id, \"unit_id\"))",
            "use crate::entity::unit::{Column, Entity};",
        ] {
            assert!(source.contains(line), "{line}\n{source}");
        }
    }

    /// Rule b124.
    #[test]
    fn a_type_of_the_application_is_shown_on_request_and_has_no_filter() {
        let place = column("place", Kind::Unknown, true);
        assert_eq!(shown(&place), Shown::OnRequest);
        assert_eq!(operators(&place), None);
    }

    #[test]
    fn heavy_columns_are_shown_on_request() {
        assert_eq!(
            shown(&column("body", Kind::LongText, false)),
            Shown::OnRequest
        );
        assert_eq!(
            shown(&column("title", Kind::Text(None), false)),
            Shown::Default
        );
        assert_eq!(shown(&column("deleted_at", Kind::Time, true)), Shown::No);
    }
}
