//! Reads `populate` into a tree of relations, from a list of paths or from an object with options (d78, d80, d85).

use super::budget::Budget;
use super::error::RequestError;
use super::names::{entries, first_of_each, list, names};
use super::node::{Map, Node, is_index};
use super::pagination::{as_boolean, boolean, number};
use super::place::Place;
use super::quote::Quote;
use super::{AskedPopulate, AskedRelation, filters, sort};

/// The keys that are allowed under a relation.
pub(super) const KEYS: &[&str] = &[
    "fields",
    "filters",
    "sort",
    "pagination",
    "populate",
    "count",
    "withCount",
];

/// The relations of one level, the first of which is 1; `None` if nothing is given.
pub(super) fn populate(
    node: Node<'_>,
    place: &Place<'_>,
    level: usize,
    budget: &mut Budget<'_>,
) -> Result<Option<AskedPopulate>, RequestError> {
    let asked = match node {
        Node::Map(entries) if entries.iter().any(|(name, _)| !is_index(name)) => {
            if entries.iter().any(|(name, _)| is_index(name)) {
                return Err(RequestError::ListAndObject {
                    parameter: place.quote(),
                });
            }
            object(entries, place, level, budget)?
        }
        node => paths(node, place, level, budget)?,
    };
    if asked.is_some() {
        budget.levels(level, place)?;
    }
    Ok(asked)
}

/// `author,comments.article,*`
fn paths(
    node: Node<'_>,
    place: &Place<'_>,
    level: usize,
    budget: &mut Budget<'_>,
) -> Result<Option<AskedPopulate>, RequestError> {
    let texts = list(node, place, budget)?;
    let mut paths: Vec<&str> = entries(&texts).collect();
    if paths.is_empty() {
        return Ok(None);
    }
    first_of_each(&mut paths, |path| path);
    paths.iter().try_for_each(|path| check_path(path, place))?;
    budget.relations(paths.len())?;
    let mut asked = AskedPopulate {
        relations: Vec::with_capacity(paths.len()),
        ..AskedPopulate::default()
    };
    // Plain names are all different; only those with a dot have to be searched for.
    for path in paths.iter().filter(|path| !path.contains('.')) {
        match *path {
            "*" => asked.all = true,
            name => asked.relations.push(AskedRelation {
                name: name.into(),
                ..AskedRelation::default()
            }),
        }
    }
    for path in paths.iter().filter(|path| path.contains('.')) {
        budget.levels(level + dots(path), place)?;
        insert(&mut asked, path, AskedRelation::default(), place)?;
    }
    Ok(Some(asked))
}

/// `{"author": true, "comments": {..}}`
fn object(
    entries: Map<'_>,
    place: &Place<'_>,
    level: usize,
    budget: &mut Budget<'_>,
) -> Result<Option<AskedPopulate>, RequestError> {
    // Checked before anything is entered, so that levels that are too deep are not read.
    budget.levels(level, place)?;
    let mut asked: Option<AskedPopulate> = None;
    let mut left_out = Vec::new();
    for (name, node) in entries {
        let place = place.at(&name);
        check_path(&name, &place)?;
        budget.relations(1)?;
        let level = level + dots(&name);
        budget.levels(level, &place)?;
        match relation(node, &place, level, budget)? {
            Wish::Nothing => {}
            Wish::Out => left_out.push(name),
            Wish::In(relation) => {
                insert(asked.get_or_insert_default(), &name, *relation, &place)?;
            }
        }
    }
    // Last, so that the order in which they are sent does not matter.
    for path in &left_out {
        leave_out(asked.get_or_insert_default(), path);
    }
    Ok(asked)
}

/// The options of a relation.
enum Wish {
    Nothing,
    Out,
    In(Box<AskedRelation>),
}

fn relation(
    node: Node<'_>,
    place: &Place<'_>,
    level: usize,
    budget: &mut Budget<'_>,
) -> Result<Wish, RequestError> {
    let mut asked = Box::new(AskedRelation::default());
    match node {
        Node::Null => return Ok(Wish::Nothing),
        Node::Text(text) if text == "*" => {
            budget.levels(level + 1, place)?;
            asked.populate = Some(AskedPopulate {
                all: true,
                ..AskedPopulate::default()
            });
        }
        Node::Map(options) => self::options(&mut asked, options, place, level, budget)?,
        node => {
            let text = node.into_one(place)?;
            match as_boolean(&text) {
                Some(true) => {}
                Some(false) => return Ok(Wish::Out),
                None => {
                    return Err(RequestError::BadPopulate {
                        parameter: place.quote(),
                        token: Quote::new(&text),
                    });
                }
            }
        }
    }
    Ok(Wish::In(asked))
}

fn options(
    asked: &mut AskedRelation,
    options: Map<'_>,
    place: &Place<'_>,
    level: usize,
    budget: &mut Budget<'_>,
) -> Result<(), RequestError> {
    for (key, node) in options {
        let place = place.at(&key);
        match &*key {
            "fields" => asked.fields = names(node, &place, budget)?,
            "filters" => asked.filters = filters::filters(node, &place, budget)?,
            "sort" => asked.sort = sort::sort(node, &place, budget)?,
            "pagination" => (asked.start, asked.limit) = page(node, &place)?,
            "populate" => asked.populate = populate(node, &place, level + 1, budget)?,
            "count" => asked.count = boolean(node, &place)?,
            "withCount" => asked.with_count = boolean(node, &place)?,
            _ => {
                return Err(RequestError::UnknownPopulateKey {
                    parameter: place.quote(),
                    token: Quote::new(&key),
                });
            }
        }
    }
    check_count(asked, place)
}

/// A number has neither fields nor an order nor pages: what would have no effect is an error (d147).
fn check_count(asked: &AskedRelation, place: &Place<'_>) -> Result<(), RequestError> {
    let beside = [
        ("fields", asked.fields.is_some()),
        ("sort", asked.sort.is_some()),
        ("pagination", asked.start.or(asked.limit).is_some()),
        ("populate", asked.populate.is_some()),
        ("withCount", asked.with_count),
    ];
    let beside = beside.into_iter().find(|(_, is_sent)| *is_sent);
    match beside {
        Some((option, _)) if asked.count => Err(RequestError::PopulateCountOptions {
            parameter: place.at(option).quote(),
            token: Quote::new(option),
        }),
        _ => Ok(()),
    }
}

/// `pagination[start]` and `pagination[limit]`, which is all that related rows have of pages (d80, d147).
fn page(node: Node<'_>, place: &Place<'_>) -> Result<(Option<u64>, Option<u64>), RequestError> {
    let (mut start, mut limit) = (None, None);
    for (key, node) in node.into_map(place)? {
        let place = place.at(&key);
        match &*key {
            "start" => start = Some(number(node, &place, 0)?),
            "limit" => limit = Some(number(node, &place, 1)?),
            _ => {
                return Err(RequestError::PopulatePage {
                    parameter: place.quote(),
                    token: Quote::new(&key),
                });
            }
        }
    }
    Ok((start, limit))
}

/// How many levels further down than its first relation a path ends.
fn dots(path: &str) -> usize {
    path.bytes().filter(|byte| *byte == b'.').count()
}

/// A path is names with dots between them, the last of which can be `*`.
fn check_path(path: &str, place: &Place<'_>) -> Result<(), RequestError> {
    // Most are a name.
    if !path.contains('.') {
        return Ok(());
    }
    let mut before_last = path.rsplit('.').skip(1);
    let is_wrong = path.split('.').any(str::is_empty) || before_last.any(|name| name == "*");
    if !is_wrong {
        return Ok(());
    }
    let names: Vec<_> = path.split('.').filter(|name| !name.is_empty()).collect();
    let end = names.iter().position(|name| *name == "*");
    let meant = match &names[..end.map_or(names.len(), |end| end + 1)] {
        [] => "*".to_owned(),
        names => names.join("."),
    };
    Err(RequestError::BadPopulatePath {
        parameter: place.quote(),
        token: Quote::new(path),
        meant: Quote::new(&meant),
    })
}

/// Puts a relation where its path says; `*` at the end of one is every relation there.
fn insert(
    mut asked: &mut AskedPopulate,
    path: &str,
    relation: AskedRelation,
    place: &Place<'_>,
) -> Result<(), RequestError> {
    let mut names = path.split('.').peekable();
    while let Some(name) = names.next() {
        let is_last = names.peek().is_none();
        if is_last && name == "*" {
            if relation != AskedRelation::default() {
                return Err(RequestError::PopulateAllOptions {
                    parameter: place.quote(),
                });
            }
            asked.all = true;
            return Ok(());
        }
        let at = asked.relations.iter().position(|known| known.name == name);
        let at = at.unwrap_or_else(|| {
            asked.relations.push(AskedRelation {
                name: name.into(),
                ..AskedRelation::default()
            });
            asked.relations.len() - 1
        });
        let known = &mut asked.relations[at];
        if is_last {
            return merge(known, relation, place);
        }
        known.populate.get_or_insert_default();
        check_count(known, place)?;
        asked = known.populate.get_or_insert_default();
    }
    Ok(())
}

/// Leaves out what a path leads to, if the relations before it are requested; `*` at its end means every relation that is not
/// requested by name (b549). If they are not requested, the rest of the path is kept, so that a wrong name is reported.
fn leave_out(mut asked: &mut AskedPopulate, path: &str) {
    let mut name = path;
    while let Some((relation, rest)) = name.split_once('.') {
        let mut known = asked.relations.iter_mut();
        let Some(known) = known.find(|known| known.name == relation) else {
            return asked.left_out.push(name.into());
        };
        asked = known.populate.get_or_insert_default();
        name = rest;
    }
    match name {
        "*" => asked.all = false,
        name => asked.left_out.push(name.into()),
    }
}

/// One relation can be named twice, by its name and by a path through it; no option can.
fn merge(
    into: &mut AskedRelation,
    from: AskedRelation,
    place: &Place<'_>,
) -> Result<(), RequestError> {
    let twice = || RequestError::DuplicateKey {
        parameter: place.quote(),
    };
    let no_filter = AskedRelation::default().filters;
    let both = (into.fields.is_some() && from.fields.is_some())
        || (into.sort.is_some() && from.sort.is_some())
        || (into.start.is_some() && from.start.is_some())
        || (into.limit.is_some() && from.limit.is_some())
        || (into.filters != no_filter && from.filters != no_filter);
    if both {
        return Err(twice());
    }
    into.fields = into.fields.take().or(from.fields);
    into.sort = into.sort.take().or(from.sort);
    into.start = into.start.or(from.start);
    into.limit = into.limit.or(from.limit);
    into.count |= from.count;
    into.with_count |= from.with_count;
    if from.filters != no_filter {
        into.filters = from.filters;
    }
    match (&mut into.populate, from.populate) {
        (None, populate) => into.populate = populate,
        (Some(_), None) => {}
        (Some(into), Some(from)) => {
            into.all |= from.all;
            into.left_out.extend(from.left_out);
            for relation in from.relations {
                let known = into.relations.iter_mut();
                match known.into_iter().find(|known| known.name == relation.name) {
                    Some(known) => merge(known, relation, place)?,
                    None => into.relations.push(relation),
                }
            }
        }
    }
    check_count(into, place)
}
