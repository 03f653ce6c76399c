//! Plain data about an entity's table, columns, key and relations, made from SeaORM's types.

use std::any::TypeId;
use std::borrow::Cow;
use std::sync::Arc;

use heck::ToSnakeCase;
use sea_orm::sea_query::{ColumnType, DynIden, TableRef};
use sea_orm::{
    ColumnTrait, EntityTrait, IdenStatic, Identity, Iterable, PrimaryKeyToColumn, Related,
    RelationDef, RelationType,
};

use super::kind_of;
use crate::vocabulary::{Form, FormCell, Kind};

/// A name in the database.
pub type Name = Cow<'static, str>;

/// Identifies an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntityId {
    /// A type of SeaORM.
    Type(TypeId),
    /// A table that is known at run time only, by a number that the program gives it ([`TableListing`](crate::TableListing)).
    Table(usize),
}

impl EntityId {
    /// The id of a type.
    #[must_use]
    pub fn of<E: 'static>() -> Self {
        Self::Type(TypeId::of::<E>())
    }
}

/// A table as the engine sees it. The SeaORM adapter below fills it; another source can too.
#[derive(Debug, Clone)]
pub struct EntityMeta {
    /// The id of the entity.
    pub id: EntityId,
    /// The table, with its schema if it has one.
    pub table: TableRef,
    /// The table's name, by which columns are qualified.
    pub name: Name,
    /// Every column.
    pub columns: Vec<ColumnMeta>,
    /// The columns of the primary key, as indexes into `columns`.
    pub key: Vec<usize>,
}

/// A column as the engine sees it.
#[derive(Debug, Clone)]
pub struct ColumnMeta {
    /// Its name in the database.
    pub name: Name,
    /// The kind of its values in JSON.
    pub kind: Kind,
    /// Its declared type.
    pub column_type: ColumnType,
    /// Whether it can be null.
    pub nullable: bool,
    /// Whether it alone is unique.
    pub unique: bool,
    /// Every value that it can hold, where it is typed as an enumeration that the database stores as text or as an
    /// integer (d94).
    pub values: Option<Arc<[String]>>,
    /// Whether SQLite keeps some of its timestamps as numbers (`Listing::numeric_timestamps`).
    pub numeric: bool,
    /// In which form SQLite keeps its values: found at start-up (b611).
    pub kept: FormCell,
}

impl ColumnMeta {
    /// In which form SQLite keeps its values.
    #[must_use]
    pub fn form(&self) -> Form {
        if self.numeric {
            Form::Several
        } else {
            self.kept.get()
        }
    }

    /// Whether its moments carry their zone.
    #[must_use]
    pub fn is_zoned(&self) -> bool {
        matches!(self.column_type, ColumnType::TimestampWithTimeZone)
    }
}

impl EntityMeta {
    /// SeaORM's metadata about `E`.
    #[must_use]
    pub fn of<E: EntityTrait>() -> Self {
        let entity = E::default();
        let columns: Vec<_> = E::Column::iter()
            .map(|column| {
                let def = column.def();
                let column_type = def.get_column_type().clone();
                ColumnMeta {
                    name: Cow::Borrowed(column.as_str()),
                    kind: kind_of(&column_type),
                    nullable: def.is_null(),
                    unique: def.is_unique(),
                    column_type,
                    values: None,
                    numeric: false,
                    kept: FormCell::default(),
                }
            })
            .collect();
        let key = E::PrimaryKey::iter()
            .map(|key| key.into_column().as_str())
            .filter_map(|name| columns.iter().position(|column| column.name == name))
            .collect();
        Self {
            id: EntityId::of::<E>(),
            table: entity.table_ref(),
            name: Cow::Borrowed(entity.table_name()),
            columns,
            key,
        }
    }

    /// The same, with the values of columns that are typed as enumerations, by the names of their columns or fields.
    #[must_use]
    pub fn with_enumerations(mut self, enumerations: Vec<(&'static str, Vec<String>)>) -> Self {
        for (name, values) in enumerations {
            let is_it = |column: &&mut ColumnMeta| {
                column.name == name || column.name.to_snake_case() == name.to_snake_case()
            };
            if let Some(column) = self.columns.iter_mut().find(is_it) {
                column.values = Some(values.into());
            }
        }
        self
    }

    /// The same, with the columns whose timestamps SQLite keeps as numbers.
    #[must_use]
    pub fn with_numeric_timestamps<C: IdenStatic>(mut self, columns: &[C]) -> Self {
        for column in columns {
            if let Some(at) = self.column(column.as_str()) {
                self.columns[at].numeric = true;
            }
        }
        self
    }

    /// The names of the columns.
    pub fn column_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.columns.iter().map(|column| column.name.as_ref())
    }

    /// The column of that name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}

/// Gives an entity's relations their names. Derive it next to `DeriveEntityModel`; the names are the names of
/// the model's relation fields. By hand it is one [`RelationMeta`] each:
///
/// ```
/// # mod author {
/// #     use sea_orm::entity::prelude::*;
/// #     #[sea_orm::model]
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "authors")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub name: String,
/// #         #[sea_orm(has_many)] pub articles: HasMany<super::article::Entity> }
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[sea_orm::model]
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub author_id: i64,
/// #         #[sea_orm(belongs_to, from = "author_id", to = "id")] pub author: BelongsTo<super::author::Entity> }
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// use listing::NamedRelations;
/// use listing::entity::RelationMeta;
///
/// impl NamedRelations for article::Entity {
///     fn named_relations() -> Vec<RelationMeta> {
///         vec![RelationMeta::related::<article::Entity, author::Entity>("author")]
///     }
/// }
/// # fn main() {}
/// ```
#[diagnostic::on_unimplemented(
    message = "the relations of `{Self}` have no names",
    label = "`NamedRelations` is missing",
    note = "derive it on the entity's model: `#[derive(.., DeriveEntityModel, listing::NamedRelations)]`"
)]
pub trait NamedRelations: EntityTrait {
    /// Every relation, under its name.
    fn named_relations() -> Vec<RelationMeta>;

    /// The columns that are typed as enumerations, with every value that they can hold (d94).
    #[must_use]
    fn enumerations() -> Vec<(&'static str, Vec<String>)> {
        Vec::new()
    }
}

/// A relation as the engine sees it.
#[derive(Debug, Clone)]
pub struct RelationMeta {
    /// Its name, which clients use.
    pub name: Name,
    /// Whether a parent can have many.
    pub to_many: bool,
    /// Whether the parent's side has the foreign key (it "belongs to" the other).
    pub owns_key: bool,
    /// The columns on the parent's side.
    pub from: Vec<Name>,
    /// The columns on the related side (on the junction's target side where there is a junction).
    pub to: Vec<Name>,
    /// The junction table of a many-to-many relation.
    pub through: Option<Through>,
    /// Whether SeaORM joins it on more than columns (`on_condition`), which cannot be batched.
    pub conditional: bool,
    /// The related entity.
    pub target: EntityMeta,
    /// Whether the related entity has a listing, added or not; `false` if that is unknown.
    pub target_has_listing: bool,
}

/// A junction table.
#[derive(Debug, Clone)]
pub struct Through {
    /// The table.
    pub table: TableRef,
    /// Its name, by which columns are qualified.
    pub name: Name,
    /// Its columns that hold the parent's key.
    pub to_parent: Vec<Name>,
    /// Its columns that hold the related row's key.
    pub to_target: Vec<Name>,
    /// The junction's entity, where it is known: its listing is found by it, and otherwise by the table.
    pub entity: Option<EntityId>,
    /// Whether the junction's entity has a listing, added or not; `false` if that is unknown.
    pub has_listing: bool,
    /// Whether two of its rows can link the same two: its primary key is not made of the columns above.
    pub repeats: bool,
    /// In which forms SQLite keeps the keys in its columns, the parent's and the related row's: found at start-up.
    pub kept: [FormCell; 2],
}

impl RelationMeta {
    /// The same, with the knowledge whether the related entity has a listing: `ListingProbe::HAS_LISTING`.
    #[must_use]
    pub fn with_listing(mut self, target_has_listing: bool) -> Self {
        self.target_has_listing = target_has_listing;
        self
    }

    /// The same, with the values of the related entity's enumerations: `EnumerationsProbe::enumerations`.
    #[must_use]
    pub fn with_enumerations(mut self, enumerations: Vec<(&'static str, Vec<String>)>) -> Self {
        self.target = self.target.with_enumerations(enumerations);
        self
    }

    /// The same, with the knowledge of which entity the junction is and whether it has a listing.
    #[must_use]
    pub fn with_junction<J: EntityTrait>(mut self, has_listing: bool) -> Self {
        if let Some(through) = &mut self.through {
            through.entity = Some(EntityId::of::<J>());
            through.has_listing = has_listing;
            let linked = |key: J::PrimaryKey| {
                let name = Cow::Borrowed(key.into_column().as_str());
                through.to_parent.contains(&name) || through.to_target.contains(&name)
            };
            through.repeats = !J::PrimaryKey::iter().all(linked);
        }
        self
    }

    /// The relation that `Related` gives, direct or many-to-many.
    #[must_use]
    pub fn related<E: Related<R>, R: EntityTrait>(name: &'static str) -> Self {
        match E::via() {
            None => Self::direct::<R>(name, E::to()),
            Some(via) => Self::through::<R>(name, via, E::to()),
        }
    }

    /// A relation without a junction, from its definition (`Relation::Author.def()`).
    #[must_use]
    pub fn direct<R: EntityTrait>(name: &'static str, def: RelationDef) -> Self {
        Self {
            name: Cow::Borrowed(name),
            to_many: def.rel_type == RelationType::HasMany,
            // SeaORM calls the side without the key the owner.
            owns_key: def.rel_type == RelationType::HasOne && !def.is_owner,
            from: columns(&def.from_col),
            to: columns(&def.to_col),
            through: None,
            conditional: def.on_condition.is_some(),
            target: EntityMeta::of::<R>(),
            target_has_listing: false,
        }
    }

    /// A many-to-many relation: `via` leads from the parent to the junction, `to` from the junction to the related entity.
    #[must_use]
    pub fn through<R: EntityTrait>(name: &'static str, via: RelationDef, to: RelationDef) -> Self {
        let table_name = table_name(&via.to_tbl);
        Self {
            name: Cow::Borrowed(name),
            to_many: true,
            owns_key: false,
            from: columns(&via.from_col),
            to: columns(&to.to_col),
            through: Some(Through {
                name: table_name,
                to_parent: columns(&via.to_col),
                to_target: columns(&to.from_col),
                table: via.to_tbl,
                entity: None,
                has_listing: false,
                repeats: true,
                kept: <[FormCell; 2]>::default(),
            }),
            conditional: via.on_condition.is_some() || to.on_condition.is_some(),
            target: EntityMeta::of::<R>(),
            target_has_listing: false,
        }
    }
}

fn columns(identity: &Identity) -> Vec<Name> {
    identity.iter().map(DynIden::inner).collect()
}

fn table_name(table: &TableRef) -> Name {
    match table {
        TableRef::Table(name, alias) => alias.as_ref().unwrap_or(&name.1).inner(),
        TableRef::SubQuery(_, alias)
        | TableRef::ValuesList(_, alias)
        | TableRef::FunctionCall(_, alias) => alias.inner(),
        _ => Name::default(),
    }
}
