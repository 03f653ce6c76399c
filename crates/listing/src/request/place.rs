//! Writes the path to a value as a client does, `filters[views][$gt]`.

use std::fmt;

use super::quote::Quote;

/// Where in the request a value stands. Borrows, so that it costs nothing until an error quotes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'p> {
    parent: Option<&'p Place<'p>>,
    name: &'p str,
}

impl<'p> Place<'p> {
    /// A top-level parameter.
    pub(super) const fn top(name: &'p str) -> Self {
        Self { parent: None, name }
    }

    /// One level below.
    pub(super) const fn at(&'p self, name: &'p str) -> Self {
        Self {
            parent: Some(self),
            name,
        }
    }

    /// For an error.
    pub(super) fn quote(&self) -> Quote {
        Quote::new(&self.to_string())
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parent {
            None => f.write_str(self.name),
            Some(parent) => write!(f, "{parent}[{}]", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn a_place_reads_as_the_client_writes_it() {
        let top = Place::top("filters");
        let field = top.at("views");
        assert_eq!(field.at("$in").at("").to_string(), "filters[views][$in][]");
        assert_eq!(top.to_string(), "filters");
    }
}
