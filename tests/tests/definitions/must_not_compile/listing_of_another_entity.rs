//! Articles that claim the listing of authors.
mod entities;

use entities::{article, author};
use listing::{Fields, Filter, HasListing, Listing, Relations, Sorts};

struct AuthorListing;

impl Listing for AuthorListing {
    type Entity = author::Entity;

    fn fields() -> Fields<author::Entity> {
        Fields::new()
    }

    fn relations() -> Relations<author::Entity> {
        Relations::new()
    }

    fn filters() -> Vec<Filter<author::Entity>> {
        Vec::new()
    }

    fn sorts() -> Sorts<author::Entity> {
        Sorts::new()
    }
}

impl HasListing for author::Entity {
    type Listing = AuthorListing;
}

impl HasListing for article::Entity {
    type Listing = AuthorListing;
}

fn main() {}
