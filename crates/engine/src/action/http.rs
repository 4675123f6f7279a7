//! Posts JSON to an HTTP server, such as the prompt of an automation.

use std::io::Read;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use automation::RunnerChoice;
use redact::Redacted;
use serde_json::json;
use ureq::Agent;

use crate::attempt::{Attempt, with_sources};
use crate::ending::Ending;

/// How many bytes of an answer are stored.
const MAX_ANSWER: usize = 64 * 1024;
/// How many more bytes are read: a secret at the end of the stored part is redacted as a whole.
const READ_AHEAD: usize = 4 * 1024;
/// How often the attempt checks whether it was cancelled.
const CANCEL_POLL: Duration = Duration::from_millis(50);

/// The status and the body of an answer.
type Answer = Result<(u16, Vec<u8>), ureq::Error>;

/// Posts the prompt and waits for the answer until the deadline.
///
/// The request has its own thread. A cancelled attempt leaves it behind, since a blocking request
/// cannot be interrupted.
pub(super) fn post(
    attempt: &Attempt<'_>,
    choice: &RunnerChoice,
    prompt: &Redacted,
) -> Result<Ending, Ending> {
    let RunnerChoice::Http { url, headers } = choice else {
        return Err(Ending::failure("NO_RUNNER", "the runner is not a server"));
    };
    let queued = &attempt.run.queued;
    let body = json!({
        "prompt": prompt.as_str(),
        "hookId": queued.hook.as_str(),
        "executionId": queued.id.as_str(),
        "attempt": attempt.run.attempts,
        "trigger": queued.occurrence.kind.to_string(),
        "filePath": queued.occurrence.file(),
        "workspaceRoot": attempt.settings.workspace.root().to_string(),
    });
    let url = attempt.with_variables(url)?;
    let mut filled = Vec::with_capacity(headers.len());
    for (name, value) in headers {
        filled.push((name.clone(), attempt.with_variables(value)?));
    }
    let time = attempt.time_left();
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let _ = sender.send(send(&url, &filled, &body.to_string(), time));
    });
    loop {
        match receiver.recv_timeout(CANCEL_POLL) {
            Ok(answer) => return ending(attempt, answer),
            Err(RecvTimeoutError::Disconnected) => return Err(Ending::failure("HTTP", "the request failed")),
            Err(RecvTimeoutError::Timeout) if attempt.cancel.is_cancelled() => {
                return Err(Ending::Stopped { logs: String::new() });
            }
            Err(RecvTimeoutError::Timeout) if Instant::now() >= attempt.deadline => {
                return Err(Ending::Timeout { logs: String::new() });
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Posts a JSON body. Returns the status of the answer, or why the request failed.
pub fn post_json(
    url: &str,
    headers: &[(String, String)],
    body: &str,
    timeout: Duration,
) -> Result<u16, String> {
    send(url, headers, body, timeout).map(|(status, _)| status).map_err(|error| error.to_string())
}

fn send(url: &str, headers: &[(String, String)], body: &str, time: Duration) -> Answer {
    let agent: Agent = Agent::config_builder()
        .timeout_global(Some(time))
        .http_status_as_error(false)
        .max_redirects(0)
        .build()
        .into();
    let mut request = agent.post(url).header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let mut answer = request.send(body)?;
    let status = answer.status().as_u16();
    let mut bytes = Vec::new();
    let limit = u64::try_from(MAX_ANSWER + READ_AHEAD).unwrap_or(u64::MAX);
    // The status decides about success even if the rest of the body cannot be read.
    let _ = answer.body_mut().as_reader().take(limit).read_to_end(&mut bytes);
    Ok((status, bytes))
}

/// Returns the redacted answer, of a long one only its beginning.
fn stored(attempt: &Attempt<'_>, body: &[u8]) -> String {
    let mut text = attempt.redact(&String::from_utf8_lossy(body)).into_string();
    if body.len() > MAX_ANSWER {
        text.truncate(text.floor_char_boundary(MAX_ANSWER));
        text.push_str("\n[the rest of the answer is not stored]\n");
    }
    text
}

fn ending(attempt: &Attempt<'_>, answer: Answer) -> Result<Ending, Ending> {
    match answer {
        Ok((status @ 200..=299, body)) => {
            let logs = stored(attempt, &body);
            Ok(Ending::Success { exit_code: None, logs: format!("HTTP {status}\n{logs}") })
        }
        Ok((status, body)) => Err(Ending::Failure {
            code: "HTTP_STATUS",
            message: format!("the server answered with status {status}"),
            exit_code: None,
            logs: stored(attempt, &body),
        }),
        Err(ureq::Error::Timeout(_)) => Err(Ending::Timeout { logs: String::new() }),
        Err(error) => {
            let why = format!("cannot send the prompt: {}", with_sources(&error));
            Err(Ending::failure("HTTP", attempt.redact(&why).into_string()))
        }
    }
}
