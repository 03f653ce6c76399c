//! Counts that requests share: each runs once for all requests that may use its result.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use sea_orm::sea_query::Value;

use super::count_key::{CountKey, KeyHash};
use super::error::ExecuteError;
use super::reader::SharedReader;
use super::statement::read_number;
use crate::sql::Statement;

impl SharedReader {
    /// The number that a statement returns, from a count that began after this call and that others may share.
    pub(super) async fn count_shared(&self, statement: Statement) -> Result<u64, ExecuteError> {
        if self.is_alone {
            return read_number(&*self.reader, statement).await;
        }
        let (key, reader) = (key(&statement), Arc::clone(&self.reader));
        let count = async move { read_number(&*reader, statement).await };
        let count = self.counts.join(key, count);
        count.await.map_err(ExecuteError::Shared)
    }

    /// The same, or a cached number, or one that is being counted already. Also returns whether it is exact.
    pub(super) async fn count_cached(
        &self,
        seconds: u64,
        statement: Statement,
    ) -> Result<(u64, bool), ExecuteError> {
        let key = key(&statement);
        if let Some(total) = self.counts.kept(&key, Instant::now()) {
            return Ok((total, false));
        }
        if let Some(running) = self.counts.running(&key) {
            return Ok((running.await.map_err(ExecuteError::Shared)?, false));
        }
        let total = self.count_shared(statement).await?;
        self.counts.keep(key, total, Instant::now(), seconds);
        Ok((total, true))
    }
}

/// Text and values. The conditions of scopes are among them, so a caller who sees other rows has another key.
fn key(statement: &Statement) -> CountKey {
    let mut hash = KeyHash::default();
    hash.write(statement.text.as_bytes());
    for value in &statement.values {
        match value {
            // Most values are of this type and need no formatter. They are marked by a byte that no debug output contains,
            // followed by the eight bytes of the number.
            Value::BigInt(Some(value)) => {
                hash.write(b"\x01");
                hash.write(&value.to_le_bytes());
            }
            other => {
                // Writing to a hash never fails.
                let _ = write!(hash, "\0{other:?}");
            }
        }
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b85.
    #[test]
    fn statements_with_other_texts_or_values_have_other_keys() {
        let of = |text: &str, values: &[Value]| key(&Statement::new(text, values.to_vec()));
        let one = of("SELECT $1", &[7_i64.into()]);
        assert_eq!(one, of("SELECT $1", &[7_i64.into()]));
        for other in [
            of("SELECT $2", &[7_i64.into()]),
            of("SELECT $1", &[8_i64.into()]),
            of("SELECT $1", &[7_i32.into()]),
            of("SELECT $1", &["7".into()]),
            of("SELECT $1", &[Value::BigInt(None)]),
            of("SELECT $1", &[7_i64.into(), 7_i64.into()]),
            of("SELECT $1", &[]),
        ] {
            assert_ne!(one, other);
        }
        let (text, number) = (Value::from("x"), Value::from(1_i64));
        let ways = [[text.clone(), number.clone()], [number, text]];
        assert_ne!(of("", &ways[0]), of("", &ways[1]));
    }
}
