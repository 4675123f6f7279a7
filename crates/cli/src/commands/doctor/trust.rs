//! Whether an agent program runs the hooks that it reads, from its own files: whether they are switched on, and whether
//! it trusts the folder and the hooks.

use std::fs;
use std::path::{Path, PathBuf};

use event::AbsPath;
use host::Host;
use host::install::{
    CodexTrust, FolderTrust, HookPlan, HookSwitch, SwitchRoot, SwitchedOff, asks_for_folder_trust,
    codex_trust, copilot_trust, listed_folder_trust,
};
use serde::Serialize;
use store::Workspace;

use super::entries::{EntryReport, project_folder, shown_in};
use crate::commands::Place;
use crate::environment::{self, UserFile};

/// Why an agent program runs none of steersman's entries, and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Obstacle {
    pub(super) why: String,
    pub(super) hint: String,
}

/// Returns why the program runs none of its entries. Returns `None` if it runs some, or if its files do not show it.
pub(super) fn obstacle(host: Host, entries: &[EntryReport], place: &Place) -> Option<Obstacle> {
    let entries: Vec<&EntryReport> = entries.iter().filter(|entry| entry.only_with.is_none()).collect();
    if place.is_out_of_scope {
        return Some(Obstacle {
            why: format!("steersman judges and records nothing here, because {}", out_of_scope()),
            hint: "run `steersman init` in the project".to_owned(),
        });
    }
    let is_managed = entries.iter().any(|entry| entry.file.starts_with('/'));
    if let Some((file, off)) =
        switched_off(host, &entries, place).filter(|(_, off)| !is_managed || off.also_managed)
    {
        return Some(Obstacle {
            why: format!(
                "it runs none of steersman's hooks, because {file} switches them off (`{}`)",
                off.setting
            ),
            hint: if file.starts_with('/') && off.also_managed {
                format!("an administrator can remove the setting from {file}")
            } else if off.also_managed {
                format!("remove steersman from the list in {file}")
            } else if HookPlan::MANAGED.iter().all(|plan| !plan.hosts.contains(&host)) {
                format!("remove the setting from {file}")
            } else {
                format!("remove the setting from {file}, or register with `sudo steersman init --managed`")
            },
        });
    }
    // Administrators' hooks need no trust, except in Gemini CLI.
    if is_managed && host != Host::Gemini {
        return None;
    }
    let has_user_entries = entries.iter().any(|entry| UserFile::is_shown(&entry.file));
    if host == Host::Codex {
        return codex(&entries, place);
    }
    // The user's own hooks run in every folder, except in Gemini CLI, which runs none at all in a folder without trust.
    if has_user_entries && host != Host::Gemini {
        return None;
    }
    let folder = real(project_folder(host, place).as_path());
    let (trust, file) = match host {
        Host::CopilotCli => {
            let file = UserFile::of(".copilot/config.json")?;
            let config = read(file.path().as_path());
            // The folder in which it is started counts, wherever the project is, and so does the main checkout.
            let start = if place.is_named { place.workspace.root() } else { &place.folder };
            let main = Workspace::main_checkout(place.workspace.root());
            let folders = [Some(start), main.as_ref()].into_iter().flatten();
            let mut trust = folders.map(|folder| copilot_trust(&config, &real(folder.as_path())));
            let is_trusted = trust.any(|trust| trust == FolderTrust::Trusted);
            let trust = if is_trusted { FolderTrust::Trusted } else { FolderTrust::Undecided };
            (trust, file.shown())
        }
        Host::Gemini if asks_for_trust(host, ".gemini/settings.json", true) => {
            let (path, shown) = environment::trusted_folders(".gemini/trustedFolders.json")?;
            (listed_folder_trust(&read(path.as_path()), &folder), shown)
        }
        Host::Qwen if asks_for_trust(host, ".qwen/settings.json", false) => {
            let (path, shown) = environment::trusted_folders(".qwen/trustedFolders.json")?;
            (listed_folder_trust(&read(path.as_path()), &folder), shown)
        }
        _ => return None,
    };
    let hooks = if host == Host::Gemini { "hooks at all" } else { "project hooks" };
    let why = match trust {
        FolderTrust::Trusted => return None,
        FolderTrust::Refused => {
            format!("it runs no {hooks}, because you refused to trust this folder ({file})")
        }
        FolderTrust::Undecided => {
            format!("it runs no {hooks}, because you have not trusted this folder ({file})")
        }
    };
    let hint = match host {
        Host::Gemini => format!("start {} here and trust the folder", host.title()),
        _ => format!(
            "start {} here and trust the folder, or run `steersman init --user --host {}`",
            host.title(),
            host.name()
        ),
    };
    Some(Obstacle { why, hint })
}

/// Says which settings leave a workspace without rules out.
pub(super) fn out_of_scope() -> String {
    let file = environment::user_configs().into_iter().find(|file| file.as_path().exists());
    let file = file.map(|file| file.to_string()).unwrap_or_default();
    format!(
        "`\"scope\": \"registered\"` in {file} limits it to folders with `.ai/hooks`, and this one has none"
    )
}

/// Returns the file and the setting that switch the hooks of a program off here.
fn switched_off(host: Host, entries: &[&EntryReport], place: &Place) -> Option<(String, SwitchedOff)> {
    let of_kind = |concerns_own_file: bool| {
        let switches = HookSwitch::of(host).iter();
        let switches = switches.filter(move |switch| switch.concerns_own_file() == concerns_own_file);
        switches.flat_map(|switch| {
            let files = files_of(host, switch, place).into_iter();
            files.filter_map(|(path, shown)| Some((shown, switch.found_in(&read(&path))?)))
        })
    };
    // A switch in a file of hooks silences that file only.
    let silenced: Vec<(String, SwitchedOff)> =
        of_kind(true).filter_map(|(file, off)| Some((file, off?))).collect();
    let is_silenced = |entry: &&EntryReport| silenced.iter().any(|(file, _)| *file == entry.file);
    if !silenced.is_empty() && entries.iter().all(is_silenced) {
        return silenced.into_iter().next();
    }
    let found: Vec<_> = of_kind(false).collect();
    // A list of disabled hooks counts wherever it is; of the other switches, the first decides.
    let by_list =
        found.iter().find_map(|(file, off)| Some((file.clone(), (*off).filter(|off| off.also_managed)?)));
    by_list.or_else(|| found.into_iter().next().and_then(|(file, off)| Some((file, off?))))
}

/// Returns the files of a switch that the program reads if it is started here, with their names in messages.
fn files_of(host: Host, switch: &HookSwitch, place: &Place) -> Vec<(PathBuf, String)> {
    let root = place.workspace.root();
    let below = |folder: &AbsPath| {
        (folder.join(switch.file).as_path().to_path_buf(), shown_in(place, folder, switch.file))
    };
    match switch.root {
        SwitchRoot::System => {
            let (path, shown) = environment::managed_file(switch.file);
            vec![(path.as_path().to_path_buf(), shown)]
        }
        SwitchRoot::Home => {
            let own = UserFile::of(switch.file);
            own.map(|own| (own.path().as_path().to_path_buf(), own.shown())).into_iter().collect()
        }
        SwitchRoot::Settings => vec![below(project_folder(host, place))],
        SwitchRoot::Project => vec![below(root)],
        SwitchRoot::EveryFolder => {
            if !codex_trusts_project(&codex_config().0, place) {
                return Vec::new();
            }
            let start = if place.is_named { root } else { &place.folder };
            let folders = std::iter::successors(Some(start.clone()), AbsPath::parent);
            folders.take_while(|folder| folder.below(root).is_ok()).map(|folder| below(&folder)).collect()
        }
    }
}

/// Returns the text of the user's `config.toml`, and its name in messages.
fn codex_config() -> (String, String) {
    let file = UserFile::of(".codex/config.toml");
    file.map(|file| (read(file.path().as_path()), file.shown())).unwrap_or_default()
}

fn codex(entries: &[&EntryReport], place: &Place) -> Option<Obstacle> {
    let (config, shown_config) = codex_config();
    let project = real(place.workspace.root().as_path());
    let mut obstacle = None;
    let own = UserFile::of(".codex/hooks.json");
    let own = own.map(|own| (own.shown(), own.path().as_path().to_path_buf(), false));
    let of_project = (".codex/hooks.json".to_owned(), project.join(".codex/hooks.json"), true);
    for (shown, file, is_project) in own.into_iter().chain([of_project]) {
        if entries.iter().all(|entry| entry.file != shown) {
            continue;
        }
        let file = real(&file);
        let CodexTrust { trusted, changed, untrusted, .. } =
            codex_trust(&config, &project, &file, &read(&file));
        let why = if is_project && !codex_trusts_project(&config, place) {
            untrusted_project(&config, &project, &shown_config)
        } else if untrusted.is_empty() && changed.is_empty() {
            return None;
        } else if changed.is_empty() {
            format!("it skips hooks of {shown} that you have not trusted: {}", untrusted.join(", "))
        } else if trusted.is_empty() && untrusted.is_empty() {
            format!("it skips hooks of {shown} that changed since you trusted them: {}", changed.join(", "))
        } else {
            let skipped: Vec<String> = changed.into_iter().chain(untrusted).collect();
            format!(
                "it skips hooks of {shown} that you have not trusted in this form: {}",
                skipped.join(", ")
            )
        };
        // Seen with the program: `codex exec --sandbox workspace-write` records the trust in the project at its start.
        let hint = "run `codex` here, trust the project (`codex exec` with a sandbox that may write does that itself), then open `/hooks` and trust the entries of steersman";
        obstacle = Some(Obstacle { why, hint: hint.to_owned() });
    }
    obstacle
}

/// Says why Codex reads no settings of a project.
fn untrusted_project(config: &str, project: &Path, shown_config: &str) -> String {
    let why = match codex_trust(config, project, project, "").project {
        FolderTrust::Refused => "because you refused to trust it",
        FolderTrust::Trusted | FolderTrust::Undecided => "until it is trusted",
    };
    format!("it reads no settings of this project {why} ({shown_config})")
}

/// Returns whether Codex reads the settings of the project: a linked checkout is trusted with the main one.
fn codex_trusts_project(config: &str, place: &Place) -> bool {
    let root = place.workspace.root();
    let main = Workspace::main_checkout(root);
    let mut folders = [Some(root), main.as_ref()].into_iter().flatten().map(|folder| real(folder.as_path()));
    folders.any(|folder| codex_trust(config, &folder, &folder, "").project == FolderTrust::Trusted)
}

/// Returns whether the program asks for trust in folders at all; each has its own default. An administrator's setting
/// beats the user's.
fn asks_for_trust(host: Host, settings: &'static str, by_default: bool) -> bool {
    let managed = HookPlan::MANAGED.into_iter().find(|plan| plan.hosts.contains(&host));
    let managed = managed.map(|plan| environment::managed_file(plan.file).0.as_path().to_path_buf());
    let own = UserFile::of(settings).map(|own| own.path().as_path().to_path_buf());
    let files = managed.into_iter().chain(own);
    files.into_iter().find_map(|file| asks_for_folder_trust(&read(&file))).unwrap_or(by_default)
}

/// Resolves links as the programs do; returns the path itself if that fails.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

fn read(path: &Path) -> String {
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file());
    if is_file { fs::read_to_string(path).unwrap_or_default() } else { String::new() }
}
