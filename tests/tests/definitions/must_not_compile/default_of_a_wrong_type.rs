//! A default that no column can be compared with (contract 2.4 rule 1).
mod entities;

use entities::article::Entity;
use listing::Filter;

fn main() {
    let _ = Filter::<Entity>::make("id").default_value(std::time::Duration::ZERO);
}
