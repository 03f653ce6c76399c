//! The CRUD set over HTTP, on three databases, with the number of its rule in the name of each test.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod articles;
mod changed_schema;
mod contract;
mod decisions;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod enumerations;
mod etag;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod exact_numbers;
mod foreign;
mod giving_away;
mod hooks;
mod hostile;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod names;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod no_key;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod numeric;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod own;
mod parallel;
mod pieces;
mod races;
mod records;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod refusals;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod several_columns;
mod shape;
mod soft_delete;
mod statements;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod stored;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod times;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod unfit;
mod uniqueness;
mod validation;
mod wire;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod written_back;
