//! Writes the test of a new entity: who may send requests, and that stored records are listed.

use anyhow::Result;

use super::{Column, Fresh, Type};
use crate::files::Files;
use crate::make::APPLICATION_IN_TESTS;
use crate::model::entity::Entity;
use crate::naming;
use crate::source::resource::{self, Readers};

const TEMPLATE: &str = include_str!("test.rs.txt");

impl Fresh {
    /// Adds the test; returns a note where the application has nothing that it could ask.
    pub(super) fn add_test(
        &self,
        files: &mut Files,
        entity: &Entity,
        readers: Readers,
    ) -> Result<Option<String>> {
        let file = format!("tests/{}.rs", self.table);
        if files.read(APPLICATION_IN_TESTS).is_none() {
            return Ok(Some(format!(
                "{file} is not written: it needs `application()` and `send()` of {APPLICATION_IN_TESTS}, as `listing new` \
                 writes them"
            )));
        }
        files.create(&file, self.test(entity, readers))?;
        Ok(None)
    }

    fn test(&self, entity: &Entity, readers: Readers) -> String {
        // A reference to a record that is not there, or a secret that no client sends.
        let is_missing = entity.columns.iter().any(resource::is_missing);
        let needs_another = |column: &Column| column.reference.is_some() && !column.asked.nullable;
        let other = self.columns.iter().find(|column| needs_another(column));
        let one = self.module.replace('_', " ");
        let (name, status, total) = match other {
            _ if is_missing => (
                "is_refused_until_it_has_what_clients_do_not_send".to_owned(),
                None,
                0,
            ),
            Some(other) => (
                format!(
                    "needs_{}_that_exists",
                    underlined(&naming::with_article(&other.asked.name))
                ),
                Some("UNPROCESSABLE_ENTITY"),
                0,
            ),
            None => ("that_is_sent_is_listed".to_owned(), Some("CREATED"), 1),
        };
        let checked = match status {
            Some(status) => format!("assert_eq!(status, StatusCode::{status}, \"{{reply}}\");"),
            None => "assert!(!status.is_success(), \"{reply}\");".to_owned(),
        };
        let sent = self.columns.iter().filter(|column| !column.asked.nullable);
        let sent = sent.filter(|column| {
            let mut known = entity.columns.iter();
            known.any(|one| one.name == column.asked.column() && one.secret.is_none())
        });
        let sent: Vec<_> = sent.map(Column::sample).collect();
        TEMPLATE
            .replace("{{Many}}", &naming::sentence(&self.table))
            .replace("{{many}}", &self.table)
            .replace("{{one}}", &underlined(&naming::with_article(&one)))
            .replace("{{name}}", &name)
            .replace("{{sent}}", &sent.join(", "))
            .replace("{{checked}}", &checked)
            .replace("{{total}}", &total.to_string())
            .replace("{{unknown}}", readers.status_of_unknown())
            .replace(
                "{{do}}",
                match readers {
                    Readers::SignedIn => "read_and_write",
                    Readers::Everybody => "write",
                },
            )
    }
}

fn underlined(text: &str) -> String {
    text.replace(' ', "_")
}

impl Column {
    /// A value as JSON, with its name.
    fn sample(&self) -> String {
        let value = match self.asked.kind {
            Type::String | Type::Text => "\"Something\"",
            Type::Integer | Type::BigInt => "7",
            Type::Decimal => "\"7.50\"",
            Type::Float => "7.5",
            Type::Boolean => "true",
            Type::Date => "\"2026-01-31\"",
            Type::DateTime => "\"2026-01-31T12:00:00Z\"",
            Type::Uuid => "\"6f1c9d3e-8a54-4b0e-9c57-2d1f0a7b3c4d\"",
            Type::Json => "{ \"size\": 7 }",
            Type::References => match self.rust_type() {
                "Uuid" => "\"6f1c9d3e-8a54-4b0e-9c57-2d1f0a7b3c4d\"",
                "String" => "\"Something\"",
                _ => "7",
            },
        };
        format!("{:?}: {value}", self.asked.column())
    }
}
