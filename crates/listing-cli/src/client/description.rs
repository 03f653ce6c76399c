//! Fetches the description of a running service.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use listing_axum::describe::ApiDescription;
use serde_json::Value;

use crate::remote::{Address, how_to_send};

/// The largest description that is accepted.
const MOST_BYTES: usize = 256 * 1024 * 1024;

/// Fetches the description that this caller may see. The address may be that of the service, of its API, or of the description
/// itself.
pub(super) fn description(from: &str, token: Option<&str>, seconds: u64) -> Result<ApiDescription> {
    let address = Address::of(from, target)?;
    let asked = async {
        let reply = address.get("application/json", token).await?;
        let remedy = "give the address of the API, such as `http://127.0.0.1:8080/api`. An application describes its API if it calls `describe`";
        let has_token = token.is_some();
        let reply = address
            .success(reply, has_token, "description", remedy)
            .await?;
        reply.read(MOST_BYTES).await
    };
    let body = crate::wait::wait_for(async {
        let limit = Duration::from_secs(seconds);
        let reply = tokio::time::timeout(limit, asked).await;
        reply.with_context(|| format!("{address} did not answer within {seconds} seconds"))?
    })?;
    read(&address, &body, token.is_some())
}

fn target(path: &str) -> String {
    match path.ends_with("/_describe") {
        true => path.to_owned(),
        false => format!("{path}/_describe"),
    }
}

fn read(address: &Address, body: &[u8], has_token: bool) -> Result<ApiDescription> {
    let Ok(json) = serde_json::from_slice::<Value>(body) else {
        bail!("what {address} sends is not a description of an API: it is not JSON");
    };
    if !["listings", "operators", "settings"]
        .iter()
        .all(|key| json.get(key).is_some())
    {
        bail!("what {address} sends is not a description of an API");
    }
    let description: ApiDescription = serde_json::from_value(json).with_context(|| {
        format!(
            "this command ({}) does not understand the description at {address}; \
             use the `listing` of the version that the service was built with",
            env!("CARGO_PKG_VERSION")
        )
    })?;
    if description
        .listings
        .iter()
        .all(|known| known.path.is_none())
    {
        match has_token {
            true => bail!("{address} describes no list that the caller of this token may read"),
            false => bail!(
                "{address} describes no list that everybody may read; {}",
                how_to_send()
            ),
        }
    }
    Ok(description)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b640.
    #[test]
    fn the_address_of_the_description_itself_will_do() {
        assert_eq!(target("/api"), "/api/_describe");
        assert_eq!(target("/v2/_describe"), "/v2/_describe");
    }
}
