//! Describes the operation that lists the changes of one record.

use super::envelopes::envelope_with;
use super::model::{Operation, Parameter, Schema};
use super::operations::Of;
use super::responses::{success, with_errors};
use super::schemas::of_record;

impl Of<'_> {
    pub(super) fn history(&self) -> Operation {
        let fields = of_record(&self.resource.listing);
        let fields = fields.into_iter().filter(|(name, _)| name != "id");
        let values = Schema::object(fields, &[]);
        let text = || Schema::of("string");
        let change = [
            ("number", Schema::of("integer")),
            (
                "operation",
                Schema::one_of_texts(["store", "update", "destroy", "restore"]),
            ),
            ("at", text()),
            ("caller", text().or_null()),
            ("old", values.clone().or_null()),
            ("new", values.or_null()),
            ("linked", Schema::array(text())),
        ];
        let required: Vec<_> = change.iter().map(|(name, _)| *name).collect();
        let changes = Schema::array(Schema::object(change, &required));
        let page = vec![("pagination", Schema::reference("Pagination"))];
        let found = success("A page of the changes.", envelope_with(changes, page));
        let responses = with_errors(vec![("200", found)], &[400, 404, 414]);
        let is_part = |parameter: &Parameter| {
            let parts = ["page", "pageSize", "start", "limit"];
            let mut parts = parts.iter().map(|part| format!("pagination[{part}]"));
            parts.any(|part| part == parameter.name)
        };
        let mut parameters = vec![self.id()];
        parameters.extend(self.pagination().into_iter().filter(is_part));
        let text = "The newest first, each with the fields that it has changed: `old` is null for a new record. Of `linked` relations \
                    the links were written.";
        Operation {
            description: Some(text.to_owned()),
            parameters,
            ..self.operation(
                "history",
                format!("Changes of one {}", self.one()),
                responses,
            )
        }
    }
}
