//! Entities as they are written from tables.

use sea_orm::sea_query::{ColumnType, StringLen};

use super::*;
use crate::database::{Directions, ForeignKey, Index, Modules, Relations};

fn written(tables: &[Table], name: &str) -> (String, Vec<String>) {
    let modules = Modules::of_tables(tables);
    let relations = Relations::between(tables, &modules, Directions::Both);
    let at = tables.iter().position(|table| table.name == name).unwrap();
    let written = entity_source(&tables[at], &relations.of_table(at), &BTreeMap::new());
    (written.source, written.notes)
}

fn column(name: &str, column_type: ColumnType, nullable: bool) -> Column {
    Column {
        name: name.to_owned(),
        declared: format!("{column_type:?}").to_lowercase(),
        column_type,
        nullable,
        default: None,
        numbered: name == "id",
        computed: false,
        readable_as: &[],
    }
}

fn key(column: &str, table: &str) -> ForeignKey {
    ForeignKey {
        columns: vec![column.to_owned()],
        table: table.to_owned(),
        table_schema: None,
        references: vec!["id".to_owned()],
    }
}

fn orders() -> Vec<Table> {
    vec![Table {
        name: "orders".to_owned(),
        columns: vec![
            column("id", ColumnType::BigInteger, false),
            column("customer_id", ColumnType::BigInteger, false),
            column("parent_id", ColumnType::BigInteger, true),
            column("type", ColumnType::String(StringLen::N(20)), false),
            column("total", ColumnType::Decimal(Some((10, 2))), true),
            column("place", ColumnType::custom("point"), true),
        ],
        key: vec!["id".to_owned()],
        foreign_keys: vec![key("customer_id", "customers"), key("parent_id", "orders")],
        ..Table::default()
    }]
}

#[test]
fn a_table_becomes_an_entity_that_says_what_it_lacks() {
    let (source, notes) = written(&orders(), "orders");
    for line in [
        "#[sea_orm(table_name = \"orders\")]",
        "#[sea_orm(primary_key)]\n    pub id: i64,",
        "#[sea_orm(column_type = \"String(StringLen::N(20))\")]\n    pub r#type: String,",
        "#[sea_orm(column_type = \"Decimal(Some((10, 2)))\", nullable)]\n    pub total: Option<Decimal>,",
        "pub parent: BelongsTo<Option<Entity>>,",
    ] {
        assert!(source.contains(line), "{line}\n{source}");
    }
    assert!(!source.contains("customer:"), "{source}");
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("`orders.place`")));
    assert!(notes.iter().any(|note| note.contains("`customers`")));
}

#[test]
fn a_foreign_key_is_a_relation_where_the_other_entity_exists() {
    let mut tables = orders();
    tables.push(customers());
    let (source, _) = written(&tables, "orders");
    let line = "#[sea_orm(belongs_to, from = \"customer_id\", to = \"id\")]\n    \
                pub customer: BelongsTo<super::customer::Entity>,";
    assert!(source.contains(line), "{source}");
}

/// Rule b481.
#[test]
fn a_relation_is_by_the_column_that_has_the_foreign_key() {
    let mut tables = orders();
    let other = column("CustomerId", ColumnType::BigInteger, false);
    tables[0].columns.insert(1, other);
    tables.push(customers());
    let (source, _) = written(&tables, "orders");
    for line in [
        "#[sea_orm(column_name = \"CustomerId\")]\n    pub customer_id: i64,",
        "#[sea_orm(column_name = \"customer_id\")]\n    pub customer_id_column: i64,",
        "#[sea_orm(belongs_to, from = \"customer_id_column\", to = \"id\")]",
    ] {
        assert!(source.contains(line), "{line}\n{source}");
    }
}

fn customers() -> Table {
    Table {
        name: "customers".to_owned(),
        columns: vec![column("id", ColumnType::BigInteger, false)],
        key: vec!["id".to_owned()],
        ..Table::default()
    }
}

/// Rule b361.
#[test]
fn relations_lead_back_too() {
    let mut tables = orders();
    tables.push(customers());
    let (source, _) = written(&tables, "customers");
    let line = "#[sea_orm(has_many)]\n    pub orders: HasMany<super::order::Entity>,";
    assert!(source.contains(line), "{source}");
    let (source, _) = written(&tables, "orders");
    let line = "#[sea_orm(self_ref, relation_enum = \"Orders\", relation_reverse = \"Parent\")]\n    \
                pub orders: HasMany<Entity>,";
    assert!(source.contains(line), "{source}");
}

/// Rule b361.
#[test]
fn a_unique_key_leads_back_to_one_row_and_other_keys_are_told() {
    let mut tables = orders();
    tables.push(customers());
    tables[0].indexes.push(Index {
        name: "orders_customer".to_owned(),
        unique: true,
        columns: vec!["customer_id".to_owned()],
        ..Index::default()
    });
    let (source, _) = written(&tables, "customers");
    let line = "#[sea_orm(has_one)]\n    pub order: HasOne<super::order::Entity>,";
    assert!(source.contains(line), "{source}");
    let told = |tables: &[Table], why: &str| {
        let (source, notes) = written(tables, "orders");
        assert!(!source.contains("customer:"), "{source}");
        let told = |note: &String| {
            note.starts_with("`orders` (`customer_id`")
                && note.contains("`customers`")
                && note.contains(why)
        };
        assert!(notes.iter().any(told), "{notes:?}");
    };
    tables[0].columns[1].column_type = ColumnType::Date;
    told(&tables, "neither an integer nor a UUID nor text");
    let key = &mut tables[0].foreign_keys[0];
    key.columns.push("parent_id".to_owned());
    key.references.push("parent_id".to_owned());
    told(&tables, "by several columns together");
}

/// Rules b367, b965.
#[test]
fn what_the_driver_cannot_take_is_cast() {
    for (column_type, casts) in [
        (ColumnType::Money(None), ("numeric", "money")),
        (ColumnType::Interval(None, None), ("text", "interval")),
        (ColumnType::Inet, ("text", "inet")),
        (ColumnType::Cidr, ("text", "cidr")),
        (ColumnType::custom("macaddr"), ("text", "macaddr")),
        (ColumnType::custom("citext"), ("text", "citext")),
        (ColumnType::custom("ltree"), ("text", "ltree")),
        (ColumnType::custom("oid"), ("bigint", "oid")),
        (
            ColumnType::custom("time with time zone"),
            ("text", "time with time zone"),
        ),
        (ColumnType::Bit(Some(8)), ("text", "bit(8)")),
        (ColumnType::VarBit(8), ("text", "bit varying")),
    ] {
        let mut tables = orders();
        tables[0].columns[5].column_type = column_type;
        let (source, _) = written(&tables, "orders");
        let (read, saved) = casts;
        let line = format!("select_as = \"{read}\", save_as = \"{saved}\")]\n    pub place: ");
        assert!(source.contains(&line), "{source}");
    }
}

/// Rule b509.
#[test]
fn an_enumeration_that_seaorm_cannot_name_is_text() {
    let mut tables = orders();
    let place = &mut tables[0].columns[5];
    place.column_type = ColumnType::Enum {
        name: "Mood".to_owned().into(),
        variants: Vec::new(),
    };
    let (source, notes) = written(&tables, "orders");
    let line = "#[sea_orm(column_type = \"custom(\\\"Mood\\\")\", nullable, select_as = \"text\", save_as = \"\\\"Mood\\\"\")]\n    \
                pub place: Option<String>,";
    assert!(source.contains(line), "{line}\n{source}");
    assert!(syn::parse_file(&source).is_ok(), "{source}");
    let told = |note: &String| note.contains("`orders.place` is text");
    assert!(notes.iter().any(told), "{notes:?}");
}

/// Rule b222.
#[test]
fn names_of_a_database_cannot_break_the_source() {
    let mut tables = orders();
    tables[0].name = "odd \"table\"\nmod x;".to_owned();
    for name in [
        "2fast",
        "gen",
        "quo\"te\\",
        "new\nline",
        "AlbumId",
        "album_id",
    ] {
        let odd = column(name, ColumnType::BigInteger, false);
        tables[0].columns.push(odd);
    }
    let name = tables[0].name.clone();
    let (source, _) = written(&tables, &name);
    for line in [
        "#[sea_orm(table_name = \"odd \\\"table\\\"\\nmod x;\")]",
        "#[sea_orm(column_name = \"2fast\")]\n    pub column_2fast: i64,",
        "pub r#gen: i64,",
        "#[sea_orm(column_name = \"quo\\\"te\\\\\")]\n    pub quo_te: i64,",
        "#[sea_orm(column_name = \"new\\nline\")]\n    pub new_line: i64,",
        "#[sea_orm(column_name = \"AlbumId\")]\n    pub album_id: i64,",
        "#[sea_orm(column_name = \"album_id\")]\n    pub album_id_column: i64,",
    ] {
        assert!(source.contains(line), "{line}\n{source}");
    }
    let file = syn::parse_file(&source).unwrap();
    assert_eq!(file.items.len(), 3, "{source}");
}

/// Rule b506.
#[test]
fn a_word_of_the_language_can_be_unique_and_a_foreign_key() {
    let mut tables = orders();
    tables[0].indexes.push(Index {
        name: "orders_type".to_owned(),
        unique: true,
        columns: vec!["type".to_owned()],
        ..Index::default()
    });
    tables[0].columns[1].name = "in".to_owned();
    tables[0].foreign_keys[0].columns = vec!["in".to_owned()];
    tables.push(customers());
    let (source, _) = written(&tables, "orders");
    for line in [
        "#[sea_orm(column_name = \"type\", unique, column_type = \"String(StringLen::N(20))\")]\n    pub type_: String,",
        "pub r#in: i64,",
        "#[sea_orm(belongs_to, from = \"Column::In\", to = \"id\")]\n    pub customer: ",
    ] {
        assert!(source.contains(line), "{line}\n{source}");
    }
}

/// Rule b508.
#[test]
fn a_number_that_is_part_of_a_key_is_not_for_clients() {
    let mut tables = vec![customers()];
    let (source, _) = written(&tables, "customers");
    assert!(
        source.contains("#[sea_orm(primary_key)]\n    pub id: i64,"),
        "{source}"
    );
    let part = column("made_on", ColumnType::Date, false);
    tables[0].columns.push(part);
    tables[0].key.push("made_on".to_owned());
    let (source, _) = written(&tables, "customers");
    for line in [
        "#[sea_orm(primary_key, auto_increment = false, extra = \"GENERATED ALWAYS\")]\n    pub id: i64,",
        "#[sea_orm(primary_key, auto_increment = false)]\n    pub made_on: Date,",
    ] {
        assert!(source.contains(line), "{line}\n{source}");
    }
    let entity = crate::model::entity::Entity::parse("customer", &source, &|_| false);
    let entity = entity.unwrap().unwrap();
    let source =
        crate::source::resource::source(&entity, "crate::entity::customer", &Default::default());
    assert!(
        source.contains("    made_on: Date,") && !source.contains("    id: "),
        "{source}"
    );
}

/// Rules b223, b361.
#[test]
fn a_link_table_is_a_relation_or_is_told() {
    let mut tables = orders();
    tables.push(Table {
        name: "tags".to_owned(),
        ..customers()
    });
    tables.push(Table {
        name: "order_tags".to_owned(),
        columns: vec![
            column("order_id", ColumnType::BigInteger, false),
            column("tag_id", ColumnType::BigInteger, false),
        ],
        key: vec!["order_id".to_owned(), "tag_id".to_owned()],
        foreign_keys: vec![key("order_id", "orders"), key("tag_id", "tags")],
        ..Table::default()
    });
    let (source, _) = written(&tables, "orders");
    let line =
        "#[sea_orm(has_many, via = \"order_tag\")]\n    pub tags: HasMany<super::tag::Entity>,";
    assert!(source.contains(line), "{source}");
    // It leads back only where it has more to show than when it was made.
    for (default, leads_back) in [(Some(DefaultValue::Now), false), (None, true)] {
        let mut tables = tables.clone();
        let mut more = column("added", ColumnType::DateTime, false);
        more.default = default;
        tables[2].columns.push(more);
        let (source, _) = written(&tables, "orders");
        let line = "pub order_tags: HasMany<super::order_tag::Entity>,";
        assert_eq!(source.contains(line), leads_back, "{source}");
    }
    let notes = links(&tables, "orders");
    let note = notes.iter().find(|note| note.contains("`order_tags`"));
    let note = note.unwrap();
    assert!(note.contains("`tags`"), "{note}");
    let line = "#[sea_orm(has_many, via = \"order_tag\")] pub tags: HasMany<super::tag::Entity>";
    assert!(note.contains(line), "{note}");
}

#[test]
fn a_default_lets_a_payload_leave_the_field_out() {
    for (value, attribute) in [
        (DefaultValue::Integer(3), "default_value = 3"),
        (
            DefaultValue::Integer(-3),
            "default_expr = \"Expr::val(-3)\"",
        ),
        (
            DefaultValue::Text("a\"b".to_owned()),
            r#"default_value = "a\"b""#,
        ),
        (
            DefaultValue::Expression("f('x')".to_owned()),
            r#"default_expr = "Expr::cust(\"f('x')\")""#,
        ),
    ] {
        assert_eq!(default_value(&value), attribute);
    }
}

/// Projects that have an owner, and users who are linked with them twice more.
fn projects() -> Vec<Table> {
    let link = |name: &str| Table {
        name: name.to_owned(),
        columns: vec![
            column("project_id", ColumnType::BigInteger, false),
            column("user_id", ColumnType::BigInteger, false),
        ],
        key: vec!["project_id".to_owned(), "user_id".to_owned()],
        foreign_keys: vec![key("project_id", "projects"), key("user_id", "users")],
        ..Table::default()
    };
    let mut projects = customers_as("projects");
    let owner = column("user_id", ColumnType::BigInteger, false);
    projects.columns.push(owner);
    projects.foreign_keys.push(key("user_id", "users"));
    vec![
        link("project_user"),
        link("project_watcher"),
        projects,
        customers_as("users"),
    ]
}

/// Rule b504.
#[test]
fn no_two_relations_of_an_entity_have_one_name() {
    let tables = projects();
    for (table, lines) in [
        (
            "projects",
            &[
                "#[sea_orm(belongs_to, from = \"user_id\", to = \"id\")]\n    pub user: BelongsTo<super::user::Entity>,",
                "#[sea_orm(has_many, relation_enum = \"ProjectUserUser\", via = \"project_user\")]\n    pub users: ",
                "#[sea_orm(has_many, relation_enum = \"ProjectWatcherUser\", via = \"project_watcher\")]\n    \
                 pub users_project_watcher: ",
            ][..],
        ),
        (
            "users",
            &[
                "relation_enum = \"ProjectUserProject\", via = \"project_user\")]\n    pub projects: ",
                "relation_enum = \"ProjectsUser\", via_rel = \"User\")]\n    pub projects_user: ",
            ],
        ),
        // The name of a relation through a link is that of the link's own relation.
        (
            "project_user",
            &[
                "belongs_to, relation_enum = \"ProjectUserUser\", from = \"user_id\"",
                "belongs_to, relation_enum = \"ProjectUserProject\", from = \"project_id\"",
            ],
        ),
    ] {
        let (source, _) = written(&tables, table);
        for line in lines {
            assert!(source.contains(line), "{line}\n{source}");
        }
    }
    // One link alone needs no such name.
    let one = [
        tables[0].clone(),
        customers_as("projects"),
        customers_as("users"),
    ];
    let (source, _) = written(&one, "projects");
    let line = "#[sea_orm(has_many, via = \"project_user\")]\n    pub users: ";
    assert!(source.contains(line), "{source}");
}

/// Rule b504.
#[test]
fn a_relation_has_the_name_of_an_entity_only_where_no_other_is_called_so() {
    // `author` leads to users, and `writer` to authors.
    let mut tables = orders();
    tables[0].foreign_keys = vec![
        key("author_id", "users"),
        key("editor_id", "users"),
        key("writer_id", "authors"),
    ];
    for name in ["author_id", "editor_id", "writer_id"] {
        let own = column(name, ColumnType::BigInteger, false);
        tables[0].columns.push(own);
    }
    tables.extend([customers_as("authors"), customers_as("users")]);
    let (source, _) = written(&tables, "orders");
    let line = "relation_enum = \"Writer\", from = \"writer_id\", to = \"id\")]\n    pub writer: ";
    assert!(source.contains(line), "{source}");
    // SeaORM would take `r#type` for two words.
    let mut tables = orders();
    tables[0].foreign_keys = vec![key("customer_id", "types")];
    tables.push(customers_as("types"));
    let (source, _) = written(&tables, "orders");
    let line = "relation_enum = \"Type\", from = \"customer_id\", to = \"id\")]\n    pub customer: \
                BelongsTo<super::r#type::Entity>";
    assert!(source.contains(line), "{source}");
}

fn customers_as(name: &str) -> Table {
    Table {
        name: name.to_owned(),
        ..customers()
    }
}
