//! Mistakes in fields, relations and sorts are found at start-up (contract 2.2 rule 1, 2.3 rule 4, 2.6 rule 5, d38, d41).

use listing::{DefinitionErrors, HasListing, Listings, NamedRelations, Settings};

#[allow(unreachable_pub, reason = "the derives of entities make public items")]
mod crooked {
    use listing::{Field, Fields, HasListing, Listing, Populate as Shown, Relations, Sorts};
    use sea_orm::entity::prelude::*;
    use sea_orm::sea_query::{Expr, Query};

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "crooked")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub pair_id: i64,
        pub name: String,
        #[sea_orm(has_many)]
        pub leaves: HasMany<super::leaf::Entity>,
        #[sea_orm(has_one)]
        pub twig: HasOne<super::twig::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct CrookedListing;

    impl HasListing for Entity {
        type Listing = CrookedListing;
    }

    impl Listing for CrookedListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            let one = || Query::select().expr(Expr::val(1)).take();
            Fields::new()
                .add(Column::Name)
                .add((Column::PairId, "name"))
                .add(Field::computed(one, ""))
                .add((one, "id"))
                .add((one, "leaves"))
        }

        fn relations() -> Relations<Entity> {
            Relations::new()
                .add(Shown::relation("leaves").only(["name"]))
                .add("leafs")
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new()
                // Leads to many.
                .add("leaves.name")
                // Exists on the entity, but not in `relations()`.
                .add("twig.name")
                .add("stem.name")
                .add("nam")
        }
    }
}

#[allow(unreachable_pub, reason = "the derives of entities make public items")]
mod leaf {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "leaves")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub crooked_id: i64,
        pub name: String,
        #[sea_orm(belongs_to, from = "crooked_id", to = "id")]
        pub crooked: BelongsTo<super::crooked::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

#[allow(unreachable_pub, reason = "the derives of entities make public items")]
mod twig {
    use listing::{Fields, HasListing, Listing, Populate as Shown, Relations, Sorts};
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "twigs")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub crooked_id: i64,
        #[sea_orm(primary_key)]
        pub id: i64,
        pub name: String,
        #[sea_orm(belongs_to, from = "crooked_id", to = "id")]
        pub crooked: BelongsTo<super::crooked::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}

    pub struct TwigListing;

    impl HasListing for Entity {
        type Listing = TwigListing;
    }

    impl Listing for TwigListing {
        type Entity = Entity;

        fn fields() -> Fields<Entity> {
            Fields::new()
        }

        fn relations() -> Relations<Entity> {
            Relations::new()
                // In the related listing's whitelist, but not among the columns that are named here.
                .add(Shown::relation("crooked").only(["pair_id"]))
        }

        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("crooked.pair_id").add("crooked.name")
        }
    }
}

fn mistakes<E: HasListing + NamedRelations>() -> Vec<(&'static str, String, String)> {
    let DefinitionErrors(found) = Listings::builder(Settings::default())
        .add::<E>()
        .build()
        .unwrap_err();
    found
        .into_iter()
        .map(|found| (found.place, found.name, found.problem))
        .collect()
}

#[track_caller]
fn has(found: &[(&str, String, String)], place: &str, name: &str, problem: &str) {
    let is_it = |(at, called, what): &(&str, String, String)| {
        *at == place && called == name && what.contains(problem)
    };
    assert!(
        found.iter().any(is_it),
        "no {place} `{name}`: {problem} in {found:#?}"
    );
}

/// Rules c2_2_r1, c7_t4, d39.
#[test]
fn a_computed_field_without_alias_fails_at_definition() {
    has(
        &mistakes::<crooked::Entity>(),
        "field",
        "",
        "the name is empty",
    );
}

/// Rule d38.
#[test]
fn two_outputs_with_one_name_fail_at_definition() {
    let found = mistakes::<crooked::Entity>();
    has(&found, "field", "name", "twice");
    has(&found, "field", "id", "primary key");
    has(&found, "relation", "leaves", "a field has the same name");
}

/// Rule c2_3_r4.
#[test]
fn a_relation_that_the_entity_does_not_have_fails_at_definition() {
    has(
        &mistakes::<crooked::Entity>(),
        "relation",
        "leafs",
        "has no relation `leafs`",
    );
}

/// Rules c2_6_r5, d46.
#[test]
fn a_sort_by_relation_needs_a_relation_to_one_in_relations_and_a_shown_column() {
    let found = mistakes::<crooked::Entity>();
    has(&found, "sort", "leaves.name", "leads to many");
    has(
        &found,
        "sort",
        "twig.name",
        "`relations()` does not contain `twig`",
    );
    has(
        &found,
        "sort",
        "stem.name",
        "`relations()` does not contain `stem`",
    );
    has(&found, "sort", "nam", "no field and no column `nam`");
    let found = mistakes::<twig::Entity>();
    has(&found, "sort", "crooked.name", "does not show");
    assert!(
        !found.iter().any(|(_, name, _)| name == "crooked.pair_id"),
        "{found:#?}"
    );
}

/// Rule d40.
#[test]
fn everything_that_is_wrong_is_reported_at_once_with_its_remedy() {
    let builder = Listings::builder(Settings::default());
    let builder = builder.add::<crooked::Entity>().add::<twig::Entity>();
    let DefinitionErrors(found) = builder.build().unwrap_err();
    let listings: Vec<_> = found.iter().map(|found| found.listing.as_str()).collect();
    assert_eq!(
        listings
            .iter()
            .filter(|name| **name == "CrookedListing")
            .count(),
        9
    );
    assert_eq!(
        listings
            .iter()
            .filter(|name| **name == "TwigListing")
            .count(),
        1
    );
    assert!(found.iter().all(|found| !found.remedy.is_empty()));
    let text = DefinitionErrors(found).to_string();
    assert!(
        text.starts_with("10 mistakes in listing definitions:"),
        "{text}"
    );
    let line = "CrookedListing: sort `nam`: `crooked` has no field and no column `nam`; did you mean `name`?";
    assert!(text.contains(line), "{text}");
}
