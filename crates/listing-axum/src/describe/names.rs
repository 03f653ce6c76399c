//! The names that types and operations have in documents and clients.

use std::collections::{HashMap, HashSet};

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

/// A name for each of these that no other one has: from its title, or from its own name where that would be taken.
///
/// Of two titles that make the same name, one of which begins with the other, the longer one gives way: `PriceList` to the
/// list of `Price`.
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

/// What the names of a listing's types are made from.
pub(super) struct Named<'d> {
    /// The title of one record.
    title: &'d str,
    /// The listing's name.
    own: &'d str,
    /// What relations without a listing of their own add to the name.
    ends: Vec<String>,
}

impl<'d> Named<'d> {
    pub(super) fn of(resource: &'d ResourceDescription) -> Self {
        let mut ends = Vec::new();
        for relation in &resource.listing.relations {
            if relation.listing.is_none() {
                let end = pascal(&relation.name);
                ends.push(format!("{end}Listing"));
                ends.push(end);
            }
        }
        for related in &resource.listing.related_filters {
            if related.only.is_some() || related.listing.is_none() {
                ends.push(format!("{}Filters", pascal(&related.name)));
            }
        }
        Self {
            title: &resource.title.one,
            own: &resource.listing.name,
            ends,
        }
    }

    /// Every name that is made from this one.
    fn makes(&self, name: &str) -> Vec<String> {
        let every = ENDS.iter().map(|end| format!("{name}{end}"));
        let further = self.ends.iter().map(|end| format!("{name}{end}"));
        let itself = std::iter::once(name.to_owned());
        itself.chain(every).chain(further).collect()
    }

    /// Whether this name, or one that a relation makes from it, means something else.
    fn is_reserved(&self, name: &str) -> bool {
        let is_reserved = |name: &str| {
            let all = [DOCUMENTS, RUNTIME, GLOBALS];
            all.iter().any(|names| names.contains(&name))
        };
        is_reserved(name)
            || self
                .ends
                .iter()
                .any(|end| is_reserved(&format!("{name}{end}")))
    }
}

/// What follows a listing's name in the names of its further types: schemas of a document, types of a client.
const ENDS: &[&str] = &[
    "Filters", "Input", "List", "Listing", "Options", "Populate", "Query", "Record", "Update",
];

/// Names of schemas that every document has (`openapi/envelopes.rs`).
const DOCUMENTS: &[&str] = &[
    "AppliedFilter",
    "AskedPagination",
    "Count",
    "Done",
    "Error",
    "Ignored",
    "Pagination",
    "PopulatedRelation",
    "Record",
];

/// Names of types that every client declares: those of `runtime.ts` in the command, whose tests compare the two.
const RUNTIME: &[&str] = &[
    "Answer",
    "AppliedFilter",
    "AsListing",
    "AskedPagination",
    "CallOptions",
    "Chosen",
    "ClientOptions",
    "ConditionOf",
    "Done",
    "FieldsOf",
    "FiltersOf",
    "Inside",
    "ItemOf",
    "KeysOf",
    "Listing",
    "ListingError",
    "OnlyKnown",
    "OnlyKnownOptions",
    "OnlyKnownRelations",
    "OptionItem",
    "OptionsOf",
    "Page",
    "Pagination",
    "PopulateOf",
    "QueryOf",
    "RecordOf",
    "RelatedItem",
    "RelationsOf",
    "Resource",
    "Show",
    "Shown",
    "SortOf",
    "Target",
    "Text",
    "ToMany",
    "ToOne",
    "ValueOf",
    "Wanted",
    "WriteOptions",
];

/// Names of global types that clients use, or are likely to: an interface of that name would stand in front of them.
const GLOBALS: &[&str] = &[
    "AbortSignal",
    "Array",
    "AsyncGenerator",
    "Date",
    "Error",
    "Extract",
    "Headers",
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

    #[test]
    fn b294_types_are_named_after_titles_and_never_alike() {
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

    #[test]
    fn b479_a_type_has_neither_a_name_of_the_client_nor_one_that_another_type_makes() {
        let names = type_names(&[
            named("Page", "pages", &[]),
            named("Response", "responses", &[]),
            // The types of a client and of a document have other ends: nothing is called `ClientOptions` twice.
            named("Client", "clients", &[]),
            named("Call", "calls", &["Options"]),
            named("Related", "related", &["Item"]),
        ]);
        assert_eq!(
            names,
            [
                "PagesItem",
                "ResponsesItem",
                "Client",
                "CallsItem",
                "RelatedItem2"
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

    #[test]
    fn b479_relations_without_a_listing_make_names() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
        let file = "tests/tests/describe/snapshots/describe__description__developers.snap";
        let text = std::fs::read_to_string(root.unwrap().join(file)).unwrap();
        let json = text.splitn(3, "---\n").nth(2).unwrap();
        let blog: ApiDescription = serde_json::from_str(json).unwrap();
        let article = Named::of(blog.listing("articles").unwrap());
        assert_eq!(article.ends, ["SeoListing", "Seo", "SeoFilters"]);
        let author = Named::of(blog.listing("authors").unwrap());
        assert!(author.ends.is_empty(), "{:?}", author.ends);
    }
}
