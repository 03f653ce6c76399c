//! Reads the parameters that only an export has: how its file is written (d113, d114).

use super::error::RequestError;
use super::node::Node;
use super::pagination::boolean;
use super::place::Place;
use super::quote::Quote;

/// How the file of an export is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedExport {
    /// `header`: the contents of the first line.
    pub header: Header,
    /// `labels=true`: a column with the label of each value that has labels.
    pub labels: bool,
    /// `delimiter`: what stands between values of CSV.
    pub delimiter: u8,
    /// `bom=true`: three bytes at the beginning by which Excel knows UTF-8.
    pub bom: bool,
    /// `formulas=keep`: texts that a spreadsheet would take for formulas stay as they are.
    pub keeps_formulas: bool,
}

impl Default for AskedExport {
    fn default() -> Self {
        Self {
            header: Header::Names,
            labels: false,
            delimiter: b',',
            bom: false,
            keeps_formulas: false,
        }
    }
}

/// The contents of a file's first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Header {
    /// The names of the API.
    Names,
    /// The same as words.
    Titles,
    /// Nothing: the file begins with the first row.
    None,
}

const HEADERS: &[(&str, Header)] = &[
    ("names", Header::Names),
    ("titles", Header::Titles),
    ("none", Header::None),
];

const DELIMITERS: &[(&str, u8)] = &[(",", b','), (";", b';'), ("tab", b'\t'), ("\t", b'\t')];

const FORMULAS: &[(&str, bool)] = &[("escape", false), ("keep", true)];

/// Reads one of the [parameters](super::parameters::OF_EXPORTS).
pub(super) fn parameter(
    name: &str,
    node: Node<'_>,
    place: &Place<'_>,
    export: &mut AskedExport,
) -> Result<(), RequestError> {
    match name {
        "header" => export.header = one_of(node, place, HEADERS, "names, titles, none")?,
        "delimiter" => export.delimiter = one_of(node, place, DELIMITERS, "`,`, `;`, tab")?,
        "formulas" => export.keeps_formulas = one_of(node, place, FORMULAS, "escape, keep")?,
        "labels" => export.labels = boolean(node, place)?,
        _ => export.bom = boolean(node, place)?,
    }
    Ok(())
}

/// The meaning of one of these words.
fn one_of<T: Copy>(
    node: Node<'_>,
    place: &Place<'_>,
    words: &[(&str, T)],
    allowed: &'static str,
) -> Result<T, RequestError> {
    let text = node.into_one(place)?;
    let known = words.iter().find(|(word, _)| *word == text);
    known
        .map(|(_, meaning)| *meaning)
        .ok_or_else(|| RequestError::BadExportOption {
            parameter: place.quote(),
            token: Quote::new(&text),
            allowed,
        })
}
