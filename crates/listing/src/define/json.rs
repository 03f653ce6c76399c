//! Defines filters inside JSON columns: their path, and the kind of value there (d149).

use sea_orm::{ColumnTrait, EntityTrait};

use super::Filter;
use crate::vocabulary::{FilterOperator, Kind, Operators};

impl<E: EntityTrait> Filter<E> {
    /// A filter on a value inside a JSON column: [`path`](Self::path) sets its path and its kind. Each path is a separate filter,
    /// and a path that is not opened cannot be filtered by.
    ///
    /// ```
    /// # mod place {
    /// #     use sea_orm::entity::prelude::*;
    /// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    /// #     #[sea_orm(table_name = "places")]
    /// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, #[sea_orm(column_type = "JsonBinary")] pub data: Json }
    /// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
    /// #     impl ActiveModelBehavior for ActiveModel {}
    /// # }
    /// use listing::{Filter, FilterOperator, Kind};
    /// use place::Column;
    ///
    /// let filters: Vec<Filter<place::Entity>> = vec![
    ///     // filters[data][address][city][$startsWith]=Gra
    ///     Filter::json(Column::Data).path("address.city", Kind::Text),
    ///     // filters[data][beds][$gte]=2
    ///     Filter::json(Column::Data)
    ///         .path("beds", Kind::Integer)
    ///         .allowed_operators(FilterOperator::COMPARISONS),
    ///     // filters[data][tags][$contains][]=quiet&filters[data][tags][$contains][]=sea
    ///     Filter::json(Column::Data).path("tags", Kind::Array(Box::new(Kind::Text))),
    /// ];
    /// ```
    pub fn json<C: ColumnTrait<EntityName = E>>(column: C) -> Self {
        let mut filter = Self::new(column.as_str().to_owned());
        filter.json = true;
        filter
    }

    /// The path to a value inside the column, with dots in between, and the kind of the value: [`Kind::Text`], [`Kind::Integer`],
    /// [`Kind::Decimal`] (any number), [`Kind::Boolean`], or an array of texts, integers or booleans. Every operator that suits
    /// the kind is allowed, unless [`allowed_operators`](Self::allowed_operators) restricts them.
    ///
    /// A value of another kind, such as a number where a text is expected, counts as no value, and so do a JSON null and a path
    /// that leads nowhere: all of these are `$null`.
    pub fn path(mut self, path: &str, kind: Kind) -> Self {
        if self.operators == Operators::NONE {
            self.operators = operators(&kind);
        }
        self.path = Some(path.to_owned());
        self.value_kind = Some(kind);
        self
    }
}

impl Filter<()> {
    /// A name of its column, and what leads on from there.
    pub(super) fn with_path(&self, name: &str) -> String {
        match &self.path {
            Some(path) => format!("{name}.{path}"),
            None => name.to_owned(),
        }
    }
}

/// Every operator that suits a value inside a JSON column.
fn operators(kind: &Kind) -> Operators {
    match kind {
        Kind::Text => FilterOperator::for_text(),
        Kind::Integer | Kind::Decimal { .. } => FilterOperator::for_numbers(),
        Kind::Boolean => FilterOperator::for_booleans(),
        Kind::Array(_) => FilterOperator::for_arrays(),
        // `freeze` refuses them.
        _ => Operators::NONE,
    }
}
