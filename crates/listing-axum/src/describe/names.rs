//! The names that types and operations have in documents and clients.

/// `order items` is `OrderItems`.
pub(crate) fn pascal(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
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

/// A name for each of these that no other one has: from its title, or from its own name where titles are the same.
pub(super) fn type_names<'d>(
    listings: impl Iterator<Item = (&'d str, &'d str)> + Clone,
) -> Vec<String> {
    /// Names of schemas that every document has.
    const TAKEN: [&str; 9] = [
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
    let all = listings.clone();
    let is_alone = |name: &str| {
        !TAKEN.contains(&name)
            && all
                .clone()
                .filter(|(title, _)| pascal(title) == name)
                .count()
                == 1
    };
    listings
        .map(|(title, own)| {
            let name = pascal(title);
            match is_alone(&name) && !name.is_empty() {
                true => name,
                false => format!("{}Item", pascal(own)),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{pascal, type_names};

    #[test]
    fn b294_types_are_named_after_titles_and_never_alike() {
        assert_eq!(pascal("order items"), "OrderItems");
        assert_eq!(pascal("2nd hand"), "N2ndHand");
        let listings = [
            ("Article", "articles"),
            ("Count", "counts"),
            ("Note", "a"),
            ("Note", "b"),
        ];
        let names = type_names(listings.into_iter());
        assert_eq!(names, ["Article", "CountsItem", "AItem", "BItem"]);
    }
}
