//! Measures the service next to another build of it, such as an older one.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::data::{self, Engine};
use crate::load::Load;
use crate::report::{median, spread};
use crate::requests::Requests;
use crate::run::Places;
use crate::servers::{Program, Running, Server, start, start_program};

const ROUNDS: usize = 15;
const SLICE: Duration = Duration::from_millis(1500);
/// What a list that uses nothing new may lose.
const LEAST: f64 = 0.98;

/// Asks both for the same lists in turns, each on a database that it has loaded itself.
///
/// # Errors
/// When this build is slower than 0.98 of the other one, or answers with other bytes.
pub async fn against(places: &Places, rows: u64, other: &Path) -> Result<()> {
    let engines = [Engine::Postgres, Engine::Sqlite, Engine::Mysql];
    let databases = data::load(places, rows, &engines).await?;
    let others = data::load_by(places, rows, &engines, other).await?;
    let mut slower = Vec::new();
    println!("| database | list | this build, a second | the other | ratio | spread |");
    println!("|---|---|---|---|---|---|");
    for engine in engines {
        let program = Program::Blog(&[]);
        let ours: Running = start(&Server { engine, program }, &databases)?;
        let theirs = start_program(Command::new(other), others.url(engine))?;
        for (what, requests) in [
            ("page", Requests::Pages),
            ("filtered, counted", Requests::ByAuthor),
            ("with relations", Requests::Populated),
        ] {
            let targets = requests.targets(rows, ours.address).await?;
            let mut ours = Load::start(ours.address, &targets, 16).await?;
            let mut theirs = Load::start(theirs.address, &targets, 16).await?;
            for (a, b) in ours.targets().iter().zip(theirs.targets()) {
                ensure!(a.body == b.body, "{engine:?}: {what}: other bytes");
            }
            let (mut rates, mut ratios) = ((Vec::new(), Vec::new()), Vec::new());
            for round in 0..=ROUNDS {
                let (a, b);
                if round % 2 == 0 {
                    a = ours.slice(SLICE).await?.per_second();
                    b = theirs.slice(SLICE).await?.per_second();
                } else {
                    b = theirs.slice(SLICE).await?.per_second();
                    a = ours.slice(SLICE).await?.per_second();
                }
                if round > 0 {
                    rates.0.push(a);
                    rates.1.push(b);
                    ratios.push(a / b);
                }
            }
            let ratio = median(&mut ratios);
            println!(
                "| {engine:?} | {what} | {:.0} | {:.0} | {ratio:.2} | {} |",
                median(&mut rates.0),
                median(&mut rates.1),
                spread(&ratios)
            );
            if ratio < LEAST {
                slower.push(format!("{engine:?}, {what}: {ratio:.2}"));
            }
        }
    }
    ensure!(
        slower.is_empty(),
        "slower than the other build: {}",
        slower.join("; ")
    );
    Ok(())
}
