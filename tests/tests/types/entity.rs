//! An entity with every column type that the three databases share.

use sea_orm::entity::prelude::*;

#[derive(Debug, Clone, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Enum", enum_name = "types_state")]
pub enum State {
    #[sea_orm(string_value = "new")]
    New,
    #[sea_orm(string_value = "sold out")]
    SoldOut,
}

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "types_everything")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    #[sea_orm(column_type = "Char(Some(6))", nullable)]
    pub code: Option<String>,
    #[sea_orm(column_type = "String(StringLen::N(200))", nullable)]
    pub title: Option<String>,
    #[sea_orm(column_type = "Text", nullable)]
    pub body: Option<String>,
    // SeaORM sends an `i8` to PostgreSQL as a "char", which a SMALLINT does not take.
    #[sea_orm(column_type = "TinyInteger", nullable)]
    pub tiny: Option<i16>,
    pub small: Option<i16>,
    pub medium: Option<i32>,
    pub big: Option<i64>,
    pub tiny_unsigned: Option<u8>,
    pub small_unsigned: Option<u16>,
    pub medium_unsigned: Option<u32>,
    pub big_unsigned: Option<u64>,
    pub single: Option<f32>,
    #[sea_orm(column_name = "double_value")]
    pub double: Option<f64>,
    #[sea_orm(column_type = "Decimal(Some((14, 4)))", nullable)]
    pub price: Option<Decimal>,
    #[sea_orm(column_type = "Money(None)", nullable)]
    pub cost: Option<Decimal>,
    pub local: Option<DateTime>,
    #[sea_orm(column_type = "Timestamp", nullable)]
    pub stamp: Option<DateTime>,
    pub zoned: Option<DateTimeWithTimeZone>,
    pub utc: Option<DateTimeUtc>,
    pub day: Option<Date>,
    pub clock: Option<Time>,
    #[sea_orm(column_type = "Blob", nullable)]
    pub large_bytes: Option<Vec<u8>>,
    #[sea_orm(column_type = "Binary(4)", nullable)]
    pub fixed_bytes: Option<Vec<u8>>,
    #[sea_orm(column_type = "VarBinary(StringLen::N(16))", nullable)]
    pub some_bytes: Option<Vec<u8>>,
    pub flag: Option<bool>,
    #[sea_orm(column_type = "Json", nullable)]
    pub data: Option<Json>,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub more_data: Option<Json>,
    pub token: Option<Uuid>,
    pub state: Option<State>,
}

impl ActiveModelBehavior for ActiveModel {}
