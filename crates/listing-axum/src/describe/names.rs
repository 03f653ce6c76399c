//! Names types and operations in documents and clients.

use std::collections::{HashMap, HashSet};

use listing::describe::Listing;

use super::ResourceDescription;

/// `order items` is `OrderItems`.
pub(crate) fn pascal(text: &str) -> String {
    let text = super::ascii::in_ascii(text);
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).collect::<String>()
    };
    let name: String = words.map(capital).collect();
    match name.starts_with(|letter: char| letter.is_ascii_digit()) {
        true => format!("N{name}"),
        false => name,
    }
}

/// A unique name for each of these: from its title, or from its own name if that would be taken.
///
/// If two titles result in the same name and one of them begins with the other, the longer one gives way: `PriceList` belongs to
/// the list of `Price`.
pub(super) fn type_names(listings: &[Named<'_>]) -> Vec<String> {
    let titles: Vec<String> = listings.iter().map(|known| pascal(known.title)).collect();
    let mut makers: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, listing) in listings.iter().enumerate() {
        for made in listing.makes(&titles[at]) {
            makers.entry(made).or_default().push(at);
        }
    }
    let keeps = |at: usize, made: &String| {
        let goes_first = |other: &usize| *other != at && titles[*other].len() <= titles[at].len();
        !makers[made].iter().any(goes_first)
    };
    let is_alone = |at: usize| {
        let (listing, title) = (&listings[at], &titles[at]);
        !title.is_empty()
            && !listing.is_reserved(title)
            && listing.makes(title).iter().all(|made| keeps(at, made))
    };
    let alone: Vec<bool> = (0..listings.len()).map(is_alone).collect();
    let mut used: HashSet<String> = HashSet::new();
    for (at, listing) in listings.iter().enumerate() {
        if alone[at] {
            used.extend(listing.makes(&titles[at]));
        }
    }
    let mut names = Vec::with_capacity(listings.len());
    for (at, listing) in listings.iter().enumerate() {
        if alone[at] {
            names.push(titles[at].clone());
            continue;
        }
        let own = format!("{}Item", pascal(listing.own));
        let mut name = own.clone();
        let mut number = 1;
        while listing.is_reserved(&name)
            || listing.makes(&name).iter().any(|made| used.contains(made))
        {
            number += 1;
            name = format!("{own}{number}");
        }
        used.extend(listing.makes(&name));
        names.push(name);
    }
    names
}

/// The names from which the names of a listing's types are derived.
pub(super) struct Named<'d> {
    /// The title of one record.
    title: &'d str,
    /// The listing's name.
    own: &'d str,
    /// The suffixes of relations without their own listing.
    ends: Vec<String>,
}

impl<'d> Named<'d> {
    pub(super) fn of(resource: &'d ResourceDescription) -> Self {
        let listing = &resource.listing;
        let of_relations = relation_ends(listing);
        let end = |name: &str| {
            let found = of_relations.iter().find(|(known, _)| *known == name);
            found.map_or_else(String::new, |(_, end)| end.clone())
        };
        let mut ends = Vec::new();
        for relation in &listing.relations {
            if relation.listing.is_none() {
                let end = end(&relation.name);
                ends.push(format!("{end}Listing"));
                ends.push(format!("{end}Options"));
                ends.push(end);
            }
        }
        for related in &listing.related_filters {
            if related.only.is_some() || related.listing.is_none() {
                ends.push(format!("{}Filters", end(&related.name)));
            }
        }
        Self {
            title: &resource.title.one,
            own: &listing.name,
            ends,
        }
    }

    /// Every name that is derived from this one.
    fn makes(&self, name: &str) -> Vec<String> {
        let ends = OF_SCHEMAS.iter().chain(OF_TYPES).copied();
        self.with(name, ends)
    }

    fn with<'s>(&'s self, name: &str, ends: impl Iterator<Item = &'s str>) -> Vec<String> {
        let further = self.ends.iter().map(String::as_str);
        let all = std::iter::once("").chain(ends).chain(further);
        all.map(|end| format!("{name}{end}")).collect()
    }

    /// Whether this name, or one derived from it, already means something else there.
    fn is_reserved(&self, name: &str) -> bool {
        let taken = |made: Vec<String>, lists: &[&[&str]]| {
            let is_taken = |name: &str| lists.iter().any(|names| names.contains(&name));
            made.iter().any(|made| is_taken(made))
        };
        let schemas = self.with(name, OF_SCHEMAS.iter().copied());
        let types = self.with(name, OF_TYPES.iter().copied());
        taken(schemas, &[DOCUMENTS]) || taken(types, &[RUNTIME, GLOBALS])
    }
}

/// The suffix of each relation with its own types. All suffixes of a listing are different.
pub(super) fn relation_ends(listing: &Listing) -> Vec<(&str, String)> {
    let relations = listing.relations.iter().map(|known| known.name.as_str());
    let related = listing.related_filters.iter();
    let related = related.map(|known| known.name.as_str());
    let mut ends: Vec<(&str, String)> = Vec::new();
    for name in relations.chain(related) {
        if ends.iter().any(|(known, _)| *known == name) {
            continue;
        }
        let plain = Some(pascal(name)).filter(|plain| !plain.is_empty());
        let plain = plain.unwrap_or_else(|| "Relation".to_owned());
        let mut end = plain.clone();
        let mut number = 1;
        while ends.iter().any(|(_, known)| *known == end) {
            number += 1;
            end = format!("{plain}{number}");
        }
        ends.push((name, end));
    }
    ends
}

/// The suffixes of a listing's additional schemas in a document.
const OF_SCHEMAS: &[&str] = &[
    "Filters", "Input", "List", "Options", "Populate", "Query", "Record", "Update",
];

/// The suffixes of its additional types in a client.
const OF_TYPES: &[&str] = &["Input", "Listing", "Record", "Update"];

/// Names of schemas that every document has (`openapi/envelopes.rs`).
const DOCUMENTS: &[&str] = &[
    "AppliedFilter",
    "AskedPagination",
    "Count",
    "Done",
    "Error",
    "Ignored",
    // `getOpenApi` is an operation of every document.
    "OpenApi",
    "Pagination",
    "PopulatedRelation",
    "Record",
    "RelationLimit",
];

/// Names of types that every client exports: those of `runtime.ts` in the command, whose tests compare the two. Its other
/// types begin with `$`, as no listing's type does.
const RUNTIME: &[&str] = &[
    "Answer",
    "AppliedFilter",
    "AskedPagination",
    "BulkDone",
    "BulkOf",
    "CalendarUnit",
    "CalendarValue",
    "CallOptions",
    "ChangeOf",
    "ClientOptions",
    "ConditionOf",
    "Done",
    "ErrorDetails",
    "FacetOf",
    "FacetOptionsOf",
    "FacetValue",
    "FacetsOf",
    "FieldsOf",
    "FiltersOf",
    "GroupKeyOf",
    "GroupOf",
    "Groups",
    "History",
    "GroupsQueryOf",
    "ItemOf",
    "Keyed",
    "Links",
    "Listing",
    "ListingError",
    "Matching",
    "Numbers",
    "NumbersIn",
    "NumbersOf",
    "OptionsOf",
    "Page",
    "Pagination",
    "PopulateOf",
    "QueryOf",
    "RecordOf",
    "Resource",
    "ResourceNames",
    "Returning",
    "ReturningOf",
    "RowsOf",
    "Shown",
    "SortOf",
    "ToMany",
    "ToOne",
    "TotalsIn",
    "TotalsOf",
    "Versioned",
    "WriteOptions",
    "Written",
];

/// Names of global types that clients use or are likely to use. An interface with one of these names would hide the global type.
const GLOBALS: &[&str] = &[
    "AbortSignal",
    "Array",
    "AsyncGenerator",
    "Date",
    "Error",
    "Extract",
    "Headers",
    "JSON",
    "Map",
    "NonNullable",
    "Object",
    "Omit",
    "Partial",
    "Pick",
    "Promise",
    "Record",
    "Request",
    "Response",
    "Set",
    "String",
    "TypeError",
    "URL",
    "WeakMap",
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Named, pascal, type_names};
    use crate::describe::ApiDescription;

    fn named<'d>(title: &'d str, own: &'d str, ends: &[&str]) -> Named<'d> {
        let ends = ends.iter().map(|end| (*end).to_owned()).collect();
        Named { title, own, ends }
    }

    /// Rule b294.
    #[test]
    fn types_are_named_after_titles_and_never_alike() {
        assert_eq!(pascal("order items"), "OrderItems");
        assert_eq!(pascal("2nd hand"), "N2ndHand");
        let names = type_names(&[
            named("Article", "articles", &[]),
            named("Count", "counts", &[]),
            named("Note", "a", &[]),
            named("Note", "b", &[]),
        ]);
        assert_eq!(names, ["Article", "CountsItem", "AItem", "BItem"]);
    }

    /// Rule b479.
    #[test]
    fn a_type_has_neither_a_name_of_the_client_nor_one_that_another_type_makes() {
        let names = type_names(&[
            named("Page", "pages", &[]),
            named("Response", "responses", &[]),
            // Types in clients and in documents have different suffixes, so nothing is called `ClientOptions` twice.
            named("Client", "clients", &[]),
            named("Call", "calls", &["Options"]),
            // Inner types of a client begin with `$`.
            named("Related", "related", &["Item"]),
        ]);
        assert_eq!(
            names,
            [
                "PagesItem",
                "ResponsesItem",
                "Client",
                "CallsItem",
                "Related"
            ]
        );
        let names = type_names(&[
            named("Product category", "product_categories", &[]),
            named("Product", "products", &["Category", "CategoryListing"]),
            named("Price", "prices", &[]),
            named("Price list", "price_lists", &[]),
            named("Order", "orders", &["LineTag"]),
            named("Order line", "order_lines", &["Tag"]),
            named("Notes item", "x", &[]),
            named("Note", "notes", &[]),
            named("Note", "notes_2", &[]),
        ]);
        assert_eq!(
            names,
            [
                "ProductCategoriesItem",
                "Product",
                "Price",
                "PriceListsItem",
                "Order",
                "OrderLinesItem",
                "NotesItem",
                "NotesItem2",
                "Notes2Item",
            ]
        );
    }

    /// The blog's description, as the tests of the descriptions keep it.
    fn blog() -> ApiDescription {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
        let file = "tests/tests/describe/snapshots/describe__description__developers.snap";
        let text = std::fs::read_to_string(root.unwrap().join(file)).unwrap();
        let json = text.splitn(3, "---\n").nth(2).unwrap();
        serde_json::from_str(json).unwrap()
    }

    /// Rule b479.
    #[test]
    fn relations_without_a_listing_make_names() {
        let blog = blog();
        let article = Named::of(blog.listing("articles").unwrap());
        let wanted = ["SeoListing", "SeoOptions", "Seo", "SeoFilters"];
        assert_eq!(article.ends, wanted);
        let author = Named::of(blog.listing("authors").unwrap());
        assert!(author.ends.is_empty(), "{:?}", author.ends);
    }

    /// Rule b642.
    #[test]
    fn a_listing_can_have_any_name_and_its_types_clash_with_nothing() {
        let as_listing = [named("As", "as", &[]), named("Target", "targets", &[])];
        assert_eq!(type_names(&as_listing), ["As", "Target"]);
        for (title, own, name) in [
            ("Error", "error", "ErrorItem"),
            ("Request", "requests", "RequestsItem"),
            ("Promise", "promise", "PromiseItem"),
            ("Record", "records", "RecordsItem"),
            ("Partial", "partials", "PartialsItem"),
            ("Open api", "open_api", "OpenApiItem"),
            ("Client", "clients", "Client"),
        ] {
            assert_eq!(type_names(&[named(title, own, &[])]), [name]);
        }
    }

    /// Rule b642.
    #[test]
    fn relations_whose_names_are_spelled_alike_have_types_of_their_own() {
        let mut blog = blog();
        let articles = &mut blog.listings[0];
        let seo = articles.listing.relations.last().unwrap().clone();
        assert_eq!(articles.relation_type("seo"), "ArticleSeo");
        for name in ["Seo", "☂", "seo "] {
            let mut other = seo.clone();
            other.name = name.to_owned();
            articles.listing.relations.push(other);
        }
        let types = ["seo", "Seo", "☂", "seo "].map(|name| articles.relation_type(name));
        let wanted = [
            "ArticleSeo",
            "ArticleSeo2",
            "ArticleRelation",
            "ArticleSeo3",
        ];
        assert_eq!(types, wanted);
    }
}
