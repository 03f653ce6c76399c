//! The linked rows that a client sends with a record (d125).

use serde_json::{Map, Value};

use super::wording::message;

/// How many rows one payload can name of one relation.
const MOST: usize = 1000;

/// The rows of a to-many relation that a record is to be linked with: `[1, 2]` or `{"set": [1, 2]}` takes the place of all
/// links, `{"connect": [3], "disconnect": [1]}` changes some. A field of a payload that has the name of the relation.
///
/// ```
/// # mod article { pub use blog::entity::article::*; }
/// use garde::Validate;
/// use listing_axum::{Given, Links, Payload};
///
/// #[derive(Debug, Payload, Validate)]
/// #[payload(active_model = article::ActiveModel)]
/// struct ArticlePayload {
///     #[garde(length(chars, min = 1, max = 255))]
///     title: String,
///     #[garde(skip)]
///     tags: Given<Links>, // left out, the links stay as they are
/// }
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Links {
    /// Whether links to other rows than these end.
    pub(super) replace: bool,
    pub(super) connect: Vec<Link>,
    pub(super) disconnect: Vec<Link>,
}

/// One row that a client names.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Link {
    /// Its `id`, as it was sent.
    pub(super) id: Value,
    /// Its place in the payload: `tags.connect.1`.
    pub(super) place: String,
}

/// The error and its position.
pub(super) type Wrong = (String, String);

impl Links {
    /// Whether nothing is to be changed.
    pub(super) fn is_empty(&self) -> bool {
        !self.replace && self.connect.is_empty() && self.disconnect.is_empty()
    }

    /// Parses the value of a member.
    pub(super) fn read(name: &str, sent: &Value) -> Result<Self, Vec<Wrong>> {
        let links = match sent {
            Value::Array(_) => Self {
                replace: true,
                connect: listed(name, sent)?,
                disconnect: Vec::new(),
            },
            Value::Object(members) => Self::of_members(name, members)?,
            _ => return Err(vec![expected(name)]),
        };
        if links.connect.len() + links.disconnect.len() > MOST {
            let words = format!("must have at most {MOST} ids");
            return Err(vec![(name.to_owned(), message(name, &words))]);
        }
        Ok(links)
    }

    fn of_members(name: &str, members: &Map<String, Value>) -> Result<Self, Vec<Wrong>> {
        let is_known = |key: &String| matches!(&**key, "set" | "connect" | "disconnect");
        if members.is_empty() || !members.keys().all(is_known) {
            return Err(vec![expected(name)]);
        }
        let part = |key: &str| match members.get(key) {
            Some(sent) => listed(&format!("{name}.{key}"), sent),
            None => Ok(Vec::new()),
        };
        if !members.contains_key("set") {
            return Ok(Self {
                replace: false,
                connect: part("connect")?,
                disconnect: part("disconnect")?,
            });
        }
        if members.len() > 1 {
            // One of them would be lost.
            let words = "must have `set`, or `connect` and `disconnect`, and not both";
            return Err(vec![(name.to_owned(), message(name, words))]);
        }
        Ok(Self {
            replace: true,
            connect: part("set")?,
            disconnect: Vec::new(),
        })
    }
}

fn expected(name: &str) -> Wrong {
    let words =
        "must be an array of ids, or an object with `set`, or with `connect` and `disconnect`";
    (name.to_owned(), message(name, words))
}

/// The rows of an array.
fn listed(name: &str, sent: &Value) -> Result<Vec<Link>, Vec<Wrong>> {
    let Value::Array(items) = sent else {
        return Err(vec![(
            name.to_owned(),
            message(name, "must be an array of ids"),
        )]);
    };
    let (mut links, mut wrong) = (Vec::new(), Vec::new());
    for (at, item) in items.iter().enumerate() {
        let place = format!("{name}.{at}");
        match id_in(item) {
            Ok(id) => links.push(Link { id, place }),
            Err(words) => wrong.push((place.clone(), message(&place, words))),
        }
    }
    if wrong.is_empty() {
        Ok(links)
    } else {
        Err(wrong)
    }
}

/// `3`, `"a"` or `{"id": 3}`.
fn id_in(item: &Value) -> Result<Value, &'static str> {
    match item {
        Value::Number(_) | Value::String(_) => Ok(item.clone()),
        Value::Object(members) if members.contains_key("position") => {
            Err("must not have a position, because the relation has no order")
        }
        Value::Object(members) if members.len() == 1 => match members.get("id") {
            Some(id @ (Value::Number(_) | Value::String(_))) => Ok(id.clone()),
            _ => Err("must be an id"),
        },
        _ => Err("must be an id"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Links;

    /// Rule d125.
    #[test]
    fn links_are_an_array_or_say_what_to_do() {
        for (sent, replace, connect, disconnect) in [
            (json!([1, "a", {"id": 2}]), true, 3, 0),
            (json!([]), true, 0, 0),
            (json!({"set": [1]}), true, 1, 0),
            (json!({"connect": [1, 2]}), false, 2, 0),
            (json!({"disconnect": [1]}), false, 0, 1),
            (json!({"connect": [1], "disconnect": [2]}), false, 1, 1),
        ] {
            let links = Links::read("tags", &sent).unwrap();
            assert_eq!(links.replace, replace, "{sent}");
            assert_eq!(links.connect.len(), connect, "{sent}");
            assert_eq!(links.disconnect.len(), disconnect, "{sent}");
        }
        for (sent, places) in [
            (json!(null), &["tags"][..]),
            (json!(7), &["tags"]),
            (json!({}), &["tags"]),
            (json!({"add": [1]}), &["tags"]),
            (json!({"set": [1], "connect": [2]}), &["tags"]),
            (json!({"set": 1}), &["tags.set"]),
            (json!([1, null, true]), &["tags.1", "tags.2"]),
            (
                json!({"connect": [{"id": 1, "position": {"start": true}}]}),
                &["tags.connect.0"],
            ),
            (json!([{"name": "x"}]), &["tags.0"]),
            (json!(vec![1; 1001]), &["tags"]),
        ] {
            let wrong = Links::read("tags", &sent).unwrap_err();
            let found: Vec<_> = wrong.iter().map(|(place, _)| place.as_str()).collect();
            assert_eq!(found, places, "{sent}");
        }
    }
}
