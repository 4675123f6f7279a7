//! Which modules run, and whether the project's own modules load.

use std::fs;
use std::rc::Rc;
use std::time::{Duration, Instant};

use config_file::nearest;
use dispatch::script_file;
use event::{Deadline, EventName, plain_name};
use project_config::{Manifest, manifest::ModuleEntry};
use script::{Limits, Sandbox, Script, ScriptError};
use store::{ModuleName, ScriptFiles, Trust, TrustedScripts, Workspace};

use super::finding::{Finding, Mark, Section};
use super::rule_files;
use crate::commands::Place;
use crate::output::Snippet;

/// The time limit for loading a module here; a hook allows less.
const LOAD_TIMEOUT: Duration = Duration::from_secs(1);

/// Checks every module of the manifest that is not built in.
pub(super) fn section(place: &Place) -> Section {
    let mut findings = Vec::new();
    let Ok(manifest) = Manifest::load(&place.workspace) else {
        let text = "the manifest is invalid (see above), so none of the project's own modules runs";
        let findings = vec![Finding::new(Mark::Warning, text)];
        return Section { name: "modules", title: "Modules", findings };
    };
    let trust = trust_of(place);
    findings.extend(builtin(&manifest));
    let n_builtin = findings.len();
    for (name, entry) in &manifest.modules {
        let is_builtin = builtin_names().any(|builtin| builtin == name);
        if entry.path.is_none() && is_builtin {
            continue;
        }
        if entry.enabled == Some(false) {
            findings.push(Finding::new(Mark::Info, format!("the manifest disables `{name}`")));
        } else {
            findings.extend(check_module(name, entry, &place.workspace, &trust));
        }
    }
    findings.extend(unlisted(&manifest, &place.workspace));
    if findings.len() == n_builtin {
        findings.push(Finding::new(Mark::Info, "the project has no modules of its own"));
    }
    findings.extend(rule_files::findings(&manifest, place));
    Section { name: "modules", title: "Modules", findings }
}

/// Reports which built-in modules run, and why the others do not.
fn builtin(manifest: &Manifest) -> Vec<Finding> {
    let mut on = Vec::new();
    let mut waiting = Vec::new();
    let mut findings = Vec::new();
    for profile in modules::ALL.iter().map(|module| module.profile()) {
        let name = plain_name(profile.name);
        match manifest.modules.get(profile.name) {
            // A script of the project replaces it.
            Some(entry) if entry.path.is_some() => {}
            Some(entry) if entry.enabled == Some(false) => {
                let text = format!("the manifest disables the built-in module `{name}`");
                findings.push(Finding::new(Mark::Info, text));
            }
            None if !profile.on_by_default => waiting.push(name),
            _ => on.push(name),
        }
    }
    if !waiting.is_empty() {
        let text = format!("built in, off until `steersman module on NAME`: {}", waiting.join(", "));
        findings.push(Finding::new(Mark::Info, text));
    }
    let running = if on.is_empty() {
        Finding::new(Mark::Warning, "no built-in module runs: steersman judges and records nothing")
            .hint("remove `\"enabled\": false` from .ai/hooks/dispatch.manifest.json")
    } else {
        Finding::new(Mark::Fine, format!("built in: {}", on.join(", ")))
    };
    findings.insert(0, running);
    findings
}

fn check_module(
    name: &str,
    entry: &ModuleEntry,
    workspace: &Workspace,
    trust: &Result<Rc<TrustedScripts>, String>,
) -> Vec<Finding> {
    let Some(module_name) = ModuleName::new(name) else {
        let text = format!("`{name}` is not a valid module name");
        return vec![
            Finding::new(Mark::Wrong, text).hint("use at most 64 letters, digits, `.`, `_` and `-`"),
        ];
    };
    let file = script_file(&workspace.hooks_dir(), &module_name, entry);
    let shown = file.below(workspace.root()).map_or_else(|_| file.to_string(), |it| it.to_string());
    if !file.as_path().is_file() {
        let hint = match nearest(name, builtin_names()) {
            Some(meant) => format!("did you mean the built-in module `{meant}`?"),
            None if entry.path.is_none() => format!("run `steersman init --module {name}` to create it"),
            None => "make `path` relative to `.ai/hooks/`".to_owned(),
        };
        return vec![Finding::new(Mark::Wrong, format!("`{name}`: {shown} does not exist")).hint(hint)];
    }
    let scripts = match trust {
        Ok(scripts) => scripts,
        Err(why) => {
            let text = format!("steersman skips `{name}`: {why}");
            let skipped =
                Finding::new(Mark::Warning, text).hint("review `.ai/hooks/`, then run `steersman trust`");
            return syntax_error(name, &file, workspace).into_iter().chain([skipped]).collect();
        }
    };
    match load(&file, workspace, scripts) {
        Ok(script) => loaded(name, entry, &script),
        Err(error) => vec![unloadable(name, &error, workspace)],
    }
}

/// Compiles an untrusted script without running it.
fn syntax_error(name: &str, file: &event::AbsPath, workspace: &Workspace) -> Option<Finding> {
    let text = fs::read_to_string(file.as_path()).ok()?;
    let inside = file.as_path().strip_prefix(workspace.hooks_dir().as_path()).ok()?;
    let deadline = Deadline::after(Instant::now(), LOAD_TIMEOUT);
    let error = script::check_syntax(&inside.to_string_lossy(), &text, deadline).err()?;
    Some(unloadable(name, &error, workspace))
}

fn load(
    file: &event::AbsPath,
    workspace: &Workspace,
    scripts: &Rc<TrustedScripts>,
) -> Result<Script, ScriptError> {
    let sandbox = Sandbox {
        imports: workspace.hooks_dir().as_path().to_path_buf(),
        scripts: Rc::clone(scripts),
        workspace: workspace.root().as_path().to_path_buf(),
        deadline: Deadline::after(Instant::now(), LOAD_TIMEOUT),
        limits: Limits::default(),
    };
    Script::load(file.as_path(), sandbox)
}

fn loaded(name: &str, entry: &ModuleEntry, script: &Script) -> Vec<Finding> {
    let meta = script.meta();
    let mut findings =
        vec![Finding::new(Mark::Fine, format!("`{name}` loads and handles {}", meta.supports.join(", ")))];
    for event in &meta.supports {
        if EventName::from_contract(event).is_none() {
            let finding = Finding::new(Mark::Warning, format!("`{name}`: unknown event `{event}`"));
            let meant = nearest(event, EventName::ALL.map(EventName::as_str));
            findings.push(Finding { hint: meant.map(|meant| format!("did you mean `{meant}`?")), ..finding });
        }
    }
    let hot_path_safe = entry.hot_path_safe.or(meta.hot_path_safe).unwrap_or(false);
    if !hot_path_safe && meta.supports.iter().any(|event| event == EventName::PreToolUse.as_str()) {
        let text =
            format!("`{name}` does not run at PreToolUse, because it does not set `hotPathSafe: true`");
        findings.push(
            Finding::new(Mark::Warning, text)
                .hint("set it in the module or the manifest if the module is fast"),
        );
    }
    findings
}

fn unloadable(name: &str, error: &ScriptError, workspace: &Workspace) -> Finding {
    let finding = Finding::new(Mark::Wrong, format!("cannot load `{name}`: {}", message(error)));
    let Some((file, line, column)) = position(error) else { return finding };
    let path = workspace.hooks_dir().join(&file);
    let text = fs::read_to_string(path.as_path()).unwrap_or_default();
    finding.at(Snippet::at(&format!(".ai/hooks/{file}"), &text, line, column, 1))
}

fn message(error: &ScriptError) -> String {
    match error {
        ScriptError::Syntax { message, .. } => message.clone(),
        other => other.to_string(),
    }
}

/// Returns file, line and column of the error.
fn position(error: &ScriptError) -> Option<(String, usize, usize)> {
    match error {
        ScriptError::Syntax { file, line, column, .. } => {
            Some((file.clone(), usize::try_from(*line).ok()?, usize::try_from(*column).ok()?))
        }
        // `at handle (features/guard/hook.mjs:3:7)`: the innermost place in a file.
        ScriptError::Threw { stack, .. } => stack.lines().find_map(|frame| {
            let place = frame.trim().trim_end_matches(')').rsplit(['(', ' ']).next()?;
            let mut parts = place.rsplitn(3, ':');
            let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
            Some((parts.next()?.to_owned(), line, column))
        }),
        _ => None,
    }
}

/// Reports modules that exist but are not in the manifest.
fn unlisted(manifest: &Manifest, workspace: &Workspace) -> Vec<Finding> {
    let features = workspace.hooks_dir().join("features");
    let entries = fs::read_dir(features.as_path()).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().join("hook.mjs").is_file())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| {
            let path = format!("features/{name}/hook.mjs");
            let listed = |entry: &ModuleEntry| entry.path.as_deref() == Some(path.as_str());
            !manifest.modules.contains_key(name) && !manifest.modules.values().any(listed)
        })
        .collect();
    names.sort();
    let finding = |name: &String| {
        Finding::new(Mark::Warning, format!("`{name}` never runs: the manifest does not list it"))
            .hint(format!("add \"{name}\": {{}} to `modules` in .ai/hooks/dispatch.manifest.json"))
    };
    names.iter().map(finding).collect()
}

fn trust_of(place: &Place) -> Result<Rc<TrustedScripts>, String> {
    let user_state = place.user_state.as_ref().ok_or("your state folder is unknown")?;
    let trust = Trust::load(user_state).map_err(|error| error.to_string())?;
    let scripts = ScriptFiles::read(&place.workspace).map_err(|error| error.to_string())?;
    let root = place.workspace.root();
    match (trust.vouch_scripts(root, scripts), trust.knows(root)) {
        (Some(scripts), _) => Ok(Rc::new(scripts)),
        (None, true) => Err("the scripts changed since you trusted them".to_owned()),
        (None, false) => Err("this workspace is not trusted".to_owned()),
    }
}

fn builtin_names() -> impl Iterator<Item = &'static str> {
    modules::ALL.iter().map(|module| module.profile().name)
}
