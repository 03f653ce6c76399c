//! Checks a request for all rows of a list as a file: the list's own checks, and what a file cannot have (d110 to d113).

use super::visible::the_one;
use super::{CheckError, Checked, CheckedRelation, Page, Shown, against};
use crate::define::{Context, FieldSource, LabelResolver, Listings, Whitelist};
use crate::request::{AskedExport, AskedNames, AskedPage, AskedPopulate, AskedRelation, Request};
use crate::vocabulary::{Complaint, CountMode, Format};

/// What a file has in addition to the rows of a list.
pub(crate) struct CheckedExport<'w> {
    pub(crate) asked: AskedExport,
    /// The most rows, if more may match: such a request is refused.
    pub(crate) most: Option<u64>,
    /// The fields whose values are followed by their labels: the name of the field and of its filter, and the resolver.
    pub(crate) labels: Vec<(&'w str, &'w str, &'w LabelResolver)>,
}

/// Holds a request for a file against a whitelist. There is no second set of permissions: everything is checked as for the
/// list, and then in the order in which the client asked for it.
pub(crate) fn export<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    request: &Request,
    context: &'w Context,
    format: Format,
) -> Result<(Checked<'w>, CheckedExport<'w>), CheckError> {
    let Some(max_rows) = whitelist.export_rows(listings.settings()) else {
        return Err(CheckError::no_export());
    };
    let limit = limit(request)?;
    if request.numbers.is_some() {
        let totals = request.numbers.as_deref();
        let facets = totals.is_some_and(|asked| asked.totals.is_empty());
        let parameter = if facets { "facets" } else { "totals" };
        return Err(CheckError::not_in_exports(parameter));
    }
    let of_list = Request {
        page: AskedPage::default(),
        with_count: Some(false),
        ..request.clone()
    };
    let mut checked = against(listings, whitelist, &of_list, context)?;
    let limit = limit.filter(|limit| *limit <= max_rows);
    checked.page = Page::Offset {
        start: 0,
        limit: limit.unwrap_or(max_rows),
    };
    // The rows are counted apart, and only up to the limit.
    checked.count = CountMode::Exact;
    if let Some(names) = &request.fields {
        in_order(&mut checked.fields, names, |at| &whitelist.fields[at].alias);
    }
    let populate = request.populate.as_ref();
    checked.relations = relations(listings, checked.relations, populate, format)?;
    let asked = request.export.unwrap_or_default();
    let labels = match asked.labels {
        true => labels(whitelist, &checked.fields),
        false => Vec::new(),
    };
    let most = limit.is_none().then_some(max_rows);
    Ok((
        checked,
        CheckedExport {
            asked,
            most,
            labels,
        },
    ))
}

/// `pagination[limit]`, the only part of `pagination` that a file has.
fn limit(request: &Request) -> Result<Option<u64>, CheckError> {
    let refused = |key: &str| Err(CheckError::not_in_exports(&format!("pagination[{key}]")));
    if request.cursor.is_some() {
        return refused("cursor");
    }
    if request.exact_count {
        return refused("count");
    }
    if request.with_count.is_some() {
        return refused("withCount");
    }
    match request.page {
        AskedPage::Page { page: Some(_), .. } => refused("page"),
        AskedPage::Page { size: Some(_), .. } => refused("pageSize"),
        AskedPage::Offset { start: Some(_), .. } => refused("start"),
        AskedPage::Offset { limit, .. } => Ok(limit),
        AskedPage::Page { .. } => Ok(None),
    }
}

/// Puts what was asked for by name into the order of these names; `id`, which comes without being asked for, stays first.
fn in_order<'w>(chosen: &mut [usize], asked: &AskedNames, name: impl Fn(usize) -> &'w str) {
    if asked.all {
        return;
    }
    let place = |at: usize| asked.names.iter().position(|asked| asked == name(at));
    // None is less than any place.
    chosen.sort_by_key(|at| place(*at));
}

/// The relations of a file, in the order in which they were asked for. A relation to many rows is in it only as a count: one
/// that comes by default is left out, and one that was asked for is refused.
fn relations<'w>(
    listings: &'w Listings,
    checked: Vec<CheckedRelation<'w>>,
    asked: Option<&AskedPopulate>,
    format: Format,
) -> Result<Vec<CheckedRelation<'w>>, CheckError> {
    let mut relations = Vec::with_capacity(checked.len());
    for mut relation in checked {
        let name = relation.relation.name.as_str();
        let asked = asked.and_then(|asked| {
            let mut relations = asked.relations.iter();
            relations.find(|relation| relation.name == name)
        });
        if relation.relation.meta.to_many && !relation.count {
            match asked {
                Some(_) => return Err(CheckError::many_in_export(name, format)),
                None => continue,
            }
        }
        order_related(listings, &mut relation, asked);
        if !relation.count {
            let the_one = the_one(relation.relation, &relation.visible);
            relation.visible = relation.visible.and(the_one);
        }
        let further = std::mem::take(&mut relation.relations);
        let below = asked.and_then(|asked| asked.populate.as_ref());
        if let Some(count) = further.iter().find(|further| further.count) {
            return Err(CheckError::many_in_export(&count.relation.name, format));
        }
        relation.relations = self::relations(listings, further, below, format)?;
        relations.push(relation);
    }
    if let Some(asked) = asked.filter(|asked| !asked.all) {
        relations.sort_by_key(|relation| {
            let is_it = |asked: &AskedRelation| asked.name == relation.relation.name;
            asked.relations.iter().position(is_it)
        });
    }
    Ok(relations)
}

/// Puts the related fields that were asked for by name into the order of these names.
fn order_related(
    listings: &Listings,
    relation: &mut CheckedRelation<'_>,
    asked: Option<&AskedRelation>,
) {
    let Some(names) = asked.and_then(|asked| asked.fields.as_ref()) else {
        return;
    };
    let target = &relation.relation.target;
    let listing = target.listing.map(|listing| listings.get(listing));
    if let (Shown::Fields(fields), Some(listing)) = (&mut relation.shown, listing) {
        in_order(fields, names, |at| &listing.fields[at].alias);
    }
}

/// The shown fields that have labels: those whose column has a filter that labels its values.
fn labels<'w>(
    whitelist: &'w Whitelist,
    fields: &[usize],
) -> Vec<(&'w str, &'w str, &'w LabelResolver)> {
    let of = |at: &usize| {
        let field = &whitelist.fields[*at];
        let FieldSource::Column(column) = field.source else {
            return None;
        };
        let mut filters = whitelist.filters.iter();
        filters.find_map(|filter| {
            let labels = filter.labels.as_ref();
            let labels = labels.filter(|_| filter.column == Some(column))?;
            Some((field.alias.as_str(), filter.key.as_str(), labels))
        })
    };
    fields.iter().filter_map(of).collect()
}

impl CheckError {
    fn no_export() -> Self {
        let message = "This list cannot be exported.".to_owned();
        Self::refused(
            "no_export",
            message,
            String::new(),
            String::new(),
            &[],
            None,
        )
    }

    /// A parameter that means nothing where all rows are given.
    fn not_in_exports(parameter: &str) -> Self {
        let message = format!(
            "`{parameter}` cannot be used in an export, which has every row that matches; use `pagination[limit]` for the first rows."
        );
        let (parameter, allowed) = (parameter.to_owned(), ["pagination[limit]"]);
        let code = "not_in_exports";
        Self::refused(code, message, parameter, String::new(), &allowed, None)
    }

    /// A relation to many rows, of which a file has only how many there are.
    fn many_in_export(relation: &str, format: Format) -> Self {
        let name = Complaint::shorten(relation);
        let counted = format!("populate[{name}][count]=true");
        let message = format!(
            "`{name}` leads to many rows, of which an export as {} has only the number: ask for `{counted}`, at the top level.",
            format.extension()
        );
        let parameter = format!("populate[{name}]");
        let code = "many_in_export";
        Self::refused(code, message, parameter, name, &[counted.as_str()], None)
    }
}
