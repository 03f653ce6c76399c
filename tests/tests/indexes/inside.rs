//! Filters inside JSON columns, on arrays and by counts: which index each of them needs, and that it is used (b1080–b1082).

use listing::{ListingRequest, Listings, Settings, Unindexed};
use listing_tests::{Engine, fresh_database, on_each, run, warnings_of};
use sea_orm::{ConnectionTrait, DatabaseConnection};

use crate::planned::plans;

mod place {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "places")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub built: i64,
        #[sea_orm(column_type = "JsonBinary")]
        pub data: Json,
        #[sea_orm(has_many)]
        pub rooms: HasMany<super::room::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct PlaceListing;

    impl HasListing for Entity {
        type Listing = PlaceListing;
    }

    impl Listing for PlaceListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
        }

        fn relations() -> Relations<Entity> {
            Relations::new()
        }

        fn filters() -> Vec<Filter<Entity>> {
            use FilterOperator::{Equal, In, StartsWith};
            let inside = |path: &str, kind| Filter::json(Column::Data).path(path, kind);
            vec![
                Filter::make(Column::Id).allowed_operators([Equal, In]),
                inside("address.city", Kind::Text).allowed_operators([Equal, In, StartsWith]),
                inside("beds", Kind::Integer),
                inside("open", Kind::Boolean),
                inside("tags", Kind::Array(Box::new(Kind::Text))),
                Filter::relation(Entity::ROOMS).countable(),
            ]
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new().add_default_with(Column::Built, SortDirection::Desc)
        }
    }
}

mod room {
    use listing::prelude::*;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "rooms")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub place_id: i64,
        #[sea_orm(belongs_to, from = "place_id", to = "id")]
        pub place: BelongsTo<super::place::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct RoomListing;

    impl HasListing for Entity {
        type Listing = RoomListing;
    }

    impl Listing for RoomListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new().add_default(Column::Id)
        }
    }
}

/// 20,000 places, and as many rooms in every tenth of them.
async fn filled(engine: Engine) -> DatabaseConnection {
    const NUMBERS: &str =
        "WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) ";
    let db = fresh_database(engine).await;
    let object = match engine {
        Engine::Postgres => {
            "jsonb_build_object('address', jsonb_build_object('city', 'city ' || n), 'beds', n, \
             'open', true, 'tags', jsonb_build_array('tag ' || n))"
        }
        Engine::Mysql => {
            "JSON_OBJECT('address', JSON_OBJECT('city', CONCAT('city ', n)), 'beds', n, \
             'open', true, 'tags', JSON_ARRAY(CONCAT('tag ', n)))"
        }
        Engine::Sqlite => {
            "json_object('address', json_object('city', 'city ' || n), 'beds', n, \
             'open', json('true'), 'tags', json_array('tag ' || n))"
        }
    };
    let (json, before) = match engine {
        Engine::Postgres => ("JSONB", ""),
        Engine::Mysql => (
            "JSON",
            "SET STATEMENT max_recursive_iterations = 100000 FOR ",
        ),
        Engine::Sqlite => ("JSON", ""),
    };
    let insert = |into: &str, values: &str| match engine {
        Engine::Mysql => format!("{before}INSERT INTO {into} {NUMBERS} SELECT {values} FROM s"),
        Engine::Postgres | Engine::Sqlite => {
            format!("{NUMBERS} INSERT INTO {into} SELECT {values} FROM s")
        }
    };
    for sql in [
        format!(
            "CREATE TABLE places (id BIGINT PRIMARY KEY, built BIGINT NOT NULL, data {json} NOT NULL)"
        ),
        "CREATE TABLE rooms (id BIGINT PRIMARY KEY, place_id BIGINT NOT NULL)".to_owned(),
        insert("places", &format!("n, n, {object}")),
        insert("rooms", "n, n % 2000 * 10"),
        "CREATE INDEX places_built ON places (built, id)".to_owned(),
    ] {
        db.execute_unprepared(&sql).await.unwrap();
    }
    analyse(engine, &db).await;
    db
}

async fn analyse(engine: Engine, db: &DatabaseConnection) {
    for table in ["places", "rooms"] {
        let word = match engine {
            Engine::Mysql => "ANALYZE TABLE",
            Engine::Postgres | Engine::Sqlite => "ANALYZE",
        };
        let sql = format!("{word} {table}");
        db.execute_unprepared(&sql).await.unwrap();
    }
}

/// The listings, and what is said of their indexes at start-up.
async fn inspected(db: &DatabaseConnection) -> (Listings, String) {
    let mut settings = Settings::default();
    settings.unindexed = Unindexed::Refuse;
    settings.unindexed_rows = 1_000;
    let builder = Listings::builder(settings).add::<place::Entity>();
    let listings = builder.add::<room::Entity>().build().unwrap();
    let (inspected, said) = warnings_of(listings.inspect_indexes(db)).await;
    inspected.unwrap();
    (listings, said)
}

/// Whether a request is refused for want of an index.
async fn is_refused(db: &DatabaseConnection, listings: &Listings, query: &str) -> bool {
    use listing::SelectListing;
    use sea_orm::EntityTrait;
    let request = ListingRequest::from_query(listings, query).unwrap();
    let page = place::Entity::find().listing(&request);
    match page.listing_paginate(db).await {
        Ok(_) => false,
        Err(error) => {
            let said = error.to_string();
            assert!(
                said.contains("has no index on a table of about"),
                "{query}: {said}"
            );
            true
        }
    }
}

const CITY: &str = "filters[data][address][city]=city+7";
const CITIES: &str =
    "filters[data][address][city][$in][]=city+7&filters[data][address][city][$in][]=city+8";
const START: &str = "filters[data][address][city][$startsWith]=city+77";
const BEDS: &str = "filters[data][beds][$between][]=7&filters[data][beds][$between][]=9";
const TAG: &str = "filters[data][tags][$contains]=tag+7";
const TAGS: &str = "filters[data][tags][$in][]=tag+7&filters[data][tags][$in][]=tag+8";

/// Rules d149, b1080, b1081.
#[test]
fn what_is_inside_a_column_is_found_by_the_index_that_is_proposed_for_it() {
    on_each(|engine| {
        run(async {
            let db = filled(engine).await;
            let (listings, said) = inspected(&db).await;
            for query in [CITY, CITIES, START, BEDS, TAG, TAGS] {
                assert!(is_refused(&db, &listings, query).await, "{engine}: {query}");
            }
            for query in [
                "filters[data][open]=true",
                "filters[data][beds][$ne]=7",
                "filters[data][tags][$null]=true",
                "filters[data][tags][$notContains]=x",
                "filters[id]=7&filters[data][address][city]=city+7",
            ] {
                assert!(
                    !is_refused(&db, &listings, query).await,
                    "{engine}: {query}"
                );
            }
            let proposed: Vec<_> = said
                .lines()
                .filter(|line| line.contains("places"))
                .filter_map(|line| line.split_once("CREATE INDEX"))
                .map(|(_, statement)| format!("CREATE INDEX{statement}"))
                .collect();
            for line in [
                "filter `data.address.city`",
                "filter `data.beds`",
                "filter `data.tags`",
            ] {
                assert!(said.contains(line), "{engine}: {line} in {said}");
            }
            assert!(!said.contains("data.open"), "{said}");
            let expected = match engine {
                Engine::Postgres => 4,
                Engine::Mysql => 0,
                Engine::Sqlite => 2,
            };
            assert_eq!(proposed.len(), expected, "{engine}: {said}");
            for statement in &proposed {
                db.execute_unprepared(statement).await.unwrap();
            }
            analyse(engine, &db).await;
            let (listings, said) = inspected(&db).await;
            let lines = said.lines().filter(|line| line.contains("places.data"));
            let expected = match engine {
                Engine::Postgres => 0,
                // It has none for what is inside.
                Engine::Mysql => 3,
                // It has none for arrays.
                Engine::Sqlite => 1,
            };
            assert_eq!(lines.count(), expected, "{engine}: {said}");
            for (query, index) in [
                (CITY, "places_data_address_city_built"),
                (CITIES, "places_data_address_city_built"),
                (START, "places_data_address_city"),
                (BEDS, "places_data_beds"),
                (TAG, "places_data_tags"),
                (TAGS, "places_data_tags"),
            ] {
                let is_served = match engine {
                    Engine::Postgres => true,
                    Engine::Mysql => false,
                    Engine::Sqlite => !query.contains("tags"),
                };
                let refused = is_refused(&db, &listings, query).await;
                assert_eq!(refused, !is_served, "{engine}: {query}");
                if is_served {
                    let plans = plans::<place::Entity>(engine, &db, &listings, query).await;
                    let found = plans.iter().any(|plan| plan.contains(index));
                    assert!(found, "{engine}: {query}: {plans:?}");
                }
            }
            // Another path, another kind and another column are other expressions.
            if engine != Engine::Mysql {
                db.execute_unprepared("DROP INDEX places_data_beds")
                    .await
                    .unwrap();
                let (listings, _) = inspected(&db).await;
                assert!(is_refused(&db, &listings, BEDS).await);
                assert!(!is_refused(&db, &listings, CITY).await);
            }
        });
    });
}

/// Rules d146, b1082.
#[test]
fn a_count_of_related_rows_is_read_from_the_index_that_leads_to_them() {
    on_each(|engine| {
        run(async {
            let db = filled(engine).await;
            let (_, said) = inspected(&db).await;
            let statement = "CREATE INDEX rooms_place_id ON rooms (place_id, id);";
            let line = said
                .lines()
                .find(|line| line.contains("filter through `rooms`"));
            assert!(line.is_some_and(|line| line.contains(statement)), "{said}");
            db.execute_unprepared(statement).await.unwrap();
            analyse(engine, &db).await;
            let (listings, said) = inspected(&db).await;
            assert!(!said.contains("`rooms`"), "{said}");
            // Nothing finds the places by it: another condition has to find few of them.
            let counted = "filters[rooms][$count][$gte]=3";
            assert!(is_refused(&db, &listings, counted).await);
            let query = format!("filters[id][$in][]=10&filters[id][$in][]=11&{counted}");
            assert!(!is_refused(&db, &listings, &query).await, "{query}");
            let plans = plans::<place::Entity>(engine, &db, &listings, &query).await;
            assert!(
                plans[0].contains("rooms_place_id"),
                "{engine}: {}",
                plans[0]
            );
        });
    });
}
