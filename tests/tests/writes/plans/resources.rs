//! The resources that serve plans, each with a rule of its own.

use listing_axum::{
    Access, ApiError, Change, Denied, Operation, Resource, WritableResource, policy,
};
use sea_orm::ActiveValue::Set;

use super::plan::Entity;
use super::{Owner, PlanPayload};

/// Everybody may do everything.
#[derive(Debug)]
pub struct Plans;

impl Resource for Plans {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}

impl WritableResource for Plans {
    type Store = PlanPayload;
    type Update = PlanPayload;

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        Ok(())
    }
}

/// What no client decides.
pub fn complete<R>(change: &mut Change<'_, R>)
where
    R: WritableResource<Entity = Entity>,
{
    change.record.owner = Set(change.context().get::<Owner>().unwrap().0.clone());
    change.record.visits = Set(0);
}

/// A change must say which version it is about.
#[derive(Debug)]
pub struct Guarded;

impl Resource for Guarded {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }

    fn segment() -> &'static str {
        "guarded"
    }
}

impl WritableResource for Guarded {
    type Store = PlanPayload;
    type Update = PlanPayload;

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        Ok(())
    }

    const BULK: bool = true;

    fn require_if_match() -> bool {
        true
    }
}

/// Records can be written, and only those whose name begins with `open` can be read.
#[derive(Debug)]
pub struct Shy;

impl Resource for Shy {
    type Entity = Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        if access.operation() != Operation::Show {
            return policy::allow_all();
        }
        match access.record() {
            Some(record) if record.name.starts_with("open") => policy::allow_all(),
            _ => Err(Denied::Forbidden),
        }
    }

    fn segment() -> &'static str {
        "shy"
    }
}

impl WritableResource for Shy {
    type Store = PlanPayload;
    type Update = PlanPayload;

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        complete(change);
        Ok(())
    }
}
