//! Downloads all rows of a list as a file.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use clap::ValueEnum;
use http_body_util::BodyExt as _;
use tempfile::NamedTempFile;
use tokio::time::timeout;

use crate::arguments::{ExportArguments, ExportFormat};
use crate::remote::{self, Address, Reply};
use crate::terminal::Download;
use crate::wait::wait_for;

/// How long the service may send nothing. It ends exports that take too long by itself.
const SILENCE: Duration = Duration::from_secs(600);

pub(crate) fn run(arguments: &ExportArguments) -> Result<()> {
    let format = format(arguments)?;
    let address = Address::of(&arguments.from, |api| target(api, &arguments.list, format))?;
    let token = remote::token(arguments.token.as_ref());
    wait_for(async {
        let reply = timeout(SILENCE, address.get("*/*", token.as_deref())).await;
        let reply = reply.with_context(|| format!("{address} does not answer"))??;
        let remedy = "there may be no such list, or it is not exported in this format";
        let reply = address
            .success(reply, token.is_some(), "export", remedy)
            .await?;
        is_file(&address, &reply, format)?;
        match &arguments.output {
            None => copy(reply, &mut io::stdout().lock(), !io::stdout().is_terminal()).await,
            Some(file) => save(reply, file).await,
        }
    })
}

/// The requested format, or that of the file's name.
fn format(arguments: &ExportArguments) -> Result<ExportFormat> {
    let output = arguments.output.as_deref();
    match (arguments.format, output) {
        (Some(format), _) => Ok(format),
        (None, None) => Ok(ExportFormat::Csv),
        (None, Some(file)) => {
            let extension = file.extension().unwrap_or_default().to_string_lossy();
            ExportFormat::from_str(&extension, true).map_err(|_| {
                anyhow!(
                    "`{}` does not say which format it has; end its name in `.csv`, `.ndjson` or `.xlsx`, or pass `--format`",
                    file.display()
                )
            })
        }
    }
}

/// `articles?sort=id` below the path of the API, as an address: `/api/articles.csv?sort=id`.
fn target(api: &str, list: &str, format: ExportFormat) -> String {
    let (name, query) = list.split_once('?').unwrap_or((list, ""));
    let format = format.to_possible_value();
    let format = format.as_ref().map_or("csv", |format| format.get_name());
    let mut target = format!("{api}/{}.{format}", name.trim_matches('/'));
    if !query.is_empty() {
        target.push('?');
        target.push_str(query);
    }
    let mut encoded = String::with_capacity(target.len());
    for byte in target.bytes() {
        match byte {
            // The characters that an address may contain, and those that are encoded already.
            b'!' | b'$'..=b';' | b'=' | b'?'..=b'[' | b']' | b'_' | b'a'..=b'z' | b'~' => {
                encoded.push(char::from(byte));
            }
            // Nothing fails that is written to a text.
            _ => drop(write!(encoded, "%{byte:02X}")),
        }
    }
    encoded
}

/// Fails if the answer is something else, such as the page of another program, or could break off without being noticed.
fn is_file(address: &Address, reply: &Reply, format: ExportFormat) -> Result<()> {
    let wanted = match format {
        ExportFormat::Csv => "text/csv",
        ExportFormat::Ndjson => "application/x-ndjson",
        ExportFormat::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    };
    let found = reply.headers.get(CONTENT_TYPE);
    let found = found.and_then(|found| found.to_str().ok());
    let found = found.unwrap_or("nothing that has a type");
    if !found.starts_with(wanted) {
        bail!("{address} answers with {found} instead of {wanted}; is it the address of a service?")
    }
    if !reply.headers.contains_key(CONTENT_LENGTH) && !reply.headers.contains_key(TRANSFER_ENCODING)
    {
        bail!("{address} does not say where its answer ends, so that a broken one would look whole")
    }
    Ok(())
}

/// Writes the file under another name, and renames it when it is complete.
async fn save(reply: Reply, file: &Path) -> Result<()> {
    let cannot = || format!("cannot write `{}`", file.display());
    // It would be replaced, and not written to.
    if file.symlink_metadata().is_ok_and(|known| !known.is_file()) {
        bail!(
            "{}: it is not a plain file; leave `--output` out and redirect the output",
            cannot()
        )
    }
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut part = part_in(folder.unwrap_or(Path::new("."))).with_context(cannot)?;
    copy(reply, part.as_file_mut(), true).await?;
    part.persist(file).with_context(cannot)?;
    Ok(())
}

/// A file that is gone if it does not get its name.
fn part_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".listing-").suffix(".part");
    // As any file that a command writes: what others may do is the user's choice.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Writes the answer of the service, if it is complete. Progress is not shown if rows are printed to the same terminal.
async fn copy(reply: Reply, to: &mut impl Write, is_shown: bool) -> Result<()> {
    let mut body = reply.body;
    let progress = Download::new(is_shown);
    let mut bytes: u64 = 0;
    loop {
        let broken =
            || format!("the export broke off after {bytes} bytes: what has come is not all of it");
        let frame = timeout(SILENCE, body.frame()).await.with_context(broken)?;
        let Some(frame) = frame.transpose().with_context(broken)? else {
            break;
        };
        if let Ok(data) = frame.into_data() {
            to.write_all(&data).context("cannot write the rows")?;
            bytes += data.len() as u64;
            progress.at(bytes);
        }
    }
    to.flush().context("cannot write the rows")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// Rule b1045.
    #[test]
    fn the_address_of_a_file_is_that_of_its_list_with_the_format() {
        for (list, address) in [
            ("articles", "/api/articles.csv"),
            ("/articles?sort=id", "/api/articles.csv?sort=id"),
            (
                "articles?filters[title][$contains]=a b&search=\"é\"#1",
                "/api/articles.csv?filters[title][$contains]=a%20b&search=%22%C3%A9%22%231",
            ),
            ("articles?search=a%20b", "/api/articles.csv?search=a%20b"),
        ] {
            assert_eq!(target("/api", list, ExportFormat::Csv), address);
        }
    }

    fn of(format: Option<ExportFormat>, output: Option<&str>) -> Result<ExportFormat> {
        super::format(&ExportArguments {
            from: String::new(),
            list: String::new(),
            format,
            output: output.map(PathBuf::from),
            token: None,
        })
    }

    /// Rule b1045.
    #[test]
    fn the_format_is_that_of_the_files_name_unless_it_is_said() {
        assert_eq!(of(None, None).unwrap(), ExportFormat::Csv);
        assert_eq!(of(None, Some("a.XLSX")).unwrap(), ExportFormat::Xlsx);
        let said = Some(ExportFormat::Ndjson);
        assert_eq!(of(said, Some("a.txt")).unwrap(), ExportFormat::Ndjson);
        for wrong in ["a.txt", "a", ".csv"] {
            let error = of(None, Some(wrong)).unwrap_err().to_string();
            assert!(
                error.contains(wrong) && error.contains("--format"),
                "{error}"
            );
        }
    }
}
