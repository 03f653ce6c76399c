//! Builds a whole listing of articles from the few lines that a test cares about, and reports its mistakes.

use listing::entity::RelationMeta;
use listing::{
    Fields, Filter, HasListing, Listings, NamedRelations, Paging, Relations, Settings, Sorts,
};
use sea_orm::EntityTrait;

use crate::world::{author, comment, tag, to_author, to_comments, to_tags};

/// A listing that says nothing, until a test says something.
pub(crate) trait Small {
    type Of: EntityTrait;

    fn fields() -> Fields<Self::Of> {
        Fields::new()
    }

    fn relations() -> Relations<Self::Of> {
        Relations::new()
    }

    fn filters() -> Vec<Filter<Self::Of>> {
        Vec::new()
    }

    fn sorts() -> Sorts<Self::Of> {
        Sorts::new()
    }

    fn soft_delete() -> Option<<Self::Of as EntityTrait>::Column> {
        None
    }

    fn paging() -> Paging {
        Paging::new()
    }

    /// The relations that the entity has.
    fn named() -> Vec<RelationMeta> {
        vec![to_author(), to_comments(), to_tags()]
    }
}

/// Makes a listing of the `Entity` in scope from a few functions of [`Small`].
macro_rules! listing {
    ($listing:ident: $($said:tt)*) => {
        pub struct $listing;

        impl crate::small::Small for $listing {
            type Of = Entity;
            $($said)*
        }

        impl listing::HasListing for Entity {
            type Listing = $listing;
        }

        impl listing::NamedRelations for Entity {
            fn named_relations() -> Vec<listing::entity::RelationMeta> {
                <$listing as crate::small::Small>::named()
            }
        }

        impl listing::Listing for $listing {
            type Entity = Entity;

            fn fields() -> listing::Fields<Entity> {
                <Self as crate::small::Small>::fields()
            }

            fn relations() -> listing::Relations<Entity> {
                <Self as crate::small::Small>::relations()
            }

            fn filters() -> Vec<listing::Filter<Entity>> {
                <Self as crate::small::Small>::filters()
            }

            fn sorts() -> listing::Sorts<Entity> {
                <Self as crate::small::Small>::sorts()
            }

            fn soft_delete() -> Option<Column> {
                <Self as crate::small::Small>::soft_delete()
            }

            fn paging() -> listing::Paging {
                <Self as crate::small::Small>::paging()
            }
        }
    };
}

/// Makes an `Entity` of these columns, and a listing of it from a few functions of [`Small`].
macro_rules! entity {
    (
        $table:literal { $($(#[$attribute:meta])* $column:ident: $type:ty),+ $(,)? }
        $($listing:tt)+
    ) => {
        #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
        #[sea_orm(table_name = $table)]
        pub struct Model {
            $($(#[$attribute])* pub $column: $type,)+
        }

        #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
        pub enum Relation {}

        impl ActiveModelBehavior for ActiveModel {}

        crate::small::listing! { $($listing)+ }
    };
}

/// The same, of articles.
macro_rules! article {
    ($($listing:tt)+) => {
        crate::small::entity! {
            "articles" {
                #[sea_orm(primary_key)]
                id: i64,
                author_id: Option<i64>,
                title: String,
                views: i32,
                details: Json,
                created_at: DateTimeUtc,
            }
            $($listing)+
        }
    };
}

pub(crate) use {article, entity, listing};

/// What is wrong with an entity's listing, next to correct listings of authors, comments and tags.
pub(crate) fn mistakes<E: HasListing + NamedRelations>() -> Vec<String> {
    mistakes_under::<E>(Settings::default())
}

/// The same under other settings.
pub(crate) fn mistakes_under<E: HasListing + NamedRelations>(settings: Settings) -> Vec<String> {
    let built = Listings::builder(settings)
        .add::<E>()
        .add::<author::Entity>()
        .add::<comment::Entity>()
        .add::<tag::Entity>()
        .build();
    match built {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes.0.iter().map(ToString::to_string).collect(),
    }
}
