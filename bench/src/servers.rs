//! Starts a server program on a database and stops it when dropped.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::{env, thread};

use anyhow::{Context, Result, bail};

use crate::baseline::Baseline;
use crate::data::{Databases, Engine};

/// A program to measure.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Server {
    pub(crate) engine: Engine,
    pub(crate) program: Program,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Program {
    /// The reference service, with these settings.
    Blog(&'static [(&'static str, &'static str)]),
    /// An endpoint written by hand, with our layers around it.
    Baseline(Baseline),
    /// The same without any layers.
    Bare(Baseline),
}

pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) pid: u32,
    child: Child,
}

impl Running {
    /// The reference service as it is without settings.
    pub(crate) fn blog(engine: Engine, databases: &Databases) -> Result<Self> {
        let program = Program::Blog(&[]);
        start(&Server { engine, program }, databases)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Failures mean that it has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// All running programs; each is started when it is first needed.
#[derive(Default)]
pub(crate) struct Servers {
    running: HashMap<Server, Running>,
}

impl Servers {
    pub(crate) fn get(&mut self, server: &Server, databases: &Databases) -> Result<&Running> {
        if !self.running.contains_key(server) {
            let running = start(server, databases)?;
            self.running.insert(server.clone(), running);
        }
        self.running.get(server).context("just started")
    }
}

pub(crate) fn start(server: &Server, databases: &Databases) -> Result<Running> {
    let database = databases.url(server.engine);
    start_on(server, database).with_context(|| format!("{server:?}"))
}

fn start_on(server: &Server, database: &str) -> Result<Running> {
    let command = match server.program {
        Program::Blog(settings) => {
            let mut blog = built_with_this("blog")?;
            blog.envs(settings.iter().copied());
            blog
        }
        Program::Baseline(baseline) | Program::Bare(baseline) => {
            use clap::ValueEnum;
            let value = baseline.to_possible_value().context("a name")?;
            let mut program = built_with_this("bench-server")?;
            program.arg(value.get_name());
            if matches!(server.program, Program::Bare(_)) {
                program.arg("--bare");
            }
            program
        }
    };
    start_program(command, database)
}

/// A program that says where it listens as the blog does.
pub(crate) fn start_program(command: Command, database: &str) -> Result<Running> {
    let mut child = without_settings(command)
        .env("DATABASE_URL", database)
        // The system picks a port that is free, and the program says which.
        .env("LISTING_BIND", "127.0.0.1:0")
        // What is slow is measured, not cut off: 64 counts of a million rows take longer than the request time-out.
        .env("LISTING_REQUEST_TIMEOUT_SECONDS", "120")
        // The side that waits for its turn keeps its connections.
        .env("LISTING_HTTP_HEADER_TIMEOUT_SECONDS", "600")
        .stdout(Stdio::piped())
        .spawn()?;
    let output = child.stdout.take().context("no output")?;
    let mut running = Running {
        // Not known yet.
        address: ([127, 0, 0, 1], 0).into(),
        pid: child.id(),
        child,
    };
    let mut lines = BufReader::new(output).lines();
    while let Some(line) = lines.next() {
        if let Some(address) = address(&line?) {
            running.address = address;
            // Later output is not needed, but the pipe must not fill up.
            thread::spawn(move || lines.count());
            return Ok(running);
        }
    }
    bail!("the program ended without saying where it listens")
}

/// A program that was built with this one.
pub(crate) fn built_with_this(name: &str) -> Result<Command> {
    let here: PathBuf = env::current_exe()?;
    Ok(without_settings(Command::new(here.with_file_name(name))))
}

/// The current user's settings are for their own blog; those that the command was given stay.
pub(crate) fn without_settings(mut command: Command) -> Command {
    let given: Vec<_> = command
        .get_envs()
        .map(|(name, _)| name.to_owned())
        .collect();
    for (variable, _) in env::vars_os() {
        if variable.to_string_lossy().starts_with("LISTING_") && !given.contains(&variable) {
            command.env_remove(variable);
        }
    }
    command
        // A line for each request would be measured too.
        .env("RUST_LOG", "warn")
        .stdin(Stdio::null());
    command
}

fn address(line: &str) -> Option<SocketAddr> {
    let (_, rest) = line.split_once("Listening on http://")?;
    let (address, _) = rest.split_once(". ")?;
    address.parse().ok()
}
