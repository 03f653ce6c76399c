//! Tells which fields count related rows, and what that costs.

use listing::whitelist::ListingDescription;

/// One sentence for each field that counts. Whether it matters depends on the number of rows, which is not known here.
pub(super) fn notes(listings: &[ListingDescription]) -> Vec<String> {
    let notes = listings.iter().flat_map(|listing| {
        listing.counted.iter().map(|counted| {
            let (of, name) = (&listing.listing, &counted.name);
            let is_sort = listing.sorts.iter().any(|sort| sort.name == *name);
            let costs = match is_sort {
                true => "a sort by it counts for every row of the table",
                false => "it counts for each row that is shown",
            };
            format!("{of}: field `{name}` is a sub-query: {costs}")
        })
    });
    notes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(sorts: &serde_json::Value) -> ListingDescription {
        let table = serde_json::json!({ "schema": null, "name": "tags", "columns": [] });
        let description = serde_json::json!({
            "listing": "TagListing", "table": table, "key": "id", "soft_delete": null, "fields": [],
            "filters": [], "sorts": sorts, "relations": [],
            "counted": [{
                "name": "articles_count", "to_many": true, "owns_key": false, "from": "id", "to": "tag_id",
                "table": { "schema": null, "name": "articles", "columns": [] }, "through": null, "order": [],
            }],
        });
        serde_json::from_value(description).unwrap()
    }

    /// Rule b263.
    #[test]
    fn fields_that_count_are_told_with_what_they_cost() {
        let shown = listing(&serde_json::json!([]));
        let field = "TagListing: field `articles_count` is a sub-query";
        assert_eq!(
            notes(&[shown]),
            [format!("{field}: it counts for each row that is shown")]
        );
        let sort =
            serde_json::json!([{ "name": "articles_count", "column": null, "default": false }]);
        assert_eq!(
            notes(&[listing(&sort)]),
            [format!(
                "{field}: a sort by it counts for every row of the table"
            )]
        );
    }
}
