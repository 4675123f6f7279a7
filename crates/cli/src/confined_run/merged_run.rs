//! A confined command whose scope is single files of a large folder: it works on an overlay, and its files are merged
//! once it has ended.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use confine::{ConfinementPlan, Layers, Supervised, supervise};
use store::{Merged, OverlayLayers};

use crate::environment;

/// How often to look whether processes that the command left behind have ended.
const POLL: Duration = Duration::from_millis(250);

/// Runs `command` in a child process, which it must replace, and merges its changes. Returns its exit code.
///
/// Without a place for the changes the command may write its files only in place.
pub(crate) fn run(
    mut plan: ConfinementPlan,
    command: impl FnOnce(&ConfinementPlan) -> ExitCode,
    afterwards: impl FnOnce(),
) -> ExitCode {
    let mut layers = Vec::new();
    if let Some(state) = environment::user_state() {
        for (number, overlay) in plan.overlays.iter_mut().enumerate() {
            let Ok(made) = OverlayLayers::make(&state, &overlay.folder, &overlay.names, number) else {
                continue;
            };
            overlay.layers = Some(Layers { upper: made.upper(), work: made.work() });
            layers.push(made);
        }
    }
    match supervise() {
        Ok(Supervised::Parent(end)) => {
            // It holds the lock that excludes the removal of folders.
            drop(command);
            merge_all(layers);
            afterwards();
            ExitCode::from(end.exit_code())
        }
        Ok(Supervised::Command) => command(&plan),
        // One process less than needed: no process could merge, so the command writes the files in place.
        Err(_) => {
            for overlay in &mut plan.overlays {
                overlay.layers = None;
            }
            for layers in layers {
                layers.remove();
            }
            command(&plan)
        }
    }
}

fn merge_all(layers: Vec<OverlayLayers>) {
    if layers.iter().any(OverlayLayers::is_in_use) {
        say("processes of the command still run; its files are merged when the last one has ended");
        let mut layers = layers;
        layers.iter_mut().for_each(OverlayLayers::release);
        confine::after_exit(false, move || {
            layers.iter_mut().for_each(OverlayLayers::hold);
            while layers.iter().any(OverlayLayers::is_in_use) {
                std::thread::sleep(POLL);
            }
            for layers in layers {
                layers.merge();
                layers.remove();
            }
        });
    } else {
        for layers in layers {
            report(&layers.merge());
            layers.remove();
        }
    }
}

fn report(merged: &Merged) {
    for path in &merged.refused {
        say(&format!(
            "cannot merge `{}`: another process changed it meanwhile, or the command left no regular file there",
            path.display()
        ));
    }
    for path in &merged.dropped {
        say(&format!("`{}` is out of scope: dropped the change", path.display()));
    }
}

/// Prints a message on stderr.
pub(crate) fn say(what: &str) {
    let _ = std::io::stderr().write_all(format!("steersman: {what}\n").as_bytes());
}
