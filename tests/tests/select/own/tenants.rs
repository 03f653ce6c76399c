//! Customers, who exist only for their own tenant, and orders, which everybody sees.

/// The caller.
#[derive(Debug, Clone, Copy)]
pub struct Tenant(pub i64);

/// Everybody's; its customers are not.
pub mod region {
    use listing::{Fields, HasListing, Listing, Populate as Shown, Relations, Sorts};
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "regions")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(has_many)]
        pub customers: HasMany<super::customer::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct RegionListing;

    impl HasListing for Entity {
        type Listing = RegionListing;
    }

    impl Listing for RegionListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add(Shown::relation("customers").limit(2))
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

pub mod customer {
    use listing::{
        Context, Field, Fields, Filter, FilterOperator, HasListing, Kind, Listing, Relations,
        Scope, SortDirection, Sorts,
    };
    use sea_orm::entity::prelude::*;
    use sea_orm::sea_query::{Expr, ExprTrait, Query, SelectStatement};

    use super::Tenant;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "customers")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub tenant_id: i64,
        pub region_id: i64,
        pub name: String,
        pub city: Option<String>,
        #[sea_orm(belongs_to, from = "region_id", to = "id")]
        pub region: BelongsTo<super::region::Entity>,
        #[sea_orm(has_many)]
        pub orders: HasMany<super::order::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct CustomerListing;

    impl HasListing for Entity {
        type Listing = CustomerListing;
    }

    impl Listing for CustomerListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
                .add_default(Column::Name)
                .add(Column::City)
                .add(Field::computed_for(orders_of, "orders_count").kind(Kind::Integer))
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add("orders")
        }

        fn filters() -> Vec<Filter<Entity>> {
            use FilterOperator::{Equal, In};
            vec![
                Filter::make(Column::Id).allowed_operators([Equal, In]),
                Filter::make(Column::City).allowed_operators(Equal),
            ]
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
                .add_default_with(Column::Name, SortDirection::Desc)
                .add(Column::City)
                .add("orders_count")
        }

        /// An `OR`, so that a condition added to it without parentheses would widen it.
        fn scope(context: &Context) -> Scope {
            match context.get::<Tenant>() {
                Some(Tenant(tenant)) => {
                    Scope::rows(Column::TenantId.eq(*tenant)).or(Column::TenantId.eq(0))
                }
                None => Scope::nothing(),
            }
        }
    }

    /// Depends on the caller: it is null without one.
    fn orders_of(context: &Context) -> SelectStatement {
        use super::order;
        let known = i64::from(context.get::<Tenant>().is_some());
        Query::select()
            .expr(
                Expr::col((order::Entity, order::Column::Id))
                    .count()
                    .mul(known),
            )
            .from(order::Entity)
            .and_where(
                Expr::col((order::Entity, order::Column::CustomerId)).equals((Entity, Column::Id)),
            )
            .take()
    }
}

/// The table has a name that SQL has a word for, and so have two of its columns.
pub mod order {
    use listing::{
        Fields, Filter, FilterOperator, HasListing, Listing, Populate as Shown, Relations, Sorts,
    };
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "order")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub customer_id: Option<i64>,
        #[sea_orm(column_name = "group")]
        pub group: i32,
        #[sea_orm(column_name = "select")]
        pub select: String,
        #[sea_orm(belongs_to, from = "customer_id", to = "id")]
        pub customer: BelongsTo<Option<super::customer::Entity>>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct OrderListing;

    impl HasListing for Entity {
        type Listing = OrderListing;
    }

    impl Listing for OrderListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new().add_default(Column::Group).add(Column::Select)
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add(Shown::relation("customer").only(["city", "name"]))
        }

        fn filters() -> Vec<Filter<Entity>> {
            use FilterOperator::{Contains, Equal, GreaterThan};
            vec![
                Filter::make(Column::Group).allowed_operators([Equal, GreaterThan]),
                Filter::make(Column::Select).allowed_operators(Contains),
            ]
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
                .add(Column::Group)
                .add("customer.name")
                .add("customer.city")
        }
    }
}

/// Customer, tenant, region, name, city. Tenant 0 is everybody's. Two of region 1 are of tenant 1, two of tenant 2.
pub const CUSTOMERS: &[(i64, i64, i64, &str, Option<&str>)] = &[
    (1, 1, 1, "zoe", Some("oslo")),
    (2, 1, 1, "bob", None),
    (3, 2, 1, "cleo", Some("lima")),
    (4, 2, 1, "anna", Some("oslo")),
    (5, 0, 2, "house", Some("bern")),
    (6, 1, 2, "mia", Some("bern")),
];

/// Order, customer, group.
pub const ORDERS: &[(i64, Option<i64>, i32)] = &[
    (1, Some(1), 1),
    (2, Some(4), 1),
    (3, None, 2),
    (4, Some(2), 2),
    (5, Some(3), 1),
    (6, Some(5), 1),
    (7, Some(2), 3),
    (8, Some(6), 3),
    (9, Some(4), 3),
];
