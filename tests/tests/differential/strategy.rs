//! Generates random valid requests for a list, whose filters often find something.

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::Index;

use crate::asked::{Asked, AskedFilter, AskedPage, AskedSort, AskedValue, Comparison, Names};
use crate::cell::Cell;
use crate::listing::{Filter, Table};
use crate::values::{self, Draft};
use crate::wire::{Lists, Transport};
use crate::words::{self, AskedSearch};
use crate::world::{Row, WORLD};

/// Valid requests for the list of `table`.
pub(crate) fn asked(table: Table) -> impl Strategy<Value = Asked> {
    let listing = table.listing();
    let fields = std::iter::once(&"id")
        .chain(listing.default_fields)
        .chain(listing.further_fields);
    let relations = listing.relations.iter().map(|relation| relation.name);
    (
        names(fields.copied().collect()),
        names(relations.collect()),
        filters(table),
        search(table),
        sorts(listing.sorts),
        page(WORLD.rows(table).len() as u64),
        with_count(),
        user(),
    )
        .prop_map(
            move |(fields, populate, filters, search, sorts, page, with_count, user)| Asked {
                table,
                user,
                fields,
                populate,
                filters,
                search,
                sorts,
                page,
                with_count,
            },
        )
}

/// Ways to send a request.
pub(crate) fn transport() -> impl Strategy<Value = Transport> {
    let lists = prop_oneof![
        Just(Lists::Indexed),
        Just(Lists::Sparse),
        Just(Lists::Appended),
        Just(Lists::Repeated),
        Just(Lists::Commas),
    ];
    let query =
        (lists, any::<bool>(), any::<bool>()).prop_map(|(lists, escaped_brackets, plus)| {
            Transport::Query {
                lists,
                escaped_brackets,
                plus,
            }
        });
    prop_oneof![
        4 => query,
        1 => Just(Transport::Post),
        1 => Just(Transport::QueryMethod),
    ]
}

fn names(known: Vec<&'static str>) -> impl Strategy<Value = Names> {
    let most = known.len() + 1;
    let these = vec(proptest::sample::select(known), 1..=most).prop_map(Names::These);
    prop_oneof![
        3 => Just(Names::NotSent),
        1 => Just(Names::All),
        4 => these,
    ]
}

fn sorts(known: &'static [&'static str]) -> impl Strategy<Value = Vec<AskedSort>> {
    let direction = proptest::sample::select(vec![
        None,
        Some("asc"),
        Some("desc"),
        Some("desc"),
        Some("ASC"),
        Some("Desc"),
    ]);
    let sort = (proptest::sample::select(known), direction)
        .prop_map(|(name, direction)| AskedSort { name, direction });
    vec(sort, 0..=3)
}

fn page(rows: u64) -> impl Strategy<Value = AskedPage> {
    let size = || {
        proptest::option::weighted(
            0.8,
            prop_oneof![10 => 1_u64..=100, 1 => 101_u64..1_000, 1 => Just(u64::MAX)],
        )
    };
    let number = prop_oneof![8 => 1_u64..=2, 2 => 1_u64..=rows, 1 => Just(9_999_999_999)];
    let start = prop_oneof![8 => 0_u64..=5, 2 => 0_u64..=rows, 1 => Just(9_999_999_999)];
    let number = proptest::option::weighted(0.7, number);
    let start = proptest::option::weighted(0.7, start);
    prop_oneof![
        1 => Just(AskedPage::Page { page: None, size: None }),
        3 => (number, size()).prop_map(|(page, size)| AskedPage::Page { page, size }),
        3 => (start, size()).prop_map(|(start, limit)| match (start, limit) {
            // Nothing sent is page mode.
            (None, None) => AskedPage::Page { page: None, size: None },
            (start, limit) => AskedPage::Offset { start, limit },
        }),
    ]
}

fn search(table: Table) -> impl Strategy<Value = Option<AskedSearch>> {
    match table {
        Table::Articles => proptest::option::weighted(0.25, words::search()).boxed(),
        _ => Just(None).boxed(),
    }
}

fn with_count() -> impl Strategy<Value = Option<(&'static str, bool)>> {
    proptest::option::of(any::<Index>().prop_map(values::boolean))
}

fn user() -> impl Strategy<Value = Option<i64>> {
    proptest::option::weighted(0.15, 1_i64..=20)
}

const MOST_VALUES: usize = 4;

/// A comparison before its column is known.
#[derive(Debug, Clone)]
struct ComparisonDraft {
    operator: Index,
    /// As many as any operator takes; `$in` takes the first `count`.
    values: Vec<Draft>,
    count: usize,
    long_list: bool,
    as_list: bool,
}

/// A filter before its column is known.
#[derive(Debug, Clone)]
struct FilterDraft {
    key: Index,
    comparisons: Vec<ComparisonDraft>,
    short: bool,
}

fn filters(table: Table) -> impl Strategy<Value = Vec<AskedFilter>> {
    let comparison = (
        any::<Index>(),
        vec(values::draft(), MOST_VALUES),
        0..=MOST_VALUES,
        proptest::bool::weighted(0.05),
        any::<bool>(),
    )
        .prop_map(
            |(operator, values, count, long_list, as_list)| ComparisonDraft {
                operator,
                values,
                count,
                long_list,
                as_list,
            },
        );
    let filter = (any::<Index>(), vec(comparison, 1..=2), any::<bool>()).prop_map(
        |(key, comparisons, short)| FilterDraft {
            key,
            comparisons,
            short,
        },
    );
    // With an anchor, values come from one row, which then passes most filters.
    let anchor = proptest::option::weighted(0.9, any::<Index>());
    (vec(filter, 0..=3), anchor).prop_map(move |(drafts, anchor)| {
        let anchor = anchor.map(|anchor| anchor.get(WORLD.rows(table)));
        let known = table.listing().filters;
        let mut filters: Vec<AskedFilter> = Vec::new();
        for draft in drafts {
            let filter = draft.key.get(known);
            if filters.iter().all(|earlier| earlier.key != filter.key) {
                filters.push(draft.on(table, filter, anchor));
            }
        }
        filters
    })
}

impl FilterDraft {
    fn on(&self, table: Table, filter: &Filter, anchor: Option<&Row>) -> AskedFilter {
        let column = WORLD.column(table, filter.key);
        let anchor = anchor
            .map(|row| row.cell(filter.key).clone())
            .filter(|cell| *cell != Cell::Null);
        let mut comparisons: Vec<Comparison> = Vec::new();
        for draft in &self.comparisons {
            let operator = *draft.operator.get(filter.operators);
            if comparisons
                .iter()
                .all(|earlier| earlier.operator != operator)
            {
                comparisons.push(draft.on(operator, column, anchor.as_ref()));
            }
        }
        AskedFilter {
            key: filter.key,
            comparisons,
            short: self.short,
        }
    }
}

impl ComparisonDraft {
    fn on(&self, operator: &'static str, column: &[Cell], anchor: Option<&Cell>) -> Comparison {
        let picked = |draft: &Draft| draft.pick.get(column);
        // The first value is the anchor's, if there is one.
        let source = |at: usize, draft: &Draft| match anchor {
            Some(anchor) if at == 0 => anchor.clone(),
            _ => picked(draft).clone(),
        };
        let value = |(at, draft): (usize, &Draft)| -> AskedValue {
            match (operator, source(at, draft)) {
                ("$null" | "$notNull", _) => draft.presence(),
                ("$contains", Cell::Text(text)) => draft.part(&text, column),
                (_, Cell::Moment(moment)) => draft
                    .relative(moment, column)
                    .unwrap_or_else(|| draft.value(&Cell::Moment(moment))),
                (_, cell) => draft.value(&cell),
            }
        };
        let takes_list = matches!(operator, "$in" | "$notIn");
        let count = match operator {
            "$between" => 2,
            _ if takes_list => self.count,
            _ => 1,
        };
        let drafts = self.values.iter().take(count).enumerate();
        let mut values: Vec<AskedValue> = drafts.map(value).collect();
        if takes_list && self.long_list {
            // More than a hundred, so that none is lost on the way (d27).
            let like = self.values[0];
            values.extend(column.iter().take(150).map(|cell| like.value(cell)));
        }
        let is_list = operator == "$between" || (takes_list && (self.as_list || values.len() != 1));
        Comparison {
            operator,
            written: match operator {
                "$contains" if self.as_list => "$containsi",
                other => other,
            },
            values,
            is_list,
        }
    }
}
