//! Installs missing packages, or says what to install.

use std::fmt::Write as _;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::temp::am_root;
use crate::interrupt;

pub(crate) struct Packages {
    /// What they provide.
    pub(crate) brings: &'static str,
    /// Their names on Debian.
    pub(crate) names: &'static [&'static str],
    /// The variable that names a server to use instead, if there is one.
    pub(crate) variable: Option<&'static str>,
}

/// Only the programs are needed. `policy-rc.d`, Debian's switch for that, keeps packages from starting their servers and is
/// removed afterwards; one that already exists is the administrator's and stays.
/// (PostgreSQL's package still prepares a cluster of its own, which stays stopped.)
/// `--no-remove`: MariaDB would otherwise push out a MySQL that is in use.
const SCRIPT: &str = r#"
set -e
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    trap 'exit 1' HUP INT TERM
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
fi
export DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1
install() {
    apt-get install -qq -y --no-install-recommends --no-remove \
        -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@"
}
# Lists that are missing or out of date are fetched only then: it takes a while.
install "$@" || { apt-get update -qq -o DPkg::Lock::Timeout=300 && install "$@"; }
"#;

pub(crate) fn install(missing: &[&Packages]) -> Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missing.iter().flat_map(|p| p.names).collect();
    let Some(mut shell) = root_shell() else {
        bail!(
            "{}(they cannot be installed automatically: that takes Debian's apt-get, and root or passwordless sudo)",
            what_to_do(missing)
        );
    };
    eprintln!("installing {names:?}");
    let status = shell
        .args(["-c", SCRIPT, "install"])
        .args(&names)
        .stdin(Stdio::null())
        // Standard output is for results.
        .stdout(io::stderr())
        // Out of reach of Ctrl-C: a half-finished installation would be worse than waiting.
        .process_group(0)
        .status()
        .context("cannot run apt-get")?;
    interrupt::check()?;
    if !status.success() {
        bail!("apt-get failed ({status}); {}", what_to_do(missing));
    }
    Ok(())
}

/// A shell that may install, if there is one.
fn root_shell() -> Option<Command> {
    let has_apt = Path::new("/usr/bin/apt-get").exists();
    if !has_apt {
        return None;
    }
    if am_root() {
        return Some(Command::new("sh"));
    }
    let mut sudo_works = Command::new("sudo");
    sudo_works
        .args(["-n", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    sudo_works.status().ok().filter(|status| status.success())?;
    let mut sudo = Command::new("sudo");
    sudo.args(["-n", "sh"]);
    Some(sudo)
}

fn what_to_do(missing: &[&Packages]) -> String {
    let mut text = String::from("the tests need programs that are not installed:\n");
    for packages in missing {
        let _ = write!(
            text,
            "  {} (Debian: apt-get install {})",
            packages.brings,
            packages.names.join(" ")
        );
        if let Some(variable) = packages.variable {
            let _ = write!(text, ", or a server named in {variable}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_do_names_packages_and_the_way_around_them() {
        let server = Packages {
            brings: "a server",
            names: &["server-core", "server-client"],
            variable: Some("SERVER_URL"),
        };
        let tool = Packages {
            brings: "a tool",
            names: &["tool"],
            variable: None,
        };
        assert_eq!(
            what_to_do(&[&server, &tool]),
            "the tests need programs that are not installed:\n  \
             a server (Debian: apt-get install server-core server-client), or a server named in SERVER_URL\n  \
             a tool (Debian: apt-get install tool)\n"
        );
    }
}
