//! Decides which events a target receives, checked when the service starts (b1191).

use listing::nearest;

use crate::records::{Event, Operation, Served};

/// The operations that emit events.
const OPERATIONS: [Operation; 5] = [
    Operation::Store,
    Operation::Update,
    Operation::Destroy,
    Operation::ForceDestroy,
    Operation::Restore,
];

/// The events of some lists: all operations or one of each. Empty means every event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Selection(Vec<(String, Option<Operation>)>);

impl Selection {
    /// Parses words such as `articles.store` and `articles.*`. Fails with what is wrong with one of them.
    pub(super) fn of(words: &[String], lists: &[Served]) -> Result<Self, String> {
        let with_events: Vec<_> = lists
            .iter()
            .filter(|list| list.has_events)
            .map(|list| &*list.segment)
            .collect();
        if with_events.is_empty() {
            return Err("no list has events (`WritableResource::events`)".to_owned());
        }
        let all: Vec<_> = lists.iter().map(|list| &*list.segment).collect();
        let chosen = words.iter().map(|word| choose(word, &all, &with_events));
        Ok(Self(chosen.collect::<Result<_, _>>()?))
    }

    pub(super) fn includes(&self, event: &Event) -> bool {
        let is_it = |(list, operation): &(String, Option<Operation>)| {
            *list == event.resource
                && operation.is_none_or(|operation| operation == event.operation)
        };
        self.0.is_empty() || self.0.iter().any(is_it)
    }
}

fn choose(
    word: &str,
    all: &[&str],
    with_events: &[&str],
) -> Result<(String, Option<Operation>), String> {
    let Some((list, operation)) = word.rsplit_once('.') else {
        return Err(format!(
            "`{word}` is not a list and an operation, such as `{}.*`",
            with_events.first().copied().unwrap_or("articles")
        ));
    };
    if !with_events.contains(&list) {
        let problem = match all.contains(&list) {
            true => format!("the list `{list}` has no events"),
            false => format!("there is no list `{list}`"),
        };
        let suggestion = suggestion(list, with_events, "lists with events");
        return Err(format!("{problem}; {suggestion}"));
    }
    let operation = match operation {
        "*" => None,
        name => Some(of_name(name)?),
    };
    Ok((list.to_owned(), operation))
}

fn of_name(name: &str) -> Result<Operation, String> {
    let known = OPERATIONS.iter().find(|known| known.name() == name);
    known.copied().ok_or_else(|| {
        let mut names = OPERATIONS.map(Operation::name).to_vec();
        names.push("*");
        let suggestion = suggestion(name, &names, "operations");
        format!("there is no operation `{name}`; {suggestion}")
    })
}

fn suggestion(name: &str, known: &[&str], what: &str) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("{what}: {}", known.join(", ")),
    }
}
