//! `steersman module on|off NAME`

use config_file::jsonc::{self, CstInputValue, CstRootNode};
use config_file::nearest;
use event::{contract_name, plain_name};
use project_config::Manifest;

use crate::change::{Change, ChangeError, Mode, Writer};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;
use crate::person;

/// The manifest of a workspace that has none.
const EMPTY: &str = "{\n  \"version\": 1,\n  \"modules\": {}\n}\n";

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The name of the module; `steersman module list` lists them
    name: String,
    /// Print the change as a diff and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args, on: bool, place: &Place) -> anyhow::Result<Exit> {
    let place = &place.registered();
    let manifest = Manifest::load(&place.workspace)?;
    let built_in = modules::ALL.iter().map(|module| module.profile().name);
    let known: Vec<&str> = built_in.chain(manifest.modules.keys().map(String::as_str)).collect();
    if !known.contains(&contract_name(&args.name)) && !known.contains(&args.name.as_str()) {
        output::error(&format!("unknown module `{}`", output::text::one_line(&args.name)));
        match nearest(&args.name, known.iter().flat_map(|name| [plain_name(name), name])) {
            Some(meant) => output::hint(&format!("did you mean `{meant}`?")),
            None => output::hint("run `steersman module list` for the modules"),
        }
        return Ok(Exit::No);
    }
    let (name, word) = (plain_name(&args.name), if on { "on" } else { "off" });
    if !args.dry_run
        && let Some(exit) = person::refusal(place, &format!("module {word}"))
    {
        return Ok(exit);
    }
    let file = place.workspace.manifest_file();
    let file = file.below(place.workspace.root()).map_or_else(|_| file.to_string(), |it| it.to_string());
    let change = Change::plan(&place.workspace, &file, |before| {
        let text = before.filter(|text| !text.trim().is_empty()).unwrap_or(EMPTY);
        switched(text, &args.name, on).map(Some).ok_or_else(|| ChangeError::Content {
            what: format!("cannot edit `{file}`: it is not an object with an object `modules`"),
            place: None,
            hint: "correct the file; `steersman doctor` shows where; steersman did not change it".to_owned(),
        })
    });
    let change = match change {
        Ok(change) => change,
        Err(error) => return Ok(error.print()),
    };
    if change.is_nothing() {
        output::note(&format!("`{name}` is already {word}"));
        return Ok(Exit::Fine);
    }
    let mut writer = Writer::new(&place.workspace, if args.dry_run { Mode::DryRun } else { Mode::Write });
    if writer.apply(&change) && writer.writes() {
        output::note(&format!("✓ `{name}` is now {word}, from the next event on ({file})"));
    }
    Ok(writer.finish())
}

/// Returns the manifest with the module on or off and everything else unchanged. Returns `None` if it has another shape.
fn switched(text: &str, name: &str, on: bool) -> Option<String> {
    let root: CstRootNode = jsonc::parse_editable(text).ok()?;
    let modules = root.object_value_or_create()?.object_value_or_create("modules")?;
    let contract = contract_name(name);
    let by_default =
        modules::ALL.iter().any(|module| module.profile().name == contract && module.profile().on_by_default);
    match modules.get(name).or_else(|| modules.get(contract)).or_else(|| modules.get(plain_name(name))) {
        None if on == by_default => {}
        None => {
            modules.ensure_multiline();
            let keys = if on { Vec::new() } else { vec![("enabled".to_owned(), CstInputValue::Bool(false))] };
            modules.append(name, CstInputValue::Object(keys));
        }
        Some(entry) => {
            let entry = entry.value()?.as_object()?;
            match entry.get("enabled") {
                Some(enabled) => enabled.set_value(CstInputValue::Bool(on)),
                None if on => {}
                None => {
                    entry.append("enabled", CstInputValue::Bool(false));
                }
            }
        }
    }
    Some(root.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_switch_of_the_module_changes() {
        let on = |text: &str, name: &str| switched(text, name, true).unwrap();
        let off = |text: &str, name: &str| switched(text, name, false).unwrap();
        assert_eq!(off("{\"modules\": {}}", "stop-synth"), "{\"modules\": {}}", "off by default");
        assert_eq!(on("{\"modules\": {}}", "shell-guard"), "{\"modules\": {}}", "on by default");
        let listed = on("{\n  \"modules\": {}\n}\n", "stop-synth");
        assert_eq!(listed, "{\n  \"modules\": {\n    \"stop-synth\": {}\n  }\n}\n");
        assert_eq!(on("{\n  \"modules\": {}\n}\n", "summary"), listed.replace("stop-synth", "summary"));
        assert_eq!(off(&listed, "summary"), off(&listed, "stop-synth"), "by either name");
        let disabled = off(&listed, "stop-synth");
        assert!(disabled.contains("\"enabled\": false"), "{disabled}");
        assert!(on(&disabled, "stop-synth").contains("\"enabled\": true"));
        let mine = "{\n  \"modules\": { \"mine\": { \"priority\": 3 } },\n  \"onFault\": \"deny\"\n}\n";
        let off_mine = off(mine, "mine");
        assert!(
            off_mine.contains("\"priority\": 3") && off_mine.contains("\"onFault\": \"deny\""),
            "{off_mine}"
        );
        assert_eq!(switched("[]", "mine", false), None);
    }
}
