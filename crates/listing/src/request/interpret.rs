//! Decides what each parameter of a list request means, once for query strings and JSON bodies.

use super::budget::Budget;
use super::error::RequestError;
use super::names::names;
use super::node::{Map, Node};
use super::place::Place;
use super::quote::Quote;
use super::{
    AskedFacets, AskedSearch, Request, export, filters, groups, numbers, pagination, parameters,
    populate, sort,
};
use crate::vocabulary::offset_minutes;

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
                request.exact_count = asked.exact_count;
            }
            "search" => search(&mut request, "search", node)?,
            "_q" => search(&mut request, "_q", node)?,
            "timezone" => request.timezone = timezone(node, &place)?,
            "facets" => {
                let asked = numbers::facets(node, &place, budget)?;
                if asked != AskedFacets::default() {
                    request.numbers.get_or_insert_default().facets = asked;
                }
            }
            "totals" => {
                let asked = numbers::totals(node, &place, budget)?;
                if !asked.is_empty() {
                    request.numbers.get_or_insert_default().totals = asked;
                }
            }
            "by" if budget.groups => {
                request.groups.get_or_insert_default().by = groups::by(node, &place, budget)?;
            }
            "having" if budget.groups => {
                let having = groups::having(node, &place, budget)?;
                request.groups.get_or_insert_default().having = having;
            }
            name if budget.exports && parameters::OF_EXPORTS.contains(&name) => {
                let export = request.export.get_or_insert_default();
                export::parameter(name, node, &place, export)?;
            }
            "trashed" => request.trashed = one(node, &place)?,
            _ => request.unknown.extend(parameters::unknown(&name, &node)?),
        }
    }
    Ok(request)
}

/// The search, under one of its two names (d87).
fn search(
    request: &mut Request,
    parameter: &'static str,
    node: Node<'_>,
) -> Result<(), RequestError> {
    let Some(text) = one(node, &Place::top(parameter))? else {
        return Ok(());
    };
    match request.search.replace(AskedSearch { parameter, text }) {
        Some(_) => Err(RequestError::SearchTwice {}),
        None => Ok(()),
    }
}

/// How far the client's time zone is ahead of UTC (d150).
fn timezone(node: Node<'_>, place: &Place<'_>) -> Result<Option<i32>, RequestError> {
    let Some(text) = one(node, place)? else {
        return Ok(None);
    };
    let minutes = match text.as_str() {
        "Z" | "z" | "UTC" => Some(0),
        offset => offset_minutes(offset),
    };
    let wrong = || RequestError::BadTimezone {
        token: Quote::new(&text),
    };
    minutes.map(Some).ok_or_else(wrong)
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
