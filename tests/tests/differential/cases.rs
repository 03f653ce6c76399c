//! Runs a property on some hundreds of cases, the same ones each time.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

/// Tries `test` on the strategy's cases: `PROPTEST_CASES` of them if it is set, from `PROPTEST_RNG_SEED` if that is.
pub(crate) fn try_cases<S: Strategy>(
    strategy: S,
    test: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let mut config = Config {
        // The seed says it all: there is nothing to keep in a file.
        failure_persistence: None,
        max_shrink_iters: 500,
        ..Config::default()
    };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(20_260_101);
    }
    if let Err(failure) = TestRunner::new(config).run(&strategy, test) {
        panic!("{failure}");
    }
}
