//! Reads the items of a bulk request: the write that each of them asks for (d126).

use axum::http::{HeaderMap, HeaderValue, header};
use listing::reply::FieldErrors;
use listing::{DefinitionError, Listings};
use sea_orm::ActiveModelTrait;
use serde_json::value::RawValue;

use super::super::bind::PathId;
use super::super::body::Members;
use super::super::change::Draft;
use super::super::field_names::FieldNames;
use super::super::payload::{LinksOf, Patch, Payload, Rules, read};
use super::super::resource::{ActiveModelOf, Operation, WritableResource};
use super::super::valid::rules;
use super::super::{constraint, foreign};
use super::attempt::{MOST_ERRORS, Whole};
use super::decisions::Decisions;
use crate::http::ApiError;

/// The members of a request, in the order in which they are carried out.
pub(in super::super) const NAMES: [&str; 4] = ["create", "update", "upsert", "delete"];

/// An item and its position: `create.3`.
pub(super) struct Placed<'a, R: WritableResource> {
    pub(super) place: String,
    pub(super) item: Item<'a, R>,
}

/// The write of one record.
pub(super) enum Item<'a, R: WritableResource> {
    Create(Sent<R>),
    Update {
        id: PathId,
        version: HeaderMap,
        patch: Patch<'a>,
        /// The sent values, for the message if the database refuses them.
        record: ActiveModelOf<R>,
    },
    Upsert {
        version: HeaderMap,
        /// The payload as a new record.
        new: Sent<R>,
        /// The payload as an update of an existing record.
        changed: Sent<R>,
    },
    Delete {
        id: PathId,
        version: HeaderMap,
    },
}

/// A payload that was read, and its errors so far.
pub(super) struct Sent<R: WritableResource> {
    pub(super) record: ActiveModelOf<R>,
    pub(super) errors: FieldErrors,
    links: LinksOf,
}

impl<R: WritableResource> Sent<R> {
    pub(super) fn read<P: Payload<ActiveModel = ActiveModelOf<R>>>(
        members: Members,
        rules: Rules<'_>,
    ) -> Self {
        let (mut payload, errors) = read::<P>(members, rules);
        let links = payload.take_links();
        let mut record = ActiveModelOf::<R>::default();
        payload.write(&mut record, &|_| true);
        Self {
            record,
            errors,
            links,
        }
    }

    pub(super) fn draft<'d>(&'d self, whole: &'d Whole<'_, R>, names: FieldNames) -> Draft<'d, R> {
        Draft {
            errors: &self.errors,
            links: &self.links,
            looks_for_taken: true,
            ..Draft::of(&self.record, &whole.unique, names)
        }
    }

    /// Whether it contains linked rows.
    pub(super) fn has_links(&self) -> bool {
        self.links.iter().any(|(_, links)| !links.is_empty())
    }
}

impl<R: WritableResource> Item<'_, R> {
    /// The member of the request that contains it.
    pub(super) fn member(&self) -> &'static str {
        match self {
            Self::Create(_) => "create",
            Self::Update { .. } => "update",
            Self::Upsert { .. } => "upsert",
            Self::Delete { .. } => "delete",
        }
    }

    /// Converts a database error to 422 if its cause is known.
    pub(super) fn blamed(&self, error: ApiError, whole: &Whole<'_, R>) -> ApiError {
        match self {
            Self::Create(new) | Self::Upsert { new, .. } => {
                new.draft(whole, whole.store_names).blamed(error)
            }
            Self::Update { record, .. } => {
                constraint::of_record(error, record, &whole.unique, whole.update_names)
            }
            Self::Delete { .. } => constraint::of_deletion(error),
        }
    }
}

/// The items of a request, and the members that were sent.
pub(super) struct Items<'a, R: WritableResource> {
    pub(super) placed: Vec<Placed<'a, R>>,
    pub(super) sent: Vec<&'static str>,
}

/// Reads items by the rules of a resource's payloads.
pub(super) struct Reader<'a> {
    listings: &'a Listings,
    integers_as_text: &'a [String],
    decisions: &'a Decisions,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        listings: &'a Listings,
        integers_as_text: &'a [String],
        decisions: &'a Decisions,
    ) -> Self {
        Self {
            listings,
            integers_as_text,
            decisions,
        }
    }

    /// The items; 401 or 403 if the caller may not do this, 400 for unknown members or too many items, and 422 if one of them is
    /// not a valid item.
    pub(super) fn read<R: WritableResource>(
        &self,
        mut members: Members,
    ) -> Result<Items<'a, R>, ApiError> {
        let known: Vec<_> = NAMES
            .into_iter()
            .filter(|name| self.takes::<R>(name))
            .collect();
        let list = || format!("`{}`", known.join("`, `"));
        if let Some(key) = members.keys().find(|key| !known.contains(&key.as_str())) {
            let key: String = key.chars().take(80).collect();
            let message = format!(
                "`{key}` is not a member of this request; its members are {}.",
                list()
            );
            return Err(ApiError::Malformed(message));
        }
        if members.is_empty() {
            let message = format!("The body must have at least one of {}.", list());
            return Err(ApiError::Malformed(message));
        }
        let mut lists = Vec::new();
        for name in known {
            let Some(sent) = members.remove(name) else {
                continue;
            };
            for operation in operations(name) {
                // It is not known yet whether an upsert creates or updates a record.
                if name != "upsert" {
                    self.decisions.about(*operation)?;
                }
            }
            let items: Vec<Box<RawValue>> = serde_json::from_str(sent.get())
                .map_err(|_| ApiError::Malformed(format!("`{name}` must be an array.")))?;
            lists.push((name, items));
        }
        let most = self.listings.settings().bounds.bulk_items;
        if lists.iter().map(|(_, items)| items.len()).sum::<usize>() > most {
            let most = u64::try_from(most).unwrap_or(u64::MAX);
            return Err(ApiError::TooManyRecords { most });
        }
        let sent = lists.iter().map(|(name, _)| *name).collect();
        let placed = self.placed::<R>(&lists)?;
        Ok(Items { placed, sent })
    }

    fn takes<R: WritableResource>(&self, name: &str) -> bool {
        let has_all = operations(name)
            .iter()
            .all(|known| self.decisions.has(*known));
        has_all && (name != "upsert" || R::upsert_by().is_some())
    }

    fn placed<R: WritableResource>(
        &self,
        lists: &[(&'static str, Vec<Box<RawValue>>)],
    ) -> Result<Vec<Placed<'a, R>>, ApiError> {
        let mut placed = Vec::new();
        let mut errors = FieldErrors::new();
        for (name, items) in lists {
            for (at, raw) in items.iter().enumerate() {
                let place = format!("{name}.{at}");
                match self.item::<R>(name, raw) {
                    Ok(item) => {
                        if R::require_if_match() && item.needs_version() {
                            let error = Box::new(ApiError::VersionMissing);
                            return Err(ApiError::Item { place, error });
                        }
                        placed.push(Placed { place, item });
                    }
                    Err((field, words)) if errors.len() < MOST_ERRORS => {
                        let place = format!("{place}{field}");
                        errors.insert(place.clone(), vec![format!("{place} {words}.")]);
                    }
                    Err(_) => {}
                }
            }
        }
        match errors.is_empty() {
            true => Ok(placed),
            false => Err(ApiError::Invalid(errors)),
        }
    }

    /// The item, or which part of it is invalid.
    fn item<R: WritableResource>(
        &self,
        name: &str,
        raw: &RawValue,
    ) -> Result<Item<'a, R>, (&'static str, &'static str)> {
        let to_one = foreign::keys::<R::Entity>;
        let rules_of_update =
            || rules::<R::Entity, R::Update>(self.listings, self.integers_as_text, to_one);
        if name == "delete"
            && let Some(id) = id_of(raw)
        {
            let version = HeaderMap::new();
            return Ok(Item::Delete { id, version });
        }
        let members = serde_json::from_str::<Members>(raw.get());
        let mut members = members.map_err(|_| match name {
            "delete" => ("", "must be an id, or an object with an id"),
            _ => ("", "must be an object"),
        })?;
        if name == "create" {
            let rules = rules::<R::Entity, R::Store>(self.listings, self.integers_as_text, to_one);
            return Ok(Item::Create(Sent::read::<R::Store>(members, rules)));
        }
        let version = version(&mut members)?;
        if name == "upsert" {
            let rules = rules::<R::Entity, R::Store>(self.listings, self.integers_as_text, to_one);
            // Fields that only new records accept are known, and are not an error in an update.
            let lenient = Rules {
                strict: false,
                ..rules_of_update()
            };
            return Ok(Item::Upsert {
                version,
                new: Sent::read::<R::Store>(members.clone(), rules),
                changed: Sent::read::<R::Update>(members, lenient),
            });
        }
        let id = members.remove("id").ok_or((".id", "is required"))?;
        let id = id_of(&id).ok_or((".id", "must be an id"))?;
        if name == "delete" {
            return match members.is_empty() {
                true => Ok(Item::Delete { id, version }),
                false => Err(("", "must have `id` and `etag` at most")),
            };
        }
        let patch = Patch::new(members, rules_of_update());
        let mut record = ActiveModelOf::<R>::default();
        patch.write::<R::Update>(&mut record);
        Ok(Item::Update {
            id,
            version,
            patch,
            record,
        })
    }
}

impl<R: WritableResource> Item<'_, R> {
    /// Whether it updates a record without naming its version. An upsert does so only if the record exists.
    fn needs_version(&self) -> bool {
        match self {
            Self::Update { version, .. } | Self::Delete { version, .. } => version.is_empty(),
            Self::Create(_) | Self::Upsert { .. } => false,
        }
    }
}

/// The operations that the caller must be allowed to use.
pub(in super::super) fn operations(name: &str) -> &'static [Operation] {
    match name {
        "create" => &[Operation::Store],
        "update" => &[Operation::Update],
        "upsert" => &[Operation::Store, Operation::Update],
        _ => &[Operation::Destroy],
    }
}

/// `3` or `"a"`.
fn id_of(raw: &RawValue) -> Option<PathId> {
    match serde_json::from_str(raw.get()) {
        Ok(id @ (serde_json::Value::Number(_) | serde_json::Value::String(_))) => {
            Some(PathId::of(&id))
        }
        _ => None,
    }
}

/// The version that an item names, as the header that a request for a single record would have (d121).
fn version(members: &mut Members) -> Result<HeaderMap, (&'static str, &'static str)> {
    let mut headers = HeaderMap::new();
    let Some(sent) = members.remove("etag") else {
        return Ok(headers);
    };
    const WRONG: (&str, &str) = (".etag", "must be the `ETag` of the record, as text");
    let tag: String = serde_json::from_str(sent.get()).map_err(|_| WRONG)?;
    let tag = HeaderValue::from_str(&tag).map_err(|_| WRONG)?;
    headers.insert(header::IF_MATCH, tag);
    Ok(headers)
}

/// The reason why a resource cannot accept items, found at start-up.
pub(in super::super) fn mistakes<R: WritableResource>() -> Vec<(Operation, DefinitionError)> {
    let mut mistakes = Vec::new();
    if !R::BULK {
        if let Some(key) = R::upsert_by() {
            let column = key.names().next().unwrap_or_default();
            let problem = "without `bulk` there is no `_bulk` that could find records by it";
            let remedy = "add `bulk`, or leave it out";
            let mistake = DefinitionError::of::<R::Entity>("upsert_by", column, problem, remedy);
            mistakes.push((Operation::Store, mistake));
        }
        return mistakes;
    }
    let names = R::Update::FIELDS.iter().chain(R::Store::FIELDS);
    for field in names.filter(|field| field.alias.unwrap_or(field.column) == "etag") {
        let mistake = DefinitionError::of::<R::Entity>(
            "payload",
            field.column,
            "an item of `_bulk` says by `etag` which version it is about, so that a field cannot have that name",
            "give the field another name with `#[payload(alias = \"…\")]`, or leave `bulk` out",
        );
        if mistakes.is_empty() {
            mistakes.push((Operation::Update, mistake));
        }
    }
    if let Some(key) = R::upsert_by() {
        let is_sent = |name: &&str| R::Store::FIELDS.iter().any(|field| field.column == *name);
        if !key.names().any(|name| is_sent(&name)) {
            mistakes.push((
                Operation::Store,
                DefinitionError::of::<R::Entity>(
                    "upsert_by",
                    key.names().next().unwrap_or_default(),
                    "clients do not send this column, so that no record can be found by it",
                    "name a unique column of the payload",
                ),
            ));
        }
    }
    mistakes
}
