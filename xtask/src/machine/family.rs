//! Signals to a process and to all that it has started.

use std::fs;
use std::path::Path;

use rustix::process::{Pid, Signal, kill_process};

/// The process, its children, theirs, and so on.
pub(crate) fn family(process: Pid) -> Vec<Pid> {
    let mut all = vec![process];
    let mut at = 0;
    while let Some(parent) = all.get(at) {
        let born = children(*parent);
        all.extend(born);
        at += 1;
    }
    all
}

pub(crate) fn signal(processes: &[Pid], signal: Signal) {
    for process in processes {
        // One may have ended meanwhile.
        let _ = kill_process(*process, signal);
    }
}

/// The process that a server has written into this file, if it still runs and is about this folder.
pub(crate) fn noted_process(file: &Path, folder: &Path) -> Option<Pid> {
    let noted = fs::read_to_string(file).ok()?;
    let process: i32 = noted.lines().next()?.trim().parse().ok()?;
    let command = fs::read(format!("/proc/{process}/cmdline")).ok()?;
    let folder = folder.display().to_string();
    let is_server = String::from_utf8_lossy(&command).contains(&folder);
    is_server.then(|| Pid::from_raw(process)).flatten()
}

/// A child belongs to the thread that started it.
fn children(parent: Pid) -> Vec<Pid> {
    let threads = format!("/proc/{}/task", parent.as_raw_pid());
    let threads = fs::read_dir(threads).into_iter().flatten().flatten();
    let files = threads.map(|thread| thread.path().join("children"));
    files
        .flat_map(|file| {
            let text = fs::read_to_string(file).unwrap_or_default();
            let pids = text.split_whitespace().filter_map(|pid| pid.parse().ok());
            pids.filter_map(Pid::from_raw).collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn grandchildren_are_family() {
        let script = "(sleep 1000 & echo; wait) & wait";
        let mut shell = Command::new("/bin/sh")
            .args(["-c", script])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = [0];
        let said = shell.stdout.as_mut().unwrap();
        said.read_exact(&mut line).unwrap();
        let all = family(Pid::from_child(&shell));
        assert_eq!(all.len(), 3);
        signal(&all, Signal::KILL);
        shell.wait().unwrap();
    }
}
