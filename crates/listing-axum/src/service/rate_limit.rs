//! Answers 429 to clients that send requests faster than allowed (d56, b102, b103).
//!
//! Written by hand because memory must be bounded whatever clients do: the stores of existing crates grow with the number of
//! addresses until they are shrunk explicitly.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};

use super::admit::is_probe;
use super::{HttpConfig, RateLimit};
use crate::http::ApiError;

/// How many clients are remembered at most, twice: the recent ones, and the previous ones.
const CLIENTS: usize = 32_768;

/// How often each client has sent requests.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    /// The share of the period that one request takes.
    share: Duration,
    /// How far ahead of the clock a client may be and still ask.
    ahead: Duration,
    trusted_proxies: usize,
    started: Instant,
    clients: Mutex<Clients>,
}

/// Until when each client has used up its shares. When there are too many recent clients they become the previous ones,
/// so that the oldest are forgotten: they have most probably waited long enough.
#[derive(Debug, Default)]
struct Clients {
    recent: HashMap<Client, Duration>,
    previous: HashMap<Client, Duration>,
}

/// An address; all whose address is not known are one.
type Client = Option<IpAddr>;

impl RateLimiter {
    /// Returns `None` if the configuration sets no limit.
    pub(crate) fn of(config: &HttpConfig) -> Option<Self> {
        let RateLimit { requests, period } = config.rate_limit?;
        let share = period.length() / requests.get();
        Some(Self {
            share,
            ahead: period.length().saturating_sub(share),
            trusted_proxies: config.trusted_proxies,
            started: Instant::now(),
            clients: Mutex::default(),
        })
    }

    /// Lets the request in, or answers that its client sends too many. Probes are not counted.
    #[expect(clippy::result_large_err, reason = "it is the answer")]
    pub(super) fn admit(&self, request: &Request) -> Result<(), Response> {
        if is_probe(request.uri()) {
            return Ok(());
        }
        let client = client_of(request, self.trusted_proxies);
        self.take(client, self.started.elapsed()).map_err(|wait| {
            let retry_after = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            ApiError::TooManyRequests { retry_after }.into_response()
        })
    }

    /// Takes one share of a client, or says how long it has to wait for one.
    fn take(&self, client: Client, now: Duration) -> Result<(), Duration> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let used = clients.recent.get(&client).copied();
        let used = used.or_else(|| clients.previous.get(&client).copied());
        let used = used.unwrap_or_default().max(now);
        let allowed = used <= now + self.ahead;
        if clients.recent.len() >= CLIENTS {
            clients.previous = std::mem::take(&mut clients.recent);
        }
        // A refused client is still remembered.
        let share = if allowed { self.share } else { Duration::ZERO };
        clients.recent.insert(client, used + share);
        if allowed {
            Ok(())
        } else {
            Err(used - now - self.ahead)
        }
    }
}

/// The address of the client. In `X-Forwarded-For`, only the part that our own proxies wrote can be trusted.
fn client_of(request: &Request, trusted_proxies: usize) -> Client {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map(|ConnectInfo(peer)| peer.ip());
    let address = match trusted_proxies.checked_sub(1) {
        Some(from_end) => forwarded(request.headers(), from_end).or(peer),
        None => peer,
    };
    address.map(ipv6_prefix)
}

/// The address in `X-Forwarded-For` at that place from its end.
fn forwarded(headers: &HeaderMap, from_end: usize) -> Option<IpAddr> {
    let values = headers.get_all("x-forwarded-for");
    let addresses: Vec<&str> = values
        .iter()
        .map(|value| value.to_str().unwrap_or_default())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect();
    let text = addresses.iter().rev().nth(from_end)?;
    let with_port = || text.parse().ok().map(|address: SocketAddr| address.ip());
    text.parse().ok().or_else(with_port)
}

/// One client of IPv6 has a whole network of addresses.
fn ipv6_prefix(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from(network))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, SocketAddr};
    use std::time::Duration;

    use axum::body::Body;
    use axum::extract::{ConnectInfo, Request};

    use super::{CLIENTS, Client, RateLimiter, client_of};
    use crate::service::{HttpConfig, RateLimit};

    /// Rule b103.
    #[test]
    fn who_is_refused_is_not_forgotten() {
        let limiter = limiter("1/hour");
        let now = Duration::from_secs(1);
        let (stubborn, other) = (Some(IpAddr::from([10, 0, 0, 1])), |number: u32| {
            Some(IpAddr::from((0x0b00_0000_u32 + number).to_be_bytes()))
        });
        assert!(limiter.take(stubborn, now).is_ok());
        for number in 0..3 * u32::try_from(CLIENTS).unwrap() {
            let _ = limiter.take(other(number), now);
            if number % 1_000 == 0 {
                assert!(limiter.take(stubborn, now).is_err(), "{number}");
            }
        }
    }

    fn limiter(limit: &str) -> RateLimiter {
        let config = HttpConfig {
            rate_limit: RateLimit::parse(limit),
            ..HttpConfig::default()
        };
        RateLimiter::of(&config).unwrap()
    }

    fn address(text: &str) -> Client {
        Some(text.parse().unwrap())
    }

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Rules d56, b102.
    #[test]
    fn a_client_has_its_requests_at_once_and_then_one_for_each_share() {
        let limiter = limiter("3/minute");
        let one = address("10.0.0.1");
        for _ in 0..3 {
            assert_eq!(limiter.take(one, seconds(5)), Ok(()));
        }
        assert_eq!(limiter.take(one, seconds(5)), Err(seconds(20)));
        // Asking too early costs nothing.
        assert_eq!(limiter.take(one, seconds(10)), Err(seconds(15)));
        assert_eq!(limiter.take(one, seconds(25)), Ok(()));
        assert_eq!(limiter.take(one, seconds(25)), Err(seconds(20)));
        // Others have their own.
        assert_eq!(limiter.take(address("10.0.0.2"), seconds(25)), Ok(()));
        assert_eq!(limiter.take(None, seconds(25)), Ok(()));
        // Shares are not saved up.
        for _ in 0..3 {
            assert_eq!(limiter.take(one, seconds(1_000)), Ok(()));
        }
        assert_eq!(limiter.take(one, seconds(1_000)), Err(seconds(20)));
    }

    /// Rule d56.
    #[test]
    fn memory_is_bounded_and_who_asks_is_remembered() {
        let limiter = limiter("1/hour");
        let busy = address("192.168.0.1");
        assert_eq!(limiter.take(busy, seconds(0)), Ok(()));
        for number in 0..u32::try_from(CLIENTS).unwrap() + 10 {
            let other = Some(IpAddr::from((0x0a00_0000 + number).to_be_bytes()));
            assert_eq!(limiter.take(other, seconds(0)), Ok(()));
        }
        assert!(limiter.take(busy, seconds(0)).is_err());
        for number in 0..4 * u32::try_from(CLIENTS).unwrap() {
            let other = Some(IpAddr::from((0x0b00_0000 + number).to_be_bytes()));
            assert_eq!(limiter.take(other, seconds(0)), Ok(()));
        }
        let clients = limiter.clients.lock().unwrap();
        assert!(clients.recent.len() <= CLIENTS && clients.previous.len() <= CLIENTS);
    }

    /// Rule b103.
    #[test]
    fn only_what_trusted_proxies_wrote_tells_an_address() {
        let asked = |forwarded: &[&str], trusted| {
            let mut request = Request::builder();
            for value in forwarded {
                request = request.header("x-forwarded-for", *value);
            }
            let mut request = request.body(Body::empty()).unwrap();
            let peer: SocketAddr = "10.9.9.9:1234".parse().unwrap();
            request.extensions_mut().insert(ConnectInfo(peer));
            client_of(&request, trusted)
        };
        assert_eq!(asked(&["1.1.1.1"], 0), address("10.9.9.9"));
        assert_eq!(asked(&["6.6.6.6, 1.1.1.1"], 1), address("1.1.1.1"));
        assert_eq!(
            asked(&["6.6.6.6", "1.1.1.1, 2.2.2.2"], 2),
            address("1.1.1.1")
        );
        assert_eq!(asked(&["1.1.1.1:443"], 1), address("1.1.1.1"));
        assert_eq!(asked(&["[2001:db8::1]:443"], 1), address("2001:db8::"));
        assert_eq!(asked(&["2001:db8::ffff:1"], 1), address("2001:db8::"));
        assert_eq!(asked(&["::ffff:1.1.1.1"], 1), address("1.1.1.1"));
        // A header without information is ignored.
        assert_eq!(asked(&[], 1), address("10.9.9.9"));
        assert_eq!(asked(&["unknown"], 1), address("10.9.9.9"));
        assert_eq!(asked(&["1.1.1.1"], 2), address("10.9.9.9"));
    }
}
