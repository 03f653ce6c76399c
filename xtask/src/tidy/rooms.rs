//! The rooms of each crate, and what each of them may import.

pub(super) struct Room {
    pub(super) name: &'static str,
    pub(super) may_import: &'static [&'static str],
    /// Why it may import nothing else.
    pub(super) because: &'static str,
}

const ROOMS: &[Room] = &[
    Room {
        name: "vocabulary",
        may_import: &[],
        because: "every room speaks it, so it can depend on none",
    },
    Room {
        name: "observe",
        may_import: &[],
        because: "every room may count what it does, whatever that is",
    },
    Room {
        name: "cursor",
        may_import: &["vocabulary"],
        because: "it seals a place in an order and does not know the list",
    },
    Room {
        name: "catalogue",
        may_import: &["vocabulary"],
        because: "it says what a database has, whatever listings need",
    },
    Room {
        name: "request",
        may_import: &["vocabulary"],
        because: "it sees text and does not know the whitelist",
    },
    Room {
        name: "define",
        may_import: &["vocabulary", "cursor", "catalogue"],
        because: "a whitelist is written before there is any request",
    },
    Room {
        name: "describe",
        may_import: &["vocabulary", "define"],
        because: "it tells what a whitelist allows, whatever is asked",
    },
    Room {
        name: "indexes",
        may_import: &["vocabulary", "catalogue", "define"],
        because: "it compares listings with a database before there is any request",
    },
    Room {
        name: "check",
        may_import: &["vocabulary", "cursor", "catalogue", "request", "define"],
        because: "it compares a request with a whitelist; what is done with the result is not its business",
    },
    Room {
        name: "plan",
        may_import: &["vocabulary", "cursor", "check", "define"],
        because: "it sees only what has been checked, never a client's text",
    },
    Room {
        name: "sql",
        may_import: &["vocabulary", "plan", "define"],
        because: "it turns a plan into statements and must not look back at the request",
    },
    Room {
        name: "render",
        may_import: &["vocabulary"],
        because: "it turns wire values into JSON bytes and needs neither a connection nor a plan",
    },
    Room {
        name: "execute",
        may_import: &["vocabulary", "observe", "render", "sql", "plan", "define"],
        because: "it decides which statements are run, on any reader, and knows no driver",
    },
    Room {
        name: "drivers",
        may_import: &["vocabulary", "observe", "render", "sql", "execute"],
        because: "it runs statements on connections, whatever they were planned for",
    },
    Room {
        name: "envelope",
        may_import: &["vocabulary", "render", "execute", "plan", "define"],
        because: "it writes JSON from a plan and its rows, and has no say in what was asked",
    },
    Room {
        name: "export",
        may_import: &[
            "vocabulary",
            "render",
            "sql",
            "execute",
            "envelope",
            "plan",
            "define",
            "request",
        ],
        because: "it writes a file from a plan and its rows, in the form that was asked for",
    },
    Room {
        name: "migration",
        may_import: &["vocabulary", "sql"],
        because: "migrations run before there are listings",
    },
];

/// The rooms of `listing-axum`: lists, records and the service, on what all three need to speak HTTP.
const HTTP_ROOMS: &[Room] = &[
    Room {
        name: "http",
        may_import: &[],
        because: "every room replies with it, so it can depend on none",
    },
    Room {
        name: "list",
        may_import: &["http"],
        because: "an application can serve lists without records and without our service",
    },
    Room {
        name: "records",
        may_import: &["http", "list"],
        because: "a resource has a list, and is served the same whatever is configured",
    },
    Room {
        name: "describe",
        may_import: &["http", "list", "records"],
        because: "it tells what is served, and changes none of it",
    },
    Room {
        name: "service",
        may_import: &["http", "records", "describe"],
        because: "it wraps what is served, and only its console reads which routes there are",
    },
    Room {
        name: "pages",
        may_import: &["http", "service"],
        because: "a page is a client like any other: it reads the description over HTTP, and knows no record",
    },
    Room {
        name: "application",
        may_import: &["http", "records", "service", "pages"],
        because: "it puts the parts together that an application could put together itself",
    },
];

/// The rooms of the command: from names and files to whole applications.
const COMMAND_ROOMS: &[Room] = &[
    Room {
        name: "arguments",
        may_import: &[],
        because: "it says what can be typed, and does nothing",
    },
    Room {
        name: "naming",
        may_import: &[],
        because: "it spells names, whatever they are for",
    },
    Room {
        name: "terminal",
        may_import: &[],
        because: "everything prints through it",
    },
    Room {
        name: "wait",
        may_import: &[],
        because: "it waits, whatever for",
    },
    Room {
        name: "remote",
        may_import: &[],
        because: "it asks a service, whatever for",
    },
    Room {
        name: "files",
        may_import: &["terminal"],
        because: "it writes files, whatever is in them",
    },
    Room {
        name: "application",
        may_import: &["arguments", "terminal"],
        because: "it runs an application as it is",
    },
    Room {
        name: "model",
        may_import: &["naming", "terminal"],
        because: "it judges an entity, wherever it was read and whatever is written for it",
    },
    Room {
        name: "database",
        may_import: &["model", "naming", "terminal"],
        because: "it reads a schema, whatever it is read for",
    },
    Room {
        name: "source",
        may_import: &["model", "naming"],
        because: "it writes text, and files are for others",
    },
    Room {
        name: "serve",
        may_import: &["arguments", "database", "model", "naming", "terminal"],
        because: "it serves a database without any file",
    },
    Room {
        name: "check",
        may_import: &[
            "application",
            "arguments",
            "database",
            "model",
            "terminal",
            "wait",
        ],
        because: "it compares, and changes nothing",
    },
    Room {
        name: "client",
        may_import: &["application", "arguments", "files", "remote", "wait"],
        because: "it writes a client from a description alone",
    },
    Room {
        name: "export",
        may_import: &["arguments", "remote", "terminal", "wait"],
        because: "it takes a file as a service sends it",
    },
    Room {
        name: "make",
        may_import: &[
            "arguments",
            "database",
            "files",
            "model",
            "naming",
            "source",
            "terminal",
            "wait",
        ],
        because: "it adds to an application, however that was made",
    },
    Room {
        name: "new",
        may_import: &[
            "arguments",
            "database",
            "files",
            "make",
            "model",
            "naming",
            "serve",
            "source",
            "terminal",
            "wait",
        ],
        because: "a new application is made of all that can be added to one",
    },
];

/// The crates that have rooms.
pub(super) const CRATES: &[(&str, &[Room])] = &[
    ("crates/listing/src/", ROOMS),
    ("crates/listing-axum/src/", HTTP_ROOMS),
    ("crates/listing-cli/src/", COMMAND_ROOMS),
];
