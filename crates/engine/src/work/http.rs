//! A prompt for a server: one POST with a JSON body.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use automation::RunnerChoice;
use redact::Redacted;
use serde_json::json;
use ureq::Agent;

use crate::bench::{Bench, told};
use crate::ending::Ending;

/// How much of an answer is kept.
const KEPT_ANSWER: u64 = 64 * 1024;
/// How often it is looked whether the run was called off.
const LOOK: Duration = Duration::from_millis(50);

/// What a server said: its status and the beginning of its body.
type Answer = Result<(u16, Vec<u8>), ureq::Error>;

/// Posts the prompt and waits for the answer until the time is up.
///
/// The request has a thread of its own, which is left behind when the run is called off: a
/// request that is on its way cannot be taken back.
pub(super) fn post(bench: &Bench<'_>, choice: &RunnerChoice, prompt: &Redacted) -> Result<Ending, Ending> {
    let RunnerChoice::Http { url, headers } = choice else {
        return Err(Ending::failure("NO_RUNNER", "the runner is not a server"));
    };
    let queued = &bench.run.queued;
    let body = json!({
        "prompt": prompt.as_str(),
        "hookId": queued.hook.as_str(),
        "executionId": queued.id.as_str(),
        "attempt": bench.run.attempts,
        "trigger": queued.occurrence.what.to_string(),
        "filePath": queued.occurrence.file(),
        "workspaceRoot": bench.settings.workspace.root().to_string(),
    });
    let (url, headers, time) = (url.clone(), headers.clone(), bench.time_left());
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let _ = sender.send(send(&url, &headers.into_iter().collect::<Vec<_>>(), &body.to_string(), time));
    });
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(answer) => return judge(bench, answer),
            Err(RecvTimeoutError::Disconnected) => return Err(Ending::failure("HTTP", "the request failed")),
            Err(RecvTimeoutError::Timeout) if bench.cancel.is_cancelled() => {
                return Err(Ending::Stopped { logs: String::new() });
            }
            Err(RecvTimeoutError::Timeout) if Instant::now() >= bench.deadline => {
                return Err(Ending::Timeout { logs: String::new() });
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
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
    let bytes = answer.body_mut().with_config().limit(KEPT_ANSWER).read_to_vec();
    // An answer that is too long is still an answer.
    Ok((status, bytes.unwrap_or_else(|_| b"[answer too long to keep]".to_vec())))
}

fn judge(bench: &Bench<'_>, answer: Answer) -> Result<Ending, Ending> {
    match answer {
        Ok((status @ 200..=299, body)) => {
            let logs = bench.redact(&String::from_utf8_lossy(&body)).into_string();
            Ok(Ending::Success { exit_code: None, logs: format!("HTTP {status}\n{logs}") })
        }
        Ok((status, body)) => Err(Ending::Failure {
            code: "HTTP_STATUS",
            message: format!("the server answered with status {status}"),
            exit_code: None,
            logs: bench.redact(&String::from_utf8_lossy(&body)).into_string(),
        }),
        Err(ureq::Error::Timeout(_)) => Err(Ending::Timeout { logs: String::new() }),
        Err(error) => Err(Ending::failure("HTTP", bench.redact(&told(&error)).into_string())),
    }
}
