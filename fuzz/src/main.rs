//! Gives any bytes to one of the targets, which the variable `LISTING_FUZZ_TARGET` names.
#![no_main]

mod targets;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("LISTING_FUZZ_TARGET").unwrap_or_default();
    targets::find(&name)
});

fuzz_target!(|bytes: &[u8]| TARGET(bytes));
