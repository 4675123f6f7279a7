//! `steersman shell explain --batch`: many command lines, one answer each, in order.

use std::io::{BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use event::AbsPath;
use serde::Deserialize;

use super::answer::AnswerWire;
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

pub(super) fn run(reader: &Reader, cwd: &AbsPath) -> anyhow::Result<Exit> {
    let mut stdout = BufWriter::with_capacity(64 * 1024, std::io::stdout().lock());
    let all_understood = AtomicBool::new(true);
    let answer = |line: &[u8], out: &mut Vec<u8>| {
        let is_written = match serde_json::from_slice::<RequestWire>(line) {
            // An invalid line gets an answer, too, so that answers stay in the order of requests.
            Err(error) => {
                all_understood.store(false, Ordering::Relaxed);
                serde_json::to_writer(out, &AnswerWire::of_invalid_request(&error))
            }
            Ok(request) => {
                let named = request.cwd.map(|dir| cwd.join(dir));
                let cwd = named.as_ref().unwrap_or(cwd);
                let (reading, judgement) = reader.read(&request.command, cwd, request.dialect);
                serde_json::to_writer(out, &AnswerWire::new(&reading, &judgement))
            }
        };
        debug_assert!(is_written.is_ok(), "a vector takes every answer");
    };
    line_batch::answer_lines(&mut std::io::stdin().lock(), &mut stdout, BLOCK_SIZE, answer)?;
    stdout.flush().context("cannot write to stdout")?;
    Ok(if all_understood.into_inner() { Exit::Fine } else { Exit::No })
}
