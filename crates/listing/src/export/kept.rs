//! Stores the rows of an export in a temporary file until their statement is done and their relations can be read.
//!
//! A connection runs one statement at a time, and only one connection sees the snapshot. MariaDB has no cursor that returns rows
//! in between, so they are stored outside of memory (b1040).

use std::io::{Error, ErrorKind, SeekFrom};
use std::sync::Arc;

use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _, BufReader, BufWriter};

use crate::execute::{ExecuteError, RowsToCome};
use crate::render::Batch;

/// Rows in the order in which they were read. The file has no name, and is deleted when this is dropped.
pub(super) struct Kept(BufReader<File>);

impl Kept {
    /// Stores all rows of a statement.
    pub(super) async fn of(mut rows: RowsToCome) -> Result<Self, ExecuteError> {
        let file = tempfile::tempfile().map_err(failed)?;
        let mut file = BufWriter::new(File::from_std(file));
        while let Some(batch) = rows.next().await {
            put(&mut file, &batch).await.map_err(failed)?;
        }
        file.flush().await.map_err(failed)?;
        let mut file = file.into_inner();
        file.seek(SeekFrom::Start(0)).await.map_err(failed)?;
        Ok(Self(BufReader::new(file)))
    }

    /// The next batch, as it was stored; `None` if there are no more.
    pub(super) async fn next(&mut self) -> Result<Option<Batch>, ExecuteError> {
        self.take().await.map_err(failed)
    }

    async fn take(&mut self) -> Result<Option<Batch>, Error> {
        let size = match self.0.read_u32_le().await {
            Ok(size) => size,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut bytes = vec![0; size.try_into().map_err(Error::other)?];
        self.0.read_exact(&mut bytes).await?;
        postcard::from_bytes(&bytes).map(Some).map_err(Error::other)
    }
}

/// Writes the size of a batch, then the batch.
async fn put(file: &mut BufWriter<File>, batch: &Batch) -> Result<(), Error> {
    let bytes = postcard::to_allocvec(batch).map_err(Error::other)?;
    let size = bytes.len().try_into().map_err(Error::other)?;
    file.write_u32_le(size).await?;
    file.write_all(&bytes).await
}

fn failed(error: Error) -> ExecuteError {
    ExecuteError::TemporaryFile(Arc::new(error))
}
