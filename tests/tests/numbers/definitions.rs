//! What a facet and an aggregate may name is checked at start-up (d96).

use listing::{Listings, Settings};

/// A listing of parts with these facets and aggregates.
macro_rules! parts {
    ($module:ident, [$($facet:expr),*], [$($aggregate:expr),*]) => {
        mod $module {
            use listing::prelude::*;
            use sea_orm::entity::prelude::*;

            #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
            #[sea_orm(table_name = "parts")]
            pub struct Model {
                #[sea_orm(primary_key)]
                pub id: i64,
                pub name: String,
                pub price: f64,
                pub cost: i64,
                pub made_at: DateTimeUtc,
            }

            #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
            pub enum Relation {}

            impl ActiveModelBehavior for ActiveModel {}

            impl listing::NamedRelations for Entity {
                fn named_relations() -> Vec<listing::entity::RelationMeta> {
                    Vec::new()
                }
            }

            impl HasListing for Entity {
                type Listing = Parts;
            }

            pub struct Parts;

            impl Listing for Parts {
                type Entity = Entity;

                fn fields() -> Fields<Entity> {
                    Fields::new()
                        .add_all([Column::Name, Column::Price])
                        .add((Column::MadeAt, "made"))
                }

                fn filters() -> Vec<Filter<Entity>> {
                    use FilterOperator::{Equal, GreaterThan, Contains};
                    vec![
                        Filter::make(Column::Id).allowed_operators(Equal),
                        Filter::make(Column::Name).allowed_operators(Contains),
                        Filter::make(Column::MadeAt).allowed_operators(GreaterThan),
                        Filter::make("cheap")
                            .allowed_operators(Equal)
                            .custom_query(|_, _, _| Column::Price.lt(1.0)),
                    ]
                }

                fn facets() -> Vec<Facet<Entity>> {
                    vec![$($facet),*]
                }

                #[allow(unused_imports, reason = "some have no aggregates")]
                fn aggregates() -> Vec<Aggregate<Entity>> {
                    use AggregateFunction::{Average, Max, Min, Sum};
                    vec![$($aggregate),*]
                }

                fn sorts() -> Sorts<Entity> {
                    Sorts::new()
                }
            }
        }
    };
}

/// Each mistake as `name: problem`.
fn mistakes<E: listing::HasListing + listing::NamedRelations>() -> Vec<String> {
    let built = Listings::builder(Settings::default()).add::<E>().build();
    let errors = built.err().map(|errors| errors.0).unwrap_or_default();
    errors
        .iter()
        .map(|error| format!("{} `{}`: {}", error.place, error.name, error.problem))
        .collect()
}

parts!(
    right,
    [Facet::of(Column::Id).limit(1_000).narrowing()],
    [
        Aggregate::of("made").allow([Min, Max]),
        Aggregate::of(Column::Price).allow([Max])
    ]
);

parts!(
    facets,
    [
        Facet::of("nmae"),
        Facet::of(Column::Price),
        Facet::of(Column::Name),
        Facet::of("cheap"),
        Facet::of(Column::Id).limit(1_001),
        Facet::range(Column::Id).limit(3),
        Facet::calendar(Column::MadeAt),
        Facet::calendar(Column::Id),
        Facet::of(Column::Id).label("name"),
        Facet::relation("makers")
    ],
    []
);

parts!(
    aggregates,
    [],
    [
        Aggregate::of(Column::Cost).allow([Sum]),
        Aggregate::of(Column::Name).allow([Max]),
        Aggregate::of(Column::Price).allow([Sum, Average, Min]),
        Aggregate::of(Column::MadeAt),
        Aggregate::of("made").allow([Min])
    ]
);

/// Rules d96, b741.
#[test]
fn a_facet_names_a_filter_by_which_its_values_can_be_chosen() {
    assert_eq!(mistakes::<right::Entity>(), Vec::<String>::new());
    let unknown =
        "it is not a filter of this listing, so that clients could not choose what it shows";
    let cannot = "its filter does not let clients choose what the facet shows";
    assert_eq!(
        mistakes::<facets::Entity>(),
        [
            format!("facet `nmae`: {unknown}"),
            format!("facet `price`: {unknown}"),
            format!("facet `name`: {cannot}"),
            "facet `cheap`: its filter has a `custom_query`, whose values nobody can count".to_owned(),
            "facet `id`: the limit 1001 is out of range".to_owned(),
            format!("facet `id`: {cannot}"),
            "facet `id`: it is defined twice".to_owned(),
            "facet `id`: `limit` is for facets that show values".to_owned(),
            format!("facet `made_at`: {cannot}"),
            format!("facet `id`: {cannot}"),
            "facet `id`: its column is of kind integer".to_owned(),
            "facet `id`: it is defined twice".to_owned(),
            "facet `id`: it is defined twice".to_owned(),
            "facet `id`: `label` is for facets of relations".to_owned(),
            "facet `makers`: there is no filter through this relation, so that clients could not choose what it shows".to_owned(),
        ]
    );
}

/// Rules d96, b740.
#[test]
fn an_aggregate_names_a_field_with_functions_that_are_the_same_everywhere() {
    assert_eq!(
        mistakes::<aggregates::Entity>(),
        [
            "aggregate `cost`: it is not a field of this listing, and what can be aggregated can be read",
            "aggregate `name`: `max` cannot be applied to a field of kind text",
            "aggregate `price`: `sum` cannot be applied to a field of kind float",
            "aggregate `price`: `avg` cannot be applied to a field of kind float",
            "aggregate `made`: it allows no function",
            "aggregate `made`: it is defined twice",
        ]
    );
}
