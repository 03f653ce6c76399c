//! The OpenAPI document: every route, exactly what the whitelists allow, and examples that work.

use axum::http::Request;
use listing::Kind;
use listing::describe::ValueType;
use listing_axum::Jwt;
use listing_axum::describe::ApiDescription;
use listing_tests::{Engine, Service};
use serde_json::{Value, json};

use crate::office::{manager, member, told};

async fn document(service: &Service) -> Value {
    service.get("/api/openapi.json").await.ok().json()
}

async fn blog() -> Value {
    document(&Service::fresh(Engine::Sqlite).await).await
}

fn parameter<'d>(operation: &'d Value, name: &str) -> &'d Value {
    let parameters = operation["parameters"].as_array().unwrap();
    parameters
        .iter()
        .find(|known| known["name"] == name)
        .unwrap()
}

/// Rule b295.
#[tokio::test]
async fn the_document_of_the_blog() {
    let mut document = blog().await;
    document["info"]["version"] = "0.0.0".into();
    insta::assert_json_snapshot!("openapi", document);
}

/// Rule b295.
#[tokio::test]
async fn every_route_has_an_operation_with_a_name_of_its_own() {
    let document = blog().await;
    let routes = blog::resources::api(listing::Settings::default())
        .unwrap()
        .routes;
    for route in routes.iter() {
        let operation = &document["paths"][&route.path][route.method.to_lowercase()];
        assert!(
            operation["operationId"].is_string(),
            "{} {}",
            route.method,
            route.path
        );
    }
    let paths = document["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|path| path.as_object().unwrap().values());
    let mut ids: Vec<_> = operations
        .map(|known| known["operationId"].as_str().unwrap())
        .collect();
    for id in [
        "listArticles",
        "queryArticles",
        "getArticle",
        "createArticle",
        "updateArticle",
        "deleteArticle",
        "restoreArticle",
        "listTags",
    ] {
        assert!(ids.contains(&id), "{id}");
    }
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
}

/// Rule b295.
#[tokio::test]
async fn a_filter_has_a_parameter_for_each_of_its_operators_and_no_other() {
    let document = blog().await;
    let list = &document["paths"]["/api/articles"]["get"];
    let of = |filter: &str| -> Vec<String> {
        let parameters = list["parameters"].as_array().unwrap().iter();
        let names = parameters.map(|known| known["name"].as_str().unwrap().to_owned());
        names
            .filter(|name| name.starts_with(&format!("filters[{filter}]")))
            .collect()
    };
    assert_eq!(
        of("title"),
        [
            "filters[title][$eq]",
            "filters[title][$ne]",
            "filters[title][$contains]"
        ]
    );
    assert_eq!(of("email"), [""; 0]);
    let integer =
        json!({"type": "integer", "format": "int64", "minimum": i64::MIN, "maximum": u64::MAX});
    assert_eq!(parameter(list, "filters[views][$gte]")["schema"], integer);
    assert_eq!(
        parameter(list, "filters[views][$between]")["schema"],
        json!({"type": "array", "items": integer, "minItems": 2, "maxItems": 2})
    );
    assert_eq!(
        parameter(list, "filters[rating][$null]")["schema"]["type"],
        "boolean"
    );
    let comments = &document["paths"]["/api/comments"]["get"];
    assert_eq!(
        parameter(comments, "filters[is_hidden][$eq]")["schema"]["default"],
        false
    );
    assert_eq!(
        parameter(comments, "populate")["schema"]["default"],
        json!(["article"])
    );
    assert_eq!(
        parameter(comments, "sort")["schema"]["default"],
        json!(["id:desc"])
    );
}

/// Rule b643.
#[tokio::test]
async fn an_integer_is_accepted_within_the_bounds_of_its_parameter_and_not_outside() {
    let service = Service::fresh(Engine::Sqlite).await;
    let document = document(&service).await;
    let list = &document["paths"]["/api/articles"]["get"];
    let schema = &parameter(list, "filters[views][$gte]")["schema"];
    let bound = |name: &str| -> i128 { schema[name].to_string().parse().unwrap() };
    let (least, most) = (bound("minimum"), bound("maximum"));
    for (number, status) in [(least, 200), (least - 1, 400), (most, 200), (most + 1, 400)] {
        let reply = service
            .get(&format!("/api/articles?filters[views][$gte]={number}"))
            .await;
        assert_eq!(reply.status, status, "{number}: {}", reply.text());
    }
}

/// Rule b644. OpenAPI Generator knows no type that is null alone, and generators make up names for schemas without one.
#[tokio::test]
async fn errors_have_data_that_generators_know_and_relations_have_schemas_with_names() {
    let document = blog().await;
    let schemas = &document["components"]["schemas"];
    assert_eq!(
        schemas["Error"]["properties"]["data"]["type"],
        json!(["object", "null"])
    );
    let article = &schemas["Article"]["properties"]["seo"]["anyOf"][0];
    assert_eq!(article["$ref"], "#/components/schemas/ArticleSeo");
    let populate = &schemas["ArticlePopulate"]["anyOf"][1]["properties"]["seo"];
    let options = &populate["anyOf"][1]["$ref"];
    assert_eq!(options, "#/components/schemas/ArticleSeoOptions");
    for name in ["ArticleSeo", "ArticleSeoOptions", "RelationLimit"] {
        assert_eq!(schemas[name]["type"], "object", "{name}");
    }
}

/// Rule b401.
#[tokio::test]
async fn one_level_of_relations_is_described_by_name_and_type_and_the_rest_by_brackets() {
    let service = Service::fresh(Engine::Sqlite).await;
    let document = document(&service).await;
    let list = &document["paths"]["/api/articles"]["get"];
    let country = parameter(list, "filters[author][country]");
    assert_eq!(country["style"], "deepObject");
    assert_eq!(country["schema"]["additionalProperties"], false);
    let operators = country["schema"]["properties"].as_object().unwrap();
    let operators: Vec<_> = operators.keys().map(String::as_str).collect();
    assert_eq!(operators, ["$eq", "$in"]);
    let comments = &parameter(list, "populate[comments]")["schema"]["properties"];
    assert_eq!(comments["count"]["type"], "boolean");
    let fields = comments["fields"]["description"].as_str().unwrap();
    assert!(fields.contains("`author_name`"), "{fields}");
    let limit = parameter(list, "populate[comments][pagination]");
    assert_eq!(limit["schema"]["properties"]["limit"]["minimum"], 1);

    let nested = parameter(list, "nested");
    assert_eq!(
        (&nested["style"], &nested["explode"]),
        (&json!("form"), &json!(true))
    );
    let patterns = nested["schema"]["patternProperties"].as_object().unwrap();
    let patterns: Vec<_> = patterns.keys().map(String::as_str).collect();
    let [filters, populate] = patterns[..] else {
        panic!("{patterns:?}")
    };
    assert!(
        filters.starts_with(r"^filters\[(\$and|\$or|\$not|author|"),
        "{filters}"
    );
    assert!(
        populate.starts_with(r"^populate\[(author|comments|tags|seo)\]"),
        "{populate}"
    );
    // A record has no filters.
    let record = &document["paths"]["/api/articles/{id}"]["get"];
    let patterns = &parameter(record, "nested")["schema"]["patternProperties"];
    assert_eq!(patterns.as_object().unwrap().len(), 1);

    // What these parameters say is what the list takes.
    for query in [
        "filters[author][country][$in]=DE&filters[author][country][$in]=BR",
        "filters[seo][$null]=true",
        "populate[comments][fields]=author_name,body&populate[comments][sort]=created_at:desc&populate[comments][pagination][limit]=2",
        "populate[comments][count]=true",
        "filters[$or][0][title][$eq]=x&filters[$or][1][views][$gt]=5&populate[author][populate]=articles",
    ] {
        let reply = service.get(&format!("/api/articles?{query}")).await;
        assert_eq!(reply.status, 200, "{query}: {}", reply.text());
    }
}

/// Rule b295.
#[tokio::test]
async fn items_have_their_id_and_the_rest_by_selection() {
    let document = blog().await;
    let article = &document["components"]["schemas"]["Article"];
    assert_eq!(article["required"], json!(["id"]));
    assert_eq!(article["additionalProperties"], false);
    assert_eq!(
        article["properties"]["rating"],
        json!({"type": ["string", "null"], "format": "decimal"})
    );
    let filters = &document["components"]["schemas"]["ArticleFilters"]["properties"];
    assert_eq!(
        filters["$or"]["items"]["$ref"],
        "#/components/schemas/ArticleFilters"
    );
    assert_eq!(
        filters["author"]["anyOf"][0]["$ref"],
        "#/components/schemas/AuthorFilters"
    );
    assert_eq!(
        filters["comments"]["anyOf"][1]["properties"]["$none"]["$ref"],
        "#/components/schemas/CommentFilters"
    );
    let text = document.to_string();
    for hidden in ["email", "deleted_at", "article_tag"] {
        assert!(!text.contains(hidden), "{hidden}");
    }
}

/// Rule b534.
#[test]
fn a_record_that_shows_a_field_otherwise_has_a_schema_of_its_own() {
    let mut told = told(&manager());
    let schemas = |told: &ApiDescription| {
        let document = serde_json::to_value(told.to_openapi()).unwrap();
        document["components"]["schemas"].clone()
    };
    assert!(schemas(&told)["EmployeeRecord"].is_null());
    let record = &mut told.listings[0].listing.record;
    let badge = record.iter_mut().find(|field| field.name == "badge");
    badge.unwrap().value = ValueType::of(&Kind::Integer, None);
    let schemas = schemas(&told);
    let (text, number) = (
        json!({"type": "string", "pattern": "^-?[0-9]+$"}),
        json!({"type": "integer", "format": "int64"}),
    );
    assert_eq!(schemas["Employee"]["properties"]["badge"], text);
    // With `fields` it is shown as in a list.
    assert_eq!(
        schemas["EmployeeRecord"]["properties"]["badge"],
        json!({"anyOf": [number, text]})
    );
}

/// Rule b295.
#[tokio::test]
async fn examples_work_on_the_demo_data() {
    let service = Service::fresh(Engine::Sqlite).await;
    let document = document(&service).await;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let path = path.replace("{id}", "1");
        for (method, operation) in methods.as_object().unwrap() {
            let content = &operation["requestBody"]["content"];
            let example = &content["application/json"]["example"];
            let reply = match method.as_str() {
                "get" => service.get(&format!("{path}{}", required(operation))).await,
                "put" => service.put(&path, example).await,
                "post" if content.get("text/csv").is_some() => {
                    let file = content["text/csv"]["example"].as_str().unwrap().to_owned();
                    let request = Request::post(&path).header("content-type", "text/csv");
                    service.send(request.body(file.into()).unwrap()).await
                }
                "post" if !path.ends_with("/restore") => service.post(&path, example).await,
                _ => continue,
            };
            // The record was just created with the same unique value.
            let expected = if method == "put" {
                vec![200, 422]
            } else {
                vec![200, 201]
            };
            assert!(
                expected.contains(&reply.status.as_u16()),
                "{method} {path}: {}",
                reply.text()
            );
        }
    }
}

/// The query string of the parameters without which an operation does not work, by their examples.
fn required(operation: &Value) -> String {
    let parameters = operation["parameters"].as_array();
    let mut query = parameters
        .into_iter()
        .flatten()
        .filter(|parameter| parameter["required"] == true && parameter["in"] == "query");
    let parameter = query.next();
    parameter.map_or_else(String::new, |parameter| {
        let example = parameter["example"][0].as_str().unwrap();
        format!("?{}={example}", parameter["name"].as_str().unwrap())
    })
}

/// Rule b295.
#[tokio::test]
async fn a_document_is_made_for_its_caller() {
    let operations = |context| serde_json::to_value(told(&context).to_openapi()).unwrap();
    let member = operations(member());
    assert!(member["paths"]["/v2/employees"]["post"].is_null());
    assert!(member["paths"]["/v2/salaries"].is_null());
    assert!(!member.to_string().to_lowercase().contains("salar"));
    let manager = operations(manager());
    assert!(manager["paths"]["/v2/employees"]["post"].is_object());
    assert!(manager["paths"]["/v2/salaries"]["get"].is_object());
    // What only a relation leads to has a type and no route.
    assert!(member["components"]["schemas"]["Desk"].is_object());
    assert!(member["paths"]["/v2/desks"].is_null());
}

/// Rule b295.
#[tokio::test]
async fn tokens_are_told_where_there_is_a_key_for_them() {
    let service = Service::fresh(Engine::Sqlite).await;
    assert_eq!(document(&service).await.get("security"), None);
    let mut config = listing_axum::config::JwtConfig::default();
    config.secret = "0123456789abcdef0123456789abcdef".into();
    let jwt = Jwt::new(&config);
    let document = document(&service.with_jwt(jwt.unwrap())).await;
    assert_eq!(
        document["components"]["securitySchemes"]["bearer"]["scheme"],
        "bearer"
    );
    // Without a token nobody writes.
    assert!(document["paths"]["/api/articles"]["post"].is_null());
}
