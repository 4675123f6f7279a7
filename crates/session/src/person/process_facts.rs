//! Reads the facts about a process that the rule needs beyond its place in the chain.

use std::fs;
use std::path::Path;

use super::host_programs::{AGENT_PACKAGES, AGENTS, INTERPRETERS};
use super::process_chain::{self, Process};
use super::rule::ProcessFacts;

/// Variables that make the loader of programs add code.
const PRELOADS: [&str; 3] = ["LD_PRELOAD=", "LD_AUDIT=", "LD_LIBRARY_PATH="];

/// The processes of this system.
pub(super) struct System;

impl ProcessFacts for System {
    fn runs(&self, process: (u32, u64)) -> bool {
        process_chain::start_of(process.0) == Some(process.1)
    }

    fn is_agent(&self, process: &Process) -> bool {
        let program = process.program.as_str();
        AGENTS.contains(&program) || (INTERPRETERS.contains(&program) && runs_agent(&words(process.pid)))
    }

    fn is_untouched(&self, process: &Process) -> bool {
        let read = |name: &str| fs::read(format!("/proc/{}/{name}", process.pid));
        let (Ok(maps), Ok(environment)) = (read("maps"), read("environ")) else { return false };
        has_only_system_code(&String::from_utf8_lossy(&maps))
            && !preloads(&String::from_utf8_lossy(&environment))
            && !is_given_command(&words(process.pid))
    }
}

/// Returns the words of the command line of a process.
fn words(pid: u32) -> Vec<String> {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    words.filter(|word| !word.is_empty()).collect()
}

/// Returns whether an interpreter runs an agent program: by the title that the program gave the process, or by its script.
fn runs_agent(words: &[String]) -> bool {
    let script = words.iter().skip(1).find(|word| !word.starts_with('-'));
    words.first().into_iter().chain(script).any(|word| {
        let name = Path::new(word).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let name = name.split([' ', '.']).next().unwrap_or_default();
        AGENTS.contains(&name) || AGENT_PACKAGES.iter().any(|package| word.contains(package))
    })
}

/// Returns whether all code that a process has mapped from files is of the system.
fn has_only_system_code(maps: &str) -> bool {
    maps.lines().all(|line| {
        let mut fields = line.split_ascii_whitespace();
        let is_code = fields.nth(1).is_some_and(|permissions| permissions.contains('x'));
        let path = line.find('/').map(|at| line[at..].trim_end_matches(" (deleted)"));
        // A library that an update has replaced is not there any more.
        let is_foreign =
            |path: &str| !process_chain::is_of_system(Path::new(path)) && !is_replaced(Path::new(path));
        !is_code || !path.is_some_and(is_foreign)
    })
}

fn is_replaced(path: &Path) -> bool {
    !path.exists() && path.starts_with("/usr/lib")
}

fn preloads(environment: &str) -> bool {
    environment.split('\0').any(|entry| PRELOADS.iter().any(|name| entry.starts_with(name)))
}

/// Returns whether a command line names more than switches, such as a command for a terminal to run.
fn is_given_command(words: &[String]) -> bool {
    words.iter().skip(1).any(|word| {
        let is_switch = word.starts_with("--") && word.len() > 2;
        !is_switch || word.contains("command") || word.contains("exec")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn an_interpreter_is_an_agent_program_by_its_script_or_title() {
        for (line, expected) in [
            ("node /usr/local/bin/claude --resume", true),
            ("node --max-old-space-size=4096 /opt/lib/node_modules/@google/gemini-cli/dist/index.js", true),
            ("claude", true),
            ("node /home/me/node_modules/@openai/codex/bin/codex.js exec", true),
            ("node server.js claude", false),
            ("node", false),
            ("node /srv/claudette.js", false),
        ] {
            assert_eq!(runs_agent(&split(line)), expected, "{line}");
        }
    }

    #[test]
    fn a_terminal_with_a_command_or_foreign_code_is_not_untouched() {
        assert!(!is_given_command(&split("gnome-shell --mode=user")));
        assert!(!is_given_command(&split("/usr/lib/systemd/systemd --user")));
        for line in ["xterm -e sh", "kgx --command=sh", "foot sh", "kitty -- sh", "alacritty -esh"] {
            assert!(is_given_command(&split(line)), "{line}");
        }
        assert!(preloads("HOME=/root\0LD_PRELOAD=/tmp/x.so\0"));
        assert!(!preloads("HOME=/root\0OLD_PRELOAD=x\0"));
        let code = |path: &str| format!("7f0000-7f1000 r-xp 00000000 00:00 1    {path}");
        assert!(has_only_system_code(&code("[vdso]")));
        assert!(has_only_system_code(&code("/usr/lib/gone.so.6 (deleted)")));
        assert!(has_only_system_code(&code("/memfd:x").replace("r-xp", "rw-p")));
        for path in ["/memfd:x (deleted)", "/tmp/x.so", "/tmp/x.so (deleted)", "/home/me/lib/x y.so"] {
            assert!(!has_only_system_code(&code(path)), "{path}");
        }
    }
}
