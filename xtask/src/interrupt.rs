//! Turns Ctrl-C, SIGTERM and SIGHUP into an error of whatever is being waited for, so that every guard is dropped in order.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// How often a wait looks whether it is over.
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// After this a process that does not end by itself is killed.
const TIME_TO_END: Duration = Duration::from_secs(5);

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on a signal no longer ends the process at once; [`check`] reports it.
pub(crate) fn catch_signals() -> io::Result<()> {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&INTERRUPTED))?;
    }
    Ok(())
}

/// Fails once a signal has come in.
pub(crate) fn check() -> Result<()> {
    if INTERRUPTED.load(Ordering::Relaxed) {
        bail!("interrupted");
    }
    Ok(())
}

/// Runs a command to its end. On a signal it and everything it started are ended first:
/// it gets a process group of its own, so that one `kill` reaches them all.
pub(crate) fn run(command: &mut Command) -> Result<ExitStatus> {
    let program = command.get_program().to_os_string();
    let mut child = command
        .process_group(0)
        .spawn()
        .with_context(|| format!("cannot run {}", program.display()))?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if let Err(interrupted) = check() {
            end_group(&mut child);
            return Err(interrupted);
        }
        thread::sleep(POLL);
    }
}

/// Ends the group and waits until it is empty: what is left of it would still write to its files.
fn end_group(child: &mut Child) {
    let group = Pid::from_child(child);
    // Failures mean that it is gone already.
    let _ = kill_process_group(group, Signal::TERM);
    let deadline = Instant::now() + TIME_TO_END;
    while Instant::now() < deadline {
        let leader_ended = child.try_wait().is_ok_and(|status| status.is_some());
        if leader_ended && test_kill_process_group(group).is_err() {
            return;
        }
        thread::sleep(POLL);
    }
    let _ = kill_process_group(group, Signal::KILL);
    let _ = child.wait();
}
