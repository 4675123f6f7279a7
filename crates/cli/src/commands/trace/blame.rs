//! `steersman trace blame FILE[:LINE] [--json]`
//!
//! With `--json`: `{"file", "lines": [{"line", "author", "intent", "session", "timestamp", "tool", "certain",
//! "text"}]}`; `author` is `agent` or `person`, and a person's line has only `line`, `author` and `text`.

use std::collections::BTreeSet;
use std::fs;
use std::io;

use anyhow::Context;
use intent::ContentHash;
use intent::trace::{Author, TraceLog, TraceRecord, blame, history_through_moves, renamed_from};
use page::view::{FileLine, LineAuthor, LineWrite};
use serde_json::{Value, json};

use super::filter::repo_path;
use super::journals::Writes;
use super::moved_files::MovedFiles;
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

/// A file with the author of every line.
pub(crate) struct Blamed {
    /// The lines, in order.
    pub(crate) lines: Vec<FileLine>,
    /// Whether the trace has a record of the file.
    is_traced: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let (path, only) = target(&args.target, place);
    let Some(Blamed { mut lines, is_traced }) = of_file(place, &path)? else {
        output::error(&format!("the file `{}` does not exist", text::one_line(&path)));
        output::hint(&format!("run `steersman trace log --file {path}` for its earlier writes"));
        return Ok(Exit::No);
    };
    lines.retain(|line| only.is_none_or(|only| line.line == only));
    if let (Some(only), true) = (only, lines.is_empty()) {
        output::error(&format!("`{}` has no line {only}", text::one_line(&path)));
        return Ok(Exit::No);
    }
    if args.json {
        output::json(&json!({"file": path, "lines": lines.iter().map(to_json).collect::<Vec<_>>()}))?;
        return Ok(Exit::Fine);
    }
    draw(&lines);
    if !is_traced {
        output::note(&format!("{} has no record of this file", TraceLog::PATH));
    } else if lines.iter().filter_map(FileLine::write).any(|write| !write.certain) {
        output::note("? the intent wrote here, but perhaps not this line");
    }
    Ok(Exit::Fine)
}

/// Returns the author of each line of a file, whose path is relative to the workspace. Returns `None` if the file does
/// not exist.
pub(crate) fn of_file(place: &Place, path: &str) -> anyhow::Result<Option<Blamed>> {
    let content = match fs::read(place.workspace.root().join(path).as_path()) {
        Ok(content) => content,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::IsADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read `{path}`")),
    };
    let moves = MovedFiles::of(place)?;
    let history = history_of(path, &content, place, &moves)
        .with_context(|| format!("cannot read `{}`", records::file(place)))?;
    let names: BTreeSet<&str> = history.iter().map(|record| record.file_path.as_str()).collect();
    let writes = Writes::of(place, path, &names, &moves)?;
    let authors = blame(&history, &content, &writes);
    let texts = content.split_inclusive(|byte| *byte == b'\n');
    let lines = texts.zip(authors).enumerate().map(|(index, (bytes, author))| FileLine {
        line: index + 1,
        text: String::from_utf8_lossy(bytes).trim_end_matches(['\n', '\r']).to_owned(),
        author: line_author(author, &writes),
    });
    Ok(Some(Blamed { lines: lines.collect(), is_traced: !history.is_empty() }))
}

fn line_author(author: Author<'_>, writes: &Writes<'_>) -> LineAuthor {
    let Author::Agent { record, certain } = author else { return LineAuthor::Person };
    let at = writes.place(&record.file_path, &record.content_hash);
    LineAuthor::Agent(LineWrite {
        intent: record.intent_id.to_string(),
        session: at.map(|at| at.session.to_string()),
        turn: at.map(|at| at.turn),
        run: at.map(|at| at.run.clone()),
        timestamp: record.timestamp.clone(),
        tool: record.tool_name.clone(),
        certain,
    })
}

/// Returns the records of a file, also if a person renamed it since.
fn history_of(
    path: &str,
    content: &[u8],
    place: &Place,
    moves: &MovedFiles<'_>,
) -> anyhow::Result<Vec<TraceRecord>> {
    let history = |path: &str| history_through_moves(path, || records::open(place), |it| moves.source(it));
    let is_gone = |file: &str| !place.workspace.root().join(file).as_path().exists();
    let found = history(path)?;
    if let Some(first) = found.first() {
        let earlier = match journals::earlier_name(place, first) {
            None => match Writes::before(place, first)?.filter(|_| moves.source(first).is_none()) {
                // A person renamed it before an agent changed it.
                Some(before) => renamed_from(&before, records::open(place)?, is_gone)?,
                None => None,
            },
            earlier => earlier,
        };
        let Some(earlier) = earlier else { return Ok(found) };
        let mut older = history(&earlier)?;
        older.retain(|record| record.timestamp <= first.timestamp);
        older.extend(found);
        return Ok(older);
    }
    // All empty files have the same content.
    if content.is_empty() {
        return Ok(found);
    }
    match renamed_from(&ContentHash::of(content), records::open(place)?, is_gone)? {
        Some(earlier) => Ok(history(&earlier)?),
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

fn to_json(line: &FileLine) -> Value {
    match line.write() {
        None => json!({"line": line.line, "author": "person", "text": line.text}),
        Some(write) => json!({
            "line": line.line,
            "author": "agent",
            "intent": write.intent,
            "session": write.session,
            "timestamp": write.timestamp,
            "tool": write.tool,
            "certain": write.certain,
            "text": line.text,
        }),
    }
}

fn draw(lines: &[FileLine]) {
    let last = lines.last().map_or(1, |line| line.line).to_string().len();
    let intent = |line: &FileLine| match line.write() {
        Some(write) => format!("{}{}", write.intent, if write.certain { "" } else { "?" }),
        None => "person".to_owned(),
    };
    let widest = lines.iter().map(|line| intent(line).len()).max().unwrap_or(0);
    let columns = output::columns();
    for line in lines {
        let (style, when) = match line.write() {
            Some(write) => (if write.certain { STRONG } else { CAREFUL }, log::when(&write.timestamp)),
            None => (FAINT, String::new()),
        };
        let session = line.write().and_then(|write| write.session.as_deref()).unwrap_or_default();
        let head = format!("{session:8}  {when:19}");
        // Leading spaces are part of a line of code.
        let n_spaces = line.text.len() - line.text.trim_start_matches([' ', '\t']).len();
        let text = format!("{}{}", line.text[..n_spaces].replace('\t', "    "), text::one_line(&line.text));
        // A terminal would break a long line of code below the columns before it.
        let room = columns.map(|columns| columns.saturating_sub(widest + head.len() + last + 7));
        let text = room.map_or_else(|| text.clone(), |room| text::cut(&text, room.max(20)));
        print(format_args!(
            "{}  {}  {}",
            paint(style, &text::pad(&intent(line), widest)),
            paint(FAINT, &head),
            format!("{:>last$} │ {text}", line.line).trim_end(),
        ));
    }
}
