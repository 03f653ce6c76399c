//! Downloads files whose length nobody knows beforehand, and counts what is in them.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// A file that has come whole.
pub(crate) struct Downloaded {
    pub(crate) took: Duration,
    pub(crate) bytes: usize,
    /// How many lines it has, if it is a text.
    pub(crate) lines: usize,
}

/// Asks on a connection of its own.
pub(crate) async fn download(address: SocketAddr, target: &str) -> Result<Downloaded> {
    let begun = Instant::now();
    let stream = TcpStream::connect(address).await?;
    let mut stream = BufReader::with_capacity(64 * 1024, stream);
    let request = format!("GET {target} HTTP/1.1\r\nhost: bench\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let length = read_head(&mut stream, target).await?;
    let (mut bytes, mut lines) = (0, 0);
    let mut piece = Vec::new();
    loop {
        let next = match length {
            Some(length) => length - bytes,
            None => chunk(&mut stream).await?,
        };
        if next == 0 {
            break;
        }
        piece.resize(next.min(64 * 1024), 0);
        let mut left = next;
        while left > 0 {
            let read = &mut piece[..left.min(64 * 1024)];
            stream
                .read_exact(read)
                .await
                .context("the file is cut off")?;
            lines += read.iter().filter(|byte| **byte == b'\n').count();
            left -= read.len();
        }
        bytes += next;
        if length.is_none() {
            // A chunk ends in a line of its own.
            let mut end = [0; 2];
            stream.read_exact(&mut end).await?;
        }
    }
    Ok(Downloaded {
        took: begun.elapsed(),
        bytes,
        lines,
    })
}

/// The length, unless the body comes in chunks.
async fn read_head(stream: &mut BufReader<TcpStream>, target: &str) -> Result<Option<usize>> {
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = String::new();
        ensure!(stream.read_line(&mut line).await? > 0, "no HTTP answer");
        let line = line.trim_end();
        if is_first {
            ensure!(line.contains(" 200 "), "{target} was answered with {line}");
            is_first = false;
        } else if let Some(value) = line.strip_prefix("content-length: ") {
            length = Some(value.parse()?);
        } else if line.is_empty() {
            return Ok(length);
        }
    }
}

/// How long the next chunk is; 0 after the last one.
async fn chunk(stream: &mut BufReader<TcpStream>) -> Result<usize> {
    let mut line = String::new();
    stream.read_line(&mut line).await?;
    match usize::from_str_radix(line.trim_end(), 16) {
        Ok(length) => Ok(length),
        Err(_) => bail!("the file is cut off"),
    }
}
