//! A junction's own listing decides which links count: its scope, its bin and its default filters (d73).

use serde_json::Value;

use crate::world::{LABELS, LINKS, label, on_each_world, project};

/// The labels that a project shows to the first tenant.
pub(crate) fn labels_of(project: i64) -> Vec<&'static str> {
    let links = LINKS.iter().filter(|link| link.1 == project);
    let counting = links.filter(|link| link.3 == 1 && link.4 == "main" && !link.5);
    let labels = counting.filter_map(|link| {
        let label = LABELS.iter().find(|label| label.0 == link.2)?;
        (label.2 == 1).then_some(label.1)
    });
    labels.collect()
}

/// Rule d73.
#[test]
fn populate_shows_what_visible_links_lead_to() {
    on_each_world(async |world| {
        let reply = world.list::<project::Entity>("populate=labels").await;
        assert!(!reply.items().is_empty(), "{reply:?}");
        for item in reply.items() {
            let labels = item["labels"].as_array().unwrap().iter();
            let names: Vec<_> = labels
                .map(|label| label["name"].as_str().unwrap())
                .collect();
            assert_eq!(names, labels_of(item["id"].as_i64().unwrap()), "{item}");
        }
        let reply = world.list::<label::Entity>("populate=projects").await;
        let items = reply.items();
        let of = |label: usize| -> Vec<&Value> {
            let projects = items[label]["projects"].as_array().unwrap();
            projects.iter().map(|project| &project["id"]).collect()
        };
        assert_eq!(
            (of(0), of(1)),
            (vec![&Value::from(1), &5.into()], vec![&2.into(), &5.into()])
        );
    });
}
