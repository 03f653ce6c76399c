//! Links a record with the rows that a payload names, as far as the caller sees them (d125, d132).

use std::collections::HashSet;

use listing::entity::{EntityMeta, RelationMeta};
use listing::reply::FieldErrors;
use listing::{DefinitionError, Dialect, Kind, Listings, NamedRelations, Trashed};
use sea_orm::sea_query::{Condition, Expr, ExprTrait, Query, SelectStatement, Value};
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryResult};

use super::Payload;
use super::bind::{Asked, dialect_of};
use super::foreign::references_nothing;
use super::links::{Link, Links};
use super::resource::{Operation, WritableResource};
use super::write::undone;
use crate::http::ApiError;

/// The changes to the links of one relation, made after the record is written.
pub(super) struct Work<'a> {
    junction: Junction,
    links: Links,
    listings: &'a Listings,
    dialect: Dialect,
    /// The rows of the relation that exist for the caller.
    visible: Condition,
}

/// A relation through a junction, both of whose ends are one column.
pub(super) struct Junction {
    pub(super) relation: RelationMeta,
    to_parent: String,
    to_target: String,
    /// The related row's column, and what its values are.
    key: String,
    kind: Kind,
}

impl Junction {
    /// The relation, if records can be linked through it; otherwise the error.
    pub(super) fn of(relation: RelationMeta, parent: &EntityMeta) -> Result<Self, &'static str> {
        let Some(through) = &relation.through else {
            return Err("it is not through a junction, so that it has no links");
        };
        let is_key = |names: &[listing::entity::Name], entity: &EntityMeta| {
            let key = entity.key.iter().map(|at| &entity.columns[*at].name);
            names.len() == 1 && key.eq(names)
        };
        let ([to_parent], [to_target], [key], true) = (
            &through.to_parent[..],
            &through.to_target[..],
            &relation.to[..],
            is_key(&relation.from, parent) && !relation.conditional,
        ) else {
            return Err("its junction does not hold one key of each side and nothing else");
        };
        let column = relation.target.column(key);
        let kind = column.map(|column| relation.target.columns[column].kind.clone());
        Ok(Self {
            to_parent: to_parent.to_string(),
            to_target: to_target.to_string(),
            key: key.to_string(),
            kind: kind.unwrap_or(Kind::Natural),
            relation,
        })
    }

    /// The related rows that exist for the caller.
    fn rows(&self, visible: &Condition) -> SelectStatement {
        Query::select()
            .expr(self.column())
            .from(self.relation.target.table.clone())
            .cond_where(visible.clone())
            .take()
    }

    fn column(&self) -> Expr {
        Expr::col((self.relation.target.name.to_string(), self.key.clone()))
    }

    /// The condition that a related row has one of these keys, in whichever form SQLite keeps them (b612).
    fn is_one_of(&self, keys: Vec<Value>, listings: &Listings, dialect: Dialect) -> Condition {
        let target = self.relation.target.id;
        let held = |key: &Value| listings.holds(target, &self.key, key.clone(), dialect);
        let held: Option<Vec<_>> = keys.iter().map(held).collect();
        match held {
            Some(held) => held.into_iter().fold(Condition::any(), Condition::add),
            None => Condition::all().add(self.column().is_in(keys)),
        }
    }

    /// The key that was sent; `None` if no row can have it.
    fn value(&self, link: &Link) -> Option<Value> {
        let text = match &link.id {
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        match self.kind {
            Kind::Integer | Kind::IntegerText => text.parse::<i64>().ok().map(Value::from),
            Kind::Uuid => text.parse::<uuid::Uuid>().ok().map(Value::from),
            _ if text.contains('\0') => None,
            _ => link.id.as_str().map(Value::from),
        }
    }

    /// The key of a row that was read.
    fn value_in(&self, row: &QueryResult) -> Option<Value> {
        match self.kind {
            Kind::Integer | Kind::IntegerText => integer(row).map(Value::from),
            Kind::Uuid => row.try_get_by_index::<uuid::Uuid>(0).ok().map(Value::from),
            _ => row.try_get_by_index::<String>(0).ok().map(Value::from),
        }
    }
}

/// An integer of whichever width the column has.
pub(super) fn integer(row: &QueryResult) -> Option<i64> {
    let wide = row.try_get_by_index::<i64>(0).ok();
    wide.or_else(|| row.try_get_by_index::<i32>(0).ok().map(Into::into))
        .or_else(|| row.try_get_by_index::<i16>(0).ok().map(Into::into))
        .or_else(|| row.try_get_by_index::<u32>(0).ok().map(Into::into))
        .or_else(|| i64::try_from(row.try_get_by_index::<u64>(0).ok()?).ok())
}

/// Adds a message for each row that the caller cannot see, for any reason, and returns the changes to make. Takes one statement
/// for each relation.
pub(super) async fn check<'a, E: NamedRelations>(
    links: Vec<(&'static str, Links)>,
    asked: &Asked<'a>,
    db: &DatabaseTransaction,
    errors: &mut FieldErrors,
) -> Result<Vec<Work<'a>>, ApiError> {
    let mut work = Vec::new();
    if links.iter().all(|(_, links)| links.is_empty()) {
        return Ok(work);
    }
    let (dialect, parent) = (dialect_of(db)?, EntityMeta::of::<E>());
    let mut relations = E::named_relations();
    for (name, links) in links {
        let at = relations.iter().position(|relation| relation.name == name);
        let Some(Ok(junction)) = at.map(|at| Junction::of(relations.swap_remove(at), &parent))
        else {
            let error = format!("the relation `{name}` of `{}` has no links", parent.name);
            return Err(ApiError::internal(error));
        };
        let visible = asked.listings.visible_by_id(
            junction.relation.target.id,
            asked.context,
            Trashed::Without,
            dialect,
        );
        let visible = visible.unwrap_or_else(Condition::all);
        let found = found(&junction, &links, &visible, asked, dialect, db).await?;
        for link in links.connect.iter().chain(&links.disconnect) {
            let value = junction.value(link);
            if value.is_none_or(|value| !found.contains(&value)) {
                let message = references_nothing(&link.place);
                errors.entry(link.place.clone()).or_default().push(message);
            }
        }
        work.push(Work {
            junction,
            links,
            listings: asked.listings,
            dialect,
            visible,
        });
    }
    Ok(work)
}

/// Those of the named rows that exist for the caller.
async fn found(
    junction: &Junction,
    links: &Links,
    visible: &Condition,
    asked: &Asked<'_>,
    dialect: Dialect,
    db: &DatabaseTransaction,
) -> Result<HashSet<Value>, ApiError> {
    let named = links.connect.iter().chain(&links.disconnect);
    let keys: Vec<_> = named.filter_map(|link| junction.value(link)).collect();
    if keys.is_empty() {
        return Ok(HashSet::new());
    }
    let is_one = junction.is_one_of(keys, asked.listings, dialect);
    let select = junction.rows(visible).cond_where(is_one).take();
    let rows = db.query_all(&select).await?;
    Ok(rows
        .iter()
        .filter_map(|row| junction.value_in(row))
        .collect())
}

/// The public names of the relations.
pub(super) fn names(work: &[Work<'_>]) -> impl Iterator<Item = String> {
    work.iter()
        .map(|work| work.junction.relation.name.to_string())
}

/// Links the record of that key: at most two statements for each relation, whatever the number of rows. Links to rows that
/// do not exist for the caller stay as they are.
pub(super) async fn write(
    work: &[Work<'_>],
    parent: Option<&Value>,
    db: &DatabaseTransaction,
) -> Result<(), ApiError> {
    let Some(parent) = parent else { return Ok(()) };
    for work in work {
        let values = |links: &[Link]| -> Vec<Value> {
            let values = links.iter();
            values
                .filter_map(|link| work.junction.value(link))
                .collect()
        };
        let (connect, disconnect) = (values(&work.links.connect), values(&work.links.disconnect));
        if work.links.replace {
            work.remove(parent, Removed::AllBut(&connect), db).await?;
        } else if !disconnect.is_empty() {
            work.remove(parent, Removed::These(disconnect), db).await?;
        }
        if !connect.is_empty() {
            work.add(parent, connect, db).await?;
        }
    }
    Ok(())
}

/// The links to remove.
enum Removed<'a> {
    AllBut(&'a [Value]),
    These(Vec<Value>),
}

impl Work<'_> {
    async fn remove(
        &self,
        parent: &Value,
        removed: Removed<'_>,
        db: &DatabaseTransaction,
    ) -> Result<(), ApiError> {
        let Some(through) = &self.junction.relation.through else {
            return Ok(());
        };
        let target = || Expr::col(self.junction.to_target.clone());
        let mut delete = Query::delete();
        delete
            .from_table(through.table.clone())
            .and_where(Expr::col(self.junction.to_parent.clone()).eq(parent.clone()));
        match removed {
            Removed::These(keys) => delete.and_where(target().is_in(keys)),
            Removed::AllBut(keys) => {
                if !keys.is_empty() {
                    delete.and_where(target().is_not_in(keys.to_vec()));
                }
                if !self.visible.is_empty() {
                    delete.and_where(target().in_subquery(self.junction.rows(&self.visible)));
                }
                &mut delete
            }
        };
        db.execute(&delete).await.map_err(undone)?;
        Ok(())
    }

    /// Adds the links that are not there yet.
    async fn add(
        &self,
        parent: &Value,
        keys: Vec<Value>,
        db: &DatabaseTransaction,
    ) -> Result<(), ApiError> {
        let Some(through) = &self.junction.relation.through else {
            return Ok(());
        };
        let (to_parent, to_target) = (&self.junction.to_parent, &self.junction.to_target);
        let own = |column: &str| Expr::col((through.name.to_string(), column.to_owned()));
        let there = Query::select()
            .expr(Expr::cust("1"))
            .from(through.table.clone())
            .and_where(own(to_parent).eq(parent.clone()))
            .and_where(own(to_target).eq(self.junction.column()))
            .take();
        let rows = Query::select()
            .expr(Expr::val(parent.clone()))
            .expr(self.junction.column())
            .from(self.junction.relation.target.table.clone())
            .cond_where(self.junction.is_one_of(keys, self.listings, self.dialect))
            .and_where(Expr::exists(there).not())
            .take();
        let mut insert = Query::insert();
        insert
            .into_table(through.table.clone())
            .columns([to_parent.clone(), to_target.clone()]);
        insert.select_from(rows).map_err(ApiError::internal)?;
        db.execute(&insert).await.map_err(undone)?;
        Ok(())
    }
}

/// The operations whose payloads name relations that have no links: found at start-up.
pub(super) fn mistakes<R: WritableResource>() -> Vec<(Operation, DefinitionError)> {
    let store = of_payload::<R, R::Store>().into_iter();
    let update = of_payload::<R, R::Update>().into_iter();
    let store = store.map(|mistake| (Operation::Store, mistake));
    store
        .chain(update.map(|mistake| (Operation::Update, mistake)))
        .collect()
}

fn of_payload<R: WritableResource, P: Payload>() -> Vec<DefinitionError> {
    let parent = EntityMeta::of::<R::Entity>();
    let named = P::FIELDS.iter().filter(|field| field.links);
    let mistakes = named.filter_map(|field| {
        let mut relations = <R::Entity as NamedRelations>::named_relations().into_iter();
        let relation = relations.find(|relation| relation.name == field.column);
        let problem = match relation {
            Some(relation) => Junction::of(relation, &parent).err()?,
            None => "there is no such relation",
        };
        let remedy = "leave the field out of the payload, or give it the name of a relation with `via = \"…\"`";
        Some(DefinitionError::of::<R::Entity>("payload", field.column, problem, remedy))
    });
    mistakes.collect()
}
