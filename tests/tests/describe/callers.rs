//! Each caller is told what it may do, and nothing else.

use listing::Context;
use listing_axum::describe::ApiDescription;
use serde_json::{Value, json};

use crate::office::{Employees, manager, member, office, told};
use listing_axum::{Api, Operation, ResourceRoutes};

fn names(description: &ApiDescription) -> Vec<&str> {
    let listings = description.listings.iter();
    listings.map(|known| known.listing.name.as_str()).collect()
}

fn json(description: &ApiDescription, name: &str) -> Value {
    serde_json::to_value(description.listing(name).unwrap()).unwrap()
}

fn operations(description: &ApiDescription, name: &str) -> Vec<String> {
    let operations = json(description, name)["operations"].clone();
    operations.as_object().unwrap().keys().cloned().collect()
}

/// Rule b291.
#[test]
fn a_caller_who_may_not_read_a_list_does_not_learn_of_it() {
    let nobody = told(&Context::new());
    assert!(names(&nobody).is_empty());
    let text = serde_json::to_string(&nobody).unwrap();
    assert!(!text.contains("employee") && !text.contains("salar"));

    let member = told(&member());
    assert_eq!(names(&member), ["employees", "desks"]);
    assert!(!serde_json::to_string(&member).unwrap().contains("salar"));

    assert_eq!(names(&told(&manager())), ["employees", "salaries", "desks"]);
}

/// Rule b291.
#[test]
fn operations_that_are_refused_whatever_the_record_are_not_told() {
    // Whether an employee may be changed depends on the record; nobody but a manager creates or removes one.
    let mut known = operations(&told(&member()), "employees");
    known.sort_unstable();
    assert_eq!(known, ["index", "patch", "query", "show", "update"]);
    let mut known = operations(&told(&manager()), "employees");
    known.sort_unstable();
    assert_eq!(
        known,
        [
            "destroy", "index", "patch", "query", "show", "store", "update"
        ]
    );
}

/// Rule b292.
#[test]
fn what_only_a_relation_leads_to_is_told_without_an_address() {
    let member = told(&member());
    let desks = json(&member, "desks");
    assert_eq!(desks.get("path"), None);
    assert_eq!(desks["operations"], json!({}));
    assert_eq!(desks["fields"][1]["name"], "label");
    // Its keys cannot be chosen from a list.
    let employees = json(&member, "employees");
    assert_eq!(employees["fields"][4]["name"], "desk_id");
    assert_eq!(employees["fields"][4].get("references"), None);
    assert_eq!(employees["relations"][0]["listing"], "desks");
    let only = &employees["relatedFilters"][0]["only"];
    assert_eq!(only["filters"].as_array().unwrap().len(), 1);
    assert_eq!(only["filters"][0]["name"], "label");
}

/// Rule b290.
#[test]
fn enumerations_and_integers_as_text_keep_their_types() {
    let member = told(&member());
    let employees = json(&member, "employees");
    let status = json!({"name": "status", "type": "string", "enum": ["active", "on_leave"], "nullable": false, "default": true});
    assert_eq!(employees["fields"][2], status);
    assert_eq!(employees["fields"][3]["type"], "bigint");
    assert_eq!(
        employees["filters"][0]["options"],
        json!([{"value": "active", "label": "active"}, {"value": "on_leave", "label": "on leave"}])
    );
}

/// Rule b290.
#[test]
fn rules_of_garde_and_of_columns_are_told_together() {
    let manager = told(&manager());
    let payload = &json(&manager, "employees")["operations"]["store"]["payload"];
    assert_eq!(
        payload,
        &json!([
            {"name": "name", "type": "string", "required": true, "nullable": false, "minLength": 2, "maxLength": 80, "trim": true},
            {"name": "email", "type": "string", "required": true, "nullable": false, "maxLength": 120},
            {"name": "grade", "type": "integer", "required": true, "nullable": false, "minimum": 1.0, "maximum": 15.0},
            {"name": "status", "type": "string", "enum": ["active", "on_leave"], "required": false, "nullable": false},
            {"name": "badge", "type": "bigint", "required": true, "nullable": false, "minimum": -1e10, "maximum": 1e10},
            {"name": "desk_id", "type": "integer", "required": false, "nullable": true},
        ])
    );
}

/// Rule b290.
#[test]
fn operations_that_an_application_replaces_have_no_payload_and_those_left_out_are_not_told() {
    let routes = ResourceRoutes::crud::<Employees>()
        .replace(Operation::Store, async || "stored")
        .without(Operation::Destroy);
    let api = Api::<crate::office::App>::new("")
        .resource(routes)
        .listing::<crate::office::desk::Entity>();
    let api = api.listing::<crate::office::salary::Entity>();
    let api = api.build(listing::Settings::default()).unwrap();
    let told = ApiDescription::for_developers(&api.listings, &api.routes);
    let employees = json(&told, "employees");
    assert_eq!(employees["path"], "/employees");
    let operations = &employees["operations"];
    assert_eq!(operations["store"].get("payload"), None);
    assert!(operations["update"]["payload"].is_array());
    assert_eq!(operations.get("destroy"), None);
}

/// Rule b293.
#[test]
fn developers_are_told_of_everything() {
    let office = office();
    let told = ApiDescription::for_developers(&office.listings, &office.routes);
    assert_eq!(names(&told), ["employees", "salaries", "desks"]);
    assert_eq!(operations(&told, "employees").len(), 7);
    assert_eq!(told.authentication.unwrap().scheme, "bearer");
}
