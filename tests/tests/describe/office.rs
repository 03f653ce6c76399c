//! An office in which not everybody may see everything.

use axum::extract::FromRef;
use futures_util::FutureExt;
use garde::Validate;
use listing::{Context, Listings, ReadPool, Settings};
use listing_axum::Given;
use listing_axum::describe::ApiDescription;
use listing_axum::{
    Access, Api, ApiInfo, BuiltApi, Denied, Operation, Payload, Resource, WritableResource, policy,
};
use sea_orm::DatabaseConnection;

/// Everybody who works there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member(pub(crate) i64);

/// Those who know what the others earn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Manager;

#[derive(Debug, Clone, FromRef)]
pub(crate) struct App {
    db: DatabaseConnection,
    reads: ReadPool,
    listings: Listings,
}

pub(crate) mod employee {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[derive(
        Clone, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum, serde::Deserialize, Default,
    )]
    #[sea_orm(
        rs_type = "String",
        db_type = "String(StringLen::N(10))",
        rename_all = "snake_case"
    )]
    #[serde(rename_all = "snake_case")]
    pub enum Status {
        #[default]
        Active,
        OnLeave,
    }

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "employees")]
    pub(crate) struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        #[sea_orm(column_type = "String(StringLen::N(80))")]
        pub name: String,
        pub email: String,
        pub grade: i16,
        pub status: Status,
        pub badge: i64,
        pub secret_number: i64,
        pub desk_id: Option<i64>,
        #[sea_orm(belongs_to, from = "desk_id", to = "id")]
        pub desk: BelongsTo<Option<super::desk::Entity>>,
        #[sea_orm(has_many)]
        pub salaries: HasMany<super::salary::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub(crate) struct EmployeeListing;
    impl HasListing for Entity {
        type Listing = EmployeeListing;
    }
    impl Listing for EmployeeListing {
        type Entity = Entity;
        fn fields() -> Fields<Entity> {
            Fields::new()
                .add_defaults([Column::Name, Column::Status])
                .add(Field::column(Column::Badge).as_text())
                .add(Column::DeskId)
        }
        fn relations() -> Relations<Entity> {
            Relations::new().add(Entity::DESK)
        }
        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::make(Column::Status)
                    .allowed_operators(FilterOperator::EQUALITY)
                    .label_resolver(|value| value.replace('_', " ")),
                Filter::make(Column::DeskId).allowed_operators(FilterOperator::EQUALITY),
                Filter::relation(Entity::DESK).only(["label"]),
            ]
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add_default(Column::Name)
        }
    }
}

pub(crate) mod desk {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "desks")]
    pub(crate) struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub label: String,
        pub floor: i32,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub(crate) struct DeskListing;
    impl HasListing for Entity {
        type Listing = DeskListing;
    }
    impl Listing for DeskListing {
        type Entity = Entity;
        fn fields() -> Fields<Entity> {
            Fields::new().add_default(Column::Label)
        }
        fn filters() -> Vec<Filter<Entity>> {
            use FilterOperator::{Contains, Equal};
            vec![
                Filter::make(Column::Label).allowed_operators([Equal, Contains]),
                Filter::make(Column::Floor).allowed_operators(Equal),
            ]
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

pub(crate) mod salary {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "salaries")]
    pub(crate) struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub employee_id: i64,
        #[sea_orm(column_type = "Decimal(Some((9, 2)))")]
        pub amount: Decimal,
        #[sea_orm(belongs_to, from = "employee_id", to = "id")]
        pub employee: BelongsTo<super::employee::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub(crate) struct SalaryListing;
    impl HasListing for Entity {
        type Listing = SalaryListing;
    }
    impl Listing for SalaryListing {
        type Entity = Entity;
        fn fields() -> Fields<Entity> {
            Fields::new().add_defaults([Column::Amount, Column::EmployeeId])
        }
        fn relations() -> Relations<Entity> {
            Relations::new().add(Entity::EMPLOYEE)
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

/// Everybody known reads employees; a record is changed by the employee that it is about, and removed by managers.
pub(crate) struct Employees;

impl Resource for Employees {
    type Entity = employee::Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        let Some(member) = access.context().get::<Member>() else {
            return Err(Denied::Unauthenticated);
        };
        match access.operation() {
            Operation::Index | Operation::Show => Ok(()),
            Operation::Update => match access.record() {
                Some(record) if record.id == member.0 => Ok(()),
                _ => Err(Denied::Forbidden),
            },
            _ => match access.context().get::<Manager>() {
                Some(_) => Ok(()),
                None => Err(Denied::Forbidden),
            },
        }
    }
}

impl WritableResource for Employees {
    type Store = NewEmployee;
    type Update = NewEmployee;
}

const LONGEST: usize = 200;

#[derive(Debug, Payload, Validate)]
#[payload(active_model = employee::ActiveModel)]
pub(crate) struct NewEmployee {
    #[payload(trim)]
    #[garde(length(chars, min = 2, max = LONGEST))]
    name: String,
    #[garde(contains("@"), length(max = 120))]
    email: String,
    #[garde(range(min = 1, max = 15))]
    grade: i16,
    #[garde(skip)]
    status: Given<employee::Status>,
    #[garde(range(min = -10_000_000_000, max = 10_000_000_000))]
    badge: i64,
    #[garde(skip)]
    desk_id: Option<i64>,
}

pub(crate) struct Salaries;

impl Resource for Salaries {
    type Entity = salary::Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        policy::signed_in::<Manager>(access)
    }
}

pub(crate) fn office() -> BuiltApi<App> {
    let info = ApiInfo::new("Office", "2.0.0").bearer_auth();
    let api = Api::new("/v2")
        .crud::<Employees>()
        .read::<Salaries>()
        .listing::<desk::Entity>()
        .build(Settings::default());
    api.unwrap().describe(info)
}

/// What a caller is told.
pub(crate) fn told(context: &Context) -> ApiDescription {
    let office = office();
    let db = sea_orm::DatabaseConnection::default();
    let told = ApiDescription::for_caller(&office.listings, &office.routes, context, &db);
    // No decision of the office asks the database.
    told.now_or_never().unwrap().unwrap()
}

pub(crate) fn member() -> Context {
    Context::new().with(Member(7))
}

pub(crate) fn manager() -> Context {
    member().with(Manager)
}
