//! Picks the requested fields and relations that the whitelist has, in the whitelist's order (contract 2.2, 2.3).

use super::Ignored;
use crate::define::Whitelist;
use crate::request::AskedNames;

/// The fields to return, as indexes; `id` is always among them.
pub(super) fn fields(
    whitelist: &Whitelist,
    asked: Option<&AskedNames>,
    ignored: &mut Ignored,
) -> Vec<usize> {
    let fields = &whitelist.fields;
    let mut chosen = choose(
        asked,
        fields.len(),
        |at| fields[at].default,
        |name| fields.iter().position(|field| field.alias == name),
        |name| ignored.field(name),
    );
    if chosen.first() != Some(&0) {
        chosen.insert(0, 0);
    }
    chosen
}

/// The relations to populate, as indexes.
pub(super) fn relations(
    whitelist: &Whitelist,
    asked: Option<&AskedNames>,
    ignored: &mut Ignored,
) -> Vec<usize> {
    let relations = &whitelist.relations;
    choose(
        asked,
        relations.len(),
        |at| relations[at].default,
        |name| relations.iter().position(|relation| relation.name == name),
        |name| ignored.relation(name),
    )
}

fn choose(
    asked: Option<&AskedNames>,
    count: usize,
    default: impl Fn(usize) -> bool,
    find: impl Fn(&str) -> Option<usize>,
    mut ignore: impl FnMut(&str),
) -> Vec<usize> {
    match asked {
        None => (0..count).filter(|at| default(*at)).collect(),
        Some(AskedNames::All) => (0..count).collect(),
        Some(AskedNames::These(names)) => {
            let mut chosen = Vec::with_capacity(names.len().min(count));
            for name in names {
                match find(name) {
                    Some(at) if chosen.contains(&at) => {}
                    Some(at) => chosen.push(at),
                    None => ignore(name),
                }
            }
            // An item's keys come in the order of definition (d38).
            chosen.sort_unstable();
            chosen
        }
    }
}
