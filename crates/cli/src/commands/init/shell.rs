//! Puts steersman in front of the shells of agent programs, and takes it away again.

use std::path::{Path, PathBuf};

use event::AbsPath;
use host::Host;
use host::install::{Root, ShellPlan, ShellSetting};
use host::shell_entry::BASH_ENV_VARIABLE;
use project_config::{Config, ConfineMode, ConfineSettings};
use store::{ShellFolder, Workspace};

use crate::change::{Change, ChangeError, Writer};
use crate::commands::Place;
use crate::commands::level::{Level, in_folder_of_user};
use crate::environment;
use crate::output;

/// Returns whether commands of a project may run confined: it has intents, or its settings say so.
pub(super) fn is_wanted(workspace: &Workspace) -> bool {
    let settings: ConfineSettings =
        Config::load(workspace).and_then(|config| config.typed(ConfineSettings::SECTION)).unwrap_or_default();
    match settings.mode {
        Some(mode) => mode != ConfineMode::Off,
        None => workspace.intents_file().as_path().exists(),
    }
}

/// Registers for these hosts and reports each. `program` is the target of the link; `None` is this program.
pub(super) fn register_all(
    hosts: &[Host],
    level: Level,
    program: Option<&Path>,
    place: &Place,
    writer: &mut Writer<'_>,
) {
    if !cfg!(target_os = "linux") {
        return;
    }
    let find = |path: &Path| match path.to_str() {
        // The name alone is looked up as a shell would.
        Some(name) if !name.contains('/') => environment::find_program(name),
        _ => Some(place.folder.join(path).as_path().to_path_buf()),
    };
    let Some(target) = program.map_or_else(environment::running_program, find) else { return };
    if !runner::is_executable(&target) {
        output::note(
            "  note: that program cannot be started yet, so it is not put in front of the shells of agents",
        );
        return;
    }
    let owner = owner(level, place, writer);
    for plan in plans(level).iter().filter(|plan| hosts.contains(&plan.host)) {
        let Some(path) = path_of(plan, level, &target, place) else { continue };
        let names = Names { path: &path, target: &target, owner: &owner };
        in_folder_of(plan, place, writer, |writer, plan| register(plan, level, names, place, writer));
    }
    let Some(state) = place.user_state.as_ref().filter(|_| level != Level::Managed) else { return };
    for host in BY_FILES_ALONE.into_iter().filter(|host| hosts.contains(host)) {
        if writer.writes()
            && let Err(error) = ShellFolder::of(state).install(&target, &stand_in(host, writer), &owner)
        {
            writer.fail(&ChangeError::World(anyhow::anyhow!("cannot create the file for bash: {error}")));
        }
        note(host, state);
    }
}

/// The hosts of which no settings file names the program in front of the shell.
const BY_FILES_ALONE: [Host; 2] = [Host::Qwen, Host::CopilotCli];

/// Prints the step that the user must take for a host without a setting.
fn note(host: Host, state: &AbsPath) {
    if host == Host::CopilotCli {
        output::note(
            "  note: Copilot CLI: commands run confined if it asks about none of them: start it with `--allow-all`, or with `--allow-all-tools --allow-all-paths`",
        );
    } else if !environment::is_in_front_of_shell(host) {
        output::note(&format!(
            "  note: Qwen Code takes {BASH_ENV_VARIABLE} only from its environment: start it with `{BASH_ENV_VARIABLE}={}` to let its commands run confined",
            ShellFolder::of(state).bash_env()
        ));
    }
}

/// Takes the registrations of these hosts back.
pub(crate) fn withdraw_shells(hosts: &[Host], level: Level, place: &Place, writer: &mut Writer<'_>) {
    let owner = owner(level, place, writer);
    for plan in plans(level).iter().filter(|plan| hosts.contains(&plan.host)) {
        in_folder_of(plan, place, writer, |writer, plan| withdraw(plan, level, &owner, place, writer));
    }
    let Some(state) = place.user_state.as_ref().filter(|_| writer.writes()) else { return };
    for host in BY_FILES_ALONE.into_iter().filter(|host| hosts.contains(host)) {
        if let Err(error) = ShellFolder::of(state).uninstall(&stand_in(host, writer), &owner) {
            writer.fail(&ChangeError::World(anyhow::anyhow!("cannot remove the file for bash: {error}")));
        }
    }
}

/// Returns the settings that stand for the registration of a host, of which no file names the program.
fn stand_in(host: Host, writer: &Writer<'_>) -> AbsPath {
    let file = if host == Host::Qwen { ".qwen/settings.json" } else { ".github/hooks/steersman.json" };
    writer.workspace.root().join(file)
}

/// The paths of one registration.
#[derive(Clone, Copy)]
struct Names<'a> {
    /// The value of the variable.
    path: &'a AbsPath,
    /// The program that the link leads to.
    target: &'a Path,
    /// The project or the home that registers.
    owner: &'a AbsPath,
}

/// Returns the project or the home that registers: projects share the user's own settings of some programs.
fn owner(level: Level, place: &Place, writer: &Writer<'_>) -> AbsPath {
    let workspace = if level == Level::Project { &place.workspace } else { writer.workspace };
    workspace.root().clone()
}

/// Returns the plans of a level.
pub(crate) fn plans(level: Level) -> &'static [ShellPlan] {
    match level {
        Level::Project => &ShellPlan::PROJECT,
        Level::User => &ShellPlan::USER,
        Level::Managed => &ShellPlan::MANAGED,
    }
}

/// Returns the path that the variable names. Every user of a machine must be able to run a managed one.
fn path_of(plan: &ShellPlan, level: Level, target: &Path, place: &Place) -> Option<AbsPath> {
    if level == Level::Managed {
        return AbsPath::new(target.with_file_name(ShellFolder::PROGRAM)).ok();
    }
    let folder = ShellFolder::of(place.user_state.as_ref()?);
    Some(if plan.variable == BASH_ENV_VARIABLE { folder.bash_env() } else { folder.program() })
}

fn register(plan: &ShellPlan, level: Level, names: Names<'_>, place: &Place, writer: &mut Writer<'_>) {
    let path = names.path;
    let mut found = ShellSetting::Missing;
    let planned = Change::plan(writer.workspace, plan.file, |before| {
        let text = before.unwrap_or_default();
        let failed = |error| ChangeError::edit(plan.file, text, error);
        found = plan.found_in(text).map_err(failed)?;
        plan.register(before, &path.to_string()).map(Some).map_err(failed)
    });
    let file = format!("{}{}", writer.prefix, plan.file);
    let title = plan.host.title();
    match planned {
        Err(error) => writer.fail(&error),
        Ok(_) if matches!(found, ShellSetting::Foreign(_)) => {
            output::note(&format!(
                "  note: {title}: {file} sets {} to something else, so its commands cannot run confined",
                plan.variable
            ));
        }
        Ok(change) => {
            if writer.writes()
                && let Err(error) = install(level, names, place, &writer.workspace.root().join(plan.file))
            {
                writer.fail(&ChangeError::World(anyhow::anyhow!("cannot create {path}: {error}")));
                return;
            }
            let is_news = !change.is_nothing();
            if writer.apply(&change) && is_news {
                let did =
                    if writer.writes() { "commands can run confined" } else { "commands could run confined" };
                output::note(&format!("✓ {title}: {did} ({} in {file})", plan.variable));
            }
        }
    }
}

/// Creates the files that the variable names.
fn install(level: Level, names: Names<'_>, place: &Place, settings: &AbsPath) -> std::io::Result<()> {
    match (level, &place.user_state) {
        (Level::Managed, _) => ShellFolder::install_beside(names.target).map(drop),
        (_, Some(state)) => ShellFolder::of(state).install(names.target, settings, names.owner),
        (_, None) => Ok(()),
    }
}

fn withdraw(plan: &ShellPlan, level: Level, owner: &AbsPath, place: &Place, writer: &mut Writer<'_>) {
    let settings = writer.workspace.root().join(plan.file);
    let folder = place.user_state.as_ref().map(ShellFolder::of);
    if let Some(folder) = folder.filter(|folder| folder.serves_others(&settings, owner)) {
        if writer.writes()
            && let Err(error) = folder.uninstall(&settings, owner)
        {
            writer.fail(&ChangeError::World(anyhow::anyhow!("cannot record the change: {error}")));
        }
        return;
    }
    let mut named = None;
    let planned = Change::plan_removal(writer.workspace, plan.file, |text| {
        let failed = |error| ChangeError::edit(plan.file, text, error);
        if let ShellSetting::Ours(path) = plan.found_in(text).map_err(failed)? {
            named = Some(PathBuf::from(path));
        }
        plan.unregister(text).map_err(failed)
    });
    match planned {
        Err(error) => writer.fail(&error),
        Ok(change) if change.is_nothing() => {}
        Ok(change) => {
            if writer.apply(&change) {
                let did = if writer.writes() { "removed" } else { "would remove" };
                output::note(&format!(
                    "✓ {}: {did} {} in {}{}",
                    plan.host.title(),
                    plan.variable,
                    writer.prefix,
                    plan.file
                ));
                if writer.writes() {
                    uninstall(level, named.as_deref(), place, (&settings, owner), writer);
                }
            }
        }
    }
}

fn uninstall(
    level: Level,
    named: Option<&Path>,
    place: &Place,
    (settings, owner): (&AbsPath, &AbsPath),
    writer: &mut Writer<'_>,
) {
    let done = match (level, &place.user_state) {
        (Level::Managed, _) => named.map_or(Ok(()), ShellFolder::uninstall_beside),
        (_, Some(state)) => ShellFolder::of(state).uninstall(settings, owner),
        (_, None) => Ok(()),
    };
    if let Err(error) = done {
        writer.fail(&ChangeError::World(anyhow::anyhow!(
            "cannot remove the program in front of the shell: {error}"
        )));
    }
}

/// Calls `edit` with the writer of the folder that contains the file of a plan, and the plan of the file there.
fn in_folder_of(
    plan: &ShellPlan,
    place: &Place,
    writer: &mut Writer<'_>,
    edit: impl FnOnce(&mut Writer<'_>, &ShellPlan),
) {
    if plan.root != Some(Root::Home) {
        return edit(writer, plan);
    }
    in_folder_of_user(plan.file, place, writer, |writer, file| {
        let mut moved = *plan;
        moved.file = file;
        edit(writer, &moved);
    });
}
