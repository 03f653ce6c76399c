//! UUIDs as bytes, as text, and as both.

use listing::Context;
use listing_axum::Api;
use listing_tests::{Client, Engine, fresh_database, run, warnings_of};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use serde_json::{Value, json};

use super::parcels::{Owners, Parcels, Tags};
use super::{started, walked};

/// How a UUID is kept.
#[derive(Debug, Clone, Copy)]
enum Kept {
    Bytes,
    Text,
    Large,
    /// Each row in another way.
    Mixed,
}

impl Kept {
    fn literal(self, uuid: &str, row: usize) -> String {
        let plain = uuid.replace('-', "");
        match (self, row % 3) {
            (Self::Bytes, _) | (Self::Mixed, 0) => format!("x'{plain}'"),
            (Self::Text, _) | (Self::Mixed, 1) => format!("'{uuid}'"),
            (Self::Large | Self::Mixed, _) => format!("'{}'", uuid.to_uppercase()),
        }
    }
}

fn uuid(table: char, row: usize) -> String {
    format!("{table}bcdef0{row}-aaaa-4bbb-8ccc-dddddddddd0{row}")
}

/// The rows, keys kept in one way and what leads to them in another.
async fn filled(keys: Kept, links: Kept, references: bool) -> DatabaseConnection {
    let db = fresh_database(Engine::Sqlite).await;
    let to = |table: &str| match references {
        true => format!("REFERENCES {table} (id)"),
        false => String::new(),
    };
    let (owners, parcels, tags) = (to("owners"), to("parcels"), to("tags"));
    let mut sql = format!(
        "CREATE TABLE owners (id uuid PRIMARY KEY, name text);
         CREATE TABLE tags (id uuid PRIMARY KEY, name text);
         CREATE TABLE parcels (id uuid PRIMARY KEY, code uuid UNIQUE, owner_id uuid {owners}, title text);
         CREATE TABLE parcel_tags (parcel_id uuid {parcels}, tag_id uuid {tags}, PRIMARY KEY (parcel_id, tag_id));"
    );
    for row in 1..=3 {
        let id = keys.literal(&uuid('a', row), row);
        sql += &format!("INSERT INTO owners VALUES ({id}, 'Owner {row}');");
        let id = keys.literal(&uuid('b', row), row + 1);
        sql += &format!("INSERT INTO tags VALUES ({id}, 'Tag {row}');");
    }
    for row in 1..=6 {
        let id = keys.literal(&uuid('c', row), row + 1);
        let code = keys.literal(&uuid('e', row), row);
        let owner = match row {
            6 => "NULL".to_owned(),
            row => links.literal(&uuid('a', row % 3 + 1), row),
        };
        sql += &format!("INSERT INTO parcels VALUES ({id}, {code}, {owner}, 'Parcel {row}');");
        for tag in 1..=row % 3 {
            let parcel = links.literal(&uuid('c', row), row);
            let tag = links.literal(&uuid('b', tag), row + tag);
            sql += &format!("INSERT INTO parcel_tags VALUES ({parcel}, {tag});");
        }
    }
    db.execute_unprepared(&sql).await.unwrap();
    db
}

async fn client(db: &DatabaseConnection) -> Client {
    let api = Api::new("/api")
        .crud::<Parcels>()
        .read::<Owners>()
        .read::<Tags>();
    started(api, db, &Context::new()).await
}

/// What is asked of every database.
fn requests() -> Vec<String> {
    let (parcel, other, owner) = (uuid('c', 2), uuid('c', 5), uuid('a', 2));
    let mut requests = vec![
        "/api/parcels?sort=id".to_owned(),
        "/api/parcels?sort=owner_id:desc,id".to_owned(),
        "/api/parcels?sort=title&populate[0]=owner&populate[1]=tags".to_owned(),
        "/api/parcels?sort=owner.name:desc,title&populate=owner".to_owned(),
        "/api/owners?sort=name&populate=parcels".to_owned(),
        "/api/owners?sort=name&populate[parcels][populate]=tags".to_owned(),
        "/api/owners?sort=name&populate[parcels][count]=true".to_owned(),
        "/api/parcels?sort=title&filters[owner][name]=Owner 2".to_owned(),
        "/api/parcels?sort=title&filters[tags][name]=Tag 2".to_owned(),
        "/api/parcels?sort=title&filters[tags][$none][name]=Tag 1".to_owned(),
        "/api/owners?sort=name&filters[parcels][$some][id]=".to_owned() + &parcel,
        format!("/api/parcels/{parcel}?populate[0]=owner&populate[1]=tags"),
        format!("/api/parcels/{}", parcel.to_uppercase()),
        format!("/api/owners/{owner}"),
    ];
    for (column, one, two) in [("id", &parcel, &other), ("owner_id", &owner, &uuid('a', 3))] {
        for condition in [
            format!("[$eq]={one}"),
            format!("[$eq]={}", one.to_uppercase()),
            format!("[$ne]={one}"),
            format!("[$in][0]={one}&filters[{column}][$in][1]={two}"),
            format!("[$notIn][0]={one}&filters[{column}][$notIn][1]={two}"),
            "[$null]=true".to_owned(),
            "[$notNull]=true".to_owned(),
        ] {
            requests.push(format!(
                "/api/parcels?sort=title&filters[{column}]{condition}"
            ));
        }
    }
    requests
}

async fn answers(client: &Client) -> Vec<(String, Value)> {
    let mut answers = Vec::new();
    for request in requests() {
        let answer = client.get(&request).await.ok().json();
        answers.push((request, answer));
    }
    for list in [
        "/api/parcels?sort=id",
        "/api/parcels?sort=owner_id:desc",
        "/api/owners?sort=name",
    ] {
        answers.push((list.to_owned(), json!(walked(client, list).await)));
    }
    answers
}

const VARIANTS: [(Kept, Kept); 6] = [
    (Kept::Text, Kept::Text),
    (Kept::Text, Kept::Bytes),
    (Kept::Bytes, Kept::Text),
    (Kept::Large, Kept::Text),
    (Kept::Mixed, Kept::Text),
    (Kept::Mixed, Kept::Mixed),
];

/// Rule b611.
#[test]
fn uuids_are_found_in_whichever_form_they_are_kept() {
    run(async {
        let expected = answers(&client(&filled(Kept::Bytes, Kept::Bytes, true).await).await).await;
        let asked = |part: &str| {
            let found = expected.iter().find(|(request, _)| request.contains(part));
            found.unwrap().1.clone()
        };
        assert_eq!(asked("[owner][name]")["meta"]["pagination"]["total"], 2);
        assert_eq!(asked("[tags][name]")["meta"]["pagination"]["total"], 2);
        assert_eq!(asked("[$in]")["meta"]["pagination"]["total"], 2);
        assert_eq!(
            asked("populate=parcels")["data"][1]["parcels"][0]["title"],
            "Parcel 1"
        );
        for (keys, links) in VARIANTS {
            let db = filled(keys, links, false).await;
            let found = answers(&client(&db).await).await;
            for ((request, expected), (_, found)) in expected.iter().zip(&found) {
                assert_eq!(found, expected, "{keys:?}, {links:?}: {request}");
            }
        }
    });
}

async fn classes(db: &DatabaseConnection) -> String {
    let sql =
        "SELECT group_concat(DISTINCT typeof(id) || typeof(code) || typeof(owner_id)) FROM parcels";
    let statement = Statement::from_string(db.get_database_backend(), sql);
    let row = db.query_one_raw(statement).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}

async fn written(db: &DatabaseConnection) -> Client {
    let client = client(db).await;
    let (owner, code) = (uuid('a', 1), uuid('e', 9));
    let parcel = |id: &str| format!("/api/parcels/{id}");
    // A code that is taken, and an owner that does not exist.
    let body = json!({ "title": "x", "owner_id": uuid('f', 1), "code": uuid('e', 3) });
    let reply = client.put(&parcel(&uuid('c', 2)), &body).await;
    assert_eq!(reply.invalid_fields(), ["code", "owner_id"]);
    let body = json!({ "title": "Changed", "owner_id": owner, "code": code });
    for _ in 0..2 {
        let _ = client.put(&parcel(&uuid('c', 2)), &body).await.ok();
    }
    let shown = client.get(&parcel(&uuid('c', 2))).await.ok().json();
    assert_eq!(shown["data"]["owner_id"], owner);
    assert_eq!(shown["data"]["title"], "Changed");
    let new =
        json!({ "id": uuid('c', 9), "title": "New", "owner_id": owner, "code": uuid('e', 8) });
    let reply = client.post("/api/parcels", &new).await;
    assert_eq!(reply.status.as_u16(), 201, "{}", reply.text());
    assert_eq!(reply.json()["data"]["id"], uuid('c', 9));
    let shown = client.get(&parcel(&uuid('c', 9))).await.ok().json();
    assert_eq!(shown["data"]["title"], "New");
    let list = format!("/api/parcels?sort=title&filters[owner_id]={owner}");
    let titles = client.get(&list).await.ok().column("title");
    assert_eq!(titles, ["Changed", "New", "Parcel 3"]);
    let _ = client.delete(&parcel(&uuid('c', 6))).await.ok();
    let _ = client.get(&parcel(&uuid('c', 6))).await.error(404);
    client
}

/// Rule b612.
#[test]
fn uuids_are_written_in_the_form_that_their_column_has() {
    run(async {
        for (kept, class) in [(Kept::Bytes, "blob"), (Kept::Text, "text")] {
            let db = filled(kept, kept, true).await;
            db.execute_unprepared("DELETE FROM parcel_tags")
                .await
                .unwrap();
            let _ = written(&db).await;
            assert_eq!(classes(&db).await, class.repeat(3), "{kept:?}");
        }
        for (keys, links) in VARIANTS {
            let db = filled(keys, links, false).await;
            let _ = written(&db).await;
        }
    });
}

/// Rule b611.
#[test]
fn what_was_seen_is_told_at_start_up() {
    run(async {
        let db = filled(Kept::Mixed, Kept::Text, false).await;
        let (_, said) = warnings_of(client(&db)).await;
        assert!(
            said.contains(
                "`parcels.id`: holds values of the type uuid in several forms, such as `"
            ),
            "{said}"
        );
        assert!(!said.contains("`parcels.owner_id`"), "{said}");
        let db = filled(Kept::Bytes, Kept::Bytes, true).await;
        let (_, said) = warnings_of(client(&db)).await;
        assert_eq!(said, "");
    });
}
