//! Finds enumerations whose values are shown and cannot be sent, at start-up (b540).
//!
//! A payload that refuses some of them may have its reasons: a state that only the server sets.

use listing::describe::ValueType;
use listing::entity::EntityMeta;
use listing::{DefinitionError, NamedRelations};
use serde_json::Value;

use super::{Operation, Payload, WritableResource, payload};

/// The operations whose payloads refuse such values, with the error.
pub(super) fn mistakes<R: WritableResource>() -> Vec<(Operation, DefinitionError)> {
    let store = of_payload::<R, R::Store>().map(|mistake| (Operation::Store, mistake));
    let update = of_payload::<R, R::Update>().map(|mistake| (Operation::Update, mistake));
    store.chain(update).collect()
}

fn of_payload<R: WritableResource, P: Payload>() -> impl Iterator<Item = DefinitionError> {
    let entity = EntityMeta::of::<R::Entity>();
    let entity = entity.with_enumerations(<R::Entity as NamedRelations>::enumerations());
    P::FIELDS.iter().filter_map(move |field| {
        let column = &entity.columns[entity.column(field.column)?];
        let values = ValueType::of(&column.kind, column.values.as_deref()).values?;
        let remedy = remedy(values.first()?);
        if values
            .iter()
            .any(|value| payload::takes::<P>(field.column, value))
        {
            return None;
        }
        let problem = format!("lists show {}, which the payload refuses", listed(&values));
        let mistake = DefinitionError::of::<R::Entity>("column", field.column, &problem, &remedy);
        Some(mistake)
    })
}

/// `"small"`, `"large"`
fn listed(values: &[Value]) -> String {
    let values: Vec<_> = values.iter().map(|value| format!("`{value}`")).collect();
    values.join(", ")
}

fn remedy(value: &Value) -> String {
    match value {
        Value::String(_) => format!(
            "write `#[serde(rename = {value})]` above the variant, or `#[serde(rename_all = \"…\")]` above the type"
        ),
        _ => "derive `serde_repr::Deserialize_repr` in place of `serde::Deserialize`".to_owned(),
    }
}
