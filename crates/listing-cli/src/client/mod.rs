//! Writes a client of the application in the current folder.

mod types;
mod typescript;

use anyhow::Result;

use crate::application;
use crate::arguments::{ClientArguments, ClientLanguage};
use crate::files::Files;

pub(crate) fn run(arguments: &ClientArguments) -> Result<()> {
    let ClientLanguage::Ts(options) = &arguments.language;
    let answer = application::ask(&options.application, None, None)?;
    let client = typescript::write(&answer.description);
    Files::replace(&options.file, client)
}
