//! Sends requests that schemathesis, from PyPI, makes from the OpenAPI document, and holds the answers against it.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::interrupt;

/// Answers are never a fault of the service, and always as the document says. That every request of the document's form is
/// accepted cannot be asked: a name may be taken, and `page` cannot stand next to `start`.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
    response_headers_conformance,response_schema_conformance";

/// Whether the service at that address answers as its document says.
pub(super) fn run(python: &Path, folder: &Path, blog: &str) -> Result<bool> {
    let mut run = Command::new(python.with_file_name("schemathesis"));
    run.args(["run", &format!("{blog}/api/openapi.json")])
        // Python 3.11 now and then fails when two threads parse Python at the same time (python/cpython#106905), as its
        // workers do.
        .args(["--checks", CHECKS, "--workers", "1"])
        .args(["--phases", "examples,coverage,fuzzing,stateful"])
        .args(["--seed", "1", "--no-color", "--warnings", "off"])
        .args([
            "--generation-database",
            "none",
            "--suppress-health-check",
            "all",
        ])
        // There it reads how many cases to try (`schemathesis.toml`), and keeps what it found.
        .current_dir(folder)
        .env("no_proxy", "127.0.0.1")
        .env("NO_PROXY", "127.0.0.1")
        .stdin(Stdio::null());
    Ok(interrupt::run(&mut run)?.success())
}
