//! The numbers and switches that a project can set, with their defaults.

use super::{CountMode, CursorKey, Names, Unindexed};

/// What a project sets once for all its listings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Rows on a page when the client names no size (d15).
    pub page_size: u64,
    /// The largest page a client can get; larger wishes are cut to it (d16).
    pub max_page_size: u64,
    /// Items of a to-many relation for each parent (contract 2.3 rule 5).
    pub relation_limit: u64,
    /// How lists find their totals; a listing can have its own way.
    pub count: CountMode,
    /// Whether clients may ask for an exact total with `pagination[count]=exact`; a listing can have its own rule.
    pub exact_count: bool,
    /// What cursors are sealed with; instances of one service need the same.
    pub cursor_key: CursorKey,
    /// Turns ignored names (unknown field, sort, relation) into errors (d7).
    pub strict: bool,
    /// Which layout list responses have (d48).
    pub layout: Layout,
    /// The form of names that have no alias of their own (d91); a listing can have its own.
    pub names: Names,
    /// What is done about filters and sorts that no index serves on a large table (b410).
    pub unindexed: Unindexed,
    /// The number of rows from which on a table is large.
    pub unindexed_rows: u64,
    /// How many milliseconds a facet, or the totals of a list, may take; the rows are answered all the same (d107).
    pub numbers_timeout_ms: u64,
    /// The most rows of an export; a request that matches more is refused (d117). A listing can have its own number.
    pub export_max_rows: u64,
    /// How much text a client may send (d3, d13).
    pub bounds: Bounds,
}

impl Settings {
    /// The largest `max_page_size` and `relation_limit` that can be set: SQLite combines at most 500 selects,
    /// and populating a page takes one for each row.
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
            bounds: Bounds::default(),
        }
    }
}

/// The layout of a list response (d48).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// Items at `data` and, as the contract has it, at `meta.data`.
    #[default]
    Contract,
    /// Items at `data` alone.
    Lean,
}

/// Bounds on the text of a request (d3) and on its JSON body (d13).
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
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            query_bytes: 32 * 1024,
            // What the other bounds can ask for: three levels of `populate` (6), five of groups (10), three of relations
            // with quantifiers (6), a field, an operator and an index (3).
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
        }
    }
}
