//! The schemas that do not depend on a listing: envelopes, pages and errors.

use super::model::{Additional, Schema};

/// Schemas that do not depend on a listing.
pub(super) fn common(codes: Vec<&str>) -> Vec<(&'static str, Schema)> {
    let text = || Schema::of("string");
    let whole = |least: u64| Schema {
        minimum: Some(least.into()),
        ..Schema::of("integer")
    };
    let boolean = || Schema::of("boolean");
    let texts = || Schema::array(text());
    let meta = || {
        let members = [
            ("code", Schema::of("integer")),
            ("message", text().or_null()),
        ];
        Schema::object(members, &["code", "message"])
    };
    let details = [
        ("parameter", text()),
        ("token", text()),
        ("allowed", texts()),
        ("nearest", text().or_null()),
        (
            "errors",
            Schema::array(Schema::object(
                [("path", texts()), ("message", text())],
                &["path", "message"],
            )),
        ),
    ];
    let error = [
        ("status", Schema::of("integer")),
        ("name", text()),
        (
            "code",
            Schema::one_of_texts(codes).described("Stable: program against it."),
        ),
        ("message", text()),
        ("details", Schema::object(details, &[])),
    ];
    let errors = Schema {
        additional_properties: Some(Additional::These(Box::new(texts()))),
        ..Schema::of("object").described("What is wrong with each field.")
    };
    vec![
        (
            "Pagination",
            Schema::any_of(vec![
                Schema::object(
                    [
                        ("page", whole(1)),
                        ("pageSize", whole(1)),
                        ("pageCount", whole(0)),
                        ("total", whole(0)),
                        ("totalIsExact", boolean()),
                        ("hasMore", boolean()),
                    ],
                    &["page", "pageSize"],
                ),
                Schema::object(
                    [
                        ("start", whole(0)),
                        ("limit", whole(1)),
                        ("total", whole(0)),
                        ("totalIsExact", boolean()),
                        ("hasMore", boolean()),
                    ],
                    &["start", "limit"],
                ),
                Schema::object(
                    [
                        ("pageSize", whole(1)),
                        ("nextCursor", text().or_null()),
                        ("prevCursor", text().or_null()),
                        ("total", whole(0)),
                        ("totalIsExact", boolean()),
                    ],
                    &["pageSize", "nextCursor", "prevCursor"],
                ),
            ])
            .described(
                "By page, by offset or by cursor, as it was asked. Where counting stopped, `total` is how far it came, \
                 `totalIsExact` is false, and there is no `pageCount`.",
            ),
        ),
        (
            "AskedPagination",
            Schema::object(
                [
                    ("page", whole(1)),
                    ("pageSize", whole(1)),
                    ("start", whole(0)),
                    ("limit", whole(1)),
                    ("cursor", text()),
                    ("withCount", boolean()),
                    ("count", Schema::one_of_texts(["exact"])),
                ],
                &[],
            )
            .described(
                "`page` and `pageSize`, or `start` and `limit`, or `cursor` and `pageSize`.",
            ),
        ),
        (
            "AppliedFilter",
            Schema::object(
                [
                    ("key", text()),
                    ("value", text()),
                    ("label", text()),
                    ("operator", text()),
                    ("path", text()),
                ],
                &["key", "value", "label", "operator"],
            ),
        ),
        (
            "PopulatedRelation",
            Schema::object(
                [
                    ("limit", whole(1)),
                    ("truncated", boolean()),
                    ("start", whole(0)),
                    (
                        "totals",
                        Schema::map(whole(0))
                            .described("How many there are, by the `id` of the row that has them."),
                    ),
                ],
                &["limit", "truncated"],
            ),
        ),
        (
            "Ignored",
            Schema::object(
                ["fields", "sort", "populate", "facets", "parameters"].map(|name| (name, texts())),
                &[],
            )
            .described("Names that are not known, and had no effect."),
        ),
        (
            "RelationLimit",
            limit().described("How many records of a relation are shown for each."),
        ),
        ("Count", Schema::object([("count", whole(0))], &["count"])),
        (
            "Done",
            Schema::object(
                [("message", text().or_null()), ("meta", meta())],
                &["message", "meta"],
            ),
        ),
        (
            "Error",
            Schema::object(
                [
                    ("data", nothing()),
                    ("message", text()),
                    ("errors", errors),
                    (
                        "error",
                        Schema::object(error, &["status", "name", "code", "message"]),
                    ),
                    ("meta", meta()),
                ],
                &["data", "message", "error", "meta"],
            ),
        ),
    ]
}

/// How many records of a relation are shown.
pub(super) fn limit() -> Schema {
    let limit = Schema {
        minimum: Some(1.into()),
        ..Schema::of("integer")
    };
    let start = Schema {
        minimum: Some(0.into()),
        ..Schema::of("integer")
    };
    Schema::object([("start", start), ("limit", limit)], &[])
}

/// The data of an error. It is null and nothing else, but not every generator knows a type that is null alone.
fn nothing() -> Schema {
    Schema::of("object").or_null().described("Always null.")
}

/// `{message, data, meta}` with these data; `meta` also tells about populated relations and ignored names.
pub(super) fn record(data: Schema) -> Schema {
    let further = [
        (
            "relations",
            Schema::map(Schema::reference("PopulatedRelation")),
        ),
        ("ignored", Schema::reference("Ignored")),
    ];
    with_meta(data, further.to_vec())
}

/// The same with these further members of `meta`.
pub(super) fn envelope_with(data: Schema, further: Vec<(&str, Schema)>) -> Schema {
    with_meta(data, further)
}

/// `{message, data, meta}` with these data.
pub(super) fn envelope(data: Schema) -> Schema {
    with_meta(data, Vec::new())
}

fn with_meta(data: Schema, further: Vec<(&str, Schema)>) -> Schema {
    let meta = [
        ("code", Schema::of("integer")),
        ("message", Schema::of("string").or_null()),
    ];
    let meta = meta.into_iter().chain(further);
    let members = [
        ("message", Schema::of("string").or_null()),
        ("data", data),
        ("meta", Schema::object(meta, &["code", "message"])),
    ];
    Schema::object(members, &["message", "data", "meta"])
}
