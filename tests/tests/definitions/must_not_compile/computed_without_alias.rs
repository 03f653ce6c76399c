//! A computed field without an alias (contract 2.2 rule 1).
mod entities;

use entities::article::Entity;
use listing::Fields;
use sea_orm::sea_query::Query;

fn main() {
    let _ = Fields::<Entity>::new().add(|| Query::select().expr(1).take());
}
