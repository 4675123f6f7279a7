//! Decides whether the definition of an agent, a command or a skill of Claude Code can run something by itself.
//!
//! Front matter may declare hooks, servers and tools that need no permission, and the text may contain commands that run
//! when it is read. None of these is judged by a hook. Every line must be known to do nothing of this kind.

use std::path::Path;

/// The folders with definitions.
const FOLDERS: [&str; 3] = ["/.claude/agents/", "/.claude/commands/", "/.claude/skills/"];

/// The keys of front matter that only describe or restrict.
const HARMLESS_KEYS: [&str; 17] = [
    "agent",
    "argument-hint",
    "arguments",
    "color",
    "context",
    "description",
    "disable-model-invocation",
    "disallowedTools",
    "effort",
    "license",
    "maxTurns",
    "model",
    "name",
    "tools",
    "user-invocable",
    "version",
    "when_to_use",
];

/// Words that no line may begin with, wherever it is: another reader may find the front matter elsewhere.
const ACTIVE_WORDS: [&str; 4] = ["hooks", "mcpservers", "allowed-tools", "permissionmode"];

/// Returns whether writing this content to this file adds nothing that runs by itself.
pub(super) fn is_plain(path: &str, content: &str) -> bool {
    let is_text = Path::new(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
    let path = path.to_ascii_lowercase();
    let is_definition = is_text && FOLDERS.iter().any(|folder| path.contains(folder));
    is_definition
        && !content.contains("!`")
        && !content.contains("```!")
        && !content.chars().any(is_odd)
        && !content.lines().any(is_active)
        && has_plain_front_matter(content)
}

/// Returns whether a character may be the end of a line to another reader, or is invisible.
fn is_odd(letter: char) -> bool {
    letter.is_control() && letter != '\n' && letter != '\t'
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

fn is_active(line: &str) -> bool {
    let word = line.trim_start_matches(|letter: char| !letter.is_alphabetic()).to_lowercase();
    ACTIVE_WORDS.iter().any(|active| word.starts_with(active))
}

/// Returns whether each line of the front matter is empty, a comment, a harmless key, or belongs to the key before it.
fn has_plain_front_matter(content: &str) -> bool {
    let mut lines = content.lines();
    let Some(first) = lines.next() else { return true };
    if !first.contains("---") {
        // Front matter begins at the start of the file.
        return !content.trim_start_matches(|letter: char| !letter.is_ascii_graphic()).starts_with("---");
    }
    if first.trim_end() != "---" {
        return false;
    }
    let mut has_key = false;
    for line in lines {
        if line.trim_end() == "---" {
            return true;
        }
        let belongs_to_key = has_key && line.starts_with([' ', '-']);
        if line.trim().is_empty() || line.starts_with('#') || belongs_to_key {
            continue;
        }
        let key = line.split_once(':').filter(|(_, value)| value.is_empty() || value.starts_with(' '));
        if !key.is_some_and(|(key, _)| HARMLESS_KEYS.contains(&key)) {
            return false;
        }
        has_key = true;
    }
    // It has no end.
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "/w/.claude/agents/reviewer.md";

    #[test]
    fn definitions_that_describe_are_plain() {
        for content in [
            "",
            "Review the change.\n",
            "---\nname: reviewer\ndescription: Reviews changes: all of them\ntools: Read, Grep\nmodel: sonnet\n---\nReview.\n",
            "---\nname: a\ndescription: >\n  Reviews\n  changes\ntools:\n  - Read\n- Grep\n# note\n\n---\n\nRun `cargo test`!\n\n---\n",
            "Use the hooks of React.\n",
        ] {
            assert!(is_plain(FILE, content), "{content}");
        }
        assert!(is_plain("/w/.claude/skills/build/SKILL.md", "---\nname: build\n---\nBuild it.\n"));
    }

    #[test]
    fn everything_that_may_run_by_itself_is_not() {
        for content in [
            "---\nhooks:\n  Stop: []\n---\n",
            "---\nname: a\nhooks: {}\n---\n",
            "---\nname: a\n\"hooks\": {}\n---\n",
            "---\nname: a\n'hooks' : {}\n---\n",
            "---\nname: a\n? hooks\n: {}\n---\n",
            "---\n{name: a, hooks: {}}\n---\n",
            "---\n name: a\n hooks: {}\n---\n",
            "---\n<<: {hooks: {}}\n---\n",
            "---\nname: &a x\n*a : y\n---\n",
            "---\n\"h\\u006foks\": {}\n---\n",
            "---\n!!str hooks: {}\n---\n",
            "---\nmcpServers:\n  - x\n---\n",
            "---\nallowed-tools: Bash\n---\n",
            "---\npermissionMode: bypassPermissions\n---\n",
            "---\nunknown: 1\n---\n",
            "---\nname: a\n",
            "--- \nname: a\nhooks: {}\n---\n",
            "\u{feff}---\nhooks: {}\n---\n",
            "\u{feff}---\n\"h\\u006foks\": {}\n---\n",
            "\n\n---\n\"h\\u006foks\": {}\n---\n",
            "---\rhooks: {}\r---\r",
            "---\r\nname: a\r\n---\r\n",
            "--- # x\nname: a\n---\n",
            "---\nname: a\n\thooks: {}\n---\n",
            "---\nname: a\n---\nState: !`rm -rf ~`\n",
            "---\nname: a\n---\n```!\nrm -rf ~\n```\n",
            "text\n---\nhooks: {}\n---\n",
            "---\nname: a\u{2028}\"h\\u006foks\": {}\n---\n",
            "---\nname: a\u{85}\"h\\u006foks\": {}\n---\n",
        ] {
            assert!(!is_plain(FILE, content), "{content:?}");
        }
    }

    #[test]
    fn only_definitions_are_judged_by_their_content() {
        for path in [
            "/w/.claude/skills/build/run.sh",
            "/w/.claude/settings.json",
            "/w/.vscode/settings.json",
            "/w/.claude/agents",
            "/w/.claude/agents/x.json",
        ] {
            assert!(!is_plain(path, "x"), "{path}");
        }
    }
}
