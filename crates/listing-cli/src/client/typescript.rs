//! Writes a TypeScript client: the types of each listing, and the code that every client has.

use std::fmt::Write as _;

use heck::{ToLowerCamelCase, ToUpperCamelCase};
use listing::describe::{
    Field, Filter, Operator, Relation, RelationKind, Takes, TypeName, ValueType,
};
use listing_axum::{ApiDescription, OperationDescription, ResourceDescription};
use serde_json::Value;

/// What every client has.
const RUNTIME: &str = include_str!("runtime.ts");

/// The client of an API, as one file.
pub(crate) fn write(description: &ApiDescription) -> String {
    let mut file = format!(
        "// The client of {} {}. Written by `listing client ts`: change the definitions, not this file.\n\n",
        one_line(&description.title),
        one_line(&description.version)
    );
    let writer = Writer { description };
    for resource in &description.listings {
        writer.listing(resource, &mut file);
    }
    writer.create(&mut file);
    file.push('\n');
    file.push_str(RUNTIME);
    file
}

struct Writer<'d> {
    description: &'d ApiDescription,
}

impl Writer<'_> {
    fn listing(&self, resource: &ResourceDescription, file: &mut String) {
        let listing = &resource.listing;
        let name = &resource.type_name;
        let title = one_line(&resource.title.one);
        put(file, &format!("/** {title}, with every field. */"));
        interface(file, name, &fields(&listing.fields));
        let known = |field: &Field| listing.fields.iter().any(|known| known.name == field.name);
        let record = match listing.record.iter().all(known) {
            true => {
                let names = listing.record.iter().map(|field| field.name.as_str());
                format!("Pick<{name}, {}>", union(names))
            }
            false => {
                put(file, &format!("/** {title}, as one record is shown. */"));
                interface(file, &format!("{name}Record"), &fields(&listing.record));
                format!("{name}Record")
            }
        };
        let store = self.payload(resource, resource.operations.store.as_ref(), "Input", file);
        let update = self.payload(
            resource,
            resource.operations.update.as_ref(),
            "Update",
            file,
        );
        let relations: Vec<_> = listing
            .relations
            .iter()
            .map(|relation| (relation.name.clone(), self.relation(name, relation, file)))
            .collect();
        let related: Vec<_> = listing
            .related_filters
            .iter()
            .map(|related| {
                let target = match (&related.only, &related.listing) {
                    (None, Some(target)) => self.listing_of(target),
                    _ => {
                        let inside = format!("{name}{}Filters", related.name.to_upper_camel_case());
                        let only = related.only.as_ref();
                        let filters = only.map(|only| only.filters.as_slice()).unwrap_or_default();
                        let further = self.further(related.listing.as_deref(), only);
                        put(
                            file,
                            &format!(
                                "/** What can stand in `filters.{}`. */",
                                one_line(&related.name)
                            ),
                        );
                        let members = [
                            ("filters".to_owned(), self.filters(filters)),
                            ("related".to_owned(), object(&further)),
                        ];
                        extended(file, &inside, &members);
                        inside
                    }
                };
                (related.name.clone(), link(related.kind, &target))
            })
            .collect();
        let defaults = listing.fields.iter().filter(|field| field.default);
        let default_relations = listing.relations.iter().filter(|relation| relation.default);
        let members = [
            ("fields", name.clone()),
            ("defaults", union(defaults.map(|field| field.name.as_str()))),
            ("record", record),
            ("relations", object(&relations)),
            (
                "defaultRelations",
                union(default_relations.map(|relation| relation.name.as_str())),
            ),
            ("filters", self.filters(&listing.filters)),
            ("related", object(&related)),
            (
                "sorts",
                union(listing.sorts.iter().map(|sort| sort.name.as_str())),
            ),
            ("search", listing.search.is_some().to_string()),
            ("trashed", union(listing.trashed.iter().map(String::as_str))),
            ("store", store),
            ("update", update),
        ];
        let members = members.map(|(name, text)| (name.to_owned(), text));
        let many = one_line(&resource.title.many);
        put(
            file,
            &format!("/** {many}: what can be asked, and what is sent. */"),
        );
        interface(file, &format!("{name}Listing"), &members);
    }

    /// The listing's type of a name.
    fn listing_of(&self, name: &str) -> String {
        let found = self.description.listing(name);
        found.map_or_else(
            || "never".to_owned(),
            |found| format!("{}Listing", found.type_name),
        )
    }

    fn relation(&self, name: &str, relation: &Relation, file: &mut String) -> String {
        let target = match (&relation.listing, &relation.fields) {
            (Some(target), _) => self.listing_of(target),
            (None, only) => {
                let only = only.as_deref().unwrap_or_default();
                let item = format!("{name}{}", relation.name.to_upper_camel_case());
                put(
                    file,
                    &format!("/** What `{}` shows. */", one_line(&relation.name)),
                );
                interface(file, &item, &fields(only));
                let members = [
                    ("fields".to_owned(), item.clone()),
                    (
                        "defaults".to_owned(),
                        union(only.iter().map(|field| field.name.as_str())),
                    ),
                ];
                let listing = format!("{item}Listing");
                extended(file, &listing, &members);
                listing
            }
        };
        link(relation.kind, &target)
    }

    /// The relations that may follow in a filter through a relation.
    fn further(
        &self,
        listing: Option<&str>,
        only: Option<&listing::describe::RelatedOnly>,
    ) -> Vec<(String, String)> {
        let resource = listing.and_then(|listing| self.description.listing(listing));
        let (Some(resource), Some(only)) = (resource, only) else {
            return Vec::new();
        };
        let related = resource.listing.related_filters.iter();
        let related = related.filter(|related| only.related_filters.contains(&related.name));
        related
            .map(|related| {
                let target = match (&related.only, &related.listing) {
                    (None, Some(target)) => self.listing_of(target),
                    _ => format!(
                        "{}{}Filters",
                        resource.type_name,
                        related.name.to_upper_camel_case()
                    ),
                };
                (related.name.clone(), link(related.kind, &target))
            })
            .collect()
    }

    fn filters(&self, filters: &[Filter]) -> String {
        let filter = |filter: &Filter| {
            let operators = filter.operators.iter();
            let operators: Vec<_> = operators
                .map(|operator| (operator.clone(), self.operand(filter, operator)))
                .collect();
            (filter.name.clone(), object(&operators))
        };
        object(&filters.iter().map(filter).collect::<Vec<_>>())
    }

    fn operand(&self, filter: &Filter, operator: &str) -> String {
        let is_it = |known: &&Operator| known.name == operator;
        let found = self.description.operators.iter().find(is_it);
        let one = sent(&filter.value);
        match found.map(|operator| operator.takes) {
            Some(Takes::Text) => "string".to_owned(),
            Some(Takes::Boolean) => "boolean".to_owned(),
            Some(Takes::List) => format!("readonly ({one})[]"),
            Some(Takes::Range) => format!("readonly [{one}, {one}]"),
            Some(Takes::Value) | None => one,
        }
    }

    /// What is sent to create or change a record: the same type for both where it is the same.
    fn payload(
        &self,
        resource: &ResourceDescription,
        operation: Option<&OperationDescription>,
        end: &str,
        file: &mut String,
    ) -> String {
        let Some(operation) = operation else {
            return "never".to_owned();
        };
        let Some(payload) = &operation.payload else {
            return "Record<string, unknown>".to_owned();
        };
        let store = resource.operations.store.as_ref();
        if end == "Update" && store.is_some_and(|store| store.payload == operation.payload) {
            return format!("{}Input", resource.type_name);
        }
        let name = format!("{}{end}", resource.type_name);
        put(file, "/** What is sent. */");
        put(file, &format!("export interface {name} {{"));
        for field in payload {
            let mark = if field.required { "" } else { "?" };
            let null = if field.nullable { " | null" } else { "" };
            let text = format!(
                "  {}{mark}: {}{null};",
                key(&field.name),
                sent(&field.value)
            );
            put(file, &text);
        }
        put(file, "}\n");
        name
    }

    /// The function that makes the client.
    fn create(&self, file: &mut String) {
        put(file, "/** A client of the service at `options.baseUrl`. */");
        put(
            file,
            "export function createClient(options: ClientOptions) {",
        );
        put(file, "  return {");
        for resource in &self.description.listings {
            let Some(path) = &resource.path else { continue };
            let methods = methods(resource);
            let class = format!("Resource<{}Listing>", resource.type_name);
            let kind = match methods.len() == METHODS {
                true => class.clone(),
                false => format!("Pick<{class}, {}>", union(methods.into_iter())),
            };
            let (name, path) = (
                key(&resource.listing.name.to_lower_camel_case()),
                quoted(path),
            );
            put(
                file,
                &format!("    /** {} */", one_line(&resource.title.many)),
            );
            put(
                file,
                &format!("    {name}: new {class}(options, {path}) as {kind},"),
            );
        }
        put(file, "  };\n}");
    }
}

/// How many methods a resource can have.
const METHODS: usize = 8;

/// The methods that the operations of a resource allow.
fn methods(resource: &ResourceDescription) -> Vec<&'static str> {
    let operations = &resource.operations;
    let mut methods = vec!["list", "pages", "all"];
    let others = [
        ("show", &operations.show),
        ("store", &operations.store),
        ("update", &operations.update),
        ("destroy", &operations.destroy),
        ("restore", &operations.restore),
    ];
    let others = others
        .into_iter()
        .filter(|(_, operation)| operation.is_some());
    methods.extend(others.map(|(name, _)| name));
    methods
}

fn link(kind: RelationKind, target: &str) -> String {
    match kind {
        RelationKind::ToOne => format!("ToOne<{target}>"),
        RelationKind::ToMany => format!("ToMany<{target}>"),
    }
}

/// A field as it is shown.
fn fields(fields: &[Field]) -> Vec<(String, String)> {
    let field = |field: &Field| {
        let null = if field.nullable { " | null" } else { "" };
        (field.name.clone(), format!("{}{null}", shown(&field.value)))
    };
    fields.iter().map(field).collect()
}

fn shown(value: &ValueType) -> String {
    if let Some(values) = &value.values {
        return literals(values);
    }
    match value.name {
        TypeName::Integer | TypeName::Number => "number".to_owned(),
        TypeName::Boolean => "boolean".to_owned(),
        TypeName::Array => {
            let items = value.items.as_deref();
            format!("({})[]", items.map_or_else(|| "unknown".to_owned(), shown))
        }
        TypeName::Json | TypeName::Any => "unknown".to_owned(),
        _ => "string".to_owned(),
    }
}

/// A value as it may be sent.
fn sent(value: &ValueType) -> String {
    if let Some(values) = &value.values {
        return literals(values);
    }
    match value.name {
        TypeName::BigInt | TypeName::Decimal => "string | number".to_owned(),
        TypeName::DateTime => "string | Date".to_owned(),
        _ => shown(value),
    }
}

fn literals(values: &[Value]) -> String {
    let values: Vec<_> = values.iter().map(Value::to_string).collect();
    match values.is_empty() {
        true => "never".to_owned(),
        false => values.join(" | "),
    }
}

fn union<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<_> = names.map(quoted).collect();
    match names.is_empty() {
        true => "never".to_owned(),
        false => names.join(" | "),
    }
}

fn object(members: &[(String, String)]) -> String {
    if members.is_empty() {
        return "{}".to_owned();
    }
    let members: Vec<_> = members
        .iter()
        .map(|(name, text)| format!("{}: {text}", key(name)))
        .collect();
    format!("{{ {} }}", members.join("; "))
}

fn interface(file: &mut String, name: &str, members: &[(String, String)]) {
    put(file, &format!("export interface {name} {{"));
    for (name, text) in members {
        put(file, &format!("  {}: {text};", key(name)));
    }
    put(file, "}\n");
}

/// A listing that allows what is named, and nothing else.
fn extended(file: &mut String, name: &str, members: &[(String, String)]) {
    const NOTHING: [(&str, &str); 12] = [
        ("fields", "{ id: never }"),
        ("defaults", "never"),
        ("record", "{}"),
        ("relations", "{}"),
        ("defaultRelations", "never"),
        ("filters", "{}"),
        ("related", "{}"),
        ("sorts", "never"),
        ("search", "false"),
        ("trashed", "never"),
        ("store", "never"),
        ("update", "never"),
    ];
    let member = |(key, nothing): (&str, &str)| {
        let said = members.iter().find(|(known, _)| known == key);
        (
            key.to_owned(),
            said.map_or_else(|| nothing.to_owned(), |(_, text)| text.clone()),
        )
    };
    interface(file, name, &NOTHING.map(member));
}

fn put(file: &mut String, line: &str) {
    let _ = writeln!(file, "{line}");
}

/// A property's name, in quotes where it is not an identifier.
fn key(name: &str) -> String {
    let is_letter = |letter: char| letter.is_ascii_alphabetic() || letter == '_' || letter == '$';
    let plain = name.starts_with(is_letter)
        && name
            .chars()
            .all(|letter| is_letter(letter) || letter.is_ascii_digit());
    match plain {
        true => name.to_owned(),
        false => quoted(name),
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Text for a comment.
fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ").replace("*/", "* /")
}

#[cfg(test)]
mod tests {
    use super::{key, one_line, sent, shown};
    use listing::Kind;
    use listing::describe::ValueType;

    #[test]
    fn b296_values_have_the_types_that_json_gives_them() {
        let of = |kind: Kind| ValueType::of(&kind, None);
        for (kind, as_shown, as_sent) in [
            (Kind::Integer, "number", "number"),
            (Kind::IntegerText, "string", "string | number"),
            (
                Kind::Decimal { scale: Some(2) },
                "string",
                "string | number",
            ),
            (Kind::Timestamp, "string", "string | Date"),
            (Kind::Boolean, "boolean", "boolean"),
            (Kind::Json, "unknown", "unknown"),
            (
                Kind::Array(Box::new(Kind::Integer)),
                "(number)[]",
                "(number)[]",
            ),
        ] {
            assert_eq!(shown(&of(kind.clone())), as_shown);
            assert_eq!(sent(&of(kind)), as_sent);
        }
        let values = ["a".to_owned(), "b\"".to_owned()];
        let enumeration = ValueType::of(&Kind::Text, Some(&values));
        assert_eq!(shown(&enumeration), r#""a" | "b\"""#);
    }

    #[test]
    fn b296_names_that_are_not_identifiers_are_quoted() {
        assert_eq!(key("created_at"), "created_at");
        assert_eq!(key("$eq"), "$eq");
        assert_eq!(key("2nd"), "\"2nd\"");
        assert_eq!(key("naïve-name"), "\"naïve-name\"");
        assert_eq!(one_line("a */\nb"), "a * / b");
    }
}
