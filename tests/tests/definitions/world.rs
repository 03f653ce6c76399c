//! Tables around the articles of a test, with correct listings and the relations that lead to them.

use listing::entity::{EntityMeta, RelationMeta, Through};
use listing::{Fields, HasListing, Listing, NamedRelations, Sorts};
use sea_orm::EntityTrait;

macro_rules! neighbour {
    ($entity:ident $table:literal shows [$($shown:literal),*] of {
        $($(#[$attribute:meta])* $column:ident: $type:ty),+ $(,)?
    }) => {
        pub(crate) mod $entity {
            use sea_orm::entity::prelude::*;

            #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
            #[sea_orm(table_name = $table)]
            pub struct Model {
                $($(#[$attribute])* pub $column: $type,)+
            }

            #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
            pub enum Relation {}

            impl ActiveModelBehavior for ActiveModel {}

            pub struct Shown;
        }

        impl HasListing for $entity::Entity {
            type Listing = $entity::Shown;
        }

        impl NamedRelations for $entity::Entity {
            fn named_relations() -> Vec<RelationMeta> {
                Vec::new()
            }
        }

        impl Listing for $entity::Shown {
            type Entity = $entity::Entity;

            fn fields() -> Fields<$entity::Entity> {
                Fields::new()$(.add($shown))*
            }

            fn sorts() -> Sorts<$entity::Entity> {
                Sorts::new()
            }
        }
    };
}

neighbour!(author "authors" shows ["name", "settings"] of {
    #[sea_orm(primary_key)]
    id: i64,
    name: String,
    email: String,
    settings: Json,
});

neighbour!(comment "comments" shows ["text"] of {
    #[sea_orm(primary_key)]
    id: i64,
    article_id: i64,
    text: String,
    details: Json,
});

neighbour!(tag "tags" shows ["name"] of {
    #[sea_orm(primary_key, auto_increment = false)]
    code: Uuid,
    id: i32,
    name: String,
});

neighbour!(seat "seats" shows [] of {
    #[sea_orm(primary_key, auto_increment = false)]
    row: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    number: i32,
});

/// `author`, which is one.
pub(crate) fn to_author() -> RelationMeta {
    relation::<author::Entity>("author", false, "author_id", "id")
}

/// `comments`, which are many.
pub(crate) fn to_comments() -> RelationMeta {
    relation::<comment::Entity>("comments", true, "id", "article_id")
}

/// `tags`, which are many, through a junction.
pub(crate) fn to_tags() -> RelationMeta {
    RelationMeta {
        through: Some(Through {
            table: "article_tags".into(),
            name: "article_tags".into(),
            to_parent: vec!["article_id".into()],
            to_target: vec!["tag_code".into()],
            entity: None,
            has_listing: false,
            repeats: true,
            kept: Default::default(),
        }),
        ..relation::<tag::Entity>("tags", true, "id", "code")
    }
}

/// A relation on one column.
pub(crate) fn relation<R: EntityTrait>(
    name: &'static str,
    to_many: bool,
    from: &'static str,
    to: &'static str,
) -> RelationMeta {
    RelationMeta {
        name: name.into(),
        to_many,
        from: vec![from.into()],
        to: vec![to.into()],
        through: None,
        owns_key: false,
        conditional: false,
        target: EntityMeta::of::<R>(),
        target_has_listing: false,
    }
}
