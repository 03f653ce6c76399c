//! Finds foreign keys that reference nothing the caller can see before a record is written.

use listing::entity::RelationMeta;
use listing::reply::FieldErrors;
use listing::{Context, Dialect, Listings, NamedRelations, Trashed};
use sea_orm::sea_query::{Condition, Expr, ExprTrait, Query, Value};
use sea_orm::{ActiveModelTrait, ActiveValue, ConnectionTrait, DbErr, IdenStatic, Iterable};

use super::field_names::FieldNames;

/// Adds a message for each foreign key of the payload that references nothing. A row outside the caller's scope counts as
/// nothing: telling the two apart would tell that it exists.
pub(super) async fn check<E: NamedRelations>(
    record: &E::ActiveModel,
    listings: &Listings,
    context: &Context,
    names: FieldNames,
    db: &impl ConnectionTrait,
    errors: &mut FieldErrors,
) -> Result<(), DbErr> {
    let backend = db.get_database_backend();
    let Some(dialect) = Dialect::of(backend) else {
        return Ok(());
    };
    for relation in E::named_relations() {
        let Some((column, target)) = key_columns(&relation) else {
            continue;
        };
        let given = E::Column::iter().find(|known| known.as_str() == column);
        let Some(ActiveValue::Set(key)) = given.map(|given| record.get(given)) else {
            continue;
        };
        let shown = names.shown(column);
        if is_null(&key) || errors.contains_key(&*shown) {
            continue;
        }
        let visible = listings
            .visible_by_id(relation.target.id, context, Trashed::Without, dialect)
            .unwrap_or_else(Condition::all);
        let name = relation.target.name.to_string();
        let held = listings.holds(relation.target.id, target, key.clone(), dialect);
        let held = held.unwrap_or_else(|| Expr::col((name, target.to_owned())).eq(key));
        let row = Query::select()
            .expr(Expr::cust("1"))
            .from(relation.target.table.clone())
            .and_where(held)
            .cond_where(visible)
            .limit(1)
            .take();
        if db.query_one(&row).await?.is_none() {
            let message = references_nothing(&shown);
            errors.entry(shown.into_owned()).or_default().push(message);
        }
    }
    Ok(())
}

/// The foreign keys of an entity, each with the name of its relation.
pub(super) fn keys<E: NamedRelations>() -> Vec<(String, String)> {
    let relations = E::named_relations().into_iter();
    let keys = relations.filter_map(|relation| {
        let (column, _) = key_columns(&relation)?;
        Some((column.to_owned(), relation.name.to_string()))
    });
    keys.collect()
}

/// The message about a foreign key that references nothing.
pub(super) fn references_nothing(name: &str) -> String {
    format!("{name} must reference an existing record.")
}

/// The foreign key's column here, and the column that it references, of a relation in which this side has the key.
pub(super) fn key_columns(relation: &RelationMeta) -> Option<(&str, &str)> {
    match (&relation.from[..], &relation.to[..]) {
        ([from], [to]) if relation.owns_key && relation.through.is_none() => Some((from, to)),
        _ => None,
    }
}

fn is_null(value: &Value) -> bool {
    *value == value.as_null()
}
