//! Mistakes in filters through relations and in counts, and names that collide.

use listing::entity::RelationMeta;
use listing::{
    Absent, Context, Dialect, Field, Fields, Filter, FilterOperator, Listings, Names, Populate,
    RelationName, Relations, Settings, Sort, Sorts,
};
use sea_orm::entity::prelude::*;

use crate::small::{article, entity, mistakes, mistakes_under};
use crate::world::{author, comment, relation, seat, tag, to_author, to_comments, to_tags};

/// Rule d72.
#[test]
fn a_filter_through_a_relation_needs_the_relation_and_its_filters() {
    article! { ArticleListing:
        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::relation("autor"),
                Filter::relation("author").allowed_operators(FilterOperator::Equal),
                Filter::relation("comments").only(["zzz"]),
                Filter::relation("tags").only([author::Column::Name]),
                Filter::relation("tags"),
                Filter::make("views").only(["id"]),
            ]
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: filter `views`: `only` is for filters through a relation; remove it, or use `Filter::relation`",
            "ArticleListing: filter `autor`: the entity `articles` has no relation `autor`; did you mean `author`?",
            "ArticleListing: filter `author`: `allowed_operators` has no meaning for a filter through a relation; remove it: the filters of the related listing say what is allowed",
            "ArticleListing: filter `comments`: `Shown` has no filter `zzz`, which `only` names; there are none",
            "ArticleListing: filter `tags`: `name` in `only` belongs to another entity than `tags`; use columns and filters of the related entity",
            "ArticleListing: filter `tags`: it is defined twice; remove one of the two, or give it another alias",
        ]
    );
}

/// Rules d72, b165.
#[test]
fn an_entity_without_a_listing_has_the_filters_that_only_defines() {
    article! { ArticleListing:
        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::relation("author").only([author::Column::Name, author::Column::Settings]),
                Filter::relation("comments").only([
                    Filter::make(comment::Column::Text).allowed_operators(FilterOperator::LessThan),
                    Filter::make(comment::Column::Details).allowed_operators(FilterOperator::Equal),
                ]),
                Filter::relation("tags"),
            ]
        }
    }
    let alone = Listings::builder(Settings::default()).add::<Entity>();
    let found = alone.build().unwrap_err().0;
    let found: Vec<_> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "ArticleListing: filter `details`: `$eq` cannot be applied to a column of type Json; remove the operator, or use a `custom_query`",
            "ArticleListing: filter `tags`: the related entity `tags` has no listing, so it has no filters; add its listing, or name the filters with `.only([..])`",
        ]
    );
}

/// Rule b165.
#[test]
fn only_opens_the_filter_that_it_names_of_two_through_one_relation() {
    mod staff {
        use super::*;
        entity! {
            "authors" {
                #[sea_orm(primary_key)]
                id: i64,
                boss_id: Option<i64>,
            }
            AuthorListing:
            fn filters() -> Vec<Filter<Entity>> {
                let by = |column: author::Column| Filter::make(column).allowed_operators(FilterOperator::Equal);
                vec![
                    Filter::relation("boss").alias("boss_in_full").only([
                        by(author::Column::Name),
                        by(author::Column::Email),
                    ]),
                    Filter::relation("boss").alias("writer").only([by(author::Column::Name)]),
                ]
            }
            fn named() -> Vec<RelationMeta> {
                vec![relation::<author::Entity>("boss", false, "boss_id", "id")]
            }
        }
    }
    article! { ArticleListing:
        fn filters() -> Vec<Filter<Entity>> {
            vec![Filter::relation("author").only(["writer"])]
        }
        fn named() -> Vec<RelationMeta> {
            vec![relation::<staff::Entity>("author", false, "author_id", "id")]
        }
    }
    let listings = Listings::builder(Settings::default())
        .add::<Entity>()
        .add::<staff::Entity>()
        .add::<author::Entity>()
        .build()
        .unwrap();
    let articles = listings.of::<Entity>().unwrap();
    let explain = |query: &str| listings.explain(articles, query, Dialect::Sqlite);
    assert!(explain("filters[author][writer][name]=Ada").is_ok());
    for closed in [
        "filters[author][writer][email]=a@b.c",
        "filters[author][boss_in_full][email]=a@b.c",
    ] {
        assert!(explain(closed).is_err(), "{closed}");
    }
}

/// Rule b28.
#[test]
fn what_is_related_may_need_an_identity() {
    mod guarded {
        use super::*;
        entity! {
            "authors" {
                #[sea_orm(primary_key)]
                id: i64,
                name: String,
            }
            AuthorListing:
            fn fields() -> Fields<Entity> {
                Fields::new().add("name")
            }
            fn filters() -> Vec<Filter<Entity>> {
                let nobody = |_: &Context| None::<String>;
                vec![Filter::make("name").default_value(nobody).when_absent(Absent::Unauthorized)]
            }
            fn named() -> Vec<RelationMeta> {
                Vec::new()
            }
        }
    }
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add("author")
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("author.name")
        }
        fn named() -> Vec<RelationMeta> {
            vec![relation::<guarded::Entity>("author", false, "author_id", "id")]
        }
    }
    let listings = Listings::builder(Settings::default())
        .add::<Entity>()
        .add::<guarded::Entity>()
        .build()
        .unwrap();
    let articles = listings.of::<Entity>().unwrap();
    let explain = |query: &str| listings.explain(articles, query, Dialect::Sqlite);
    assert!(explain("").is_ok());
    for query in ["populate=author", "sort=author.name"] {
        let told = explain(query).unwrap_err().complaint().unwrap();
        assert_eq!(told.code, "unauthorized", "{query}");
    }
}

/// Rules d31, d73, b28.
#[test]
fn a_filter_of_populate_drops_the_default_that_needs_an_identity() {
    mod guarded {
        use super::*;
        entity! {
            "authors" {
                #[sea_orm(primary_key)]
                id: i64,
                name: String,
            }
            AuthorListing:
            fn filters() -> Vec<Filter<Entity>> {
                let nobody = |_: &Context| None::<String>;
                vec![
                    Filter::make("id").allowed_operators(FilterOperator::Equal),
                    Filter::make("name")
                        .allowed_operators(FilterOperator::Equal)
                        .default_value(nobody)
                        .when_absent(Absent::Unauthorized),
                ]
            }
            fn named() -> Vec<RelationMeta> {
                Vec::new()
            }
        }
    }
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add("author")
        }
        fn named() -> Vec<RelationMeta> {
            vec![relation::<guarded::Entity>("author", false, "author_id", "id")]
        }
    }
    let listings = Listings::builder(Settings::default())
        .add::<Entity>()
        .add::<guarded::Entity>()
        .build()
        .unwrap();
    let articles = listings.of::<Entity>().unwrap();
    let explain = |query: &str| listings.explain(articles, query, Dialect::Sqlite);
    for query in [
        "populate[author][filters][name]=Ada",
        "populate[author][filters][$or][0][name]=Ada",
        "populate[author][filters][name]=Ada&populate[author][count]=true",
    ] {
        assert!(explain(query).is_ok(), "{query}");
    }
    for query in [
        "populate=author",
        "populate[author][count]=true",
        "populate[author][filters][id]=1",
    ] {
        let told = explain(query).unwrap_err().complaint().unwrap();
        assert_eq!(told.code, "unauthorized", "{query}");
    }
}

/// Rule b162.
#[test]
fn a_count_needs_a_relation_of_the_same_entity() {
    const OTHER: RelationName<comment::Entity, tag::Entity> = RelationName::new("tags");
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new()
                .add(Field::count_of("coments"))
                .add(Field::count_of(OTHER))
                .add(Field::count_of("comments").as_text())
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: field `coments_count`: the entity `articles` has no relation `coments`; did you mean `comments`?",
            "ArticleListing: field `tags_count`: this `tags` is a relation of another entity, not of `articles`; use a constant of this listing's own entity",
        ]
    );
}

/// Rule b109.
#[test]
fn the_listing_of_a_junction_is_not_passed_over() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new().add(Field::count_of("tags"))
        }
        fn named() -> Vec<RelationMeta> {
            vec![to_tags().with_junction::<seat::Entity>(true)]
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: field `tags_count`: the listing of `article_tags` was not added, so its scope would not be applied; add that listing too",
        ]
    );
}

/// Rule d90.
#[test]
fn an_alias_is_a_name_like_any_other() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new().add((Column::Title, "author"))
        }
        fn relations() -> Relations<Entity> {
            Relations::new()
                .add("author")
                .add(Populate::relation("comments").alias("a,b"))
                .add(Populate::relation("tags").alias("id"))
        }
        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::make(Column::Views).alias("title"),
                Filter::make(Column::Title),
            ]
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add((Column::Views, "title")).add(Sort::by("created_at").alias("title"))
        }
        fn named() -> Vec<RelationMeta> {
            vec![to_author(), to_comments(), to_tags()]
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: relation `author`: a field has the same name; give one of the two another alias",
            "ArticleListing: relation `a,b`: clients cannot send this name in a query string; use only letters, digits, `_`, `-` and `.`",
            "ArticleListing: relation `id`: a field has the same name; give one of the two another alias",
            "ArticleListing: sort `title`: it is defined twice; remove one of the two, or give it another alias",
            "ArticleListing: filter `title`: it is defined twice; remove one of the two, or give it another alias",
        ]
    );
}

/// Both spellings of `populate` split names at dots.
/// Rule b489.
#[test]
fn a_relation_with_a_dot_in_its_name_could_never_be_populated() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new().add((Column::Title, "meta.title"))
        }
        fn relations() -> Relations<Entity> {
            Relations::new().add(Populate::relation("author").alias("meta.author"))
        }
        fn filters() -> Vec<Filter<Entity>> {
            vec![Filter::make(Column::Title).alias("meta.title")]
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: relation `meta.author`: clients cannot populate a name with a dot: `populate=a.b` means the relation `b` of `a`; give it an alias without a dot",
        ]
    );
}

/// Rules d91, b164.
#[test]
fn two_names_that_become_one_are_a_mistake() {
    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new().add(Column::CreatedAt).add((Column::Views, "createdAt"))
        }
    }
    assert!(mistakes::<Entity>().is_empty());
    let mut settings = Settings::default();
    settings.names = Names::CamelCase;
    assert_eq!(
        mistakes_under::<Entity>(settings),
        [
            "ArticleListing: field `createdAt`: it is defined twice; remove one of the two, or give it another alias",
        ]
    );
}

/// Rule b160.
#[test]
fn a_column_called_id_that_is_not_the_key_needs_an_alias() {
    crate::small::entity! {
        "parts" {
            #[sea_orm(primary_key, auto_increment = false)]
            code: String,
            id: i32,
        }
        PartListing:
        fn filters() -> Vec<Filter<Entity>> {
            vec![
                Filter::make(Column::Code).allowed_operators(FilterOperator::EQUALITY),
                Filter::make(Column::Id).alias("number"),
                Filter::make("id"),
            ]
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "PartListing: filter `id`: `id` is the name of the primary key in every request and response; give this column an alias",
            "PartListing: filter `id`: it is defined twice; remove one of the two, or give it another alias",
        ]
    );
}
