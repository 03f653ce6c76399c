//! What the compiler refuses, each mistake next to a correction that compiles.
//! These are documentation tests: they need no build of their own.

/// A listing needs all four definitions.
///
/// ```compile_fail,E0046
/// mod note {
///     use sea_orm::entity::prelude::*;
///     #[sea_orm::model]
///     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
///     #[sea_orm(table_name = "notes")]
///     pub struct Model { #[sea_orm(primary_key)] pub id: i64 }
///     impl ActiveModelBehavior for ActiveModel {}
/// }
/// use listing::{Fields, Filter, HasListing, Listing, Relations, Sorts};
/// pub struct NoteListing;
/// impl HasListing for note::Entity { type Listing = NoteListing; }
/// impl Listing for NoteListing {
///     type Entity = note::Entity;
///     fn fields() -> Fields<note::Entity> { Fields::new() }
///     fn relations() -> Relations<note::Entity> { Relations::new() }
///     fn filters() -> Vec<Filter<note::Entity>> { Vec::new() }
/// }
/// ```
///
/// ```
/// mod note {
///     use sea_orm::entity::prelude::*;
///     #[sea_orm::model]
///     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
///     #[sea_orm(table_name = "notes")]
///     pub struct Model { #[sea_orm(primary_key)] pub id: i64 }
///     impl ActiveModelBehavior for ActiveModel {}
/// }
/// use listing::{Fields, Filter, HasListing, Listing, Relations, Sorts};
/// pub struct NoteListing;
/// impl HasListing for note::Entity { type Listing = NoteListing; }
/// impl Listing for NoteListing {
///     type Entity = note::Entity;
///     fn fields() -> Fields<note::Entity> { Fields::new() }
///     fn relations() -> Relations<note::Entity> { Relations::new() }
///     fn filters() -> Vec<Filter<note::Entity>> { Vec::new() }
///     fn sorts() -> Sorts<note::Entity> { Sorts::new() }
/// }
/// ```
fn c1_r7_c2_1_p2_a_listing_without_a_whitelist_does_not_compile() {}

/// A computed field needs an alias.
///
/// ```compile_fail,E0277
/// use blog::entity::article::Entity;
/// use listing::Fields;
/// use sea_orm::sea_query::Query;
/// let _ = Fields::<Entity>::new().add(|| Query::select().expr(1).take());
/// ```
///
/// ```
/// use blog::entity::article::Entity;
/// use listing::Fields;
/// use sea_orm::sea_query::Query;
/// let _ = Fields::<Entity>::new().add((|| Query::select().expr(1).take(), "one"));
/// ```
fn c2_2_r1_c7_t4_d39_a_computed_field_without_alias_does_not_compile() {}

/// A field is a column of the listing's own entity.
///
/// ```compile_fail,E0271
/// use blog::entity::{article::Entity, author};
/// let _ = listing::Fields::<Entity>::new().add(author::Column::Name);
/// ```
///
/// So is a filter's key.
///
/// ```compile_fail,E0271
/// use blog::entity::{article::Entity, author};
/// let _ = listing::Filter::<Entity>::make(author::Column::Name);
/// ```
///
/// And a sort.
///
/// ```compile_fail,E0271
/// use blog::entity::{article::Entity, author};
/// let _ = listing::Sorts::<Entity>::new().add(author::Column::Name);
/// ```
///
/// ```
/// use blog::entity::{article, author::Entity, author};
/// let _ = listing::Fields::<Entity>::new().add(author::Column::Name);
/// let _ = listing::Filter::<Entity>::make(author::Column::Name);
/// let _ = listing::Sorts::<Entity>::new().add(author::Column::Name);
/// ```
fn d40_a_column_of_another_entity_does_not_compile() {}

/// A default is something that a column can be compared with.
///
/// ```compile_fail,E0277
/// use blog::entity::article::Entity;
/// let _ = listing::Filter::<Entity>::make("id").default_value(std::time::Duration::ZERO);
/// ```
///
/// ```
/// use blog::entity::article::Entity;
/// let _ = listing::Filter::<Entity>::make("id").default_value(1);
/// ```
fn c2_4_r1_a_default_of_a_wrong_type_does_not_compile() {}

/// A resource says who may do what.
///
/// ```compile_fail,E0046
/// use blog::entity::article;
/// use listing_axum::Resource;
/// struct Articles;
/// impl Resource for Articles {
///     type Entity = article::Entity;
/// }
/// ```
///
/// ```
/// use blog::entity::article;
/// use listing_axum::{Access, Denied, Resource, policy};
/// struct Articles;
/// impl Resource for Articles {
///     type Entity = article::Entity;
///     fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> { policy::allow_all() }
/// }
/// ```
///
/// What everybody may read nobody may write.
///
/// ```compile_fail,E0277
/// use blog::{entity::author, routes::App};
/// use listing_axum::{Api, PublicRead};
/// let _ = Api::<App>::new("/api").crud::<PublicRead<author::Entity>>();
/// ```
///
/// ```
/// use blog::{entity::author, routes::App};
/// use listing_axum::{Api, PublicRead};
/// let _ = Api::<App>::new("/api").read::<PublicRead<author::Entity>>();
/// ```
fn d63_b140_a_resource_without_a_decision_does_not_compile() {}
