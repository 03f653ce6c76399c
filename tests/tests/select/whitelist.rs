//! One configuration per entity decides what its list offers, and nothing else can be reached (contract 1, 2.1).

use blog::entity::{article, author, comment, tag};
use listing::whitelist::Whitelist;
use listing::{FilterOperator, HasListing, Listing};
use listing_tests::on_each_database;
use serde_json::{Value, json};

use crate::demo::in_order;

/// What every item of a list has.
async fn keys(service: &listing_tests::Service, query: &str) -> Vec<String> {
    service.get(query).await.ok().keys()
}

/// Rules c1_r1, c1_r2, c2_1_t1, c2_1_t2.
#[test]
fn the_fields_and_relations_of_a_listing_are_all_there_is() {
    on_each_database(async |service| {
        let of = |whitelist: Option<&Whitelist>| {
            let whitelist = whitelist.unwrap();
            let names = whitelist.field_names().chain(whitelist.relation_names());
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        let listings = &service.listings;
        for (path, names, count) in [
            ("articles", of(listings.of::<article::Entity>()), 15),
            ("authors", of(listings.of::<author::Entity>()), 5),
            ("comments", of(listings.of::<comment::Entity>()), 7),
            ("tags", of(listings.of::<tag::Entity>()), 4),
        ] {
            assert_eq!(
                keys(service, &format!("/api/{path}?fields=*&populate=*")).await,
                names
            );
            assert_eq!(names.len(), count, "{path}");
        }
    });
}

/// Rules c2_1_t3, c2_1_t4.
#[test]
fn the_filters_and_sorts_of_a_listing_are_all_there_is() {
    on_each_database(async |service| {
        let whitelist = service.listings.of::<article::Entity>().unwrap();
        let mut filters: Vec<_> = whitelist.filter_keys().map(|(key, _)| key).collect();
        // Filters through relations come after those on the entity's own columns (d72).
        filters.extend(whitelist.related_keys());
        let told = service
            .get("/api/articles?filters[deleted_at][$null]=true")
            .await
            .error(400);
        assert_eq!(told["details"]["allowed"], json!(filters));
        assert_eq!(
            filters,
            [
                "id",
                "title",
                "slug",
                "body",
                "is_active",
                "views",
                "rating",
                "author_id",
                "created_at",
                "author_country",
                "author",
                "comments",
                "tags",
                "seo",
            ]
        );
        let strict = service.with_settings(|settings| settings.strict = true);
        let told = strict.get("/api/articles?sort=slug").await.error(400);
        let sorts: Vec<_> = whitelist.sort_names().collect();
        assert_eq!(told["details"]["allowed"], json!(sorts));
        for sort in &sorts {
            let reply = strict.get(&format!("/api/articles?sort={sort}:desc")).await;
            assert_eq!(reply.items().len(), 25, "{sort}");
        }
        assert_eq!(sorts.len(), 9);
    });
}

/// Rule c2_1_p2.
#[test]
fn an_entity_is_linked_to_its_configuration() {
    fn filters_of<E: HasListing>() -> usize {
        <E::Listing as Listing>::filters().len()
    }
    assert_eq!(filters_of::<article::Entity>(), 14);
    assert_eq!(filters_of::<author::Entity>(), 3);
}

/// Rule c1_r3.
#[test]
fn clients_steer_with_the_five_parameters_together() {
    let most_viewed: Vec<_> = in_order("views:desc")
        .into_iter()
        .filter(|id| *id <= 50)
        .collect();
    on_each_database(async |service| {
        let low: String = (1..=50)
            .map(|id| format!("&filters[id][$in][]={id}"))
            .collect();
        let query = format!(
            "fields[0]=views&populate[0]=author&sort[0]=views:desc&pagination[page]=2&pagination[pageSize]=10{low}"
        );
        let reply = service.get(&format!("/api/articles?{query}")).await;
        assert_eq!(reply.keys(), ["id", "views", "author"]);
        assert_eq!(reply.ids(), most_viewed[10..20]);
        assert_eq!(reply.total(), most_viewed.len() as u64);
        assert_eq!(reply.meta()["filters"].as_array().unwrap().len(), 50);
    });
}

/// Rule c1_r4.
#[test]
fn a_column_in_no_whitelist_cannot_be_reached_in_any_way() {
    on_each_database(async |service| {
        let plain = service.get("/api/authors?sort=id").await.ok();
        for query in [
            "fields=email",
            "fields=name,email,authors.email",
            "fields=*",
            "populate=email",
            "sort=email",
            "sort=email:desc,id",
            "sort=articles.email",
        ] {
            let reply = service.get(&format!("/api/authors?{query}")).await.ok();
            assert!(!reply.text().contains("@authors.example"), "{query}");
            assert!(
                reply.items().iter().all(|item| item.get("email").is_none()),
                "{query}"
            );
        }
        // A sort by it would tell the order of the addresses.
        assert_eq!(
            service.get("/api/authors?sort=email:desc").await.ids(),
            plain.ids()
        );
        let by_id = in_order("id");
        let reply = service.get("/api/articles?sort=author.email:desc").await;
        assert_eq!(reply.ids(), by_id[..25]);
        for filter in ["email", "author.email", "author_email", "authors.email"] {
            for path in ["authors", "articles"] {
                let reply = service
                    .get(&format!("/api/{path}?filters[{filter}][$contains]=a"))
                    .await;
                assert_eq!(reply.status, 400, "{path} {filter}");
                assert!(!reply.text().contains("@authors.example"));
            }
        }
        for path in ["articles", "authors", "comments", "tags"] {
            let reply = service
                .get(&format!(
                    "/api/{path}?fields=*&populate=*&pagination[pageSize]=100"
                ))
                .await
                .ok();
            assert!(!reply.text().contains("@authors.example"), "{path}");
            assert!(!reply.text().contains("deleted_at"), "{path}");
        }
    });
}

/// Rule c1_r7.
#[test]
fn a_relation_always_has_a_limit_and_long_queries_have_another_door() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/articles?populate=*&pagination[pageSize]=100")
            .await;
        let Value::Object(relations) = reply.meta()["relations"].clone() else {
            panic!("no relations are told")
        };
        let limits: Vec<_> = relations
            .iter()
            .map(|(name, told)| (name.as_str(), &told["limit"]))
            .collect();
        assert_eq!(limits, [("comments", &json!(10)), ("tags", &json!(10))]);
        let long = format!(
            "/api/articles?filters[title][$contains]={}",
            "x".repeat(33_000)
        );
        let error = service.get(&long).await.error(414);
        assert!(
            error["message"].as_str().unwrap().contains("/query"),
            "{error}"
        );
    });
}

/// Rule c9_p1.
#[test]
fn paths_begin_with_api_and_carry_no_version() {
    on_each_database(async |service| {
        for path in [
            "/api/articles",
            "/api/authors",
            "/api/comments",
            "/api/tags",
        ] {
            assert_eq!(service.get(path).await.status, 200, "{path}");
        }
        for path in ["/articles", "/v1/articles", "/api/v1/articles"] {
            assert_eq!(service.get(path).await.status, 404, "{path}");
        }
    });
}

/// Rule c1_r2.
#[test]
fn operators_belong_to_a_filter() {
    on_each_database(async |service| {
        let whitelist = service.listings.of::<tag::Entity>().unwrap();
        let filters: Vec<_> = whitelist.filter_keys().collect();
        let operators = [FilterOperator::Equal, FilterOperator::Contains];
        assert_eq!(filters, [("name", &operators[..])]);
        let error = service
            .get("/api/tags?filters[name][$gt]=a")
            .await
            .error(400);
        assert_eq!(error["details"]["allowed"], json!(["$eq", "$contains"]));
    });
}
