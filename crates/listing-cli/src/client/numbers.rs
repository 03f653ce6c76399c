//! Writes the types of a listing's facets and totals in TypeScript.

use listing::describe::{Facet, FacetKind, Listing, Total, TypeName, ValueType};

use super::types::{object, quoted, shown};

/// The values of each facet.
pub(super) fn facets(listing: &Listing) -> String {
    let facet = |facet: &Facet| {
        let range = || {
            let mut filters = listing.filters.iter();
            let filter = filters.find(|filter| filter.name == facet.name);
            let value = filter.map_or_else(|| "unknown".to_owned(), |filter| shown(&filter.value));
            vec![kind("range"), ("value".to_owned(), value)]
        };
        let members = match facet.kind {
            FacetKind::Values => vec![kind("values")],
            FacetKind::Relation => vec![kind("relation")],
            FacetKind::Calendar => vec![kind("calendar")],
            FacetKind::Range => range(),
        };
        (facet.name.clone(), object(&members))
    };
    object(&listing.facets.iter().map(facet).collect::<Vec<_>>())
}

fn kind(name: &str) -> (String, String) {
    ("kind".to_owned(), quoted(name))
}

/// The functions of each total, and their types.
pub(super) fn totals(listing: &Listing) -> String {
    let total = |total: &Total| {
        let mut fields = listing.fields.iter();
        let field = fields.find(|field| field.name == total.name);
        let functions = total.functions.iter();
        let functions: Vec<_> = functions
            .map(|name| (name.clone(), given(name, field.map(|field| &field.value))))
            .collect();
        (total.name.clone(), object(&functions))
    };
    object(&listing.totals.iter().map(total).collect::<Vec<_>>())
}

/// The type that a function returns if there are rows.
fn given(function: &str, value: Option<&ValueType>) -> String {
    let given = match (function, value) {
        ("count" | "countDistinct", _) => "number",
        ("avg", _) => "string",
        // A sum of more than 64 bits is a text.
        ("sum", Some(value)) if value.name == TypeName::Integer => "number | string",
        ("sum", _) => "string",
        (_, Some(value)) => return shown(value),
        (_, None) => "unknown",
    };
    given.to_owned()
}

#[cfg(test)]
mod tests {
    use super::given;
    use listing::Kind;
    use listing::describe::ValueType;

    /// Rule b920.
    #[test]
    fn totals_have_the_types_that_json_gives_them() {
        for (kind, sum, max) in [
            (Kind::Integer, "number | string", "number"),
            (Kind::IntegerText, "string", "string"),
            (Kind::Decimal { scale: Some(2) }, "string", "string"),
        ] {
            let value = ValueType::of(&kind, None);
            let given = |function| given(function, Some(&value));
            assert_eq!([given("sum"), given("max")], [sum, max]);
            assert_eq!([given("avg"), given("countDistinct")], ["string", "number"]);
        }
        let day = ValueType::of(&Kind::Date, None);
        assert_eq!(given("min", Some(&day)), "string");
    }
}
