//! Unknown names in a request, for `meta.ignored`, or as an error in strict projects (d7, d83).

use super::CheckError;
use crate::vocabulary::Complaint;

/// Unknown names in a request. Names below a relation are prefixed with its path: `author.nmae`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ignored {
    /// Unknown fields.
    pub fields: Vec<String>,
    /// Unknown sorts.
    pub sort: Vec<String>,
    /// Unknown relations.
    pub populate: Vec<String>,
    /// Unknown facets.
    pub facets: Vec<String>,
    /// Unknown parameters.
    pub parameters: Vec<String>,
}

impl Ignored {
    /// The most names that are echoed.
    const MOST: usize = 20;

    /// Whether nothing was ignored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    pub(crate) fn count(&self) -> usize {
        let Self {
            fields,
            sort,
            populate,
            facets,
            parameters,
        } = self;
        [fields, sort, populate, facets, parameters]
            .iter()
            .map(|names| names.len())
            .sum()
    }

    fn of(&mut self, what: What) -> &mut Vec<String> {
        match what {
            What::Field => &mut self.fields,
            What::Relation => &mut self.populate,
            What::Sort => &mut self.sort,
            What::Facet => &mut self.facets,
            What::Parameter => &mut self.parameters,
        }
    }
}

/// The kinds of unknown names, in the order in which strict projects report them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    Field,
    Relation,
    Sort,
    Facet,
    Parameter,
}

/// Collects the unknown names of a request.
pub(super) struct Unknown {
    ignored: Ignored,
    strict: bool,
    /// The first name of the first kind, if the project is strict.
    refused: Option<(What, CheckError)>,
}

impl Unknown {
    pub(super) fn new(strict: bool) -> Self {
        Self {
            ignored: Ignored::default(),
            strict,
            refused: None,
        }
    }

    /// Records a name below a relation, or at the top if no relation contains it.
    pub(super) fn add<'n>(
        &mut self,
        what: What,
        around: Path<'_>,
        name: &str,
        known: impl Iterator<Item = &'n str>,
    ) {
        if self.strict {
            let is_first = self.refused.as_ref().is_none_or(|(told, _)| what < *told);
            if is_first {
                let error =
                    CheckError::unknown_name(what, around, name, &known.collect::<Vec<_>>());
                self.refused = Some((what, error));
            }
        } else if self.ignored.count() < Ignored::MOST {
            let name = Complaint::shorten(&around.with(name));
            self.ignored.of(what).push(name);
        }
    }

    /// Records a parameter.
    pub(super) fn parameter(&mut self, name: &str, known: impl Iterator<Item = &'static str>) {
        self.add(What::Parameter, Path::TOP, name, known);
    }

    /// The names, or in a strict project the error for the first of them.
    pub(super) fn finish(self) -> Result<Ignored, CheckError> {
        match self.refused {
            None => Ok(self.ignored),
            Some((_, error)) => Err(error),
        }
    }
}

/// The relations around a part of a request, `author.articles`; empty at the top.
#[derive(Debug, Clone, Copy)]
pub(super) struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    name: &'p str,
}

impl<'p> Path<'p> {
    pub(super) const TOP: Self = Self {
        parent: None,
        name: "",
    };

    /// The path of a relation below this one.
    pub(super) const fn below(&'p self, name: &'p str) -> Self {
        Self {
            parent: Some(self),
            name,
        }
    }

    /// A name at this path: `author.articles.title`.
    pub(super) fn with(&self, name: &str) -> String {
        match self.parent {
            None => name.to_owned(),
            Some(parent) => format!("{}.{name}", parent.with(self.name)),
        }
    }

    /// The path as a client writes it: `populate[author][populate][articles]`; empty at the top.
    pub(super) fn parameter(&self) -> String {
        match self.parent {
            None => String::new(),
            Some(Self { parent: None, .. }) => format!("populate[{}]", self.name),
            Some(parent) => format!("{}[populate][{}]", parent.parameter(), self.name),
        }
    }

    /// A parameter at this path: `sort`, or `populate[comments][sort]`.
    pub(super) fn parameter_of(&self, parameter: &str) -> String {
        match self.parent {
            None => parameter.to_owned(),
            Some(_) => format!("{}[{parameter}]", self.parameter()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    /// Rule d83.
    #[test]
    fn a_path_reads_as_clients_write_it() {
        let top = Path::TOP;
        let author = top.below("author");
        let articles = author.below("articles");
        assert_eq!(top.with("title"), "title");
        assert_eq!(articles.with("title"), "author.articles.title");
        assert_eq!(top.parameter_of("sort"), "sort");
        assert_eq!(
            articles.parameter_of("sort"),
            "populate[author][populate][articles][sort]"
        );
    }
}
