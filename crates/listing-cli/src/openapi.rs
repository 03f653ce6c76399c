//! Writes the OpenAPI document of the application in the current folder.

use anyhow::Result;

use crate::application;
use crate::arguments::OpenApiArguments;
use crate::files::Files;

pub(crate) fn run(arguments: &OpenApiArguments) -> Result<()> {
    let answer = application::ask(&arguments.application, None, None)?;
    let document = serde_json::to_string_pretty(&answer.description.to_openapi())?;
    Files::replace(&arguments.file, document + "\n")
}
