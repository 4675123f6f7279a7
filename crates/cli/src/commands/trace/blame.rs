//! `steersman trace blame FILE[:LINE] [--json]`
//!
//! With `--json`: `{"file", "lines": [{"line", "author", "intent", "session", "timestamp", "tool", "certain",
//! "text"}]}`; `author` is `agent` or `person`, and a person's line has only `line`, `author` and `text`.

use std::collections::BTreeSet;
use std::fs;
use std::io;

use anyhow::Context;
use event::SessionId;
use intent::ContentHash;
use intent::trace::{Author, TraceLog, TraceRecord, blame, history, renamed_from};
use serde_json::{Value, json};

use super::filter::repo_path;
use super::journals::Writes;
use super::{journals, log, records};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{CAREFUL, FAINT, STRONG, paint};
use crate::output::{self, print, text};

/// Print who wrote each line of a file
///
/// Follows lines through later edits and renames. Lines that the trace does not explain are a person's. `?`
/// after an intent: it wrote here, but perhaps not this line.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file; with `:LINE`, only that line
    #[arg(value_name = "FILE[:LINE]")]
    target: String,
    /// Print JSON: {"file", "lines": [{line, author, intent, session, timestamp, tool, certain, text}]}
    #[arg(long)]
    json: bool,
}

/// One line of the file with its author.
struct Line<'a> {
    number: usize,
    text: String,
    author: Author<'a>,
    session: Option<SessionId>,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let (path, only) = target(&args.target, place);
    let content = match fs::read(place.workspace.root().join(&path).as_path()) {
        Ok(content) => content,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::IsADirectory) => {
            output::error(&format!("the file `{}` does not exist", text::one_line(&path)));
            output::hint(&format!("run `steersman trace log --file {path}` for its earlier writes"));
            return Ok(Exit::No);
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read `{path}`")),
    };
    let history = history_of(&path, &content, place)
        .with_context(|| format!("cannot read `{}`", records::file(place)))?;
    let names: BTreeSet<&str> = history.iter().map(|record| record.file_path.as_str()).collect();
    let writes = Writes::of(place, &path, &names)?;
    let authors = blame(&history, &content, &writes);
    let texts = content.split_inclusive(|byte| *byte == b'\n');
    let lines = texts.zip(authors).enumerate().map(|(index, (bytes, author))| Line {
        number: index + 1,
        text: String::from_utf8_lossy(bytes).trim_end_matches(['\n', '\r']).to_owned(),
        session: record_of(author).and_then(|record| writes.session(&record.file_path, &record.content_hash)),
        author,
    });
    let lines: Vec<Line<'_>> = lines.filter(|line| only.is_none_or(|only| line.number == only)).collect();
    if let (Some(only), true) = (only, lines.is_empty()) {
        output::error(&format!("`{}` has no line {only}", text::one_line(&path)));
        return Ok(Exit::No);
    }
    if args.json {
        output::json(&json!({"file": path, "lines": lines.iter().map(to_json).collect::<Vec<_>>()}))?;
        return Ok(Exit::Fine);
    }
    draw(&lines);
    if history.is_empty() {
        output::note(&format!("{} has no record of this file", TraceLog::PATH));
    } else if lines.iter().any(|line| matches!(line.author, Author::Agent { certain: false, .. })) {
        output::note("? the intent wrote here, but perhaps not this line");
    }
    Ok(Exit::Fine)
}

/// Returns the records of a file, also if a person renamed it since.
fn history_of(path: &str, content: &[u8], place: &Place) -> io::Result<Vec<TraceRecord>> {
    let found = history(path, || records::open(place))?;
    if let Some(first) = found.first() {
        let Some(earlier) = journals::earlier_name(place, first) else { return Ok(found) };
        let mut older = history(&earlier, || records::open(place))?;
        older.retain(|record| record.timestamp <= first.timestamp);
        older.extend(found);
        return Ok(older);
    }
    // All empty files have the same content.
    if content.is_empty() {
        return Ok(found);
    }
    let is_gone = |file: &str| !place.workspace.root().join(file).as_path().exists();
    match renamed_from(&ContentHash::of(content), records::open(place)?, is_gone)? {
        Some(earlier) => history(&earlier, || records::open(place)),
        None => Ok(found),
    }
}

/// Splits `FILE:LINE`, unless a file has exactly this name.
fn target(text: &str, place: &Place) -> (String, Option<usize>) {
    let whole = repo_path(text, place);
    if !place.workspace.root().join(&whole).as_path().exists()
        && let Some((file, line)) = text.rsplit_once(':')
        && let Ok(line) = line.parse()
    {
        return (repo_path(file, place), Some(line));
    }
    (whole, None)
}

fn record_of(author: Author<'_>) -> Option<&TraceRecord> {
    match author {
        Author::Agent { record, .. } => Some(record),
        Author::Person => None,
    }
}

fn to_json(line: &Line<'_>) -> Value {
    match line.author {
        Author::Person => json!({"line": line.number, "author": "person", "text": line.text}),
        Author::Agent { record, certain } => json!({
            "line": line.number,
            "author": "agent",
            "intent": record.intent_id.as_str(),
            "session": line.session.map(|session| session.to_string()),
            "timestamp": record.timestamp,
            "tool": record.tool_name,
            "certain": certain,
            "text": line.text,
        }),
    }
}

fn draw(lines: &[Line<'_>]) {
    let last = lines.last().map_or(1, |line| line.number).to_string().len();
    let intent = |line: &Line<'_>| match line.author {
        Author::Agent { record, certain } => {
            format!("{}{}", record.intent_id, if certain { "" } else { "?" })
        }
        Author::Person => "person".to_owned(),
    };
    let widest = lines.iter().map(|line| intent(line).len()).max().unwrap_or(0);
    for line in lines {
        let (style, when) = match line.author {
            Author::Agent { record, certain } => {
                (if certain { STRONG } else { CAREFUL }, log::when(&record.timestamp))
            }
            Author::Person => (FAINT, String::new()),
        };
        let session = line.session.map(|session| session.to_string()).unwrap_or_default();
        let head = format!("{session:8}  {when:19}");
        // Leading spaces are part of a line of code.
        let n_spaces = line.text.len() - line.text.trim_start_matches([' ', '\t']).len();
        let text = format!("{}{}", line.text[..n_spaces].replace('\t', "    "), text::one_line(&line.text));
        print(format_args!(
            "{}  {}  {}",
            paint(style, &text::pad(&intent(line), widest)),
            paint(FAINT, &head),
            format!("{:>last$} │ {text}", line.number).trim_end(),
        ));
    }
}
