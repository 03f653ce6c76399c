//! Writes a client of the application in the current folder, or of a service that runs.

mod numbers;
mod remote;
mod types;
mod typescript;

use anyhow::Result;
use listing_axum::describe::ApiDescription;

use crate::application;
use crate::arguments::{ClientArguments, ClientLanguage, ClientOptions};
use crate::files::Files;

pub(crate) fn run(arguments: &ClientArguments) -> Result<()> {
    let ClientLanguage::Ts(options) = &arguments.language;
    let client = typescript::write(&describe(options)?);
    Files::replace(&options.file, client)
}

fn describe(options: &ClientOptions) -> Result<ApiDescription> {
    let Some(from) = &options.from else {
        let answer = application::ask(&options.application, None, None)?;
        return Ok(answer.description);
    };
    let of_environment = std::env::var(remote::TOKEN).ok();
    let token = options.token.as_ref().or(of_environment.as_ref());
    remote::description(from, token.map(String::as_str), options.application.timeout)
}
