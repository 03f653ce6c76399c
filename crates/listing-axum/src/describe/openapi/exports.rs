//! Describes the operations that return all rows of a list as a file.

use listing::Format;
use serde_json::json;

use super::envelopes::envelope;
use super::model::{Body, Content, Operation, Ordered, Parameter, Response, Schema};
use super::operations::Of;
use super::parameters::query;
use super::responses::{success, with_errors};
use crate::describe::OperationDescription;
use crate::describe::names::pascal;

impl Of<'_> {
    /// One operation for each format, each with its own address.
    pub(super) fn exports(&self) -> Vec<(OperationDescription, Operation)> {
        let Some(export) = &self.resource.operations.export else {
            return Vec::new();
        };
        let formats = Format::ALL.iter();
        let formats = formats.filter(|format| {
            let mut known = export.formats.iter();
            known.any(|known| known == format.extension())
        });
        let operation = |format: &Format| {
            let known = OperationDescription {
                method: export.method.clone(),
                path: export.path.replace("{format}", format.extension()),
                payload: None,
                links: Vec::new(),
                requires_if_match: false,
                takes_idempotency_key: false,
                bulk: None,
            };
            let of_xlsx = export
                .xlsx_max_rows
                .filter(|_| format.extension() == "xlsx");
            (
                known,
                self.export(*format, of_xlsx.unwrap_or(export.max_rows)),
            )
        };
        formats.map(operation).collect()
    }

    fn export(&self, format: Format, max_rows: u64) -> Operation {
        let name = format.extension();
        let disposition =
            json!({"description": "A name for the file.", "schema": {"type": "string"}});
        let content = Content {
            schema: Schema::of("string"),
            example: None,
        };
        let file = Response {
            description: Some("Every row that matches, in the order of the list.".to_owned()),
            headers: Ordered::from_iter([("Content-Disposition", disposition)]),
            content: Ordered::from_iter([(format.media_type(), content)]),
            ..Response::default()
        };
        let text = format!(
            "At most {max_rows} rows: a request that matches more is answered with 400. A file that breaks off ends with the connection. A long request goes to the address of the list by a JSON request, with `Accept: {}`.",
            format.media_type()
        );
        let mut operation = self.operation(
            "export",
            format!("Export {} as {}", self.many(), name.to_uppercase()),
            with_errors(vec![("200", file)], &[400, 414]),
        );
        operation.operation_id += pascal(name).as_str();
        operation.description = Some(text);
        operation.parameters = self.of_file(format);
        operation
    }

    /// The parameters of the list that select rows and columns, and those of the file.
    fn of_file(&self, format: Format) -> Vec<Parameter> {
        let is_kept = |parameter: &Parameter| {
            let name = parameter.name.as_str();
            let of_page = name.starts_with("pagination[") && name != "pagination[limit]";
            !of_page && name != "facets" && !name.starts_with("totals[")
        };
        let list = self.index().parameters.into_iter().filter(is_kept);
        let mut parameters: Vec<_> = list.collect();
        let flag = || Schema::of("boolean");
        let text = "Adds the label of each value that has labels.";
        parameters.push(query("labels", text, flag()));
        if format == Format::Csv {
            let one_of = |words: &[&str]| Schema::one_of_texts(words.to_vec());
            let text =
                "What the first line says: the names of the API, the same as words, or nothing.";
            parameters.push(query("header", text, one_of(&["names", "titles", "none"])));
            let text = "What stands between values.";
            parameters.push(query("delimiter", text, one_of(&[",", ";", "tab"])));
            let text = "Begins the file with the mark by which Excel knows UTF-8.";
            parameters.push(query("bom", text, flag()));
            let text =
                "`keep` leaves texts as they are that a spreadsheet would take for formulas.";
            parameters.push(query("formulas", text, one_of(&["escape", "keep"])));
        }
        parameters
    }
}

/// The operation that creates an address for browsers.
pub(super) fn tickets() -> Operation {
    let path = || Schema::of("string");
    let data = [("path", path()), ("expires_in", Schema::of("integer"))];
    let data = envelope(Schema::object(data, &["path", "expires_in"]));
    let text = "An address of an export that a browser can open without a header: it is valid for 60 seconds, for the caller who asked for it.";
    Operation {
        operation_id: "issueTicket".to_owned(),
        tags: vec!["About".to_owned()],
        summary: "Get an address of an export that needs no header".to_owned(),
        description: Some(text.to_owned()),
        parameters: Vec::new(),
        request_body: Some(Body {
            required: true,
            content: Content::json(
                Schema::object([("path", path())], &["path"]),
                Some(json!({"path": "/api/articles.csv?sort=id"})),
            ),
        }),
        responses: with_errors(
            vec![("200", success("The address.", data))],
            &[400, 413, 415],
        ),
    }
}
