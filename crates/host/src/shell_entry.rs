//! How steersman gets in front of the shell that runs a host's commands, without another command in place of the
//! original: the user's own rules, prompts and stored answers keep seeing the original.
//!
//! Seen with the real programs; `cargo xtask clients --scenario confine` repeats it.

use crate::Host;

/// A way in front of a host's shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShellEntry {
    /// The host starts each shell through the program that a variable names.
    Prefix,
    /// The host starts bash, which first reads the file that `BASH_ENV` names.
    BashEnv,
    /// Only another command in place of the original, which steersman does not do: the user's rules, the prompts and what
    /// "always allow" stores would be about that one.
    Rewrite,
    /// None.
    Nowhere,
}

impl Host {
    /// Returns the way in front of the host's shell.
    pub const fn shell_entry(self) -> ShellEntry {
        match self {
            Self::ClaudeCode => ShellEntry::Prefix,
            Self::Codex | Self::Gemini | Self::Qwen => ShellEntry::BashEnv,
            Self::CopilotCli => ShellEntry::Rewrite,
            Self::VsCode | Self::Cursor | Self::Raw => ShellEntry::Nowhere,
        }
    }

    /// Returns why commands are not confined by default; `None` if they are.
    pub const fn why_unconfined(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode | Self::Gemini | Self::Qwen => None,
            Self::Codex => Some(
                "inside Codex's own sandbox, which it uses by default, no call can prove that it is confined",
            ),
            Self::CopilotCli => Some(
                "only a rewritten command would put steersman in front of the shell of Copilot CLI, and its rules and prompts would judge that one",
            ),
            Self::VsCode => Some(
                "VS Code runs commands in a terminal that is already open, so steersman cannot start in front of its shell",
            ),
            Self::Cursor => {
                Some("Cursor has no documented setting that starts a program in front of its shell")
            }
            Self::Raw => Some("`raw` is not a program"),
        }
    }

    /// Returns whether the shell of a command cannot tell which session it belongs to.
    pub const fn hides_session_from_shell(self) -> bool {
        matches!(self, Self::Gemini)
    }
}

/// The variable that names the program in front of Claude Code's shell.
pub const PREFIX_VARIABLE: &str = "CLAUDE_CODE_SHELL_PREFIX";

/// The variable that names the file that bash reads first.
pub const BASH_ENV_VARIABLE: &str = "BASH_ENV";

/// Returns the command of a tool call out of the lines in which a host wraps it for the shell.
///
/// Returns `None` for a string of another form; it may be the command itself.
pub fn wrapped_command(text: &str) -> Option<String> {
    of_claude(text).or_else(|| of_gemini(text)).or_else(|| of_codex(text))
}

/// `source SNAPSHOT && … && eval 'COMMAND' < /dev/null && pwd -P >| FILE`
fn of_claude(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("&& eval ")?;
    let (word, rest) = first_word(rest)?;
    rest.contains("pwd -P >|").then_some(word)
}

/// `shopt …; _bgpids_file=FILE`, `(`, a trap, the command, `)`, its exit code.
fn of_gemini(text: &str) -> Option<String> {
    let (before, rest) = text.split_once("' EXIT\n")?;
    let (command, _) = rest.rsplit_once("\n)\n__code=$?")?;
    before.contains("jobs -p >").then(|| command.to_owned())
}

/// A snapshot of the environment, then `exec '/bin/bash' -c 'COMMAND'`.
fn of_codex(text: &str) -> Option<String> {
    let (before, rest) = text.rsplit_once("\nexec '")?;
    let (_, rest) = rest.split_once("' -c ").or_else(|| rest.split_once("' -lc "))?;
    let (word, rest) = first_word(rest)?;
    (before.contains("__CODEX_SNAPSHOT") && rest.trim().is_empty()).then_some(word)
}

/// Returns the first word of a shell's text without its quotes, and the rest. Returns `None` if it has no end or needs
/// an expansion.
fn first_word(text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            ' ' | '\n' | '\t' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => return Some((word, &text[at..])),
            '\'' => loop {
                match chars.next()?.1 {
                    '\'' => break,
                    other => word.push(other),
                }
            },
            '"' => loop {
                match chars.next()?.1 {
                    '"' => break,
                    '$' | '`' => return None,
                    '\\' => {
                        let next = chars.next()?.1;
                        if !matches!(next, '"' | '\\' | '$' | '`' | '\n') {
                            word.push('\\');
                        }
                        if next != '\n' {
                            word.push(next);
                        }
                    }
                    other => word.push(other),
                }
            },
            '\\' => word.push(chars.next()?.1),
            '$' | '`' | '*' | '?' | '[' | '{' | '~' => return None,
            other => word.push(other),
        }
    }
    Some((word, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_taken_out_of_the_hosts_lines() {
        // Recorded from the programs, with shorter snapshots.
        let claude = |word: &str| {
            format!(
                "source /home/dev/.claude/shell-snapshots/snapshot-bash-1-x.sh 2>/dev/null || true && {{ \\builtin unalias -- 'which'; }} >/dev/null 2>&1 || true && eval {word} && pwd -P >| /tmp/claude-6d44-cwd"
            )
        };
        let codex = |word: &str| {
            format!(
                "__CODEX_SNAPSHOT_OVERRIDE_0=\"${{BASH_ENV-}}\"\nif x; then\nfi\n\nexec '/bin/bash' -c {word}"
            )
        };
        let gemini = |command: &str| {
            format!(
                "shopt -u promptvars nullglob; _bgpids_file=/tmp/g/bgpids.tmp\n(\n  trap 'jobs -p > \"$_bgpids_file\"' EXIT\n{command}\n)\n__code=$?\nexit $__code"
            )
        };
        for (text, command) in [
            (claude("false < /dev/null"), "false"),
            (claude("'sleep 1; echo BG' < /dev/null"), "sleep 1; echo BG"),
            (claude(r#"'x='"'"'a b'"'"'; echo "it'"'"'s $x"' < /dev/null"#), "x='a b'; echo \"it's $x\""),
            (claude("'cat <<'\"'\"'E'\"'\"'\nhere\nE\n'"), "cat <<'E'\nhere\nE\n"),
            (
                claude("'echo a && eval '\"'\"'b'\"'\"' && pwd -P >| c' < /dev/null"),
                "echo a && eval 'b' && pwd -P >| c",
            ),
            (codex("'echo hi | cat'"), "echo hi | cat"),
            (codex("'echo '\"'\"'x'\"'\"''"), "echo 'x'"),
            (gemini("cd src"), "cd src"),
            (gemini("cat <<'E'\n)\n__code=$?\nE"), "cat <<'E'\n)\n__code=$?\nE"),
        ] {
            assert_eq!(wrapped_command(&text).as_deref(), Some(command), "{text}");
        }
        for text in [
            "make",
            "eval 'x'",
            "a && eval 'x'",
            "exec '/bin/bash' -c 'x'",
            "a && eval \"$X\" && pwd -P >| f",
        ] {
            assert_eq!(wrapped_command(text), None, "{text}");
        }
    }
}
