//! Reads the rows of a statement as text.

use listing::execute::Reader;
use listing::render::{Shape, ShapeColumn};
use listing::{ExecuteError, Key, Kind, Statement};
use sea_orm::sea_query::Value;

/// Rows of `columns` columns; a null is "null".
pub(crate) async fn rows(
    reader: &impl Reader,
    columns: usize,
    text: &str,
    values: Vec<Value>,
) -> Result<Vec<Vec<String>>, ExecuteError> {
    let shape = Shape {
        columns: vec![ShapeColumn::key(Kind::Natural); columns],
    };
    let statement = Statement::new(text, values);
    let batch = reader.read(statement, &shape).await?;
    let text = |key: &Key| match key {
        Key::Null => "null".to_owned(),
        key => key.to_string(),
    };
    let row = |at| batch.keys(at).iter().map(text).collect();
    Ok((0..batch.len()).map(row).collect())
}

/// The one value of a statement without values.
pub(crate) async fn value(reader: &impl Reader, text: &str) -> String {
    let mut rows = rows(reader, 1, text, Vec::new()).await.unwrap();
    assert_eq!(rows.len(), 1, "{text}");
    rows.remove(0).remove(0)
}
