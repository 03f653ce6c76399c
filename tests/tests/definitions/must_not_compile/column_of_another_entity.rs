//! Columns of authors in the definitions of articles.
mod entities;

use entities::{article::Entity, author};
use listing::{Fields, Filter, Sorts};

fn main() {
    let _ = Fields::<Entity>::new().add(author::Column::Name);
    let _ = Filter::<Entity>::make(author::Column::Name);
    let _ = Sorts::<Entity>::new().add(author::Column::Name);
}
