//! Entities that are related to themselves, or twice to another one.

/// A tree: each row has a parent and children of its own table.
pub mod category {
    use listing::{Field, Fields, HasListing, Listing, Relations, Sorts};
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "categories")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub category_id: i32,
        pub parent_id: Option<i32>,
        pub name: String,
        pub deleted_at: Option<DateTimeUtc>,
        #[sea_orm(
            self_ref,
            relation_enum = "Parent",
            relation_reverse = "Children",
            from = "parent_id",
            to = "category_id"
        )]
        pub parent: BelongsTo<Option<Entity>>,
        #[sea_orm(self_ref, relation_enum = "Children", relation_reverse = "Parent")]
        pub children: HasMany<Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct CategoryListing;

    impl HasListing for Entity {
        type Listing = CategoryListing;
    }

    impl Listing for CategoryListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
                .add_default(Column::Name)
                .add_default(Field::count_of(Entity::CHILDREN))
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add("parent").add("children")
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
                .add_default("children_count")
                .add_default(Column::Name)
                .add("parent.name")
        }

        fn soft_delete() -> Option<Column> {
            Some(Column::DeletedAt)
        }
    }
}

pub mod account {
    use listing::{
        Fields, HasListing, Listing, Populate as Shown, Relations, SortDirection, Sorts,
    };
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "accounts")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub owner: String,
        #[sea_orm(has_many, relation_enum = "Outgoing", via_rel = "Payer")]
        pub outgoing: HasMany<super::transfer::Entity>,
        #[sea_orm(has_many, relation_enum = "Incoming", via_rel = "Payee")]
        pub incoming: HasMany<super::transfer::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct AccountListing;

    impl HasListing for Entity {
        type Listing = AccountListing;
    }

    impl Listing for AccountListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
                .add_default(Column::Owner)
                .add((Column::Owner, "holder"))
        }

        fn relations() -> Relations<Entity> {
            Relations::new()
                .add(Shown::relation("outgoing").order_by("amount", SortDirection::Asc))
                .add(Shown::relation("incoming").only(["amount"]))
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

/// Two relations to one entity: one under the name of the entity's module, one under a name of its own.
pub mod transfer {
    use listing::{Fields, HasListing, Listing, Relations, Sorts};
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "transfers")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub payer_id: i64,
        pub payee_id: Option<i64>,
        pub amount: i32,
        #[sea_orm(belongs_to, relation_enum = "Payer", from = "payer_id", to = "id")]
        pub payer: BelongsTo<super::account::Entity>,
        #[sea_orm(belongs_to, relation_enum = "Payee", from = "payee_id", to = "id")]
        pub payee: BelongsTo<Option<super::account::Entity>>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct TransferListing;

    impl HasListing for Entity {
        type Listing = TransferListing;
    }

    impl Listing for TransferListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new().add_default(Column::Amount)
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add("payer").add("payee")
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
                .add(Column::Amount)
                .add("payer.owner")
                .add("payer.holder")
                .add("payee.owner")
        }
    }
}

/// People follow people.
pub mod person {
    use listing::{Field, Fields, HasListing, Kind, Listing, Relations, Sorts};
    use sea_orm::entity::prelude::*;
    use sea_orm::sea_query::{Expr, Query};

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "people")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub name: String,
        #[sea_orm(self_ref, via = "follow", from = "Person", to = "Follower")]
        pub followers: HasMany<Entity>,
        #[sea_orm(self_ref, via = "follow", reverse)]
        pub following: HasMany<Entity>,
        #[sea_orm(has_many, via = "membership::Person")]
        pub clubs: HasMany<super::club::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct PersonListing;

    impl HasListing for Entity {
        type Listing = PersonListing;
    }

    impl Listing for PersonListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            let minus_id = || Query::select().expr(Expr::cust("-people.id")).take();
            Fields::new()
                .add_default(Column::Name)
                .add(Field::computed(minus_id, "minus_id").kind(Kind::Integer))
                .add(Field::count_of(Entity::FOLLOWERS))
                .add(Field::count_of(Entity::FOLLOWING))
        }

        fn relations() -> Relations<Entity> {
            Relations::new()
                .add("followers")
                .add("following")
                .add("clubs")
        }

        fn sorts() -> Sorts<Entity> {
            // Where people are populated, they are ordered by what is not selected.
            Sorts::new().add_default("minus_id").add(Column::Name)
        }
    }
}

/// Who follows whom. It has no listing: its key has two columns. One of its two relations to people has no name of its own.
pub mod follow {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "follows")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub person_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub follower_id: i64,
        #[sea_orm(belongs_to, from = "person_id", to = "id")]
        pub person: BelongsTo<super::person::Entity>,
        #[sea_orm(
            belongs_to,
            relation_enum = "Follower",
            from = "follower_id",
            to = "id"
        )]
        pub follower: BelongsTo<super::person::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod club {
    use listing::{Fields, HasListing, Listing, Relations, Sorts};
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "clubs")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub name: String,
        #[sea_orm(has_many, via = "membership")]
        pub members: HasMany<super::person::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct ClubListing;

    impl HasListing for Entity {
        type Listing = ClubListing;
    }

    impl Listing for ClubListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
                .add_default(Column::Name)
                .add(listing::Field::count_of(Entity::MEMBERS))
        }

        fn relations() -> Relations<Entity> {
            Relations::new().add("members")
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

/// Who is in a club, and who has brought them: the junction leads to people in two ways.
pub mod membership {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "memberships")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub club_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub person_id: i64,
        pub sponsor_id: i64,
        #[sea_orm(belongs_to, from = "club_id", to = "id")]
        pub club: BelongsTo<super::club::Entity>,
        #[sea_orm(belongs_to, from = "person_id", to = "id")]
        pub person: BelongsTo<super::person::Entity>,
        #[sea_orm(belongs_to, relation_enum = "Sponsor", from = "sponsor_id", to = "id")]
        pub sponsor: BelongsTo<super::person::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    /// SeaORM does not choose between two, and needs one for its own links.
    impl Related<super::person::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Person.def()
        }
    }
}

/// Category, parent, name, whether it is deleted.
pub const CATEGORIES: &[(i32, Option<i32>, &str, bool)] = &[
    (1, None, "root", false),
    (2, Some(1), "plants", false),
    (3, Some(1), "animals", false),
    (4, Some(3), "cats", false),
    (5, Some(3), "dogs", false),
    (6, Some(1), "gone", true),
    (7, Some(6), "orphan", false),
    (8, Some(3), "ants", true),
];

/// Account, owner.
pub const ACCOUNTS: &[(i64, &str)] = &[(1, "ada"), (2, "bo"), (3, "cy")];

/// Transfer, from, to, amount.
pub const TRANSFERS: &[(i64, i64, Option<i64>, i32)] = &[
    (1, 1, Some(2), 30),
    (2, 2, Some(1), 20),
    (3, 1, None, 10),
    (4, 3, Some(2), 40),
    (5, 1, Some(3), 20),
];

/// Person, name.
pub const PEOPLE: &[(i64, &str)] = &[(1, "ada"), (2, "bo"), (3, "cy"), (4, "di")];

/// Who is followed, by whom.
pub const FOLLOWS: &[(i64, i64)] = &[(1, 3), (1, 2), (2, 1), (3, 1), (3, 2), (3, 4)];

/// Club, member, sponsor.
pub const MEMBERSHIPS: &[(i64, i64, i64)] = &[(1, 1, 4), (1, 3, 1), (2, 3, 2), (2, 4, 3)];
