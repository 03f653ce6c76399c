//! Handles a URL's TLS parameters where the driver differs from PostgreSQL's own library.

use sea_orm::{DbErr, RuntimeErr};

use super::{parameter, unusable};

const MODE: [&str; 2] = ["sslmode", "ssl-mode"];

/// Refuses a URL that asks for TLS if this build has no TLS.
pub(super) fn is_possible(url: &str) -> Result<(), DbErr> {
    let mode = mode(url);
    let is_required = mode.starts_with("require") || mode.starts_with("verify");
    if is_required && !cfg!(feature = "tls") {
        return Err(unusable(
            "the database's URL asks for TLS, which this program was built without: turn on the feature `tls` of the \
             crate `listing-axum`",
        ));
    }
    // The driver would leave it out, and nothing would be verified (b326).
    let is_postgres = url.starts_with("postgres");
    if is_postgres && parameter(url, &["sslca"]).is_some() {
        return Err(unusable(
            "`sslca` in the database's URL means nothing to PostgreSQL: write `sslrootcert`",
        ));
    }
    Ok(())
}

fn mode(url: &str) -> String {
    let mode = parameter(url, &MODE).unwrap_or_default();
    mode.to_ascii_lowercase()
}

/// With `allow`, encryption is only used if a server refuses plain connections.
pub(super) fn is_worth_a_try(url: &str, error: &DbErr) -> bool {
    let DbErr::Conn(RuntimeErr::SqlxError(error)) = error else {
        return false;
    };
    let code = error.as_database_error().and_then(|error| error.code());
    cfg!(feature = "tls")
        && parameter(url, &MODE) == Some("allow")
        && code.as_deref() == Some("28000")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b326.
    #[test]
    fn an_authority_that_the_driver_would_leave_out_is_refused() {
        let error = is_possible("postgres://host/db?sslmode=prefer&sslca=ca.pem");
        let error = error.unwrap_err().to_string();
        assert!(error.contains("write `sslrootcert`"), "{error}");
        is_possible("mysql://host/db?sslca=ca.pem").unwrap();
        is_possible("postgres://host/db?sslrootcert=ca.pem").unwrap();
    }
}
