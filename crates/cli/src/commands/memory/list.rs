//! `steersman memory list [--all] [--json]`
//!
//! With `--json`: `{"memories": [{version, id, title, paths, words, accepted, seen, text, file}], "lessons":
//! [{id, kind, title, lesson, paths, words, times, sessions, firstTs, lastTs, score, evidence}], "sessions",
//! "total"}`, the lesson with the highest score first.

use memory::Candidate;
use serde_json::{Value, json};
use store::Timestamp;

use super::lookup::{Known, shown};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{FAINT, STRONG, TITLE, paint};
use crate::output::table::{Cell, Column, Table};
use crate::output::{self, moment, print, text::one_line};

/// The number of lessons listed without `--all`.
const FIRST: usize = 20;

/// List the memories of this workspace and the lessons from its sessions, highest score first
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// List all lessons, not only the first twenty
    #[arg(long)]
    all: bool,
    /// Print JSON: {memories: [{id, title, paths, words, accepted, seen, text, file}], lessons: [{id, kind, title,
    /// lesson, paths, words, times, sessions, firstTs, lastTs, score, evidence}], sessions, total}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let known = Known::read(place)?;
    let shown_lessons = if args.all { usize::MAX } else { FIRST };
    let lessons: Vec<_> = known.lessons.candidates.iter().take(shown_lessons).collect();
    if args.json {
        let memories: Vec<Value> = known
            .memories
            .iter()
            .map(|(path, memory)| {
                let mut value = json!(memory);
                value["file"] = json!(shown(place, path));
                value
            })
            .collect();
        let (sessions, total) = (known.lessons.sessions, known.lessons.total);
        output::json(
            &json!({"memories": memories, "lessons": lessons, "sessions": sessions, "total": total}),
        )?;
        return Ok(Exit::Fine);
    }
    if known.memories.is_empty() && lessons.is_empty() {
        output::note("no lessons yet");
        output::hint("enable the module `memory-journal` in the manifest to record lessons from sessions");
        return Ok(Exit::Fine);
    }
    if !known.memories.is_empty() {
        print(format_args!("{}", paint(TITLE, "Memories")));
        let mut table = Table::new([Column::whole("ID"), Column::left("TITLE"), Column::left("FILE")]);
        for (path, memory) in &known.memories {
            let (id, title) = (Cell::styled(one_line(&memory.head.id), STRONG), one_line(&memory.head.title));
            table.push([id, title.into(), Cell::styled(shown(place, path), FAINT)]);
        }
        table.lines(output::columns()).iter().for_each(|line| print(format_args!("{line}")));
    }
    if !lessons.is_empty() {
        print(format_args!("{}", paint(TITLE, "Lessons")));
        lesson_table(&lessons).lines(output::columns()).iter().for_each(|line| print(format_args!("{line}")));
        let left = known.lessons.total - lessons.len() as u64;
        if left > 0 {
            output::note(&format!("and {left} more; pass `--all` to list them"));
        }
        output::hint("keep one with `steersman memory accept ID`, hide one with `steersman memory drop ID`");
    }
    Ok(Exit::Fine)
}

fn lesson_table(lessons: &[&Candidate]) -> Table {
    let now = store::now();
    let mut table = Table::new([
        Column::whole("ID"),
        Column::left("KIND"),
        Column::left("LESSON"),
        Column::right("SEEN"),
        Column::right("SESSIONS"),
        Column::left("LAST"),
    ]);
    for lesson in lessons {
        table.push([
            Cell::styled(lesson.id.clone(), STRONG),
            lesson.kind.as_str().into(),
            one_line(&lesson.title).into(),
            lesson.times.to_string().into(),
            lesson.sessions.to_string().into(),
            Cell::styled(moment::ago(Timestamp::from_millis(lesson.last_ts), now), FAINT),
        ]);
    }
    table
}
