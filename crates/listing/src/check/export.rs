//! Checks an export: the list's own checks, and what a file cannot contain (d110 to d113).

use super::visible::the_one;
use super::{CheckError, Checked, CheckedRelation, Page, Shown, against};
use crate::define::{Context, FieldSource, LabelResolver, Listings, Whitelist};
use crate::request::{AskedExport, AskedNames, AskedPage, AskedPopulate, AskedRelation, Request};
use crate::vocabulary::{Complaint, CountMode, Format};

/// The properties of a file in addition to the rows of a list.
pub(crate) struct CheckedExport<'w> {
    pub(crate) asked: AskedExport,
    /// The most rows, if more may match. Such a request is refused.
    pub(crate) most: Option<u64>,
    /// The fields that are followed by labels: the names of the field and of its filter, and the resolver.
    pub(crate) labels: Vec<(&'w str, &'w str, &'w LabelResolver)>,
    /// Whether relations are read after the rows and nested in them, as in the list.
    pub(crate) nests: bool,
}

/// Checks a request for a file against a whitelist. There are no separate permissions: everything is checked like for the list,
/// and then put in the order of the request.
pub(crate) fn export<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    request: &Request,
    context: &'w Context,
    format: Format,
) -> Result<(Checked<'w>, CheckedExport<'w>), CheckError> {
    let Some(max_rows) = whitelist.export_rows(format, listings.settings()) else {
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
    // The rows are counted separately, and only up to the limit.
    checked.count = CountMode::Exact;
    if let Some(names) = &request.fields {
        in_order(&mut checked.fields, names, |at| &whitelist.fields[at].alias);
    }
    let populate = request.populate.as_ref();
    let nests = format == Format::Ndjson && !can_be_joined(&checked.relations, true);
    checked.relations = match nests {
        true => nested(listings, checked.relations, populate),
        false => relations(listings, checked.relations, populate, format)?,
    };
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
            nests,
        },
    ))
}

/// `pagination[limit]`, the only part of `pagination` that exports accept.
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

/// Puts what was requested by name in the order of these names. `id`, which is always included, stays first.
fn in_order<'w>(chosen: &mut [usize], asked: &AskedNames, name: impl Fn(usize) -> &'w str) {
    if asked.all {
        return;
    }
    let place = |at: usize| asked.names.iter().position(|asked| asked == name(at));
    // `None` sorts before every position.
    chosen.sort_by_key(|at| place(*at));
}

/// Whether one statement reads the rows with these relations: each leads to a single row, or is counted at the top level.
fn can_be_joined(relations: &[CheckedRelation<'_>], top: bool) -> bool {
    relations.iter().all(|relation| {
        let is_one = match relation.count {
            true => top,
            false => !relation.relation.meta.to_many,
        };
        is_one && can_be_joined(&relation.relations, false)
    })
}

/// The relations of a file that nests them like the list, in the order of the request.
fn nested<'w>(
    listings: &'w Listings,
    mut relations: Vec<CheckedRelation<'w>>,
    asked: Option<&AskedPopulate>,
) -> Vec<CheckedRelation<'w>> {
    for relation in &mut relations {
        let asked = asked_of(asked, relation);
        order_related(listings, relation, asked);
        let further = std::mem::take(&mut relation.relations);
        let below = asked.and_then(|asked| asked.populate.as_ref());
        relation.relations = nested(listings, further, below);
    }
    as_asked(&mut relations, asked);
    relations
}

/// The request for a relation, if it was named.
fn asked_of<'a>(
    asked: Option<&'a AskedPopulate>,
    relation: &CheckedRelation<'_>,
) -> Option<&'a AskedRelation> {
    let mut asked = asked?.relations.iter();
    asked.find(|asked| asked.name == relation.relation.name)
}

/// Puts relations in the order of the request.
fn as_asked(relations: &mut [CheckedRelation<'_>], asked: Option<&AskedPopulate>) {
    if let Some(asked) = asked.filter(|asked| !asked.all) {
        relations.sort_by_key(|relation| {
            let is_it = |asked: &AskedRelation| asked.name == relation.relation.name;
            asked.relations.iter().position(is_it)
        });
    }
}

/// The relations of a file that one statement reads, in the order of the request. A to-many relation is included only as a count:
/// a default one is left out, and a requested one is refused.
fn relations<'w>(
    listings: &'w Listings,
    checked: Vec<CheckedRelation<'w>>,
    asked: Option<&AskedPopulate>,
    format: Format,
) -> Result<Vec<CheckedRelation<'w>>, CheckError> {
    let mut relations = Vec::with_capacity(checked.len());
    for mut relation in checked {
        let name = relation.relation.name.as_str();
        let asked = asked_of(asked, &relation);
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
    as_asked(&mut relations, asked);
    Ok(relations)
}

/// Puts the related fields that were requested by name in the order of these names.
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

/// The visible fields with labels: their column has a filter that labels its values.
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

    /// A parameter that has no meaning for all rows.
    fn not_in_exports(parameter: &str) -> Self {
        let message = format!(
            "`{parameter}` cannot be used in an export, which has every row that matches; use `pagination[limit]` for the first rows."
        );
        let (parameter, allowed) = (parameter.to_owned(), ["pagination[limit]"]);
        let code = "not_in_exports";
        Self::refused(code, message, parameter, String::new(), &allowed, None)
    }

    /// A to-many relation, which a file includes only as a count.
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
