//! Finds requests that would read every row of a large table, because no index can be used and no other condition limits the rows.

use super::{CheckError, CheckedSearch, CheckedSort, ColumnOf, Predicate, indexes::Indexes};
use crate::catalogue::{Directed, Finds, IndexedTable, Wanted, about};
use crate::define::{
    EntityMeta, Listings, SearchEngine, SortSource, Whitelist, WhitelistFilter, WhitelistRelated,
};
use crate::request::{AskedComparison, AskedSort, Quote};
use crate::vocabulary::{FilterOperator, Kind, Unindexed};

/// The parts of a request without an index. Nothing is recorded while the indexes are unknown (b410).
#[derive(Default)]
pub(super) struct Costs<'w> {
    indexes: Indexes<'w>,
    is_refused: bool,
    found: Vec<Costly<'w>>,
}

/// A part without an index.
struct Costly<'w> {
    /// The beginning of the message: ``The filter `title` ``.
    what: String,
    parameter: String,
    token: String,
    table: &'w IndexedTable,
}

impl<'w> Costs<'w> {
    pub(super) fn of(listings: &'w Listings) -> Self {
        Self {
            indexes: Indexes::of(listings),
            is_refused: listings.settings().unindexed == Unindexed::Refuse,
            found: Vec::new(),
        }
    }

    /// Records a filter of the client.
    pub(super) fn filter(
        &mut self,
        asked: &AskedComparison,
        entity: &EntityMeta,
        filter: &WhitelistFilter,
        operator: FilterOperator,
    ) {
        let Some(table) = self.table(&entity.name) else {
            return;
        };
        let column = match (&filter.part, filter.column) {
            (Some(part), _) => Some(ColumnOf::part(entity, part)),
            (None, column) => column.map(|column| ColumnOf::new(entity, column)),
        };
        if column.is_none() && filter.computed.is_none() {
            return;
        }
        let name = column.and_then(|column| self.indexes.name(column));
        let name = name.as_deref().unwrap_or_default();
        let is_served = match operator.finds() {
            // It is computed for each row.
            _ if filter.computed.is_some() => false,
            None => true,
            Some(_) if filter.is_of_array() => table.finds_held(name),
            // The SQL of a custom filter is unknown, and no index helps to find half of the rows.
            _ if filter.custom.is_some() || filter.kind == Kind::Boolean => true,
            Some(Finds::Value) => table.finds(name),
            Some(Finds::Range) => table.finds_between(name),
            Some(Finds::Start) => table.finds_start(name) || table.finds_inside(name),
            Some(Finds::Inside) => table.finds_inside(name),
        };
        if !is_served {
            self.found.push(Costly {
                what: format!("`{operator}` on the filter `{}`", filter.key),
                parameter: asked.parameter().to_string(),
                token: filter.key.clone(),
                table,
            });
        }
    }

    /// Records a relation that a client filters through. An index must lead from the rows of one side to those of the other.
    pub(super) fn relation(
        &mut self,
        parameter: impl FnOnce() -> Quote,
        entity: &EntityMeta,
        related: &WhitelistRelated,
    ) {
        if !self.indexes.are_known() {
            return;
        }
        let (relation, meta) = (&related.relation, &related.relation.meta);
        let (table, column) = match &meta.through {
            Some(through) => (&through.name, through.to_parent.concat()),
            None if meta.owns_key => {
                let column = &entity.columns[relation.from];
                (&entity.name, column.name.to_string())
            }
            None => {
                let column = &meta.target.columns[relation.to];
                (&meta.target.name, column.name.to_string())
            }
        };
        if let Some(table) = self.table(table).filter(|table| !table.finds(&column)) {
            self.found.push(Costly {
                what: format!("The filter `{}`", related.key),
                parameter: parameter().to_string(),
                token: related.key.clone(),
                table,
            });
        }
    }

    /// Records the sorts that a client requests. Default sorts are the developer's choice and are not recorded.
    pub(super) fn sorts(
        &mut self,
        whitelist: &Whitelist,
        order: &[CheckedSort<'_>],
        asked: Option<&[AskedSort]>,
    ) {
        let (Some(table), Some(asked)) = (self.table(&whitelist.entity.name), asked) else {
            return;
        };
        let name_of = |column: usize| &*whitelist.entity.columns[column].name;
        let key: Vec<_> = whitelist.key.iter().map(|part| name_of(*part)).collect();
        for CheckedSort { sort, .. } in order {
            let is_served = match sort.source {
                SortSource::Column(column) => {
                    let by = Directed::ascending(name_of(column));
                    table.serves(&Wanted::order(vec![by], key.clone()))
                }
                SortSource::Computed(_) => false,
                SortSource::Related { .. } | SortSource::Relevance => true,
            };
            if !is_served && asked.iter().any(|asked| asked.name == sort.name) {
                self.found.push(Costly {
                    what: format!("The sort `{}`", sort.name),
                    parameter: "sort".to_owned(),
                    token: sort.name.clone(),
                    table,
                });
            }
        }
    }

    /// Records a search.
    pub(super) fn search(&mut self, search: Option<&CheckedSearch<'_>>) {
        if let Some(search) = search
            && let Some(table) = self.table(search.table())
            && *search.engine() == SearchEngine::Contains
            && !search
                .columns()
                .all(|column| table.finds_inside(&column.meta.name))
        {
            self.found.push(Costly {
                what: "A search".to_owned(),
                parameter: search.parameter.to_owned(),
                token: search.canonical(),
                table,
            });
        }
    }

    /// Records a facet, which reads every row that matches these conditions, unless an index finds few of them (d107). It has its
    /// own statements, so it changes nothing if it is not refused.
    pub(super) fn facet(&mut self, key: &str, whitelist: &Whitelist, rows: &Predicate<'_>) {
        if let Some(table) = self.table(&whitelist.entity.name)
            && self.is_refused
            && !self.indexes.narrow(rows)
        {
            self.found.push(Costly {
                what: format!("The facet `{key}`"),
                parameter: "facets".to_owned(),
                token: key.to_owned(),
                table,
            });
        }
    }

    /// How many parts have been recorded.
    pub(super) fn mark(&self) -> usize {
        self.found.len()
    }

    /// Removes what was recorded after a mark if these conditions, which apply to the same rows, match few of them.
    pub(super) fn settle(&mut self, mark: usize, conditions: &Predicate<'_>) {
        if self.found.len() > mark && self.indexes.narrow(conditions) {
            self.found.truncate(mark);
        }
    }

    /// Whether anything is left, or nothing is known about the list's own table (b671). Returns an error about the first part if
    /// such requests are refused.
    pub(super) fn finish(self, whitelist: &Whitelist) -> Result<bool, CheckError> {
        let Some(costly) = self.found.first() else {
            let name = &whitelist.entity.name;
            return Ok(self.indexes.are_unknown_for(name));
        };
        if !self.is_refused {
            return Ok(true);
        }
        let helps = |filter: &&WhitelistFilter| {
            let column = filter.column.filter(|_| filter.custom.is_none());
            let finds = |operator: &FilterOperator| operator.finds() == Some(Finds::Value);
            filter.kind != Kind::Boolean
                && filter.operators.iter().any(finds)
                && column.is_some_and(|column| {
                    self.indexes.find(ColumnOf::new(&whitelist.entity, column))
                })
        };
        let helping = whitelist.filters.iter().filter(helps);
        let helping: Vec<_> = helping.map(|filter| filter.key.as_str()).collect();
        let remedy = match helping.first() {
            Some(first) => format!("add another filter, such as `{first}`"),
            None => "no other filter here finds few of them".to_owned(),
        };
        let message = format!(
            "{} has no index on a table of about {} rows; {remedy}.",
            costly.what,
            about(costly.table.rows.unwrap_or_default())
        );
        Err(CheckError::unindexed(
            message,
            &costly.parameter,
            &costly.token,
            &helping,
        ))
    }

    /// The table, if it is large.
    fn table(&self, name: &str) -> Option<&'w IndexedTable> {
        self.indexes.table(name)
    }
}

#[cfg(test)]
#[expect(
    unreachable_pub,
    reason = "SeaORM and the trait want them public, and nobody else is to have them"
)]
mod tests {
    use sea_orm::DbBackend;

    use super::*;
    use crate::catalogue::LargeTables;
    use crate::check::against;
    use crate::define::{Context, Fields, Filter, HasListing, Listing, Search, Sorts};
    use crate::request::parse_query;
    use crate::vocabulary::Settings;

    mod note {
        use sea_orm::entity::prelude::*;

        #[sea_orm::model]
        #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
        #[sea_orm(table_name = "notes")]
        pub struct Model {
            #[sea_orm(primary_key)]
            pub id: i64,
            pub title: String,
            pub state: String,
        }

        impl ActiveModelBehavior for ActiveModel {}
    }

    pub struct Notes;

    impl HasListing for note::Entity {
        type Listing = Notes;
    }

    impl Listing for Notes {
        type Entity = note::Entity;

        fn fields() -> Fields<note::Entity> {
            Fields::new()
        }

        fn filters() -> Vec<Filter<note::Entity>> {
            vec![Filter::make("state").allowed_operators(FilterOperator::Equal)]
        }

        fn search() -> Option<Search<note::Entity>> {
            Some(Search::contains([note::Column::Title]))
        }

        fn sorts() -> Sorts<note::Entity> {
            Sorts::new()
        }
    }

    /// Rule b412.
    #[test]
    fn a_search_of_fewer_letters_than_a_trigram_finds_too_many_rows() {
        let settings = Settings {
            unindexed: Unindexed::Refuse,
            ..Settings::default()
        };
        let listings = Listings::builder(settings).add::<note::Entity>();
        let listings = listings.build().unwrap();
        let mut notes = IndexedTable::new("notes");
        notes.trigrams = Some(vec!["title".to_owned()]);
        listings.keep_large_tables(LargeTables::new(
            DbBackend::Postgres,
            vec![notes],
            Vec::new(),
        ));
        let whitelist = listings.of::<note::Entity>().unwrap();
        for (search, is_refused) in [
            ("a", true),
            ("ab cd", true),
            ("-garden", true),
            ("a -garden", true),
            ("gar", false),
            ("a garden", false),
        ] {
            let query = format!("filters[state]=x&search={search}");
            let request = parse_query(&query, &listings.settings().bounds).unwrap();
            let context = Context::new();
            let checked = against(&listings, whitelist, &request, &context);
            assert_eq!(checked.is_err(), is_refused, "{search}");
        }
    }
}
