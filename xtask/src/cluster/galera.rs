//! A cluster of three Galera nodes, each of which has all rows.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::member::Member;
use super::programs::{find, galera_library};
use crate::databases;
use crate::machine::ports::free_port;
use crate::machine::temp::Folder;

const NODES: usize = 3;

/// What a node says of itself when it takes part, and how many others it takes part with.
const IN_STEP: &str = "\
SELECT CONCAT(
    (SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'wsrep_local_state_comment'), ' ',
    (SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'wsrep_cluster_size'))";

/// For the service and for the checks of `HAProxy`.
const FIRST_STATEMENTS: &str = "\
CREATE DATABASE IF NOT EXISTS listing;
CREATE USER IF NOT EXISTS 'listing'@'127.0.0.1';
GRANT ALL ON *.* TO 'listing'@'127.0.0.1' WITH GRANT OPTION;
";

pub(super) struct Galera {
    pub(super) nodes: Vec<Node>,
    client: PathBuf,
    // Dropped last: all rows are here.
    folder: Folder,
}

pub(super) struct Node {
    member: Member,
    pub(super) address: SocketAddr,
    socket: PathBuf,
}

/// The ports of a node, besides the one for clients.
struct Ports {
    database: u16,
    /// For the other nodes.
    group: u16,
    /// For all rows, and for the newest.
    rows: [u16; 2],
}

impl Galera {
    pub(super) fn start() -> Result<Self> {
        let folder = Folder::create_unprivileged("cluster")?;
        let ports = (0..NODES).map(|_| Ports::choose());
        let ports = ports.collect::<Result<Vec<_>>>()?;
        let mut galera = Self {
            nodes: Vec::new(),
            client: find("mariadb")?,
            folder,
        };
        for number in 0..NODES {
            let mut node = Node::new(number, &galera.folder, &ports)?;
            // The first one founds the cluster, and only joins it later.
            if number == 0 {
                let mut founds = Command::new(node.member.command.get_program());
                founds.args(node.member.command.get_args());
                founds.arg("--wsrep-new-cluster");
                let joins = std::mem::replace(&mut node.member.command, founds);
                node.member.launch()?;
                node.member.command = joins;
            } else {
                node.member.launch()?;
            }
            galera.nodes.push(node);
            // One after the other: a node that copies its rows to another takes no third one.
            let size = (number + 1).to_string();
            let joined = || galera.size(number).is_some_and(|seen| seen == size);
            galera.nodes[number].member.wait_until(joined)?;
            if number == 0 {
                galera.ask(0, FIRST_STATEMENTS)?;
            }
        }
        Ok(galera)
    }

    /// Whether every node takes part with all others.
    pub(super) fn is_healthy(&self) -> bool {
        let all = NODES.to_string();
        (0..NODES).all(|node| self.size(node).is_some_and(|size| size == all))
    }

    /// How many nodes are in step with this one, if it is in step itself.
    fn size(&self, node: usize) -> Option<String> {
        let state = self.ask(node, IN_STEP).ok()?;
        let size = state.trim().strip_prefix("Synced ")?;
        Some(size.to_owned())
    }

    pub(super) fn member(&mut self, node: usize) -> &mut Member {
        &mut self.nodes[node].member
    }

    /// Galera's own switch: the node neither hears the others nor is heard by them. Clients still reach it.
    pub(super) fn cut_off(&self, node: usize) -> Result<()> {
        self.isolate(node, 1)
    }

    pub(super) fn connect(&self, node: usize) -> Result<()> {
        self.isolate(node, 0)
    }

    fn isolate(&self, node: usize, is_isolated: u8) -> Result<()> {
        let option = format!("SET GLOBAL wsrep_provider_options = 'gmcast.isolate={is_isolated}'");
        self.ask(node, &option).map(drop)
    }

    /// What statements give on one node, asked past everything that stands in front of it.
    pub(super) fn ask(&self, node: usize, statements: &str) -> Result<String> {
        let mut client = Command::new(&self.client);
        client
            .args([
                "--no-defaults",
                "--user=root",
                "--connect-timeout=5",
                "-N",
                "-B",
            ])
            .arg(format!("--socket={}", self.nodes[node].socket.display()))
            .args(["-e", statements]);
        super::system::output(client, &self.folder)
    }
}

impl Ports {
    fn choose() -> Result<Self> {
        Ok(Self {
            database: free_port()?,
            group: free_port()?,
            rows: [free_port()?, free_port()?],
        })
    }
}

impl Node {
    fn new(number: usize, folder: &Folder, all: &[Ports]) -> Result<Self> {
        let name = format!("node{}", number + 1);
        let ports = &all[number];
        let home = folder.join(&name);
        let (server, rows) = databases::mariadb_rows(folder, &home)?;
        let socket = home.join("socket");
        let file = format!("{name}.cnf");
        let others: Vec<_> = all
            .iter()
            .map(|node| format!("127.0.0.1:{}", node.group))
            .collect();
        let text = configuration(&name, &home, &rows, ports, &others)?;
        folder.write(&file, &text)?;
        let mut server = Command::new(server);
        server.arg(format!("--defaults-file={}", folder.join(&file).display()));
        Ok(Self {
            member: Member::new(&name, server),
            address: SocketAddr::from(([127, 0, 0, 1], ports.database)),
            socket,
        })
    }
}

/// Short times, so that a node that is not heard of is left out after seconds.
fn configuration(
    name: &str,
    home: &Path,
    rows: &Path,
    ports: &Ports,
    others: &[String],
) -> Result<String> {
    let Ports {
        database,
        group,
        rows: [all, newest],
    } = ports;
    let library = galera_library().context("Galera")?;
    let (home, rows, library) = (home.display(), rows.display(), library.display());
    let others = others.join(",");
    Ok(format!(
        "[mysqld]\n\
         datadir={rows}\n\
         tmpdir={home}\n\
         socket={home}/socket\n\
         pid-file={home}/pid\n\
         port={database}\n\
         bind-address=127.0.0.1\n\
         skip-name-resolve\n\
         character-set-server=utf8mb4\n\
         max-connections=200\n\
         binlog-format=ROW\n\
         default-storage-engine=InnoDB\n\
         innodb-autoinc-lock-mode=2\n\
         innodb-use-native-aio=0\n\
         wsrep-on=ON\n\
         wsrep-provider={library}\n\
         wsrep-cluster-name=blog\n\
         wsrep-cluster-address=gcomm://{others}\n\
         wsrep-node-name={name}\n\
         wsrep-node-address=127.0.0.1:{group}\n\
         wsrep-sst-method=rsync\n\
         wsrep-sst-receive-address=127.0.0.1:{all}\n\
         wsrep-provider-options=base_port={group};gmcast.listen_addr=tcp://127.0.0.1:{group};\
         ist.recv_addr=127.0.0.1:{newest};gcache.size=128M;evs.suspect_timeout=PT3S;evs.inactive_timeout=PT6S\n"
    ))
}
