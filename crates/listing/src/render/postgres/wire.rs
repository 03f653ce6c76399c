//! How the values of each PostgreSQL type are written on the wire.

/// How a column's values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    One(Base),
    Array(Base),
}

/// How one value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    Bool,
    Int2,
    Int4,
    Int8,
    /// An unsigned number of four bytes.
    Oid,
    Float4,
    Float8,
    Numeric,
    Money,
    Text,
    /// `char(n)`: text filled up with blanks that mean nothing.
    PaddedText,
    /// Text after a byte that holds a version: `jsonpath`, `ltree`.
    VersionedText,
    Json,
    Jsonb,
    Bytea,
    Uuid,
    Date,
    Time,
    TimeWithZone,
    /// With and without zone: both count from 2000-01-01 in UTC.
    Timestamp,
    Interval,
    Bits,
    /// `inet` and `cidr`.
    Network,
    /// `macaddr` and `macaddr8`.
    Mac,
    /// pgvector's `vector`.
    Vector,
    /// No value at all.
    Void,
    /// Known, but without a form in JSON.
    Unsupported,
    /// Not known by its number.
    Unknown,
}

impl Wire {
    /// Of a type that every server has. (Numbers: `pg_type.dat` of PostgreSQL.)
    pub(crate) const fn of_oid(oid: u32) -> Self {
        let element = match oid {
            1000 => 16,
            1001 => 17,
            1002 => 18,
            1003 => 19,
            1005 | 22 => 21,
            1007 => 23,
            1009 => 25,
            1014 => 1042,
            1015 => 1043,
            1016 => 20,
            1021 => 700,
            1022 => 701,
            1028 | 30 => 26,
            1040 => 829,
            1041 => 869,
            1115 => 1114,
            1182 => 1082,
            1183 => 1083,
            1185 => 1184,
            1187 => 1186,
            1231 => 1700,
            1263 => 2275,
            1270 => 1266,
            1561 => 1560,
            1563 => 1562,
            143 => 142,
            199 => 114,
            651 => 650,
            775 => 774,
            791 => 790,
            2951 => 2950,
            3807 => 3802,
            4073 => 4072,
            _ => return Self::One(Base::of_oid(oid)),
        };
        Self::Array(Base::of_oid(element))
    }
}

impl Base {
    /// Of a type that every server has and that is not an array.
    pub(crate) const fn of_oid(oid: u32) -> Self {
        match oid {
            16 => Self::Bool,
            17 => Self::Bytea,
            20 => Self::Int8,
            21 => Self::Int2,
            23 => Self::Int4,
            // "char", name, text, xml, unknown, varchar, refcursor, cstring
            18 | 19 | 25 | 142 | 705 | 1043 | 1790 | 2275 => Self::Text,
            1042 => Self::PaddedText,
            // oid, xid, cid and the names for an oid
            24 | 26 | 28 | 29 | 2202..=2206 | 3734 | 3769 | 4089 | 4096 | 4191 => Self::Oid,
            114 => Self::Json,
            650 | 869 => Self::Network,
            700 => Self::Float4,
            701 => Self::Float8,
            774 | 829 => Self::Mac,
            790 => Self::Money,
            1082 => Self::Date,
            1083 => Self::Time,
            1114 | 1184 => Self::Timestamp,
            1186 => Self::Interval,
            1266 => Self::TimeWithZone,
            1560 | 1562 => Self::Bits,
            1700 => Self::Numeric,
            2278 => Self::Void,
            2950 => Self::Uuid,
            3802 => Self::Jsonb,
            4072 => Self::VersionedText,
            // Geometry, text search, records and ranges: binary, and JSON has no form for them.
            600..=604 | 628 | 718 | 2249 | 3614 | 3615 | 3904..=3927 => Self::Unsupported,
            _ => Self::Unknown,
        }
    }

    /// Of a type that an extension brings: its number differs from database to database.
    pub(crate) fn of_name(name: &str) -> Self {
        let known = [
            ("citext", Self::Text),
            ("ltree", Self::VersionedText),
            ("lquery", Self::VersionedText),
            ("vector", Self::Vector),
        ];
        let bare = name.rsplit('.').next().unwrap_or(name).trim_matches('"');
        let found = known
            .into_iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(bare));
        found.map_or(Self::Unknown, |(_, base)| base)
    }
}
