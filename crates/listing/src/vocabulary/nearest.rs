//! Finds the known name that an unknown one was probably meant to be.

/// The candidate most like `name`, if any is like it at all.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A client's text can be long; comparing costs its length times the candidate's.
    const LONGEST: usize = 64;
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    let lower = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (likeness(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness >= 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// From 0 to 1. The `$` of an operator is forgotten most easily.
fn likeness(name: &str, candidate: &str) -> f64 {
    let bare = |text| str::trim_start_matches(text, '$');
    if bare(name) == bare(candidate) {
        return 1.0;
    }
    strsim::jaro_winkler(name, candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_likest_name_is_found() {
        assert_eq!(nearest("titel", ["slug", "title"]), Some("title"));
        assert_eq!(nearest("VIEWS", ["slug", "views"]), Some("views"));
        assert_eq!(nearest("eq", ["$ne", "$eq"]), Some("$eq"));
    }

    #[test]
    fn nothing_like_it_is_nothing() {
        assert_eq!(nearest("zzz", ["slug", "title"]), None);
        assert_eq!(nearest("", ["slug"]), None);
        assert_eq!(nearest(&"t".repeat(5000), ["title"]), None);
    }
}
