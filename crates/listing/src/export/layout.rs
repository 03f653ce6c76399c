//! The columns of a file, fixed before its first row (d113).

use crate::plan::{Plan, PlannedColumn, RelationPlan};
use crate::render::{Shape, ShapeColumn};
use crate::request::Header;
use crate::vocabulary::Kind;

/// The visible parts of a row, in the order of the values that are read.
#[derive(Debug)]
pub(super) struct Layout<'p> {
    pub(super) parts: Vec<Part<'p>>,
    pub(super) shape: Shape,
}

/// A visible part of a row.
#[derive(Debug)]
pub(super) enum Part<'p> {
    /// One value.
    Value {
        name: &'p str,
        kind: &'p Kind,
        /// The index of its value's labels, if they are shown too.
        label: Option<usize>,
    },
    /// The number of related rows.
    Count { name: &'p str },
    /// One related row: first whether it exists, then its visible parts.
    One { name: &'p str, parts: Vec<Part<'p>> },
}

/// The kind of several columns that are shown as one `id`.
const ID: &Kind = &Kind::Text;

impl<'p> Layout<'p> {
    /// The visible parts of a plan's rows. `labels` are the names of the fields with labels. If relations are nested in the rows,
    /// their keys are kept.
    pub(super) fn of(plan: &'p Plan<'_>, labels: &[&str], nests: bool) -> Self {
        let mut layout = Self {
            parts: Vec::new(),
            shape: Shape::default(),
        };
        let mut parts = layout.own(&plan.columns);
        for part in &mut parts {
            if let Part::Value { name, label, .. } = part {
                *label = labels.iter().position(|of| of == name);
            }
        }
        for relation in &plan.relations {
            let part = layout.relation(relation);
            parts.push(part);
        }
        layout.parts = parts;
        if layout.is_plain() {
            layout.shape = named(&plan.columns);
        }
        if nests {
            let kept = layout.shape.columns.iter_mut().zip(&plan.columns);
            kept.for_each(|(column, planned)| column.key = planned.key);
        }
        layout
    }

    /// Whether the JSON of a row is the same as in the list.
    pub(super) fn is_plain(&self) -> bool {
        let is_plain = |part: &Part<'_>| matches!(part, Part::Value { label: None, .. });
        self.parts.iter().all(is_plain)
    }

    /// The columns of a table. Those that are only needed for joins are not shown.
    fn own(&mut self, columns: &'p [PlannedColumn<'_>]) -> Vec<Part<'p>> {
        let mut parts = Vec::with_capacity(columns.len());
        let mut is_id = false;
        for column in columns {
            self.shape.columns.push(shape_of(column, ""));
            match column.output {
                Some(name) => parts.push(Part::Value {
                    name,
                    kind: column.kind,
                    label: None,
                }),
                None if column.part && !is_id => parts.push(Part::Value {
                    name: "id",
                    kind: ID,
                    label: None,
                }),
                None => {}
            }
            is_id = column.part;
        }
        parts
    }

    fn relation(&mut self, relation: &'p RelationPlan<'_>) -> Part<'p> {
        let name = relation.name;
        if relation.count {
            let count = ShapeColumn::output("", Kind::Integer);
            self.shape.columns.push(count);
            return Part::Count { name };
        }
        let is_there = ShapeColumn::output("", Kind::Boolean);
        self.shape.columns.push(is_there);
        let shown = relation.columns.iter();
        let shown = shown.take_while(|column| column.output.is_some() || column.part);
        let mut parts = self.own(&relation.columns[..shown.count()]);
        for further in &relation.relations {
            let part = self.relation(further);
            parts.push(part);
        }
        Part::One { name, parts }
    }

    /// The first line of a file.
    pub(super) fn header(&self, header: Header) -> Vec<String> {
        let mut names = match header {
            Header::None => Vec::new(),
            Header::Names | Header::Titles => names(&self.parts),
        };
        if header == Header::Titles {
            names.iter_mut().for_each(|name| *name = title(name));
        }
        names
    }
}

/// The names of the columns in the API.
pub(super) fn names(parts: &[Part<'_>]) -> Vec<String> {
    let mut names = Vec::new();
    add_names(parts, "", &mut names);
    names
}

/// The columns of a plan under their own names.
fn named(columns: &[PlannedColumn<'_>]) -> Shape {
    let columns = columns.iter();
    let columns = columns.map(|column| shape_of(column, column.output.unwrap_or_default()));
    Shape {
        columns: columns.collect(),
    }
}

fn shape_of(column: &PlannedColumn<'_>, name: &str) -> ShapeColumn {
    let kind = column.kind.clone();
    if column.output.is_some() {
        return ShapeColumn::output(name, kind);
    }
    let mut shape = ShapeColumn::key(kind);
    (shape.part, shape.key) = (column.part, false);
    shape
}

fn add_names(parts: &[Part<'_>], before: &str, names: &mut Vec<String>) {
    for part in parts {
        match part {
            Part::Value { name, label, .. } => {
                names.push(format!("{before}{name}"));
                if label.is_some() {
                    names.push(format!("{before}{name}.label"));
                }
            }
            Part::Count { name } => names.push(format!("{before}{name}.count")),
            Part::One { name, parts } => add_names(parts, &format!("{before}{name}."), names),
        }
    }
}

/// `author.created_at` as a title: `Author created at`.
fn title(name: &str) -> String {
    let mut title = String::with_capacity(name.len() + 4);
    let mut was_lower = false;
    for letter in name.chars() {
        match letter {
            '_' | '-' | '.' => title.push(' '),
            letter if title.is_empty() => title.extend(letter.to_uppercase()),
            letter if letter.is_uppercase() && was_lower => {
                title.push(' ');
                title.extend(letter.to_lowercase());
            }
            letter => title.push(letter),
        }
        was_lower = letter.is_lowercase();
    }
    title
}

#[cfg(test)]
mod tests {
    use super::title;

    /// Rule d113.
    #[test]
    fn titles_are_names_as_words() {
        for (name, words) in [
            ("id", "Id"),
            ("created_at", "Created at"),
            ("createdAt", "Created at"),
            ("author.name", "Author name"),
            ("comments.count", "Comments count"),
            ("", ""),
        ] {
            assert_eq!(title(name), words);
        }
    }
}
