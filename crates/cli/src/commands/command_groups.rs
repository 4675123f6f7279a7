//! The commands in the groups in which `--help` shows them.

use std::fmt::Write;

use clap::Command;

/// The layout of `--help`: the groups take the place of clap's one list.
pub(super) const TEMPLATE: &str = "\
{about-with-newline}
{usage-heading} {usage}

{before-help}Options:
{options}{after-help}
";

/// The groups, in the order in which users need them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Start", &["demo", "init", "status", "doctor", "trust", "untrust", "uninstall", "help"]),
    ("Look", &["log", "explain", "session", "trace", "shell"]),
    (
        "Rules",
        &["module", "intent", "plan", "agent", "memory", "hold", "release", "stop", "ask", "approve", "run"],
    ),
    ("Background", &["automation", "emit", "serve"]),
    ("Plumbing", &["dispatch", "mcp", "redact", "schema", "completions"]),
];

/// Returns the command with its subcommands in groups.
pub(super) fn arrange(mut command: Command) -> Command {
    command.build();
    let text = groups(&command);
    command.before_help(text)
}

fn groups(command: &Command) -> String {
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "{title}:");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {name:<12} {about}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use ::shell::guard::{OwnCommand, own_command};
    use ::shell::{Place, read};
    use clap::CommandFactory;

    use super::*;
    use crate::commands::Cli;

    #[test]
    fn every_command_is_in_one_group() {
        let mut command = Cli::command();
        command.build();
        let mut expected: Vec<String> = command
            .get_subcommands()
            .filter(|it| !it.is_hide_set())
            .map(|it| it.get_name().to_owned())
            .collect();
        let mut grouped: Vec<String> =
            GROUPS.iter().flat_map(|(_, names)| *names).map(|name| (*name).to_owned()).collect();
        expected.sort();
        grouped.sort();
        assert_eq!(grouped, expected, "list every command in `GROUPS`");
        let widest = groups(&command).lines().map(str::len).max();
        assert!(widest.is_some_and(|widest| widest <= 80), "{}", groups(&command));
    }

    #[test]
    fn the_guard_knows_who_may_run_each_command() {
        let mut command = Cli::command();
        command.build();
        let unknown: Vec<String> =
            paths(&command).into_iter().filter(|path| who_may_run(path).is_none()).collect();
        assert_eq!(
            unknown, [""; 0],
            "add them to `own_command` in crates/shell/src/programs/special/steersman.rs"
        );
    }

    #[test]
    fn the_guard_knows_that_a_printing_command_changes_nothing() {
        let mut command = Cli::command();
        command.build();
        let all = paths(&command);
        let is_group = |path: &String| all.iter().any(|other| other.starts_with(&format!("{path} ")));
        let prints = |path: &String| who_may_run(path) == Some(OwnCommand::Prints);
        let is_known = |path: &String| read(&format!("steersman {path}"), &Place::at("/work")).is_read_only();
        let unknown: Vec<&String> =
            all.iter().filter(|path| prints(path) && !is_group(path) && !is_known(path)).collect();
        assert_eq!(
            unknown, [""; 0],
            "add them to the row `steersman` of crates/shell/src/programs/looks/system.txt"
        );
    }

    /// The options with which a printing command writes.
    const WRITING: [&str; 1] = ["session coverage --record"];

    #[test]
    fn the_guard_knows_the_options_of_a_printing_command() {
        let mut command = Cli::command();
        command.build();
        let mut unknown = Vec::new();
        for path in paths(&command).into_iter().filter(|path| who_may_run(path) == Some(OwnCommand::Prints)) {
            let named = path.split(' ').try_fold(&command, |it, word| it.find_subcommand(word)).unwrap();
            for arg in named.get_arguments().filter(|_| !named.has_subcommands()) {
                let Some(option) = arg.get_long() else { continue };
                let value = if arg.get_action().takes_values() { "=x" } else { "" };
                let line = format!("{path} --{option}{value}");
                let is_known = read(&format!("steersman {line}"), &Place::at("/work")).is_read_only();
                if is_known == WRITING.contains(&line.as_str()) {
                    unknown.push(line);
                }
            }
        }
        assert_eq!(
            unknown, [""; 0],
            "add them to the row `steersman` of crates/shell/src/programs/looks/system.txt, or to `WRITING`"
        );
    }

    #[test]
    fn the_documentation_shows_every_command() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let pages = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
        let pages = pages.filter(|path| path.extension().is_some_and(|it| it == "md"));
        let text: String = pages.map(|page| fs::read_to_string(page).unwrap()).collect();
        let names = GROUPS.iter().flat_map(|(_, names)| *names).filter(|name| **name != "help");
        let missing: Vec<&&str> = names.filter(|name| !text.contains(&format!("steersman {name}"))).collect();
        assert!(missing.is_empty(), "describe {missing:?} on a page in docs/");
    }

    fn who_may_run(path: &str) -> Option<OwnCommand> {
        let (command, subcommand) = path.split_once(' ').unwrap_or((path, ""));
        own_command(command, subcommand)
    }

    /// Returns the words of every command and subcommand, such as `mcp pins accept`.
    fn paths(command: &Command) -> Vec<String> {
        let below = |it: &Command| {
            let inner = paths(it).into_iter().map(|path| format!("{} {path}", it.get_name()));
            std::iter::once(it.get_name().to_owned()).chain(inner).collect::<Vec<_>>()
        };
        command.get_subcommands().filter(|it| it.get_name() != "help").flat_map(below).collect()
    }
}
