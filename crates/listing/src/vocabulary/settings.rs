//! The settings of a project, with their defaults.

use super::{CountMode, CursorKey, Names, Unindexed};

/// The settings that a project has once for all its listings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Rows on a page when the client requests no size (d15).
    pub page_size: u64,
    /// The largest page that a client can get. Larger sizes are reduced to it (d16).
    pub max_page_size: u64,
    /// Items of a to-many relation for each parent (contract 2.3 rule 5).
    pub relation_limit: u64,
    /// How lists determine their totals. A listing can override it.
    pub count: CountMode,
    /// Whether clients may request an exact total with `pagination[count]=exact`. A listing can override it.
    pub exact_count: bool,
    /// The key that seals cursors. All instances of a service need the same one.
    pub cursor_key: CursorKey,
    /// Turns ignored names (unknown field, sort, relation) into errors (d7).
    pub strict: bool,
    /// The layout of list responses (d48).
    pub layout: Layout,
    /// The form of names without an alias (d91). A listing can override it.
    pub names: Names,
    /// How to treat filters and sorts without an index on a large table (b410).
    pub unindexed: Unindexed,
    /// The number of rows at which a table becomes large.
    pub unindexed_rows: u64,
    /// How many milliseconds a facet, or the totals of a list, may take. The rows are returned in any case (d107).
    pub numbers_timeout_ms: u64,
    /// The most rows of an export. A request that matches more is refused (d117). A listing can override it.
    pub export_max_rows: u64,
    /// The most rows of an import. A file with more is refused (d119).
    pub import_max_rows: u64,
    /// The most rows of an XLSX export (d117), unless `export_max_rows` or the listing allows fewer.
    pub export_xlsx_max_rows: u64,
    /// Limits on the size of requests (d3, d13).
    pub bounds: Bounds,
}

impl Settings {
    /// The largest allowed `max_page_size` and `relation_limit`: SQLite combines at most 500 selects, and populating a page takes
    /// one for each row.
    pub const LARGEST_PAGE: u64 = 500;
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            page_size: 25,
            max_page_size: 100,
            relation_limit: 10,
            count: CountMode::default(),
            exact_count: true,
            cursor_key: CursorKey::default(),
            strict: false,
            layout: Layout::Contract,
            names: Names::AsDefined,
            unindexed: Unindexed::default(),
            unindexed_rows: 100_000,
            numbers_timeout_ms: 1_000,
            export_max_rows: 1_000_000,
            import_max_rows: 100_000,
            export_xlsx_max_rows: 100_000,
            bounds: Bounds::default(),
        }
    }
}

/// The layout of a list response (d48).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// Items in `data` and, as in the contract, in `meta.data`.
    #[default]
    Contract,
    /// Items only in `data`.
    Lean,
}

/// Limits on the text of a request (d3) and on its JSON body (d13).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bounds {
    /// Bytes of query string.
    pub query_bytes: usize,
    /// Levels of brackets, or of JSON below a parameter.
    pub depth: usize,
    /// `key=value` pairs in a query string, or parameters in a JSON body.
    pub pairs: usize,
    /// Values in one `$in` of a query string.
    pub in_values: usize,
    /// Bytes of a JSON body.
    pub body_bytes: usize,
    /// Values in one `$in` of a JSON body.
    pub body_in_values: usize,
    /// Nested levels of `$and`, `$or` and `$not` (d66).
    pub group_depth: usize,
    /// Conditions in one request (d66).
    pub conditions: usize,
    /// Levels of relations in a filter (d77).
    pub relation_depth: usize,
    /// Levels of relations in `populate` (d81).
    pub populate_depth: usize,
    /// Relations in `populate`, on all levels together (d81).
    pub populate_relations: usize,
    /// Items that a request with `populate` could return (d81).
    pub populate_items: u64,
    /// Records in one request that writes many at once (d126).
    pub bulk_items: usize,
    /// Records that one request may write by filter (d127).
    pub bulk_matches: u64,
    /// Bytes of a file that is imported (d119).
    pub import_bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            query_bytes: 32 * 1024,
            // As deep as the other bounds allow: three levels of `populate` (6), five of groups (10), three of relations with
            // quantifiers (6), a field, an operator and an index (3).
            depth: 25,
            pairs: 1_000,
            in_values: 1_000,
            body_bytes: 1024 * 1024,
            body_in_values: 10_000,
            group_depth: 5,
            conditions: 100,
            relation_depth: 3,
            populate_depth: 3,
            populate_relations: 20,
            populate_items: 20_000,
            bulk_items: 1_000,
            bulk_matches: 10_000,
            import_bytes: 100 * 1024 * 1024,
        }
    }
}
