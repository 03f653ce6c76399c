//! A listing without one of the four definitions (contract 1, "forbidden usage").
mod entities;

use entities::article::Entity;
use listing::{HasListing, Listing};

struct ArticleListing;

impl HasListing for Entity {
    type Listing = ArticleListing;
}

impl Listing for ArticleListing {
    type Entity = Entity;
}

fn main() {}
