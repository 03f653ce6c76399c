//! Finds the labels of values while the rows of an export are read (d113).

use std::collections::HashMap;

use super::error::ExecuteError;
use super::labels::resolved;
use super::reader::Reader;
use crate::define::{Context, LabelResolver};

/// The labels of a field's values. Recently used ones are cached.
pub(crate) struct Labels<'a> {
    pub(crate) filter: &'a str,
    pub(crate) resolver: &'a LabelResolver,
    pub(crate) known: HashMap<String, String>,
}

impl Labels<'_> {
    /// Keeps memory constant: when the cache is full, it is emptied.
    const MOST_KNOWN: usize = 10_000;

    /// Looks up the labels of values that are not cached. A value without a label is its own label. Labels that cannot be read end the
    /// export, because values in their place would look like labels.
    pub(crate) async fn find(
        &mut self,
        mut values: Vec<String>,
        reader: &dyn Reader,
        context: &Context,
    ) -> Result<(), ExecuteError> {
        if self.known.len() + values.len() > Self::MOST_KNOWN {
            self.known.clear();
        }
        values.sort_unstable();
        values.dedup();
        values.retain(|value| !self.known.contains_key(value));
        if values.is_empty() {
            return Ok(());
        }
        let filter = (self.filter, Some(self.resolver));
        let labels = resolved(filter, &values, reader, context).await;
        let labels = labels.ok_or_else(|| ExecuteError::NoLabels {
            filter: self.filter.to_owned(),
        })?;
        self.known.extend(values.into_iter().zip(labels));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::FutureExt;

    use super::super::labels::tests::Nothing;
    use super::*;

    /// Rule b1230.
    #[test]
    fn labels_that_cannot_be_read_are_an_error_and_known_ones_are_not_asked_for_again() {
        let resolver = LabelResolver::All(Arc::new(|values: &[String]| {
            let labels = values.iter().map(|value| format!("{value}!"));
            labels.filter(|label| label != "3!").collect()
        }));
        let mut labels = Labels {
            filter: "author_id",
            resolver: &resolver,
            known: HashMap::from([("3".to_owned(), "known".to_owned())]),
        };
        let context = Context::new();
        let mut find = |values: &[&str]| {
            let values = values.iter().map(ToString::to_string).collect();
            let found = labels.find(values, &Nothing, &context).now_or_never();
            found.unwrap().map(|()| labels.known.len())
        };
        assert_eq!(find(&["1", "3", "1"]).unwrap(), 2);
        assert_eq!(find(&["1", "3"]).unwrap(), 2);
        labels.known.clear();
        let asked = vec!["2".to_owned(), "3".to_owned()];
        let failed = labels.find(asked, &Nothing, &context).now_or_never();
        let failed = failed.unwrap().unwrap_err();
        assert_eq!(
            failed.to_string(),
            "the labels of `author_id` could not be read"
        );
        assert!(labels.known.is_empty(), "no value is a label");
    }
}
