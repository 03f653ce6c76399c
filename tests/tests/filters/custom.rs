//! Filters with conditions of their own, for keys that are not columns, with values of a declared kind (contract 2.4, d35).
#![expect(unreachable_pub, reason = "the derives make public items")]

use blog::entity::article::Model as Article;
use listing::{Listings, Settings};
use listing_tests::on_each_database;
use serde_json::json;

use crate::articles::{DEMO, asked, assert_found, assert_some, posted};
use crate::bench::on_each_bench;
use crate::notes::notes;

/// A factor that the context may hold.
pub struct Factor(i32);

notes! {
    /// A key that is not a column, with booleans for values.
    popular => vec![Filter::make("popular").allowed_operators([Equal, NotEqual]).value_kind(Kind::Boolean)
        .custom_query(|_, values, operator| {
            let wanted = (values == [FilterValue::Bool(true)]) == (operator == Equal);
            let views = Expr::col((Entity, Column::Views));
            if wanted { views.gte(30) } else { views.lt(30) }
        })];
    /// Takes for granted that there is a value.
    first => vec![Filter::make("first").allowed_operators([Equal, In, NotIn]).value_kind(Kind::Integer)
        .custom_query(|_, values, operator| {
            let first = match values[0] { FilterValue::Int(first) => first, _ => 0 };
            let views = Expr::col((Entity, Column::Views));
            if operator == NotIn { views.ne(first) } else { views.eq(first) }
        })];
    /// Several conditions, one of them with an OR in it.
    either => vec![
        Filter::make("either").allowed_operators(Equal).value_kind(Kind::Integer)
            .custom_query(|_, values, _| {
                let number = match values { [FilterValue::Int(number)] => *number, _ => 0 };
                Condition::all()
                    .add(
                        Condition::any()
                            .add(Expr::col((Entity, Column::OwnerId)).eq(number))
                            .add(Expr::col((Entity, Column::Views)).eq(60)),
                    )
                    .add(Expr::col((Entity, Column::Views)).gt(10))
            }),
        Filter::make(Column::IsOpen).allowed_operators(Equal),
    ];
    /// A key that is also the name of a field, and means something else.
    state => vec![
        Filter::make("state").allowed_operators([Equal, Contains]).custom_query(|_, values, _| {
            let length = values.first().map_or(0, |value| value.canonical().chars().count());
            let length = i64::try_from(length).unwrap_or(i64::MAX);
            Expr::expr(sea_orm::sea_query::Func::char_length(
                Expr::col((Entity, Column::State)))).eq(length)
        }),
    ];
    /// Depends on the caller; with a default and labels.
    scaled => vec![Filter::make("least").allowed_operators(Equal).value_kind(Kind::Integer)
        .default_value(3).label_resolver(|value| format!("at least {value}"))
        .custom_query(|query, values, _| {
            let factor = query.context().get::<Factor>().map_or(10, |factor| factor.0);
            let least = match values { [FilterValue::Int(least)] => *least, _ => i64::MAX };
            Expr::col((Entity, Column::Views)).gte(least * i64::from(factor))
        })];
    /// One of each kind, all of them matching everything.
    kinds => [
        ("integer", Kind::Integer),
        ("float", Kind::Float64),
        ("decimal", Kind::Decimal { scale: Some(2) }),
        ("boolean", Kind::Boolean),
        ("text", Kind::Text),
        ("uuid", Kind::Uuid),
        ("date", Kind::Date),
        ("time", Kind::Time),
        ("timestamp", Kind::Timestamp),
        ("drink", Kind::Enum(["tea".to_owned(), "coffee".to_owned()].into())),
    ]
    .into_iter()
    .map(|(key, kind)| Filter::make(key).allowed_operators([Equal, In, Between, Null])
        .value_kind(kind).custom_query(|_, _, _| CustomCondition::every_row()))
    .collect();
    /// Custom code that compares a column with another type, next to a plain filter of that column.
    other_types => vec![
        Filter::make(Column::Views).allowed_operators(GreaterThanEqual),
        Filter::make("as_small").allowed_operators(Equal).custom_query(|_, _, _| Expr::col((Entity, Column::Views)).gte(30_i16)),
        Filter::make("as_integer").allowed_operators(Equal).custom_query(|_, _, _| Expr::col((Entity, Column::Views)).gte(30_i32)),
        Filter::make("as_float").allowed_operators(Equal).custom_query(|_, _, _| Expr::col((Entity, Column::Views)).gte(29.5_f64)),
    ];
    /// A key that is not a column and adds no condition.
    unknown => vec![Filter::make("no_such_column").allowed_operators(Equal)];
}

fn authors_from(countries: &[&str]) -> impl Fn(&Article) -> bool {
    let from = |author: &&blog::entity::author::Model| countries.contains(&&*author.country);
    let ids: Vec<_> = DEMO
        .authors
        .iter()
        .filter(from)
        .map(|author| author.id)
        .collect();
    move |row| row.author_id.is_some_and(|id| ids.contains(&id))
}

/// Rules c2_4_t4, d35.
#[test]
fn a_custom_filter_reaches_another_table() {
    on_each_database(async |service| {
        let query = "filters[author_country]=DE";
        let reply = asked(service, query).await;
        assert_some(&reply, query, authors_from(&["DE"]));
        let told =
            json!([{ "key": "author_country", "value": "DE", "label": "DE", "operator": "$eq" }]);
        assert_eq!(reply.meta()["filters"], told);
        // Two authors are from there: no article comes twice.
        let filters = json!({ "author_country": { "$in": ["BR", "JP", "XX"] } });
        let reply = posted(service, &filters).await;
        assert_some(&reply, "several", authors_from(&["BR", "JP"]));
        // Together with another.
        let query = "filters[author_country]=DE&filters[views][$gt]=500";
        assert_some(&asked(service, query).await, query, |row| {
            authors_from(&["DE"])(row) && row.views > 500
        });
        for none in ["de", "XX", "", "' OR 1=1 --", "DE%25", "null"] {
            let query = format!("filters[author_country]={none}");
            assert_found(&asked(service, &query).await, &query, &[]);
        }
    });
}

/// Rule d35.
#[test]
fn a_custom_filter_gets_values_of_its_declared_kind() {
    on_each_bench(async |bench| {
        for (query, found) in [
            ("filters[popular]=true", &[3_i64, 4, 5, 6][..]),
            ("filters[popular]=YES", &[3, 4, 5, 6]),
            ("filters[popular]=0", &[1, 2]),
            ("filters[popular][$ne]=on", &[1, 2]),
        ] {
            let reply = bench.get::<popular::Entity>(query).await;
            assert_eq!(reply.ids(), found, "{query}");
            assert_eq!(reply.total(), found.len() as u64, "{query}");
        }
        let error = bench
            .get::<popular::Entity>("filters[popular]=very")
            .await
            .error(400);
        assert_eq!(error["code"], "filter_wrong_value");
        assert_eq!(error["details"]["allowed"], json!(["true", "false"]));
    });
}

/// Rules d27, d35.
#[test]
fn a_custom_filter_is_not_asked_about_an_empty_list() {
    on_each_bench(async |bench| {
        for (filters, found) in [
            (json!({ "first": { "$in": [30] } }), &[3_i64][..]),
            (json!({ "first": { "$in": [] } }), &[]),
            (json!({ "first": { "$notIn": [] } }), &[1, 2, 3, 4, 5, 6]),
            (
                json!({ "$not": { "first": { "$in": [] } } }),
                &[1, 2, 3, 4, 5, 6],
            ),
        ] {
            let reply = bench.post::<first::Entity>(&filters).await;
            assert_eq!(reply.ids(), found, "{filters}");
        }
    });
}

/// Rules d9, d35.
#[test]
fn wrong_values_of_every_declared_kind_are_refused() {
    on_each_bench(async |bench| {
        for (key, right, wrong) in [
            ("integer", "-5", "1.5"),
            ("float", "1.5", "x"),
            ("decimal", "1.50", "1e3"),
            ("boolean", "off", "2"),
            ("uuid", "67e55044-10b1-426f-9247-bb680e5fe0c8", "67e55044"),
            ("date", "2024-02-29", "2023-02-29"),
            ("time", "12:00", "24:00"),
            ("timestamp", "2024-02-29", "yesterday"),
            ("drink", "tea", "Tea"),
        ] {
            for (value, status) in [(right, 200), (wrong, 400)] {
                for condition in [
                    json!({ "$eq": value }),
                    json!({ "$in": [right, value] }),
                    json!({ "$between": [value, right] }),
                ] {
                    let reply = bench
                        .post::<kinds::Entity>(&json!({ key: condition }))
                        .await;
                    assert_eq!(reply.status, status, "{key} {condition}: {}", reply.text());
                }
            }
            let reply = bench
                .post::<kinds::Entity>(&json!({ key: { "$null": "maybe" } }))
                .await;
            assert_eq!(reply.error_code(400), "filter_wrong_value");
            let reply = bench
                .post::<kinds::Entity>(&json!({ key: { "$between": [right] } }))
                .await;
            assert_eq!(reply.error_code(400), "filter_wrong_number_of_values");
        }
        // Text is what it is when nothing is declared.
        let reply = bench.get::<kinds::Entity>("filters[text]=1.5").await;
        assert_eq!(reply.ids(), [1, 2, 3, 4, 5, 6]);
    });
}

/// An OR in a custom filter stays inside it.
/// Rules d30, d35.
#[test]
fn a_custom_condition_is_kept_together() {
    on_each_bench(async |bench| {
        for (query, found) in [
            ("filters[either]=1", &[4_i64, 6][..]),
            ("filters[either]=2", &[2, 5, 6]),
            ("filters[either]=2&filters[is_open]=false", &[]),
            ("filters[is_open]=false&filters[either]=1", &[4]),
            ("filters[either]=1&filters[is_open]=true", &[6]),
        ] {
            let reply = bench.get::<either::Entity>(query).await;
            assert_eq!(reply.ids(), found, "{query}");
        }
    });
}

/// Rule d35.
#[test]
fn a_key_may_equal_a_fields_name_and_mean_something_else() {
    on_each_bench(async |bench| {
        let reply = bench
            .get::<state::Entity>("fields=state&filters[state]=four")
            .await;
        assert_eq!(reply.ids(), [2, 3]);
        assert_eq!(reply.column("state"), ["open", "open"]);
        // Text, because nothing else was declared.
        let reply = bench.get::<state::Entity>("filters[state]=12345").await;
        assert_eq!(reply.ids(), [1]);
    });
}

/// Rules c2_4_t4, c2_4_t5.
#[test]
fn a_custom_filter_has_defaults_labels_and_the_context() {
    on_each_bench(async |bench| {
        let reply = bench.get::<scaled::Entity>("").await;
        assert_eq!(reply.ids(), [3, 4, 5, 6]);
        let told =
            json!([{ "key": "least", "value": "3", "label": "at least 3", "operator": "$eq" }]);
        assert_eq!(reply.meta()["filters"], told);
        let reply = bench.get::<scaled::Entity>("filters[least]=5").await;
        assert_eq!(reply.ids(), [5, 6]);
        let context = || listing::Context::new().with(Factor(20));
        let reply = bench.get_as::<scaled::Entity>("", context()).await;
        assert_eq!(reply.ids(), [6]);
    });
}

/// Rules c2_4_t1, d35.
#[test]
fn a_key_that_is_no_column_needs_a_custom_query() {
    let mistakes = Listings::builder(Settings::default())
        .add::<unknown::Entity>()
        .build()
        .unwrap_err()
        .to_string();
    assert!(mistakes.contains("no_such_column"), "{mistakes}");
    assert!(mistakes.contains("custom_query"), "{mistakes}");
}

/// PostgreSQL's driver prepares a text for the types that it meets first: the same text with others must be no error.
/// Rules d35, d53.
#[test]
fn own_code_may_bind_another_type_than_a_plain_filter() {
    on_each_bench(async |bench| {
        // Often enough to meet every connection of the pool.
        for _ in 0..10 {
            for query in [
                "filters[views][$gte]=30",
                "filters[as_integer]=x",
                "filters[as_small]=x",
                "filters[as_float]=x",
            ] {
                let reply = bench.get::<other_types::Entity>(query).await;
                assert_eq!(reply.ids(), [3, 4, 5, 6], "{query}");
            }
        }
    });
}
