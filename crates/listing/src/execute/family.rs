//! Assigns related rows to the rows of a page.
//!
//! Children are lists linked by index, so any number of parents takes only a handful of allocations. Each parent's key is looked
//! up once, and each child's only if it differs from the previous child's. The hash function is a fast one: a page has too few
//! rows for an attacker to benefit from collisions.

use std::collections::HashMap;

use hashlink::DefaultHashBuilder;

use crate::render::Batch;
use crate::sql::ParentBy;
use crate::vocabulary::Key;

/// Rows of a page and their related rows.
#[derive(Default)]
pub(crate) struct Families {
    /// The family of each row of the page; `None` if its key is null.
    of_parent: Vec<Option<usize>>,
    families: Vec<Family>,
    /// For each related row, the next one of its family.
    next: Vec<Option<usize>>,
}

#[derive(Default)]
struct Family {
    first: Option<usize>,
    last: Option<usize>,
    children: usize,
    /// Whether there are more than these.
    has_more: bool,
}

type ByKey<'p> = HashMap<&'p Key, usize, DefaultHashBuilder>;

/// The families of a page without their children.
pub(super) struct Parents<'p> {
    by_key: ByKey<'p>,
    of_parent: Vec<Option<usize>>,
    /// Each distinct key, in the order of the page.
    keys: Vec<Key>,
}

impl<'p> Parents<'p> {
    pub(super) fn of(keys: impl ExactSizeIterator<Item = &'p Key>) -> Self {
        let mut parents = Self {
            by_key: ByKey::with_capacity_and_hasher(keys.len(), DefaultHashBuilder::default()),
            of_parent: Vec::with_capacity(keys.len()),
            keys: Vec::with_capacity(keys.len()),
        };
        for key in keys {
            let family = (*key != Key::Null).then(|| {
                *parents.by_key.entry(key).or_insert_with(|| {
                    parents.keys.push(key.clone());
                    parents.keys.len() - 1
                })
            });
            parents.of_parent.push(family);
        }
        parents
    }

    pub(super) fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Assigns children to their parents by the first key of each related row, in order, and at most `most` for each parent. Also
    /// returns whether any parent has more.
    pub(super) fn with(self, children: &Batch, by: ParentBy, most: usize) -> (Families, bool) {
        let mut families = Families {
            of_parent: self.of_parent,
            families: self.keys.iter().map(|_| Family::default()).collect(),
            next: vec![None; children.len()],
        };
        let mut left_out = false;
        let mut before: Option<(&Key, usize)> = None;
        for child in 0..children.len() {
            let Some(key) = children.keys(child).first() else {
                continue;
            };
            let known = before.filter(|(known, _)| *known == key);
            let number = known.map(|(_, number)| number);
            let number = number.or_else(|| number_of(&self.by_key, key, by));
            // A row without a parent is not expected, and not shown.
            let Some((number, family)) =
                number.and_then(|number| Some((number, families.families.get_mut(number)?)))
            else {
                continue;
            };
            before = Some((key, number));
            if family.children == most {
                (left_out, family.has_more) = (true, true);
                continue;
            }
            family.children += 1;
            match family.last.replace(child) {
                Some(last) => families.next[last] = Some(child),
                None => family.first = Some(child),
            }
        }
        (families, left_out)
    }
}

/// The number of the parent in the first column of a related row.
fn number_of(by_key: &ByKey<'_>, key: &Key, by: ParentBy) -> Option<usize> {
    match (by, key) {
        (ParentBy::Key, key) => by_key.get(key).copied(),
        (ParentBy::Number, Key::Int(number)) => usize::try_from(*number).ok(),
        (ParentBy::Number, _) => None,
    }
}

impl Families {
    /// For each related row, whether it is shown with a parent.
    pub(super) fn shown(&self) -> Vec<bool> {
        let mut shown = vec![false; self.next.len()];
        self.all_shown().for_each(|child| shown[child] = true);
        shown
    }

    /// Every visible related row, in the order of the families.
    pub(crate) fn all_shown(&self) -> impl Iterator<Item = usize> {
        let firsts = self.families.iter().map(|family| family.first);
        firsts.flat_map(|first| std::iter::successors(first, |child| self.next[*child]))
    }

    /// Whether a row of the page has more related rows than these.
    pub(crate) fn has_more(&self, parent: usize) -> bool {
        let family = self.of_parent.get(parent).copied().flatten();
        family.is_some_and(|family| self.families[family].has_more)
    }

    /// The related rows of a row of the page, in order.
    pub(crate) fn children(&self, parent: usize) -> impl Iterator<Item = usize> {
        let family = self.of_parent.get(parent).copied().flatten();
        let first = family.and_then(|family| self.families[family].first);
        std::iter::successors(first, |child| self.next[*child])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{DecodeError, RowSource, Scalar, Shape, ShapeColumn};
    use crate::vocabulary::Kind;

    struct Row(i64);

    impl RowSource for Row {
        fn scalar(&self, _: usize) -> Result<Scalar<'_>, DecodeError> {
            Ok(Scalar::Int(self.0))
        }
    }

    fn batch(keys: &[i64]) -> Batch {
        let shape = Shape {
            columns: vec![ShapeColumn::key(Kind::Integer)],
        };
        let mut batch = Batch::default();
        for key in keys {
            batch.push(&shape, &Row(*key)).unwrap();
        }
        batch
    }

    #[test]
    fn children_stand_with_their_parents_in_their_order() {
        let keys = [Key::Int(7), Key::Null, Key::Int(5), Key::Int(7)];
        let parents = Parents::of(keys.iter());
        assert_eq!(parents.keys(), [Key::Int(7), Key::Int(5)]);
        // No parent has the key 9.
        let (families, left_out) = parents.with(&batch(&[5, 7, 9, 5, 5, 7]), ParentBy::Key, 2);
        assert!(left_out);
        let children = |parent| families.children(parent).collect::<Vec<_>>();
        assert_eq!(children(0), [1, 5]);
        assert_eq!(
            [0, 1, 2].map(|parent| families.has_more(parent)),
            [false, false, true]
        );
        assert!(children(1).is_empty());
        assert_eq!(children(2), [0, 3]);
        assert_eq!(children(3), children(0));
        assert!(children(4).is_empty());
    }

    #[test]
    fn nothing_is_left_out_where_all_fit() {
        let keys = [Key::Int(1)];
        let (families, left_out) = Parents::of(keys.iter()).with(&batch(&[1, 1]), ParentBy::Key, 2);
        assert!(!left_out);
        assert_eq!(families.children(0).count(), 2);
    }

    /// Rule b181.
    #[test]
    fn children_that_name_their_parent_by_number() {
        let keys = ["DE", "de"].map(|key| Key::Text(key.into()));
        let parents = Parents::of(keys.iter());
        // There is no third parent.
        let (families, _) = parents.with(&batch(&[0, 1, 1, 2, -1]), ParentBy::Number, 5);
        let children = |parent| families.children(parent).collect::<Vec<_>>();
        assert_eq!((children(0), children(1)), (vec![0], vec![1, 2]));
    }
}
