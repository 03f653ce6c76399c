//! The settings of a project that clients can notice.

use serde::{Deserialize, Serialize};

use crate::vocabulary::{self, Layout};

/// The settings that clients can notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Settings {
    /// Whether unknown names are errors instead of being ignored.
    pub strict: bool,
    /// `contract`, or `lean` if lists omit `meta.data`.
    pub envelope: String,
    /// The form of names without an alias: `as_defined`, `camelCase` or `snake_case`.
    pub names: String,
    /// The limits of a request.
    pub bounds: Limits,
}

/// The limits of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "they are those of `Bounds`, where each is explained"
)]
pub struct Limits {
    pub query_bytes: usize,
    pub depth: usize,
    pub pairs: usize,
    pub in_values: usize,
    pub body_bytes: usize,
    pub body_in_values: usize,
    pub group_depth: usize,
    pub conditions: usize,
    pub relation_depth: usize,
    pub populate_depth: usize,
    pub populate_relations: usize,
    pub populate_items: u64,
    pub bulk_items: usize,
    pub bulk_matches: u64,
    pub import_bytes: usize,
}

impl From<&vocabulary::Settings> for Settings {
    fn from(settings: &vocabulary::Settings) -> Self {
        let bounds = &settings.bounds;
        Self {
            strict: settings.strict,
            envelope: match settings.layout {
                Layout::Contract => "contract",
                Layout::Lean => "lean",
            }
            .to_owned(),
            names: settings.names.to_string(),
            bounds: Limits {
                query_bytes: bounds.query_bytes,
                depth: bounds.depth,
                pairs: bounds.pairs,
                in_values: bounds.in_values,
                body_bytes: bounds.body_bytes,
                body_in_values: bounds.body_in_values,
                group_depth: bounds.group_depth,
                conditions: bounds.conditions,
                relation_depth: bounds.relation_depth,
                populate_depth: bounds.populate_depth,
                populate_relations: bounds.populate_relations,
                populate_items: bounds.populate_items,
                bulk_items: bounds.bulk_items,
                bulk_matches: bounds.bulk_matches,
                import_bytes: bounds.import_bytes,
            },
        }
    }
}
