//! The parameters, operations and schemas of facets, totals and groups.

use listing::describe::{Facet, FacetKind, Listing, Total};
use serde_json::json;

use super::envelopes::envelope_with;
use super::model::{Additional, Operation, Parameter, Schema};
use super::operations::Of;
use super::parameters::{list_of, query};
use super::responses::{not_modified, tagged, with_errors};

impl Of<'_> {
    /// The parameters that say which rows are meant, and these.
    fn about_rows(&self, starts: &[&str]) -> Vec<Parameter> {
        let is_about = |parameter: &Parameter| {
            let name = parameter.name.as_str();
            name.starts_with("filters[")
                || matches!(name, "search" | "trashed")
                || starts.iter().any(|start| name.starts_with(start))
        };
        let list = self.index();
        list.parameters.into_iter().filter(is_about).collect()
    }

    pub(super) fn facets(&self) -> Operation {
        let numbers = [meta(), told()].concat();
        let numbers = envelope_with(Schema::of("object").or_null(), numbers);
        let found = tagged("Facets and totals, without rows.", numbers);
        let responses = with_errors(vec![("200", found), not_modified()], &[400, 414]);
        let summary = format!("Facets and totals of {}", self.many());
        Operation {
            parameters: self.about_rows(&["facets", "totals["]),
            ..self.operation("count", summary, responses)
        }
    }

    pub(super) fn groups(&self) -> Operation {
        let groups = Schema::array(Schema::reference("Group"));
        let mut about = vec![("pagination", Schema::reference("Pagination"))];
        about.extend(told());
        let found = tagged("A page of groups.", envelope_with(groups, about));
        let responses = with_errors(vec![("200", found), not_modified()], &[400, 414]);
        let mut parameters = of_groups(&self.resource.listing);
        parameters.extend(self.about_rows(&[
            "totals[",
            "pagination[page",
            "pagination[start",
            "pagination[limit",
        ]));
        let summary = format!("Groups of {}", self.many());
        Operation {
            parameters,
            ..self.operation("group", summary, responses)
        }
    }
}

/// Whether a list has facets or totals.
pub(super) fn are_there(listing: &Listing) -> bool {
    !listing.facets.is_empty() || !listing.totals.is_empty()
}

/// The parameters of facets and totals that a list has.
pub(super) fn parameters(listing: &Listing) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    if !listing.facets.is_empty() {
        let text = "Counts next to the rows, at `meta.facets`; `*` for all.";
        parameters.push(list_of("facets", text, facet_names(listing)));
    }
    for total in &listing.totals {
        let name = format!("totals[{}]", total.name);
        let text = "Numbers about all rows that match, at `meta.totals`.";
        parameters.push(list_of(&name, text, functions(total)));
    }
    parameters
}

fn facet_names(listing: &Listing) -> Schema {
    let names = listing.facets.iter().map(|facet| facet.name.clone());
    Schema::one_of_texts(names.chain(["*".to_owned()]).collect::<Vec<_>>())
}

fn functions(total: &Total) -> Schema {
    Schema::one_of_texts(total.functions.clone())
}

/// The members of a request as JSON.
pub(super) fn asked(listing: &Listing) -> Vec<(&'static str, Schema)> {
    let mut members = Vec::new();
    if !listing.facets.is_empty() {
        let of = |facet: &Facet| (facet.name.clone(), options(facet.kind));
        let named = Schema::object(listing.facets.iter().map(of), &[]);
        let names = Schema::array(facet_names(listing));
        members.push(("facets", Schema::any_of(vec![names, named])));
    }
    if !listing.totals.is_empty() {
        let of = |total: &Total| (total.name.clone(), Schema::array(functions(total)));
        let totals = Schema::object(listing.totals.iter().map(of), &[]);
        members.push(("totals", totals));
    }
    members
}

/// The parameters that only groups have.
pub(super) fn of_groups(listing: &Listing) -> Vec<Parameter> {
    let text = || Schema::of("string");
    let can_group = |facet: &&Facet| matches!(facet.kind, FacetKind::Values | FacetKind::Calendar);
    let keys: Vec<_> = listing.facets.iter().filter(can_group).collect();
    let names = keys.iter().map(|facet| format!("`{}`", facet.name));
    let names = names.collect::<Vec<_>>().join(", ");
    let by = format!(
        "What rows are grouped by, up to three of {names}; a calendar with its unit: `created_at:week`."
    );
    let sort = "`count`, a key of `by` or a total such as `views.sum`, with `:desc` for the largest first.";
    let having = "Only groups with at least so many rows. Every comparison of `count` and of totals is allowed.";
    let by = Parameter {
        required: true,
        example: keys.first().map(|facet| json!([facet.name])),
        ..list_of("by", &by, text())
    };
    vec![
        by,
        list_of("sort", sort, text()),
        query("having[count][$gte]", having, Schema::of("integer")),
    ]
}

/// The options of a facet.
fn options(kind: FacetKind) -> Schema {
    let text = || Schema::of("string");
    let limit = Schema {
        minimum: Some(1.into()),
        ..Schema::of("integer")
    };
    let options = match kind {
        FacetKind::Values | FacetKind::Relation => {
            vec![("limit", limit), ("sort", text()), ("search", text())]
        }
        FacetKind::Calendar => {
            let units = ["year", "quarter", "month", "week", "day", "hour"];
            vec![("unit", Schema::one_of_texts(units)), ("offset", text())]
        }
        FacetKind::Range => Vec::new(),
    };
    Schema::object(options, &[])
}

/// The member of `meta`, if it is requested.
pub(super) fn meta() -> Vec<(&'static str, Schema)> {
    vec![
        ("facets", Schema::array(Schema::reference("FacetCounts"))),
        ("totals", Schema::map(Schema::reference("TotalsOf"))),
    ]
}

/// The `meta` of a request without rows.
fn told() -> Vec<(&'static str, Schema)> {
    vec![
        ("filters", Schema::array(Schema::reference("AppliedFilter"))),
        ("ignored", Schema::reference("Ignored")),
    ]
}

/// The schemas of the answers.
pub(super) fn answers() -> Vec<(&'static str, Schema)> {
    let text = || Schema::of("string");
    let whole = || Schema {
        minimum: Some(0.into()),
        ..Schema::of("integer")
    };
    let boolean = || Schema::of("boolean");
    let value = Schema::object(
        [
            ("value", text()),
            ("label", text()),
            ("from", text()),
            ("to", text()),
            ("count", whole()),
            ("selected", boolean()),
        ],
        &["value", "count"],
    );
    let facet = Schema::object(
        [
            ("key", text()),
            ("values", Schema::array(value).or_null()),
            ("missing", whole()),
            ("others", whole()),
            ("truncated", boolean()),
            ("unit", text()),
            ("offset", text()),
            ("min", Schema::default()),
            ("max", Schema::default()),
            ("timedOut", boolean()),
        ],
        &["key"],
    );
    let group = Schema {
        additional_properties: Some(Additional::These(Box::default())),
        ..Schema::object(
            [
                ("count", whole()),
                ("totals", Schema::map(Schema::reference("TotalsOf"))),
            ],
            &["count"],
        )
    };
    let totals = Schema::map(Schema::default());
    vec![
        (
            "FacetCounts",
            facet.described("The counts of a facet, its range, or its calendar."),
        ),
        (
            "Group",
            group.described("A group: its keys, how many rows it has, and their totals."),
        ),
        (
            "TotalsOf",
            totals.described("Numbers about one field, by function; decimals are strings."),
        ),
    ]
}
