//! Sets up small tables for what the blog does not have.

pub mod films;
pub mod graph;
pub mod keys;
pub mod odd;
pub mod tenants;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::http::{HeaderMap, StatusCode};
use chrono::{DateTime, TimeDelta};
use listing::{
    Context, HasListing, ListingRequest, Listings, NamedRelations, SelectListing, Settings,
};
use listing_tests::{Engine, Reply, fresh_database, run};
use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DatabaseConnection, IntoActiveModel, Schema, Select,
};

use self::films::{actor, casting, film, studio};
use self::graph::{account, category, club, follow, membership, person, transfer};
use self::keys::{attachment, city, country, document, key};
use self::odd::{child, device, note, parent, plug, reading};
use self::tenants::{customer, order, region};

/// Tries something on these tables in each database. They are shared: they must not be written to.
pub fn on_each_own_database(test: impl AsyncFn(&Own)) {
    static SHARED: LazyLock<Mutex<HashMap<Engine, Arc<Own>>>> = LazyLock::new(Mutex::default);
    for engine in Engine::ALL {
        let own = {
            let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
            let fresh = || Arc::new(run(Own::fresh(engine)));
            shared.entry(engine).or_insert_with(fresh).clone()
        };
        // A failing test shows what it printed.
        eprintln!("on {engine}");
        run(test(&own));
    }
}

/// A database with the tables of this module, and their listings.
#[derive(Debug)]
pub struct Own {
    pub db: DatabaseConnection,
    pub listings: Listings,
}

impl Own {
    pub async fn fresh(engine: Engine) -> Self {
        let db = fresh_database(engine).await;
        tenants(&db).await;
        keys(&db).await;
        graph(&db).await;
        odd(&db).await;
        films(&db).await;
        let listings = Listings::builder(Settings::default())
            .add::<customer::Entity>()
            .add::<region::Entity>()
            .add::<order::Entity>()
            .add::<document::Entity>()
            .add::<attachment::Entity>()
            .add::<country::Entity>()
            .add::<city::Entity>()
            .add::<category::Entity>()
            .add::<account::Entity>()
            .add::<transfer::Entity>()
            .add::<person::Entity>()
            .add::<club::Entity>()
            .add::<parent::Entity>()
            .add::<child::Entity>()
            .add::<device::Entity>()
            .add::<reading::Entity>()
            .add::<note::Entity>()
            .add::<plug::Entity>()
            .add::<film::Entity>()
            .add::<studio::Entity>()
            .add::<actor::Entity>()
            .add::<casting::Entity>()
            .build()
            .unwrap();
        Self { db, listings }
    }

    /// A list, asked for by nobody.
    pub async fn list<E: HasListing>(&self, query: &str) -> Reply {
        self.list_for::<E>(query, Context::new()).await
    }

    /// A list, asked for by somebody.
    pub async fn list_for<E: HasListing>(&self, query: &str, context: Context) -> Reply {
        self.list_of(E::find(), query, context).await
    }

    /// A list of what a query selects.
    pub async fn list_of<E: HasListing>(
        &self,
        select: Select<E>,
        query: &str,
        context: Context,
    ) -> Reply {
        let request = ListingRequest::from_query(&self.listings, query).unwrap();
        let request = request.with_context(context);
        let page = select.listing(&request).listing_paginate(&self.db).await;
        Reply {
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            bytes: page.unwrap().body(200, Some("Listed."), true),
        }
    }
}

/// Makes an entity's table, with these rows in it.
pub async fn table<E: NamedRelations>(
    db: &DatabaseConnection,
    rows: impl IntoIterator<Item = E::Model>,
) where
    E::Model: IntoActiveModel<E::ActiveModel>,
{
    let schema = Schema::new(db.get_database_backend());
    db.execute(&schema.create_table_from_entity(E::default()))
        .await
        .unwrap();
    let rows = rows
        .into_iter()
        .map(|row| row.into_active_model().reset_all());
    E::insert_many(rows)
        .exec_without_returning(db)
        .await
        .unwrap();
}

async fn tenants(db: &DatabaseConnection) {
    table::<region::Entity>(db, (1..=2).map(|id| region::Model { id })).await;
    let customers = tenants::CUSTOMERS.iter();
    let customers = customers.map(|&(id, tenant_id, region_id, name, city)| customer::Model {
        id,
        tenant_id,
        region_id,
        name: name.to_owned(),
        city: city.map(str::to_owned),
    });
    table::<customer::Entity>(db, customers).await;
    let orders = tenants::ORDERS.iter();
    let orders = orders.map(|&(id, customer_id, group)| order::Model {
        id,
        customer_id,
        group,
        select: format!("order {id}"),
    });
    table::<order::Entity>(db, orders).await;
}

async fn keys(db: &DatabaseConnection) {
    let documents = (1..=3).map(|n| document::Model {
        uuid: key(n),
        title: format!("document {n}"),
    });
    table::<document::Entity>(db, documents).await;
    // Two for the first document, none for the second, twelve for the third.
    let attachments = (101..=114).map(|n| attachment::Model {
        uuid: key(n),
        document_uuid: key(if n < 103 { 1 } else { 3 }),
        name: format!("attachment {n}"),
    });
    table::<attachment::Entity>(db, attachments).await;
    let countries = keys::COUNTRIES.iter().map(|&(code, name)| country::Model {
        code: code.to_owned(),
        name: name.to_owned(),
    });
    table::<country::Entity>(db, countries).await;
    let cities = keys::CITIES.iter();
    let cities = cities.map(
        |&(id, country_code, name, population, founded, area)| city::Model {
            id,
            country_code: country_code.map(str::to_owned),
            name: name.to_owned(),
            population,
            founded,
            area,
        },
    );
    table::<city::Entity>(db, cities).await;
}

async fn films(db: &DatabaseConnection) {
    let studios = films::STUDIOS.iter();
    let studios = studios.map(|&(studio_code, full_name)| studio::Model {
        studio_code: studio_code.to_owned(),
        full_name: full_name.to_owned(),
    });
    table::<studio::Entity>(db, studios).await;
    let films = films::FILMS.iter();
    let films = films.map(
        |&(film_id, title, is_shown, five, votes, code)| film::Model {
            film_id,
            main_title: title.to_owned(),
            film_state: match is_shown {
                true => film::State::Shown,
                false => film::State::Planned,
            },
            film_stars: five.map(|five| match five {
                true => film::Stars::Five,
                false => film::Stars::One,
            }),
            vote_count: votes,
            studio_code: code.to_owned(),
        },
    );
    table::<film::Entity>(db, films).await;
    let actors = films::ACTORS
        .iter()
        .map(|&(id, name, retired)| actor::Model {
            id,
            name: name.to_owned(),
            retired,
        });
    table::<actor::Entity>(db, actors).await;
    let castings = films::CASTINGS.iter();
    let castings = castings.map(|&(id, film_id, actor_id, deleted)| casting::Model {
        id,
        film_id,
        actor_id,
        deleted_at: deleted.then_some(DateTime::UNIX_EPOCH + TimeDelta::days(20_000)),
    });
    table::<casting::Entity>(db, castings).await;
}

async fn graph(db: &DatabaseConnection) {
    let categories = graph::CATEGORIES.iter();
    let categories = categories.map(|&(category_id, parent_id, name, deleted)| category::Model {
        category_id,
        parent_id,
        name: name.to_owned(),
        deleted_at: deleted.then_some(DateTime::UNIX_EPOCH + TimeDelta::days(20_000)),
    });
    table::<category::Entity>(db, categories).await;
    let accounts = graph::ACCOUNTS.iter().map(|&(id, owner)| account::Model {
        id,
        owner: owner.to_owned(),
    });
    table::<account::Entity>(db, accounts).await;
    let transfers = graph::TRANSFERS.iter();
    let transfers = transfers.map(|&(id, payer_id, payee_id, amount)| transfer::Model {
        id,
        payer_id,
        payee_id,
        amount,
    });
    table::<transfer::Entity>(db, transfers).await;
    let people = graph::PEOPLE.iter().map(|&(id, name)| person::Model {
        id,
        name: name.to_owned(),
    });
    table::<person::Entity>(db, people).await;
    let follows = graph::FOLLOWS.iter();
    let follows = follows.map(|&(person_id, follower_id)| follow::Model {
        person_id,
        follower_id,
    });
    table::<follow::Entity>(db, follows).await;
    let clubs = [(1, "chess"), (2, "rowing")];
    let clubs = clubs.map(|(id, name)| club::Model {
        id,
        name: name.to_owned(),
    });
    table::<club::Entity>(db, clubs).await;
    let members = graph::MEMBERSHIPS.iter();
    let members = members.map(|&(club_id, person_id, sponsor_id)| membership::Model {
        club_id,
        person_id,
        sponsor_id,
    });
    table::<membership::Entity>(db, members).await;
}

async fn odd(db: &DatabaseConnection) {
    let parents = odd::PARENTS.iter();
    let parents = parents.map(|&(k, c0, c1)| parent::Model { k, c0, c1 });
    table::<parent::Entity>(db, parents).await;
    let children = odd::CHILDREN.iter();
    let children = children.map(|&(id, parent_k, k)| child::Model { id, parent_k, k });
    table::<child::Entity>(db, children).await;
    table::<device::Entity>(db, (1..=4).map(|id| device::Model { id })).await;
    let readings = odd::READINGS.iter();
    let readings = readings.map(|&(id, device_id, taken, value, broken)| reading::Model {
        id,
        device_id,
        taken,
        value,
        broken,
    });
    table::<reading::Entity>(db, readings).await;
    let notes = odd::NOTES.iter().map(|&(id, device_id, text)| note::Model {
        id,
        device_id,
        text: text.to_owned(),
    });
    table::<note::Entity>(db, notes).await;
    let plugs = [(1, 4), (2, 2), (3, 4)].map(|(id, device_id)| plug::Model { id, device_id });
    table::<plug::Entity>(db, plugs).await;
}
