//! Filters as data, and which rows of the world meet them: what every database has to answer.

use serde_json::{Map, Value, json};

use crate::world::{LABELS, LINKS, OWNERS, PROJECTS, TASKS, json_of};

/// A filter, as a client thinks of it.
#[derive(Debug, Clone)]
pub(crate) enum Tree {
    All(Vec<Tree>),
    Any(Vec<Tree>),
    Not(Box<Tree>),
    Compare(&'static str, &'static str, Vec<&'static str>),
    /// Of a relation, with a quantifier: `$some`, `$none`, `$every` or nothing.
    Related(&'static str, &'static str, Box<Tree>),
    /// `$null` of a relation.
    Absent(&'static str, bool),
    /// The id of a related row: `filters[owner][$in]`.
    ById(&'static str, &'static str, Vec<&'static str>),
    /// How many related rows there are: `filters[tasks][$count][$gte]`.
    Counted(&'static str, &'static str, Vec<&'static str>),
}

impl Tree {
    /// The filter as JSON.
    pub(crate) fn json(&self) -> Value {
        // A dot stands for a step further inside a JSON column.
        let object = |key: &str, value: Value| {
            let steps = key.rsplit('.');
            steps.fold(value, |value, step| {
                Value::Object(Map::from_iter([(step.to_owned(), value)]))
            })
        };
        // A list inside a group means `$and`: some are written so.
        let member = |part: &Self| match part {
            Self::All(parts) if parts.len() == 2 => {
                Value::Array(parts.iter().map(Self::json).collect())
            }
            other => other.json(),
        };
        let list = |parts: &[Self]| parts.iter().map(member).collect::<Vec<_>>();
        match self {
            Self::All(parts) => object("$and", json!(list(parts))),
            Self::Any(parts) => object("$or", json!(list(parts))),
            Self::Not(part) => match &**part {
                // `$not` of a plain value.
                Self::Compare(key, "$eq", values) if !values[0].is_empty() => {
                    object(key, object("$not", json!(values[0])))
                }
                part => object("$not", member(part)),
            },
            Self::ById(key, "$eq", values) => object(key, json!(values[0])),
            Self::Compare(key, operator, values) | Self::ById(key, operator, values) => {
                let value = match *operator {
                    "$in" | "$notIn" | "$between" => json!(values),
                    _ if values.len() > 1 => json!(values),
                    _ => json!(values[0]),
                };
                object(key, object(operator, value))
            }
            Self::Counted(key, operator, values) => {
                let count = Self::Compare("$count", operator, values.clone()).json();
                object(key, count)
            }
            Self::Related(key, "", part) => object(key, part.json()),
            Self::Related(key, quantifier, part) => object(key, object(quantifier, part.json())),
            Self::Absent(key, is_null) => object(key, object("$null", json!(is_null.to_string()))),
        }
    }

    /// Whether the row meets it.
    pub(crate) fn holds(&self, row: Row) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(row)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(row)),
            Self::Not(part) => !part.holds(row),
            Self::Compare(key @ ("tags" | "data.notes"), operator, values) => {
                holds(row.texts(key), operator, values)
            }
            Self::Compare(key, operator, values) => compare(row.value(key), operator, values),
            Self::Related(key, quantifier, part) => {
                let mut rows = row.related(key, part.mentions("hidden")).into_iter();
                match *quantifier {
                    "$none" => !rows.any(|row| part.holds(row)),
                    "$every" => rows.all(|row| part.holds(row)),
                    _ => rows.any(|row| part.holds(row)),
                }
            }
            Self::Absent(key, is_null) => row.related(key, false).is_empty() == *is_null,
            Self::ById(key, operator, values) => {
                let mut rows = row.related(key, false).into_iter();
                rows.any(|row| compare(Some(row.id().to_string()), operator, values))
            }
            Self::Counted(key, operator, values) => {
                let count = row.related(key, false).len();
                compare(Some(count.to_string()), operator, values)
            }
        }
    }

    /// Whether a key is filtered by, not counting what stands inside relations.
    pub(crate) fn mentions(&self, wanted: &str) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(|part| part.mentions(wanted)),
            Self::Not(part) => part.mentions(wanted),
            Self::Compare(key, ..) => *key == wanted,
            Self::Related(..) | Self::Absent(..) | Self::ById(..) | Self::Counted(..) => false,
        }
    }
}

/// A row of the world, by its place in its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
    Project(usize),
    Owner(usize),
    Label(usize),
    Task(usize),
}

impl Row {
    /// The projects that the first tenant can see.
    pub(crate) fn projects() -> Vec<Self> {
        let mine = (0..PROJECTS.len()).filter(|at| PROJECTS[*at].3 == 1);
        mine.map(Self::Project).collect()
    }

    /// The tasks that can be seen, with the hidden ones or without.
    pub(crate) fn tasks(with_hidden: bool) -> Vec<Self> {
        let shown = (0..TASKS.len()).filter(|at| with_hidden || !TASKS[*at].5);
        shown.map(Self::Task).collect()
    }

    pub(crate) fn labels() -> Vec<Self> {
        let mine = (0..LABELS.len()).filter(|at| LABELS[*at].2 == 1);
        mine.map(Self::Label).collect()
    }

    pub(crate) fn owners() -> Vec<Self> {
        let alive = (0..OWNERS.len()).filter(|at| OWNERS[*at].2 == 1 && !OWNERS[*at].3);
        alive.map(Self::Owner).collect()
    }

    pub(crate) fn id(self) -> i64 {
        match self {
            Self::Project(at) => PROJECTS[at].0,
            Self::Owner(at) => OWNERS[at].0,
            Self::Label(at) => LABELS[at].0,
            Self::Task(at) => TASKS[at].0,
        }
    }

    pub(crate) fn value(self, key: &str) -> Option<String> {
        let number = |number: i64| number.to_string();
        match (self, key) {
            (_, "id") => Some(number(self.id())),
            (Self::Project(at), "name" | "named") => Some(PROJECTS[at].1.to_owned()),
            (Self::Project(_), "labels_count") => Some(self.count("labels")),
            (Self::Label(_), "projects_count") => Some(self.count("projects")),
            (Self::Task(_), "parts_count") => Some(self.count("parts")),
            // Of all tasks, also those that nobody sees.
            (Self::Project(at), "latest") => {
                let own = TASKS.iter().filter(|task| task.1 == PROJECTS[at].0);
                own.map(|task| task.0).max().map(number)
            }
            (Self::Project(at), "owner_id") => PROJECTS[at].2.map(number),
            (Self::Project(_), "data.open") => self.json(key)?.as_bool().map(|it| it.to_string()),
            (Self::Project(_), "data.size.beds") => self.json(key)?.as_i64().map(number),
            (Self::Project(_), "data.city") => self.json(key)?.as_str().map(str::to_owned),
            (Self::Owner(at), "name") => Some(OWNERS[at].1.to_owned()),
            (Self::Label(at), "name") => Some(LABELS[at].1.to_owned()),
            (Self::Task(at), "title") => TASKS[at].3.map(str::to_owned),
            (Self::Task(at), "done") => TASKS[at].4.map(|done| done.to_string()),
            (Self::Task(at), "hidden") => Some(TASKS[at].5.to_string()),
            _ => panic!("{self:?} has no {key}"),
        }
    }

    /// What lies at a path inside of `data` or `tags`.
    fn json(self, key: &str) -> Option<Value> {
        let (data, tags) = json_of(self.id());
        let mut steps = key.split('.');
        let column = if steps.next() == Some("data") {
            data
        } else {
            tags
        };
        steps.try_fold(column?, |value, step| value.get(step).cloned())
    }

    /// The texts in an array; none if there is no array.
    fn texts(self, key: &str) -> Option<Vec<String>> {
        let value = self.json(key)?;
        let texts = value.as_array()?.iter().filter_map(Value::as_str);
        Some(texts.map(str::to_owned).collect())
    }

    fn count(self, key: &str) -> String {
        self.related(key, false).len().to_string()
    }

    pub(crate) fn related(self, key: &str, with_hidden: bool) -> Vec<Self> {
        let linked =
            |link: &&(i64, i64, i64, i64, &str, bool)| link.3 == 1 && link.4 == "main" && !link.5;
        let links = || LINKS.iter().filter(linked);
        let own = |rows: Vec<Self>, meets: &dyn Fn(Self) -> bool| -> Vec<Self> {
            rows.into_iter().filter(|row| meets(*row)).collect()
        };
        let id = self.id();
        match (self, key) {
            (Self::Project(at), "owner") => {
                own(Self::owners(), &|row| Some(row.id()) == PROJECTS[at].2)
            }
            (Self::Project(_), "tasks") => own(
                Self::tasks(with_hidden),
                &|row| matches!(row, Self::Task(at) if TASKS[at].1 == id),
            ),
            (Self::Project(_), "labels") => own(Self::labels(), &|row| {
                links().any(|link| link.1 == id && link.2 == row.id())
            }),
            // From the last link to the first.
            (Self::Project(_), "linked") => {
                let mut rows = self.related("labels", with_hidden);
                let last = |row: &Self| {
                    let own = links().filter(|link| link.1 == id && link.2 == row.id());
                    own.map(|link| link.0).max()
                };
                rows.sort_by_key(|row| std::cmp::Reverse(last(row)));
                rows
            }
            (Self::Label(_), "projects") => own(Self::projects(), &|row| {
                links().any(|link| link.2 == id && link.1 == row.id())
            }),
            (Self::Owner(_), "projects") => own(
                Self::projects(),
                &|row| matches!(row, Self::Project(at) if PROJECTS[at].2 == Some(id)),
            ),
            (Self::Task(at), "project") => own(Self::projects(), &|row| row.id() == TASKS[at].1),
            (Self::Task(at), "parent") => own(Self::tasks(with_hidden), &|row| {
                Some(row.id()) == TASKS[at].2
            }),
            (Self::Task(_), "parts") => own(
                Self::tasks(with_hidden),
                &|row| matches!(row, Self::Task(at) if TASKS[at].2 == Some(id)),
            ),
            _ => panic!("{self:?} has no {key}"),
        }
    }
}

fn holds(array: Option<Vec<String>>, operator: &str, asked: &[&str]) -> bool {
    let is_there = array.is_some();
    let array = array.unwrap_or_default();
    let mut asked_of = asked.iter().map(|one| array.iter().any(|text| text == one));
    match operator {
        "$contains" => asked_of.all(|is_in| is_in),
        "$notContains" => !asked_of.all(|is_in| is_in),
        "$in" => asked_of.any(|is_in| is_in),
        "$notIn" => !asked_of.any(|is_in| is_in),
        "$null" => is_there == (asked[0] == "false"),
        "$notNull" => is_there == (asked[0] == "true"),
        _ => panic!("no {operator}"),
    }
}

fn compare(value: Option<String>, operator: &str, asked: &[&str]) -> bool {
    let Some(value) = value else {
        return match operator {
            "$null" => asked[0] == "true",
            "$notNull" => asked[0] == "false",
            "$ne" | "$nei" | "$notIn" | "$notContains" => true,
            _ => false,
        };
    };
    let first = asked.first().copied().unwrap_or_default();
    // Letters outside ASCII are equal to themselves only, everywhere.
    let (lower, asked_lower) = (value.to_ascii_lowercase(), first.to_ascii_lowercase());
    let number = |text: &str| text.parse::<i64>().unwrap_or_default();
    match operator {
        "$eq" => value == first,
        "$ne" => value != first,
        "$lt" => number(&value) < number(first),
        "$gte" => number(&value) >= number(first),
        "$in" => asked.contains(&value.as_str()),
        "$notIn" => !asked.contains(&value.as_str()),
        "$between" => (number(first)..=number(asked[1])).contains(&number(&value)),
        "$null" => first == "false",
        "$notNull" => first == "true",
        "$contains" => lower.contains(&asked_lower),
        "$notContains" => !lower.contains(&asked_lower),
        "$startsWith" => value.starts_with(first),
        "$endsWith" => value.ends_with(first),
        "$startsWithi" => lower.starts_with(&asked_lower),
        "$endsWithi" => lower.ends_with(&asked_lower),
        "$eqi" => lower == asked_lower,
        "$nei" => lower != asked_lower,
        _ => panic!("no {operator}"),
    }
}
