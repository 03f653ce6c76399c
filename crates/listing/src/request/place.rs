//! The way to a value through the names around it, as a client writes it: `filters[views][$gt]`.

use compact_str::CompactString;

use super::quote::Quote;

/// The position of a value in the request. It borrows, so it costs nothing until an error quotes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'p> {
    parent: Option<&'p Place<'p>>,
    name: &'p str,
    /// Whether it is a group or a relation around a filter, which `meta.filters` tells (d70).
    around: bool,
    /// The relation that begins here, which `meta.filters` tells too.
    relation: Option<&'p str>,
}

impl<'p> Place<'p> {
    /// A top-level parameter.
    pub(super) const fn top(name: &'p str) -> Self {
        Self {
            parent: None,
            name,
            around: false,
            relation: None,
        }
    }

    /// One level below.
    pub(super) const fn at(&'p self, name: &'p str) -> Self {
        Self {
            parent: Some(self),
            name,
            around: false,
            relation: None,
        }
    }

    /// One level below, inside a group or a relation of that name.
    pub(super) const fn inside(&'p self, name: &'p str) -> Self {
        Self {
            parent: Some(self),
            name,
            around: true,
            relation: None,
        }
    }

    /// The same place, below which everything is about the rows of a relation.
    pub(super) const fn telling(&self, relation: &'p str) -> Self {
        Self {
            relation: Some(relation),
            ..*self
        }
    }

    /// The same place under another name.
    pub(super) const fn named(&self, name: &'p str) -> Self {
        Self { name, ..*self }
    }

    /// How many levels it is below a top-level parameter.
    pub(super) fn depth(&self) -> usize {
        self.ancestors().count() - 1
    }

    /// For an error.
    pub(super) fn quote(&self) -> Quote {
        Quote::new(&self.text())
    }

    /// As the client writes it, in one piece of memory.
    pub(super) fn text(&self) -> String {
        let lengths = self.ancestors().map(|place| place.name.len() + "[]".len());
        let mut text = String::with_capacity(lengths.sum());
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) {
        match self.parent {
            None => text.push_str(self.name),
            Some(parent) => {
                parent.write(text);
                text.push('[');
                text.push_str(self.name);
                text.push(']');
            }
        }
    }

    /// The groups and relations around it: `$or.0.author`.
    pub(super) fn path(&self) -> CompactString {
        let mut path = self.parent.map_or_else(CompactString::default, Self::path);
        let names = [self.around.then_some(self.name), self.relation];
        for name in names.into_iter().flatten() {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
        }
        path
    }

    fn ancestors(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |place| place.parent)
    }
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn a_place_reads_as_the_client_writes_it() {
        let top = Place::top("filters");
        let field = top.at("views");
        assert_eq!(field.at("$in").at("").text(), "filters[views][$in][]");
        assert_eq!(top.text(), "filters");
        assert_eq!((top.depth(), field.depth()), (0, 1));
    }

    /// Rule d70.
    #[test]
    fn a_path_has_the_groups_and_relations_only() {
        let top = Place::top("filters");
        let group = top.inside("$or");
        let member = group.inside("0");
        let field = member.at("views");
        assert_eq!(field.at("$in").path(), "$or.0");
        assert_eq!(top.at("views").path(), "");
        let relation = member.at("author").telling("author");
        assert_eq!(
            relation.inside("$some").at("name").path(),
            "$or.0.author.$some"
        );
    }
}
