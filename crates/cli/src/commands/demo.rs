//! `steersman demo`

mod scenes;
mod stage;

use std::time::Duration;

use anstyle::Style;

use crate::exit::Exit;
use crate::output::paint::{self, paint};
use crate::output::{self, print, text};

use scenes::{Scene, Step};
use stage::Stage;

/// The width if stdout is not a terminal.
const USUAL_COLUMNS: usize = 80;

/// The margin of a scene.
const MARGIN: &str = "   ";

/// Run a scripted agent session in a temporary workspace
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Keep the workspace, so that you can inspect it
    #[arg(long)]
    keep: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let stage = Stage::build()?;
    print(format_args!("{}", paint(paint::TITLE, "steersman demo")));
    print_indented(
        "",
        "An agent works in a temporary project. Everything below runs the real binary the way an agent program \
         does: one process per event, JSON on stdin, one JSON object back.",
    );
    print(format_args!(""));
    let mut took = Vec::new();
    for (number, scene) in scenes::all(stage.folder()).iter().enumerate() {
        play_scene(&stage, number + 1, scene, &mut took)?;
    }
    show_journal(&stage)?;
    took.sort_unstable();
    let median = took.get(took.len() / 2).copied().unwrap_or_default();
    print(format_args!(
        "\n{} events answered; the median is {:.1} ms from spawn to exit on this machine.",
        took.len(),
        median.as_secs_f64() * 1000.0
    ));
    if args.keep {
        print(format_args!("The workspace is kept in {}", stage.folder()));
    } else {
        stage.clear()?;
    }
    print(format_args!("Next: run `steersman init` in one of your projects."));
    Ok(Exit::Fine)
}

fn play_scene(stage: &Stage, number: usize, scene: &Scene, took: &mut Vec<Duration>) -> anyhow::Result<()> {
    print(format_args!("{}", paint(paint::TITLE, &format!("{number}. {}", scene.title))));
    print_indented(MARGIN, &scene.story.join(" "));
    for step in &scene.steps {
        match step {
            Step::Event(event) => {
                let answer = stage.dispatch(event.event, event.host, &event.payload)?;
                took.push(answer.took);
                if let Some(shown) = &event.shown {
                    print_said("agent     ▸", None, shown);
                    let (style, word, reason) = scenes::describe_answer(&answer.json);
                    print_said("steersman ◂", Some((style, word)), &reason);
                }
            }
            Step::File { path, content, shown } => {
                stage.write(path, content)?;
                if let Some(shown) = shown {
                    print_said("user      ▸", None, &format!("{path} {shown}"));
                }
            }
            Step::Command(args) => {
                let command = format!("steersman {}", args.join(" "));
                print_said("user      ▸", None, &command);
                print_output(stage, args)?;
            }
            Step::Trace => {
                for line in stage.trace()? {
                    print_indented(MARGIN, &scenes::describe_trace(&line));
                }
            }
        }
    }
    print(format_args!(""));
    Ok(())
}

fn show_journal(stage: &Stage) -> anyhow::Result<()> {
    print(format_args!("{}", paint(paint::TITLE, "Afterwards: the journal of the session")));
    print_output(stage, &["session", "list"])?;
    print(format_args!(""));
    print_output(stage, &["session", "show", &stage.main_session()?])
}

/// Returns the columns that a scene may fill.
fn columns() -> usize {
    output::columns().unwrap_or(USUAL_COLUMNS)
}

/// Prints the output of a command of steersman.
fn print_output(stage: &Stage, args: &[&str]) -> anyhow::Result<()> {
    for line in stage.screen(args, columns().saturating_sub(MARGIN.len()))?.lines() {
        print(format_args!("{MARGIN}{line}"));
    }
    Ok(())
}

fn print_indented(margin: &str, text: &str) {
    for line in text::wrap(text, columns().saturating_sub(margin.len())) {
        print(format_args!("{margin}{line}"));
    }
}

/// Prints a line of the dialogue: after the name, the first word in its style, then the rest below each other.
fn print_said(name: &str, first: Option<(Style, &str)>, rest: &str) {
    let indent = MARGIN.len() + text::width(name) + 1;
    let plain = match first {
        Some((_, word)) if rest.is_empty() => word.to_owned(),
        Some((_, word)) => format!("{word}: {rest}"),
        None => rest.to_owned(),
    };
    let mut lines = text::fold(&plain, columns().saturating_sub(indent)).into_iter();
    let mut head = lines.next().unwrap_or_default();
    if let Some((style, word)) = first
        && let Some(rest) = head.strip_prefix(word)
    {
        head = format!("{}{rest}", paint(style, word));
    }
    print(format_args!("{MARGIN}{} {head}", paint(paint::FAINT, name)));
    for line in lines {
        print(format_args!("{}{line}", " ".repeat(indent)));
    }
}
