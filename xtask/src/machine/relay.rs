//! Stands in front of a server, and resets its connections or holds back all bytes when it is told to.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use rustix::net::sockopt::set_socket_linger;

/// Passes everything on until it is dropped.
pub(crate) struct Relay {
    pub(crate) address: SocketAddr,
    open: Arc<Mutex<Vec<Passed>>>,
    is_over: Arc<AtomicBool>,
    is_held: Arc<AtomicBool>,
}

/// How long bytes that are held back wait until they look again.
const HELD: Duration = Duration::from_millis(20);

/// A connection that is passed on.
struct Passed {
    sides: [TcpStream; 2],
    is_reset: Arc<AtomicBool>,
}

impl Relay {
    pub(crate) fn start(server: SocketAddr) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let relay = Self {
            address: listener.local_addr()?,
            open: Arc::default(),
            is_over: Arc::default(),
            is_held: Arc::default(),
        };
        let (open, is_over) = (Arc::clone(&relay.open), Arc::clone(&relay.is_over));
        let is_held = Arc::clone(&relay.is_held);
        thread::spawn(move || {
            for client in listener.incoming() {
                // The system takes those that come now, and they wait for an answer.
                while is_held.load(Ordering::Relaxed) && !is_over.load(Ordering::Relaxed) {
                    thread::sleep(HELD);
                }
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                // One that cannot be passed on is closed.
                let _ = client.and_then(|client| pass(client, server, &open, &is_held));
            }
        });
        Ok(relay)
    }

    /// Resets all connections, whatever is on its way on them, and says how many there were.
    pub(crate) fn reset(&self) -> usize {
        let open = std::mem::take(&mut *lock(&self.open));
        for passed in &open {
            passed.is_reset.store(true, Ordering::Relaxed);
            for side in &passed.sides {
                // What is closed without a wait for what was sent is reset. Nothing is read any more, and so it is closed.
                let _ = set_socket_linger(side, Some(Duration::ZERO));
                let _ = side.shutdown(Shutdown::Read);
            }
        }
        open.len()
    }

    /// From now on nothing passes, as if a cable had been pulled: nobody is told, and no connection ends.
    pub(crate) fn hold(&self) {
        self.is_held.store(true, Ordering::Relaxed);
    }

    /// Everything passes again, beginning with what was held back.
    pub(crate) fn let_pass(&self) {
        self.is_held.store(false, Ordering::Relaxed);
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.reset();
        // The last one that it takes, so that it looks.
        let _ = TcpStream::connect(self.address);
    }
}

fn pass(
    client: TcpStream,
    server: SocketAddr,
    open: &Mutex<Vec<Passed>>,
    is_held: &Arc<AtomicBool>,
) -> io::Result<()> {
    let server = TcpStream::connect(server)?;
    for side in [&client, &server] {
        side.set_nodelay(true)?;
    }
    let is_reset = Arc::new(AtomicBool::new(false));
    let mut all = lock(open);
    // Those that ended are forgotten.
    all.retain(|passed| Arc::strong_count(&passed.is_reset) > 1);
    all.push(Passed {
        sides: [client.try_clone()?, server.try_clone()?],
        is_reset: Arc::clone(&is_reset),
    });
    drop(all);
    for (mut from, mut to) in [(client.try_clone()?, server.try_clone()?), (server, client)] {
        let (is_reset, is_held) = (Arc::clone(&is_reset), Arc::clone(is_held));
        thread::spawn(move || {
            let _ = copy(&mut from, &mut to, &is_held, &is_reset);
            if !is_reset.load(Ordering::Relaxed) {
                let _ = to.shutdown(Shutdown::Write);
            }
        });
    }
    Ok(())
}

fn copy(
    from: &mut TcpStream,
    to: &mut TcpStream,
    is_held: &AtomicBool,
    is_reset: &AtomicBool,
) -> io::Result<()> {
    let mut buffer = [0; 16 * 1024];
    loop {
        let bytes = from.read(&mut buffer)?;
        while is_held.load(Ordering::Relaxed) && !is_reset.load(Ordering::Relaxed) {
            thread::sleep(HELD);
        }
        if bytes == 0 {
            return Ok(());
        }
        to.write_all(&buffer[..bytes])?;
    }
}

fn lock(open: &Mutex<Vec<Passed>>) -> MutexGuard<'_, Vec<Passed>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b1172.
    #[test]
    fn what_is_held_back_arrives_later_and_no_connection_ends() {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let relay = Relay::start(server.local_addr().unwrap()).unwrap();
        let mut client = TcpStream::connect(relay.address).unwrap();
        let (mut served, _) = server.accept().unwrap();
        relay.hold();
        client.write_all(b"a").unwrap();
        served.set_read_timeout(Some(HELD * 3)).unwrap();
        let mut byte = [0];
        let waited = served.read(&mut byte).unwrap_err();
        assert_eq!(waited.kind(), io::ErrorKind::WouldBlock);
        relay.let_pass();
        served.set_read_timeout(None).unwrap();
        served.read_exact(&mut byte).unwrap();
        assert_eq!(&byte, b"a");
    }
}
