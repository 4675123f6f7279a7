//! `steersman shell explain --batch`: many command lines, one answer each, in order.

use std::io::{BufRead, BufWriter, Write};

use anyhow::Context;
use event::AbsPath;
use serde::Deserialize;

use super::answer;
use super::explain::Reader;
use crate::exit::Exit;

#[derive(Debug, Deserialize)]
struct RequestWire {
    command: String,
    #[serde(default)]
    cwd: Option<String>,
}

pub(super) fn run(reader: &Reader, cwd: &AbsPath) -> anyhow::Result<Exit> {
    let mut stdout = BufWriter::with_capacity(64 * 1024, std::io::stdout().lock());
    let mut all_understood = true;
    // Bytes, not text: a line with invalid UTF-8 must not prevent the answers to the others.
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.context("cannot read stdin")?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = match serde_json::from_slice::<RequestWire>(&line) {
            // An invalid line gets an answer, too, so that answers stay in the order of requests.
            Err(error) => {
                all_understood = false;
                answer::of_invalid_request(&error)
            }
            Ok(request) => {
                let named = request.cwd.map(|dir| cwd.join(dir));
                let (reading, judgement) = reader.read(&request.command, named.as_ref().unwrap_or(cwd));
                answer::of(&reading, &judgement)
            }
        };
        serde_json::to_writer(&mut stdout, &answer).context("cannot write the answer")?;
        stdout.write_all(b"\n").context("cannot write the answer")?;
    }
    stdout.flush().context("cannot write the answer")?;
    Ok(if all_understood { Exit::Fine } else { Exit::No })
}
