//! Whether the kernel can confine commands, by which mechanism, and on which agent programs commands run confined.

use confine::{Backend, Obstacle, Support};
use host::install::{Root, ShellPlan, ShellSetting};
use host::{Host, ShellEntry};
use project_config::{Config, ConfineMode, ConfineSettings};

use super::finding::{Finding, Mark, Section};
use crate::commands::Place;
use crate::commands::hosts;
use crate::commands::init::shell_plans;
use crate::commands::level::Level;
use crate::environment::{self, UserFile};

/// Tries it in a child process, and reads the settings of the programs in use.
pub(super) fn examine(place: &Place) -> Section {
    let support = confine::support();
    let mut findings = vec![match support.backend {
        Some(Backend::Namespace) => {
            Finding::new(Mark::Fine, "`steersman run` confines commands by namespaces")
        }
        Some(Backend::Landlock) => Finding::new(
            Mark::Warning,
            format!(
                "`steersman run` confines commands by Landlock {} only: sockets and modes of files stay reachable",
                support.landlock
            ),
        ),
        None => Finding::new(Mark::Info, "`steersman run` cannot confine commands on this system"),
    }];
    findings.extend(support.obstacles.iter().map(obstacle));
    findings.extend(of_sessions(place, &support));
    Section { name: "confinement", title: "Confinement", findings }
}

/// Tells for each program in use whether the commands of its sessions run confined, and why.
fn of_sessions(place: &Place, support: &Support) -> Vec<Finding> {
    let config = Config::load(&place.workspace).unwrap_or_default();
    let settings: ConfineSettings = config.typed(ConfineSettings::SECTION).unwrap_or_default();
    let has_intents =
        place.workspace.intents_file().as_path().exists() && !modules::IntentSettings::observes(&config);
    let hosts = hosts::in_use(place).into_iter().map(|found| found.host);
    hosts
        .filter(|host| *host != Host::Raw)
        .map(|host| of_host(host, &settings, has_intents, support))
        .collect()
}

fn of_host(host: Host, settings: &ConfineSettings, has_intents: bool, support: &Support) -> Finding {
    let title = host.title();
    let mode = settings.mode_on(host, has_intents);
    let source = match (settings.mode, has_intents) {
        (Some(_), _) => "by the settings",
        (None, true) => "the default under intents",
        (None, false) => "the default without intents",
    };
    if mode == ConfineMode::Off {
        let why = match (settings.mode, has_intents, host.why_unconfined()) {
            (None, true, Some(why)) => why,
            _ => source,
        };
        return Finding::new(Mark::Info, format!("{title}: commands run unconfined: {why}"));
    }
    let mark = if mode == ConfineMode::Required { Mark::Wrong } else { Mark::Warning };
    let named = format!("`\"confine\": \"{}\"`, {source}", mode.as_str());
    if support.backend.is_none() {
        let text = format!(
            "{title}: commands run unconfined, against the settings ({named}): this system has no mechanism"
        );
        return Finding::new(mark, text);
    }
    match obstacle_in_front(host) {
        None if host.shell_entry() == ShellEntry::Rewrite => Finding::new(
            Mark::Info,
            format!(
                "{title}: commands run confined ({named}) if it asks about none of them (`--allow-all`); a command that it would ask about runs unconfined, because it would ask about the wrapper instead"
            ),
        ),
        None => Finding::new(Mark::Fine, format!("{title}: commands run confined ({named})")),
        Some((why, hint)) => Finding::new(
            mark,
            format!("{title}: commands run unconfined, against the settings ({named}): {why}"),
        )
        .hint(hint),
    }
}

/// Returns why steersman is not in front of a host's shell, and what to do.
fn obstacle_in_front(host: Host) -> Option<(String, String)> {
    let init = format!("run `steersman init --host {}`", host.name());
    match host.shell_entry() {
        // Whether it asks is an option of its command line, which only its own process knows.
        ShellEntry::Rewrite if environment::is_in_front_of_shell(host) => None,
        ShellEntry::Rewrite => {
            Some(("the program that runs its commands confined is not installed".to_owned(), init))
        }
        ShellEntry::Nowhere => {
            let why = host.why_unconfined().unwrap_or("steersman cannot start in front of its shell");
            Some((why.to_owned(), "use `steersman run` for such commands".to_owned()))
        }
        ShellEntry::BashEnv if host == Host::Qwen => {
            let is_set = environment::is_in_front_of_shell(host);
            (!is_set).then(|| {
                let file = environment::user_state()
                    .map_or_else(String::new, |state| store::ShellFolder::of(&state).bash_env().to_string());
                let why =
                    "`BASH_ENV` is not set in this environment, the only place from which Qwen Code reads it";
                (why.to_owned(), format!("start it with `BASH_ENV={file}`"))
            })
        }
        ShellEntry::Prefix | ShellEntry::BashEnv => {
            // The strongest settings decide; the committed ones of a project beat the user's own.
            let strongest = settings_of(host).into_iter().find(|(_, found)| *found != ShellSetting::Missing);
            match strongest {
                None => Some(("its settings do not name the program in front of the shell".to_owned(), init)),
                Some((file, ShellSetting::Ours(path))) if !std::path::Path::new(&path).exists() => {
                    Some((format!("{file} names `{path}`, which does not exist"), init))
                }
                Some((file, ShellSetting::Foreign(other))) => {
                    let why = format!(
                        "{file} sets the variable for the program in front of the shell to `{other}`"
                    );
                    let hint = "remove the variable there, or pin it with `steersman init --managed`";
                    Some((why, hint.to_owned()))
                }
                Some((_, ShellSetting::Ours(_) | ShellSetting::Missing)) => None,
            }
        }
    }
}

/// Returns the variable's values in the settings of all levels, the strongest first.
fn settings_of(host: Host) -> Vec<(String, ShellSetting)> {
    let folder = environment::folder();
    let project = store::Workspace::root_of(&folder);
    let plans = |level| shell_plans(level).iter().copied();
    let all = plans(Level::Managed)
        .chain(plans(Level::Project))
        .chain([ShellPlan::COMMITTED])
        .chain(plans(Level::User));
    let read = |plan: ShellPlan| {
        let (path, shown) = match plan.root {
            None => {
                let path = environment::managed_root().join(plan.file);
                (path.clone(), path.to_string())
            }
            Some(Root::Home) => {
                let own = UserFile::of(plan.file)?;
                (own.path(), own.shown())
            }
            Some(Root::Workspace | Root::Path) => (project.join(plan.file), plan.file.to_owned()),
        };
        let text = std::fs::read_to_string(path.as_path()).unwrap_or_default();
        let setting = plan.found_in(&text).unwrap_or(ShellSetting::Missing);
        Some((shown, setting))
    };
    all.filter(|plan| plan.host == host).filter_map(read).collect()
}

fn obstacle(obstacle: &Obstacle) -> Finding {
    let found = Finding::new(Mark::Info, format!("not by {obstacle}"));
    match (obstacle.backend, restricts_namespaces()) {
        (Backend::Namespace, true) => found.hint(
            "the sysctl `kernel.apparmor_restrict_unprivileged_userns` is 1: install an AppArmor profile with `userns,` for the path of steersman",
        ),
        (Backend::Namespace, false) => found.hint("permit user namespaces: check `user.max_user_namespaces` and the container's seccomp profile"),
        (Backend::Landlock, _) => found.hint("use Linux 5.13 or newer with `landlock` in the list of security modules"),
    }
}

fn restricts_namespaces() -> bool {
    std::fs::read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
        .is_ok_and(|value| value.first() == Some(&b'1'))
}
