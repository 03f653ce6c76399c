//! Which of the fields and relations that were asked for the whitelist has, in its order (contract 2.2, 2.3).

use super::{CheckError, Ignored};
use crate::define::Whitelist;
use crate::request::{AskedFilter, AskedNames, AskedPopulate, AskedRelation};

/// The fields to return, as indexes; `id` is always among them.
pub(super) fn fields(
    whitelist: &Whitelist,
    asked: Option<&AskedNames>,
    ignored: &mut Ignored,
) -> Vec<usize> {
    let fields = &whitelist.fields;
    let mut chosen = match asked {
        None => (0..fields.len()).filter(|at| fields[*at].default).collect(),
        Some(AskedNames { all, names }) => {
            let known = |name: &str| fields.iter().position(|field| field.alias == name);
            let names = names.iter().map(|name| name.as_str());
            choose(*all, names, fields.len(), known, |name| ignored.field(name))
        }
    };
    if chosen.first() != Some(&0) {
        chosen.insert(0, 0);
    }
    chosen
}

/// The relations to populate, as indexes.
pub(super) fn relations(
    whitelist: &Whitelist,
    asked: Option<&AskedPopulate>,
    ignored: &mut Ignored,
) -> Result<Vec<usize>, CheckError> {
    let relations = &whitelist.relations;
    let Some(asked) = asked else {
        return Ok((0..relations.len())
            .filter(|at| relations[*at].default)
            .collect());
    };
    let plain = |relation: &&AskedRelation| {
        **relation
            != AskedRelation {
                name: relation.name.clone(),
                filters: AskedFilter::default(),
                ..AskedRelation::default()
            }
    };
    if let Some(relation) = asked.relations.iter().find(plain) {
        return Err(CheckError::nested_populate(&relation.name));
    }
    let known = |name: &str| relations.iter().position(|relation| relation.name == name);
    let names = asked
        .relations
        .iter()
        .map(|relation| relation.name.as_str());
    let mut chosen = choose(asked.all, names, relations.len(), known, |name| {
        ignored.relation(name);
    });
    for name in &asked.left_out {
        match known(name) {
            Some(out) => chosen.retain(|at| *at != out),
            None => ignored.relation(name),
        }
    }
    Ok(chosen)
}

/// Those that are known, in the order of definition (d38).
fn choose<'n>(
    all: bool,
    names: impl ExactSizeIterator<Item = &'n str>,
    count: usize,
    find: impl Fn(&str) -> Option<usize>,
    mut ignore: impl FnMut(&str),
) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(match all {
        true => count,
        false => names.len().min(count),
    });
    for name in names {
        match find(name) {
            Some(at) if chosen.contains(&at) => {}
            Some(at) => chosen.push(at),
            None => ignore(name),
        }
    }
    if all {
        chosen.clear();
        chosen.extend(0..count);
    }
    chosen.sort_unstable();
    chosen
}
