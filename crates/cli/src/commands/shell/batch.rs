//! `steersman shell explain --batch`: many command lines, one answer each, in order.

use std::io::{BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use encoding::json::string_members;
use event::AbsPath;
use serde::Deserialize;

use super::answer;
use super::explain::{DialectName, Reader};
use crate::exit::Exit;
use crate::line_batch;

/// A block of about a hundred commands takes some milliseconds: long for a channel, short for the last worker.
const BLOCK_SIZE: usize = 16 * 1024;

#[derive(Debug, Deserialize)]
struct RequestWire {
    command: String,
    #[serde(default)]
    cwd: Option<String>,
    #[serde(default)]
    dialect: Option<DialectName>,
}

impl RequestWire {
    fn parse(line: &[u8]) -> Result<Self, serde_json::Error> {
        Self::of_strings(line).map_or_else(|| serde_json::from_slice(line), Ok)
    }

    /// Reads the form that nearly every line has. Returns `None` for every other one.
    fn of_strings(line: &[u8]) -> Option<Self> {
        let mut request = Self { command: String::new(), cwd: None, dialect: None };
        let mut has_command = false;
        for (name, value) in string_members(line)? {
            match name.as_str() {
                "command" => {
                    request.command = value;
                    has_command = true;
                }
                "cwd" => request.cwd = Some(value),
                _ => return None,
            }
        }
        has_command.then_some(request)
    }
}

pub(super) fn run(reader: &Reader, cwd: &AbsPath) -> anyhow::Result<Exit> {
    let mut stdout = BufWriter::with_capacity(64 * 1024, std::io::stdout().lock());
    let all_understood = AtomicBool::new(true);
    let answer = |line: &[u8], out: &mut Vec<u8>| {
        match RequestWire::parse(line) {
            // An invalid line gets an answer, too, so that answers stay in the order of requests.
            Err(error) => {
                all_understood.store(false, Ordering::Relaxed);
                answer::write_invalid_request(&error, out);
            }
            Ok(request) => {
                let named = request.cwd.map(|dir| cwd.join(dir));
                let cwd = named.as_ref().unwrap_or(cwd);
                let (reading, judgement) = reader.read(&request.command, cwd, request.dialect);
                answer::write(&reading, &judgement, out);
            }
        }
    };
    line_batch::answer_lines(&mut std::io::stdin().lock(), &mut stdout, BLOCK_SIZE, answer)?;
    stdout.flush().context("cannot write to stdout")?;
    Ok(if all_understood.into_inner() { Exit::Fine } else { Exit::No })
}
