//! Tables with names that the engine could use itself, several rows where a model says one, and tables in another schema.

/// Parents in the table `children` and children in the table `parents`, with columns that are called as an engine may call its own.
pub mod parent {
    use listing::{Field, Fields, HasListing, Listing, Relations, Sorts};
    use sea_orm::entity::prelude::*;
    use sea_orm::sea_query::{Expr, Query};

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "children")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub k: i64,
        pub c0: i32,
        pub c1: i32,
        #[sea_orm(has_many)]
        pub children: HasMany<super::child::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct ParentListing;

    impl HasListing for Entity {
        type Listing = ParentListing;
    }

    impl Listing for ParentListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
                // Nothing is declared: it is what the database says. The opposite of `c1`, which is its name inside.
                .add_default(Field::computed(
                    || Query::select().expr(Expr::cust("-children.c1")).take(),
                    "minus_c1",
                ))
                .add(Column::C0)
                .add(Column::C1)
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add("children")
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("minus_c1").add("c1")
        }
    }
}

pub mod child {
    use listing::{Fields, HasListing, Listing, Relations, Sorts};
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "parents")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub parent_k: i64,
        pub k: i32,
        #[sea_orm(belongs_to, from = "parent_k", to = "k")]
        pub parents: BelongsTo<super::parent::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct ChildListing;

    impl HasListing for Entity {
        type Listing = ChildListing;
    }

    impl Listing for ChildListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new().add_default(Column::K)
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add("parents")
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
                .add_default("parents.c1")
                .add_default(Column::K)
        }
    }
}

/// A device has one reading, says the model; the table holds many, and no index forbids it.
pub mod device {
    use listing::{
        Field, Fields, Filter, HasListing, Listing, Populate as Shown, Relations, SortDirection,
        Sorts,
    };
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "devices")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(has_one)]
        pub reading: HasOne<super::reading::Entity>,
        #[sea_orm(has_one)]
        pub note: HasOne<super::note::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct DeviceListing;

    impl HasListing for Entity {
        type Listing = DeviceListing;
    }

    impl Listing for DeviceListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new().add(Field::count_of("reading"))
        }

        fn relations() -> Relations<Entity> {
            Relations::new()
                // The latest.
                .add(Shown::relation("reading").order_by("taken", SortDirection::Desc))
                // The first.
                .add("note")
        }

        fn filters() -> Vec<Filter<Entity>> {
            vec![Filter::relation("reading"), Filter::relation("note")]
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("reading.value").add("note.text")
        }
    }
}

pub mod reading {
    use listing::{Fields, Filter, FilterOperator, HasListing, Listing, Sorts};
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "readings")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub device_id: i64,
        pub taken: i32,
        pub value: i32,
        pub broken: bool,
        #[sea_orm(belongs_to, from = "device_id", to = "id")]
        pub device: BelongsTo<super::device::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct ReadingListing;

    impl HasListing for Entity {
        type Listing = ReadingListing;
    }

    impl Listing for ReadingListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new().add_default(Column::Value)
        }

        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::make(Column::Broken)
                    .allowed_operators(FilterOperator::Equal)
                    .default(false, FilterOperator::Equal),
                Filter::make(Column::Value).allowed_operators(FilterOperator::for_numbers()),
            ]
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

/// An entity of the older kind, whose relations are named by hand.
pub mod plug {
    use listing::entity::RelationMeta;
    use listing::{Fields, HasListing, Listing, Relations, Sorts};
    use sea_orm::entity::prelude::*;

    use super::device;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "plugs")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub device_id: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(
            belongs_to = "device::Entity",
            from = "Column::DeviceId",
            to = "device::Column::Id"
        )]
        Device,
    }

    impl Related<device::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Device.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}

    impl listing::NamedRelations for Entity {
        fn named_relations() -> Vec<RelationMeta> {
            vec![
                RelationMeta::related::<Self, device::Entity>("device"),
                RelationMeta::direct::<device::Entity>("socket", Relation::Device.def()),
            ]
        }
    }

    pub struct PlugListing;

    impl HasListing for Entity {
        type Listing = PlugListing;
    }

    impl Listing for PlugListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add("device").add("socket")
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("socket.id")
        }
    }
}

/// A compact model, which brings its own enum of relations.
pub mod note {
    use listing::{
        Fields, Filter, FilterOperator, HasListing, Listing, Relations, SortDirection, Sorts,
    };
    use sea_orm::entity::prelude::*;

    use super::device;

    #[sea_orm::compact_model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "notes")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub device_id: i64,
        pub text: String,
        pub device: BelongsTo<super::device::Entity>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(
            belongs_to = "device::Entity",
            from = "Column::DeviceId",
            to = "device::Column::Id"
        )]
        Of,
    }

    impl Related<device::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Of.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct NoteListing;

    impl HasListing for Entity {
        type Listing = NoteListing;
    }

    impl Listing for NoteListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new().add_default(Column::Text)
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add("device")
        }

        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::make(Column::Text).allowed_operators(FilterOperator::Equal),
                Filter::relation("device"),
            ]
        }

        fn sorts() -> Sorts<Entity> {
            // For lists of notes; a device's one note is the first.
            Sorts::new().add_default_with(Column::Id, SortDirection::Desc)
        }
    }
}

/// Parent, `c0`, `c1`.
pub const PARENTS: &[(i64, i32, i32)] = &[(1, 9, 2), (2, 8, 3), (3, 7, 1)];

/// Child, parent, `k`.
pub const CHILDREN: &[(i64, i64, i32)] = &[(1, 1, 50), (2, 3, 40), (3, 1, 30), (4, 3, 20)];

/// Reading, device, when, value, whether it is broken.
pub const READINGS: &[(i64, i64, i32, i32, bool)] = &[
    (1, 1, 100, 7, false),
    (2, 1, 300, 5, false),
    (3, 1, 200, 1, false),
    (4, 2, 100, 6, false),
    (5, 2, 900, 2, true),
    (6, 4, 100, 4, false),
    // Taken at the same time: the key decides, in the direction of the order.
    (7, 4, 100, 3, false),
];

/// Note, device, text.
pub const NOTES: &[(i64, i64, &str)] = &[(1, 2, "b"), (2, 2, "a"), (3, 1, "c"), (4, 4, "a")];
