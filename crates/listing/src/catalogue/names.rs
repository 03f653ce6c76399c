//! Names new indexes, and quotes names in the statements that create them (b490).

use std::collections::HashSet;

use sea_orm::DbBackend;

use super::IndexedTable;

/// The names of existing indexes, which new indexes must not use.
#[derive(Debug, Clone)]
pub struct IndexNames {
    backend: DbBackend,
    /// The place of each name, and the name in lower case.
    taken: HashSet<(String, String)>,
}

impl IndexNames {
    /// The most bytes that every database accepts. PostgreSQL truncates longer names, and MariaDB refuses them.
    const LONGEST: usize = 63;

    /// The existing names, each with its place: a schema of PostgreSQL, or a table of MariaDB and MySQL. SQLite has a single
    /// place without a name.
    #[must_use]
    pub fn new(backend: DbBackend, taken: impl IntoIterator<Item = (String, String)>) -> Self {
        let taken = taken.into_iter();
        Self {
            backend,
            taken: taken
                .map(|(place, name)| (place, name.to_lowercase()))
                .collect(),
        }
    }

    /// The kind of database.
    pub(crate) const fn backend(&self) -> DbBackend {
        self.backend
    }

    /// A new, unique name built from these words. It counts as taken from now on.
    pub(crate) fn index(&mut self, table: &IndexedTable, words: &[&str]) -> String {
        let place = match self.backend {
            DbBackend::Postgres => table.schema.clone().unwrap_or_default(),
            DbBackend::MySql => table.name.clone(),
            _ => String::new(),
        };
        let wanted = words.join("_");
        let mut number = 1;
        loop {
            let end = match number {
                1 => String::new(),
                _ => format!("_{number}"),
            };
            let mut most = wanted.len().min(Self::LONGEST - end.len());
            while !wanted.is_char_boundary(most) {
                most -= 1;
            }
            let name = wanted[..most].to_owned() + &end;
            if self.taken.insert((place.clone(), name.to_lowercase())) {
                return self.quoted(&name);
            }
            number += 1;
        }
    }

    /// A table, with its schema if the name needs it.
    pub(crate) fn table(&self, table: &IndexedTable) -> String {
        match &table.schema {
            Some(schema) if table.hidden => {
                format!("{}.{}", self.quoted(schema), self.quoted(&table.name))
            }
            _ => self.quoted(&table.name),
        }
    }

    /// A name as a statement needs it, quoted only if necessary.
    pub(crate) fn quoted(&self, name: &str) -> String {
        let begins_well = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let is_reserved = || RESERVED.split_whitespace().any(|word| word == name);
        if begins_well && name.chars().all(is_plain) && !is_reserved() {
            return name.to_owned();
        }
        let quote = match self.backend {
            DbBackend::MySql => "`",
            _ => "\"",
        };
        format!("{quote}{}{quote}", name.replace(quote, &quote.repeat(2)))
    }
}

/// Words that PostgreSQL 18, MySQL 9, MariaDB 12 or SQLite 3 reserve. Quoting a word that only another database reserves does no
/// harm.
const RESERVED: &str = "
    accessible add all alter analyse analyze and any array as asc asensitive asymmetric authorization autoincrement before
    between bigint binary blob both by call cascade case cast change char character check collate collation column commit
    concurrently condition constraint continue convert create cross cube cume_dist current_catalog current_date current_role
    current_schema current_time current_timestamp current_user cursor database databases day_hour day_microsecond day_minute
    day_second dec decimal declare default deferrable delayed delete dense_rank desc describe deterministic distinct
    distinctrow div do do_domain_ids double drop dual each else elseif empty enclosed end escape escaped except exists exit
    explain false fetch first_value float float4 float8 for force foreign freeze from full fulltext function general generated
    get grant group grouping groups having high_priority hour_microsecond hour_minute hour_second if ignore
    ignore_domain_ids ignore_server_ids ilike in index infile initially inner inout insensitive insert int int1 int2 int3 int4
    int8 integer intersect interval into io_after_gtids io_before_gtids is isnull iterate join json_table key keys kill lag
    last_value lateral lead leading leave left library like limit linear lines load localtime localtimestamp lock long longblob
    longtext loop low_priority manual master_bind master_heartbeat_period master_ssl_verify_server_cert match maxvalue
    mediumblob mediumint mediumtext middleint minute_microsecond minute_second mod modifies natural not nothing notnull
    no_write_to_binlog nth_value ntile null numeric of offset on only optimize optimizer_costs option optionally or order out
    outer outfile over overlaps page_checksum parallel parse_vcol_expr partition percent_rank placing precision primary
    procedure purge qualify range rank read reads read_write real recursive references ref_system_id regexp release rename
    repeat replace require resignal restrict return returning revoke right rlike row row_number rows schema schemas
    second_microsecond select sensitive separator session_user set show signal similar slow smallint some spatial specific sql
    sql_big_result sql_calc_found_rows sqlexception sql_small_result sqlstate sqlwarning ssl starting stats_auto_recalc
    stats_persistent stats_sample_pages stored straight_join symmetric system system_user table tablesample terminated then
    tinyblob tinyint tinytext to trailing transaction trigger true undo union unique unlock unsigned update usage use user using
    utc_date utc_time utc_timestamp values varbinary varchar varcharacter variadic varying vector verbose virtual when where
    while window with write xor year_month zerofill";

#[cfg(test)]
mod tests {
    use super::*;

    fn names(backend: DbBackend, taken: &[(&str, &str)]) -> IndexNames {
        let taken = taken.iter();
        IndexNames::new(
            backend,
            taken.map(|(place, name)| ((*place).to_owned(), (*name).to_owned())),
        )
    }

    /// Rule b490.
    #[test]
    fn a_name_has_quotes_if_it_needs_them() {
        for (name, postgres, mysql) in [
            ("articles", "articles", "articles"),
            ("_a1", "_a1", "_a1"),
            ("AlbumId", r#""AlbumId""#, "`AlbumId`"),
            ("order", r#""order""#, "`order`"),
            ("1st", r#""1st""#, "`1st`"),
            ("größe", r#""größe""#, "`größe`"),
            ("a\"b`c", r#""a""b`c""#, "`a\"b``c`"),
            ("", r#""""#, "``"),
        ] {
            for (backend, quoted) in [
                (DbBackend::Postgres, postgres),
                (DbBackend::Sqlite, postgres),
                (DbBackend::MySql, mysql),
            ] {
                assert_eq!(names(backend, &[]).quoted(name), quoted, "{backend:?}");
            }
        }
    }

    /// Rule b490.
    #[test]
    fn a_table_has_its_schema_where_a_bare_name_does_not_mean_it() {
        let names = names(DbBackend::Postgres, &[]);
        let mut table = IndexedTable::new("order");
        table.schema = Some("hr".to_owned());
        assert_eq!(names.table(&table), r#""order""#);
        table.hidden = true;
        assert_eq!(names.table(&table), r#"hr."order""#);
    }

    /// Rule b490.
    #[test]
    fn no_two_indexes_of_a_place_have_one_name() {
        let mut table = IndexedTable::new("articles");
        table.schema = Some("public".to_owned());
        for (backend, place) in [
            (DbBackend::Postgres, "public"),
            (DbBackend::MySql, "articles"),
            (DbBackend::Sqlite, ""),
        ] {
            let taken = [(place, "Articles_Title"), ("elsewhere", "articles_views")];
            let mut names = names(backend, &taken);
            let mut index = |words: &[&str]| names.index(&table, words);
            assert_eq!(index(&["articles", "title"]), "articles_title_2");
            assert_eq!(index(&["articles", "views"]), "articles_views");
            let both = [index(&["a", "b_c"]), index(&["a", "b", "c"])];
            assert_eq!(both, ["a_b_c", "a_b_c_2"]);
        }
    }

    /// Rule b490.
    #[test]
    fn a_name_is_as_long_as_every_database_takes_it() {
        let table = IndexedTable::new("articles");
        let mut names = names(DbBackend::Postgres, &[]);
        let long = "x".repeat(80);
        assert_eq!(names.index(&table, &[&long]), "x".repeat(63));
        assert_eq!(names.index(&table, &[&long]), "x".repeat(61) + "_2");
        let wide = names.index(&table, &[&"é".repeat(40)]);
        assert_eq!(wide, format!("\"{}\"", "é".repeat(31)));
    }
}
