//! `steersman memory show ID [--json]`

use event::AbsPath;
use memory::{Candidate, Memory};
use serde_json::json;
use store::Timestamp;

use super::lookup::{Found, Known, shown};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{FAINT, STRONG, paint};
use crate::output::{self, moment, print, text};

/// Show a memory or a lesson, and the runs it comes from
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the memory or lesson, or its first characters
    id: String,
    /// Print JSON: {memory: {…}} or {lesson: {…}}, with the keys of `memory list`
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let known = Known::read(place)?;
    let Some(found) = known.find(&args.id) else { return Ok(Exit::No) };
    match (found, args.json) {
        (Found::Memory(path, memory), true) => {
            let mut value = json!(memory);
            value["file"] = json!(shown(place, path));
            output::json(&json!({"memory": value}))?;
        }
        (Found::Lesson(lesson), true) => output::json(&json!({"lesson": lesson}))?,
        (Found::Memory(path, memory), false) => print_memory(place, path, memory),
        (Found::Lesson(lesson), false) => print_lesson(lesson),
    }
    Ok(Exit::Fine)
}

fn print_memory(place: &Place, path: &AbsPath, memory: &Memory) {
    title(&memory.head.id, &memory.head.title);
    body(&memory.text);
    list("matches calls on", &memory.head.paths);
    list("matches calls that contain", &memory.head.words);
    print(format_args!("file: {}", shown(place, path)));
}

fn print_lesson(lesson: &Candidate) {
    title(&lesson.id, &lesson.title);
    body(&lesson.lesson);
    let day = |ts| moment::day_and_second(Timestamp::from_millis(ts));
    print(format_args!(
        "{}, seen {} in {}, from {} to {} UTC, score {}",
        lesson.kind.as_str(),
        number(lesson.times, "time", "times"),
        number(lesson.sessions, "session", "sessions"),
        day(lesson.first_ts),
        day(lesson.last_ts),
        lesson.score
    ));
    list("about", &lesson.paths);
    list("known by", &lesson.words);
    for run in &lesson.evidence {
        let run = text::one_line(run.rsplit('/').next().unwrap_or_default());
        print(format_args!("{}", paint(FAINT, &format!("steersman session explain {run}"))));
    }
    output::hint(&format!("keep it with `steersman memory accept {}`", lesson.id));
}

fn title(id: &str, title: &str) {
    print(format_args!("{}  {}", paint(STRONG, &text::one_line(id)), text::one_line(title)));
}

fn body(body: &str) {
    for line in text::wrap(body, output::columns().unwrap_or(100).min(100)) {
        print(format_args!("  {line}"));
    }
}

fn list(what: &str, items: &[String]) {
    if !items.is_empty() {
        let items: Vec<_> = items.iter().map(|item| text::one_line(item)).collect();
        print(format_args!("{what}: {}", items.join(", ")));
    }
}

fn number(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
