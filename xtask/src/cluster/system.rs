//! The whole set-up: a cluster of databases, copies of the service, and `HAProxy` in front of both.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::Engine;
use super::fault::{Fault, Kind, Target};
use super::galera::Galera;
use super::haproxy::{Databases, Haproxy};
use super::member::Member;
use super::postgres::Postgres;
use crate::faults::service::Service;
use crate::interrupt;
use crate::machine::temp::Folder;

const COPIES: usize = 3;

/// The time in which everything must be in order again.
const LONGEST_RECOVERY: Duration = Duration::from_secs(120);

/// Every copy seals cursors with the same key, so that each can open those of the others.
const CURSOR_KEY: &str = "a key for tests of many copies";

pub(super) struct System {
    // Dropped in this order: first those that ask, then those that are asked.
    service_front: Haproxy,
    pub(super) copies: Vec<Service>,
    database_front: Haproxy,
    pub(super) nodes: Nodes,
    /// Where clients find the service.
    pub(super) address: SocketAddr,
}

pub(super) enum Nodes {
    Postgres(Box<Postgres>),
    Galera(Galera),
}

impl System {
    pub(super) fn start(engine: Engine, program: &Path) -> Result<Self> {
        let (mut nodes, (database_front, databases)) = match engine {
            Engine::Postgres => {
                let cluster = Postgres::start()?;
                let front = Haproxy::before_postgres(&cluster)?;
                (Nodes::Postgres(Box::new(cluster)), front)
            }
            Engine::Galera => {
                let cluster = Galera::start()?;
                let front = Haproxy::before_galera(&cluster)?;
                (Nodes::Galera(cluster), front)
            }
        };
        let ready = wait("the databases", || nodes.is_healthy(&database_front));
        ready.with_context(|| nodes.last_words())?;
        nodes.prepare()?;
        let mut copies = Vec::new();
        for _ in 0..COPIES {
            // One after the other: the first one brings the tables, and the demo data.
            let mut copy = Service::new(program.to_path_buf(), &databases.url)?;
            copy.variables = variables(&databases);
            copy.start()?;
            copies.push(copy);
        }
        let addresses: Vec<_> = copies.iter().map(|copy| copy.address).collect();
        let (service_front, address) = Haproxy::before_copies(&addresses)?;
        let system = Self {
            service_front,
            copies,
            database_front,
            nodes,
            address,
        };
        system.wait_until_healthy(|| ())?;
        Ok(system)
    }

    /// Waits until every node and every copy takes part again.
    pub(super) fn wait_until_healthy(&self, mut meanwhile: impl FnMut()) -> Result<()> {
        wait("the cluster", || {
            meanwhile();
            self.is_healthy()
        })
    }

    fn is_healthy(&self) -> bool {
        self.nodes.is_healthy(&self.database_front)
            && self.service_front.up("service").len() == COPIES
    }

    /// The node to which everything that writes is led.
    pub(super) fn primary(&self) -> Result<usize> {
        match &self.nodes {
            Nodes::Postgres(cluster) => cluster.primary(),
            Nodes::Galera(_) => self.database_front.kept().context("no node has clients"),
        }
    }

    /// Makes a fault happen, to one of those that it can happen to by this number, and says to which.
    pub(super) fn begin(&mut self, fault: Fault, number: usize) -> Result<usize> {
        let hit = match fault.target {
            Target::Primary => self.primary()?,
            Target::Replica => {
                let primary = self.primary()?;
                (primary + 1 + number % (self.nodes.len() - 1)) % self.nodes.len()
            }
            Target::Copy => number % COPIES,
        };
        if fault.target == Target::Copy {
            let copy = &mut self.copies[hit];
            match fault.kind {
                Kind::Kill => copy.kill(),
                Kind::Stop => drop(copy.terminate()?),
                Kind::Pause => copy.freeze(),
                Kind::KillDatabase | Kind::CutOff | Kind::SwitchOver => bail!("not of a copy"),
            }
            return Ok(hit);
        }
        match (fault.kind, &mut self.nodes) {
            (Kind::Kill, nodes) => nodes.member(hit).kill()?,
            (Kind::KillDatabase, nodes) => nodes.member(hit).kill_database(),
            (Kind::Pause, nodes) => nodes.member(hit).freeze(),
            (Kind::CutOff, Nodes::Postgres(cluster)) => cluster.cut_off(hit),
            (Kind::CutOff, Nodes::Galera(cluster)) => cluster.cut_off(hit)?,
            (Kind::SwitchOver, Nodes::Postgres(cluster)) => cluster.switch_over(hit)?,
            (Kind::Stop | Kind::SwitchOver, _) => bail!("not of a node"),
        }
        Ok(hit)
    }

    /// Ends a fault: what was hit comes back.
    pub(super) fn end(&mut self, fault: Fault, hit: usize) -> Result<()> {
        if fault.target == Target::Copy {
            let copy = &mut self.copies[hit];
            return match fault.kind {
                Kind::Kill | Kind::Stop => copy.launch(),
                _ => {
                    copy.thaw();
                    Ok(())
                }
            };
        }
        match (fault.kind, &mut self.nodes) {
            (Kind::Kill, nodes) => nodes.member(hit).launch(),
            // Nobody watches over a server of Galera.
            (Kind::KillDatabase, Nodes::Galera(cluster)) => cluster.member(hit).launch(),
            (Kind::Pause, nodes) => {
                nodes.member(hit).thaw();
                Ok(())
            }
            (Kind::CutOff, Nodes::Postgres(cluster)) => {
                cluster.connect(hit);
                Ok(())
            }
            (Kind::CutOff, Nodes::Galera(cluster)) => cluster.connect(hit),
            (Kind::KillDatabase | Kind::SwitchOver | Kind::Stop, _) => Ok(()),
        }
    }

    /// The ends of all logs, for a run that failed.
    pub(super) fn last_words(&mut self) -> String {
        let mut text = self.nodes.last_words();
        for (number, copy) in self.copies.iter().enumerate() {
            let _ = writeln!(text, "--- copy{}\n{}", number + 1, copy.log_tail());
        }
        text
    }
}

impl Nodes {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Postgres(cluster) => cluster.nodes.len(),
            Self::Galera(cluster) => cluster.nodes.len(),
        }
    }

    fn is_healthy(&self, front: &Haproxy) -> bool {
        match self {
            Self::Postgres(cluster) => cluster.is_healthy() && front.up("primary").len() == 1,
            Self::Galera(cluster) => {
                cluster.is_healthy() && front.up("primary").len() == self.len()
            }
        }
    }

    /// What only an administrator does, before the first copy starts.
    fn prepare(&self) -> Result<()> {
        if let Self::Postgres(cluster) = self {
            let primary = cluster.primary()?;
            cluster.ask(primary, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements")?;
        }
        Ok(())
    }

    fn last_words(&mut self) -> String {
        let mut text = String::new();
        for node in 0..self.len() {
            let member = self.member(node);
            let _ = writeln!(text, "--- {}\n{}", member.name, member.log_tail());
        }
        text
    }

    fn member(&mut self, node: usize) -> &mut Member {
        match self {
            Self::Postgres(cluster) => cluster.member(node),
            Self::Galera(cluster) => cluster.member(node),
        }
    }

    /// What a statement gives on one node, with tabs between columns.
    pub(super) fn ask(&self, node: usize, statement: &str) -> Result<String> {
        match self {
            Self::Postgres(cluster) => cluster.ask(node, statement),
            Self::Galera(cluster) => cluster.ask(node, &format!("USE listing; {statement}")),
        }
    }
}

fn variables(databases: &Databases) -> Vec<(&'static str, String)> {
    let mut variables = vec![
        ("LISTING_CURSOR_KEY", CURSOR_KEY.to_owned()),
        // A little more than `HAProxy` takes to notice.
        ("LISTING_SHUTDOWN_DELAY_SECONDS", "2".to_owned()),
    ];
    variables.push(if databases.replicas.is_empty() {
        // What one node has acknowledged is read from the next one too.
        ("LISTING_GALERA_SYNC_WAIT", "true".to_owned())
    } else {
        ("LISTING_DATABASE_REPLICAS", databases.replicas.join(","))
    });
    variables
}

fn wait(what: &str, mut is_healthy: impl FnMut() -> bool) -> Result<()> {
    let begun = Instant::now();
    while !is_healthy() {
        interrupt::check()?;
        let seconds = LONGEST_RECOVERY.as_secs();
        ensure!(
            begun.elapsed() < LONGEST_RECOVERY,
            "{what} is not in order after {seconds} s"
        );
        thread::sleep(interrupt::POLL * 4);
    }
    Ok(())
}

/// What a program prints.
pub(super) fn output(mut program: Command, folder: &Folder) -> Result<String> {
    let output = program.current_dir(folder.path()).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "{} failed: {said}",
        program.get_program().display()
    );
    Ok(String::from_utf8(output.stdout)?)
}
