//! Notes, which need a signed-in user, are refused by hooks, and have unique values and a foreign key.

use garde::Validate;
use listing::{
    Context, Fields, Filter, FilterOperator, HasListing, Listing, Relations, Scope, Sorts,
};
use listing_axum::{
    Access, ApiError, Change, Denied, Given, Operation, Payload, Resource, Unique,
    WritableResource, policy,
};
use sea_orm::ActiveValue::Set;
use sea_orm::ColumnTrait;

use super::app::{Diary, Entry, User};

pub mod entity {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "notes")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub owner: String,
        pub editor: Option<String>,
        pub title: String,
        /// Unique for each owner.
        pub place: i32,
        #[sea_orm(unique)]
        pub code: String,
        #[sea_orm(unique)]
        pub isbn: Option<String>,
        pub pinned: bool,
        pub folder_id: Option<i64>,
        pub created_at: DateTimeUtc,
        pub updated_at: DateTimeUtc,
        pub deleted_at: Option<DateTimeUtc>,
        #[sea_orm(belongs_to, from = "folder_id", to = "id")]
        pub folder: BelongsTo<Option<crate::own::entity::folder::Entity>>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub struct NoteListing;

impl HasListing for entity::Entity {
    type Listing = NoteListing;
}

impl Listing for NoteListing {
    type Entity = entity::Entity;

    fn fields() -> Fields<entity::Entity> {
        use entity::Column::{
            Code, CreatedAt, Editor, FolderId, Isbn, Pinned, Place, Title, UpdatedAt,
        };
        Fields::new()
            .add_default(Title)
            .add_default(Place)
            .add_default(Code)
            .add(Isbn)
            .add(Pinned)
            .add(Editor)
            .add(FolderId)
            .add(CreatedAt)
            .add(UpdatedAt)
    }

    fn relations() -> Relations<entity::Entity> {
        Relations::new().add("folder")
    }

    fn filters() -> Vec<Filter<entity::Entity>> {
        vec![Filter::make(entity::Column::Code).allowed_operators(FilterOperator::Equal)]
    }

    fn sorts() -> Sorts<entity::Entity> {
        Sorts::new().add(entity::Column::Id)
    }

    /// Each user sees the own notes.
    fn scope(context: &Context) -> Scope {
        match context.get::<User>() {
            Some(user) => Scope::rows(entity::Column::Owner.eq(&user.name)),
            None => Scope::nothing(),
        }
    }

    fn soft_delete() -> Option<entity::Column> {
        Some(entity::Column::DeletedAt)
    }
}

/// Nobody unknown may do anything; what is titled `locked` may not be touched; a user who is called a guest may neither
/// list nor store. What the hooks are given is written into the diary.
#[derive(Debug)]
pub struct Notes;

impl Resource for Notes {
    type Entity = entity::Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        policy::signed_in::<User>(access)?;
        let user = access.context().get::<User>().unwrap();
        let (operation, record) = (access.operation(), access.record());
        let is_about_one = !matches!(operation, Operation::Index | Operation::Store);
        // The call before the record is known only asks who it is.
        if is_about_one && record.is_none() {
            return Err(Denied::Forbidden);
        }
        if let Some(diary) = access.context().get::<Diary>() {
            diary.write(Entry {
                operation,
                user: user.name.clone(),
                record: record.map(|record| record.title.clone()),
            });
        }
        let refused = match record {
            Some(record) => record.title.starts_with("locked"),
            None => user.name.ends_with("guest"),
        };
        if refused {
            return Err(Denied::Forbidden);
        }
        Ok(())
    }

    fn message(operation: Operation) -> Option<String> {
        // One of our own, one default, the others none.
        match operation {
            Operation::Store => Some("Noted.".to_owned()),
            Operation::Show => None,
            _ => Some(format!("{operation:?}")),
        }
    }
}

impl WritableResource for Notes {
    type Store = NotePayload;
    type Update = NotePayload;

    fn unique() -> Vec<Unique<entity::Entity>> {
        vec![
            Unique::column(entity::Column::Code),
            Unique::column(entity::Column::Isbn),
            Unique::column(entity::Column::Place).within(entity::Column::Owner),
        ]
    }

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        change.record.owner = Set(change.context().get::<User>().unwrap().name.clone());
        if change.record.pinned.is_not_set() {
            change.record.pinned = Set(false);
        }
        Ok(())
    }

    async fn before_update(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        change.record.editor = Set(Some(change.context().get::<User>().unwrap().name.clone()));
        Ok(())
    }
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = entity::ActiveModel)]
pub struct NotePayload {
    #[payload(trim)]
    #[garde(length(chars, min = 1, max = 50))]
    pub title: String,
    #[garde(range(min = 0))]
    place: i32,
    #[garde(length(chars, min = 1, max = 50))]
    code: String,
    #[garde(length(chars, max = 50))]
    isbn: Option<String>,
    #[garde(skip)]
    pinned: Given<bool>,
    #[garde(skip)]
    folder_id: Given<Option<i64>>,
}
