//! `steersman demo`

mod scenes;
mod stage;

use std::time::Duration;

use crate::exit::Exit;
use crate::output::paint::{self, paint};
use crate::output::print;

use scenes::{Scene, Step};
use stage::Stage;

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
    print(format_args!(
        "An agent works in a temporary project. Everything below runs the real binary the way an\n\
         agent program does: one process per event, JSON on stdin, one JSON object back.\n"
    ));
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
    for line in scene.story {
        print(format_args!("   {line}"));
    }
    for step in &scene.steps {
        match step {
            Step::Event(event) => {
                let answer = stage.dispatch(event.event, event.host, &event.payload)?;
                took.push(answer.took);
                if let Some(shown) = &event.shown {
                    print(format_args!("   {} {shown}", paint(paint::FAINT, "agent     ▸")));
                    print(format_args!(
                        "   {} {}",
                        paint(paint::FAINT, "steersman ◂"),
                        scenes::describe_answer(&answer.json)
                    ));
                }
            }
            Step::File { path, content, shown } => {
                stage.write(path, content)?;
                if let Some(shown) = shown {
                    print(format_args!("   {} {path} {shown}", paint(paint::FAINT, "user      ▸")));
                }
            }
            Step::Command(args) => {
                let command = format!("steersman {}", args.join(" "));
                print(format_args!("   {} {command}", paint(paint::FAINT, "user      ▸")));
                for line in stage.command(args)?.lines() {
                    print(format_args!("   {line}"));
                }
            }
            Step::Trace => {
                for line in stage.trace()? {
                    print(format_args!("   {}", scenes::describe_trace(&line)));
                }
            }
        }
    }
    print(format_args!(""));
    Ok(())
}

fn show_journal(stage: &Stage) -> anyhow::Result<()> {
    print(format_args!("{}", paint(paint::TITLE, "Afterwards: the journal of the session")));
    let sessions = stage.command(&["session", "list"])?;
    for line in sessions.lines() {
        print(format_args!("   {line}"));
    }
    print(format_args!(""));
    let sid = stage.main_session()?;
    for line in stage.command(&["session", "show", &sid])?.lines() {
        print(format_args!("   {line}"));
    }
    Ok(())
}
