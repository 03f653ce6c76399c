//! Writes the source of an entity's endpoints: a payload with its rules, and a resource.

use std::collections::BTreeSet;

use ::listing::Names;
use listing_axum::Titles;

use super::hooks;
use crate::model::entity::{Column, Entity, Kind};
use crate::model::judge;
use crate::naming;

/// Columns that the layer sets itself.
const STAMPS: &[&str] = &["created_at", "updated_at", "deleted_at"];

/// The type of the resource: `Articles`.
pub(crate) fn type_name(entity: &Entity) -> String {
    naming::camel(&naming::table(&entity.module))
}

/// Who may read. Only signed-in callers write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Callers who are signed in; the others get 401.
    #[default]
    SignedIn,
    /// Everyone, because of `--public`.
    Everybody,
}

impl Readers {
    /// Whether `--public` was given.
    pub(crate) fn of(public: bool) -> Self {
        match public {
            true => Self::Everybody,
            false => Self::SignedIn,
        }
    }

    /// The name of the status with which a caller is answered who reads without being signed in.
    pub(crate) fn status_of_unknown(self) -> &'static str {
        match self {
            Self::SignedIn => "UNAUTHORIZED",
            Self::Everybody => "OK",
        }
    }
}

/// Where and how a resource is served.
#[derive(Debug, Clone, Default)]
pub(crate) struct Serving {
    pub(crate) readers: Readers,
    /// Its segment of the path, where it is not the table's name.
    pub(crate) segment: Option<String>,
    /// Whether names in any case become snake case, so that no field needs an alias.
    pub(crate) snake_case: bool,
    /// Whether the database tells the key that it gave a new row.
    pub(crate) returns_keys: bool,
    /// Whether the table already has rows: values that were read from them can be sent back, including empty texts and
    /// surrounding blanks.
    pub(crate) existing: bool,
}

impl Serving {
    /// As a single table is served that is added to an application.
    pub(crate) fn of(entity: &Entity) -> Self {
        Self {
            readers: Readers::default(),
            segment: naming::segment(&entity.table, &entity.module),
            snake_case: false,
            returns_keys: false,
            existing: false,
        }
    }
}

/// The functions of a resource that set its segment and its titles. `Titles` is not imported, because it would conflict with the
/// resource of a table called `title`.
fn told(entity: &Entity, serving: &Serving) -> (String, String) {
    let (one, many) = (
        naming::sentence(&entity.module),
        naming::sentence(&naming::table(&entity.module)),
    );
    let segment = match &serving.segment {
        None => String::new(),
        Some(segment) => format!(
            "\n    fn segment() -> &'static str {{\n        {}\n    }}\n",
            naming::literal(segment)
        ),
    };
    let titles = if Titles::of_table(&entity.table) == Titles::new(&one, &many) {
        String::new()
    } else {
        format!(
            "\n    fn titles() -> listing_axum::Titles {{\n        listing_axum::Titles::new({}, {})\n    }}\n",
            naming::literal(&one),
            naming::literal(&many)
        )
    };
    (segment, titles)
}

/// The source of a resource that only reads. `path` is the entity's module, which is not imported, because it can have
/// the name of anything else.
pub(crate) fn read_only_source(entity: &Entity, path: &str, serving: &Serving) -> String {
    let many = type_name(entity);
    let many_said = naming::sentence(&naming::table(&entity.module));
    let (segment, titles) = told(entity, serving);
    let (caller, who, access, decision) = match serving.readers {
        Readers::SignedIn => (
            "use crate::caller::Caller;\n\n",
            "callers who are signed in read them",
            "access",
            "policy::signed_in::<Caller>(access)",
        ),
        Readers::Everybody => ("", "everybody reads them", "_", "policy::allow_all()"),
    };
    format!(
        "//! Where {many_lower} are served.\n\n\
         use listing_axum::{{Access, Denied, Resource, policy}};\n\n\
         {caller}\
         /// {many_said}: {who}, nobody writes them.\n\
         #[derive(Debug)]\n\
         pub struct {many};\n\n\
         impl Resource for {many} {{\n    type Entity = {path}::Entity;\n{segment}{titles}\n    \
         async fn authorize({access}: &Access<'_, Self>) -> Result<(), Denied> {{\n        \
         {decision}\n    }}\n}}\n",
        many_lower = many_said.to_lowercase(),
    )
}

/// The source of a resource. `path` is the entity's module, which is not imported, either.
pub(crate) fn source(entity: &Entity, path: &str, serving: &Serving) -> String {
    let (one, many) = (naming::camel(&entity.module), type_name(entity));
    let many_said = naming::sentence(&naming::table(&entity.module));
    let (who, decision) = match serving.readers {
        Readers::SignedIn => (
            "callers who are signed in read and write them",
            "policy::signed_in::<Caller>(access)",
        ),
        Readers::Everybody => (
            "everybody reads them, callers who are signed in write them",
            "policy::read_for_all(access, policy::signed_in::<Caller>)",
        ),
    };
    let payload: Vec<_> = entity.columns.iter().filter(|c| is_sent(c)).collect();
    let missing: Vec<_> = entity.columns.iter().filter(|c| is_missing(c)).collect();
    let of = |columns: &[&Column]| -> String {
        let fields = columns.iter().map(|column| field(column, serving));
        fields.collect()
    };
    let fields = of(&payload);
    let withheld: String = entity
        .columns
        .iter()
        .filter(|column| is_withheld(column))
        .map(|column| commented(column, serving))
        .collect();
    // A key that the database does not number is sent with a new record, and never changes.
    let changes: Vec<_> = payload.iter().filter(|c| !c.key).copied().collect();
    let (update, changes) = match changes.len() == payload.len() {
        true => (format!("{one}Payload"), String::new()),
        false => (
            format!("{one}Changes"),
            format!(
                "\n/// What a client sends to change {one_lower}.\n\
                 #[derive(Debug, Payload, Validate)]\n\
                 #[payload(active_model = {path}::ActiveModel)]\n\
                 pub struct {one}Changes {{\n{}}}\n",
                of(&changes) + &withheld,
                one_lower = naming::with_article(&entity.module),
            ),
        ),
    };
    let verbs = if changes.is_empty() {
        "create or change"
    } else {
        "create"
    };
    let (segment, titles) = told(entity, serving);
    let mut imports: BTreeSet<&str> = [
        "Access",
        "Denied",
        "Payload",
        "Resource",
        "WritableResource",
        "policy",
    ]
    .into();
    if fields.contains("Given<") {
        imports.insert("Given");
    }
    let imports = imports.into_iter().collect::<Vec<_>>().join(", ");
    let prelude = if payload.iter().any(|column| needs_prelude(column)) {
        "use sea_orm::entity::prelude::*;\n"
    } else {
        ""
    };
    let missing = match missing.len() {
        0 => String::new(),
        _ => {
            let names: Vec<_> = missing
                .iter()
                .map(|column| format!("`{}`", naming::in_comment(&column.name)))
                .collect();
            format!(
                "\n    // Clients do not send {}, but the table needs a value: set it in `before_store`.\n",
                names.join(", ")
            )
        }
    };
    let (parent, _) = path.rsplit_once("::").unwrap_or((path, ""));
    let enumerations = if payload.iter().any(|one| one.kind == Kind::Enumeration) {
        format!("use {parent}::enums;\n")
    } else {
        String::new()
    };
    format!(
        "//! Where {many_lower} are served, who may do what with them, and what clients send.\n\n\
         use garde::Validate;\n\
         use listing_axum::{{{imports}}};\n\
         {prelude}\n\
         use crate::caller::Caller;\n\
         {enumerations}\n\
         /// {many_said}: {who}.\n\
         #[derive(Debug)]\n\
         pub struct {many};\n\n\
         impl Resource for {many} {{\n    type Entity = {path}::Entity;\n{segment}{titles}\n    \
         async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {{\n        \
         {decision}\n    }}\n}}\n\n\
         impl WritableResource for {many} {{\n    type Store = {one}Payload;\n    \
         type Update = {update};\n{missing}{hooks}}}\n\n\
         /// What a client sends to {verbs} {one_lower}.\n\
         #[derive(Debug, Payload, Validate)]\n\
         #[payload(active_model = {path}::ActiveModel)]\n\
         pub struct {one}Payload {{\n{fields}{withheld}}}\n{changes}",
        many_lower = many_said.to_lowercase(),
        one_lower = naming::with_article(&entity.module),
        hooks = hooks::in_resource(entity),
    )
}

/// Whether a client sends it: a type of the application may not be readable from JSON, and a key may be numbered.
pub(crate) fn is_sent(column: &Column) -> bool {
    is_sendable(column) && !judge::is_secret(column)
}

/// Whether a client would send it, if it did not look like a secret.
pub(crate) fn is_withheld(column: &Column) -> bool {
    is_sendable(column) && judge::is_secret(column) && !column.key
}

fn is_sendable(column: &Column) -> bool {
    let decided = column.computed || column.numbered || is_stamp(column);
    column.sendable && !decided
}

/// A field that looks like a secret, as a comment that can be made a field again. It names what may not be imported.
fn commented(column: &Column, serving: &Serving) -> String {
    let mut whole = column.clone();
    if needs_prelude(column) {
        whole.rust_type = format!("sea_orm::entity::prelude::{}", column.rust_type);
    }
    let lines = field(&whole, serving).replace(": Given<", ": listing_axum::Given<");
    let lines = lines
        .lines()
        .map(|line| format!("    // {}\n", line.trim()));
    format!(
        "    // `{}` looks like a secret, so clients do not send it. To let them, delete the slashes below:\n{}",
        naming::in_comment(&column.name),
        lines.collect::<String>()
    )
}

/// Whether a new record would lack it.
pub(crate) fn is_missing(column: &Column) -> bool {
    let given = is_sent(column) || is_stamp(column) || column.numbered || column.computed;
    !given && !column.nullable && !column.has_default
}

fn is_stamp(column: &Column) -> bool {
    STAMPS.contains(&column.name.as_str()) && column.kind == Kind::Time
}

/// The rule of garde for a column's value; of a table that exists, whatever is in it can be sent back.
pub(crate) fn rule(column: &Column, existing: bool) -> Option<String> {
    match column.kind {
        Kind::Text(Some(most)) if existing => Some(format!("length(chars, max = {most})")),
        Kind::Text(Some(most)) => Some(format!("length(chars, min = 1, max = {most})")),
        Kind::Text(None) if !existing => Some("length(chars, min = 1)".to_owned()),
        _ => None,
    }
}

fn field(column: &Column, serving: &Serving) -> String {
    let name = naming::identifier(&column.field);
    // An enumeration of the database can have the name of anything that is imported.
    let ty = match column.kind {
        Kind::Enumeration => format!("enums::{}", column.rust_type),
        _ => column.rust_type.clone(),
    };
    let is_text = matches!(column.kind, Kind::Text(_));
    let rule = rule(column, serving.existing);
    let mut read = Vec::new();
    if is_text && !serving.existing {
        read.push("trim".to_owned());
    }
    // Clients send back the values that they read, and answers have the column's name.
    let shown = match &column.alias {
        Some(alias) => alias.clone(),
        None if serving.snake_case => Names::SnakeCase.of(&column.name),
        None => column.name.clone(),
    };
    if column.field != shown {
        read.push(format!("alias = {}", naming::literal(&shown)));
    }
    let read = match read.len() {
        0 => String::new(),
        _ => format!("    #[payload({})]\n", read.join(", ")),
    };
    if column.nullable {
        // The rule holds for the text inside: the field can be left out, and can be null.
        let rule = rule.map_or_else(|| "skip".to_owned(), |rule| format!("inner(inner({rule}))"));
        return format!("{read}    #[garde({rule})]\n    {name}: Given<Option<{ty}>>,\n");
    }
    // The key that a default gave is known only where the database tells it.
    if column.has_default && (!column.key || serving.returns_keys) {
        let rule = rule.map_or_else(|| "skip".to_owned(), |rule| format!("inner({rule})"));
        return format!("{read}    #[garde({rule})]\n    {name}: Given<{ty}>,\n");
    }
    let rule = rule.unwrap_or_else(|| "skip".to_owned());
    format!("{read}    #[garde({rule})]\n    {name}: {ty},\n")
}

/// Whether the type comes from SeaORM's prelude.
fn needs_prelude(column: &Column) -> bool {
    let plain = matches!(
        column.kind,
        Kind::Boolean | Kind::Text(_) | Kind::LongText | Kind::Enumeration
    ) || [
        "String",
        "Vec<String>",
        "Vec<bool>",
        "Vec<i16>",
        "Vec<i32>",
        "Vec<i64>",
    ]
    .contains(&column.rust_type.as_str())
        || [
            "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64",
        ]
        .contains(&column.rust_type.as_str());
    !plain && !column.rust_type.contains("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The endpoints of a table whose key is this field.
    fn written(key: &str, returns_keys: bool) -> String {
        let source = format!(
            "#[derive(DeriveEntityModel)]\n#[sea_orm(table_name = \"parts\")]\n\
             pub struct Model {{\n    {key},\n    pub name: String,\n}}\n"
        );
        let entity = Entity::parse("part", &source, &|_| false).unwrap();
        let serving = Serving {
            returns_keys,
            ..Serving::default()
        };
        super::source(&entity.unwrap(), "crate::entity::part", &serving)
    }

    /// Rule b366.
    #[test]
    fn a_key_that_the_database_does_not_number_is_sent_once() {
        let key = "#[sea_orm(primary_key, auto_increment = false)] pub code: String";
        let source = written(key, true);
        let (create, change) = source.split_once("pub struct PartChanges").unwrap();
        assert!(create.contains("    code: String,\n"), "{source}");
        assert!(create.contains("type Update = PartChanges;"), "{source}");
        assert!(
            change.contains("    name: String,\n") && !change.contains("code"),
            "{source}"
        );
        let source = written("#[sea_orm(primary_key)] pub id: i64", true);
        assert!(
            !source.contains("Changes") && !source.contains("    id: "),
            "{source}"
        );
    }

    /// Rule b510.
    #[test]
    fn what_is_read_of_an_existing_table_can_be_sent_back() {
        let source = "#[derive(DeriveEntityModel)]\n#[sea_orm(table_name = \"parts\")]\npub struct Model {\n    \
                      #[sea_orm(primary_key)] pub id: i64,\n    pub name: String,\n    \
                      #[sea_orm(column_type = \"Text\")] pub place: String,\n}\n";
        let entity = Entity::parse("part", source, &|_| false).unwrap().unwrap();
        let written = |existing| {
            let serving = Serving {
                existing,
                ..Serving::default()
            };
            super::source(&entity, "crate::entity::part", &serving)
        };
        let existing = written(true);
        for field in [
            "    #[garde(length(chars, max = 255))]\n    name: String,\n",
            "    #[garde(skip)]\n    place: String,\n",
        ] {
            assert!(existing.contains(field), "{existing}");
        }
        assert!(
            !existing.contains("trim") && !existing.contains("min = 1"),
            "{existing}"
        );
        let new = written(false);
        let field = "    #[payload(trim)]\n    #[garde(length(chars, min = 1, max = 255))]\n    name: String,\n";
        assert!(new.contains(field), "{new}");
    }

    /// Rule b366.
    #[test]
    fn a_key_with_a_default_is_left_out_where_the_database_tells_it() {
        let key = "#[sea_orm(primary_key, auto_increment = false, default_expr = \"Expr::cust(\\\"f()\\\")\")] pub id: Uuid";
        let told = written(key, true);
        assert!(told.contains("    id: Given<Uuid>,\n"), "{told}");
        let silent = written(key, false);
        assert!(silent.contains("    id: Uuid,\n"), "{silent}");
    }
}
