//! Stands between the service and its database, and resets connections when it is told to.

use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use rustix::net::sockopt::set_socket_linger;

/// Passes everything on until it is dropped.
pub(super) struct Proxy {
    pub(super) address: SocketAddr,
    open: Arc<Mutex<Vec<Passed>>>,
    is_over: Arc<AtomicBool>,
}

/// A connection that is passed on.
struct Passed {
    sides: [TcpStream; 2],
    is_reset: Arc<AtomicBool>,
}

impl Proxy {
    pub(super) fn start(database: SocketAddr) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let proxy = Self {
            address: listener.local_addr()?,
            open: Arc::default(),
            is_over: Arc::default(),
        };
        let (open, is_over) = (Arc::clone(&proxy.open), Arc::clone(&proxy.is_over));
        thread::spawn(move || {
            for client in listener.incoming() {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                // One that cannot be passed on is closed.
                let _ = client.and_then(|client| pass(client, database, &open));
            }
        });
        Ok(proxy)
    }

    /// Resets all connections, whatever is on its way on them, and says how many there were.
    pub(super) fn reset(&self) -> usize {
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
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.reset();
        // The last one that it takes, so that it looks.
        let _ = TcpStream::connect(self.address);
    }
}

fn pass(client: TcpStream, database: SocketAddr, open: &Mutex<Vec<Passed>>) -> io::Result<()> {
    let server = TcpStream::connect(database)?;
    for side in [&client, &server] {
        side.set_nodelay(true)?;
    }
    let is_reset = Arc::new(AtomicBool::new(false));
    lock(open).push(Passed {
        sides: [client.try_clone()?, server.try_clone()?],
        is_reset: Arc::clone(&is_reset),
    });
    for (mut from, mut to) in [(client.try_clone()?, server.try_clone()?), (server, client)] {
        let is_reset = Arc::clone(&is_reset);
        thread::spawn(move || {
            let _ = io::copy(&mut from, &mut to);
            if !is_reset.load(Ordering::Relaxed) {
                let _ = to.shutdown(Shutdown::Write);
            }
        });
    }
    Ok(())
}

fn lock(open: &Mutex<Vec<Passed>>) -> MutexGuard<'_, Vec<Passed>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}
