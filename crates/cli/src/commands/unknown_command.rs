//! The tip for a command that does not exist.
//!
//! clap proposes commands that are spelled alike, however far: `session` for `version`. A word that another program uses for
//! the same thing leads to our command instead.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use config_file::nearest;

/// Words of other programs, and the command here with its effect.
const TIPS: [(&[&str], &str); 14] = [
    (
        &["install", "setup", "register", "start", "hook", "hooks"],
        "`steersman init` registers with agent programs",
    ),
    (&["remove", "rm", "delete", "unregister", "off", "clean"], "`steersman uninstall` undoes `init`"),
    (
        &["disable", "enable", "on", "modules"],
        "`steersman module off NAME` turns a module off, `on` turns it on",
    ),
    (&["config", "settings"], "`steersman module list` lists the modules; settings: .ai/hooks/config.json"),
    (&["rule", "rules", "policy"], "`steersman shell rules` lists the guard's rules"),
    (&["list", "ls", "sessions", "history"], "`steersman session list` lists the sessions"),
    (&["show", "timeline", "journal", "events"], "`steersman log` shows the last session"),
    (&["why", "what", "reason"], "`steersman explain` explains the last call that was denied or asked about"),
    (&["check", "validate", "verify", "health", "info"], "`steersman doctor` checks everything here"),
    (
        &["test", "try", "judge", "eval", "simulate"],
        "`steersman shell explain 'COMMAND'` judges a command without running it",
    ),
    (
        &["allow", "permit", "unblock", "replay", "gc"],
        "`steersman session --help` lists the commands for sessions",
    ),
    (&["select", "scope", "task"], "`steersman intent select ID` selects the intent of this workspace"),
    (
        &["watch", "daemon", "server", "page", "ui", "dashboard", "web"],
        "`steersman serve` runs the automations and shows the page",
    ),
    (&["version"], "`steersman --version` prints the version"),
];

/// Replaces clap's tip about an unknown command by one that leads to the command that the user means, if there is one.
pub(super) fn with_tip(mut error: Error, commands: &[String]) -> Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    if error.kind() != ErrorKind::InvalidSubcommand || !is_top_level(&error) {
        return error;
    }
    let word = word.to_lowercase();
    let known =
        commands.iter().map(String::as_str).chain(TIPS.iter().flat_map(|(words, _)| words.iter().copied()));
    let meant = nearest(&word, known);
    let tip = TIPS.iter().find(|(words, _)| meant.is_some_and(|meant| words.contains(&meant)));
    match (tip, meant) {
        (Some((_, tip)), _) => {
            error.remove(ContextKind::SuggestedSubcommand);
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![(*tip).into()]));
        }
        (None, Some(meant)) => {
            let meant = ContextValue::Strings(vec![meant.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, meant);
        }
        (None, None) => {
            error.remove(ContextKind::SuggestedSubcommand);
        }
    }
    error
}

/// Returns whether the unknown word stands where the names of all commands do.
fn is_top_level(error: &Error) -> bool {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else { return false };
    usage.to_string().contains("steersman [OPTIONS] <COMMAND>")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::commands::{Cli, command_groups, names};

    fn printed(args: &[&str]) -> String {
        let mut command = command_groups::arrange(Cli::command());
        let names = names(&command);
        let error = command.try_get_matches_from_mut(args).unwrap_err();
        with_tip(error, &names).render().to_string()
    }

    #[test]
    fn a_tip_leads_to_the_command_that_is_meant() {
        for (word, tip) in [
            ("statsu", "a similar subcommand exists: 'status'"),
            ("instal", "steersman init"),
            ("install", "steersman init"),
            ("version", "steersman --version"),
            ("list", "steersman session list"),
            ("check", "steersman doctor"),
            ("remove", "steersman uninstall"),
        ] {
            let printed = printed(&["steersman", word]);
            assert!(printed.contains(tip), "{word}: {printed}");
        }
        let printed_far = printed(&["steersman", "frobnicate"]);
        assert!(!printed_far.contains("tip:"), "{printed_far}");
        let nested = printed(&["steersman", "session", "lst"]);
        assert!(nested.contains("'list'"), "{nested}");
    }

    #[test]
    fn no_tip_hides_a_command() {
        let command = command_groups::arrange(Cli::command());
        let names = names(&command);
        let words = TIPS.iter().flat_map(|(words, _)| words.iter());
        let hiding: Vec<&&str> = words.filter(|word| names.iter().any(|it| it.as_str() == **word)).collect();
        assert_eq!(hiding, [&""; 0]);
    }
}
