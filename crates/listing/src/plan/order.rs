//! Builds a total order: each sort with its place for nulls, and the primary key at the end (d21, d22).

use sea_orm::sea_query::ColumnType;

use super::{CheckedSearch, ColumnOf, Computed, Predicate};
use crate::check::{CheckError, CheckedSort};
use crate::define::{
    Context, EntityMeta, LinkOrder, Listings, Nulls, SortSource, Whitelist, WhitelistRelation,
};
use crate::vocabulary::{Kind, SortDirection};

/// One term of an order.
#[derive(Debug)]
pub(crate) struct OrderTerm<'w> {
    pub(crate) by: OrderBy<'w>,
    pub(crate) direction: SortDirection,
    /// `None` if no value can be null: plain SQL is enough.
    pub(crate) nulls: Option<NullsPlace>,
    /// The kind of its values.
    pub(crate) kind: &'w Kind,
    /// The type of the column that they come from, if it is one.
    pub(crate) column_type: Option<&'w ColumnType>,
}

impl OrderTerm<'_> {
    /// The same, read from its end.
    pub(super) fn reverse(&mut self) {
        self.direction = match self.direction {
            SortDirection::Asc => SortDirection::Desc,
            SortDirection::Desc => SortDirection::Asc,
        };
        self.nulls = self.nulls.map(|place| match place {
            NullsPlace::First => NullsPlace::Last,
            NullsPlace::Last => NullsPlace::First,
        });
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NullsPlace {
    First,
    Last,
}

#[derive(Debug)]
pub(crate) enum OrderBy<'w> {
    Column(ColumnOf<'w>),
    /// A computed field that is selected already, by its position.
    Selected(usize),
    Computed(Computed<'w>),
    Related(RelatedRow<'w>),
    /// A column of the junction through which rows are populated.
    Link(&'w LinkOrder),
    /// How well a row fits the search; the best rows have the smallest numbers.
    Relevance(CheckedSearch<'w>),
}

/// A column of the one row to which a relation leads.
#[derive(Debug)]
pub(crate) struct RelatedRow<'w> {
    pub(crate) target: &'w EntityMeta,
    /// The column on this side; `to` is the one on the other side.
    pub(crate) from: ColumnOf<'w>,
    pub(crate) to: usize,
    pub(crate) column: usize,
    /// Whether at most one row can match.
    pub(crate) unique: bool,
    /// The order whose first row is chosen of several, which is also the one that is shown.
    pub(crate) order: Vec<OrderTerm<'w>>,
    pub(crate) visible: Predicate<'w>,
}

impl RelatedRow<'_> {
    /// Whether a row that is met can have no value.
    pub(crate) fn can_be_null(&self) -> bool {
        self.target.columns[self.column].nullable
    }
}

/// The sorts, and the primary key after them in the direction of the last one.
pub(super) fn complete<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    sorts: Vec<CheckedSort<'w>>,
    computed: &[(usize, usize)],
    context: &Context,
) -> Result<Vec<OrderTerm<'w>>, CheckError> {
    let mut order = Vec::with_capacity(sorts.len() + 1);
    for sort in sorts {
        order.push(term(listings, whitelist, sort, computed, context)?);
    }
    end_in_key(&mut order, &whitelist.entity, &whitelist.ends);
    Ok(order)
}

/// A relation's own order.
pub(crate) fn of_columns<'w>(
    entity: &'w EntityMeta,
    columns: &[(usize, SortDirection)],
    key: &[usize],
) -> Vec<OrderTerm<'w>> {
    let mut order = Vec::with_capacity(columns.len() + 1);
    let terms = columns.iter();
    order.extend(
        terms.map(|(column, direction)| by_column(entity, *column, *direction, Nulls::Largest)),
    );
    end_in_key(&mut order, entity, key);
    order
}

/// The order of a relation: of its links, of its own columns, and its end.
pub(super) fn of_relation(relation: &WhitelistRelation) -> Vec<OrderTerm<'_>> {
    let entity = &relation.meta.target;
    let own = of_columns(entity, &relation.order, &relation.target_ends);
    if relation.link_order.is_empty() {
        return own;
    }
    let links = relation.link_order.iter().map(|order| OrderTerm {
        by: OrderBy::Link(order),
        direction: order.direction,
        nulls: Some(place(Nulls::Largest, order.direction)),
        kind: &order.kind,
        column_type: None,
    });
    links.chain(own).collect()
}

fn end_in_key<'w>(order: &mut Vec<OrderTerm<'w>>, entity: &'w EntityMeta, key: &[usize]) {
    let place = |part: &usize| {
        let is_part = |term: &OrderTerm<'_>| match term.by {
            OrderBy::Column(column) => column.meta.name == entity.columns[*part].name,
            _ => false,
        };
        order.iter().position(is_part)
    };
    let missing: Vec<_> = key
        .iter()
        .filter(|part| place(part).is_none())
        .copied()
        .collect();
    if missing.is_empty() {
        // Anything after the whole key has no effect on the order.
        let whole = key.iter().filter_map(place).max();
        order.truncate(whole.map_or(order.len(), |at| at + 1));
        return;
    }
    let direction = order
        .last()
        .map_or(SortDirection::Asc, |term| term.direction);
    for part in missing {
        order.push(by_column(entity, part, direction, Nulls::Largest));
    }
}

fn by_column(
    entity: &EntityMeta,
    column: usize,
    direction: SortDirection,
    nulls: Nulls,
) -> OrderTerm<'_> {
    let column = ColumnOf::new(entity, column);
    OrderTerm {
        by: OrderBy::Column(column),
        direction,
        nulls: column.meta.nullable.then(|| place(nulls, direction)),
        kind: &column.meta.kind,
        column_type: Some(&column.meta.column_type),
    }
}

fn term<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    checked: CheckedSort<'w>,
    computed: &[(usize, usize)],
    context: &Context,
) -> Result<OrderTerm<'w>, CheckError> {
    let CheckedSort {
        sort,
        direction,
        visible,
        search,
    } = checked;
    if let Some(search) = search {
        return Ok(OrderTerm {
            by: OrderBy::Relevance(search),
            direction,
            nulls: None,
            kind: &Kind::Natural,
            column_type: None,
        });
    }
    let (by, kind, column_type) = match sort.source {
        SortSource::Column(column) => {
            return Ok(by_column(&whitelist.entity, column, direction, sort.nulls));
        }
        // A sort by relevance has its search, and was made above.
        SortSource::Relevance => (OrderBy::Computed(Computed::default()), &Kind::Natural, None),
        SortSource::Computed(field) => (
            by_computed(listings, whitelist, field, computed, context)?,
            &whitelist.fields[field].kind,
            None,
        ),
        SortSource::Related { relation, column } => {
            let visible = visible.unwrap_or(Predicate::NEVER);
            let relation = &whitelist.relations[relation];
            let meta = &relation.meta.target.columns[column];
            let row = related_row(&whitelist.entity, relation, column, visible);
            (OrderBy::Related(row), &meta.kind, Some(&meta.column_type))
        }
    };
    Ok(OrderTerm {
        by,
        direction,
        nulls: Some(place(sort.nulls, direction)),
        kind,
        column_type,
    })
}

fn by_computed<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    field: usize,
    computed: &[(usize, usize)],
    context: &Context,
) -> Result<OrderBy<'w>, CheckError> {
    if let Some((_, position)) = computed.iter().find(|(selected, _)| *selected == field) {
        return Ok(OrderBy::Selected(*position));
    }
    let source = &whitelist.fields[field].source;
    let computed = Computed::of(listings, &whitelist.entity, source, context)?;
    // Frozen sorts name a computed field; an empty query would be refused by every database.
    Ok(OrderBy::Computed(computed.unwrap_or_default()))
}

fn related_row<'w>(
    entity: &'w EntityMeta,
    relation: &'w WhitelistRelation,
    column: usize,
    visible: Predicate<'w>,
) -> RelatedRow<'w> {
    RelatedRow {
        target: &relation.meta.target,
        from: ColumnOf::new(entity, relation.from),
        to: relation.to,
        column,
        unique: relation.unique,
        order: of_columns(
            &relation.meta.target,
            &relation.order,
            &relation.target_ends,
        ),
        visible,
    }
}

fn place(nulls: Nulls, direction: SortDirection) -> NullsPlace {
    match (nulls, direction) {
        (Nulls::First, _) | (Nulls::Largest, SortDirection::Desc) => NullsPlace::First,
        (Nulls::Last, _) | (Nulls::Largest, SortDirection::Asc) => NullsPlace::Last,
    }
}
