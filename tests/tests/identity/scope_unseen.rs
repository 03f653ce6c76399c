//! No byte of any response depends on the other company's rows, whatever is read or written.

use listing_tests::{Client, Reply, on_each, run};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sea_orm::prelude::DateTimeUtc;
use serde_json::{Value, json};

use crate::tenants::{B, MISSING, Rows, Tenants, rows, seen};

const ASKS: usize = 700;

/// A request, and whether it can write.
#[derive(Debug, Clone)]
struct Ask {
    method: &'static str,
    path: String,
    body: Option<Value>,
    if_match: Option<&'static str>,
}

impl Ask {
    async fn send(&self, client: &Client) -> Reply {
        let client = match self.if_match {
            Some(tags) => client.with_header("if-match", tags),
            None => client.clone(),
        };
        match &self.body {
            Some(body) => client.json(self.method, &self.path, body.to_string()).await,
            None => client.bare(self.method, &self.path).await,
        }
    }
}

/// Ids of A, of B, of what A makes on the way, and of nothing.
fn id() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => 1..=9_i64,
        3 => 7_001..=7_016_i64,
        2 => 7_501..=7_520_i64,
        1 => Just(MISSING),
    ]
}

fn parameter(resource: &str) -> BoxedStrategy<String> {
    let everywhere = [
        "populate=*",
        "fields=*",
        "pagination[pageSize]=2&pagination[page]=2",
        "pagination[pageSize]=3&pagination[withCount]=false",
        "pagination[start]=1&pagination[limit]=2",
    ];
    let here: &[&str] = match resource {
        "projects" => &[
            "sort=tasks_count:desc,name",
            "sort=name:desc",
            "trashed=with",
            "trashed=only",
            "filters[name]=Harbour",
            "filters[name]=Alpha",
            "filters[name][$contains]=e",
            "filters[slug]=b-7001",
            "filters[task_title]=Spy",
            "filters[task_title]=Draw",
        ],
        "tasks" => &[
            "sort=project.name",
            "sort=project.name:desc",
            "sort=title:desc",
            "trashed=with",
            "trashed=only",
            "filters[project_name]=Alpha",
            "filters[project_name]=Bridge",
            "filters[project_id][$null]=true",
            "filters[code]=c1",
            "filters[title][$contains]=r",
            "filters[priority][$gte]=2",
        ],
        _ => &["sort=name:desc", "filters[name]=red"],
    };
    let fixed: Vec<_> = everywhere.iter().chain(here).copied().collect();
    let fixed = prop::sample::select(fixed).prop_map(str::to_owned);
    let not = id().prop_map(|id| format!("filters[id][$ne]={id}"));
    let one = id().prop_map(|id| format!("filters[id][$in][]={id}&filters[id][$in][]=1"));
    let of = id().prop_map(|id| format!("filters[project_id][$in][]={id}"));
    match resource {
        "projects" => prop_oneof![6 => fixed, 1 => not, 1 => one].boxed(),
        "tasks" => prop_oneof![6 => fixed, 1 => not, 1 => one, 2 => of].boxed(),
        _ => fixed.boxed(),
    }
}

fn list() -> impl Strategy<Value = Ask> {
    let resource = prop::sample::select(vec!["projects", "tasks", "tags"]);
    let list = resource.prop_flat_map(|resource| {
        let parameters = prop::collection::vec(parameter(resource), 0..4);
        (Just(resource), parameters)
    });
    list.prop_map(|(resource, parameters)| Ask {
        method: "GET",
        path: format!("/api/{resource}?{}", parameters.join("&")),
        body: None,
        if_match: None,
    })
}

fn record() -> impl Strategy<Value = Ask> {
    let resource = prop::sample::select(vec!["projects", "tasks"]);
    let operation = prop::sample::select(vec![
        ("GET", ""),
        ("GET", ""),
        ("HEAD", ""),
        ("DELETE", ""),
        ("DELETE", "?force=true"),
        ("POST", "/restore"),
        ("POST", "/restore"),
    ]);
    let if_match = prop::sample::select(vec![None, None, None, Some("*"), Some("\"0\"")]);
    (resource, operation, id(), if_match).prop_map(|(resource, (method, end), id, if_match)| Ask {
        method,
        path: format!("/api/{resource}/{id}{end}"),
        body: None,
        if_match,
    })
}

/// Slugs are unique among companies and may meet; the other company's begin with `b`, so these do not meet them.
fn payload(resource: &str, name: u8, key: u8, project: Option<&Value>) -> Value {
    if resource == "projects" {
        let slug = match key {
            0 => "a-1".to_owned(),
            1 => String::new(),
            _ => format!("slug-{key}"),
        };
        return json!({ "name": format!("Name {name}"), "slug": slug, "tenant_id": 2 });
    }
    // Codes are unique within a company: the other one has these too.
    let mut payload = json!({ "title": "Draw", "code": format!("c{key}"), "priority": name });
    if let Some(project) = project {
        payload["project_id"] = project.clone();
    }
    payload
}

fn write() -> impl Strategy<Value = Ask> {
    let resource = prop::sample::select(vec!["projects", "tasks"]);
    // Absent, null, or an id.
    let project = prop::option::of(prop::option::of(id()).prop_map(|id| json!(id)));
    let target = prop::option::of(id());
    (resource, target, 0..5_u8, 0..24_u8, project).prop_map(
        |(resource, target, name, key, project)| Ask {
            method: if target.is_some() { "PUT" } else { "POST" },
            path: match target {
                Some(id) => format!("/api/{resource}/{id}"),
                None => format!("/api/{resource}"),
            },
            body: Some(payload(resource, name, key, project.as_ref())),
            if_match: None,
        },
    )
}

fn asks() -> Vec<Ask> {
    let ask = prop_oneof![5 => list(), 3 => record(), 3 => write()];
    let asks = prop::collection::vec(ask, ASKS);
    let mut runner = TestRunner::deterministic();
    asks.new_tree(&mut runner).unwrap().current()
}

/// The usual rows, with last ones of B's so that the next ids are the same whatever B has.
fn plain_rows() -> Rows {
    let mut rows = rows();
    let mut project = rows.projects[4].clone();
    (project.id, project.slug) = (7_500, "b-last".to_owned());
    rows.projects.push(project);
    let mut task = rows.tasks[8].clone();
    (task.id, task.code) = (7_500, "b-last".to_owned());
    rows.tasks.push(task);
    rows
}

/// The same rows of A among wholly other rows of B: other names, codes, links and deletions, fewer of some and more of
/// others, sixteen tasks that point to A's first project among them.
fn other_rows() -> Rows {
    let mut rows = plain_rows();
    let now = DateTimeUtc::from_timestamp(1_750_000_000, 0);
    for project in rows.projects.iter_mut().filter(|row| row.tenant_id == B) {
        project.name = if project.id % 2 == 0 {
            "Bridge"
        } else {
            "Tower"
        }
        .to_owned();
        project.slug = format!("{}-other", project.slug);
        project.deleted_at = if project.deleted_at.is_some() {
            None
        } else {
            now
        };
    }
    rows.tasks
        .retain(|row| row.tenant_id != B || row.id > 7_002);
    for task in rows.tasks.iter_mut().filter(|row| row.tenant_id == B) {
        task.title = "Paint".to_owned();
        task.code = format!("d{}", task.id);
        task.priority = 3;
        task.project_id = Some(7_002);
        task.deleted_at = if task.deleted_at.is_some() { None } else { now };
    }
    let template = rows.tasks.last().unwrap().clone();
    for number in 0..16 {
        let mut task = template.clone();
        (task.id, task.code) = (7_100 + number, format!("c{number}"));
        (task.project_id, task.deleted_at) = (Some(1), None);
        task.title = "Draw".to_owned();
        rows.tasks.push(task);
    }
    for tag in rows.tags.iter_mut().filter(|row| row.tenant_id == B) {
        tag.name = "green".to_owned();
    }
    rows.tagged.retain(|row| row.task_id < 7_000);
    rows
}

/// B's rows. A's deletion of its own project takes B's links to it along, as the foreign key says.
fn of_b(rows: Rows) -> Rows {
    let links = |task: &mut crate::tenants::task::Model| {
        task.project_id = task.project_id.filter(|id| *id > 7_000);
    };
    let mut rows = rows;
    rows.projects.retain(|row| row.tenant_id == B);
    rows.tasks.retain(|row| row.tenant_id == B);
    rows.tasks.iter_mut().for_each(links);
    rows.tasks.sort_by_key(|row| row.id);
    rows.tags.retain(|row| row.tenant_id == B);
    rows.tagged
        .retain(|row| row.task_id > 7_000 && row.tag_id > 7_000);
    rows
}

#[test]
fn nothing_that_another_company_has_changes_a_byte() {
    let asks = asks();
    on_each(|engine| {
        run(async {
            let one = Tenants::fresh(engine, &plain_rows()).await;
            let other = Tenants::fresh(engine, &other_rows()).await;
            let mut statuses = std::collections::BTreeMap::<_, usize>::new();
            for (number, ask) in asks.iter().enumerate() {
                let reply = ask.send(&one.a).await;
                let other = ask.send(&other.a).await;
                assert_eq!(seen(&reply), seen(&other), "request {number}: {ask:?}");
                let status = (ask.method, reply.status.as_u16());
                *statuses.entry(status).or_default() += 1;
            }
            // The requests were such that something could have been seen, and written.
            for (status, least) in [
                (("GET", 200), 200),
                (("GET", 404), 20),
                (("POST", 200), 2),
                (("POST", 201), 10),
                (("POST", 404), 20),
                (("POST", 422), 20),
                (("PUT", 200), 5),
                (("PUT", 404), 20),
                (("PUT", 422), 5),
                (("DELETE", 200), 5),
                (("DELETE", 404), 20),
                (("DELETE", 412), 2),
            ] {
                let found = statuses.get(&status).copied().unwrap_or_default();
                assert!(found >= least, "{status:?}: {statuses:?}");
            }
            assert!(
                statuses.keys().all(|(_, status)| *status < 500),
                "{statuses:?}"
            );
            for (tenants, before) in [(&one, plain_rows()), (&other, other_rows())] {
                let after = of_b(Rows::read(&tenants.db).await);
                assert_eq!(after, of_b(before), "A wrote to rows of B");
            }
        });
    });
}
