//! HTTPS and HTTP/2, with a certificate that is replaced while the service runs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use listing_axum::{Config, with_defaults};
use listing_tests::run;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::wire::Server;

/// Writes a new certificate, and gives it back.
fn certify(folder: &Path) -> CertificateDer<'static> {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(folder.join("certificate.pem"), cert.pem()).unwrap();
    std::fs::write(folder.join("key.pem"), signing_key.serialize_pem()).unwrap();
    cert.der().clone()
}

fn config(folder: &Path) -> Config {
    let mut config = Config::default();
    let path = |name| folder.join(name).display().to_string();
    config.http.tls_certificate = path("certificate.pem");
    config.http.tls_key = path("key.pem");
    config
}

async fn connect(
    server: &Server,
    trusted: &CertificateDer<'static>,
    protocol: &[u8],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![protocol.to_vec()];
    let stream = TcpStream::connect(server.address).await?;
    let name = ServerName::try_from("localhost").unwrap();
    let connector = TlsConnector::from(Arc::new(config));
    connector.connect(name, stream).await
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("listing-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Tells this process to read its certificates again.
fn hang_up() {
    let me = std::process::id().to_string();
    let told = Command::new("kill").args(["-HUP", &me]).status();
    assert!(told.unwrap().success());
}

/// Waits until the server shows this certificate.
async fn is_shown(server: &Server, certificate: &CertificateDer<'static>) {
    let shown = async {
        while connect(server, certificate, b"h2").await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    let shown = timeout(Duration::from_secs(30), shown).await;
    shown.expect("the certificate is not replaced");
}

/// Rule b345.
#[test]
fn clients_are_served_by_https_in_http_1_and_2_and_the_certificate_can_be_replaced() {
    run(async {
        let folder = folder("https");
        let first = certify(&folder);
        let config = config(&folder);
        let router = Router::new().route("/healthz", get(async || "ok"));
        let server = Server::start_with(with_defaults(router, &config), config).await;

        let mut http1 = connect(&server, &first, b"http/1.1").await.unwrap();
        let request = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        http1.write_all(request).await.unwrap();
        let mut answer = String::new();
        // It may end the connection without a farewell.
        let _ = http1.read_to_string(&mut answer).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        assert!(answer.ends_with("ok"), "{answer}");

        let mut http2 = connect(&server, &first, b"h2").await.unwrap();
        let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
        http2.write_all(preface).await.unwrap();
        assert_eq!(get_by_http2(&mut http2, 1, "/healthz").await, STATUS_200);

        let second = certify(&folder);
        hang_up();
        is_shown(&server, &second).await;
        assert!(connect(&server, &first, b"h2").await.is_err());
        // Connections that were open before go on.
        assert_eq!(get_by_http2(&mut http2, 3, "/healthz").await, STATUS_200);

        // Wrong files leave it as it is.
        std::fs::write(folder.join("key.pem"), "nothing").unwrap();
        hang_up();
        for _ in 0..20 {
            assert!(connect(&server, &second, b"h2").await.is_ok());
        }
        let third = certify(&folder);
        hang_up();
        is_shown(&server, &third).await;
        drop((http1, http2));
        server.stop().await;
        std::fs::remove_dir_all(folder).unwrap();
    });
}

/// `:status: 200` in the static table of HPACK.
const STATUS_200: u8 = 0x88;

/// Asks for a path by hand, and gives the first byte of the answer's head.
async fn get_by_http2(stream: &mut TlsStream<TcpStream>, number: u8, path: &str) -> u8 {
    const HEADERS: u8 = 1;
    const CONTINUATION: u8 = 9;
    const END_OF_STREAM: u8 = 1;
    const END_OF_HEADERS: u8 = 4;
    // GET, https, the path and the authority.
    let mut head = b"\x82\x87\x04".to_vec();
    put_text(&mut head, path);
    head.push(1);
    put_text(&mut head, "blog");
    let parts: Vec<_> = head.chunks(16_000).collect();
    for (at, part) in parts.iter().enumerate() {
        let length = u32::try_from(part.len()).unwrap().to_be_bytes();
        let (kind, begins) = match at {
            0 => (HEADERS, END_OF_STREAM),
            _ => (CONTINUATION, 0),
        };
        let ends = if at + 1 == parts.len() {
            END_OF_HEADERS
        } else {
            0
        };
        let frame = [
            length[1],
            length[2],
            length[3],
            kind,
            begins | ends,
            0,
            0,
            0,
            number,
        ];
        let request = [&frame[..], part].concat();
        stream.write_all(&request).await.unwrap();
    }
    loop {
        let mut frame = [0; 9];
        stream.read_exact(&mut frame).await.unwrap();
        let length = u32::from_be_bytes([0, frame[0], frame[1], frame[2]]);
        let mut payload = vec![0; usize::try_from(length).unwrap()];
        stream.read_exact(&mut payload).await.unwrap();
        if frame[3] == 1 && frame[8] == number {
            return payload[0];
        }
    }
}

/// A text of HPACK, whose length has seven bits and then seven more in each byte.
fn put_text(head: &mut Vec<u8>, text: &str) {
    let mut rest = text.len();
    if rest < 127 {
        head.push(u8::try_from(rest).unwrap());
    } else {
        head.push(127);
        rest -= 127;
        while rest >= 128 {
            head.push(u8::try_from(rest % 128).unwrap() | 128);
            rest /= 128;
        }
        head.push(u8::try_from(rest).unwrap());
    }
    head.extend_from_slice(text.as_bytes());
}

/// Rule b525.
#[test]
fn over_http_2_a_query_string_may_be_as_long_as_over_http_1() {
    run(async {
        let folder = folder("long-path");
        let certificate = certify(&folder);
        let config = config(&folder);
        let router = Router::new().route("/healthz", get(async || "ok"));
        let server = Server::start_with(with_defaults(router, &config), config).await;
        let mut http2 = connect(&server, &certificate, b"h2").await.unwrap();
        let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
        http2.write_all(preface).await.unwrap();
        for (number, length) in [(1, 20_000), (3, 60_000)] {
            let path = format!("/healthz?search={}", "a".repeat(length));
            assert_eq!(get_by_http2(&mut http2, number, &path).await, STATUS_200);
        }
        drop(http2);
        server.stop().await;
        std::fs::remove_dir_all(folder).unwrap();
    });
}

/// Rules b345, b624.
#[test]
fn a_certificate_that_cannot_be_used_is_told_before_the_server_says_where_it_listens() {
    run(async {
        let folder = folder("no-https");
        certify(&folder);
        let told = async |config: &Config| {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let ready = listing_axum::Server::new(listener, config);
            ready.unwrap_err().to_string()
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let ready = listing_axum::Server::new(listener, &config(&folder)).unwrap();
        assert_eq!(ready.url(), format!("https://{address}"));
        let mut half = config(&folder);
        half.http.tls_key = String::new();
        assert!(told(&half).await.contains("http.tls_key"));
        let whole = config(&folder);
        std::fs::write(&whole.http.tls_key, "nothing").unwrap();
        assert!(told(&whole).await.contains("key.pem"));
        std::fs::remove_file(&whole.http.tls_certificate).unwrap();
        assert!(told(&whole).await.contains("certificate.pem"));
        std::fs::remove_dir_all(folder).unwrap();
    });
}
