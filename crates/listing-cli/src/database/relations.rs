//! Finds the relations between tables, in both directions, and the attributes by which SeaORM knows them.

use std::collections::BTreeSet;

use super::modules::Modules;
use super::types::is_joinable;
use super::{Column, ForeignKey, Table};
use crate::naming;

/// The relations of every table, by its place among the tables.
#[derive(Debug)]
pub(crate) struct Relations<'t> {
    tables: &'t [Table],
    modules: &'t Modules,
    of: Vec<Vec<Relation>>,
    notes: Vec<Vec<String>>,
}

/// The relations of one table, as in its model.
#[derive(Debug, Default)]
pub(crate) struct RelationsOf {
    pub(crate) fields: String,
    /// Foreign keys that are not relations, and the reasons.
    pub(crate) notes: Vec<String>,
}

/// A relation of one table.
#[derive(Debug, Clone)]
pub(crate) struct Relation {
    /// The field, without `r#`.
    pub(crate) name: String,
    /// The place of the other table.
    pub(crate) target: usize,
    pub(crate) kind: RelationKind,
}

/// Who has the foreign key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RelationKind {
    /// This table has the foreign key.
    BelongsTo { key: usize },
    /// The other table has it, once for each row or many times. `back` is its place among the relations there.
    Has { back: usize, one: bool },
    /// A link table has both keys: its place, and its relations to this table and to the other one.
    Through {
        link: usize,
        here: usize,
        there: usize,
    },
}

/// The requested relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Directions {
    /// Those whose foreign key the table has: they need nothing of the other entity.
    Own,
    /// Those that lead back too, for which both entities are written together.
    Both,
}

impl<'t> Relations<'t> {
    pub(crate) fn between(
        tables: &'t [Table],
        modules: &'t Modules,
        directions: Directions,
    ) -> Self {
        let mut relations = Self {
            tables,
            modules,
            of: vec![Vec::new(); tables.len()],
            notes: vec![Vec::new(); tables.len()],
        };
        let mut taken: Vec<BTreeSet<String>> = tables.iter().map(names_of_columns).collect();
        for (at, names) in taken.iter_mut().enumerate() {
            relations.add_own(at, names);
        }
        if directions == Directions::Both {
            for (at, names) in taken.iter_mut().enumerate() {
                relations.add_links(at, names);
            }
            for (at, names) in taken.iter_mut().enumerate() {
                relations.add_inverse(at, names);
            }
        }
        relations
    }

    /// The relations of one table.
    pub(crate) fn relations(&self, at: usize) -> &[Relation] {
        &self.of[at]
    }

    /// The columns of a relation that has its foreign key itself: its own, and the one that it references.
    pub(crate) fn columns(&self, at: usize, relation: &Relation) -> Option<(String, String)> {
        let RelationKind::BelongsTo { key } = relation.kind else {
            return None;
        };
        let key = &self.tables[at].foreign_keys[key];
        let to = self.referenced(relation.target, key)?;
        Some((key.columns[0].clone(), to))
    }

    /// Whether a relation that leads back leads to one row: SeaORM finds its way back by name only for many.
    pub(crate) fn is_to_one(&self, at: usize, relation: &Relation) -> bool {
        match relation.kind {
            RelationKind::BelongsTo { .. } => true,
            RelationKind::Has { one, .. } => one && self.is_only(relation.target, at),
            RelationKind::Through { .. } => false,
        }
    }

    /// The relations of one table, written.
    pub(crate) fn of_table(&self, at: usize) -> RelationsOf {
        let relations = self.of[at].iter();
        RelationsOf {
            fields: relations.map(|relation| self.field(at, relation)).collect(),
            notes: self.notes[at].clone(),
        }
    }

    fn add_own(&mut self, at: usize, taken: &mut BTreeSet<String>) {
        let table = &self.tables[at];
        for (place, key) in table.foreign_keys.iter().enumerate() {
            let target = match self.target(table, key) {
                Ok(target) => target,
                Err(why) => {
                    self.notes[at].push(format!(
                        "`{}` (`{}`) references `{}`, {why}: it is not a relation",
                        table.full_name(),
                        key.columns.join("`, `"),
                        key.table
                    ));
                    continue;
                }
            };
            let same = |other: &&ForeignKey| {
                other.table == key.table && other.table_schema == key.table_schema
            };
            let alone = target != at && table.foreign_keys.iter().filter(same).count() == 1;
            let field = naming::field(&key.columns[0]);
            let field = field.trim_start_matches("r#");
            let module = self.modules.of(target);
            let wanted = match field.strip_suffix("_id") {
                Some(name) => name.to_owned(),
                None if alone => module.to_owned(),
                None => format!("{field}_{module}"),
            };
            self.of[at].push(Relation {
                name: free(wanted, taken, module),
                target,
                kind: RelationKind::BelongsTo { key: place },
            });
        }
    }

    /// The table that a foreign key references, or why it cannot be a relation.
    fn target(&self, table: &Table, key: &ForeignKey) -> Result<usize, &'static str> {
        let ([column], [_] | []) = (&key.columns[..], &key.references[..]) else {
            return Err("by several columns together");
        };
        let found = self
            .tables
            .iter()
            .position(|other| other.name == key.table && other.schema == key.table_schema);
        let Some(found) = found else {
            return Err("which has no entity");
        };
        let to = self.referenced(found, key);
        let there = to.as_deref().and_then(|to| self.tables[found].column(to));
        let other = &self.tables[found];
        match (table.column(column), there) {
            // Of several rows none could be chosen.
            (_, Some(to)) if other.key.is_empty() && !other.is_unique(&to.name) => {
                Err("whose rows have no key")
            }
            (Some(from), Some(to)) if is_joinable(&from.column_type, &to.column_type) => Ok(found),
            _ => Err("by a column that is neither an integer nor a UUID nor text"),
        }
    }

    fn referenced(&self, target: usize, key: &ForeignKey) -> Option<String> {
        let named = key.references.first();
        named.or_else(|| self.tables[target].key.first()).cloned()
    }

    fn add_links(&mut self, at: usize, taken: &mut BTreeSet<String>) {
        for link in 0..self.tables.len() {
            let Some((one, other)) = self.ends_of_link(link) else {
                continue;
            };
            for (here, there) in [(one, other), (other, one)] {
                let (here_is, there_is) = (&self.of[link][here], &self.of[link][there]);
                if here_is.target != at {
                    continue;
                }
                let to_self = there_is.target == at;
                let wanted = if to_self {
                    naming::table(&there_is.name)
                } else {
                    naming::table(self.modules.of(there_is.target))
                };
                let target = there_is.target;
                let name = free(wanted, taken, self.modules.of(link));
                self.of[at].push(Relation {
                    name,
                    target,
                    kind: RelationKind::Through { link, here, there },
                });
            }
        }
    }

    /// The two relations of a table that links others, many to many.
    fn ends_of_link(&self, at: usize) -> Option<(usize, usize)> {
        let table = &self.tables[at];
        let mut own = self.of[at].iter().enumerate().filter_map(|(place, one)| {
            let RelationKind::BelongsTo { key } = one.kind else {
                return None;
            };
            Some((place, table.foreign_keys[key].columns[0].as_str()))
        });
        let (one, other) = (own.next()?, own.next()?);
        let covers = |columns: &[String]| {
            columns.len() == 2
                && columns.iter().any(|column| column == one.1)
                && columns.iter().any(|column| column == other.1)
        };
        let unique = || table.indexes.iter().filter(|index| index.unique);
        let is_link = covers(&table.key) || unique().any(|index| covers(&index.columns));
        (own.next().is_none() && is_link && one.1 != other.1).then_some((one.0, other.0))
    }

    /// Whether a link table only contains its links, and columns that have a default or are computed.
    fn is_pure_link(&self, at: usize) -> bool {
        let table = &self.tables[at];
        let is_end = |column: &Column| {
            let keys = table.foreign_keys.iter();
            keys.clone().any(|key| key.columns.contains(&column.name))
        };
        let is_stamp = |column: &Column| column.default.is_some() || column.computed;
        self.ends_of_link(at).is_some()
            && table
                .columns
                .iter()
                .all(|column| is_end(column) || is_stamp(column))
    }

    fn add_inverse(&mut self, at: usize, taken: &mut BTreeSet<String>) {
        for other in 0..self.tables.len() {
            if self.is_pure_link(other) {
                continue;
            }
            for back in 0..self.of[other].len() {
                let relation = &self.of[other][back];
                let RelationKind::BelongsTo { key } = relation.kind else {
                    continue;
                };
                if relation.target != at {
                    continue;
                }
                let column = &self.tables[other].foreign_keys[key].columns;
                let table = &self.tables[other];
                let is_it = |index: &super::Index| index.unique && index.columns == *column;
                let one = table.key == *column || table.indexes.iter().any(is_it);
                let module = self.modules.of(other);
                let many = if one {
                    module.to_owned()
                } else {
                    naming::table(module)
                };
                let to_same = |one: &&Relation| {
                    one.target == at && matches!(one.kind, RelationKind::BelongsTo { .. })
                };
                let several = self.of[other].iter().filter(to_same).count() > 1;
                let wanted = if several && relation.name != self.modules.of(at) && other != at {
                    format!("{}_{many}", relation.name)
                } else {
                    many
                };
                let name = free(wanted, taken, &relation.name.clone());
                self.of[at].push(Relation {
                    name,
                    target: other,
                    kind: RelationKind::Has { back, one },
                });
            }
        }
    }

    /// SeaORM names a relation by its entity. Several to the same one need different names, and no relation may have the name of
    /// another one.
    fn variant(&self, at: usize, relation: &Relation) -> String {
        let by_entity = naming::camel(self.modules.of(relation.target));
        let mut others = self.of[at].iter().filter(|one| one.name != relation.name);
        let is_taken = others.any(|other| {
            other.target == relation.target || naming::camel(&other.name) == by_entity
        });
        let variant = if is_taken || relation.target == at {
            naming::camel(&relation.name)
        } else {
            by_entity
        };
        if self.is_shared(at, relation, &variant) {
            format!("{}{variant}", naming::camel(self.modules.of(at)))
        } else {
            variant
        }
    }

    /// Whether a relation of a link table lends its variant to a table in which another relation may have it: SeaORM knows a
    /// relation that leads through a link by the variant that it has there.
    fn is_shared(&self, link: usize, relation: &Relation, variant: &str) -> bool {
        self.of.iter().enumerate().any(|(at, relations)| {
            let leads_on = |one: &&Relation| match one.kind {
                RelationKind::Through {
                    link: by, there, ..
                } if by == link => self.of[link][there].name == relation.name,
                _ => false,
            };
            let Some(through) = relations.iter().find(leads_on) else {
                return false;
            };
            let mut others = relations.iter().filter(|one| one.name != through.name);
            through.target != at
                && others
                    .any(|one| one.target == through.target || naming::camel(&one.name) == variant)
        })
    }

    /// Whether one relation alone leads to the other table.
    fn is_only(&self, at: usize, target: usize) -> bool {
        let to_it = |relation: &&Relation| relation.target == target;
        self.of[at].iter().filter(to_it).count() == 1
    }

    fn field(&self, at: usize, relation: &Relation) -> String {
        let (table, to_self) = (&self.tables[at], relation.target == at);
        let module = self.modules.of(relation.target);
        let entity = if to_self {
            "Entity".to_owned()
        } else {
            format!("super::{}::Entity", naming::identifier(module))
        };
        let variant = self.variant(at, relation);
        let named = (!is_inferred(&variant, module) || to_self)
            .then(|| format!("relation_enum = \"{variant}\""));
        let mut attributes: Vec<String> = Vec::new();
        let ty = match &relation.kind {
            RelationKind::BelongsTo { key } => {
                let key = &table.foreign_keys[*key];
                let column = &key.columns[0];
                let to = self.referenced(relation.target, key).unwrap_or_default();
                if to_self {
                    attributes.push("self_ref".to_owned());
                }
                attributes.push("belongs_to".to_owned());
                attributes.extend(named);
                let there = &self.tables[relation.target];
                attributes.push(format!("from = \"{}\"", field_of(table, column)));
                attributes.push(format!("to = \"{}\"", field_of(there, &to)));
                let column = table.column(column);
                match column.is_some_and(|column| table.is_optional(column)) {
                    true => format!("BelongsTo<Option<{entity}>>"),
                    false => format!("BelongsTo<{entity}>"),
                }
            }
            RelationKind::Has { back, .. } if to_self => {
                let back = self.variant(at, &self.of[at][*back]);
                attributes.push("self_ref".to_owned());
                attributes.extend(named);
                attributes.push(format!("relation_reverse = \"{back}\""));
                format!("HasMany<{entity}>")
            }
            RelationKind::Has { back, .. } => {
                let only = self.is_only(relation.target, at);
                let back = self.variant(relation.target, &self.of[relation.target][*back]);
                let one = self.is_to_one(at, relation);
                attributes.push(if one { "has_one" } else { "has_many" }.to_owned());
                attributes.extend(named);
                if !only {
                    attributes.push(format!("via_rel = \"{back}\""));
                }
                match one {
                    true => format!("HasOne<{entity}>"),
                    false => format!("HasMany<{entity}>"),
                }
            }
            RelationKind::Through { link, here, there } => {
                let via = naming::identifier(self.modules.of(*link));
                let variant_of = |place: usize| self.variant(*link, &self.of[*link][place]);
                if to_self {
                    attributes.push("self_ref".to_owned());
                    attributes.push(format!("via = \"{via}\""));
                    if here < there {
                        attributes.push(format!("from = \"{}\"", variant_of(*here)));
                        attributes.push(format!("to = \"{}\"", variant_of(*there)));
                    } else {
                        attributes.push("reverse".to_owned());
                    }
                } else {
                    let there = variant_of(*there);
                    attributes.push("has_many".to_owned());
                    if !is_inferred(&there, module) {
                        attributes.push(format!("relation_enum = \"{there}\""));
                    }
                    attributes.push(match self.is_only(*link, at) {
                        true => format!("via = \"{via}\""),
                        false => format!("via = \"{via}::{}\"", variant_of(*here)),
                    });
                }
                format!("HasMany<{entity}>")
            }
        };
        format!(
            "    #[sea_orm({})]\n    pub {}: {ty},\n",
            attributes.join(", "),
            naming::identifier(&relation.name)
        )
    }
}

/// Whether SeaORM gives a relation to the entity of a module this variant unasked. It takes `r#type` for two words.
fn is_inferred(variant: &str, module: &str) -> bool {
    variant == naming::camel(module) && !naming::identifier(module).starts_with("r#")
}

/// The field of a column, or its variant where the field is a word of the language, which cannot stand there.
fn field_of(table: &Table, column: &str) -> String {
    let field = table.fields().remove(column).unwrap_or_default();
    match naming::identifier(&field).starts_with("r#") {
        true => format!("Column::{}", naming::camel(&field)),
        false => field,
    }
}

/// The variants of a table's columns, which no relation may have.
fn names_of_columns(table: &Table) -> BTreeSet<String> {
    let fields = table.fields();
    fields.values().map(|field| naming::camel(field)).collect()
}

/// The name, or one like it, that no other field has, nor its variant.
pub(super) fn free(name: String, taken: &mut BTreeSet<String>, word: &str) -> String {
    let mut name = name.trim_start_matches("r#").to_owned();
    while !naming::is_possible(&name) || !taken.insert(naming::camel(&name)) {
        name = format!("{}_{word}", name.trim_end_matches('_'));
    }
    name
}
