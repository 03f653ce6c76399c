//! Turns the developers' listings into whitelists with all names resolved, or reports every mistake (d40).

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use sea_orm::IdenStatic;

use super::aggregates::AggregateDraft;
use super::error::short_name;
use super::facets::FacetDraft;
use super::fields::Field;
use super::relations::DraftRelation;
use super::search::SearchDraft;
use super::{
    ColumnMeta, Context, DefinitionError, DefinitionErrors, EntityId, EntityMeta, Export, Filter,
    HasListing, Listing, Name, NamedRelations, Paging, RelationMeta, Scope, Sort, Through,
    Whitelist, is_own_type,
};
use crate::vocabulary::{CountMode, Kind, Names, Plans, Settings, nearest};

mod aggregate;
mod computed;
mod facet;
mod field;
mod filter;
mod key;
mod link;
mod numeric;
mod part;
mod related;
mod relation;
mod search;
mod settings;
mod sort;

/// A listing as its developer defined it.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) listing: Name,
    pub(super) entity: EntityMeta,
    /// Whether its rows have a key that identifies them.
    pub(super) has_key: bool,
    pub(super) named_relations: Vec<RelationMeta>,
    pub(super) fields: Vec<Field>,
    pub(super) relations: Vec<DraftRelation>,
    pub(super) filters: Vec<Filter<()>>,
    pub(super) sorts: Vec<Sort>,
    pub(super) search: Option<SearchDraft>,
    pub(super) facets: Vec<FacetDraft>,
    pub(super) aggregates: Vec<AggregateDraft>,
    pub(super) export: Option<Export>,
    pub(super) show: Option<Vec<Field>>,
    pub(super) scope: fn(&Context) -> Scope,
    pub(super) trashed: fn(&Context) -> bool,
    pub(super) soft_delete: Option<Name>,
    pub(super) count: Option<CountMode>,
    pub(super) exact_count: Option<bool>,
    pub(super) plans: Plans,
    pub(super) paging: Paging,
    pub(super) names: Names,
}

impl Draft {
    pub(super) fn of<E: HasListing + NamedRelations>(settings: &Settings) -> Self {
        Self {
            listing: Cow::Borrowed(short_name(std::any::type_name::<E::Listing>())),
            entity: key::with_or_without::<E>(EntityMeta::of::<E>())
                .with_enumerations(E::enumerations())
                .with_numeric_timestamps(&E::Listing::numeric_timestamps()),
            has_key: E::Listing::has_key(),
            named_relations: E::named_relations(),
            fields: E::Listing::fields().fields,
            relations: E::Listing::relations().relations,
            filters: E::Listing::filters()
                .into_iter()
                .map(Filter::erase)
                .flat_map(Filter::each)
                .collect(),
            sorts: E::Listing::sorts().sorts,
            search: E::Listing::search().map(|search| search.draft),
            facets: E::Listing::facets()
                .into_iter()
                .map(|facet| facet.draft)
                .collect(),
            aggregates: E::Listing::aggregates()
                .into_iter()
                .map(|aggregate| aggregate.draft)
                .collect(),
            export: E::Listing::export(),
            show: E::Listing::show().map(|show| show.fields),
            scope: E::Listing::scope,
            trashed: E::Listing::trashed,
            soft_delete: E::Listing::soft_delete().map(|column| Cow::Borrowed(column.as_str())),
            count: E::Listing::count(),
            exact_count: E::Listing::exact_count(),
            plans: E::Listing::plans(),
            paging: E::Listing::paging(),
            names: E::Listing::names().unwrap_or(settings.names),
        }
    }

    /// The public name: the alias, or the name in the listing's form (d90, d91).
    fn public(&self, alias: Option<&str>, name: &str) -> String {
        alias.map_or_else(|| self.names.of(name), str::to_owned)
    }
}

/// Everything that a definition can refer to.
pub(super) struct World<'d> {
    drafts: &'d [Draft],
    by_entity: &'d HashMap<EntityId, usize>,
    settings: &'d Settings,
}

impl World<'_> {
    /// The listing of a junction's entity.
    fn junction(&self, through: &Through) -> Option<usize> {
        match through.entity {
            Some(entity) => self.by_entity.get(&entity).copied(),
            None => self
                .drafts
                .iter()
                .position(|draft| draft.entity.table == through.table),
        }
    }
}

/// Verifies all drafts together, because they refer to each other.
pub(super) fn freeze(
    mut drafts: Vec<Draft>,
    by_entity: &HashMap<EntityId, usize>,
    settings: &Settings,
) -> Result<Vec<Whitelist>, DefinitionErrors> {
    link::complete_targets(&mut drafts, by_entity);
    let mut mistakes = Mistakes {
        listing: Cow::Borrowed("listing.toml"),
        found: Vec::new(),
    };
    settings::check_settings(settings, &mut mistakes);
    let world = World {
        drafts: &drafts,
        by_entity,
        settings,
    };
    // Sorts by relation need the fields of listings that may be defined later.
    let fields: Vec<_> = drafts
        .iter()
        .map(|draft| {
            mistakes.listing = draft.listing.clone();
            field::freeze_fields(&world, draft, &draft.fields, &mut mistakes)
        })
        .collect();
    let whitelists = drafts
        .iter()
        .zip(&fields)
        .map(|(draft, own_fields)| {
            mistakes.listing = draft.listing.clone();
            let key = key::freeze_key(draft, &mut mistakes);
            let relations = relation::freeze_relations(&world, draft, own_fields, &mut mistakes);
            let sorts = sort::freeze_sorts(
                &world,
                draft,
                &relations,
                &fields,
                own_fields,
                &mut mistakes,
            );
            let filters = filter::freeze_filters(draft, own_fields, &mut mistakes);
            let search = search::freeze_search(draft, &mut mistakes);
            let related = related::freeze_related(&world, draft, &filters, &fields, &mut mistakes);
            let known = facet::Known {
                filters: &filters,
                related: &related,
                fields: &fields,
            };
            let facets = facet::freeze_facets(&world, draft, &known, &mut mistakes);
            let aggregates = aggregate::freeze_aggregates(draft, own_fields, &mut mistakes);
            let soft_delete = freeze_soft_delete(draft, &mut mistakes);
            numeric::check(&draft.entity, &mut mistakes);
            let show = field::freeze_show(&world, draft, own_fields, &mut mistakes);
            let (page_size, max_page_size) =
                settings::freeze_paging(draft.paging, settings, &mut mistakes);
            Whitelist {
                listing: draft.listing.clone(),
                entity: draft.entity.clone(),
                key,
                ends: key::ends(draft),
                fields: Vec::new(),
                show,
                relations,
                filters,
                related,
                sorts,
                search,
                facets,
                aggregates,
                export: draft.export,
                scope: draft.scope,
                trashed: draft.trashed,
                soft_delete,
                count: settings::freeze_count(draft.count, settings, &mut mistakes),
                exact_count: draft.exact_count.unwrap_or(settings.exact_count),
                is_large: OnceLock::new(),
                unique_indexes: OnceLock::new(),
                is_settled: OnceLock::new(),
                recorded: OnceLock::new(),
                plans: draft.plans,
                page_size,
                max_page_size,
                names: draft.names,
            }
        })
        .collect::<Vec<_>>();
    if !mistakes.found.is_empty() {
        return Err(DefinitionErrors(mistakes.found));
    }
    let whole = |(whitelist, fields)| Whitelist {
        fields,
        ..whitelist
    };
    Ok(whitelists.into_iter().zip(fields).map(whole).collect())
}

/// Collects the mistakes.
#[derive(Default)]
pub(super) struct Mistakes {
    listing: Name,
    found: Vec<DefinitionError>,
}

impl Mistakes {
    pub(super) fn add(
        &mut self,
        place: &'static str,
        name: &str,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.found.push(DefinitionError {
            listing: self.listing.to_string(),
            place,
            name: name.to_owned(),
            problem: problem.into(),
            remedy: remedy.into(),
        });
    }

    /// Two definitions have the same name.
    pub(super) fn twice(&mut self, place: &'static str, name: &str) {
        self.add(
            place,
            name,
            "it is defined twice",
            "remove one of the two, or give it another alias",
        );
    }

    /// A column named `id` that is not the primary key.
    pub(super) fn not_the_key(&mut self, place: &'static str) {
        self.add(
            place,
            "id",
            "`id` is the name of the primary key in every request and response",
            "give this column an alias",
        );
    }
}

/// `did you mean …`, or all known names.
pub(super) fn suggest<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    if let Some(near) = nearest(name, known.clone()) {
        return format!("did you mean `{near}`?");
    }
    match known.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "there are none".to_owned(),
        names => format!("use one of: {names}"),
    }
}

/// A name that clients cannot write in a query string is useless.
pub(super) fn check_name(place: &'static str, name: &str, mistakes: &mut Mistakes) {
    let means_more = |c: char| matches!(c, ',' | ':' | '*' | '[' | ']') || c.is_control();
    if name.is_empty() {
        mistakes.add(place, name, "the name is empty", "give it a name");
    } else if name.contains(means_more) || name.starts_with('$') || name.trim() != name {
        mistakes.add(
            place,
            name,
            "clients cannot send this name in a query string",
            "use only letters, digits, `_`, `-` and `.`",
        );
    }
}

/// The column with this name, or a mistake.
pub(super) fn resolve_column(
    entity: &EntityMeta,
    name: &str,
    place: &'static str,
    said: &str,
    mistakes: &mut Mistakes,
) -> Option<usize> {
    let found = entity.column(name);
    if found.is_none() {
        mistakes.add(
            place,
            said,
            format!("`{}` has no column `{name}`", entity.name),
            suggest(name, entity.column_names()),
        );
    }
    found
}

/// The column for a name: `id` is the primary key, whatever its column is called.
pub(super) fn key_or_column(
    entity: &EntityMeta,
    name: &str,
    place: &'static str,
    said: &str,
    mistakes: &mut Mistakes,
) -> Option<usize> {
    means_key(entity, name).or_else(|| resolve_column(entity, name, place, said, mistakes))
}

/// The column of the primary key, if the name `id` means it.
pub(super) fn means_key(entity: &EntityMeta, name: &str) -> Option<usize> {
    match entity.key[..] {
        [key] if name == "id" && entity.column("id").is_none() => Some(key),
        _ => None,
    }
}

/// The public name of a column: its alias, `id` for the primary key, or its own name in the listing's form.
pub(super) fn public_column(
    entity: &EntityMeta,
    names: Names,
    alias: Option<&str>,
    column: usize,
    place: &'static str,
    mistakes: &mut Mistakes,
) -> String {
    let is_key = entity.key == [column];
    match alias {
        Some(alias) => alias.to_owned(),
        None if is_key => "id".to_owned(),
        None => {
            let name = names.of(&entity.columns[column].name);
            if name == "id" && !entity.key.is_empty() {
                mistakes.not_the_key(place);
            }
            name
        }
    }
}

/// Whether values of this column can identify rows (d41).
pub(super) fn is_key(column: &ColumnMeta) -> bool {
    matches!(column.kind, Kind::Integer | Kind::Uuid | Kind::Text)
        && !is_own_type(&column.column_type)
}

fn freeze_soft_delete(draft: &Draft, mistakes: &mut Mistakes) -> Option<usize> {
    let name = draft.soft_delete.as_deref()?;
    let column = resolve_column(&draft.entity, name, "soft_delete", name, mistakes)?;
    if !draft.entity.columns[column].nullable {
        mistakes.add(
            "soft_delete",
            name,
            "the column is never null, so every row would count as deleted",
            "make the column nullable",
        );
    }
    Some(column)
}

/// A number of rows that is neither zero nor unlimited.
pub(super) fn check_limit(place: &'static str, name: &str, limit: u64, mistakes: &mut Mistakes) {
    if !(1..=Settings::LARGEST_PAGE).contains(&limit) {
        mistakes.add(
            place,
            name,
            format!("the limit {limit} is out of range"),
            format!("choose a number from 1 to {}", Settings::LARGEST_PAGE),
        );
    }
}
