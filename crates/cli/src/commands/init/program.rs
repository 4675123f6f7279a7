//! Chooses the program to register in the settings.

use std::path::Path;

use event::AbsPath;
use host::install::Program;

use crate::change::ChangeError;
use crate::commands::level::Level;
use crate::environment;
use crate::output;

const NAME: &str = "steersman";

/// Chooses the program and prints notes about the choice.
///
/// The bare name is best: the repository shares settings files, and the name is the same for all users. It is
/// used only if it resolves to the running program. Managed settings name a path: an agent could put another
/// program of that name onto its user's PATH.
pub(super) fn choose(asked: Option<&Path>, folder: &AbsPath, level: Level) -> Result<Program, ChangeError> {
    let program = match asked {
        Some(name) if name == Path::new(NAME) => Program::on_path(),
        Some(path) => {
            let path = folder.join(path);
            if !runner::is_executable(path.as_path()) {
                output::note(&format!("  note: {path} is not an executable file yet"));
            }
            at(path.as_path())?
        }
        None => running(level)?,
    };
    if !program.is_safe_everywhere() {
        output::note(
            "  note: the path to the program contains spaces, which shells on Windows parse in different ways",
        );
    }
    Ok(program)
}

fn running(level: Level) -> Result<Program, ChangeError> {
    let Some(running) = environment::running_program() else {
        return Err(ChangeError::World(anyhow::anyhow!(
            "cannot find the path of this program\nhint: pass it with `--program PATH`"
        )));
    };
    if level == Level::Managed {
        output::note(&format!(
            "  note: the settings start {}; every user must be able to run it",
            running.display()
        ));
        return at(&running);
    }
    let found = environment::find_program(NAME);
    if found.as_ref().and_then(|found| found.canonicalize().ok()).as_ref() == Some(&running) {
        return Ok(Program::on_path());
    }
    let why = match found {
        Some(other) => format!("`{NAME}` on your PATH is another program ({})", other.display()),
        None => format!("`{NAME}` is not on your PATH"),
    };
    let others = match level {
        Level::Project => "; other users of this repository need it at the same path",
        Level::User | Level::Managed => "",
    };
    output::note(&format!("  note: {why}, so the settings start {}{others}", running.display()));
    at(&running)
}

fn at(path: &Path) -> Result<Program, ChangeError> {
    Program::at(&path.to_string_lossy()).map_err(|not_ours| ChangeError::Content {
        what: not_ours.to_string(),
        place: None,
        hint: "pass `steersman` or a path that ends in it as `--program`; steersman recognises its entries by that name"
            .to_owned(),
    })
}
