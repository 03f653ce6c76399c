//! Listings of tables that are known at run time only (b371).

use listing::entity::{ColumnMeta, EntityId, EntityMeta, RelationMeta, kind_of};
use listing::{FilterOperator, Listings, Settings, SortDirection, TableListing};
use sea_orm::sea_query::{ColumnType, IntoTableRef, StringLen};

fn table(number: usize, name: &'static str, columns: &[&'static str]) -> EntityMeta {
    let columns = columns.iter().map(|column| {
        let column_type = match column.ends_with("id") {
            true => ColumnType::Integer,
            false => ColumnType::String(StringLen::N(255)),
        };
        ColumnMeta {
            name: (*column).into(),
            kind: kind_of(&column_type),
            column_type,
            nullable: false,
            unique: false,
            values: None,
            numeric: false,
            kept: Default::default(),
        }
    });
    EntityMeta {
        id: EntityId::Table(number),
        table: name.into_table_ref(),
        name: name.into(),
        columns: columns.collect(),
        key: vec![0],
    }
}

/// Films, which have a language.
fn film(field: &str) -> TableListing {
    TableListing {
        name: "FilmListing".into(),
        entity: table(0, "film", &["id", "title", "language_id"]),
        relations: vec![RelationMeta {
            name: "language".into(),
            to_many: false,
            owns_key: true,
            from: vec!["language_id".into()],
            to: vec!["id".into()],
            through: None,
            conditional: false,
            target: table(1, "language", &["id", "name"]),
            target_has_listing: true,
        }],
        fields: vec![(field.to_owned(), true)],
        filters: vec![("title".to_owned(), FilterOperator::EQUALITY)],
        sorts: vec![("title".to_owned(), Some(SortDirection::Desc))],
        aliases: Vec::new(),
        populated: Vec::new(),
        search: Vec::new(),
        facets: Vec::new(),
        totals: Vec::new(),
        soft_delete: None,
    }
}

fn language() -> TableListing {
    TableListing {
        name: "LanguageListing".into(),
        entity: table(1, "language", &["id", "name"]),
        relations: Vec::new(),
        fields: vec![("name".to_owned(), true)],
        filters: Vec::new(),
        sorts: Vec::new(),
        aliases: Vec::new(),
        populated: Vec::new(),
        search: Vec::new(),
        facets: Vec::new(),
        totals: Vec::new(),
        soft_delete: None,
    }
}

/// Rule b371.
#[test]
fn a_table_is_verified_as_an_entity_is() {
    let builder = || Listings::builder(Settings::default());
    let wrong = builder().add_table(film("titel")).build().unwrap_err();
    let wrong = wrong.to_string();
    assert!(wrong.contains("did you mean `title`"), "{wrong}");
    // What a relation leads to is shown by its own listing.
    assert!(
        wrong.contains("the listing of `language` was not added"),
        "{wrong}"
    );

    let right = builder().add_table(film("title")).add_table(language());
    let listings = right.build().unwrap();
    let film = listings.by_id(EntityId::Table(0)).unwrap();
    assert_eq!(film.listing_name(), "FilmListing");
    assert_eq!(film.field_names().collect::<Vec<_>>(), ["id", "title"]);
    assert_eq!(film.relation_names().collect::<Vec<_>>(), ["language"]);
    assert!(listings.by_id(EntityId::Table(2)).is_none());
}
