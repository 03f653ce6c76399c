//! Scopes: conditions that a client cannot widen, on lists, counts, relations and sorts.

use blog::entity::{article, author};
use listing::{Context, ListingRequest, SelectListing};
use listing_tests::on_each_database;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, JoinType, QueryFilter, QueryOrder, QuerySelect,
    RelationTrait,
};
use serde_json::{Value, json};

use crate::demo::{articles, author_of};
use crate::own::on_each_own_database;
use crate::own::tenants::{Tenant, customer, order, region};

fn tenant(id: i64) -> Context {
    Context::new().with(Tenant(id))
}

/// Rule c2_1_p3.
#[test]
fn conditions_put_before_listing_hold_on_list_and_count() {
    // An `OR`, which a condition added without parentheses would widen.
    let mine = |article: &&&article::Model| article.views > 90_000 || article.author_id == Some(3);
    let living = articles();
    let ids = |more: &dyn Fn(&article::Model) -> bool| -> Vec<i64> {
        let rows = living.iter().filter(mine).filter(|article| more(article));
        rows.map(|article| article.id).collect()
    };
    let all = ids(&|_| true);
    assert!((20..90).contains(&all.len()));
    on_each_database(async |service| {
        let select = || {
            let either = Condition::any()
                .add(article::Column::Views.gt(90_000))
                .add(article::Column::AuthorId.eq(3));
            article::Entity::find().filter(either)
        };
        let list = async |query: &str| {
            let request = ListingRequest::from_query(&service.listings, query).unwrap();
            let page = select()
                .listing(&request)
                .listing_paginate(&service.db)
                .await
                .unwrap();
            let items: Value = serde_json::from_slice(page.items()).unwrap();
            let items = items.as_array().unwrap().clone();
            let ids: Vec<_> = items
                .iter()
                .map(|item| item["id"].as_i64().unwrap())
                .collect();
            (ids, page.total().unwrap())
        };
        let (shown, total) = list("sort=id&pagination[pageSize]=100").await;
        assert_eq!((shown, total), (all.clone(), all.len() as u64));
        let active = ids(&|article| article.is_active && article.rating.is_some());
        let filters = "filters[is_active][$eq]=true&filters[rating][$notNull]=true";
        let (shown, total) = list(&format!("sort=id&pagination[pageSize]=100&{filters}")).await;
        assert_eq!((shown, total), (active.clone(), active.len() as u64));
        let (shown, total) = list("sort=id&pagination[pageSize]=5&pagination[page]=2").await;
        assert_eq!((shown, total), (all[5..10].to_vec(), all.len() as u64));
        let outside = living
            .iter()
            .find(|article| !all.contains(&article.id))
            .unwrap()
            .id;
        let (shown, total) = list(&format!("filters[id][$eq]={outside}")).await;
        assert_eq!((shown, total), (Vec::new(), 0));
    });
}

/// Rules c2_1_p3, b41.
#[test]
fn joins_of_the_query_stay_and_what_it_selects_orders_and_limits_is_replaced() {
    let german = |article: &&&article::Model| author_of(article).is_some_and(|a| a.country == "DE");
    let living = articles();
    let ids: Vec<_> = living
        .iter()
        .filter(german)
        .map(|article| article.id)
        .collect();
    assert!(ids.len() > 30);
    on_each_database(async |service| {
        // Both tables have the columns `id` and `created_at`.
        let select = article::Entity::find()
            .join(JoinType::InnerJoin, article::Relation::Author.def())
            .filter(author::Column::Country.eq("DE"))
            .order_by_desc(author::Column::Name)
            .limit(3)
            .offset(2)
            .select_only()
            .column(author::Column::Email);
        let query = "fields=*&populate=*&sort=id&pagination[pageSize]=100";
        let request = ListingRequest::from_query(&service.listings, query).unwrap();
        let page = select
            .clone()
            .listing(&request)
            .listing_paginate(&service.db)
            .await
            .unwrap();
        let items: Value = serde_json::from_slice(page.items()).unwrap();
        let shown: Vec<_> = items
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["id"].clone())
            .collect();
        assert_eq!(shown, ids.iter().map(|id| json!(id)).collect::<Vec<_>>());
        assert_eq!(page.total(), Some(ids.len() as u64));
        assert!(!items.to_string().contains("@authors.example"));
        // The table that is joined already is joined once more for a sort.
        let query = "sort=author.name,created_at:desc&pagination[pageSize]=100&fields=id";
        let request = ListingRequest::from_query(&service.listings, query).unwrap();
        let page = select
            .listing(&request)
            .listing_paginate(&service.db)
            .await
            .unwrap();
        assert_eq!(
            (page.len(), page.total()),
            (ids.len(), Some(ids.len() as u64))
        );
    });
}

/// Rule c1_r4.
#[test]
fn the_scope_of_an_entity_holds_on_list_and_count() {
    on_each_own_database(async |own| {
        for (context, ids) in [
            (tenant(1), vec![1, 2, 5, 6]),
            (tenant(2), vec![3, 4, 5]),
            (tenant(9), vec![5]),
            (Context::new(), vec![]),
        ] {
            let reply = own
                .list_for::<customer::Entity>("sort=unknown", context.clone())
                .await;
            assert_eq!(reply.ids(), ids);
            assert_eq!(reply.total(), ids.len() as u64);
            // A client's filters narrow it and cannot widen it.
            let query = "filters[id][$in][]=1&filters[id][$in][]=4&filters[city]=oslo";
            let reply = own.list_for::<customer::Entity>(query, context).await;
            let left = ids.iter().filter(|id| [1, 4].contains(*id));
            assert_eq!(reply.ids(), left.copied().collect::<Vec<_>>());
            assert_eq!(reply.total(), reply.items().len() as u64);
        }
        // Beside the application's own condition, whichever way that is written.
        let select = customer::Entity::find().filter(
            Condition::any()
                .add(customer::Column::Id.gt(3))
                .add(ExprTrait::eq(Expr::val(1), 1)),
        );
        let reply = own.list_of(select, "sort=unknown", tenant(2)).await;
        assert_eq!((reply.ids(), reply.total()), (vec![3, 4, 5], 3));
    });
}

/// Rules d42, d44, b33.
#[test]
fn the_scope_of_an_entity_holds_where_others_populate_it() {
    on_each_own_database(async |own| {
        let query = "populate=customer&fields=select&pagination[pageSize]=100";
        let reply = own.list_for::<order::Entity>(query, tenant(1)).await;
        let customer = |id: i64, city: Option<&str>, name: &str| {
            // The columns that are named on the spot, in that order.
            json!({"id": id, "city": city, "name": name})
        };
        let (zoe, bob) = (customer(1, Some("oslo"), "zoe"), customer(2, None, "bob"));
        let (house, mia) = (
            customer(5, Some("bern"), "house"),
            customer(6, Some("bern"), "mia"),
        );
        let hidden = Value::Null;
        assert_eq!(
            reply.column("customer"),
            [
                &zoe, &hidden, &hidden, &bob, &hidden, &house, &bob, &mia, &hidden
            ]
            .map(Clone::clone)
        );
        assert_eq!(reply.total(), 9);
        let keys: Vec<_> = reply.items()[0]["customer"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        assert_eq!(keys, ["id", "city", "name"]);
        let reply = own.list::<order::Entity>(query).await;
        assert!(reply.column("customer").iter().all(Value::is_null));
    });
}

/// Rules d42, d43.
#[test]
fn hidden_rows_are_neither_shown_nor_counted_nor_told() {
    on_each_own_database(async |own| {
        let of = async |context: Context| {
            let reply = own
                .list_for::<region::Entity>("populate=customers", context)
                .await;
            let truncated = reply.meta()["relations"]["customers"]["truncated"].clone();
            (reply.column("customers"), truncated)
        };
        let customer = |id: i64, name: &str| json!({"id": id, "name": name});
        // Four in region 1 and a limit of two: only two can be seen, so none is left out.
        let north = json!([customer(1, "zoe"), customer(2, "bob")]);
        let south = json!([customer(6, "mia"), customer(5, "house")]);
        assert_eq!(of(tenant(1)).await, (vec![north, south], json!(false)));
        let north = json!([customer(3, "cleo"), customer(4, "anna")]);
        let south = json!([customer(5, "house")]);
        assert_eq!(of(tenant(2)).await, (vec![north, south], json!(false)));
        assert_eq!(
            of(Context::new()).await,
            (vec![json!([]), json!([])], json!(false))
        );
    });
}

/// Rules d46, d22, b31.
#[test]
fn hidden_related_rows_sort_as_null() {
    on_each_own_database(async |own| {
        let ids = async |sort: &str, context: Context| {
            let query = format!("sort={sort}&pagination[pageSize]=100");
            let reply = own.list_for::<order::Entity>(&query, context).await;
            assert_eq!(reply.total(), 9);
            reply.ids()
        };
        // bob 4 7, house 6, mia 8, zoe 1; then nobody's 3 and those of others, which nothing tells apart.
        assert_eq!(
            ids("customer.name", tenant(1)).await,
            [4, 7, 6, 8, 1, 2, 3, 5, 9]
        );
        assert_eq!(
            ids("customer.name:desc", tenant(1)).await,
            [9, 5, 3, 2, 1, 8, 6, 7, 4]
        );
        // anna 2 9, cleo 5, house 6
        assert_eq!(
            ids("customer.name", tenant(2)).await,
            [2, 9, 5, 6, 1, 3, 4, 7, 8]
        );
        assert_eq!(
            ids("customer.name", Context::new()).await,
            [1, 2, 3, 4, 5, 6, 7, 8, 9]
        );
    });
}

/// Rule d39.
#[test]
fn a_computed_field_can_depend_on_who_asks() {
    on_each_own_database(async |own| {
        let query = "fields=orders_count&sort=orders_count:desc";
        let reply = own.list_for::<customer::Entity>(query, tenant(1)).await;
        assert_eq!(reply.ids(), [2, 6, 5, 1]);
        assert_eq!(reply.column("orders_count"), [2, 1, 1, 1]);
        let reply = own
            .list_for::<customer::Entity>("fields=orders_count", tenant(2))
            .await;
        // By name, descending: house, cleo, anna.
        assert_eq!(reply.ids(), [5, 3, 4]);
        assert_eq!(reply.column("orders_count"), [1, 1, 2]);
    });
}

/// Rule c1_r4.
#[test]
fn words_of_sql_can_be_names_of_tables_and_columns() {
    on_each_own_database(async |own| {
        let query = "fields=group,select&filters[group][$gt]=1&filters[select][$contains]=ORDER&sort=group:desc";
        let reply = own.list::<order::Entity>(query).await;
        let order = |id: i64, group: i32| json!({"id": id, "group": group, "select": format!("order {id}")});
        let orders = [
            order(9, 3),
            order(8, 3),
            order(7, 3),
            order(4, 2),
            order(3, 2),
        ];
        assert_eq!(reply.items(), orders);
        assert_eq!(reply.total(), 5);
        let reply = own
            .list_for::<customer::Entity>("populate=orders&filters[id]=2", tenant(1))
            .await;
        let orders = json!([{"id": 4, "group": 2}, {"id": 7, "group": 3}]);
        assert_eq!(
            reply.items(),
            [json!({"id": 2, "name": "bob", "orders": orders})]
        );
    });
}
