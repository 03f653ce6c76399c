//! `listing make`.

use std::fs;
use std::path::Path;

use crate::shop::{ACCOUNT, listing, on_sqlite, shop, tested_shop};

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[track_caller]
fn has(text: &str, wanted: &[&str]) {
    for wanted in wanted {
        assert!(text.contains(wanted), "`{wanted}` is not in:\n{text}");
    }
}

/// A package of sources only: `make` builds nothing.
fn package() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("Cargo.toml", "[package]\nname = \"bank\"\n");
    write("src/lib.rs", "//! A bank.\n\npub mod entity;\n");
    write("src/entity/mod.rs", "pub mod account;\n");
    write("src/entity/account.rs", ACCOUNT);
    folder
}

/// Rules c2_1_p1, b923.
#[test]
fn a_skeleton_is_made_from_the_name_of_an_entity_and_compiles() {
    let shop = tested_shop();
    let listing = read(&shop, "src/listings/account.rs");
    has(
        &listing,
        &[
            "impl HasListing for Entity",
            "impl Listing for AccountListing",
            "fn fields() -> Fields<Entity>",
            "fn relations() -> Relations<Entity>",
            "fn filters() -> Vec<Filter<Entity>>",
            "fn sorts() -> Sorts<Entity>",
            "use listing::prelude::*;",
            ".add_defaults([Column::Login, Column::State])",
            // Long text is shown on request, and searched only.
            ".add_all([Column::CustomerId, Column::Biography])",
            "Filter::make(Column::Biography).allowed_operators([Contains, Null, NotNull])",
            // A reference and an enumeration are compared, not searched.
            "Filter::make(Column::CustomerId).allowed_operators([Equal, In, Null, NotNull])",
            "Filter::make(Column::State).allowed_operators([Equal, In])",
            "fn facets() -> Vec<Facet<Entity>>",
            "vec![Facet::of(Column::CustomerId), Facet::of(Column::State)]",
            "fn soft_delete() -> Option<Column>",
            ".add(Entity::CUSTOMER)",
        ],
    );
    has(
        &read(&shop, "src/listings/mod.rs"),
        &["mod account;", "pub use self::account::AccountListing;"],
    );
    // Registered once, where the resources are.
    has(
        &read(&shop, "src/resources/mod.rs"),
        &[".listing::<crate::entity::account::Entity>()"],
    );
    has(
        &read(&shop, "src/entity/account.rs"),
        &["DeriveEntityModel, listing::NamedRelations"],
    );
}

/// Rules b123, b582.
#[test]
fn secrets_are_left_out_as_comments_and_can_be_put_back() {
    let listing = read(&shop(), "src/listings/account.rs");
    has(
        &listing,
        &[
            "// `password_hash` looks like a secret (`password` in its name). To show it, delete the slashes before `.add`:",
            "// .add(Column::PasswordHash)",
            "// .add(Column::ResetToken)",
        ],
    );
    let code = without_comments(&listing);
    for variant in ["PasswordHash", "ResetToken"] {
        assert!(!code.contains(variant), "{listing}");
    }
    // The slashes were deleted there, and it compiles.
    let shop = tested_shop();
    let customers = without_comments(&read(&shop, "src/listings/customer.rs"));
    assert_eq!(
        customers.matches("Column::ApiToken").count(),
        2,
        "{customers}"
    );
    let payload = without_comments(&read(&shop, "src/resources/customer.rs"));
    has(
        &payload,
        &["api_token: listing_axum::Given<Option<String>>,"],
    );
}

fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Rule b510.
#[test]
fn what_is_read_of_a_table_that_exists_can_be_sent_back() {
    let payload = read(&shop(), "src/resources/customer.rs");
    has(&payload, &["length(chars, max = 255)"]);
    for rule in ["min = 1", "trim"] {
        assert!(!payload.contains(rule), "{payload}");
    }
}

#[test]
fn a_table_becomes_an_entity_with_its_foreign_keys_as_relations() {
    let shop = tested_shop();
    has(
        &read(&shop, "src/entity/order.rs"),
        &[
            "#[sea_orm(table_name = \"orders\")]",
            "pub r#type: Option<String>",
            "pub customer: BelongsTo<super::customer::Entity>",
            "pub parent: BelongsTo<Option<Entity>>",
            "pub total: Decimal",
            "pub created_at: DateTimeUtc",
        ],
    );
    has(
        &read(&shop, "src/listings/order.rs"),
        &[
            ".add_all((Entity::CUSTOMER, Entity::PARENT))",
            "Filter::make(Column::Total)",
            "FilterOperator::COMPARISONS.and(Between)",
            "Facet::of(Column::CustomerId), Facet::of(Column::ParentId)",
            "Aggregate::of(Column::Total).allow([Sum, Average, Min, Max])",
            "Aggregate::of(Column::Weight).allow([Min, Max])",
        ],
    );
    has(
        &read(&shop, "src/resources/order.rs"),
        &[
            "pub struct OrderPayload",
            "r#type: Given<Option<String>>",
            // The table has a default.
            "weight: Given<f64>",
            "policy::signed_in::<Caller>(access)",
        ],
    );
    has(
        &read(&shop, "src/resources/mod.rs"),
        &[".crud::<Customers>()", ".crud::<Orders>()"],
    );
}

/// Rules b228, b580.
#[test]
fn a_generated_resource_is_for_callers_who_are_signed_in_unless_it_is_public() {
    let folder = package();
    listing(folder.path(), &["make", "Account", "--explicit", "--crud"])
        .well()
        .says("src/caller.rs")
        .says("identify::<Caller, App>");
    let resource = read(folder.path(), "src/resources/account.rs");
    has(&resource, &["policy::signed_in::<Caller>(access)"]);
    has(
        &read(folder.path(), "src/caller.rs"),
        &["pub struct Caller;"],
    );
    // An application with callers of its own keeps them.
    fs::write(folder.path().join("src/caller.rs"), "// mine\n").unwrap();
    let again = [
        "make",
        "Account",
        "--explicit",
        "--crud",
        "--force",
        "--public",
    ];
    listing(folder.path(), &again).well();
    assert_eq!(read(folder.path(), "src/caller.rs"), "// mine\n");
    let resource = read(folder.path(), "src/resources/account.rs");
    let decision = "policy::read_for_all(access, policy::signed_in::<Caller>)";
    has(&resource, &[decision]);
}

/// Rule b122.
#[test]
fn what_a_developer_wrote_is_replaced_only_with_force() {
    let folder = package();
    let file = "src/listings/account.rs";
    listing(folder.path(), &["make", "Account", "--explicit"])
        .well()
        .says("created  src/listings/account.rs");
    let made = read(folder.path(), file);
    fs::write(folder.path().join(file), format!("{made}// mine\n")).unwrap();
    let before = read(folder.path(), "src/listings/mod.rs");

    listing(folder.path(), &["make", "Account", "--explicit"])
        .badly()
        .says("src/listings/account.rs already exists; `--force` replaces it");
    assert!(read(folder.path(), file).ends_with("// mine\n"));
    listing(folder.path(), &["make", "Account", "--explicit", "--force"]).well();
    assert_eq!(read(folder.path(), file), made);
    has(&before, &[".add::<crate::entity::account::Entity>()"]);
    // Registered once, however often it is made.
    assert_eq!(read(folder.path(), "src/listings/mod.rs"), before);
}

#[test]
fn a_dry_run_shows_everything_and_writes_nothing() {
    let folder = package();
    listing(
        folder.path(),
        &["make", "Account", "--explicit", "--crud", "--dry-run"],
    )
    .well()
    .says("created  src/listings/account.rs")
    .says("changed  src/entity/account.rs")
    .says("+ impl Listing for AccountListing {")
    .says("+ pub struct AccountPayload {")
    .says("Nothing was written.");
    assert!(!folder.path().join("src/listings").exists());
    assert_eq!(read(folder.path(), "src/entity/account.rs"), ACCOUNT);
}

/// Rules b706, b923.
#[test]
fn words_are_written_at_the_columns_of_the_entity() {
    let folder = package();
    listing(folder.path(), &["make", "Account", "--crud"])
        .well()
        .says("changed  src/entity/account.rs")
        .says("`accounts.password_hash` (`password` in its name): src/entity/account.rs");
    let entity = read(folder.path(), "src/entity/account.rs");
    has(
        &entity,
        &[
            "DeriveEntityModel, listing::Listing)]",
            "soft_delete = deleted_at",
            "authorize = listing_axum::policy::signed_in::<crate::caller::Caller>",
            "    #[listing(filter(eq, in), sort)]\n    pub id: i64,",
            "    #[listing(field, filter(contains, null, notNull), write)]\n    pub biography: Option<String>,",
            "    // #[listing(field",
            "    #[listing(field, filter(eq, in, null, notNull), facet, write)]\n    pub customer_id: Option<i64>,",
        ],
    );
    has(
        &read(folder.path(), "src/resources/mod.rs"),
        &[".crud::<crate::entity::account::Entity>()"],
    );
    assert!(!folder.path().join("src/listings").exists());
    assert!(!folder.path().join("src/resources/account.rs").exists());
    // They are the developer's from then on.
    listing(folder.path(), &["make", "Account", "--crud", "--force"])
        .badly()
        .says("`Account` has a listing already: its words are at its columns, in src/entity/account.rs");
    assert_eq!(read(folder.path(), "src/entity/account.rs"), entity);
}

/// Rule b924. Those of customers and of reviews were made code in the shop, and compile.
#[test]
fn hooks_are_written_as_comments_where_they_go() {
    let folder = package();
    listing(folder.path(), &["make", "Account", "--crud"]).well();
    let entity = read(folder.path(), "src/entity/account.rs");
    let at_struct = entity
        .find("// #[listing(before_store = before_store, ")
        .unwrap();
    let at_end =
        entity.find("// async fn before_store(_change: &mut listing_axum::Change<'_, Entity>)");
    assert!(
        at_struct < entity.find("pub struct Model").unwrap(),
        "{entity}"
    );
    assert!(at_end > entity.find("impl ActiveModelBehavior"), "{entity}");
    let hooks = [
        "before_store",
        "before_update",
        "before_destroy",
        "before_restore",
        "after_commit",
    ];
    for hook in hooks {
        has(
            &entity,
            &[
                &format!("{hook} = {hook}"),
                &format!("\n// async fn {hook}("),
            ],
        );
    }
    assert!(!without_comments(&entity).contains("before_"), "{entity}");
    // A listing alone has none, and what is never restored has no hook for it.
    let folder = package();
    listing(folder.path(), &["make", "Account", "--explicit"]).well();
    assert!(!read(folder.path(), "src/entity/account.rs").contains("before_store"));
    let shop = tested_shop();
    has(
        &without_comments(&read(&shop, "src/resources/customer.rs")),
        &["async fn before_store(", "async fn after_commit("],
    );
    let orders = read(&shop, "src/resources/order.rs");
    has(
        &orders,
        &["    // async fn before_destroy(_change: &mut listing_axum::Change<'_, Self>)"],
    );
    assert!(!orders.contains("before_restore"), "{orders}");
}

/// Rule b125.
#[test]
fn a_relation_to_an_entity_without_a_listing_names_its_columns() {
    let folder = package();
    fs::write(
        folder.path().join("src/entity/customer.rs"),
        "use sea_orm::entity::prelude::*;
        #[sea_orm::model]
        #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
        #[sea_orm(table_name = \"customers\")]
        pub struct Model {
            #[sea_orm(primary_key)]
            pub id: i64,
            pub name: String,
            pub api_token: String,
        }
        impl ActiveModelBehavior for ActiveModel {}",
    )
    .unwrap();
    listing(folder.path(), &["make", "Account", "--explicit"]).well();
    let made = read(folder.path(), "src/listings/account.rs");
    has(
        &made,
        &[
            "use crate::entity::customer;",
            "Populate::relation(Entity::CUSTOMER).only([customer::Column::Name])",
        ],
    );
}

/// Rule b480.
#[test]
fn an_entity_may_have_the_name_of_the_library() {
    let folder = package();
    let entity = ACCOUNT.replace("\"accounts\"", "\"listings\"");
    fs::write(folder.path().join("src/entity/listing.rs"), entity).unwrap();
    listing(folder.path(), &["make", "Listing", "--explicit", "--crud"]).well();
    let resources = read(folder.path(), "src/resources/mod.rs");
    has(
        &resources,
        &[
            "mod listing;",
            "pub use self::listing::Listings;",
            "settings: ::listing::Settings",
            ".crud::<Listings>()",
        ],
    );
    assert!(!resources.contains("use listing::"), "{resources}");
    has(
        &read(folder.path(), "src/resources/listing.rs"),
        &["type Entity = crate::entity::listing::Entity;"],
    );
}

/// Rule b497.
#[test]
fn where_a_line_belongs_is_not_guessed() {
    let folder = package();
    let resources = "fn a() {\n    Api::new(\"/a\").build(s);\n}\nfn b() {\n    Api::new(\"/b\").build(s);\n}\n";
    fs::create_dir(folder.path().join("src/resources")).unwrap();
    let file = folder.path().join("src/resources/mod.rs");
    fs::write(&file, resources).unwrap();
    listing(folder.path(), &["make", "Account", "--explicit", "--crud"])
        .badly()
        .says("src/resources/mod.rs has 2 calls of `.build(…)`: write `.crud::<Accounts>()` before the right one");
    assert_eq!(read(folder.path(), "src/resources/mod.rs"), resources);
    assert_eq!(read(folder.path(), "src/entity/account.rs"), ACCOUNT);
    assert!(!folder.path().join("src/listings").exists());
    // Once it is there, the rest is done.
    let by_hand = resources.replacen(".build", ".crud::<Accounts>().build", 1);
    fs::write(&file, by_hand).unwrap();
    listing(folder.path(), &["make", "Account", "--explicit", "--crud"]).well();
    has(
        &read(folder.path(), "src/resources/mod.rs"),
        &["mod account;", "pub use self::account::Accounts;"],
    );
}

/// Rule b498.
#[test]
fn a_module_of_entities_may_be_a_file() {
    let folder = package();
    let file = folder.path().join("bank.sqlite");
    on_sqlite(
        &file,
        "CREATE TABLE branches (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    );
    let (old, new) = ("src/entity/mod.rs", "src/entity.rs");
    fs::rename(folder.path().join(old), folder.path().join(new)).unwrap();
    let url = format!("sqlite:{}", file.display());
    listing(folder.path(), &["make", "Branch", "--from-database", &url]).well();
    has(
        &read(folder.path(), new),
        &["pub mod account;", "pub mod branch;"],
    );
    assert!(!folder.path().join(old).exists());
}

#[test]
fn an_unknown_entity_is_told_with_the_nearest() {
    let folder = package();
    listing(folder.path(), &["make", "Acount"])
        .badly()
        .says("there is no entity `Acount`; did you mean `Account`?");
    let empty = tempfile::tempdir().unwrap();
    listing(empty.path(), &["make", "Account", "--explicit"])
        .badly()
        .says("is not inside a package");
}

/// Rule b360.
#[test]
fn columns_of_a_key_of_two_are_shown_next_to_the_id() {
    let folder = package();
    let two = ACCOUNT.replace(
        "    /// Its customer.\n",
        "    /// Its customer.\n    #[sea_orm(primary_key)]\n",
    );
    assert_ne!(two, ACCOUNT);
    fs::write(folder.path().join("src/entity/account.rs"), two).unwrap();
    listing(folder.path(), &["make", "Account", "--explicit"]).well();
    let source = fs::read_to_string(folder.path().join("src/listings/account.rs")).unwrap();
    for shown in ["Column::Id,", "Column::CustomerId,"] {
        let fields = source.split("fn relations").next().unwrap();
        assert!(fields.contains(shown), "{source}");
    }
}
