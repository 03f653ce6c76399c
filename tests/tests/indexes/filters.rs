//! A filter by value that finds few rows, or none, reads them from an index in the default order (b261).

use blog::entity::{article, author};
use blog::migration::Migrator;
use listing::Settings;
use listing_tests::{Engine, Service, fresh_database, on_each, run};
use sea_orm_migration::MigratorTrait;

use crate::planned::{plans, sorts};

/// Rule b261.
#[test]
fn a_filter_by_value_reads_an_index_in_the_default_order() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            Migrator::up(&db, None).await.unwrap();
            blog::data::load_seed(&db, 10_000, |_, _| {}).await.unwrap();
            let service = Service::on(engine, db, Settings::default()).await;
            let (db, listings) = (&service.db, &service.listings);
            listings.inspect_indexes(db).await.unwrap();
            let common = "A beginner's notebook: night trains";
            for title in ["absent", common] {
                let query = format!("filters[title][$eq]={title}");
                let plans = plans::<article::Entity>(engine, db, listings, &query).await;
                let index = match engine {
                    // Its planner takes the shorter index for titles of which there are few, and sorts those.
                    Engine::Mysql => "articles_title",
                    Engine::Postgres | Engine::Sqlite => "articles_title_created_at",
                };
                assert!(plans[0].contains(index), "{engine}, {title}: {}", plans[0]);
                if engine != Engine::Mysql {
                    assert!(!sorts(engine, &plans[0]), "{engine}: {}", plans[0]);
                }
            }
            if engine == Engine::Sqlite {
                // The others read a hundred authors from the table as quickly.
                let query = "filters[country][$eq]=DE";
                let plans = plans::<author::Entity>(engine, db, listings, query).await;
                assert!(plans[0].contains("authors_country_name"), "{}", plans[0]);
            }
        });
    });
}
