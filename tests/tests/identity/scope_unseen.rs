//! No byte of any response depends on the other company's rows, whatever is read or written.

use listing_tests::{Client, Reply, on_each, run};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sea_orm::prelude::DateTimeUtc;
use serde_json::{Map, Value, json};

use crate::tenants::{B, MISSING, Rows, Tenants, rows, seen, task_tag};

const ASKS: usize = 1_000;

/// A request, and whether it can write.
#[derive(Debug, Clone)]
struct Ask {
    method: &'static str,
    path: String,
    body: Option<Value>,
    headers: Vec<(&'static str, &'static str)>,
}

impl Ask {
    fn get(path: String) -> Self {
        Self {
            method: "GET",
            path,
            body: None,
            headers: Vec::new(),
        }
    }

    fn writes_links(&self) -> bool {
        self.body
            .as_ref()
            .is_some_and(|body| !body["tags"].is_null())
    }

    async fn send(&self, client: &Client) -> Reply {
        let mut client = client.clone();
        for (name, value) in &self.headers {
            client = client.with_header(name, value);
        }
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
            "facets=*",
            "facets[name][sort]=label&totals[name]=count,countDistinct",
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
            "filters[tags][name]=red",
            "filters[tags]=7001",
            "facets=*",
            "facets[project_id][sort]=label&facets[tags][limit]=1",
            "facets[project_id][search]=a&facets[tags][search]=e",
            "totals[priority]=sum,avg,min,max&totals[project_id]=countDistinct",
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
    list.prop_map(|(resource, parameters)| {
        Ask::get(format!("/api/{resource}?{}", parameters.join("&")))
    })
}

/// Facets and totals without rows, and groups.
fn numbers() -> impl Strategy<Value = Ask> {
    let asked = prop::sample::select(vec![
        ("projects", "_facets?facets=*&totals[name]=countDistinct"),
        ("projects", "_groups?by=name&sort=count:desc"),
        ("tasks", "_facets?facets=*&totals[priority]=sum,avg,min,max"),
        (
            "tasks",
            "_groups?by=project_id&totals[priority]=sum,min&sort=priority.sum:desc",
        ),
        ("tasks", "_groups?by=project_id,code&having[count][$gte]=1"),
    ]);
    let asked = asked.prop_flat_map(|(resource, path)| {
        // What a list alone has is ignored, or refused.
        let parameter = parameter(resource).prop_filter("not of lists", |parameter| {
            let of_lists = ["facets", "totals", "sort", "populate", "fields"];
            !of_lists.iter().any(|start| parameter.starts_with(start))
        });
        (Just((resource, path)), prop::option::of(parameter))
    });
    asked.prop_map(|((resource, path), parameter)| {
        let further = parameter.map(|parameter| format!("&{parameter}"));
        Ask::get(format!(
            "/api/{resource}/{path}{}",
            further.unwrap_or_default()
        ))
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
    (resource, operation, id(), headers()).prop_map(|(resource, (method, end), id, headers)| Ask {
        method,
        path: format!("/api/{resource}/{id}{end}"),
        body: None,
        headers,
    })
}

/// Whether a version is named, and whether the record is to be returned.
fn headers() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    let if_match = prop::sample::select(vec![None, None, None, Some("*"), Some("\"0\"")]);
    (if_match, any::<bool>()).prop_map(|(if_match, returning)| {
        let if_match = if_match.map(|tags| ("if-match", tags));
        let prefer = returning.then_some(("prefer", "return=representation"));
        if_match.into_iter().chain(prefer).collect()
    })
}

/// The tags of a task: of A, of B, and those that do not exist.
fn links() -> impl Strategy<Value = Option<Value>> {
    let tag = || prop_oneof![6 => 1..=2_i64, 2 => 7_001..=7_002_i64, 1 => Just(MISSING)];
    let tags = move || prop::collection::vec(tag(), 0..3).prop_map(|ids| json!(ids));
    prop::option::of(prop_oneof![
        tags(),
        tags().prop_map(|tags| json!({ "set": tags })),
        (tags(), tags()).prop_map(
            |(connect, disconnect)| json!({ "connect": connect, "disconnect": disconnect })
        ),
    ])
}

/// Slugs are unique among companies and may meet; the other company's begin with `b`, so these do not meet them.
fn payload(resource: &str, name: u8, key: u8) -> Map<String, Value> {
    let payload = if resource == "projects" {
        let slug = match key {
            0 => "a-1".to_owned(),
            1 => String::new(),
            _ => format!("slug-{key}"),
        };
        json!({ "name": format!("Name {name}"), "slug": slug, "tenant_id": 2 })
    } else {
        // Codes are unique within a company: the other one has these too.
        json!({ "title": "Draw", "code": format!("c{key}"), "priority": name })
    };
    match payload {
        Value::Object(payload) => payload,
        _ => unreachable!("it is an object"),
    }
}

/// What a write is about: the record, if there is one yet, and whether it is sent whole.
fn target() -> impl Strategy<Value = (&'static str, Option<i64>)> {
    prop_oneof![
        Just(("POST", None)),
        id().prop_map(|id| ("PUT", Some(id))),
        id().prop_map(|id| ("PATCH", Some(id))),
    ]
}

fn write() -> impl Strategy<Value = Ask> {
    let resource = prop::sample::select(vec!["projects", "tasks"]);
    // Absent, null, or an id; by the name of the column or of the relation.
    let project = prop::option::of(prop::option::of(id()).prop_map(|id| json!(id)));
    let project = (project, prop::sample::select(vec!["project_id", "project"]));
    let shown = prop::sample::select(vec!["", "?fields=*&populate=*"]);
    let values = (0..5_u8, 0..24_u8, project, links(), any::<u8>());
    (resource, target(), values, headers(), shown).prop_map(
        |(resource, (method, target), (name, key, project, links, kept), headers, shown)| {
            let mut body = payload(resource, name, key);
            if resource == "tasks" {
                let (project, name) = project;
                body.extend(project.map(|project| (name.to_owned(), project)));
                body.extend(links.map(|links| ("tags".to_owned(), links)));
            }
            if method == "PATCH" {
                let mut bits = (0..8).map(|bit| kept >> bit & 1 == 1);
                body.retain(|_, _| bits.next().unwrap_or_default());
            }
            let id = target.map(|id| format!("/{id}")).unwrap_or_default();
            Ask {
                method,
                path: format!("/api/{resource}{id}{shown}"),
                body: Some(Value::Object(body)),
                headers,
            }
        },
    )
}

/// New links of a task of A's, and nothing else.
fn relink() -> impl Strategy<Value = Ask> {
    (1..=9_i64, links(), headers()).prop_map(|(id, links, headers)| Ask {
        method: "PATCH",
        path: format!("/api/tasks/{id}"),
        body: Some(json!({ "tags": links.unwrap_or_else(|| json!([])) })),
        headers,
    })
}

fn asks() -> Vec<Ask> {
    let ask = prop_oneof![5 => list(), 2 => numbers(), 3 => record(), 4 => write(), 2 => relink()];
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
    // The links of A's tasks to B's tags are others, too.
    rows.tagged
        .retain(|row| row.task_id < 7_000 && row.tag_id < 7_000);
    for (task_id, tag_id) in [(2, 7_002), (4, 7_001), (8, 7_002)] {
        rows.tagged.push(task_tag::Model { task_id, tag_id });
    }
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

/// Links of A's tasks to B's tags, which A does not see, and does not end but with the task.
fn hidden_links(before: &Rows, after: &Rows) -> [Vec<task_tag::Model>; 2] {
    let is_there = |id: i64| after.tasks.iter().any(|task| task.id == id);
    let hidden = |rows: &Rows| {
        let links = rows.tagged.iter();
        let links = links.filter(|link| link.task_id < 7_000 && link.tag_id > 7_000);
        let mut links: Vec<_> = links
            .filter(|link| is_there(link.task_id))
            .cloned()
            .collect();
        links.sort_by_key(|link| (link.task_id, link.tag_id));
        links
    };
    [hidden(before), hidden(after)]
}

/// Every way to read and to write.
/// Rules d96, d98, d99, d102, d104, d106, d120, d121, d122, d124, d125, d132.
#[test]
fn nothing_that_another_company_has_changes_a_byte() {
    let asks = asks();
    on_each(|engine| {
        run(async {
            let one = Tenants::fresh(engine, &plain_rows()).await;
            let other = Tenants::fresh(engine, &other_rows()).await;
            // Those that have made the tables differ.
            let _ = (one.statements(), other.statements());
            let mut relinked = 0;
            let mut statuses = std::collections::BTreeMap::<_, usize>::new();
            for (number, ask) in asks.iter().enumerate() {
                let reply = ask.send(&one.a).await;
                let other_reply = ask.send(&other.a).await;
                assert_eq!(
                    seen(&reply),
                    seen(&other_reply),
                    "request {number}: {ask:?}"
                );
                // Nor does the number of statements.
                let statements = one.statements();
                assert_eq!(statements, other.statements(), "request {number}: {ask:?}");
                if reply.status == 200 && ask.writes_links() {
                    relinked += 1;
                    for (tenants, before) in [(&one, plain_rows()), (&other, other_rows())] {
                        let [kept, links] = hidden_links(&before, &Rows::read(&tenants.db).await);
                        assert_eq!(links, kept, "request {number}: {ask:?}");
                    }
                }
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
                (("PATCH", 200), 5),
                (("PATCH", 404), 20),
                (("PATCH", 412), 2),
                (("PATCH", 422), 5),
                (("DELETE", 200), 5),
                (("DELETE", 404), 20),
                (("DELETE", 412), 2),
            ] {
                let found = statuses.get(&status).copied().unwrap_or_default();
                assert!(found >= least, "{status:?}: {statuses:?}");
            }
            assert!(relinked >= 20, "{relinked}");
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
