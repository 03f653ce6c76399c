//! Describes the operation that creates records from a file.

use serde_json::{Value, json};

use super::envelopes::envelope;
use super::model::{Body, Content, Operation, Ordered, Schema};
use super::operations::Of;
use super::parameters::query;
use super::responses::{success, with_errors};
use crate::describe::OperationDescription;

impl Of<'_> {
    pub(super) fn import(&self) -> Option<(OperationDescription, Operation)> {
        let import = self.resource.operations.import.as_ref()?;
        let known = OperationDescription {
            method: import.method.clone(),
            path: import.path.clone(),
            payload: None,
            links: Vec::new(),
            requires_if_match: false,
            takes_idempotency_key: false,
            bulk: None,
        };
        let flag = || Schema::of("boolean");
        let one_of = |words: &[&str]| Schema::one_of_texts(words.to_vec());
        let text = "Whether everything is undone in the end.";
        let dry_run = query("dryRun", text, flag());
        let text = "What stands between values of CSV.";
        let delimiter = query("delimiter", text, one_of(&[",", ";", "tab"]));
        let text = "`keep` takes texts of CSV as they are, with the `'` that an export writes before what a spreadsheet would take for a formula.";
        let formulas = query("formulas", text, one_of(&["escape", "keep"]));
        let data = [("count", Schema::of("integer")), ("dryRun", flag())];
        let data = envelope(Schema::object(data, &["count", "dryRun"]));
        let done = ("200", success("How many records were created.", data));
        let content = import.types.iter().map(|kind| {
            let content = Content {
                schema: Schema::of("string"),
                example: self.file_example(kind),
            };
            (kind.clone(), content)
        });
        let text = format!(
            "All rows are written, or none; errors name the row, counted from 1, and the field: `rows.3.title`. A file of CSV begins with the names of its columns. At most {} rows and {} bytes.",
            import.max_rows, import.max_bytes
        );
        let operation = Operation {
            description: Some(text),
            parameters: vec![dry_run, delimiter, formulas],
            request_body: Some(Body {
                required: true,
                content: Ordered::from_iter(content),
            }),
            ..self.operation(
                "import",
                format!("Create {} from a file", self.many()),
                with_errors(vec![done], &[400, 413, 415, 422]),
            )
        };
        Some((known, operation))
    }

    /// The columns that a file must have, or an empty object. Neither creates a record.
    fn file_example(&self, kind: &str) -> Option<Value> {
        if kind != "text/csv" {
            return Some(json!(""));
        }
        let store = self.resource.operations.store.as_ref()?;
        let fields = store.payload.iter().flatten();
        let names: Vec<_> = fields.map(|field| field.name.as_str()).collect();
        Some(json!(names.join(",") + "\r\n"))
    }
}
