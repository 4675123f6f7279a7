//! Which program the settings are to start.

use std::path::Path;

use event::AbsPath;
use host::install::Program;

use crate::change::Trouble;
use crate::environment;
use crate::output;

const NAME: &str = "steersman";

/// Chooses the program and says what has to be known about the choice.
///
/// The bare name is best: settings files are shared through the repository, and it is
/// the same for everybody. It is written only if it leads to the program that runs now.
pub(super) fn choose(asked: Option<&Path>, folder: &AbsPath) -> Result<Program, Trouble> {
    let program = match asked {
        Some(name) if name == Path::new(NAME) => Program::on_path(),
        Some(path) => {
            let path = folder.join(path);
            if !environment::is_executable(path.as_path()) {
                output::note(&format!("  note: {path} is no program that can be started as yet"));
            }
            at(path.as_path())?
        }
        None => running()?,
    };
    if !program.is_safe_everywhere() {
        output::note(
            "  note: the path to the program has blanks in it, which not every shell on Windows reads the same way",
        );
    }
    Ok(program)
}

fn running() -> Result<Program, Trouble> {
    let Some(running) = environment::running_program() else {
        return Err(Trouble::World(anyhow::anyhow!(
            "cannot tell where this program lies\nhint: name it with `--program PATH`"
        )));
    };
    let found = environment::find_program(NAME);
    if found.as_ref().and_then(|found| found.canonicalize().ok()).as_ref() == Some(&running) {
        return Ok(Program::on_path());
    }
    let why = match found {
        Some(other) => format!("`{NAME}` on your PATH is another program ({})", other.display()),
        None => format!("`{NAME}` is not on your PATH"),
    };
    output::note(&format!(
        "  note: {why}, so the settings start {}; whoever shares them needs it at the same place",
        running.display()
    ));
    at(&running)
}

fn at(path: &Path) -> Result<Program, Trouble> {
    Program::at(&path.to_string_lossy()).map_err(|not_ours| Trouble::Content {
        what: not_ours.to_string(),
        place: None,
        hint: "entries are known again by that name: `--program` takes `steersman` or a path that ends in it"
            .to_owned(),
    })
}
