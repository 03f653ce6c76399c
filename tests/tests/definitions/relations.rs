//! Mistakes in `relations()`.

use listing::entity::{RelationMeta, Through};
use listing::{Fields, Listings, Populate, Relations, Settings, SortDirection};
use sea_orm::entity::prelude::*;

use crate::small::{article, mistakes};
use crate::world::{author, comment, relation, seat, tag, to_author, to_comments, to_tags};

/// Rules c2_3_r4, d40.
#[test]
fn a_relation_must_exist_on_the_entity() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add_default("autor").add("zzz")
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: relation `autor`: the entity `articles` has no relation `autor`; did you mean `author`?",
            "ArticleListing: relation `zzz`: the entity `articles` has no relation `zzz`; use one of: author, comments, tags",
        ]
    );
}

/// Rule c2_3_r4.
#[test]
fn an_entity_without_relations_has_none_to_suggest() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add("author")
        }
        fn named() -> Vec<RelationMeta> {
            Vec::new()
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: relation `author`: the entity `articles` has no relation `author`; there are none"
        ]
    );
}

/// Rule d38.
#[test]
fn no_two_outputs_have_one_name() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new().add(("author_id", "author"))
        }
        fn relations() -> Relations<Entity> {
            Relations::new().add("author").add("comments").add("comments").add("id")
        }
        fn named() -> Vec<RelationMeta> {
            vec![to_author(), to_comments(), relation::<author::Entity>("id", false, "author_id", "id")]
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: relation `author`: a field has the same name; give one of the two another alias",
            "ArticleListing: relation `comments`: it is defined twice; remove one of the two, or give it another alias",
            "ArticleListing: relation `id`: a field has the same name; give one of the two another alias",
        ]
    );
}

/// Rules d38, d42.
#[test]
fn columns_named_on_the_spot_have_one_name_each() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new()
                .add(listing::Populate::relation("author").only(["name", "nam", "name"]))
                .add(listing::Populate::relation("tags").only(["id", "code"]))
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: relation `author`: `authors` has no column `nam`; did you mean `name`?",
            "ArticleListing: relation `author`: `only` names `name` twice; remove one of the two",
            "ArticleListing: relation `tags`: `id` is the name of the primary key in every response; leave the column `id` out of `only`",
        ]
    );
}

/// Rule d42.
#[test]
fn an_entity_without_a_listing_needs_its_columns_named() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add("author").add(listing::Populate::relation("comments").only(["text"]))
        }
    }
    let mistakes = Listings::builder(Settings::default())
        .add::<Entity>()
        .build()
        .unwrap_err();
    let told: Vec<_> = mistakes.0.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "ArticleListing: relation `author`: the related entity `authors` has no listing; add its listing, or name the columns to show with `.only([..])`"
        ]
    );
}

/// Rules d40, d43.
#[test]
fn an_order_needs_columns_that_have_one() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add(
                listing::Populate::relation("comments")
                    .order_by("texts", SortDirection::Asc)
                    .order_by("details", SortDirection::Desc)
                    .order_by("text", SortDirection::Asc),
            )
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: relation `comments`: `comments` has no column `texts`; did you mean `text`?",
            "ArticleListing: relation `comments`: a JSON column has no order; sort by a computed field instead",
        ]
    );
}

/// Rules d40, b36.
#[test]
fn a_relation_is_joined_on_nothing_but_one_column() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add("author").add("comments").add("tags").add("seat")
        }
        fn named() -> Vec<RelationMeta> {
            let two = vec!["article_id".into(), "part".into()];
            let tags = to_tags();
            let through = tags.through.clone().map(|through| Through { to_parent: two.clone(), ..through });
            vec![
                RelationMeta { conditional: true, ..to_author() },
                RelationMeta { from: vec!["id".into(), "views".into()], to: two, ..to_comments() },
                RelationMeta { through, ..tags },
                relation::<seat::Entity>("seat", false, "views", "number"),
            ]
        }
    }
    let several = |name| {
        format!(
            "ArticleListing: relation `{name}`: the relation joins on several columns; use a relation that joins on one column"
        )
    };
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: relation `author`: the relation is joined on more than columns (`on_condition`); move the condition into the `scope` of the related listing"
                .to_owned(),
            several("comments"),
            several("tags"),
            "ArticleListing: relation `seat`: the related entity `seats` has no listing; add its listing, or name the columns to show with `.only([..])`"
                .to_owned(),
        ]
    );
}

/// Rule d40.
#[test]
fn a_relation_is_joined_on_columns_that_hold_keys() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add("author").add("comments").add("tags").add("other")
        }
        fn named() -> Vec<RelationMeta> {
            vec![
                relation::<author::Entity>("author", false, "created_at", "id"),
                relation::<comment::Entity>("comments", true, "title", "article_id"),
                relation::<tag::Entity>("tags", true, "id", "article"),
                relation::<tag::Entity>("other", false, "tag_code", "code"),
            ]
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: relation `author`: the relation joins on a column that is not an integer, a UUID or text; use a relation that joins on a column of one of these types",
            "ArticleListing: relation `comments`: the two columns on which the relation joins have different types; give both columns the same type",
            "ArticleListing: relation `tags`: `tags` has no column `article`; use one of: code, id, name",
            "ArticleListing: relation `other`: `articles` has no column `tag_code`; use one of: id, author_id, title, views, details, created_at",
        ]
    );
}

/// Rule b109.
#[test]
fn a_listing_that_was_not_added_is_not_passed_over_with_its_scope() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add(listing::Populate::relation("author").only(["name"]))
        }
        fn named() -> Vec<RelationMeta> {
            vec![to_author().with_listing(true)]
        }
    }
    let only_articles = Listings::builder(Settings::default()).add::<Entity>();
    assert_eq!(
        only_articles.build().unwrap_err().0[0].to_string(),
        "ArticleListing: relation `author`: the listing of `authors` was not added, so its scope would not be applied; add that listing too"
    );
    let both = Listings::builder(Settings::default())
        .add::<Entity>()
        .add::<author::Entity>();
    assert!(both.build().is_ok());
}

/// Rule b109.
#[test]
fn the_derive_knows_which_related_entities_have_a_listing() {
    let known: Vec<_> =
        <blog::entity::article::Entity as listing::NamedRelations>::named_relations()
            .into_iter()
            .map(|relation| (relation.name, relation.target_has_listing))
            .collect();
    let expected = [
        ("author", true),
        ("comments", true),
        ("tags", true),
        ("seo", false),
    ];
    let expected =
        expected.map(|(name, has_listing)| (listing::entity::Name::from(name), has_listing));
    assert_eq!(known, expected);
}

/// SeaORM calls the variant `Ceo`.
mod company {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "companies")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub ceo_id: i64,
        #[sea_orm(belongs_to, relation_enum = "CEO", from = "ceo_id", to = "id")]
        pub ceo: BelongsTo<super::person::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

mod person {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "people")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Rule b488.
#[test]
fn a_variant_with_capitals_next_to_each_other_is_found() {
    let relations = <company::Entity as listing::NamedRelations>::named_relations();
    assert_eq!(relations[0].name, "ceo");
    assert_eq!(relations[0].from, ["ceo_id"]);
}

/// Rules b771, d40.
#[test]
fn links_are_ordered_by_a_column_of_their_junction() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            let by_name = || Populate::<Entity, _>::relation("tags");
            Relations::new()
                .add(by_name().order_by_link(tag::Column::Id, SortDirection::Asc))
                .add(Populate::relation("comments").order_by_link(tag::Column::Id, SortDirection::Asc))
        }
    }
    let mistakes: Vec<_> = mistakes::<Entity>()
        .into_iter()
        .filter(|mistake| mistake.contains("between"))
        .collect();
    assert_eq!(
        mistakes,
        [
            "ArticleListing: relation `tags`: `tags` is not a table between the two sides; use a column of the junction of this relation, or `order_by` for one of the related entity",
            "ArticleListing: relation `comments`: `tags` is not a table between the two sides; use a column of the junction of this relation, or `order_by` for one of the related entity",
        ]
    );
}
