//! Words of a listing that the compiler refuses, next to those that compile.
//!
//! These are documentation tests, too.

/// Words at columns and at the model: the mistakes that are likeliest. What the compiler says of each is tested where it is written,
/// in `crates/listing-macros/src/listing/tests.rs`.
///
/// A word that does not exist.
///
/// ```compile_fail
/// use sea_orm::entity::prelude::*;
/// #[sea_orm::model]
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
/// #[sea_orm(table_name = "notes")]
/// pub struct Model {
///     #[sea_orm(primary_key)]
///     pub id: i64,
///     #[listing(defualt)]
///     pub title: String,
/// }
/// impl ActiveModelBehavior for ActiveModel {}
/// # fn main() {}
/// ```
///
/// An operator that does not exist.
///
/// ```compile_fail
/// use sea_orm::entity::prelude::*;
/// #[sea_orm::model]
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
/// #[sea_orm(table_name = "notes")]
/// pub struct Model {
///     #[sea_orm(primary_key)]
///     pub id: i64,
///     #[listing(filter(equals))]
///     pub title: String,
/// }
/// impl ActiveModelBehavior for ActiveModel {}
/// # fn main() {}
/// ```
///
/// A filter without operators.
///
/// ```compile_fail
/// use sea_orm::entity::prelude::*;
/// #[sea_orm::model]
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
/// #[sea_orm(table_name = "notes")]
/// pub struct Model {
///     #[sea_orm(primary_key)]
///     pub id: i64,
///     #[listing(filter)]
///     pub title: String,
/// }
/// impl ActiveModelBehavior for ActiveModel {}
/// # fn main() {}
/// ```
///
/// A method that filters do not have.
///
/// ```compile_fail
/// use sea_orm::entity::prelude::*;
/// #[sea_orm::model]
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
/// #[sea_orm(table_name = "notes")]
/// pub struct Model {
///     #[sea_orm(primary_key)]
///     pub id: i64,
///     #[listing(filter(eq, label([("a", "b")])))]
///     pub title: String,
/// }
/// impl ActiveModelBehavior for ActiveModel {}
/// # fn main() {}
/// ```
///
/// A word for a relation at a column.
///
/// ```compile_fail
/// use sea_orm::entity::prelude::*;
/// #[sea_orm::model]
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
/// #[sea_orm(table_name = "notes")]
/// pub struct Model {
///     #[sea_orm(primary_key)]
///     pub id: i64,
///     #[listing(populate)]
///     pub title: String,
/// }
/// impl ActiveModelBehavior for ActiveModel {}
/// # fn main() {}
/// ```
///
/// A relation that does not exist.
///
/// ```compile_fail
/// use sea_orm::entity::prelude::*;
/// #[sea_orm::model]
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
/// #[sea_orm(table_name = "notes")]
/// #[listing(populate(autor))]
/// pub struct Model {
///     #[sea_orm(primary_key)]
///     pub id: i64,
///     #[listing(default)]
///     pub title: String,
/// }
/// impl ActiveModelBehavior for ActiveModel {}
/// # fn main() {}
/// ```
///
/// A column that does not exist, in the search,
///
/// ```compile_fail
/// use sea_orm::entity::prelude::*;
/// #[sea_orm::model]
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
/// #[sea_orm(table_name = "notes")]
/// #[listing(search(titel))]
/// pub struct Model {
///     #[sea_orm(primary_key)]
///     pub id: i64,
///     #[listing(default)]
///     pub title: String,
/// }
/// impl ActiveModelBehavior for ActiveModel {}
/// # fn main() {}
/// ```
///
/// and in the default order.
///
/// ```compile_fail
/// use sea_orm::entity::prelude::*;
/// #[sea_orm::model]
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
/// #[sea_orm(table_name = "notes")]
/// #[listing(sort = "titel:desc")]
/// pub struct Model {
///     #[sea_orm(primary_key)]
///     pub id: i64,
///     #[listing(default)]
///     pub title: String,
/// }
/// impl ActiveModelBehavior for ActiveModel {}
/// # fn main() {}
/// ```
///
/// A soft delete by a column that is never null.
///
/// ```compile_fail
/// use sea_orm::entity::prelude::*;
/// #[sea_orm::model]
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
/// #[sea_orm(table_name = "notes")]
/// #[listing(soft_delete = deleted_at)]
/// pub struct Model {
///     #[sea_orm(primary_key)]
///     pub id: i64,
///     pub deleted_at: DateTimeUtc,
/// }
/// impl ActiveModelBehavior for ActiveModel {}
/// # fn main() {}
/// ```
///
/// A default that has the type of nothing that can be compared.
///
/// ```compile_fail
/// use sea_orm::entity::prelude::*;
/// #[sea_orm::model]
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
/// #[sea_orm(table_name = "notes")]
/// pub struct Model {
///     #[sea_orm(primary_key)]
///     pub id: i64,
///     #[listing(filter(eq, default_value(std::time::Duration::ZERO)))]
///     pub title: String,
/// }
/// impl ActiveModelBehavior for ActiveModel {}
/// # fn main() {}
/// ```
///
/// ```
/// use sea_orm::entity::prelude::*;
/// #[sea_orm::model]
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
/// #[sea_orm(table_name = "notes")]
/// #[listing(search(title), sort = "title:desc", soft_delete = deleted_at)]
/// pub struct Model {
///     #[sea_orm(primary_key)]
///     pub id: i64,
///     #[listing(default, filter(eq, labels([("a", "b")]), default_value("a")))]
///     pub title: String,
///     pub deleted_at: Option<DateTimeUtc>,
/// }
/// impl ActiveModelBehavior for ActiveModel {}
/// # fn main() {}
/// ```
///
/// Words below the derive that does not read them.
///
/// ```compile_fail
/// use sea_orm::entity::prelude::*;
/// #[sea_orm::model]
/// #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
/// #[sea_orm(table_name = "notes")]
/// pub struct Model {
///     #[sea_orm(primary_key)]
///     pub id: i64,
///     #[listing(default)]
///     pub title: String,
/// }
/// impl ActiveModelBehavior for ActiveModel {}
/// # fn main() {}
/// ```
///
/// Rule b701.
fn a_mistaken_word_of_a_listing_does_not_compile() {}

/// An entity is served once it is decided who may do what.
///
/// ```compile_fail,E0277
/// mod note {
///     use sea_orm::entity::prelude::*;
///     #[sea_orm::model]
///     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
///     #[sea_orm(table_name = "notes")]
///     pub struct Model { #[sea_orm(primary_key)] pub id: i64, #[listing(write)] pub title: String }
///     impl ActiveModelBehavior for ActiveModel {}
/// }
/// fn main() {
///     let _ = listing_axum::Api::<listing_axum::App>::new("/api").crud::<note::Entity>();
/// }
/// ```
///
/// ```
/// mod note {
///     use sea_orm::entity::prelude::*;
///     #[sea_orm::model]
///     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
///     #[sea_orm(table_name = "notes")]
///     #[listing(authorize = |_| listing_axum::policy::allow_all())]
///     pub struct Model { #[sea_orm(primary_key)] pub id: i64, #[listing(write)] pub title: String }
///     impl ActiveModelBehavior for ActiveModel {}
/// }
/// fn main() {
///     let _ = listing_axum::Api::<listing_axum::App>::new("/api").crud::<note::Entity>();
/// }
/// ```
///
/// Rule b703.
fn an_entity_without_a_decision_is_not_served() {}
