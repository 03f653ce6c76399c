//! Translates a column's type, as a database writes it, into the words of `listing::Kind::name`.

/// One word for a type; none where it is not known, or can hold anything.
pub(crate) fn kind_of(declared: &str) -> Option<&'static str> {
    let declared = declared.trim().to_lowercase();
    if declared.ends_with("[]") {
        return Some("array");
    }
    if declared == "tinyint(1)" {
        return Some("boolean");
    }
    // MariaDB and MySQL keep a SeaORM UUID in sixteen bytes.
    if declared == "binary(16)" {
        return Some("uuid");
    }
    let name = declared.split(['(', ' ']).next().unwrap_or_default();
    // SeaORM's types for SQLite say first what is meant, then how it is kept: `timestamp_text`, `real_decimal`.
    Some(match name {
        "boolean" | "bool" => "boolean",
        "tinyint" | "smallint" | "mediumint" | "int" | "integer" | "bigint" | "year" | "int2"
        | "int4" | "int8" | "serial" | "bigserial" => "integer",
        "real" | "double" | "float" | "float4" | "float8" => "float",
        "decimal" | "numeric" | "money" | "real_decimal" | "real_money" | "decimal_text" => {
            "decimal"
        }
        "varchar" | "character" | "char" | "text" | "tinytext" | "mediumtext" | "longtext"
        | "citext" | "nvarchar" | "nchar" | "clob" | "bpchar" => "text",
        "uuid" | "uuid_text" | "uuid_blob" => "uuid",
        "date" | "date_text" => "date",
        "time" | "time_text" => "time",
        "json" | "jsonb" | "json_text" | "jsonb_text" => "json",
        "enum" => "enum",
        "bytea" | "blob" | "tinyblob" | "mediumblob" | "longblob" | "binary" | "varbinary"
        | "varbinary_blob" => "binary",
        "bit" | "varbit" => "bits",
        _ if name.starts_with("timestamp") || name.starts_with("datetime") => "timestamp",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::kind_of;

    #[test]
    fn types_of_three_databases_are_known() {
        for (declared, kind) in [
            ("character varying(255)", Some("text")),
            ("timestamp with time zone", Some("timestamp")),
            ("timestamp_with_timezone_text", Some("timestamp")),
            ("datetime(6)", Some("timestamp")),
            ("bigint(20) unsigned", Some("integer")),
            ("tinyint(1)", Some("boolean")),
            ("numeric(3,2)", Some("decimal")),
            ("double precision", Some("float")),
            ("integer[]", Some("array")),
            ("point", None),
            ("", None),
        ] {
            assert_eq!(kind_of(declared), kind, "{declared}");
        }
    }
}
