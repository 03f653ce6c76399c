//! Values that are computed for each row: a sub-query of the application, or the number of a relation's rows.

use sea_orm::sea_query::SelectStatement;

use super::predicate::{ColumnOf, Predicate};
use super::{CheckError, visible};
use crate::define::{Context, EntityMeta, FieldSource, Listings, Through, WhitelistRelation};

/// A value that is computed for each row.
#[derive(Debug, Clone)]
pub(crate) enum Computed<'w> {
    /// A sub-query of the application.
    Query(Box<SelectStatement>),
    /// How many rows a relation leads to.
    Count(Box<RelatedCount<'w>>),
}

/// The rows to which a relation leads, to be counted: those that populate could show.
#[derive(Debug, Clone)]
pub(crate) struct RelatedCount<'w> {
    pub(crate) target: &'w EntityMeta,
    /// The column on this side, and the one on the related side that meets it, or meets the junction.
    pub(crate) from: ColumnOf<'w>,
    pub(crate) to: ColumnOf<'w>,
    pub(crate) through: Option<&'w Through>,
    /// The rows of the related entity, and of the junction, that the caller can see.
    pub(crate) visible: Predicate<'w>,
    pub(crate) links: Predicate<'w>,
}

impl Default for Computed<'_> {
    fn default() -> Self {
        Self::Query(Box::default())
    }
}

impl<'w> Computed<'w> {
    /// The computation of a field; `None` if it is a column.
    pub(crate) fn of(
        listings: &'w Listings,
        entity: &'w EntityMeta,
        source: &'w FieldSource,
        context: &Context,
    ) -> Result<Option<Self>, CheckError> {
        Ok(match source {
            FieldSource::Column(_) | FieldSource::Key => None,
            FieldSource::Computed(query) => Some(Self::Query(Box::new(query(context)))),
            FieldSource::Count(relation) => {
                let count = count(listings, entity, relation, context)?;
                Some(Self::Count(Box::new(count)))
            }
        })
    }
}

fn count<'w>(
    listings: &'w Listings,
    entity: &'w EntityMeta,
    relation: &'w WhitelistRelation,
    context: &Context,
) -> Result<RelatedCount<'w>, CheckError> {
    let target = &relation.meta.target;
    let visible = visible::related(listings, relation, context)?;
    let the_one = visible::the_one(relation, &visible);
    Ok(RelatedCount {
        target,
        from: ColumnOf::new(entity, relation.from),
        to: ColumnOf::new(target, relation.to),
        through: relation.meta.through.as_ref(),
        visible: visible.and(the_one),
        links: visible::links(listings, relation, context)?,
    })
}
