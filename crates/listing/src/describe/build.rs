//! Describes a whitelist.

use super::numbers;
use super::value_type::json;
use super::{
    DefaultFilter, Field, Filter, Listing, OptionOf, Pagination, RelatedFilter, RelatedOnly,
    Relation, RelationKind, Search, SearchKind, Sort, ValueType,
};
use crate::define::{
    Context, DefaultSource, FieldSource, LabelResolver, Listings, OneOrMany, SearchEngine,
    Whitelist, WhitelistDefault, WhitelistField, WhitelistFilter, WhitelistRelated,
    WhitelistRelation,
};
use crate::vocabulary::{FilterOperator, Kind, Quantifier};

/// Who a description is for.
#[derive(Debug, Clone, Copy)]
pub enum Audience<'a> {
    /// Somebody who sends a request.
    Caller(&'a Context),
    /// Those who develop the application: everything that some caller may do.
    Developers,
}

/// Describes a listing. `name` gives each listing the name by which others refer to it.
#[must_use]
pub fn listing(
    listings: &Listings,
    whitelist: &Whitelist,
    name: &dyn Fn(&Whitelist) -> String,
    audience: Audience<'_>,
) -> Listing {
    let world = World { listings, name };
    let fields = world.fields(whitelist, &whitelist.fields);
    let label = label(&fields);
    let may_see_trashed = match audience {
        Audience::Caller(context) => (whitelist.trashed)(context),
        Audience::Developers => true,
    };
    let trashed: &[&str] = match whitelist.soft_delete {
        Some(_) if may_see_trashed => &["with", "only"],
        _ => &[],
    };
    Listing {
        name: name(whitelist),
        lookup: lookup(whitelist, &label),
        label,
        keyless: whitelist.key.is_empty(),
        fields,
        record: world.record(whitelist),
        relations: whitelist
            .relations
            .iter()
            .map(|relation| world.relation(whitelist, relation))
            .collect(),
        filters: world.filters(Some(whitelist), &whitelist.filters),
        related_filters: whitelist
            .related
            .iter()
            .map(|related| world.related(related))
            .collect(),
        groups: names(&["$and", "$or", "$not"]),
        search: whitelist.search.as_ref().map(|search| Search {
            kind: match search.engine {
                SearchEngine::Contains => SearchKind::Contains,
                SearchEngine::FullText { .. } => SearchKind::FullText,
            },
            prefix: search.prefix,
        }),
        sorts: whitelist
            .sorts
            .iter()
            .map(|sort| Sort {
                name: sort.name.clone(),
                default: sort.default.map(|direction| direction.to_string()),
            })
            .collect(),
        facets: numbers::facets(listings, whitelist),
        totals: numbers::totals(whitelist),
        pagination: Pagination {
            modes: names(match whitelist.key.is_empty() {
                true => &["page", "offset"],
                false => &["page", "offset", "cursor"],
            }),
            page_size: whitelist.page_size,
            max_page_size: whitelist.max_page_size,
            count: whitelist.count.to_string(),
            exact_count: whitelist.allows_exact_count(),
        },
        trashed: names(trashed),
    }
}

/// The listing whose keys a column holds, as far as relations that clients can use tell it.
#[must_use]
pub fn references(
    listings: &Listings,
    whitelist: &Whitelist,
    column: &str,
    name: &dyn Fn(&Whitelist) -> String,
) -> Option<String> {
    let column = whitelist.entity.column(column)?;
    World { listings, name }.references(whitelist, column)
}

/// The data needed to name other listings.
struct World<'l> {
    listings: &'l Listings,
    name: &'l dyn Fn(&Whitelist) -> String,
}

impl World<'_> {
    fn name_of(&self, listing: usize) -> String {
        (self.name)(self.listings.get(listing))
    }

    fn fields(&self, whitelist: &Whitelist, fields: &[WhitelistField]) -> Vec<Field> {
        let field = |field: &WhitelistField| {
            let column = match field.source {
                FieldSource::Column(column) => Some(column),
                FieldSource::Key | FieldSource::Computed(_) | FieldSource::Count(_) => None,
            };
            let is_key = matches!(field.source, FieldSource::Key)
                || column.is_some_and(|column| whitelist.key == [column]);
            let meta = column.map(|column| &whitelist.entity.columns[column]);
            let values = meta.and_then(|meta| meta.values.as_deref());
            Field {
                name: field.alias.clone(),
                value: ValueType::of(&field.kind, values),
                nullable: match field.source {
                    FieldSource::Key | FieldSource::Count(_) => false,
                    _ => meta.is_none_or(|meta| meta.nullable),
                },
                default: field.default || is_key,
                computed: column.is_none() && !is_key,
                references: match is_key {
                    true => Some((self.name)(whitelist)),
                    false => column.and_then(|column| self.references(whitelist, column)),
                },
            }
        };
        fields.iter().map(field).collect()
    }

    /// The visible fields of a single record: all of them by default.
    fn record(&self, whitelist: &Whitelist) -> Vec<Field> {
        let mut fields = self.fields(whitelist, &whitelist.show);
        for field in &mut fields {
            field.default = true;
        }
        fields
    }

    /// The listing whose keys a column holds: its own for the key, that of a relation for a foreign key. Only relations that
    /// clients can use are shown.
    fn references(&self, whitelist: &Whitelist, column: usize) -> Option<String> {
        if whitelist.key == [column] {
            return Some((self.name)(whitelist));
        }
        let related = whitelist.related.iter().map(|related| &related.relation);
        let leads = |relation: &&WhitelistRelation| {
            let meta = &relation.meta;
            let by_key = relation.from == column && relation.target_key == [relation.to];
            meta.owns_key && by_key && relation.target.listing.is_some()
        };
        let relation = whitelist.relations.iter().chain(related).find(leads)?;
        relation.target.listing.map(|listing| self.name_of(listing))
    }

    fn relation(&self, whitelist: &Whitelist, relation: &WhitelistRelation) -> Relation {
        let target = &relation.target;
        let open = target.listing.filter(|_| target.only.is_none());
        Relation {
            name: relation.name.clone(),
            kind: kind(relation),
            default: relation.default,
            limit: relation.limit,
            listing: open.map(|listing| self.name_of(listing)),
            fields: match open {
                Some(_) => None,
                None => Some(only_fields(relation)),
            },
            inverse: open
                // A client knows the key of a parent, and not always the column that the relation begins at.
                .filter(|_| whitelist.key == [relation.from])
                .and_then(|listing| inverse(relation, self.listings.get(listing))),
        }
    }

    /// Filters of an entity; `whitelist` is its listing, if it has one.
    fn filters(&self, whitelist: Option<&Whitelist>, filters: &[WhitelistFilter]) -> Vec<Filter> {
        let usable = filters.iter().filter(|filter| !filter.operators.is_empty());
        usable
            .map(|filter| {
                let column = filter.column.filter(|_| filter.custom.is_none());
                let references = column.and_then(|column| self.references(whitelist?, column));
                Filter {
                    name: filter.key.clone(),
                    value: ValueType::of(&filter.kind, filter.values.as_deref()),
                    operators: filter.operators.iter().map(ToString::to_string).collect(),
                    path: match filter.path() {
                        [] => Vec::new(),
                        inside => std::iter::once(filter.root().to_owned())
                            .chain(inside.iter().cloned())
                            .collect(),
                    },
                    array: filter.is_of_array(),
                    options: options(filter),
                    labels: filter.labels.is_some(),
                    references,
                    default: filter
                        .default
                        .as_ref()
                        .map(|default| default_filter(default, &filter.kind)),
                }
            })
            .collect()
    }

    fn one_filter(
        &self,
        whitelist: Option<&Whitelist>,
        filter: Option<&WhitelistFilter>,
    ) -> Option<Filter> {
        let filter = std::slice::from_ref(filter?);
        self.filters(whitelist, filter).pop()
    }

    fn related(&self, related: &WhitelistRelated) -> RelatedFilter {
        let target = related.relation.target.listing;
        let whitelist = target.map(|listing| self.listings.get(listing));
        let to_many = related.relation.meta.to_many;
        let quantifiers = if to_many { Quantifier::ALL } else { &[] };
        RelatedFilter {
            name: related.key.clone(),
            kind: kind(&related.relation),
            quantifiers: quantifiers.iter().map(ToString::to_string).collect(),
            operators: names(&["$null", "$notNull"]),
            count: self.one_filter(None, related.count.as_ref()),
            id: self.one_filter(whitelist, related.id.as_ref()),
            listing: target.map(|listing| self.name_of(listing)),
            only: related.only.as_ref().map(|only| RelatedOnly {
                filters: self.filters(whitelist, &only.filters),
                related_filters: related
                    .related(self.listings)
                    .map(|further| further.key.clone())
                    .collect(),
            }),
        }
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn kind(relation: &WhitelistRelation) -> RelationKind {
    match relation.meta.to_many {
        true => RelationKind::ToMany,
        false => RelationKind::ToOne,
    }
}

/// `id` and the columns that were named on the spot.
fn only_fields(relation: &WhitelistRelation) -> Vec<Field> {
    let entity = &relation.meta.target;
    let field = |column: usize, name: &str| {
        let meta = &entity.columns[column];
        Field {
            name: name.to_owned(),
            value: ValueType::of(&meta.kind, meta.values.as_deref()),
            nullable: meta.nullable,
            default: true,
            computed: false,
            references: None,
        }
    };
    let key = &relation.target_key;
    let named = relation.target.only.as_deref().unwrap_or_default().iter();
    let others = named.filter(|(column, _)| *key != [*column]);
    let id = match key[..] {
        [key] => field(key, "id"),
        // Several columns are one text.
        _ => Field {
            name: "id".to_owned(),
            value: ValueType::of(&Kind::Text, None),
            nullable: false,
            default: true,
            computed: false,
            references: None,
        },
    };
    std::iter::once(id)
        .chain(others.map(|(column, name)| field(*column, name)))
        .collect()
}

/// The filter of the related list that finds the rows of one parent, by the parent's key.
fn inverse(relation: &WhitelistRelation, target: &Whitelist) -> Option<String> {
    let meta = &relation.meta;
    if !meta.to_many || meta.through.is_some() {
        return None;
    }
    let by_equality = |filter: &&WhitelistFilter| {
        filter.custom.is_none()
            && filter.column == Some(relation.to)
            && filter.operators.contains(&FilterOperator::Equal)
    };
    let filter = target.filters.iter().find(by_equality)?;
    Some(filter.key.clone())
}

/// The values that can be counted, and their labels.
fn options(filter: &WhitelistFilter) -> Vec<OptionOf> {
    let booleans = || match filter.kind {
        Kind::Boolean => names(&["true", "false"]),
        _ => Vec::new(),
    };
    let known: Vec<String> = match (&filter.labels, &filter.kind, filter.values.as_deref()) {
        (_, _, Some(values)) => values.to_vec(),
        (_, Kind::Enum(values), _) => values.to_vec(),
        (Some(LabelResolver::Known(labels)), ..) => labels.values().map(str::to_owned).collect(),
        (Some(LabelResolver::Each(_) | LabelResolver::All(_)), ..) => booleans(),
        _ => Vec::new(),
    };
    let labels = match &filter.labels {
        Some(LabelResolver::Known(labels)) => known.iter().map(|value| labels.of(value)).collect(),
        Some(LabelResolver::Each(label)) => known.iter().map(|value| label(value)).collect(),
        Some(LabelResolver::All(labels)) if !known.is_empty() => labels(&known),
        _ => known.clone(),
    };
    let pairs = known.iter().zip(labels);
    pairs
        .map(|(value, label)| OptionOf {
            value: json(value, &filter.kind),
            label,
        })
        .collect()
}

fn default_filter(default: &WhitelistDefault, kind: &Kind) -> DefaultFilter {
    let computed = |operator: Option<FilterOperator>| DefaultFilter {
        operator: operator.unwrap_or(FilterOperator::Equal).to_string(),
        value: None,
        computed: true,
    };
    let DefaultSource::Fixed(value) = &default.source else {
        return computed(default.operator);
    };
    let Ok((operator, _)) = value.typed(default.operator, kind) else {
        // Verified at start-up.
        return computed(default.operator);
    };
    let kind = match operator {
        FilterOperator::Null | FilterOperator::NotNull => &Kind::Boolean,
        _ => kind,
    };
    DefaultFilter {
        operator: operator.to_string(),
        value: Some(match &value.0 {
            OneOrMany::Null => true.into(),
            OneOrMany::One(value) => json(value, kind),
            OneOrMany::Many(values) => values.iter().map(|value| json(value, kind)).collect(),
        }),
        computed: false,
    }
}

/// The default text that is called as names are called, or else the first default text.
fn label(fields: &[Field]) -> String {
    let is_text = |field: &&Field| {
        let plain = field.value.name == super::TypeName::String && field.value.values.is_none();
        plain && field.default
    };
    let texts = || fields.iter().filter(is_text);
    let is_name = |field: &&Field| ["name", "title", "label"].contains(&field.name.as_str());
    let found = texts().find(is_name).or_else(|| texts().next());
    let found = found.or_else(|| fields.first());
    found.map_or_else(|| "id".to_owned(), |field| field.name.clone())
}

/// The parameter that finds rows by what their label contains.
fn lookup(whitelist: &Whitelist, label: &str) -> Option<String> {
    let field = whitelist.fields.iter().find(|field| field.alias == label)?;
    let FieldSource::Column(label) = field.source else {
        return None;
    };
    let contains = FilterOperator::Contains;
    let finds = |filter: &&WhitelistFilter| {
        filter.custom.is_none()
            && filter.column == Some(label)
            && filter.operators.contains(&contains)
    };
    let by_filter = whitelist.filters.iter().find(finds);
    let by_filter = by_filter.map(|filter| format!("filters[{}][{contains}]", filter.key));
    by_filter.or_else(|| {
        let searched = whitelist.search.as_ref()?.columns.contains(&label);
        searched.then(|| "search".to_owned())
    })
}
