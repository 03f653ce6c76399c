//! Asks a connection about itself.

use crate::execute::{ExecuteError, Reader};
use crate::render::{Shape, ShapeColumn};
use crate::sql::Statement;
use crate::vocabulary::{Key, Kind};

/// The rows of a statement with `N` columns, as texts; a null becomes an empty text.
pub(super) async fn texts<const N: usize>(
    reader: &dyn Reader,
    text: &str,
) -> Result<Vec<[String; N]>, ExecuteError> {
    let shape = Shape {
        columns: vec![ShapeColumn::key(Kind::Natural); N],
    };
    let batch = reader
        .read(Statement::new(text, Vec::new()), &shape)
        .await?;
    let text = |key: Option<&Key>| match key {
        None | Some(Key::Null) => String::new(),
        Some(key) => key.to_string(),
    };
    let row = |row| std::array::from_fn(|column| text(batch.keys(row).get(column)));
    Ok((0..batch.len()).map(row).collect())
}
