//! `HAProxy` in front of the databases and of the copies of the service.

use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::galera;
use super::member::Member;
use super::postgres;
use super::programs::find;
use crate::machine::ports::free_port;
use crate::machine::temp::Folder;

const BEGINNING: &str = "\
global
    maxconn 4000

defaults
    timeout connect 2s
    timeout check 1s
    # Longer than connections of a pool are idle.
    timeout client 1h
    timeout server 1h
";

/// A database that is away for two looks has no clients any more: one that stands still ends no connection by itself.
const DATABASES: &str =
    "    default-server inter 500ms fall 2 rise 2 on-marked-down shutdown-sessions\n";

/// A copy that is not ready any more still answers what it was asked before, unless that takes longer than any request may. What
/// finds nobody goes to another copy at once.
///
/// A copy is not ready while its database does not answer. It is not given up for as long as a cluster takes to leave out a node.
const COPIES: &str = "    default-server inter 500ms fall 3 rise 2
    timeout check 2s
    timeout server 12s
    balance leastconn
    option httpchk GET /readyz
    option redispatch 1
";

/// What `HAProxy` asks a Galera node, which must be in step with the others.
const IN_STEP: &str = r#"#!/bin/sh
# Called with the address and port of the proxy, and of the server.
state=$(mariadb --no-defaults -h "$3" -P "$4" -u listing --connect-timeout=1 -N -B -e "
    SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'wsrep_local_state'")
test "$state" = 4
"#;

pub(super) struct Haproxy {
    _member: Member,
    socket: PathBuf,
    _folder: Folder,
}

/// Where the service finds a database.
pub(super) struct Databases {
    pub(super) url: String,
    /// Those from which the service may read.
    pub(super) replicas: Vec<String>,
}

impl Haproxy {
    /// In front of `PostgreSQL`, whose nodes tell it which of them leads.
    pub(super) fn before_postgres(cluster: &postgres::Postgres) -> Result<(Self, Databases)> {
        let primary = free_port()?;
        let mut text = listen("primary", primary, "tcp");
        text.push_str(DATABASES);
        text.push_str("    option httpchk GET /primary\n");
        for (number, node) in cluster.nodes.iter().enumerate() {
            text.push_str(&checked_by_rest(number, node));
        }
        // Every node, past the proxy: what is known of a position is known of one server. The service finds out by itself
        // which of them is the primary.
        let nodes = cluster.nodes.iter().map(|node| node.found_at().0.port());
        let replicas = nodes.map(url_of_postgres).collect();
        let databases = Databases {
            // Each connection is asked whether it still leads to the primary.
            url: format!(
                "{}?target_session_attrs=read-write",
                url_of_postgres(primary)
            ),
            replicas,
        };
        Ok((Self::start(&text, None)?, databases))
    }

    /// In front of Galera. One node has all clients, and keeps them until it is away: writes to several nodes at once would meet
    /// each other.
    pub(super) fn before_galera(cluster: &galera::Galera) -> Result<(Self, Databases)> {
        let port = free_port()?;
        let mut text = listen("primary", port, "tcp");
        text.push_str(DATABASES);
        text.push_str(
            "    option external-check\n    stick-table type ip size 1\n    stick on dst\n",
        );
        for (number, node) in cluster.nodes.iter().enumerate() {
            let backup = if number == 0 { "" } else { " backup" };
            let (number, address) = (number + 1, node.address);
            let _ = writeln!(text, "    server node{number} {address} check{backup}");
        }
        let databases = Databases {
            url: format!("mysql://listing@127.0.0.1:{port}/listing"),
            replicas: Vec::new(),
        };
        Ok((Self::start(&text, Some(IN_STEP))?, databases))
    }

    /// In front of copies of the service, which say themselves whether they are ready.
    pub(super) fn before_copies(copies: &[SocketAddr]) -> Result<(Self, SocketAddr)> {
        let port = free_port()?;
        let mut text = listen("service", port, "http");
        text.push_str(COPIES);
        for (number, address) in copies.iter().enumerate() {
            let _ = writeln!(text, "    server copy{} {address} check", number + 1);
        }
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        Ok((Self::start(&text, None)?, address))
    }

    fn start(servers: &str, check: Option<&str>) -> Result<Self> {
        let folder = Folder::create_unprivileged("cluster-haproxy")?;
        let mut text = String::from(BEGINNING);
        let socket = folder.join("socket");
        let mut global = format!(
            "global\n    stats socket {} level admin\n",
            socket.display()
        );
        if let Some(check) = check {
            folder.write("in-step", check)?;
            let file = folder.join("in-step");
            fs::set_permissions(&file, Permissions::from_mode(0o700))?;
            global.push_str("    external-check\n    insecure-fork-wanted\n");
            let _ = writeln!(
                text,
                "    external-check path \"/usr/sbin:/usr/bin:/sbin:/bin\"\n    external-check command {}",
                file.display()
            );
        }
        let text = format!("{global}{text}{servers}");
        folder.write("haproxy.cfg", &text)?;
        let mut haproxy = Command::new(find("haproxy")?);
        haproxy.args(["-db", "-f"]).arg(folder.join("haproxy.cfg"));
        let mut member = Member::new("haproxy", haproxy);
        member.launch()?;
        let answers = || UnixStream::connect(&socket).is_ok();
        member.wait_until(answers)?;
        Ok(Self {
            _member: member,
            socket,
            _folder: folder,
        })
    }

    /// The numbers of the servers, counted from 0, that take clients.
    pub(super) fn up(&self, listens: &str) -> Vec<usize> {
        let text = self.ask("show stat").unwrap_or_default();
        let rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let servers = rows.filter(|row| {
            row.first() == Some(&listens) && !matches!(row.get(1), Some(&("FRONTEND" | "BACKEND")))
        });
        let states = servers.map(|row| row.get(17).is_some_and(|state| state.starts_with("UP")));
        let numbered = states.enumerate().filter(|(_, is_up)| *is_up);
        numbered.map(|(number, _)| number).collect()
    }

    /// The server that has all clients, counted from 0.
    pub(super) fn kept(&self) -> Option<usize> {
        let text = self.ask("show table primary").ok()?;
        let (_, rest) = text.split_once("server_id=")?;
        let number: usize = rest.split_whitespace().next()?.parse().ok()?;
        number.checked_sub(1)
    }

    fn ask(&self, question: &str) -> Result<String> {
        let mut socket = UnixStream::connect(&self.socket)?;
        writeln!(socket, "{question}")?;
        let mut text = String::new();
        socket.read_to_string(&mut text)?;
        Ok(text)
    }
}

fn listen(name: &str, port: u16, mode: &str) -> String {
    format!("\nlisten {name}\n    bind 127.0.0.1:{port}\n    mode {mode}\n")
}

fn checked_by_rest(number: usize, node: &postgres::Node) -> String {
    let (database, rest) = node.found_at();
    let (number, port) = (number + 1, rest.port());
    format!("    server node{number} {database} check port {port}\n")
}

fn url_of_postgres(port: u16) -> String {
    format!("postgres://postgres@127.0.0.1:{port}/postgres")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::workspace_root;

    /// Rule b1175.
    #[test]
    fn the_guide_has_the_settings_that_are_tried() {
        let guide = workspace_root().join(Path::new("docs/scale.md"));
        let guide = fs::read_to_string(guide).unwrap();
        let check = IN_STEP.lines().skip(2);
        for line in DATABASES.lines().chain(COPIES.lines()).chain(check) {
            // The guide has a user for it alone.
            let line = line.trim().replace("-u listing", "-u check");
            assert!(guide.contains(&line), "docs/scale.md lacks `{line}`");
        }
    }
}
