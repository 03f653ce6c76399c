//! Selects the requested fields and relations that exist, in the order of definition (contract 2.2, 2.3, d38).

use super::ignored::{Path, Unknown, What};
use crate::define::{Whitelist, WhitelistRelation};
use crate::request::{AskedNames, AskedPopulate, AskedRelation};

/// The fields to return, as indexes. `id` is always included if rows have one.
pub(super) fn fields(
    whitelist: &Whitelist,
    asked: Option<&AskedNames>,
    around: Path<'_>,
    unknown: &mut Unknown,
) -> Vec<usize> {
    let fields = &whitelist.fields;
    let Some(asked) = asked else {
        // A single allocation: `collect` would not know the size.
        let mut defaults = Vec::with_capacity(fields.len());
        defaults.extend((0..fields.len()).filter(|at| fields[*at].default));
        return defaults;
    };
    let chosen = choose(
        asked,
        fields.len(),
        |name| fields.iter().position(|field| field.alias == name),
        |name| unknown.add(What::Field, around, name, whitelist.field_names()),
    );
    if whitelist.key.is_empty() {
        // Such rows do not have an `id` that could be shown alone.
        return match chosen.is_empty() {
            true => self::fields(whitelist, None, around, unknown),
            false => chosen,
        };
    }
    with_id(chosen)
}

/// The same for columns that were listed in place (`.only([..])`): 0 is `id`, the others begin at 1.
pub(super) fn columns(
    only: &[(usize, String)],
    key: &[usize],
    asked: &AskedNames,
    around: Path<'_>,
    unknown: &mut Unknown,
) -> Vec<usize> {
    // The key is shown as `id`, and not a second time.
    let only = || only.iter().filter(|(column, _)| key != [*column]);
    let names = || std::iter::once("id").chain(only().map(|(_, name)| name.as_str()));
    let chosen = choose(
        asked,
        names().count(),
        |name| names().position(|known| known == name),
        |name| unknown.add(What::Field, around, name, names()),
    );
    with_id(chosen)
}

fn with_id(mut chosen: Vec<usize>) -> Vec<usize> {
    if chosen.first() != Some(&0) {
        chosen.insert(0, 0);
    }
    chosen
}

/// The known ones, in the order of definition.
fn choose(
    asked: &AskedNames,
    count: usize,
    find: impl Fn(&str) -> Option<usize>,
    mut ignore: impl FnMut(&str),
) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(asked.names.len().min(count) + 1);
    for name in &asked.names {
        match find(name) {
            Some(at) if chosen.contains(&at) => {}
            Some(at) => chosen.push(at),
            None => ignore(name),
        }
    }
    if asked.all {
        chosen.clear();
        chosen.extend(0..count);
    }
    chosen.sort_unstable();
    chosen
}

/// A selected relation with its options.
pub(super) type Chosen<'w, 'r> = (&'w WhitelistRelation, Option<&'r AskedRelation>);

/// The relations to populate. Default relations are included if the client names none, but only at the top level (d42).
pub(super) fn relations<'w, 'r>(
    whitelist: &'w Whitelist,
    asked: Option<&'r AskedPopulate>,
    around: Path<'_>,
    unknown: &mut Unknown,
) -> Vec<Chosen<'w, 'r>> {
    let relations = &whitelist.relations;
    let Some(asked) = asked else {
        let defaults = relations.iter().filter(|relation| relation.default);
        return defaults.map(|relation| (relation, None)).collect();
    };
    let find = |name: &str| relations.iter().position(|relation| relation.name == name);
    let mut ignore = |name: &str| {
        unknown.add(What::Relation, around, name, whitelist.relation_names());
    };
    let mut chosen = Vec::with_capacity(asked.relations.len().min(relations.len()));
    for relation in &asked.relations {
        match find(&relation.name) {
            Some(at) => chosen.push((at, Some(relation))),
            None => ignore(&relation.name),
        }
    }
    if asked.all {
        for at in 0..relations.len() {
            if chosen.iter().all(|(known, _)| *known != at) {
                chosen.push((at, None));
            }
        }
    }
    for path in &asked.left_out {
        let (name, rest) = path.split_once('.').unwrap_or((path, ""));
        match find(name) {
            Some(out) if rest.is_empty() => chosen.retain(|(at, _)| *at != out),
            // The relation is not populated, so none of its own relations is either.
            Some(_) => {}
            None => ignore(path),
        }
    }
    chosen.sort_unstable_by_key(|(at, _)| *at);
    let chosen = chosen.into_iter();
    chosen.map(|(at, asked)| (&relations[at], asked)).collect()
}

/// Records a relation that was requested on related rows without relations.
pub(super) fn unknown_relation(name: &str, around: Path<'_>, unknown: &mut Unknown) {
    unknown.add(What::Relation, around, name, std::iter::empty());
}
