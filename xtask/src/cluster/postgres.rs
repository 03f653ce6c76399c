//! A PostgreSQL cluster: three nodes under Patroni, which etcd tells who leads.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::member::Member;
use super::programs::{PATRONI, find};
use crate::databases;
use crate::machine::client::{Answer, Client};
use crate::machine::ports::free_port;
use crate::machine::python;
use crate::machine::relay::Relay;
use crate::machine::temp::Folder;

/// How long a question about the state of a node may take.
const LOOK: Duration = Duration::from_secs(2);

pub(super) struct Postgres {
    pub(super) nodes: Vec<Node>,
    _etcd: Member,
    programs: PathBuf,
    // Dropped last: all rows are here.
    folder: Folder,
}

pub(super) struct Node {
    member: Member,
    /// Where PostgreSQL itself listens.
    database: u16,
    /// Where Patroni itself answers.
    rest: SocketAddr,
    /// In front of both, and between the node and etcd. The replicas of a primary come through these too.
    relays: Relays,
}

struct Relays {
    database: Relay,
    rest: Relay,
    etcd: Relay,
}

impl Postgres {
    pub(super) fn start() -> Result<Self> {
        let folder = Folder::create_unprivileged("cluster")?;
        let programs = databases::postgres_programs()?;
        let patroni = python::bring(&folder, &python::find_or_install()?, PATRONI)?.join("patroni");
        let (etcd, etcd_address) = start_etcd(&folder)?;
        let mut nodes = Vec::new();
        for number in 1..=3 {
            let patroni = Command::new(&patroni);
            nodes.push(Node::launch(
                number,
                &folder,
                patroni,
                &programs,
                etcd_address,
            )?);
        }
        Ok(Self {
            nodes,
            _etcd: etcd,
            programs,
            folder,
        })
    }

    /// Whether all nodes agree that one of them leads and the others follow it, one in step.
    pub(super) fn is_healthy(&self) -> bool {
        self.nodes.iter().all(|node| match node.ask("/cluster") {
            Answer::Whole {
                status: 200, body, ..
            } => serde_json::from_slice(&body).is_ok_and(|cluster| agree(&cluster)),
            _ => false,
        })
    }

    /// The node that leads.
    pub(super) fn primary(&self) -> Result<usize> {
        let leads = |node: &Node| node.says("/primary");
        let found = self.nodes.iter().position(leads);
        found.context("no node leads")
    }

    pub(super) fn member(&mut self, node: usize) -> &mut Member {
        &mut self.nodes[node].member
    }

    /// As if the cables of a node had been pulled.
    pub(super) fn cut_off(&self, node: usize) {
        self.nodes[node].relays.each(Relay::hold);
    }

    pub(super) fn connect(&self, node: usize) {
        self.nodes[node].relays.each(Relay::let_pass);
    }

    /// Another node becomes the primary, in order.
    pub(super) fn switch_over(&self, primary: usize) -> Result<()> {
        let node = &self.nodes[primary];
        let leader = json!({ "leader": node.member.name }).to_string();
        match Client::new(node.rest).post("/switchover", &leader) {
            Answer::Whole { status: 200, .. } => Ok(()),
            Answer::Whole { status, body, .. } => {
                let body = String::from_utf8_lossy(&body);
                bail!("no switch to another primary: {status} {body}")
            }
            Answer::None | Answer::Cut => bail!("Patroni did not answer"),
        }
    }

    /// What a statement gives on one node, asked past everything that stands in front of it.
    pub(super) fn ask(&self, node: usize, statement: &str) -> Result<String> {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args([
            "-X",
            "-q",
            "-A",
            "-t",
            "-F",
            "\t",
            "-h",
            "127.0.0.1",
            "-U",
            "postgres",
        ])
        .args(["-p", &self.nodes[node].database.to_string()])
        .args(["-c", statement])
        .env("PGCONNECT_TIMEOUT", "5");
        super::system::output(psql, &self.folder)
    }
}

impl Node {
    fn launch(
        number: usize,
        folder: &Folder,
        mut patroni: Command,
        programs: &Path,
        etcd: SocketAddr,
    ) -> Result<Self> {
        let name = format!("node{number}");
        let database = free_port()?;
        let rest = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        let relays = Relays {
            database: Relay::start(SocketAddr::from(([127, 0, 0, 1], database)))?,
            rest: Relay::start(rest)?,
            etcd: Relay::start(etcd)?,
        };
        let rows = folder.join(&name);
        let configuration = configuration(&name, &rows, programs, database, rest, &relays);
        let file = format!("{name}.yml");
        // YAML is a superset of JSON.
        folder.write(&file, &serde_json::to_string_pretty(&configuration)?)?;
        patroni.arg(folder.join(&file));
        let mut member = Member::new(&name, patroni).with_noted(rows.join("postmaster.pid"), rows);
        member.launch()?;
        Ok(Self {
            member,
            database,
            rest,
            relays,
        })
    }

    /// Where it is found by others: behind its relays.
    pub(super) fn found_at(&self) -> (SocketAddr, SocketAddr) {
        (self.relays.database.address, self.relays.rest.address)
    }

    fn ask(&self, target: &str) -> Answer {
        Client::with_patience(self.rest, LOOK).get(target)
    }

    fn says(&self, target: &str) -> bool {
        matches!(self.ask(target), Answer::Whole { status: 200, .. })
    }
}

impl Relays {
    fn each(&self, what: impl Fn(&Relay)) {
        for relay in [&self.etcd, &self.database, &self.rest] {
            what(relay);
        }
    }
}

/// Whether what Patroni says of a cluster is that everything is in order.
fn agree(cluster: &Value) -> bool {
    let members = cluster["members"].as_array();
    let members = members.map_or(&[][..], Vec::as_slice);
    let number = |role| {
        members
            .iter()
            .filter(|member| member["role"] == role)
            .count()
    };
    let is_in_order = |member: &Value| {
        (member["state"] == "running" || member["state"] == "streaming")
            && member["timeline"].is_u64()
            && member["timeline"] == members[0]["timeline"]
    };
    members.len() == 3
        && number("leader") == 1
        && number("sync_standby") == 1
        && members.iter().all(is_in_order)
}

/// Short times, so that a failover takes seconds: a primary that is not heard of for `ttl` is followed by another one.
fn configuration(
    name: &str,
    rows: &Path,
    programs: &Path,
    database: u16,
    rest: SocketAddr,
    relays: &Relays,
) -> Value {
    json!({
        "scope": "blog",
        "name": name,
        "restapi": { "listen": rest, "connect_address": relays.rest.address },
        // Without `use_proxies`, Patroni would ask etcd for its own address, and go past the relay.
        "etcd3": { "hosts": [relays.etcd.address], "use_proxies": true },
        "bootstrap": {
            "dcs": {
                "ttl": 10,
                "loop_wait": 1,
                "retry_timeout": 3,
                "synchronous_mode": true,
                "primary_start_timeout": 0,
                "postgresql": {
                    "use_pg_rewind": true,
                    "use_slots": true,
                    "parameters": {
                        "max_connections": 150,
                        // A copy of the service that stands still keeps no locks.
                        "idle_in_transaction_session_timeout": "10s",
                        "shared_preload_libraries": "pg_stat_statements",
                        "unix_socket_directories": ""
                    }
                }
            },
            "initdb": [{ "encoding": "UTF8" }, { "locale": "C.UTF-8" }, { "username": "postgres" }]
        },
        "postgresql": {
            "listen": format!("127.0.0.1:{database}"),
            "connect_address": relays.database.address,
            "data_dir": rows,
            "bin_dir": programs,
            "pgpass": format!("{}.pgpass", rows.display()),
            "pg_hba": [
                "host all all 127.0.0.1/32 trust",
                "host replication all 127.0.0.1/32 trust"
            ],
            "authentication": {
                "superuser": { "username": "postgres" },
                "replication": { "username": "postgres" }
            }
        }
    })
}

/// One is enough here; in production there are three.
fn start_etcd(folder: &Folder) -> Result<(Member, SocketAddr)> {
    let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
    let (clients, peers) = (
        format!("http://{address}"),
        format!("http://127.0.0.1:{}", free_port()?),
    );
    let mut etcd = Command::new(find("etcd")?);
    etcd.args(["--name", "one", "--data-dir"])
        .arg(folder.join("etcd"))
        .args(["--listen-client-urls", &clients])
        .args(["--advertise-client-urls", &clients])
        .args(["--listen-peer-urls", &peers])
        .args(["--initial-advertise-peer-urls", &peers])
        .args(["--initial-cluster", &format!("one={peers}")]);
    let mut member = Member::new("etcd", etcd);
    member.launch()?;
    let healthy = || {
        let answer = Client::with_patience(address, LOOK).get("/health");
        matches!(answer, Answer::Whole { status: 200, .. })
    };
    member.wait_until(healthy)?;
    Ok((member, address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(roles: [&str; 3], timelines: [u64; 3]) -> Value {
        let members = roles.iter().zip(timelines).map(
            |(role, timeline)| json!({ "role": role, "state": "running", "timeline": timeline }),
        );
        json!({ "members": members.collect::<Vec<_>>() })
    }

    #[test]
    fn a_cluster_is_in_order_when_both_replicas_follow_and_one_is_in_step() {
        assert!(agree(&cluster(
            ["replica", "leader", "sync_standby"],
            [2; 3]
        )));
        assert!(!agree(&cluster(["replica", "leader", "replica"], [2; 3])));
        assert!(!agree(&cluster(
            ["replica", "leader", "sync_standby"],
            [1, 2, 2]
        )));
        assert!(!agree(&json!({ "members": [] })));
    }
}
