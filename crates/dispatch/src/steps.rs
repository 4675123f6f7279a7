//! Selects the modules for an event and orders them.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use event::{AbsPath, Deadline, EventName};
use modules::Module;
use project_config::{Manifest, manifest::ModuleEntry};
use script::{Limits, Sandbox, Script};
use store::{ModuleName, ScriptFiles, Trust, TrustedScripts, Workspace};

/// One module with the manifest's settings for it.
pub(crate) struct Step<'a> {
    /// Unique among the steps.
    pub name: ModuleName,
    /// Lower runs first.
    pub priority: i64,
    /// Whether its failure denies.
    pub critical: bool,
    /// Its code.
    pub kind: StepKind<'a>,
}

/// The code of a step.
pub(crate) enum StepKind<'a> {
    /// Rust.
    Builtin(&'a dyn Module),
    /// A project's own JavaScript, loaded.
    Script(RefCell<Box<Script>>),
    /// A project's own JavaScript that could not be loaded; the step fails when it runs.
    Unloadable(String),
}

/// The steps, and warnings about modules that do not run.
#[derive(Default)]
pub(crate) struct Steps<'a> {
    /// In the order they run.
    pub list: Vec<Step<'a>>,
    /// A warning for each listed module that does not run.
    pub warnings: Vec<String>,
}

/// The inputs of the selection.
pub(crate) struct Finder<'a> {
    /// The modules of this build.
    pub builtins: &'a [&'a dyn Module],
    /// The project's manifest.
    pub manifest: &'a Manifest,
    /// The workspace, which has the project's own modules.
    pub workspace: &'a Workspace,
    /// The user's state folder, which lists the trusted workspaces; without it none is trusted.
    pub user_state: Option<&'a AbsPath>,
    /// The deadline of the run.
    pub deadline: Deadline,
}

impl<'a> Finder<'a> {
    /// Finds the steps for an event.
    pub(crate) fn find(&self, event: EventName) -> Steps<'a> {
        let mut steps = Steps::default();
        let trust = OnceCell::new();
        let trusted = || trust.get_or_init(|| self.check_trust()).as_ref();
        for module in self.builtins {
            let profile = module.profile();
            let entry = self.manifest.modules.get(profile.name);
            let is_replaced = entry.is_some_and(|entry| entry.path.is_some());
            // The project's own module replaces it once it is trusted.
            if !is_replaced || trusted().is_err() {
                steps.list.extend(builtin_step(*module, entry, event));
            }
        }
        self.add_scripts(event, trusted, &mut steps);
        // Stable: modules of equal priority keep the built-in order, then the manifest's.
        steps.list.sort_by_key(|step| step.priority);
        steps
    }

    fn add_scripts<'t>(
        &self,
        event: EventName,
        trusted: impl Fn() -> Result<&'t Rc<TrustedScripts>, &'t Untrusted>,
        steps: &mut Steps<'a>,
    ) {
        let is_builtin = |name: &str| self.builtins.iter().any(|module| module.profile().name == name);
        for (name, entry) in &self.manifest.modules {
            if entry.enabled == Some(false) || (entry.path.is_none() && is_builtin(name)) {
                continue;
            }
            let Some(name) = ModuleName::new(name) else {
                steps.warnings.push(format!(
                    "module `{name}` is skipped: a name must consist of letters, digits, `.`, `_` or `-`"
                ));
                continue;
            };
            match trusted() {
                Ok(scripts) => steps.list.extend(self.script_step(name, entry, event, scripts)),
                // Changing the script must not disable a critical module.
                Err(Untrusted::Changed(why)) if entry.critical == Some(true) => {
                    steps.list.push(unloadable(name, entry, why.clone()));
                }
                Err(Untrusted::Never(why) | Untrusted::Changed(why)) => {
                    steps.warnings.push(format!("module `{name}` is skipped: {why}"));
                }
            }
        }
    }

    /// Reads the scripts and checks the bytes that will run; a later change on disk has no effect.
    fn check_trust(&self) -> Result<Rc<TrustedScripts>, Untrusted> {
        let never = |why: &str| Untrusted::Never(why.to_owned());
        let user_state = self
            .user_state
            .ok_or_else(|| never("cannot find the user's state folder, which lists trusted workspaces"))?;
        let trust = Trust::load(user_state).map_err(|error| Untrusted::Never(error.to_string()))?;
        let root = self.workspace.root();
        if !trust.knows(root) {
            return Err(never(
                "this workspace is not trusted; hint: review `.ai/hooks/`, then run `steersman trust`",
            ));
        }
        let scripts =
            ScriptFiles::read(self.workspace).map_err(|error| Untrusted::Changed(error.to_string()))?;
        trust.vouch_scripts(root, scripts).map(Rc::new).ok_or_else(|| {
            Untrusted::Changed(
                "its scripts changed since they were trusted; hint: review `.ai/hooks/`, then run `steersman trust`"
                    .to_owned(),
            )
        })
    }

    fn script_step(
        &self,
        name: ModuleName,
        entry: &ModuleEntry,
        event: EventName,
        scripts: &Rc<TrustedScripts>,
    ) -> Option<Step<'a>> {
        let hooks = self.workspace.hooks_dir();
        let file = script_file(&hooks, &name, entry);
        let sandbox = Sandbox {
            imports: hooks.as_path().to_path_buf(),
            scripts: Rc::clone(scripts),
            workspace: self.workspace.root().as_path().to_path_buf(),
            deadline: script_deadline(self.deadline),
            limits: Limits::default(),
        };
        match Script::load(file.as_path(), sandbox) {
            Err(error) => Some(unloadable(name, entry, error.to_string())),
            Ok(script) => {
                let meta = script.meta().clone();
                let hot_path_safe = entry.hot_path_safe.or(meta.hot_path_safe).unwrap_or(false);
                let runs = meta.supports.iter().any(|name| name == event.as_str())
                    && (event != EventName::PreToolUse || hot_path_safe);
                runs.then(|| Step {
                    name,
                    priority: entry.priority.or(meta.priority).unwrap_or(SCRIPT_PRIORITY),
                    critical: entry.critical.or(meta.critical).unwrap_or(false),
                    kind: StepKind::Script(RefCell::new(Box::new(script))),
                })
            }
        }
    }
}

/// Returns the step of a script that cannot run; the step fails when it runs.
fn unloadable<'a>(name: ModuleName, entry: &ModuleEntry, why: String) -> Step<'a> {
    Step {
        name,
        priority: entry.priority.unwrap_or(SCRIPT_PRIORITY),
        critical: entry.critical.unwrap_or(false),
        kind: StepKind::Unloadable(why),
    }
}

/// Why the scripts of a workspace must not run.
enum Untrusted {
    /// No user has trusted them.
    Never(String),
    /// They changed since a user trusted them.
    Changed(String),
}

/// The priority of a script without one: after all modules that protect.
const SCRIPT_PRIORITY: i64 = 70;

/// Returns when a script is interrupted: early enough to still record and answer.
fn script_deadline(deadline: Deadline) -> Deadline {
    Deadline::after(deadline.started(), deadline.budget() * 9 / 10)
}

fn builtin_step<'a>(
    module: &'a dyn Module,
    entry: Option<&ModuleEntry>,
    event: EventName,
) -> Option<Step<'a>> {
    let profile = module.profile();
    let default = ModuleEntry::default();
    let enabled = match entry {
        Some(entry) => entry.enabled.unwrap_or(true),
        None => profile.on_by_default,
    };
    let entry = entry.unwrap_or(&default);
    let hot_path_safe = entry.hot_path_safe.unwrap_or(profile.hot_path_safe);
    let runs =
        enabled && profile.supports.contains(&event) && (event != EventName::PreToolUse || hot_path_safe);
    if !runs {
        return None;
    }
    Some(Step {
        name: ModuleName::new(profile.name)?,
        priority: entry.priority.unwrap_or(profile.priority),
        critical: entry.critical.unwrap_or(profile.critical),
        kind: StepKind::Builtin(module),
    })
}

impl StepKind<'_> {
    /// Returns the built-in module; `None` for a script.
    pub(crate) fn builtin(&self) -> Option<&dyn Module> {
        match self {
            Self::Builtin(module) => Some(*module),
            _ => None,
        }
    }
}

/// Returns the file of a project's own module.
pub fn script_file(hooks: &AbsPath, name: &ModuleName, entry: &ModuleEntry) -> AbsPath {
    match &entry.path {
        Some(path) => hooks.join(path),
        None => hooks.join("features").join(name.as_str()).join("hook.mjs"),
    }
}
