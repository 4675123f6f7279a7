//! `steersman automation import [FILE…] [--dry-run] [--json]`

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use automation::SourceFile;
use automation::config::append;
use automation::import::{self, Imported};
use serde_json::{Value, json};

use super::{Applied, print_trust_hint, standing};
use crate::change::{Change, ChangeError, Mode, Writer};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::{self, print, text};
use crate::person;

/// Import automations of Kiro and lefthook into `.akira/hooks.json`
///
/// Reads `.kiro/hooks/` and lefthook's configuration, or the given files. Prints the parts that have no counterpart. Hooks that
/// are already declared stay as they are.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The files to import [default: .kiro/hooks/*.kiro.hook, .kiro/hooks/*.json, lefthook.yml]
    files: Vec<PathBuf>,
    /// Print the change as a diff and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON: {"imported": [hook], "skipped": [id], "remarks": [text]}
    #[arg(long)]
    json: bool,
}

/// The names of lefthook's configuration, in its order.
const LEFTHOOK: [&str; 12] = [
    "lefthook.yml",
    "lefthook.yaml",
    "lefthook.json",
    "lefthook.toml",
    ".lefthook.yml",
    ".lefthook.yaml",
    ".lefthook.json",
    ".lefthook.toml",
    ".config/lefthook.yml",
    ".config/lefthook.yaml",
    ".config/lefthook.json",
    ".config/lefthook.toml",
];
/// The folder of Kiro's hooks.
const KIRO: &str = ".kiro/hooks";

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if !args.dry_run
        && let Some(exit) = person::refusal(place, "automation import")
    {
        return Ok(exit);
    }
    let applied = Applied::read(place);
    applied.note_errors();
    let files = if args.files.is_empty() { found(place) } else { named(args, place) };
    if files.is_empty() {
        output::note(&format!("found neither {KIRO}/ nor {}", LEFTHOOK[0]));
        output::hint("name the files to import");
        return Ok(Exit::No);
    }
    let mut imported = Imported::default();
    for file in &files {
        let one = read(file)?;
        imported.hooks.extend(one.hooks);
        imported.remarks.extend(one.remarks);
    }
    let mut known: BTreeSet<String> =
        applied.configuration.automations().map(|it| it.id.to_string()).collect();
    let is_new = |hook: &Value| known.insert(hook["id"].as_str().unwrap_or_default().to_owned());
    let (new, old): (Vec<Value>, Vec<Value>) = imported.hooks.into_iter().partition(is_new);
    if args.json {
        let skipped: Vec<&Value> = old.iter().map(|it| &it["id"]).collect();
        output::json(&json!({ "imported": new, "skipped": skipped, "remarks": imported.remarks }))?;
    } else {
        for hook in &new {
            let id = text::one_line(hook["id"].as_str().unwrap_or_default());
            print(format_args!("{id}  {}", text::one_line(hook["trigger"].as_str().unwrap_or_default())));
        }
        for hook in &old {
            let id = text::one_line(hook["id"].as_str().unwrap_or_default());
            output::note(&format!("`{id}` is already declared; left as it is"));
        }
        for remark in &imported.remarks {
            output::note(&text::one_line(remark));
        }
    }
    if new.is_empty() {
        return Ok(Exit::Fine);
    }
    let file = SourceFile::Akira.name();
    let planned = Change::plan(&place.workspace, file, |before| {
        append(before, SourceFile::Akira, &new).map(Some).map_err(|error| ChangeError::Content {
            what: format!("cannot edit `{file}`: {error}"),
            place: None,
            hint: "correct the file and run the command again; steersman did not change it".to_owned(),
        })
    });
    let change = match planned {
        Ok(change) => change,
        Err(error) => return Ok(error.print()),
    };
    let mut writer = Writer::new(&place.workspace, if args.dry_run { Mode::DryRun } else { Mode::Write });
    let went_well = writer.apply(&change);
    let exit = writer.finish();
    if went_well && !args.dry_run {
        output::note(&format!("✓ imported {}", text::counted(new.len(), "automation", "automations")));
        output::hint("run `steersman automation validate`, then `steersman trust`");
        print_trust_hint(&standing(place)?);
    }
    Ok(exit)
}

/// Returns the files of this workspace, sorted.
fn found(place: &Place) -> Vec<PathBuf> {
    let root = place.workspace.root().as_path();
    let entries = fs::read_dir(root.join(KIRO)).into_iter().flatten().flatten();
    let is_hook = |path: &PathBuf| path.extension().is_some_and(|it| it == "json" || it == "hook");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_hook).collect();
    files.sort();
    files.extend(LEFTHOOK.iter().map(|name| root.join(name)).find(|path| path.is_file()));
    files
}

fn named(args: &Args, place: &Place) -> Vec<PathBuf> {
    args.files.iter().map(|file| place.folder.join(file).as_path().to_path_buf()).collect()
}

fn read(file: &Path) -> anyhow::Result<Imported> {
    let bytes = fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Ok(content) = String::from_utf8(bytes) else {
        return Ok(Imported { hooks: Vec::new(), remarks: vec![format!("{name}: not UTF-8")] });
    };
    if file.extension().is_some_and(|it| it == "toml") {
        let remark = format!("{name}: steersman does not read TOML; convert the file to YAML and name it");
        return Ok(Imported { hooks: Vec::new(), remarks: vec![remark] });
    }
    let is_lefthook =
        name.contains("lefthook") || file.extension().is_some_and(|it| it == "yml" || it == "yaml");
    Ok(if is_lefthook { import::lefthook(&name, &content) } else { import::kiro(&name, &content) })
}
