//! Requests with a populate tree and a search as data, and what every database has to show for them.

use std::cmp::Ordering;

use serde_json::{Map, Value, json};

use crate::model::{Row, Tree};
use crate::random::Entity;

/// What a listing of the world lets clients choose.
#[derive(Debug)]
pub(crate) struct Whitelist {
    default_fields: &'static [&'static str],
    /// All of them, in the order of definition.
    pub(crate) fields: &'static [&'static str],
    default_sort: &'static str,
    pub(crate) sorts: &'static [&'static str],
    pub(crate) relations: &'static [Relation],
}

#[derive(Debug)]
pub(crate) struct Relation {
    pub(crate) name: &'static str,
    pub(crate) target: Entity,
    /// None where it leads to one row.
    limit: Option<usize>,
}

/// What is asked of a list, or of the rows of a relation.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) fields: Option<Vec<&'static str>>,
    pub(crate) filters: Option<Tree>,
    /// A name, and whether it is descending.
    pub(crate) sort: Option<(&'static str, bool)>,
    pub(crate) populate: Vec<Branch>,
}

/// One relation of a populate tree.
#[derive(Debug, Clone)]
pub(crate) struct Branch {
    pub(crate) relation: &'static Relation,
    pub(crate) count: bool,
    /// Of a relation to many.
    pub(crate) start: Option<usize>,
    pub(crate) limit: Option<usize>,
    pub(crate) with_count: bool,
    pub(crate) asked: Shown,
}

/// A word or a phrase of a search by letters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    pub(crate) text: &'static str,
    pub(crate) is_excluded: bool,
}

const fn one(name: &'static str, target: Entity) -> Relation {
    Relation {
        name,
        target,
        limit: None,
    }
}

const fn many(name: &'static str, target: Entity, limit: usize) -> Relation {
    Relation {
        name,
        target,
        limit: Some(limit),
    }
}

static PROJECTS: Whitelist = Whitelist {
    default_fields: &["name"],
    fields: &["name", "labels_count", "owner_count"],
    default_sort: "id",
    sorts: &["id", "name", "owner.name"],
    relations: &[
        one("owner", Entity::Owner),
        many("labels", Entity::Label, 10),
        many("linked", Entity::Label, 10),
        many("tasks", Entity::Task, 20),
    ],
};

static OWNERS: Whitelist = Whitelist {
    default_fields: &["name"],
    fields: &["name", "projects_count"],
    default_sort: "name",
    sorts: &["name", "id"],
    relations: &[many("projects", Entity::Project, 10)],
};

static LABELS: Whitelist = Whitelist {
    default_fields: &["name"],
    fields: &["name", "projects_count"],
    default_sort: "id",
    sorts: &["id", "name"],
    relations: &[many("projects", Entity::Project, 10)],
};

static TASKS: Whitelist = Whitelist {
    default_fields: &["title"],
    fields: &["title", "done", "parts_count"],
    default_sort: "id",
    sorts: &["id", "title", "project.name"],
    relations: &[
        one("parent", Entity::Task),
        many("parts", Entity::Task, 10),
        one("project", Entity::Project),
    ],
};

pub(crate) fn whitelist(entity: Entity) -> &'static Whitelist {
    match entity {
        Entity::Project => &PROJECTS,
        Entity::Owner => &OWNERS,
        Entity::Label => &LABELS,
        Entity::Task => &TASKS,
    }
}

impl Shown {
    /// As a client sends it.
    pub(crate) fn json(&self) -> Map<String, Value> {
        let mut asked = Map::new();
        if let Some(fields) = &self.fields {
            asked.insert("fields".to_owned(), json!(fields));
        }
        if let Some(filters) = &self.filters {
            asked.insert("filters".to_owned(), filters.json());
        }
        if let Some((name, descending)) = self.sort {
            let direction = if descending { "desc" } else { "asc" };
            asked.insert("sort".to_owned(), json!(format!("{name}:{direction}")));
        }
        if !self.populate.is_empty() {
            let branches = self.populate.iter().map(|branch| {
                let mut options = branch.asked.json();
                if branch.count {
                    // Nothing else has an effect.
                    options.retain(|name, _| name == "filters");
                    options.insert("count".to_owned(), json!(true));
                } else {
                    let pagination = [("start", branch.start()), ("limit", branch.limit)];
                    let pagination = pagination.into_iter();
                    let pagination: Map<_, _> = pagination
                        .filter_map(|(name, number)| Some((name.to_owned(), json!(number?))))
                        .collect();
                    if !pagination.is_empty() {
                        options.insert("pagination".to_owned(), Value::Object(pagination));
                    }
                    if branch.has_totals() {
                        options.insert("withCount".to_owned(), json!(true));
                    }
                }
                let asked = match options.is_empty() {
                    true => json!(true),
                    false => Value::Object(options),
                };
                (branch.relation.name.to_owned(), asked)
            });
            asked.insert("populate".to_owned(), Value::Object(branches.collect()));
        }
        asked
    }

    /// The rows that meet the filters, in order.
    fn rows(&self, entity: Entity, rows: Vec<Row>) -> Vec<Row> {
        let meets = |row: &Row| self.filters.as_ref().is_none_or(|tree| tree.holds(*row));
        let mut rows: Vec<_> = rows.into_iter().filter(meets).collect();
        let default = (whitelist(entity).default_sort, false);
        let (name, descending) = self.sort.unwrap_or(default);
        rows.sort_by(|a, b| {
            // The key ends every order, in the direction of the last sort.
            let ascending = order(&sorted_by(*a, name), &sorted_by(*b, name));
            let ascending = ascending.then(a.id().cmp(&b.id()));
            match descending {
                true => ascending.reverse(),
                false => ascending,
            }
        });
        rows
    }

    fn item(&self, entity: Entity, row: Row, path: &str, told: &mut Map<String, Value>) -> Value {
        let known = whitelist(entity);
        let is_shown = |name: &&&'static str| match &self.fields {
            Some(fields) => fields.contains(name),
            None => known.default_fields.contains(name),
        };
        let mut item = Map::from_iter([("id".to_owned(), json!(row.id()))]);
        for name in known.fields.iter().filter(is_shown) {
            item.insert((*name).to_owned(), cell(row, name));
        }
        // In the order of definition.
        for relation in known.relations {
            let branch = self.populate.iter();
            for branch in branch.filter(|branch| branch.relation.name == relation.name) {
                let shown = branch.shown(row, &format!("{path}{}", relation.name), told);
                item.insert(relation.name.to_owned(), shown);
            }
        }
        Value::Object(item)
    }

    /// What `meta.relations` has for the relations below, before a row is looked at.
    fn tell(&self, path: &str, told: &mut Map<String, Value>) {
        for branch in self.populate.iter().filter(|branch| !branch.count) {
            let name = format!("{path}{}", branch.relation.name);
            branch.asked.tell(&format!("{name}."), told);
            if let Some(limit) = branch.limit() {
                let mut one = json!({ "limit": limit, "truncated": false });
                if let Some(start) = branch.start().filter(|start| *start > 0) {
                    one["start"] = json!(start);
                }
                if branch.has_totals() {
                    one["totals"] = json!({});
                }
                told.insert(name, one);
            }
        }
    }

    fn mentions_hidden(&self) -> bool {
        let mentions = |tree: &Tree| tree.mentions("hidden");
        self.filters.as_ref().is_some_and(mentions)
    }
}

impl Branch {
    fn start(&self) -> Option<usize> {
        self.start.filter(|_| self.relation.limit.is_some())
    }

    fn has_totals(&self) -> bool {
        self.with_count && self.relation.limit.is_some()
    }

    fn limit(&self) -> Option<usize> {
        let own = self.relation.limit?;
        Some(self.limit.map_or(own, |asked| asked.min(own)))
    }

    fn shown(&self, parent: Row, path: &str, told: &mut Map<String, Value>) -> Value {
        let target = self.relation.target;
        let related = parent.related(self.relation.name, self.asked.mentions_hidden());
        let mut rows = self.asked.rows(target, related.clone());
        // In the order of its links, unless another is asked for.
        if self.relation.name == "linked" && self.asked.sort.is_none() {
            let place = |row: &Row| related.iter().position(|known| known == row);
            rows.sort_by_key(place);
        }
        if self.count {
            return json!({ "count": rows.len() });
        }
        if let Some(limit) = self.limit() {
            if self.has_totals() {
                told[path]["totals"][parent.id().to_string()] = json!(rows.len());
            }
            rows.drain(..self.start().unwrap_or_default().min(rows.len()));
            if rows.len() > limit {
                told[path]["truncated"] = json!(true);
            }
            rows.truncate(limit);
        }
        let inside = format!("{path}.");
        let items = rows
            .into_iter()
            .map(|row| self.asked.item(target, row, &inside, told));
        let mut items: Vec<_> = items.collect();
        match self.relation.limit {
            Some(_) => Value::Array(items),
            None => items.pop().unwrap_or_default(),
        }
    }
}

/// The answer to a request for a whole list: its items, and `meta.relations`.
pub(crate) fn answer(entity: Entity, asked: &Shown, words: &[Word]) -> (Vec<Value>, Value) {
    let (rows, column) = match entity {
        Entity::Project => (Row::projects(), "name"),
        Entity::Task => (Row::tasks(asked.mentions_hidden()), "title"),
        Entity::Owner => (Row::owners(), "name"),
        Entity::Label => (Row::labels(), "name"),
    };
    let found = |row: &Row| {
        let text = row.value(column).unwrap_or_default().to_ascii_lowercase();
        let mut words = words.iter();
        words.all(|word| text.contains(&word.text.to_ascii_lowercase()) != word.is_excluded)
    };
    let rows = asked.rows(entity, rows.into_iter().filter(found).collect());
    let mut told = Map::new();
    asked.tell("", &mut told);
    let items = rows
        .into_iter()
        .map(|row| asked.item(entity, row, "", &mut told));
    let items = items.collect();
    let told = match told.is_empty() {
        true => Value::Null,
        false => Value::Object(told),
    };
    (items, told)
}

fn cell(row: Row, name: &str) -> Value {
    match (name.strip_suffix("_count"), name) {
        (Some(relation), _) => json!(row.related(relation, false).len()),
        (None, "done") => row
            .value(name)
            .map_or(Value::Null, |done| json!(done == "true")),
        (None, _) => json!(row.value(name)),
    }
}

/// Numbers before texts, as they never meet.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sorted {
    Number(i64),
    Text(String),
}

fn sorted_by(row: Row, name: &str) -> Option<Sorted> {
    match name.split_once('.') {
        None if name == "id" => Some(Sorted::Number(row.id())),
        None => row.value(name).map(Sorted::Text),
        Some((relation, column)) => {
            let related = row.related(relation, false);
            related.first()?.value(column).map(Sorted::Text)
        }
    }
}

/// Rows without a value come last.
fn order(a: &Option<Sorted>, b: &Option<Sorted>) -> Ordering {
    a.is_none().cmp(&b.is_none()).then_with(|| a.cmp(b))
}
