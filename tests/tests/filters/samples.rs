//! A table with a column of every kind that can be compared, its listing and its rows.
#![expect(unreachable_pub, reason = "the derives make public items")]

use listing::{Fields, Filter, FilterOperator, HasListing, Listing, Search, Sorts};
use sea_orm::Iterable;
use sea_orm::entity::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Enum", enum_name = "filter_state")]
pub enum State {
    #[sea_orm(string_value = "new")]
    New,
    #[sea_orm(string_value = "sold out")]
    SoldOut,
    #[sea_orm(string_value = "gone \"away\"")]
    Gone,
}

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "filter_samples")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    pub small: Option<i16>,
    pub medium: Option<i32>,
    pub big: Option<i64>,
    pub unsigned: Option<u64>,
    pub single: Option<f32>,
    #[sea_orm(column_name = "twofold")]
    pub double: Option<f64>,
    #[sea_orm(column_type = "Decimal(Some((14, 4)))", nullable)]
    pub price: Option<Decimal>,
    pub flag: Option<bool>,
    #[sea_orm(column_type = "Char(Some(6))", nullable)]
    pub code: Option<String>,
    #[sea_orm(column_type = "String(StringLen::N(200))", nullable)]
    pub title: Option<String>,
    pub token: Option<Uuid>,
    pub day: Option<Date>,
    pub clock: Option<Time>,
    pub local: Option<DateTime>,
    pub moment: Option<DateTimeUtc>,
    pub state: Option<State>,
}

impl ActiveModelBehavior for ActiveModel {}

/// Every operator that a column's kind can answer is allowed.
pub struct SampleListing;

impl HasListing for Entity {
    type Listing = SampleListing;
}

impl Listing for SampleListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new().add_default(Column::Title)
    }

    fn filters() -> Vec<Filter<Entity>> {
        use FilterOperator::{Equal, In, NotEqual, NotIn, NotNull, Null};
        let all = FilterOperator::ALL.iter().copied();
        let columns = Column::iter().map(|column| {
            let operators: Vec<_> = match column {
                Column::Code | Column::Title => all.clone().collect(),
                Column::State => vec![Equal, NotEqual, In, NotIn, Null, NotNull],
                _ => all
                    .clone()
                    .filter(|operator| !operator.is_textual())
                    .collect(),
            };
            Filter::make(column).allowed_operators(operators)
        });
        columns.collect()
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new().add_default(Column::Id)
    }

    fn search() -> Option<Search<Entity>> {
        Some(Search::contains([
            Column::Title,
            Column::Medium,
            Column::State,
        ]))
    }
}

/// Ordinary rows, the ends of what the columns hold, and a row of nulls.
pub(crate) fn rows() -> Vec<Model> {
    vec![
        Model {
            id: 1,
            small: Some(-5),
            medium: Some(70_000),
            // One more than a floating-point number can tell from its neighbour.
            big: Some(9_007_199_254_740_993),
            unsigned: Some(5_000_000_000),
            single: Some(0.1),
            double: Some(0.1),
            price: Some("12.5".parse().unwrap()),
            flag: Some(true),
            code: Some("ab".to_owned()),
            title: Some("Ship 🚀 it".to_owned()),
            token: Some("01234567-89ab-cdef-0123-456789abcdef".parse().unwrap()),
            day: Some("2024-02-29".parse().unwrap()),
            clock: Some("03:04:05.5".parse().unwrap()),
            local: Some("2024-02-29T03:04:05.123456".parse().unwrap()),
            moment: Some("2024-02-29T23:59:59.999999Z".parse().unwrap()),
            state: Some(State::New),
        },
        Model {
            id: 2,
            small: Some(300),
            medium: Some(-70_000),
            big: Some(9_007_199_254_740_992),
            unsigned: Some(7),
            single: Some(1.5),
            double: Some(1e300),
            price: Some("0.1".parse().unwrap()),
            flag: Some(false),
            code: Some("AB".to_owned()),
            title: Some("ship 🚀 IT".to_owned()),
            token: Some("ffffffff-ffff-4fff-bfff-ffffffffffff".parse().unwrap()),
            day: Some("2024-03-01".parse().unwrap()),
            clock: Some("23:59:59.999999".parse().unwrap()),
            local: Some("2024-03-01T00:00:00".parse().unwrap()),
            moment: Some("2024-03-01T00:00:00Z".parse().unwrap()),
            state: Some(State::SoldOut),
        },
        Model {
            id: 3,
            small: Some(i16::MIN),
            medium: Some(i32::MIN),
            big: Some(i64::MIN),
            unsigned: Some(0),
            single: Some(-f32::MAX),
            double: Some(-f64::MAX),
            price: Some("-9999999999.9999".parse().unwrap()),
            flag: Some(true),
            code: Some(String::new()),
            title: Some(String::new()),
            token: Some(Uuid::nil()),
            day: Some("1000-01-01".parse().unwrap()),
            clock: Some("00:00:00".parse().unwrap()),
            local: Some("1000-01-01T00:00:00".parse().unwrap()),
            moment: Some("1000-01-01T00:00:00Z".parse().unwrap()),
            state: Some(State::New),
        },
        Model {
            id: 4,
            small: Some(i16::MAX),
            medium: Some(i32::MAX),
            big: Some(i64::MAX),
            unsigned: Some(i64::MAX.cast_unsigned()),
            single: Some(f32::MAX),
            double: Some(f64::MAX),
            price: Some("9999999999.9999".parse().unwrap()),
            flag: Some(false),
            code: Some("abcdef".to_owned()),
            title: Some("null".to_owned()),
            token: Some(Uuid::max()),
            day: Some("9999-12-31".parse().unwrap()),
            clock: Some("12:00:00".parse().unwrap()),
            local: Some("9999-12-31T23:59:59.999999".parse().unwrap()),
            moment: Some("9999-12-31T23:59:59.999999Z".parse().unwrap()),
            state: Some(State::Gone),
        },
        Model {
            id: 5,
            small: Some(-1),
            medium: Some(-1),
            big: Some(-1),
            unsigned: Some(1),
            single: Some(0.0),
            double: Some(0.30000000000000004),
            price: Some("0.0001".parse().unwrap()),
            flag: Some(true),
            code: Some("Ab".to_owned()),
            title: Some("it's \"quoted\" \\ 100%_".to_owned()),
            token: Some("01234567-89ab-cdef-0123-456789abcdee".parse().unwrap()),
            day: Some("2024-02-28".parse().unwrap()),
            clock: Some("03:04:05".parse().unwrap()),
            local: Some("2024-02-29T23:59:59.999999".parse().unwrap()),
            moment: Some("2024-02-28T23:59:59.999999Z".parse().unwrap()),
            state: Some(State::SoldOut),
        },
        Model {
            id: 6,
            small: None,
            medium: None,
            big: None,
            unsigned: None,
            single: None,
            double: None,
            price: None,
            flag: None,
            code: None,
            title: None,
            token: None,
            day: None,
            clock: None,
            local: None,
            moment: None,
            state: None,
        },
    ]
}
