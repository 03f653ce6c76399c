//! Draws numbers that look random and are the same on every machine.
//!
//! The generator is splitmix64, written out because a library may change its numbers with a release, and then the
//! demo set would change too.

/// A sequence of draws.
#[derive(Debug)]
pub(super) struct Draw(u64);

impl Draw {
    /// The draws of one row: each table and each id has its own, so that any row can be computed alone.
    pub(super) fn for_row(table: &str, id: i64) -> Self {
        let table = table.bytes().fold(0, |sum: u64, byte| {
            sum.wrapping_mul(31).wrapping_add(u64::from(byte))
        });
        let mut draw = Self(table);
        draw.0 = draw.next() ^ id.unsigned_abs();
        // The first state of neighbouring ids differs in a few bits only; one step mixes them.
        draw.0 = draw.next();
        draw
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, not including, `end`. (0 where `end` is not positive.)
    pub(super) fn below(&mut self, end: i64) -> i64 {
        // The high half of the product spreads evenly without a division.
        let product = u128::from(self.next()) * u128::from(end.max(0).unsigned_abs());
        i64::try_from(product >> 64).unwrap_or_default()
    }

    /// True `percent` times in a hundred.
    pub(super) fn chance(&mut self, percent: i64) -> bool {
        self.below(100) < percent
    }

    /// One of `items`, which is never empty here.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        let end = i64::try_from(items.len()).unwrap_or(i64::MAX);
        items[usize::try_from(self.below(end)).unwrap_or_default()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        // The published first outputs for the state 0.
        let mut draw = Draw(0);
        assert_eq!(draw.next(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(draw.next(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn a_row_has_its_own_draws() {
        let first = |table, id| Draw::for_row(table, id).below(1_000_000_000);
        assert_eq!(first("articles", 1), first("articles", 1));
        assert_ne!(first("articles", 1), first("articles", 2));
        assert_ne!(first("articles", 1), first("comments", 1));
    }

    #[test]
    fn draws_stay_in_their_range_and_reach_all_of_it() {
        let mut draw = Draw(7);
        let mut seen = [false; 10];
        for _ in 0..1_000 {
            seen[usize::try_from(draw.below(10)).unwrap()] = true;
        }
        assert!(seen.iter().all(|seen| *seen));
        assert_eq!(draw.below(0), 0);
    }
}
