//! What the compiler refuses, each mistake next to a correction that compiles.
//! These are documentation tests: they need no build of their own.

/// A listing says what clients can select and sort by; what it does not say of relations and filters is out of reach.
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
/// use listing::{Fields, HasListing, Listing, Sorts};
/// pub struct NoteListing;
/// impl HasListing for note::Entity { type Listing = NoteListing; }
/// impl Listing for NoteListing {
///     type Entity = note::Entity;
///     fn fields() -> Fields<note::Entity> { Fields::new() }
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
/// use listing::{Fields, HasListing, Listing, Sorts};
/// pub struct NoteListing;
/// impl HasListing for note::Entity { type Listing = NoteListing; }
/// impl Listing for NoteListing {
///     type Entity = note::Entity;
///     fn fields() -> Fields<note::Entity> { Fields::new() }
///     fn sorts() -> Sorts<note::Entity> { Sorts::new() }
/// }
/// ```
/// Rules c1_r7, c2_1_p2.
fn a_listing_without_a_whitelist_does_not_compile() {}

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
/// Rules c2_2_r1, c7_t4, d39.
fn a_computed_field_without_alias_does_not_compile() {}

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
/// Rule d40.
fn a_column_of_another_entity_does_not_compile() {}

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
/// Rule c2_4_r1.
fn a_default_of_a_wrong_type_does_not_compile() {}

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
///     async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> { policy::allow_all() }
/// }
/// ```
///
/// What everybody may read nobody may write.
///
/// ```compile_fail,E0277
/// use blog::entity::author;
/// use listing_axum::{Api, App, PublicRead};
/// let _ = Api::<App>::new("/api").crud::<PublicRead<author::Entity>>();
/// ```
///
/// ```
/// use blog::entity::author;
/// use listing_axum::{Api, App, PublicRead};
/// let _ = Api::<App>::new("/api").read::<PublicRead<author::Entity>>();
/// ```
/// Rules d63, b140.
fn a_resource_without_a_decision_does_not_compile() {}

/// Names of relations and their columns belong to the entity: in `relations()`,
///
/// ```compile_fail,E0277
/// use blog::entity::{article, author};
/// let _ = listing::Relations::<article::Entity>::new().add(author::Entity::ARTICLES);
/// ```
///
/// in `only`,
///
/// ```compile_fail,E0271
/// use blog::entity::{article, author};
/// let _ = listing::Populate::relation(article::Entity::SEO).only([author::Column::Name]);
/// ```
///
/// in a sort by relation,
///
/// ```compile_fail,E0277
/// use blog::entity::{article, author};
/// let by_title = author::Entity::ARTICLES.column(article::Column::Title);
/// let _ = listing::Sorts::<article::Entity>::new().add(by_title);
/// ```
///
/// ```compile_fail,E0308
/// use blog::entity::article;
/// let _ = article::Entity::AUTHOR.column(article::Column::Title);
/// ```
///
/// and in a filter through a relation.
///
/// ```compile_fail,E0277
/// use blog::entity::{article, author};
/// let _ = listing::Filter::<article::Entity>::relation(author::Entity::ARTICLES);
/// ```
///
/// ```
/// use blog::entity::{article::Entity, author, seo};
/// let _ = listing::Relations::<Entity>::new().add(Entity::AUTHOR);
/// let _ = listing::Populate::relation(Entity::SEO).only([seo::Column::MetaTitle]);
/// let _ = listing::Sorts::<Entity>::new().add(Entity::AUTHOR.column(author::Column::Name));
/// let _ = listing::Filter::<Entity>::relation(Entity::AUTHOR);
/// ```
/// Rule b166.
fn a_relation_of_another_entity_does_not_compile() {}

/// Operators are values of `FilterOperator`.
///
/// ```compile_fail,E0277
/// use blog::entity::article::Entity;
/// let _ = listing::Filter::<Entity>::make("title").allowed_operators("$eq");
/// ```
///
/// ```
/// use blog::entity::article::Entity;
/// use listing::FilterOperator;
/// let _ = listing::Filter::<Entity>::make("title").allowed_operators(FilterOperator::Equal);
/// ```
/// Rule b166.
fn an_operator_as_text_does_not_compile() {}

/// A custom filter returns its condition.
///
/// ```compile_fail,E0277
/// use blog::entity::article::{Column, Entity};
/// use sea_orm::ColumnTrait;
/// let _ = listing::Filter::<Entity>::make("popular").custom_query(|_, _, _| {
///     Column::Views.gte(1);
/// });
/// ```
///
/// ```
/// use blog::entity::article::{Column, Entity};
/// use sea_orm::ColumnTrait;
/// let _ = listing::Filter::<Entity>::make("popular").custom_query(|_, _, _| Column::Views.gte(1));
/// ```
/// Rule d71.
fn a_custom_filter_without_a_condition_does_not_compile() {}

/// An entity needs a listing to be listed, or to give labels, and the derive `NamedRelations`.
///
/// ```compile_fail,E0277
/// use blog::entity::seo;
/// let _ = listing::Listings::builder(listing::Settings::default()).add::<seo::Entity>();
/// ```
///
/// ```compile_fail,E0277
/// use blog::entity::{article::{Column, Entity}, seo};
/// let _ = listing::Filter::<Entity>::make(Column::AuthorId).labels_from(seo::Column::MetaTitle);
/// ```
///
/// ```compile_fail,E0277
/// mod note {
///     use sea_orm::entity::prelude::*;
///     #[sea_orm::model]
///     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
///     #[sea_orm(table_name = "notes")]
///     pub struct Model { #[sea_orm(primary_key)] pub id: i64 }
///     impl ActiveModelBehavior for ActiveModel {}
/// }
/// use listing::prelude::*;
/// pub struct NoteListing;
/// impl HasListing for note::Entity { type Listing = NoteListing; }
/// impl Listing for NoteListing {
///     type Entity = note::Entity;
///     fn fields() -> Fields<note::Entity> { Fields::new() }
///     fn sorts() -> Sorts<note::Entity> { Sorts::new() }
/// }
/// let _ = listing::Listings::builder(listing::Settings::default()).add::<note::Entity>();
/// ```
///
/// ```
/// use blog::entity::{article::{Column, Entity}, author};
/// let _ = listing::Listings::builder(listing::Settings::default()).add::<author::Entity>();
/// let _ = listing::Filter::<Entity>::make(Column::AuthorId).labels_from(author::Column::Name);
/// ```
/// Rule b166.
fn an_entity_without_a_listing_does_not_compile() {}
