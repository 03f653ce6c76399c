//! Films, their studios and actors, whose names clients see in another form or under aliases.

pub mod studio {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "film_studios")]
    pub struct Model {
        #[sea_orm(
            primary_key,
            auto_increment = false,
            column_type = "String(StringLen::N(8))"
        )]
        pub studio_code: String,
        pub full_name: String,
        #[sea_orm(has_many)]
        pub films: HasMany<super::film::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct StudioListing;

    impl HasListing for Entity {
        type Listing = StudioListing;
    }

    impl Listing for StudioListing {
        type Entity = Entity;
        fn fields() -> Fields<Entity> {
            Fields::new()
                .add_default(Column::FullName)
                .add(Field::count_of(Entity::FILMS))
        }
        fn relations() -> Relations<Entity> {
            Relations::new().add(Entity::FILMS)
        }
        fn filters() -> Vec<Filter<Entity>> {
            vec![Filter::make("id").allowed_operators(FilterOperator::EQUALITY)]
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("id").add("films_count")
        }
    }
}

pub mod film {
    use listing::Names;
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    use super::{actor, studio};

    /// An enumeration that databases store as text.
    #[derive(Clone, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
    #[sea_orm(rs_type = "String", db_type = "String(StringLen::N(8))")]
    pub enum State {
        #[sea_orm(string_value = "planned")]
        Planned,
        #[sea_orm(string_value = "shown")]
        Shown,
    }

    /// An enumeration that databases store as an integer.
    #[derive(Clone, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
    #[sea_orm(rs_type = "i32", db_type = "Integer")]
    pub enum Stars {
        #[sea_orm(num_value = 1)]
        One,
        #[sea_orm(num_value = 5)]
        Five,
    }

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "films")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub film_id: i64,
        pub main_title: String,
        pub film_state: State,
        pub film_stars: Option<Stars>,
        pub vote_count: i64,
        #[sea_orm(column_type = "String(StringLen::N(8))")]
        pub studio_code: String,
        #[sea_orm(belongs_to, from = "studio_code", to = "studio_code")]
        pub studio: BelongsTo<studio::Entity>,
        #[sea_orm(has_many, via = "casting")]
        pub stage_actors: HasMany<actor::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct FilmListing;

    impl HasListing for Entity {
        type Listing = FilmListing;
    }

    impl Listing for FilmListing {
        type Entity = Entity;
        fn fields() -> Fields<Entity> {
            Fields::new()
                .add_default(Column::MainTitle)
                .add_all([Column::FilmState, Column::FilmStars])
                .add(
                    Field::column(Column::VoteCount)
                        .alias("popularity")
                        .as_text(),
                )
                .add(Field::count_of(Entity::STAGE_ACTORS))
        }
        fn relations() -> Relations<Entity> {
            Relations::new()
                .add(
                    Populate::relation(Entity::STAGE_ACTORS)
                        .alias("cast")
                        .limit(2),
                )
                .add(Populate::relation(Entity::STUDIO).only([studio::Column::FullName]))
        }
        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::make(Column::FilmId).allowed_operators(FilterOperator::EQUALITY),
                Filter::make(Column::MainTitle).allowed_operators(FilterOperator::for_text()),
                Filter::make(Column::FilmState).allowed_operators(FilterOperator::for_text()),
                Filter::make(Column::FilmStars).allowed_operators(FilterOperator::for_numbers()),
                Filter::make(Column::VoteCount)
                    .allowed_operators(FilterOperator::COMPARISONS)
                    .alias("popularity"),
                Filter::make(Column::StudioCode)
                    .allowed_operators(FilterOperator::EQUALITY)
                    .labels_from(studio::Column::FullName),
            ]
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new()
                .add_default(Column::MainTitle)
                .add(Column::FilmId)
                .add((Column::VoteCount, "votes"))
                .add("stage_actors_count")
                .add(Entity::STUDIO.column(studio::Column::FullName))
        }
        fn names() -> Option<Names> {
            Some(Names::CamelCase)
        }
    }
}

pub mod actor {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "film_actors")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub name: String,
        pub retired: bool,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct ActorListing;

    impl HasListing for Entity {
        type Listing = ActorListing;
    }

    impl Listing for ActorListing {
        type Entity = Entity;
        fn fields() -> Fields<Entity> {
            Fields::new().add_default(Column::Name)
        }
        fn filters() -> Vec<Filter<Entity>> {
            use FilterOperator::Equal;
            vec![
                Filter::make(Column::Retired)
                    .allowed_operators(Equal)
                    .default(false, Equal),
            ]
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
    }
}

/// Who plays in a film. It has a listing: what it deletes counts nowhere.
pub mod casting {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "film_castings")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub film_id: i64,
        pub actor_id: i64,
        pub deleted_at: Option<DateTimeUtc>,
        #[sea_orm(belongs_to, from = "film_id", to = "film_id")]
        pub film: BelongsTo<super::film::Entity>,
        #[sea_orm(belongs_to, from = "actor_id", to = "id")]
        pub actor: BelongsTo<super::actor::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct CastingListing;

    impl HasListing for Entity {
        type Listing = CastingListing;
    }

    impl Listing for CastingListing {
        type Entity = Entity;
        fn fields() -> Fields<Entity> {
            Fields::new()
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new()
        }
        fn soft_delete() -> Option<Column> {
            Some(Column::DeletedAt)
        }
    }
}

/// Code, name.
pub const STUDIOS: &[(&str, &str)] = &[
    ("ufa", "Universum"),
    ("A24", "A24 Films"),
    ("none", "Nobody's"),
];

/// Film, title, whether it is shown, whether it has five stars, votes, studio.
pub type FilmRow = (i64, &'static str, bool, Option<bool>, i64, &'static str);

pub const FILMS: &[FilmRow] = &[
    (
        1,
        "metropolis",
        true,
        Some(true),
        9_007_199_254_740_993,
        "ufa",
    ),
    (2, "faust", true, Some(false), 20, "ufa"),
    (3, "civil war", false, None, 30, "A24"),
];

/// Actor, name, whether retired.
pub const ACTORS: &[(i64, &str, bool)] = &[
    (1, "brigitte", false),
    (2, "gustav", false),
    (3, "emil", true),
    (4, "kirsten", false),
];

/// Casting, film, actor, whether it is deleted.
pub const CASTINGS: &[(i64, i64, i64, bool)] = &[
    (1, 1, 1, false),
    (2, 1, 2, false),
    (3, 1, 3, false),
    (4, 1, 4, false),
    (5, 2, 3, false),
    (6, 2, 1, true),
    (7, 3, 4, false),
];
