//! Chores of this repository: `cargo xtask NAME`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the person who started it")]

mod background_build;
mod clients;
mod codegen;
mod confinement;
mod dist;
mod docs;
mod editor;
mod fuzz;
mod install;
mod layering;
mod metadata;
mod prerequisite;
mod recording;
mod release;
mod repo;
mod scratch;
mod startup;
mod test;
mod tidy;
mod tree;

use std::ffi::OsString;
use std::process::ExitCode;

/// One thing that `cargo xtask` can do.
struct Chore {
    name: &'static str,
    options: &'static str,
    about: &'static str,
    run: fn(lexopt::Parser) -> anyhow::Result<()>,
}

const CHORES: &[Chore] = &[
    Chore {
        name: "test",
        options: "[--keep-going]",
        about: "runs everything a change must pass, and sets up what that needs",
        run: test::run,
    },
    Chore {
        name: "layering",
        options: "",
        about: "checks that crates import downwards only and that dispatch stays light",
        run: layering::run,
    },
    Chore {
        name: "tidy",
        options: "",
        about: "checks the house rules that no compiler knows",
        run: tidy::run,
    },
    Chore {
        name: "codegen",
        options: "[--check]",
        about: "writes the checked-in files that are made from code, or checks that they are current",
        run: codegen::run,
    },
    Chore {
        name: "recording",
        options: "",
        about: "writes the recording in the README from what the demo prints",
        run: recording::run,
    },
    Chore {
        name: "docs",
        options: "",
        about: "builds the documentation as a static site with a search, by mdBook",
        run: docs::run,
    },
    Chore {
        name: "fuzz",
        options: "[--long]",
        about: "runs the property tests with many more cases, and the fuzz targets if they can run",
        run: fuzz::run,
    },
    Chore {
        name: "clients",
        options: "[--only PROGRAM] [--scenario NAME] [--binary FILE] [--record] [--list]",
        about: "installs the agent programs of npm and runs scenarios on them, offline against a scripted model",
        run: clients::run,
    },
    Chore {
        name: "confinement",
        options: "[--builds | --sandboxes] [--binary FILE]",
        about: "installs build tools and sandboxes of npm and PyPI, and runs `steersman run` with and inside them",
        run: confinement::run,
    },
    Chore {
        name: "startup",
        options: "[--runs N] [--json] [--binary FILE]",
        about: "measures what one hook event costs, beside programs that do nothing and one in Node",
        run: startup::run,
    },
    Chore {
        name: "layout",
        options: "",
        about: "records what hooks touch of the static binary, so that it lies together",
        run: startup::layout::run,
    },
    Chore {
        name: "install",
        options: "[--prefix DIR] [--native]",
        about: "builds the static binary and puts it on the PATH (default: where cargo installs)",
        run: install::run,
    },
    Chore {
        name: "dist",
        options: "",
        about: "packs the static binary, licences and completions into target/packages",
        run: dist::run,
    },
    Chore {
        name: "editor",
        options: "[--short] [--only NAME] [--binary FILE] [--screenshots DIR] [--list]",
        about: "builds the VS Code extension and runs its workflows in a real workbench",
        run: editor::run,
    },
    Chore {
        name: "vsix",
        options: "[--binary FILE]",
        about: "packs the VS Code extension into target/packages, with the static binary and without",
        run: editor::vsix,
    },
];

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let Some(name) = args.next() else {
        print_chores();
        return ExitCode::SUCCESS;
    };
    let rest: Vec<OsString> = args.collect();
    if ["help", "--help", "-h"].iter().any(|help| name == *help) {
        print_chores();
        return ExitCode::SUCCESS;
    }
    let Some(chore) = CHORES.iter().find(|chore| name == chore.name) else {
        eprintln!("error: there is no chore `{}`", name.display());
        eprintln!("hint: `cargo xtask` lists them");
        return ExitCode::from(2);
    };
    if rest.iter().any(|arg| arg == "--help") {
        println!("cargo xtask {} {}\n  {}", chore.name, chore.options, chore.about);
        return ExitCode::SUCCESS;
    }
    match (chore.run)(lexopt::Parser::from_args(rest)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            if error.is::<lexopt::Error>() {
                eprintln!("hint: cargo xtask {} {}", chore.name, chore.options);
                return ExitCode::from(2);
            }
            ExitCode::FAILURE
        }
    }
}

fn print_chores() {
    println!("Chores, as `cargo xtask NAME`:\n");
    let widest = CHORES.iter().map(|chore| chore.name.len()).max().unwrap_or(0);
    for chore in CHORES {
        println!("  {:widest$}  {}", chore.name, chore.about);
        if !chore.options.is_empty() {
            println!("  {:widest$}  {}", "", chore.options);
        }
    }
}
