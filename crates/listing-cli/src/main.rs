//! The `listing` command: generates code, and shows what an application says about itself.

mod application;
mod arguments;
mod check;
mod client;
mod database;
mod explain;
mod export;
mod files;
mod make;
mod model;
mod naming;
mod new;
mod openapi;
mod remote;
mod routes;
mod serve;
mod source;
mod terminal;
mod wait;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser};

use arguments::{Arguments, Task};

fn main() -> ExitCode {
    match run(Arguments::parse().task) {
        Ok(code) => code,
        Err(error) => {
            terminal::error(&error);
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<ExitCode> {
    match task {
        Task::New(arguments) => new::run(&arguments)?,
        Task::Make(arguments) => match (&arguments.entity, &arguments.from_database) {
            (None, Some(url)) => new::again::run(url, &arguments)?,
            _ => make::run(&arguments)?,
        },
        Task::Check(arguments) => return check::run(&arguments),
        Task::Serve(arguments) => serve::run(&arguments)?,
        Task::Routes(arguments) => routes::run(&arguments)?,
        Task::Explain(arguments) => return explain::run(&arguments),
        Task::Openapi(arguments) => openapi::run(&arguments)?,
        Task::Client(arguments) => client::run(&arguments)?,
        Task::Export(arguments) => export::run(&arguments)?,
        Task::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "listing", &mut script);
            terminal::raw(&script);
        }
    }
    Ok(ExitCode::SUCCESS)
}
