//! The rows of a statement as JSON, one after another, with their keys.

use serde::{Deserialize, Serialize};

use super::composed_id::ComposedId;
use super::error::DecodeError;
use super::json;
use super::key::key_of;
use super::member::Member;
use super::scalar::Scalar;
use crate::vocabulary::{Key, Kind};

/// How to render each column of a statement, in the statement's order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shape {
    /// One for each selected column.
    pub columns: Vec<ShapeColumn>,
}

/// How to render a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeColumn {
    /// The kind of the value in JSON.
    pub kind: Kind,
    /// The member's name, if the column is output.
    pub(super) output: Option<Member>,
    /// Whether the value is kept as a key.
    pub key: bool,
    /// Whether it is one of the columns that form `id`. They are adjacent.
    pub part: bool,
    /// Whether the value is known only after the row has been read, and is written later.
    pub(crate) later: bool,
    /// The statement's column, if it is not the one at the same place.
    pub(crate) place: Option<usize>,
}

impl ShapeColumn {
    /// A column that is rendered as `name`.
    #[must_use]
    pub fn output(name: &str, kind: Kind) -> Self {
        Self {
            kind,
            output: Some(Member::of(name)),
            key: false,
            part: false,
            later: false,
            place: None,
        }
    }

    /// A column that is only read for its value.
    #[must_use]
    pub fn key(kind: Kind) -> Self {
        Self {
            kind,
            output: None,
            key: true,
            part: false,
            later: false,
            place: None,
        }
    }

    /// The same column, also kept as a key.
    #[must_use]
    pub fn and_key(mut self) -> Self {
        self.key = true;
        self
    }
}

/// Rows as JSON, all in one buffer: a page takes a handful of allocations, rather than one for each value.
///
/// The buffer is a JSON array without its end (`[{"id":1},{"id":2}`), so that a page without relations need not be copied.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Batch {
    json: Vec<u8>,
    ends: Vec<usize>,
    keys: Vec<Key>,
    keys_per_row: usize,
    /// The places of values that are written later.
    gaps: Vec<usize>,
}

impl Batch {
    /// An empty batch with room for a page of the usual size, or for a few rows that are read only for a value.
    #[must_use]
    pub fn for_shape(shape: &Shape) -> Self {
        // An estimate of the size of a value. The buffer of a page that needs more grows a few times.
        const VALUE_BYTES: usize = 24;
        // A comma and two braces.
        const AROUND: usize = 3;
        let members = shape.columns.iter().filter_map(|one| one.output.as_ref());
        let row: usize = members.map(|member| member.len() + VALUE_BYTES).sum();
        let rows = if row == 0 { 2 } else { 32 };
        let keys = shape.columns.iter().filter(|column| column.key).count();
        Self {
            json: Vec::with_capacity(rows * (row + AROUND)),
            ends: Vec::with_capacity(rows),
            keys: Vec::with_capacity(rows * keys),
            keys_per_row: 0,
            gaps: Vec::new(),
        }
    }

    /// Adds a driver's row. All rows of a batch have the same shape.
    pub(crate) fn push(&mut self, shape: &Shape, row: &impl RowSource) -> Result<(), DecodeError> {
        let (json_before, keys_before) = (self.json.len(), self.keys.len());
        let gaps_before = self.gaps.len();
        let result = self.push_columns(shape, row);
        if result.is_ok() {
            self.ends.push(self.json.len());
            self.keys_per_row = self.keys.len() - keys_before;
        } else {
            self.json.truncate(json_before);
            self.keys.truncate(keys_before);
            self.gaps.truncate(gaps_before);
        }
        result
    }

    fn push_columns(&mut self, shape: &Shape, row: &impl RowSource) -> Result<(), DecodeError> {
        self.json
            .push(if self.json.is_empty() { b'[' } else { b',' });
        let start = self.json.len();
        let mut id = ComposedId::default();
        for (index, column) in shape.columns.iter().enumerate() {
            let index = column.place.unwrap_or(index);
            let at = |error: DecodeError| error.at(index);
            if column.part {
                id.push(row, index, column, &mut self.json).map_err(at)?;
            } else if let Some(member) = &column.output {
                id.finish(&mut self.json);
                member.write(&mut self.json);
                if column.later {
                    self.gaps.push(self.json.len());
                } else {
                    row.json(index, &column.kind, &mut self.json).map_err(at)?;
                }
            }
            if column.key {
                let scalar = row.scalar(index).map_err(at)?;
                self.keys.push(key_of(&scalar, &column.kind));
            }
        }
        id.finish(&mut self.json);
        // Each member comes after a comma, the first one after a brace.
        match self.json.get_mut(start) {
            Some(comma) => *comma = b'{',
            None => self.json.push(b'{'),
        }
        self.json.push(b'}');
        Ok(())
    }

    /// Adds the rows of a batch of the same shape.
    pub(crate) fn append(&mut self, other: Self) {
        if self.is_empty() {
            *self = other;
            return;
        }
        let before = self.json.len();
        self.json.extend_from_slice(&other.json);
        // Its bracket.
        if let Some(bracket) = self.json.get_mut(before) {
            *bracket = b',';
        }
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.keys.extend(other.keys);
        self.gaps.extend(other.gaps.iter().map(|gap| before + gap));
    }

    /// Appends the row's JSON object without its closing brace. `fill` writes the missing values, by their number.
    pub(crate) fn put_row(
        &self,
        index: usize,
        out: &mut Vec<u8>,
        mut fill: impl FnMut(usize, &mut Vec<u8>),
    ) {
        let row = self.row(index);
        let per_row = self.gaps.len() / self.len().max(1);
        let gaps = self.gaps.get(index * per_row..(index + 1) * per_row);
        let Some((start, gaps)) = self.start(index).zip(gaps) else {
            return out.extend_from_slice(row);
        };
        let mut written = 0;
        for (number, gap) in gaps.iter().enumerate() {
            let end = gap - start;
            out.extend_from_slice(&row[written..end]);
            fill(number, out);
            written = end;
        }
        out.extend_from_slice(&row[written..]);
    }

    /// The number of bytes of all rows.
    pub(crate) fn size(&self) -> usize {
        self.json.len()
    }

    /// An empty batch with room for as many rows as this one has.
    pub(crate) fn as_large(&self) -> Self {
        Self {
            json: Vec::with_capacity(self.json.capacity()),
            ends: Vec::with_capacity(self.ends.capacity()),
            keys: Vec::with_capacity(self.keys.capacity()),
            keys_per_row: 0,
            gaps: Vec::with_capacity(self.gaps.capacity()),
        }
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The row's JSON object without its closing brace; empty if there is no such row.
    #[must_use]
    pub fn row(&self, index: usize) -> &[u8] {
        match (self.start(index), self.ends.get(index)) {
            // Without its closing brace.
            (Some(start), Some(&end)) => &self.json[start..end - 1],
            _ => &[],
        }
    }

    /// The beginning of a row, after the bracket or comma before it.
    fn start(&self, index: usize) -> Option<usize> {
        match index.checked_sub(1) {
            None => Some(1),
            Some(previous) => self.ends.get(previous).map(|end| end + 1),
        }
    }

    /// The first `rows` rows, or all if there are fewer, as a JSON array.
    pub(crate) fn into_array(mut self, rows: usize) -> Vec<u8> {
        self.ends.truncate(rows);
        match self.ends.last() {
            Some(&end) => self.json.truncate(end),
            None => self.json = vec![b'['],
        }
        self.json.push(b']');
        self.json
    }

    /// The row's keys, in the order of the shape's key columns; empty if there is no such row.
    #[must_use]
    pub fn keys(&self, index: usize) -> &[Key] {
        let start = index.saturating_mul(self.keys_per_row);
        let end = start.saturating_add(self.keys_per_row);
        self.keys.get(start..end).unwrap_or_default()
    }
}

/// A driver's row.
pub(crate) trait RowSource {
    /// The value at a position of the statement.
    fn scalar(&self, index: usize) -> Result<Scalar<'_>, DecodeError>;

    /// Appends its JSON. A driver that can write values in their wire format is faster with its own implementation.
    fn json(&self, index: usize, kind: &Kind, out: &mut Vec<u8>) -> Result<(), DecodeError> {
        json::write(out, &self.scalar(index)?, kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Row(Vec<Result<Scalar<'static>, DecodeError>>);

    impl RowSource for Row {
        fn scalar(&self, index: usize) -> Result<Scalar<'_>, DecodeError> {
            self.0
                .get(index)
                .cloned()
                .unwrap_or(Err(DecodeError::Missing { column: index }))
        }
    }

    fn shape() -> Shape {
        Shape {
            columns: vec![
                ShapeColumn::output("id", Kind::Integer).and_key(),
                ShapeColumn::output("ti\"tle", Kind::Text),
                ShapeColumn::key(Kind::Uuid),
            ],
        }
    }

    #[test]
    fn rows_are_open_objects_with_their_keys() {
        let mut batch = Batch::for_shape(&shape());
        for id in [1, 2] {
            let row = Row(vec![
                Ok(Scalar::Int(id)),
                Ok(Scalar::text(b"x")),
                Ok(Scalar::Uuid([7; 16])),
            ]);
            batch.push(&shape(), &row).unwrap();
        }
        assert_eq!(batch.len(), 2);
        assert!(!batch.is_empty());
        assert_eq!(batch.row(0), br#"{"id":1,"ti\"tle":"x""#);
        assert_eq!(batch.row(1), br#"{"id":2,"ti\"tle":"x""#);
        assert_eq!(batch.keys(1), [Key::Int(2), Key::Uuid([7; 16])]);
        assert_eq!((batch.row(2), batch.keys(2)), (&[][..], &[][..]));
    }

    #[test]
    fn the_first_rows_are_an_array() {
        let shape = Shape {
            columns: vec![ShapeColumn::output("id", Kind::Integer)],
        };
        let mut batch = Batch::for_shape(&shape);
        let array =
            |batch: &Batch, rows| String::from_utf8(batch.clone().into_array(rows)).unwrap();
        assert_eq!(array(&batch, 1), "[]");
        for id in 1..=3 {
            let row = Row(vec![Ok(Scalar::Int(id))]);
            batch.push(&shape, &row).unwrap();
        }
        assert_eq!(array(&batch, 0), "[]");
        assert_eq!(array(&batch, 2), r#"[{"id":1},{"id":2}]"#);
        batch.append(batch.clone());
        let all = r#"[{"id":1},{"id":2},{"id":3},{"id":1},{"id":2},{"id":3}]"#;
        assert_eq!(array(&batch, 6), all);
        assert_eq!(array(&batch, usize::MAX), all);
    }

    /// Rule b360.
    #[test]
    fn a_key_of_several_columns_is_one_member() {
        let part = |kind| ShapeColumn {
            part: true,
            ..ShapeColumn::key(kind)
        };
        let shape = Shape {
            columns: vec![
                part(Kind::Integer),
                part(Kind::Text),
                ShapeColumn::output("title", Kind::Text),
            ],
        };
        let mut batch = Batch::for_shape(&shape);
        let row = [Scalar::Int(7), Scalar::text(b"a,\"~"), Scalar::text(b"x")];
        batch.push(&shape, &Row(row.map(Ok).into())).unwrap();
        assert_eq!(batch.row(0), br#"{"id":"7,a~1\"~0","title":"x""#);
        assert_eq!(batch.keys(0), [Key::Int(7), Key::Text("a,\"~".into())]);
    }

    #[test]
    fn batches_are_joined() {
        let of = |id| {
            let mut batch = Batch::default();
            let row = [Scalar::Int(id), Scalar::text(b"x"), Scalar::Uuid([7; 16])];
            batch.push(&shape(), &Row(row.map(Ok).into())).unwrap();
            batch
        };
        let mut batch = Batch::default();
        batch.append(of(1));
        batch.append(of(2));
        batch.append(Batch::default());
        assert_eq!(batch.len(), 2);
        assert_eq!(batch.row(1), of(2).row(0));
        assert_eq!(batch.keys(1), of(2).keys(0));
    }

    #[test]
    fn a_row_that_cannot_be_read_leaves_no_trace() {
        let mut batch = Batch::default();
        let row = Row(vec![
            Ok(Scalar::Int(1)),
            Err(DecodeError::malformed("text")),
        ]);
        assert_eq!(
            batch.push(&shape(), &row).unwrap_err().to_string(),
            "column 1 holds a malformed text"
        );
        assert_eq!(batch, Batch::default());
    }

    #[test]
    fn a_row_without_members_is_still_an_object() {
        let mut batch = Batch::default();
        let shape = Shape {
            columns: vec![ShapeColumn::key(Kind::Integer)],
        };
        batch.push(&shape, &Row(vec![Ok(Scalar::Null)])).unwrap();
        assert_eq!(batch.row(0), b"{");
        assert_eq!(batch.keys(0), [Key::Null]);
        batch.push(&Shape::default(), &Row(vec![])).unwrap();
        assert_eq!(batch.row(1), b"{");
    }
}
