//! Posts JSON to a server.

use std::time::Duration;

use crate::action::send_json;

/// Posts a JSON body. Returns the status of the answer, or why the request failed.
pub fn post_json(
    url: &str,
    headers: &[(String, String)],
    body: &str,
    timeout: Duration,
) -> Result<u16, String> {
    send_json(url, headers, body, timeout).map(|(status, _)| status).map_err(|error| error.to_string())
}
