//! Decides what each parameter of a list request means, once for query strings and JSON bodies.

use super::budget::Budget;
use super::error::RequestError;
use super::names::names;
use super::node::{Map, Node};
use super::place::Place;
use super::{Request, filters, pagination, parameters, populate, sort};

/// Reads the parameters of a list request.
pub(super) fn request(tree: Map<'_>, budget: &mut Budget<'_>) -> Result<Request, RequestError> {
    let mut request = Request::default();
    for (name, node) in tree {
        let place = Place::top(&name);
        match &*name {
            "fields" => request.fields = names(node, &place, budget)?,
            "populate" => request.populate = populate::populate(node, &place, 1, budget)?,
            "filters" => request.filters = filters::filters(node, &place, budget)?,
            "sort" => request.sort = sort::sort(node, &place, budget)?,
            "pagination" => {
                let asked = pagination::pagination(node, &place)?;
                request.page = asked.page;
                request.cursor = asked.cursor;
                request.with_count = asked.with_count;
            }
            "search" | "_q" => {
                let text = one(node, &place)?;
                if text.is_some() && request.search.is_some() {
                    return Err(RequestError::SearchTwice {});
                }
                request.search = request.search.or(text);
            }
            "trashed" => request.trashed = one(node, &place)?,
            _ => request.unknown.extend(parameters::unknown(&name, &node)?),
        }
    }
    Ok(request)
}

/// One text; `None` where it is empty.
fn one(node: Node<'_>, place: &Place<'_>) -> Result<Option<String>, RequestError> {
    match node {
        Node::Null => Ok(None),
        node => {
            let text = node.into_one(place)?;
            Ok((!text.is_empty()).then(|| text.into_owned()))
        }
    }
}
