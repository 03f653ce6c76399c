//! Builds [`ListNumbers`], the body of a response that has the facets and totals of a list and no rows (d108).

use super::list::{filters, put, put_number, put_text};
use super::numbers::numbers;
use super::remarks::remarks_on_names;
use crate::execute::NumbersAlone;
use crate::plan::Plan;

/// The facets and totals of a list, rendered.
#[derive(Debug, Clone)]
pub struct ListNumbers {
    filters: Vec<u8>,
    numbers: Vec<u8>,
    remarks: Vec<u8>,
}

pub(crate) fn list_numbers(plan: &Plan<'_>, read: &NumbersAlone) -> ListNumbers {
    ListNumbers {
        filters: filters(plan, &read.labels),
        numbers: match plan.numbers.as_deref().zip(read.numbers.as_ref()) {
            Some((asked, read)) => numbers(asked, read),
            None => Vec::new(),
        },
        remarks: remarks_on_names(plan),
    }
}

impl ListNumbers {
    /// The body of the response.
    #[must_use]
    pub fn body(&self, code: u16, message: Option<&str>) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.filters.len() + self.numbers.len() + 256);
        put_text(&mut body, b"{\"message\":", message);
        put_number(
            &mut body,
            b",\"data\":null,\"meta\":{\"code\":",
            code.into(),
        );
        put_text(&mut body, b",\"message\":", message);
        put(&mut body, b",\"filters\":", &self.filters);
        body.extend_from_slice(&self.numbers);
        put(&mut body, &self.remarks, b"}}");
        body
    }
}
