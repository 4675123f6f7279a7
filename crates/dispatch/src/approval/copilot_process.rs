//! The command line of the Copilot process that started this hook: the only place of its user's rules.

use std::fs;

use host::user_rules::COPILOT_PROGRAM;

/// More processes are not between Copilot and its hook.
const MOST: usize = 6;

/// Returns the words of Copilot's command line, and of every process above this one that may be Copilot: which of them has
/// the rules is not known, so all of them count. Returns `None` without such a process, or if one cannot be read, as on systems
/// without `/proc`.
pub(crate) fn command_lines() -> Option<Vec<Vec<String>>> {
    let mut found = Vec::new();
    let mut pid = parent_of("self")?;
    for _ in 0..MOST {
        let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let words: Vec<String> = line
            .split(|byte| *byte == 0)
            .filter(|word| !word.is_empty())
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        // The program itself, or the script that a runtime runs.
        let names = words.iter().take(3).filter(|word| !word.starts_with('-'));
        let is_hook = words.iter().any(|word| word.contains("dispatch"));
        if !is_hook && names.into_iter().any(|word| is_copilot(word)) {
            found.push(words);
        }
        let Some(parent) = parent_of(&pid) else { break };
        pid = parent;
    }
    (!found.is_empty()).then_some(found)
}

/// Returns whether Copilot asks about no command, because its command line permits all tools and all paths; for a command
/// with an address, all addresses too.
pub(crate) fn asks_nothing(line: &[String], has_address: bool) -> bool {
    let has = |option: &str| line.iter().any(|word| word == option);
    let is_everything = has("--allow-all") || has("--yolo");
    let is_each = has("--allow-all-tools") && has("--allow-all-paths");
    is_everything || is_each && (!has_address || has("--allow-all-urls"))
}

/// Returns whether a word is the path of Copilot's program or of a file of its package.
fn is_copilot(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    stem == COPILOT_PROGRAM
        || stem.starts_with("copilot-")
        || word.split('/').any(|part| part == COPILOT_PROGRAM) && !word.ends_with('/')
}

fn parent_of(pid: &str) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The program's name is in parentheses and may contain anything.
    let parent = stat[stat.rfind(')')? + 1..].split_ascii_whitespace().nth(1)?;
    (parent != "0").then(|| parent.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_command_line_that_permits_everything_asks_nothing() {
        for (line, plain, with_address) in [
            ("copilot --allow-all", true, true),
            ("copilot -p x --yolo", true, true),
            ("copilot --allow-all-tools --allow-all-paths -p x", true, false),
            ("copilot --allow-all-tools --allow-all-paths --allow-all-urls", true, true),
            ("copilot --allow-all-tools", false, false),
            ("copilot --allow-all-paths", false, false),
            ("copilot --allow-tool shell", false, false),
            ("copilot", false, false),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(
                [asks_nothing(&words, false), asks_nothing(&words, true)],
                [plain, with_address],
                "{line}"
            );
        }
    }
}
