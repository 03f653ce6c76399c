//! Default filters: every type of value, with and without an operator, and dynamic ones (contract 2.4, d23, d24, d31, d32).
#![expect(unreachable_pub, reason = "the derives make public items")]

use blog::listings::CurrentUser;
use listing::{Context, HasListing, NamedRelations};
use listing_tests::{on_each_database, warnings_of};
use serde_json::json;

use crate::articles::{DEMO, asked, assert_some, on_one_page};
use crate::bench::{Bench, on_each_bench};
use crate::notes::{noon, notes};

/// The caller, as far as these listings know.
pub struct User(i64);

fn user(context: &Context) -> Option<i64> {
    context.get::<User>().map(|user| user.0)
}

notes! {
    integer => vec![Filter::make(Column::OwnerId).allowed_operators(Equal).default(1, Equal)];
    text => vec![Filter::make(Column::State).allowed_operators(Equal).default("open", Equal)];
    boolean => vec![Filter::make(Column::IsOpen).allowed_operators(Equal).default(false, Equal)];
    array => vec![Filter::make(Column::State).allowed_operators(In).default(["open", "closed"], In)];
    not_in => vec![Filter::make(Column::OwnerId).allowed_operators(In).default(vec![1_i64], NotIn)];
    moment => vec![Filter::make(Column::WrittenAt).allowed_operators(Equal).default(noon(3), LessThanEqual)];
    moments => vec![Filter::make(Column::WrittenAt).allowed_operators(Equal).default_value([noon(2), noon(5)])];
    whole_day => vec![Filter::make(Column::WrittenAt).allowed_operators(Equal)
        .default_value(noon(4).date_naive())];
    bare_integer => vec![Filter::make(Column::OwnerId).allowed_operators(In).default_value(2)];
    bare_text => vec![Filter::make(Column::State).allowed_operators(In).default_value("draft")];
    bare_boolean => vec![Filter::make(Column::IsOpen).allowed_operators(In).default_value(true)];
    bare_array => vec![Filter::make(Column::Views).allowed_operators(Equal).default_value([10, 60])];
    bare_null => vec![Filter::make(Column::OwnerId).allowed_operators(Equal).default_value(DefaultValue::NULL)];
    bare_none => vec![Filter::make(Column::OwnerId).allowed_operators(Equal).default_value(None::<i64>)];
    equal_null => vec![Filter::make(Column::State).allowed_operators(Equal).default(DefaultValue::NULL, Equal)];
    not_equal_null => vec![Filter::make(Column::State).allowed_operators(Equal)
        .default(DefaultValue::NULL, NotEqual)];
    not_null => vec![Filter::make(Column::State).allowed_operators(Equal).default(true, NotNull)];
    null_false => vec![Filter::make(Column::State).allowed_operators(Equal).default(false, Null)];
    between => vec![Filter::make(Column::Views).allowed_operators(Equal).default([20, 40], Between)];
    greater => vec![Filter::make(Column::Views).allowed_operators([Equal, In]).default(30, GreaterThan)];
    contains => vec![Filter::make(Column::State).allowed_operators(Equal).default("PE", Contains)];
    /// Not for clients at all.
    hidden => vec![
        Filter::make(Column::IsOpen).default(true, Equal),
        Filter::make(Column::Views).allowed_operators(LessThan),
    ];
    mine_or_nothing => vec![Filter::make(Column::OwnerId).allowed_operators([Equal, Null])
        .default(user, Equal)];
    mine_or_all => vec![Filter::make(Column::OwnerId).allowed_operators([Equal, Null])
        .default(user, Equal).when_absent(Absent::Skip)];
    mine_or_refused => vec![Filter::make(Column::OwnerId).allowed_operators([Equal, Null])
        .default(user, Equal).when_absent(Absent::Unauthorized)];
    dynamic_null => vec![Filter::make(Column::OwnerId).allowed_operators(Equal)
        .default_value(|_: &Context| Some(DefaultValue::NULL)).when_absent(Absent::Unauthorized)];
    dynamic_array => vec![Filter::make(Column::OwnerId).allowed_operators(Equal)
        .default_value(|context: &Context| user(context).map(|id| vec![id, 999]))];
    dynamic_empty => vec![Filter::make(Column::OwnerId).allowed_operators(Equal)
        .default_value(|_: &Context| Some(Vec::<i64>::new()))];
    dynamic_wrong => vec![Filter::make(Column::Views).allowed_operators(Equal)
        .default_value(|_: &Context| Some("many"))];
    several => vec![
        Filter::make(Column::OwnerId).allowed_operators([Equal, NotNull]).default(true, NotNull),
        Filter::make(Column::IsOpen).allowed_operators(Equal).default_value(true),
        Filter::make(Column::Views).allowed_operators([LessThan]),
    ];
}

/// Without a filter of the client the default finds these, and is told with this operator and these values.
async fn assert_default<E>(bench: &Bench, found: &[i64], operator: &str, values: &[&str])
where
    E: HasListing + NamedRelations,
{
    let what = std::any::type_name::<E>();
    let reply = bench.get::<E>("").await;
    assert_eq!(reply.ids(), found, "{what}");
    assert_eq!(reply.total(), found.len() as u64, "{what}");
    let filters = reply.meta()["filters"].as_array().unwrap().clone();
    let told: Vec<_> = filters
        .iter()
        .map(|filter| filter["value"].as_str().unwrap())
        .collect();
    assert_eq!(told, values, "{what}");
    for filter in &filters {
        assert_eq!(filter["operator"], operator, "{what}");
    }
}

/// Rules c2_4_t3, c2_4_r1, c2_4_r2.
#[test]
fn a_default_of_every_type_applies() {
    on_each_bench(async |bench| {
        assert_default::<integer::Entity>(bench, &[1, 4], "$eq", &["1"]).await;
        assert_default::<text::Entity>(bench, &[2, 3], "$eq", &["open"]).await;
        assert_default::<boolean::Entity>(bench, &[3, 4], "$eq", &["false"]).await;
        assert_default::<array::Entity>(bench, &[2, 3, 4], "$in", &["open", "closed"]).await;
        assert_default::<not_in::Entity>(bench, &[2, 3, 5, 6], "$notIn", &["1"]).await;
        let third = "2024-01-03T12:00:00.000000Z";
        assert_default::<moment::Entity>(bench, &[1, 2, 3], "$lte", &[third]).await;
        let both = ["2024-01-02T12:00:00.000000Z", "2024-01-05T12:00:00.000000Z"];
        assert_default::<moments::Entity>(bench, &[2, 5], "$in", &both).await;
        assert_default::<whole_day::Entity>(bench, &[4], "$eq", &["2024-01-04"]).await;
    });
}

/// Rule d23.
#[test]
fn a_default_without_operator_is_eq_or_in_or_null() {
    on_each_bench(async |bench| {
        assert_default::<bare_integer::Entity>(bench, &[2, 5], "$eq", &["2"]).await;
        assert_default::<bare_text::Entity>(bench, &[1], "$eq", &["draft"]).await;
        assert_default::<bare_boolean::Entity>(bench, &[1, 2, 5, 6], "$eq", &["true"]).await;
        assert_default::<bare_array::Entity>(bench, &[1, 6], "$in", &["10", "60"]).await;
        assert_default::<bare_null::Entity>(bench, &[3, 6], "$null", &["true"]).await;
        assert_default::<bare_none::Entity>(bench, &[3, 6], "$null", &["true"]).await;
    });
}

/// Rule d24.
#[test]
fn a_default_of_null_is_is_null_or_is_not_null() {
    on_each_bench(async |bench| {
        assert_default::<equal_null::Entity>(bench, &[5, 6], "$null", &["true"]).await;
        assert_default::<not_equal_null::Entity>(bench, &[1, 2, 3, 4], "$notNull", &["true"]).await;
        assert_default::<not_null::Entity>(bench, &[1, 2, 3, 4], "$notNull", &["true"]).await;
        assert_default::<null_false::Entity>(bench, &[1, 2, 3, 4], "$null", &["false"]).await;
    });
}

/// Rule d23.
#[test]
fn a_default_may_use_what_clients_may_not() {
    on_each_bench(async |bench| {
        assert_default::<between::Entity>(bench, &[2, 3, 4], "$between", &["20", "40"]).await;
        assert_default::<greater::Entity>(bench, &[4, 5, 6], "$gt", &["30"]).await;
        assert_default::<contains::Entity>(bench, &[2, 3], "$contains", &["PE"]).await;
        let reply = bench.get::<greater::Entity>("filters[views][$gt]=10").await;
        let error = reply.error(400);
        assert_eq!(error["code"], "filter_operator_not_allowed");
        assert_eq!(error["details"]["allowed"], json!(["$eq", "$in"]));
    });
}

/// Rules d23, d8.
#[test]
fn a_filter_without_allowed_operators_is_not_for_clients() {
    on_each_bench(async |bench| {
        assert_default::<hidden::Entity>(bench, &[1, 2, 5, 6], "$eq", &["true"]).await;
        for query in [
            "filters[is_open]=false",
            "filters[is_open][$eq]=true",
            "filters[is_open][$null]=",
        ] {
            let error = bench.get::<hidden::Entity>(query).await.error(400);
            assert_eq!(error["code"], "filter_unknown_field", "{query}");
            assert_eq!(error["details"]["allowed"], json!(["views"]), "{query}");
        }
        // Its default stays, whatever else is asked for.
        let reply = bench.get::<hidden::Entity>("filters[views][$lt]=50").await;
        assert_eq!(reply.ids(), [1, 2]);
    });
}

/// Rules c2_4_r3, d31.
#[test]
fn a_client_filter_drops_the_default_whatever_its_operator() {
    on_each_bench(async |bench| {
        for (query, found) in [
            ("filters[owner_id][$eq]=2", &[2_i64, 5][..]),
            ("filters[owner_id]=2", &[2, 5]),
            ("filters[owner_id][$null]=true", &[3, 6]),
            ("filters[owner_id][$null]=false", &[1, 2, 4, 5]),
        ] {
            let context = Context::new().with(User(1));
            let reply = bench
                .get_as::<mine_or_nothing::Entity>(query, context)
                .await;
            assert_eq!(reply.ids(), found, "{query}");
            let told = reply.meta()["filters"].clone();
            assert_eq!(told.as_array().unwrap().len(), 1, "{told}");
            // Nor is an identity needed for a default that is dropped.
            let reply = bench.get::<mine_or_refused::Entity>(query).await;
            assert_eq!(reply.ids(), found, "{query}");
        }
        // A filter on another key drops nothing, and both hold.
        let reply = bench.get::<several::Entity>("").await;
        assert_eq!(reply.ids(), [1, 2, 5]);
        assert_eq!(reply.meta()["filters"].as_array().unwrap().len(), 2);
        for (query, found, told) in [
            ("filters[views][$lt]=50", &[1_i64, 2][..], 3),
            ("filters[is_open]=false", &[4], 2),
            ("filters[owner_id][$notNull]=false", &[6], 2),
            (
                "filters[is_open]=false&filters[owner_id][$notNull]=false",
                &[3],
                2,
            ),
        ] {
            let reply = bench.get::<several::Entity>(query).await;
            assert_eq!(reply.ids(), found, "{query}");
            assert_eq!(reply.meta()["filters"].as_array().unwrap().len(), told);
        }
    });
}

/// Rule d32.
#[test]
fn a_dynamic_default_comes_from_the_context() {
    on_each_bench(async |bench| {
        let me = || Context::new().with(User(2));
        for ids in [
            bench
                .get_as::<mine_or_nothing::Entity>("", me())
                .await
                .ids(),
            bench.get_as::<mine_or_all::Entity>("", me()).await.ids(),
            bench
                .get_as::<mine_or_refused::Entity>("", me())
                .await
                .ids(),
            bench.get_as::<dynamic_array::Entity>("", me()).await.ids(),
        ] {
            assert_eq!(ids, [2, 5]);
        }
        let reply = bench.get_as::<dynamic_array::Entity>("", me()).await;
        let told = reply.meta()["filters"].clone();
        assert_eq!(
            (&told[0]["value"], &told[1]["value"]),
            (&json!("2"), &json!("999"))
        );
        assert_eq!(told[1]["operator"], "$in");
    });
}

/// Rules d32, b27, b551.
#[test]
fn without_a_value_it_matches_nothing_or_is_skipped_or_401() {
    on_each_bench(async |bench| {
        let reply = bench.get::<mine_or_nothing::Entity>("").await;
        assert_eq!((reply.ids(), reply.total()), (vec![], 0));
        assert_eq!(reply.meta()["filters"], json!([]));

        let reply = bench.get::<mine_or_all::Entity>("").await;
        assert_eq!(reply.ids(), [1, 2, 3, 4, 5, 6]);
        assert_eq!(reply.meta()["filters"], json!([]));

        let error = bench.get::<mine_or_refused::Entity>("").await.error(401);
        assert_eq!(error["code"], "unauthorized");
        assert_eq!(error["name"], "Unauthorized");
        // The filter is not the client's.
        let message = "You must be signed in to list these rows.";
        assert_eq!(error["message"], message);
        assert_eq!(error["details"]["parameter"], "");

        // Null is a value: it is not "nothing".
        assert_default::<dynamic_null::Entity>(bench, &[3, 6], "$null", &["true"]).await;
        // So is an empty array, which nothing is in.
        assert_default::<dynamic_empty::Entity>(bench, &[], "$in", &[]).await;
    });
}

/// No row is the only answer that cannot show too many.
/// Rules d32, b26.
#[test]
fn a_dynamic_default_of_the_wrong_type_matches_nothing_and_is_logged() {
    on_each_bench(async |bench| {
        let (reply, logged) = warnings_of(bench.get::<dynamic_wrong::Entity>("")).await;
        assert_eq!((reply.ids(), reply.total()), (vec![], 0));
        assert!(
            logged.contains("a computed default has a wrong value"),
            "{logged}"
        );
    });
}

/// Rules c2_4_t3, c5_p2.
#[test]
fn the_current_users_author_is_the_blogs_default() {
    on_each_database(async |service| {
        let context = Context::new().with(CurrentUser { author_id: 3 });
        let mine = service.with_context(context);
        let reply = asked(&mine, "").await;
        assert_some(&reply, "mine", |row| row.author_id == Some(3));
        let name = &DEMO.authors[2].name;
        let told = json!([{ "key": "author_id", "value": "3", "label": name, "operator": "$eq" }]);
        assert_eq!(reply.meta()["filters"], told);
        let reply = asked(&mine, "filters[author_id][$eq]=4").await;
        assert_some(&reply, "another's", |row| row.author_id == Some(4));
        let reply = asked(&mine, "filters[author_id][$null]=true").await;
        assert_some(&reply, "nobody's", |row| row.author_id.is_none());
        let reply = asked(&mine, "filters[views][$gt]=500").await;
        assert_some(&reply, "mine, much read", |row| {
            row.author_id == Some(3) && row.views > 500
        });
        // Nobody in particular: the filter is skipped.
        assert_eq!(asked(service, "").await.meta()["filters"], json!([]));
    });
}

/// Rules c2_4_r3, d31.
#[test]
fn the_blogs_comments_are_those_not_hidden_unless_asked() {
    let count = |is: fn(&blog::entity::comment::Model) -> bool| {
        DEMO.comments.iter().filter(|row| is(row)).count() as u64
    };
    on_each_database(async |service| {
        let service = on_one_page(service);
        for (query, total) in [
            ("", count(|row| !row.is_hidden)),
            ("filters[is_hidden]=true", count(|row| row.is_hidden)),
            ("filters[is_hidden]=false", count(|row| !row.is_hidden)),
            (
                "filters[article_id]=7",
                count(|row| row.article_id == 7 && !row.is_hidden),
            ),
            (
                "filters[article_id]=7&filters[is_hidden]=yes",
                count(|row| row.article_id == 7 && row.is_hidden),
            ),
        ] {
            assert!(total > 0);
            let reply = service.get(&format!("/api/comments?{query}")).await;
            assert_eq!(reply.total(), total, "{query}");
        }
    });
}
