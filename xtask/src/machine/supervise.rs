//! Runs a server and makes sure that it is stopped and cleaned up however this process ends.
//!
//! The server's parent is a small shell whose standard input is a pipe held here. When the pipe closes, because
//! the guard was dropped or because this process was killed in any way, the shell stops the server and removes
//! its folder. That needs no signal handling here and leaves nothing behind even after `kill -9`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};

use super::temp::Folder;
use crate::interrupt;

/// Generous: on two cores a server may start while the workspace is being compiled.
const TIME_TO_START: Duration = Duration::from_secs(120);

/// How long a server takes to end is measured: shorter than [`interrupt::POLL`].
const TIME_BETWEEN_LOOKS: Duration = Duration::from_millis(5);

const SUPERVISOR: &str = r#"
signal=$1 folder=$2
shift 2
# A Ctrl-C in the terminal is the business of xtask, which then closes the pipe.
trap '' HUP INT
exec 3<&0
"$@" >>"$folder/log" 2>&1 </dev/null 3<&- &
server=$!
echo "$server"
(
    read -r _ <&3
    [ -e "$folder/exited" ] || kill -s "$signal" "$server"
    tries=0
    until [ -e "$folder/exited" ] || [ "$tries" -ge 150 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    [ -e "$folder/exited" ] || kill -s KILL "$server"
) &
wait "$server"
echo "$?" >"$folder/exited"
wait
rm -rf "$folder"
"#;

pub(crate) struct Supervised {
    shell: Child,
    /// The server itself, which the shell started.
    server: Pid,
    // Dropped after the shell has ended; removes what is left.
    folder: Folder,
}

impl Supervised {
    /// `stop_signal` is the one at which this server stops without waiting for its clients.
    /// Only the program, arguments and environment of the command are used.
    pub(crate) fn start(folder: Folder, stop_signal: &str, server: &Command) -> Result<Self> {
        let mut shell = folder.command(Path::new("/bin/sh"));
        for (variable, value) in server.get_envs() {
            match value {
                Some(value) => shell.env(variable, value),
                None => shell.env_remove(variable),
            };
        }
        let mut shell = shell
            .args(["-c", SUPERVISOR, "supervisor", stop_signal])
            .arg(folder.path())
            .arg(server.get_program())
            .args(server.get_args())
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot run /bin/sh")?;
        let mut line = String::new();
        if let Some(said) = shell.stdout.take() {
            BufReader::new(said).read_line(&mut line)?;
        }
        let server = line.trim().parse().ok().and_then(Pid::from_raw);
        Ok(Self {
            server: server.context("/bin/sh did not start the server")?,
            shell,
            folder,
        })
    }

    /// Waits until `ready` is true, or fails with the end of the server's log.
    pub(crate) fn wait_until(&self, ready: impl Fn() -> bool) -> Result<()> {
        let deadline = Instant::now() + TIME_TO_START;
        while !ready() {
            interrupt::check()?;
            if self.folder.join("exited").exists() {
                bail!(
                    "the server ended while starting:\n{}",
                    self.folder.log_tail()
                );
            }
            if Instant::now() > deadline {
                let seconds = TIME_TO_START.as_secs();
                bail!("not ready after {seconds} s:\n{}", self.folder.log_tail());
            }
            thread::sleep(interrupt::POLL);
        }
        Ok(())
    }
}

impl Supervised {
    /// What the server has written so far.
    pub(crate) fn log(&self) -> String {
        let bytes = fs::read(self.folder.log()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub(crate) fn log_tail(&self) -> String {
        self.folder.log_tail()
    }

    /// The process of the server.
    pub(crate) fn server(&self) -> Pid {
        self.server
    }

    /// `kill -9`, and waits for its end.
    pub(crate) fn kill(&self) {
        self.signal(Signal::KILL);
        while self.status().is_none() {
            thread::sleep(TIME_BETWEEN_LOOKS);
        }
    }

    /// Stops the server with SIGTERM, and says how long it took. Fails if it does not end in order, and kills it if it does not
    /// end in time.
    pub(crate) fn terminate(&self, limit: Duration) -> Result<Duration> {
        let begun = Instant::now();
        self.signal(Signal::TERM);
        let (status, took) = loop {
            if let Some(status) = self.status() {
                break (status, begun.elapsed());
            }
            if let Err(interrupted) = interrupt::check() {
                self.kill();
                return Err(interrupted);
            }
            if begun.elapsed() > limit {
                let (seconds, log) = (limit.as_secs_f64(), self.log_tail());
                self.kill();
                bail!("still running {seconds} s after SIGTERM:\n{log}");
            }
            thread::sleep(TIME_BETWEEN_LOOKS);
        };
        let log = self.log_tail();
        ensure!(status == 0, "ended with status {status}:\n{log}");
        Ok(took)
    }

    fn signal(&self, signal: Signal) {
        if self.status().is_none() {
            // A failure means that it has just ended.
            let _ = kill_process(self.server, signal);
        }
    }

    /// What the shell says of the server's end, once it has ended: from 128 on a signal.
    fn status(&self) -> Option<u8> {
        let text = fs::read_to_string(self.folder.join("exited")).ok()?;
        text.trim().parse().ok()
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(script: &str) -> Supervised {
        let folder = Folder::create_unprivileged("test").unwrap();
        let mut server = Command::new("/bin/sh");
        server.args(["-c", script]).env("GREETING", "good day");
        Supervised::start(folder, "TERM", &server).unwrap()
    }

    #[test]
    fn a_server_that_ends_at_start_is_reported_with_its_log() {
        let error = start("echo no room on disk; exit 3")
            .wait_until(|| false)
            .unwrap_err();
        assert!(error.to_string().contains("no room on disk"), "{error}");
    }

    #[test]
    fn a_server_gets_its_environment() {
        let server = start("echo \"$GREETING\"; exec sleep 1000");
        server.wait_until(|| server.log() == "good day\n").unwrap();
    }

    /// Rule b520.
    #[test]
    fn a_server_that_ends_in_order_is_waited_for() {
        let server = start("trap 'exit 0' TERM; echo up; while :; do sleep 0.01; done");
        server.wait_until(|| server.log() == "up\n").unwrap();
        server.terminate(Duration::from_secs(60)).unwrap();
    }

    /// Rule b520.
    #[test]
    fn a_server_that_does_not_end_is_killed_and_reported_with_its_log() {
        let server = start("trap '' TERM; echo busy; exec sleep 1000");
        server.wait_until(|| server.log() == "busy\n").unwrap();
        let process = Path::new("/proc").join(server.server().as_raw_pid().to_string());
        assert!(process.exists());
        let begun = Instant::now();
        let error = server.terminate(Duration::from_millis(100)).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("after SIGTERM:\nbusy"), "{error}");
        assert!(!process.exists());
        // Its supervisor would give it longer.
        assert!(begun.elapsed() < Duration::from_secs(10));
    }

    /// Rule b520.
    #[test]
    fn a_server_that_ends_with_an_error_is_reported_with_its_log() {
        let server = start("trap 'echo lost; exit 3' TERM; echo up; while :; do sleep 0.01; done");
        server.wait_until(|| server.log() == "up\n").unwrap();
        let error = server.terminate(Duration::from_secs(60)).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("status 3:\nup\nlost"), "{error}");
    }

    #[test]
    fn dropping_stops_the_server_and_removes_its_folder() {
        let server = start("echo $$ >pid.new; mv pid.new pid; exec sleep 1000");
        let path = server.folder.path().to_path_buf();
        server.wait_until(|| path.join("pid").exists()).unwrap();
        let pid = std::fs::read_to_string(path.join("pid")).unwrap();
        let process = Path::new("/proc").join(pid.trim());
        assert!(process.exists());
        drop(server);
        assert!(!process.exists() && !path.exists());
    }
}
