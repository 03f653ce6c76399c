//! The English names of countries by ISO code, used as labels of filters.

/// The countries that authors come from, by code.
pub(super) const COUNTRIES: &[(&str, &str)] = &[
    ("AR", "Argentina"),
    ("BR", "Brazil"),
    ("CI", "Côte d'Ivoire"),
    ("DE", "Germany"),
    ("ES", "Spain"),
    ("FR", "France"),
    ("GB", "United Kingdom"),
    ("IN", "India"),
    ("JP", "Japan"),
    ("NG", "Nigeria"),
    ("NO", "Norway"),
    ("PL", "Poland"),
    ("PT", "Portugal"),
    ("TR", "Türkiye"),
    ("UA", "Ukraine"),
    ("US", "United States"),
];

/// The English name of a country, from its ISO 3166-1 code of two capital letters.
///
/// ```
/// assert_eq!(blog::data::country_name("DE"), Some("Germany"));
/// assert_eq!(blog::data::country_name("XX"), None);
/// ```
#[must_use]
pub fn country_name(code: &str) -> Option<&'static str> {
    COUNTRIES
        .binary_search_by_key(&code, |(code, _)| code)
        .ok()
        .map(|found| COUNTRIES[found].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_so_that_every_code_is_found() {
        assert!(COUNTRIES.is_sorted_by_key(|(code, _)| code));
        for (code, name) in COUNTRIES {
            assert_eq!(country_name(code), Some(*name));
        }
    }

    #[test]
    fn codes_are_exact() {
        assert_eq!(country_name("de"), None);
        assert_eq!(country_name(""), None);
    }
}
