//! Copilot's rules, which are options of its command line: `--deny-tool 'shell(git push)'`.

use super::settings::parsed_rule;
use super::{RuleFolders, Subject, UserRule};

/// A part of the name of Copilot's program, by which its process is found.
pub const COPILOT_PROGRAM: &str = "copilot";

/// Returns the rules on the command line of Copilot that deny. Returns `None` in plan mode, in which nothing is
/// approved.
pub fn of_copilot(args: &[String], folders: &RuleFolders<'_>) -> Option<Vec<UserRule>> {
    let mut rules = Vec::new();
    let mut args = args.iter().peekable();
    while let Some(arg) = args.next() {
        let (option, mut value) = match arg.split_once('=') {
            Some((option, value)) => (option, Some(value.to_owned())),
            None => (arg.as_str(), None),
        };
        match option {
            "--plan" | "--autopilot" | "--available-tools" => return None,
            "--mode" => {
                let mode = value.take().or_else(|| args.peek().map(|next| (*next).clone()));
                if mode.as_deref() != Some("interactive") {
                    return None;
                }
            }
            // No approved command has an address.
            "--deny-url" => {}
            "--deny-tool" | "--excluded-tools" => {
                let mut values: Vec<String> = value.take().into_iter().collect();
                // The option takes several values, up to the next option.
                while let Some(next) = args.peek().filter(|next| !next.starts_with('-')) {
                    values.push((*next).clone());
                    args.next();
                }
                if values.is_empty() {
                    rules.push(UserRule { text: arg.clone(), subject: Subject::All });
                }
                for value in values {
                    rules.extend(listed(&value).into_iter().flat_map(|part| parsed_rule(part, folders)));
                }
            }
            // An option of a newer version that restricts.
            option if option.starts_with("--") && RESTRICTS.iter().any(|part| option.contains(part)) => {
                return None;
            }
            _ => {}
        }
    }
    Some(rules)
}

/// Parts of the names of options that restrict what the program may do.
const RESTRICTS: [&str; 7] = ["deny", "disallow", "exclu", "available", "restrict", "forbid", "plan"];

/// Splits a list at its commas; those in parentheses belong to a pattern.
fn listed(value: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = value.split(|letter: char| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::CallFacts;
    use super::*;

    #[test]
    fn a_denied_tool_on_the_command_line_is_found_in_every_spelling() {
        let folders = RuleFolders {
            home: Path::new("/home/dev"),
            workspace: Path::new("/home/dev/shop"),
            folder: Path::new("/home/dev/shop"),
            transcript: None,
            moved: &[],
        };
        let call = CallFacts {
            commands: vec![vec!["git".into(), "push".into()]],
            tools: vec!["bash".into(), "shell".into()],
            ..CallFacts::default()
        };
        for (line, expected) in [
            ("copilot --deny-tool shell(git:*)", Some(true)),
            ("copilot --deny-tool=shell", Some(true)),
            ("copilot --deny-tool write shell(git)", Some(true)),
            ("copilot --deny-tool write,shell", Some(true)),
            ("copilot --deny-tool shell(rm) -p x", Some(false)),
            ("copilot --deny-tool=shell(rm),shell(git)", Some(true)),
            ("copilot --deny-tool=shell(rm,x),write", Some(false)),
            ("copilot --excluded-tools bash", Some(true)),
            ("copilot --excluded-tools view", Some(false)),
            ("copilot --available-tools view", None),
            ("copilot --autopilot", None),
            ("copilot --disallow-tool shell", None),
            ("copilot --deny-url=x", Some(false)),
            ("copilot --allow-tool shell", Some(false)),
            ("copilot --deny-tool", Some(true)),
            ("copilot --deny-tool -p x", Some(true)),
            ("copilot --mode plan", None),
            ("copilot --mode=plan", None),
            ("copilot --plan", None),
            ("copilot --mode autopilot", None),
            ("copilot --mode interactive", Some(false)),
        ] {
            let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let found =
                of_copilot(&args, &folders).map(|rules| rules.iter().any(|rule| rule.is_about(&call)));
            assert_eq!(found, expected, "{line}");
        }
    }
}
