//! Decides which columns look like secrets, by the words in their names, by their tables and by their types.

mod told;

use std::fmt;
use std::ops::Range;

use heck::ToSnakeCase;

pub(crate) use self::told::{IN_FILES, LeftOut, tell};

/// The known properties of a column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'c> {
    pub(crate) table: &'c str,
    /// Its name, in any case.
    pub(crate) column: &'c str,
    pub(crate) values: Values,
    /// Whether it is a part of the key, or references another table.
    pub(crate) is_key: bool,
    /// Whether its table has a column called `secret`.
    pub(crate) next_to_secret: bool,
}

/// The type of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    /// Text or anything else that a secret can be written as, with its length in characters where all have the same.
    Text(Option<u32>),
    /// Bytes, with their number where all have the same.
    Bytes(Option<u32>),
    Uuid,
    Number,
    /// Truth, time or one of a few values, which keep no secret.
    Harmless,
}

/// Why a column looks like a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Why {
    /// These words of its name.
    Words(String),
    /// The table that it is in.
    Table(String),
    /// Its type, in the words of SQL.
    Type(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => write!(f, "`{words}` in its name"),
            Self::Table(table) => write!(f, "a value of `{table}`"),
            Self::Type(name) => write!(f, "its type `{name}` has the size of a hash"),
        }
    }
}

/// Words that mean a secret, whatever type the column has.
const WORDS: &[&str] = &[
    "cvc",
    "cvn",
    "cvv",
    "hotp",
    "iban",
    "kennwort",
    "mfa",
    "otp",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "passwort",
    "pin",
    "pswd",
    "pwd",
    "ssn",
    "totp",
];

/// Words that mean a secret, unless the column is a number: `token integer` is a number of tokens.
const WORDS_OF_TEXT: &[&str] = &[
    "argon",
    "bcrypt",
    "bearer",
    "ciphertext",
    "cookie",
    "credential",
    "crypt",
    "csrf",
    "encrypted",
    "ha1",
    "hash",
    "hmac",
    "htpasswd",
    "jwe",
    "jwt",
    "mnemonic",
    "nonce",
    "pbkdf",
    "salt",
    "scrypt",
    "secret",
    "token",
    "xsrf",
];

/// Words that mean a secret in front of one of several others.
const PAIRS: &[(&[&str], &[&str])] = &[
    (
        &[
            "account", "admin", "auth", "database", "db", "ftp", "http", "imap", "ldap", "login",
            "mail", "proxy", "root", "smtp", "user", "wifi",
        ],
        &["pass"],
    ),
    (
        &["pass"],
        &["code", "crypt", "hash", "key", "phrase", "salt", "word"],
    ),
    (
        &[
            "access",
            "activation",
            "api",
            "auth",
            "authentication",
            "authorization",
            "client",
            "confirmation",
            "consumer",
            "encryption",
            "licence",
            "license",
            "login",
            "master",
            "private",
            "recovery",
            "reset",
            "secret",
            "session",
            "shared",
            "signing",
            "webhook",
        ],
        &["key"],
    ),
    (
        &[
            "access",
            "activation",
            "auth",
            "authorization",
            "backup",
            "confirmation",
            "invitation",
            "invite",
            "login",
            "recovery",
            "reset",
            "scratch",
            "secret",
            "security",
            "verification",
        ],
        &["code"],
    ),
    (&["card", "cc", "creditcard"], &["no", "num", "number"]),
    (&["passport"], &["no", "number"]),
    (&["bank"], &["account"]),
    (&["code"], &["verifier"]),
    (&["connection"], &["string"]),
    (&["national"], &["id"]),
    (&["security"], &["answer"]),
    (&["seed"], &["phrase"]),
    (&["session"], &["data", "id"]),
    (&["social"], &["security"]),
];

/// Several words of a secret written as one.
const COMPOUNDS: &[&str] = &[
    "accesskey",
    "accesstoken",
    "apikey",
    "approvalcode",
    "authtoken",
    "backupcode",
    "cardnumber",
    "nationalidnumber",
    "passcrypt",
    "passhash",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "recoverycode",
    "refreshtoken",
    "resettoken",
    "secretkey",
    "securitycode",
    "sessionid",
    "sessiontoken",
    "socialsecurity",
];

/// Last words of names that say something about a secret without telling it.
const HARMLESS_ENDS: &[&str] = &[
    "algo",
    "algorithm",
    "at",
    "attempt",
    "category",
    "count",
    "date",
    "description",
    "enabled",
    "endpoint",
    "expiration",
    "expire",
    "expiry",
    "failure",
    "kind",
    "label",
    "len",
    "length",
    "lifetime",
    "limit",
    "method",
    "name",
    "policy",
    "prefix",
    "provider",
    "required",
    "retrie",
    "scope",
    "size",
    "state",
    "status",
    "strength",
    "tag",
    "time",
    "title",
    "total",
    "trie",
    "ttl",
    "type",
    "uri",
    "url",
    "usage",
    "used",
    "version",
];

/// The contents of hashes that everyone may know.
const PUBLIC_HASHES: &[&str] = &[
    "asset",
    "blob",
    "block",
    "body",
    "commit",
    "content",
    "file",
    "geo",
    "git",
    "image",
    "media",
    "page",
    "transaction",
    "tree",
    "tx",
    "url",
];

/// The names of tables of secrets, as one word or two.
const VAULTS: &[&str] = &["apikey", "credential", "password", "secret", "token"];
const VAULTS_OF_KEYS: &[&str] = &["access", "api", "auth", "secret"];

/// Columns of these tables that contain secrets.
const IN_VAULTS: &[&str] = &["code", "data", "hash", "id", "key", "value"];
const IN_SESSIONS: &[&str] = &["data", "id", "key", "payload"];

/// Lengths of hashes in characters, each of which hardly any other column has.
const HASH_LENGTHS: &[u32] = &[32, 40, 56, 60, 64, 96, 128];

/// Words in names of columns that have the length of a hash and are not hashes.
const PLAIN: &[&str] = &[
    "address",
    "brand",
    "checksum",
    "city",
    "code",
    "color",
    "colour",
    "comment",
    "company",
    "country",
    "currency",
    "description",
    "email",
    "etag",
    "gid",
    "guid",
    "id",
    "label",
    "language",
    "locale",
    "mail",
    "model",
    "name",
    "phone",
    "region",
    "slug",
    "state",
    "street",
    "text",
    "title",
    "unit",
    "url",
    "uuid",
    "zone",
];

/// Why a column looks like a secret; `None` if it does not.
pub(crate) fn why(subject: Subject<'_>) -> Option<Why> {
    if subject.values == Values::Harmless {
        return None;
    }
    let words = words(subject.column);
    if words
        .last()
        .is_some_and(|last| HARMLESS_ENDS.contains(&last.as_str()))
    {
        return None;
    }
    let is_number = subject.values == Values::Number;
    // The number of a row elsewhere.
    if is_number && words.last().is_some_and(|last| last == "id") {
        return None;
    }
    let by_words = by_words(&words, is_number);
    // The session of a table of sessions, whatever these are.
    let is_session = |found: &Range<usize>| words[found.clone()] == ["session", "id"];
    let by_words = by_words.filter(|found| !(subject.is_key && is_session(found)));
    if let Some(found) = by_words {
        let told: Vec<_> = split(subject.column)[found].to_vec();
        return Some(Why::Words(told.join("_")));
    }
    if is_number {
        return None;
    }
    by_table(&subject, &words).or_else(|| by_type(&subject, &words))
}

/// The words that mean a secret.
fn by_words(words: &[String], is_number: bool) -> Option<Range<usize>> {
    if words == ["pass"] {
        return Some(0..1);
    }
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |at| words[at].as_str());
        let without_digits = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let is_pair = |pair: &(&[&str], &[&str])| {
            pair.0.contains(&before) && pair.1.contains(&without_digits)
        };
        if PAIRS.iter().any(is_pair) {
            return Some(at - 1..at + 1);
        }
        let is_in = |list: &[&str]| list.contains(&word.as_str()) || list.contains(&without_digits);
        let is_public = without_digits == "hash" && PUBLIC_HASHES.contains(&before);
        if is_in(WORDS)
            || (is_in(WORDS_OF_TEXT) && !is_number && !is_public)
            || COMPOUNDS.iter().any(|compound| word.contains(compound))
        {
            return Some(at..at + 1);
        }
    }
    None
}

/// `api_keys.key`, `sessions.payload`, and the `key` that belongs to a `secret`.
fn by_table(subject: &Subject<'_>, of_column: &[String]) -> Option<Why> {
    let [column] = of_column else {
        return None;
    };
    let of_table = words(subject.table);
    let has = |list: &[&str]| of_table.iter().any(|word| list.contains(&word.as_str()));
    let has_keys = of_table
        .windows(2)
        .any(|pair| VAULTS_OF_KEYS.contains(&pair[0].as_str()) && pair[1] == "key");
    // Rows are often identified by a UUID, which gives no access.
    let is_plain_id = column == "id" && subject.values == Values::Uuid;
    let is_kept = |list: &[&str]| list.contains(&column.as_str()) && !is_plain_id;
    let is_secret = (column == "key" && subject.next_to_secret)
        || ((has_keys || has(VAULTS)) && is_kept(IN_VAULTS))
        || (of_table.last().is_some_and(|last| last == "session") && is_kept(IN_SESSIONS));
    is_secret.then(|| Why::Table(subject.table.to_owned()))
}

/// `char(32)` and `binary(20)`, which are neither keys nor called something else.
fn by_type(subject: &Subject<'_>, words: &[String]) -> Option<Why> {
    let is_plain = words.iter().any(|word| PLAIN.contains(&word.as_str()));
    if subject.is_key || is_plain {
        return None;
    }
    match subject.values {
        Values::Text(Some(length)) if HASH_LENGTHS.contains(&length) => {
            Some(Why::Type(format!("char({length})")))
        }
        Values::Bytes(Some(length @ 16..=64)) => Some(Why::Type(format!("binary({length})"))),
        _ => None,
    }
}

/// The words of a name, each as one of its kind: `apiKeys` is `api` and `key`.
fn words(name: &str) -> Vec<String> {
    split(name).iter().map(|word| singular(word)).collect()
}

fn split(name: &str) -> Vec<String> {
    let snake = name.to_snake_case();
    let words = snake.split('_').filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn singular(word: &str) -> String {
    let is_plural =
        word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us");
    match word.strip_suffix("es").filter(|rest| rest.ends_with("sh")) {
        Some(rest) => rest.to_owned(),
        None if is_plural => word[..word.len() - 1].to_owned(),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests;
