//! Encrypted connections to servers with a certificate of a private authority: readers and SeaORM alike.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use blog::connect::connect;
use listing::{ReadOptions, ReadPool};
use listing_tests::{Engine, run};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use sea_orm::{ConnectionTrait, Database, DatabaseConnection};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::base::{rows, value};

/// A server with encryption, and the folder of its certificates.
struct Server {
    engine: Engine,
    url: String,
    folder: PathBuf,
}

impl Server {
    /// Those that were started for these tests. Others have no certificates that tests could know.
    fn all() -> Vec<Self> {
        let server = |engine, url, tls| {
            let folder = std::env::var_os(tls)?.into();
            let url: String = std::env::var(url).ok()?;
            let url = url.split('?').next()?.to_owned();
            Some(Self {
                engine,
                url,
                folder,
            })
        };
        let postgres = server(
            Engine::Postgres,
            "LISTING_TEST_POSTGRES_URL",
            "LISTING_TEST_POSTGRES_TLS",
        );
        let mysql = server(
            Engine::Mysql,
            "LISTING_TEST_MYSQL_URL",
            "LISTING_TEST_MYSQL_TLS",
        );
        if postgres.is_none() || mysql.is_none() {
            eprintln!("servers that tests did not start are not asked for TLS");
        }
        postgres.into_iter().chain(mysql).collect()
    }

    fn file(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// The URL with a mode, named as PostgreSQL does, and a file of the authority.
    fn with(&self, mode: &str, authority: Option<&str>) -> String {
        let (mode, file) = match self.engine {
            Engine::Mysql => (
                match mode {
                    "disable" => "ssl-mode=DISABLED",
                    "prefer" => "ssl-mode=PREFERRED",
                    "require" => "ssl-mode=REQUIRED",
                    "verify-ca" => "ssl-mode=VERIFY_CA",
                    _ => "ssl-mode=VERIFY_IDENTITY",
                }
                .to_owned(),
                "ssl-ca",
            ),
            _ => (format!("sslmode={mode}"), "sslrootcert"),
        };
        let authority = authority.map(|name| format!("&{file}={}", self.file(name)));
        format!("{}?{mode}{}", self.url, authority.unwrap_or_default())
    }

    fn is_encrypted(&self) -> &'static str {
        match self.engine {
            Engine::Mysql => {
                "SELECT IF(VARIABLE_VALUE = '', 'plain', 'encrypted') FROM information_schema.SESSION_STATUS \
                 WHERE VARIABLE_NAME = 'Ssl_cipher'"
            }
            _ => {
                "SELECT CASE WHEN ssl THEN 'encrypted' ELSE 'plain' END FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
            }
        }
    }

    /// What became of it: of the readers by URL, of SeaORM, and of the readers alongside it.
    async fn outcome(&self, url: &str) -> String {
        let options = || ReadOptions::new().acquire_timeout(Duration::from_secs(5));
        let sql = self.is_encrypted();
        let alone = match ReadPool::connect(url, options()).await {
            Ok(reads) => value(&reads, sql).await,
            Err(error) => reason(&error.to_string()),
        };
        let (seaorm, alongside) = match connect(url, 1).await {
            Ok(db) => {
                let reads = ReadPool::alongside(&db, options()).await.unwrap();
                (value(&db, sql).await, value(&reads, sql).await)
            }
            Err(error) => (reason(&error.to_string()), reason(&error.to_string())),
        };
        assert_eq!((&seaorm, &alongside), (&alone, &alone), "{url}");
        alone
    }

    /// Replaces the server's certificate, from now on.
    async fn show(&self, certificate: &str) {
        let certificate = fs::read(self.folder.join(certificate)).unwrap();
        fs::write(self.folder.join("server.pem"), certificate).unwrap();
        let db = Database::connect(self.with("disable", None)).await.unwrap();
        match self.engine {
            Engine::Mysql => execute(&db, "FLUSH SSL").await,
            _ => execute(&db, "SELECT pg_reload_conf()").await,
        }
        db.close().await.unwrap();
    }
}

async fn execute(db: &DatabaseConnection, sql: &str) {
    db.execute_unprepared(sql).await.unwrap();
}

/// The part of an error that says what is wrong with a server.
fn reason(error: &str) -> String {
    let known = [
        "NotValidForName",
        "not valid for name",
        "UnknownIssuer",
        "Expired",
        "expired",
        "does not support TLS",
        "feature `tls`",
    ];
    let found = known.iter().find(|known| error.contains(**known));
    match *found.unwrap_or_else(|| panic!("{error}")) {
        "not valid for name" => "NotValidForName",
        "Expired" => "expired",
        found => found,
    }
    .to_owned()
}

/// Held by tests that change the certificate which a server shows, or depend on it.
static CERTIFICATE: Mutex<()> = Mutex::new(());

/// Rules b325, b326.
#[test]
fn each_mode_accepts_and_refuses_what_it_says() {
    let _shown = CERTIFICATE.lock().unwrap_or_else(PoisonError::into_inner);
    run(async {
        for server in Server::all() {
            let elsewhere = Server {
                url: server.url.replace("127.0.0.1", "localhost"),
                folder: server.folder.clone(),
                ..server
            };
            let (right, wrong_host) = (&server, &elsewhere);
            for (server, mode, authority, outcome) in [
                (right, "disable", None, "plain"),
                (right, "prefer", None, "encrypted"),
                (right, "require", None, "encrypted"),
                // Who names an authority wants it to count.
                (right, "require", Some("ca.pem"), "encrypted"),
                (right, "require", Some("stranger.pem"), "UnknownIssuer"),
                (right, "verify-ca", Some("ca.pem"), "encrypted"),
                (right, "verify-full", Some("ca.pem"), "encrypted"),
                // The roots of the system do not know it.
                (right, "verify-ca", None, "UnknownIssuer"),
                (right, "verify-full", None, "UnknownIssuer"),
                (right, "verify-ca", Some("stranger.pem"), "UnknownIssuer"),
                (right, "verify-full", Some("stranger.pem"), "UnknownIssuer"),
                (wrong_host, "require", None, "encrypted"),
                (wrong_host, "verify-ca", Some("ca.pem"), "encrypted"),
                (wrong_host, "verify-full", Some("ca.pem"), "NotValidForName"),
            ] {
                let url = server.with(mode, authority);
                assert_eq!(server.outcome(&url).await, outcome, "{url}");
            }
            if server.engine == Engine::Postgres {
                let allow = server.with("allow", None);
                assert_eq!(server.outcome(&allow).await, "plain");
            }

            server.show("expired.pem").await;
            let full = server.with("verify-full", Some("ca.pem"));
            // PostgreSQL takes a moment to read its files again.
            while server.engine == Engine::Postgres
                && ReadPool::connect(&full, ReadOptions::new()).await.is_ok()
            {
                tokio::task::yield_now().await;
            }
            for mode in ["verify-ca", "verify-full"] {
                let url = server.with(mode, Some("ca.pem"));
                assert_eq!(server.outcome(&url).await, "expired", "{url}");
            }
            assert_eq!(
                server.outcome(&server.with("require", None)).await,
                "encrypted"
            );
            server.show("valid.pem").await;
            while ReadPool::connect(&full, ReadOptions::new()).await.is_err() {
                tokio::task::yield_now().await;
            }
        }
    });
}

/// Names users that only come in by encryption, with a password that is bound to it, and with a certificate.
/// Rules b326, b327.
#[test]
fn users_of_postgresql_come_in_by_encryption_password_and_certificate() {
    let _shown = CERTIFICATE.lock().unwrap_or_else(PoisonError::into_inner);
    run(async {
        let servers = Server::all();
        let Some(server) = servers.iter().find(|one| one.engine == Engine::Postgres) else {
            return;
        };
        let db = Database::connect(server.with("disable", None))
            .await
            .unwrap();
        for user in ["tls_only", "tls_client", "tls_password"] {
            let _ = db
                .execute_unprepared(&format!("CREATE ROLE {user} LOGIN"))
                .await;
        }
        execute(
            &db,
            "SET password_encryption = 'scram-sha-256'; ALTER ROLE tls_password PASSWORD 'secret'",
        )
        .await;
        let of = |user: &str, options: &str| {
            let url = server
                .with("require", None)
                .replace("postgres@", &format!("{user}@"));
            url.replace("sslmode=require", options)
        };
        // Plain is refused, and then it is encrypted.
        assert_eq!(
            server.outcome(&of("tls_only", "sslmode=allow")).await,
            "encrypted"
        );
        assert_eq!(
            server
                .outcome(&of("tls_password:secret", "sslmode=require"))
                .await,
            "encrypted"
        );
        let wrong = of("tls_password:wrong", "sslmode=require");
        let wrong = ReadPool::connect(&wrong, ReadOptions::new())
            .await
            .unwrap_err();
        assert!(wrong.to_string().contains("password"), "{wrong}");

        let files = format!(
            "sslmode=verify-full&sslrootcert={}&sslcert={}&sslkey={}",
            server.file("ca.pem"),
            server.file("client.pem"),
            server.file("client.key")
        );
        assert_eq!(server.outcome(&of("tls_client", &files)).await, "encrypted");
        let without = of("tls_client", "sslmode=require");
        assert!(
            ReadPool::connect(&without, ReadOptions::new())
                .await
                .is_err()
        );
        assert!(connect(&without, 1).await.is_err());
    });
}

/// Rule b326.
#[test]
fn users_of_mariadb_come_in_by_certificate() {
    let _shown = CERTIFICATE.lock().unwrap_or_else(PoisonError::into_inner);
    run(async {
        let servers = Server::all();
        let Some(server) = servers.iter().find(|one| one.engine == Engine::Mysql) else {
            return;
        };
        let url = server.with("verify-full", Some("ca.pem"));
        let url = url
            .replace("listing@", "tls_client@")
            .replace("/listing?", "/?");
        let files = format!(
            "{url}&ssl-cert={}&ssl-key={}",
            server.file("client.pem"),
            server.file("client.key")
        );
        assert_eq!(server.outcome(&files).await, "encrypted");
        assert!(ReadPool::connect(&url, ReadOptions::new()).await.is_err());
        assert!(connect(&url, 1).await.is_err());
    });
}

/// The readers of a pool open a connection when they need one.
/// Rule b326.
#[test]
fn files_are_read_again_for_each_connection() {
    let _shown = CERTIFICATE.lock().unwrap_or_else(PoisonError::into_inner);
    run(async {
        let servers = Server::all();
        let Some(server) = servers.iter().find(|one| one.engine == Engine::Postgres) else {
            return;
        };
        let roots = std::env::temp_dir().join(format!("listing-roots-{}.pem", std::process::id()));
        let put = |name: &str| fs::copy(server.folder.join(name), &roots).unwrap();
        put("ca.pem");
        let url = server.with("verify-full", None);
        let url = format!("{url}&sslrootcert={}", roots.display());
        let options = ReadOptions::new().connections(1);
        let reads = ReadPool::connect(&url, options).await.unwrap();
        let db = Database::connect(server.with("disable", None))
            .await
            .unwrap();
        let lose = async || {
            let number = value(&reads, "SELECT pg_backend_pid()::text").await;
            execute(&db, &format!("SELECT pg_terminate_backend({number}, 5000)")).await;
        };
        lose().await;
        put("stranger.pem");
        let refused = rows(&reads, 1, "SELECT 1", Vec::new()).await.unwrap_err();
        assert_eq!(reason(&refused.to_string()), "UnknownIssuer");
        put("ca.pem");
        assert_eq!(value(&reads, "SELECT 1").await, "1");
        fs::remove_file(roots).unwrap();
    });
}

/// A server that offers both ways to prove a password, and tells which one was taken.
/// Rule b327.
#[test]
fn a_password_is_bound_to_its_connection_where_the_server_offers_it() {
    run(async {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let taken = tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.unwrap();
            // Whether it encrypts: yes.
            socket.read_exact(&mut [0; 8]).await.unwrap();
            socket.write_all(b"S").await.unwrap();
            let acceptor = TlsAcceptor::from(Arc::new(config));
            let mut stream = acceptor.accept(socket).await.unwrap();
            let message = async |stream: &mut TlsStream<TcpStream>| {
                let length = usize::try_from(stream.read_u32().await.unwrap()).unwrap();
                let mut message = vec![0; length - 4];
                stream.read_exact(&mut message).await.unwrap();
                message
            };
            message(&mut stream).await;
            let ways = b"SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0";
            let length = u32::try_from(8 + ways.len()).unwrap();
            let offer = [&b"R"[..], &length.to_be_bytes(), &[0, 0, 0, 10], ways].concat();
            stream.write_all(&offer).await.unwrap();
            assert_eq!(stream.read_u8().await.unwrap(), b'p');
            message(&mut stream).await
        });
        let url = format!("postgres://me:secret@{address}/db?sslmode=require");
        assert!(ReadPool::connect(&url, ReadOptions::new()).await.is_err());
        let taken = String::from_utf8_lossy(&taken.await.unwrap()).into_owned();
        assert!(taken.starts_with("SCRAM-SHA-256-PLUS\0"), "{taken:?}");
        assert!(taken.contains("p=tls-server-end-point"), "{taken:?}");
    });
}

/// A server that answers the question for encryption with `N`, as PostgreSQL without certificates does.
/// Rule b326.
#[test]
fn a_server_without_encryption_is_refused_where_it_is_required() {
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let _ = socket.read_exact(&mut [0; 8]).await;
                let _ = socket.write_all(b"N").await;
                let _ = socket.read_to_end(&mut Vec::new()).await;
            }
        });
        let url = format!("postgres://me@{address}/db?sslmode=require");
        let reads = ReadPool::connect(&url, ReadOptions::new())
            .await
            .unwrap_err();
        assert_eq!(reason(&reads.to_string()), "does not support TLS");
        let seaorm = connect(&url, 1).await.unwrap_err();
        assert_eq!(reason(&seaorm.to_string()), "does not support TLS");
    });
}
