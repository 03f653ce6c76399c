//! Entities are read with their columns and relations.

use super::*;

const ARTICLE: &str = r#"
    use sea_orm::entity::prelude::*;
    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "articles")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub author_id: Option<i64>,
        #[sea_orm(column_type = "String(StringLen::N(100))", unique)]
        pub slug: String,
        #[sea_orm(column_type = "Text", nullable)]
        pub body: Option<String>,
        #[sea_orm(default_value = true)]
        pub is_active: bool,
        pub state: State,
        pub r#type: String,
        #[sea_orm(column_name = "PostalCode", column_type = "Text")]
        pub postal_code: String,
        pub place: Point,
        pub created_at: DateTimeUtc,
        #[sea_orm(ignore)]
        pub scratch: i32,
        #[sea_orm(belongs_to, from = "author_id", to = "id")]
        pub author: BelongsTo<Option<super::author::Entity>>,
        #[sea_orm(has_many, via = "article_tag")]
        pub tags: HasMany<super::tag::Entity>,
    }
    impl ActiveModelBehavior for ActiveModel {}
"#;

fn article() -> Entity {
    Entity::parse("article", ARTICLE, &|name| name == "State")
        .unwrap()
        .unwrap()
}

/// Rule b124.
#[test]
fn columns_are_read_with_their_types() {
    let entity = article();
    assert_eq!(entity.table, "articles");
    assert!(!entity.named);
    let kinds: Vec<_> = entity
        .columns
        .iter()
        .map(|column| (column.name.as_str(), column.kind, column.nullable))
        .collect();
    assert_eq!(
        kinds,
        [
            ("id", Kind::Integer, false),
            ("author_id", Kind::Integer, true),
            ("slug", Kind::Text(Some(100)), false),
            ("body", Kind::LongText, true),
            ("is_active", Kind::Boolean, false),
            ("state", Kind::Enumeration, false),
            ("type", Kind::Text(Some(255)), false),
            ("PostalCode", Kind::Text(None), false),
            ("place", Kind::Unknown, false),
            ("created_at", Kind::Time, false),
        ]
    );
    let named = |name: &str| {
        let found = entity.columns.iter().find(|column| column.name == name);
        found.unwrap().clone()
    };
    assert!(named("id").key && named("slug").unique && named("is_active").has_default);
    assert!(named("id").numbered && !named("author_id").numbered);
    assert_eq!(named("type").variant, "Type");
    assert_eq!(named("PostalCode").field, "postal_code");
    assert_eq!(named("author_id").rust_type, "i64");
}

/// The columns of a model with these fields.
fn columns(fields: &str) -> Vec<Column> {
    let source = format!(
        "#[derive(DeriveEntityModel)]\n#[sea_orm(table_name = \"x\")]\npub struct Model {{ {fields} }}"
    );
    let entity = Entity::parse("x", &source, &|name| name == "State");
    entity.unwrap().unwrap().columns
}

/// Rule b366.
#[test]
fn a_key_is_numbered_as_seaorm_says() {
    for (fields, numbered) in [
        ("#[sea_orm(primary_key)] id: i64", true),
        (
            "#[sea_orm(primary_key, auto_increment = true)] id: i64",
            true,
        ),
        (
            "#[sea_orm(primary_key, auto_increment = false)] id: i64",
            false,
        ),
        (
            "#[sea_orm(primary_key)] a: i64, #[sea_orm(primary_key)] b: i64",
            false,
        ),
    ] {
        assert_eq!(columns(fields)[0].numbered, numbered, "{fields}");
    }
}

/// Rule b503.
#[test]
fn a_type_of_the_application_is_not_sent_whatever_its_column_is() {
    for (column, ty, sendable) in [
        ("JsonBinary", "Settings", false),
        ("JsonBinary", "Json", true),
        ("JsonBinary", "serde_json::Value", true),
        ("Text", "Title", false),
        ("Text", "Option<String>", true),
        ("Text", "State", false),
        ("Uuid", "AccountId", false),
        ("Money(None)", "Decimal", true),
    ] {
        let fields = format!("#[sea_orm(column_type = \"{column}\")] a: {ty}");
        assert_eq!(columns(&fields)[0].sendable, sendable, "{fields}");
    }
}

#[test]
fn relations_are_read_with_their_targets() {
    let relations: Vec<_> = article()
        .relations
        .into_iter()
        .map(|relation| (relation.name, relation.module, relation.to_many))
        .collect();
    let expected = [("author", "author", false), ("tags", "tag", true)];
    let expected = expected.map(|(name, to, many)| (name.to_owned(), to.to_owned(), many));
    assert_eq!(relations, expected);
}

/// Rule b229.
#[test]
fn long_text_is_known_by_its_name() {
    for name in ["body", "description", "release_notes", "html"] {
        assert!(is_long(name), "{name}");
    }
    for name in ["title", "postal_code", "context", "texture"] {
        assert!(!is_long(name), "{name}");
    }
}

#[test]
fn a_file_without_a_model_is_not_an_entity() {
    let found = Entity::parse("x", "pub struct Model { pub id: i64 }", &|_| false);
    assert_eq!(found.unwrap(), None);
    assert!(Entity::parse("x", "pub struct {", &|_| false).is_err());
}
