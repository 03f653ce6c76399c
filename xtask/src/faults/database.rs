//! A database server that can be stopped, killed, frozen and started again with the same rows.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal};

use crate::databases::{self, Engine, Sources};
use crate::interrupt;
use crate::machine::family;
use crate::machine::ports::free_port;
use crate::machine::supervise::Supervised;
use crate::machine::temp::Folder;

/// A server of its own, or a file.
pub(super) struct Database {
    pub(super) engine: Engine,
    pub(super) url: String,
    command: Option<Command>,
    running: Option<Supervised>,
    /// Where the rows are; removed when the server has stopped.
    data: Folder,
}

impl Database {
    pub(super) fn start(engine: Engine, sources: &Sources) -> Result<Self> {
        let data = Folder::create_unprivileged("faults")?;
        let port = free_port()?;
        let (command, url) = match engine {
            Engine::Sqlite => (
                None,
                format!("sqlite:{}?mode=rwc", data.join("blog.sqlite").display()),
            ),
            Engine::Postgres => (
                Some(databases::durable_postgres(sources, &data, port)?),
                format!("postgres://postgres@127.0.0.1:{port}/postgres"),
            ),
            Engine::Mariadb => (
                Some(databases::durable_mariadb(sources, &data, port)?),
                format!("mysql://listing@127.0.0.1:{port}/listing"),
            ),
        };
        let mut database = Self {
            engine,
            url,
            data,
            command,
            running: None,
        };
        database.up()?;
        Ok(database)
    }

    /// Starts the server, and waits until it takes connections.
    pub(super) fn up(&mut self) -> Result<()> {
        let Some(command) = &self.command else {
            return Ok(());
        };
        let address = self.address()?;
        let begun = Instant::now();
        loop {
            let folder = Folder::create_unprivileged("faults-run")?;
            // SIGINT disconnects clients of PostgreSQL and stops; MariaDB knows SIGTERM only.
            let signal = if self.engine == Engine::Postgres {
                "INT"
            } else {
                "TERM"
            };
            let running = Supervised::start(folder, signal, command)?;
            let ready = || is_ready(self.engine, address);
            match running.wait_until(ready) {
                Ok(()) => {
                    self.running = Some(running);
                    return Ok(());
                }
                // What was killed may still be leaving.
                Err(_) if begun.elapsed() < Duration::from_secs(30) => {
                    interrupt::check()?;
                    thread::sleep(Duration::from_millis(100));
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Where the server listens.
    pub(super) fn address(&self) -> Result<SocketAddr> {
        let (_, rest) = self.url.split_once('@').context("no server")?;
        let (address, _) = rest.split_once('/').context("no database")?;
        Ok(address.parse()?)
    }

    /// Stops the server in an orderly way.
    pub(super) fn stop(&mut self) {
        self.running = None;
    }

    /// `kill -9`
    pub(super) fn kill(&mut self) -> Result<()> {
        self.signal(Signal::KILL)?;
        // Waits for its end.
        self.running = None;
        Ok(())
    }

    pub(super) fn freeze(&self) -> Result<()> {
        self.signal(Signal::STOP)
    }

    pub(super) fn thaw(&self) -> Result<()> {
        self.signal(Signal::CONT)
    }

    /// To the server, and to its children where it has some.
    fn signal(&self, signal: Signal) -> Result<()> {
        let server = Pid::from_raw(self.pid()?).context("no such process")?;
        let all = match signal {
            Signal::KILL => vec![server],
            _ => family::family(server),
        };
        family::signal(&all, signal);
        Ok(())
    }

    fn pid(&self) -> Result<i32> {
        let file: PathBuf = match self.engine {
            Engine::Postgres => self.data.join("data/postmaster.pid"),
            Engine::Mariadb => self.data.join("pid"),
            Engine::Sqlite => bail!("a file has no server"),
        };
        let text = fs::read_to_string(file)?;
        Ok(text.lines().next().unwrap_or_default().trim().parse()?)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if self.running.is_some() {
            // One that is frozen does not hear that it should stop.
            let _ = self.thaw();
        }
    }
}

/// Whether it greets, which is more than that it listens.
fn is_ready(engine: Engine, address: SocketAddr) -> bool {
    use std::io::{Read, Write};
    let Ok(mut stream) = std::net::TcpStream::connect(address) else {
        return false;
    };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(2)));
    let mut answer = [0; 5];
    match engine {
        // A start-up message: until the server is ready, the answer is an error of class 57.
        Engine::Postgres => {
            let message = b"\0\0\0\0\0\x03\0\0user\0postgres\0database\0postgres\0\0";
            let mut message = message.to_vec();
            let length = u32::try_from(message.len()).unwrap_or_default();
            message[..4].copy_from_slice(&length.to_be_bytes());
            let mut text = Vec::new();
            let asked = stream.write_all(&message).is_ok();
            let mut buffer = [0; 512];
            if let (true, Ok(bytes)) = (asked, stream.read(&mut buffer)) {
                text.extend_from_slice(&buffer[..bytes]);
            }
            !text.is_empty() && !text.windows(6).any(|window| window == b"C57P03")
        }
        _ => stream.read_exact(&mut answer).is_ok() && answer[4] == 10,
    }
}
