//! Sends requests with `wrk`, whose own cost for a request is smaller than that of a client in Rust and hides less of the server's.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs, process};

use anyhow::{Context, Result, ensure};

use crate::load::Slice;

/// A script for `wrk` that asks for each target in turn. It is removed when dropped.
pub(crate) struct Wrk {
    address: SocketAddr,
    connections: usize,
    script: PathBuf,
}

impl Wrk {
    pub(crate) fn new(address: SocketAddr, targets: &[String], connections: usize) -> Result<Self> {
        let name = format!("listing-wrk-{}-{}.lua", process::id(), address.port());
        let script = env::temp_dir().join(name);
        fs::write(&script, lua(targets))?;
        Ok(Self {
            address,
            connections,
            script,
        })
    }

    /// Asks for so many whole seconds, at least one.
    pub(crate) fn slice(&self, length: Duration) -> Result<Slice> {
        let ran = Command::new("wrk")
            .arg("-t1")
            .arg(format!("-c{}", self.connections))
            .arg(format!("-d{}s", length.as_secs().max(1)))
            .arg("-s")
            .arg(&self.script)
            .arg(format!("http://{}/", self.address))
            .stdin(Stdio::null())
            .output()
            .context("`wrk` does not start; it is Debian's package `wrk`")?;
        let said = String::from_utf8_lossy(&ran.stdout);
        ensure!(ran.status.success(), "wrk failed: {said}");
        ensure!(
            !said.contains("Non-2xx"),
            "not every answer was 200: {said}"
        );
        let slice = slice_of(&said);
        slice.with_context(|| format!("wrk says something else: {said}"))
    }
}

impl Drop for Wrk {
    fn drop(&mut self) {
        // It is in the folder for temporary files: if it stays, nothing is lost.
        let _ = fs::remove_file(&self.script);
    }
}

fn lua(targets: &[String]) -> String {
    let targets: Vec<_> = targets.iter().map(|target| format!("{target:?}")).collect();
    format!(
        "local targets = {{ {} }}\n\
         local requests = {{}}\n\
         local next = 0\n\
         function init()\n\
         \x20 for index, target in ipairs(targets) do requests[index] = wrk.format('GET', target) end\n\
         end\n\
         function request()\n\
         \x20 next = next % #requests + 1\n\
         \x20 return requests[next]\n\
         end\n\
         function done(summary)\n\
         \x20 io.write(string.format('answered %d in %d\\n', summary.requests, summary.duration))\n\
         end\n",
        targets.join(", ")
    )
}

/// Of the line that the script writes; the time is in microseconds.
fn slice_of(said: &str) -> Option<Slice> {
    let line = said
        .lines()
        .find_map(|line| line.strip_prefix("answered "))?;
    let (requests, elapsed) = line.split_once(" in ")?;
    Some(Slice {
        requests: requests.parse().ok()?,
        elapsed: Duration::from_micros(elapsed.parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_wrk_says_is_understood() {
        let said = "Running 2s test\n  Requests/sec: 10\nanswered 40 in 2000000\n";
        assert_eq!(slice_of(said).map(|slice| slice.per_second()), Some(20.0));
        assert!(slice_of("Requests/sec: 10").is_none());
    }
}
