//! Writes a client for the application in the current folder, or for a running service.

mod description;
mod numbers;
mod types;
mod typescript;
mod writes;

use anyhow::Result;
use listing_axum::describe::ApiDescription;

use crate::application;
use crate::arguments::{ClientArguments, ClientLanguage, ClientOptions};
use crate::files::Files;
use crate::remote;

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
    let token = remote::token(options.token.as_ref());
    description::description(from, token.as_deref(), options.application.timeout)
}
