//! Splits the address of a target into its parts.

use http::Uri;

/// An `http://` or `https://` URL without user and fragment.
#[derive(Clone, PartialEq, Eq)]
pub(in super::super) struct Url {
    pub(super) is_https: bool,
    /// A name or an IP address, without brackets.
    pub(super) host: String,
    pub(super) port: u16,
    /// The host, as a header contains it.
    pub(super) authority: String,
    /// The path and the query string.
    pub(super) path: String,
}

impl Url {
    pub(in super::super) fn parse(text: &str) -> Option<Self> {
        let uri: Uri = text.parse().ok().filter(|_| !text.contains('#'))?;
        let authority = uri.authority()?.as_str();
        let is_https = match uri.scheme_str()? {
            "http" => false,
            "https" => true,
            _ => return None,
        };
        let host = uri.host().filter(|host| !host.is_empty())?;
        let port = match authority.strip_prefix(host)? {
            "" if is_https => 443,
            "" => 80,
            port => port.strip_prefix(':')?.parse().ok()?,
        };
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        (port > 0).then(|| Self {
            is_https,
            host: bare.to_owned(),
            port,
            authority: authority.to_owned(),
            // A request needs a path, and a URL may begin its query without one.
            path: match uri.query() {
                Some(query) => format!("{}?{query}", uri.path()),
                None => uri.path().to_owned(),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b1191.
    #[test]
    fn a_url_is_read_or_refused_as_a_whole() {
        for (text, is_https, host, port, path) in [
            ("https://example.org", true, "example.org", 443, "/"),
            (
                "http://example.org/a?b=c",
                false,
                "example.org",
                80,
                "/a?b=c",
            ),
            ("HTTPS://example.org:8443/", true, "example.org", 8443, "/"),
            ("http://[::1]:9000/x", false, "::1", 9000, "/x"),
            ("http://127.0.0.1:1/", false, "127.0.0.1", 1, "/"),
            ("https://example.org?a=b", true, "example.org", 443, "/?a=b"),
        ] {
            let url = Url::parse(text).unwrap();
            let parts = (url.is_https, &*url.host, url.port, &*url.path);
            assert_eq!(parts, (is_https, host, port, path), "{text}");
        }
        for text in [
            "",
            "example.org",
            "/hooks",
            "ftp://example.org/",
            "https://",
            "https:///hooks",
            "https://ann@example.org/",
            "https://ann:secret@example.org/",
            "https://example.org/#part",
            "https://example.org:0/",
            "https://example.org:70000/",
            "https://exa mple.org/",
        ] {
            assert!(Url::parse(text).is_none(), "{text}");
        }
    }
}
