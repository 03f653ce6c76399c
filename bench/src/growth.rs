//! Measures how the time of a request grows when its table has ten times as many rows.

use std::time::Duration;

use anyhow::{Result, ensure};

use crate::cursors;
use crate::data::{self, Databases, Engine, Places};
use crate::load::Load;
use crate::report::median;
use crate::servers::{Program, Server, Servers};

/// Ten times as many rows may take twice as long, and no more.
const MOST: f64 = 2.0;
const ROUNDS: usize = 7;
const SLICE: Duration = Duration::from_millis(300);

/// What people ask for every day.
#[derive(Debug, Clone, Copy)]
enum Question {
    FirstPage,
    DeepByCursor,
    SortRelation,
    SortRelationDeep,
    AbsentTitle,
    RareContains,
}

impl Question {
    const ALL: [Self; 6] = [
        Self::FirstPage,
        Self::DeepByCursor,
        Self::SortRelation,
        Self::SortRelationDeep,
        Self::AbsentTitle,
        Self::RareContains,
    ];

    fn what(self) -> &'static str {
        match self {
            Self::FirstPage => "the first page, with the default count",
            Self::DeepByCursor => "a page in the middle, by cursor",
            Self::SortRelation => "sort=author.name, the first page",
            Self::SortRelationDeep => "sort=author.name, in the middle, by cursor",
            Self::AbsentTitle => "filters[title][$eq] that no row has, with its count",
            Self::RareContains => "filters[title][$contains] that one row has, with its count",
        }
    }

    /// Whether the database has an index that serves it: of parts of words only PostgreSQL has one.
    fn is_served(self, engine: Engine) -> bool {
        match self {
            Self::RareContains => engine == Engine::Postgres,
            // MariaDB sorts joined rows as a whole (b270).
            Self::SortRelation | Self::SortRelationDeep => engine != Engine::Mysql,
            _ => true,
        }
    }
}

/// Asks each question of a service with `rows` articles and of one with a tenth of them, in turns, and compares the times.
///
/// # Errors
/// When a question that an index serves takes more than twice as long on ten times as many rows.
pub async fn growth(places: &Places, rows: u64) -> Result<()> {
    let engines = [Engine::Postgres, Engine::Sqlite, Engine::Mysql];
    let small = data::load(places, rows / 10, &engines).await?;
    let large = data::load(places, rows, &engines).await?;
    let mut grew = Vec::new();
    println!(
        "| database | request | {} rows, ms | {rows} rows, ms | growth |\n|---|---|---|---|---|",
        rows / 10
    );
    for engine in engines {
        // Each has its own: a server is known by its program and its engine.
        let (mut few, mut many) = (Servers::default(), Servers::default());
        for question in Question::ALL {
            // Walking there would take minutes.
            if matches!(question, Question::SortRelationDeep) && !question.is_served(engine) {
                continue;
            }
            let mut few = start(question, engine, &mut few, &small).await?;
            let mut many = start(question, engine, &mut many, &large).await?;
            let (mut before, mut after) = (Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                before.push(1_000.0 / few.slice(SLICE).await?.per_second());
                after.push(1_000.0 / many.slice(SLICE).await?.per_second());
            }
            let (before, after) = (median(&mut before), median(&mut after));
            let (growth, what) = (after / before, question.what());
            let is_served = question.is_served(engine);
            let note = if is_served { "" } else { " (no index)" };
            println!("| {engine:?} | {what} | {before:.2} | {after:.2} | {growth:.2}{note} |");
            if is_served && growth > MOST {
                grew.push(format!("{engine:?}: {what}"));
            }
        }
    }
    ensure!(
        grew.is_empty(),
        "more than twice as slow: {}",
        grew.join("; ")
    );
    Ok(())
}

async fn start(
    question: Question,
    engine: Engine,
    servers: &mut Servers,
    databases: &Databases,
) -> Result<Load> {
    let server = Server {
        engine,
        program: Program::Blog(&[]),
    };
    let address = servers.get(&server, databases)?.address;
    // Far enough from both ends, and near enough to walk there.
    let middle = databases.rows / 50;
    let targets = match question {
        Question::FirstPage => vec!["/api/articles".to_owned()],
        Question::DeepByCursor => cursors::targets(address, middle, "").await?,
        Question::SortRelation => {
            vec!["/api/articles?sort=author.name&pagination[withCount]=false".to_owned()]
        }
        Question::SortRelationDeep => cursors::targets(address, middle, "author.name").await?,
        Question::AbsentTitle => {
            vec!["/api/articles?filters[title][$eq]=Nobody+wrote+this".to_owned()]
        }
        Question::RareContains => {
            vec!["/api/articles?filters[title][$contains]=xxxxxxxx".to_owned()]
        }
    };
    Load::start(address, &targets, 1).await
}
