//! Commands and options of agent programs that switch their hooks off or change their settings.
//!
//! Each was seen in the help of the real program: `codex features disable hooks` writes `[features] hooks = false`
//! into the user's settings, `claude --safe-mode` starts a session without hooks.

use crate::guard::RuleId;
use crate::text::Text;
use crate::walk::{Call, Walker};

/// Options that start a session without its hooks or without the settings that contain them.
const WITHOUT_HOOKS: [&str; 4] = ["--bare", "--safe-mode", "--setting-sources", "--ignore-user-config"];

/// Subcommands that write settings: a program, its command, and the verbs that write.
const WRITES_SETTINGS: &[(&str, &str, &str)] = &[
    ("claude", "config", "set|add|remove|rm"),
    ("claude", "mcp", "add|add-json|add-from-claude-desktop|remove|reset-project-choices"),
    ("claude", "plugin|plugins", "install|i|uninstall|remove|enable|disable|update|marketplace"),
    ("codex", "features", "enable|disable"),
    ("codex", "mcp", "add|remove"),
    ("codex", "plugin", "add|remove|marketplace"),
    ("copilot", "mcp", "add|remove|enable|disable|edit"),
    ("copilot", "plugin", "install|uninstall|enable|disable|update|marketplace"),
    ("cursor-agent", "mcp", "enable|disable|login"),
    ("gemini|qwen", "extensions|extension", "install|link|uninstall|enable|disable|update|new"),
    ("gemini|qwen", "hooks|hook", "migrate|enable|disable"),
    ("gemini|qwen", "mcp", "add|remove|enable|disable|approve|reject"),
];

/// Checks a call of an agent program.
pub(super) fn check(walker: &mut Walker<'_>, call: &Call) {
    let words: Vec<&str> = call.rest().iter().map(|word| word.text.as_str()).collect();
    if words.iter().any(|word| is_switch(word)) || disables_feature(&words) || moves_settings(walker, call) {
        walker.risk(RuleId::GuardOff, format!("{} without its hooks", call.name), call.span);
    }
    if let Some(command) = settings_command(&call.name, &words) {
        walker.risk(RuleId::AgentSettings, format!("{} {command}", call.name), call.span);
    }
    if call.name == "copilot" && words.iter().any(|word| word.split('=').next() == Some("--config-dir")) {
        walker.risk(RuleId::GuardOff, "copilot with other settings", call.span);
    }
    for file in settings_files(call) {
        check_settings_file(walker, call, &file);
    }
}

/// The files of `claude --settings FILE`; settings on the line itself are read with the other words.
fn settings_files(call: &Call) -> Vec<Text> {
    let words = call.rest();
    let given = words.iter().enumerate().filter_map(|(at, word)| match word.text.as_str() {
        "--settings" => words.get(at + 1).cloned(),
        text => {
            text.strip_prefix("--settings=").map(|value| word.slice(text.len() - value.len(), text.len()))
        }
    });
    given.filter(|file| !file.text.trim_start().starts_with('{') && !file.text.is_empty()).collect()
}

/// Denies settings that switch hooks or permissions off; asks about a file that cannot be read.
fn check_settings_file(walker: &mut Walker<'_>, call: &Call, file: &Text) {
    match walker.script_content(file, call.span).filter(Text::is_known) {
        Some(content) => {
            let dense: String = content.text.chars().filter(|letter| !letter.is_whitespace()).collect();
            if dense.contains("\"disableAllHooks\":true") || dense.contains("\"hooksConfig\"") {
                walker.risk(RuleId::GuardOff, format!("{} without its hooks", call.name), call.span);
            }
            if dense.contains("bypassPermissions") {
                walker.risk(RuleId::AgentUnguarded, call.name.clone(), call.span);
            }
        }
        None => walker.risk(RuleId::AgentSettingsPassed, file.text.clone(), call.span),
    }
}

/// Returns whether the line gives the program another folder of settings.
fn moves_settings(walker: &Walker<'_>, call: &Call) -> bool {
    let reads_xdg = matches!(call.name.as_str(), "copilot" | "opencode");
    walker.sets_home() || reads_xdg && walker.variable("XDG_CONFIG_HOME").is_some()
}

fn is_switch(word: &str) -> bool {
    let option = word.split('=').next().unwrap_or(word);
    // As in `-c 'features.hooks = false'`.
    let dense: String = word.chars().filter(|letter| !letter.is_whitespace()).collect();
    WITHOUT_HOOKS.contains(&option)
        || dense.contains("disableAllHooks")
        || dense.contains("hooksConfig")
        || option.starts_with("--")
            && option.contains("hook")
            && ["no-", "disable", "without", "skip", "ignore", "off"].iter().any(|off| option.contains(off))
        // A prompt that is a command of the program.
        || dense.starts_with("/hooks")
        || dense.contains("hooks") && ["=false", "={}", "=[]", ":false"].iter().any(|off| dense.contains(off))
}

/// Returns whether the words contain `--disable hooks`, `--disable=hooks` or `features disable hooks`; the name of the
/// feature was `codex_hooks` once, and still works.
fn disables_feature(words: &[&str]) -> bool {
    let is_verb = |word: &str| matches!(word, "--disable" | "--disable-feature" | "disable");
    words.windows(2).any(|pair| is_verb(pair[0]) && pair[1].contains("hooks"))
        || words.iter().any(|word| {
            word.split_once('=').is_some_and(|(flag, name)| is_verb(flag) && name.contains("hooks"))
        })
}

/// Returns the command and the verb of a call that writes settings.
fn settings_command(program: &str, words: &[&str]) -> Option<String> {
    let is_one_of = |names: &str, word: &str| names.split('|').any(|name| name == word);
    // `copilot config KEY` prints a value, with another word it sets it.
    if program == "copilot" && words.first() == Some(&"config") {
        let n_operands = words[1..].iter().filter(|word| !word.starts_with('-')).count();
        let writes = n_operands > 1 || words.contains(&"--rm");
        return writes.then(|| "config".to_owned());
    }
    let own = || WRITES_SETTINGS.iter().filter(|(programs, _, _)| is_one_of(programs, program));
    let pair = words.windows(2).find(|pair| {
        own().any(|(_, commands, verbs)| is_one_of(commands, pair[0]) && is_one_of(verbs, pair[1]))
    })?;
    Some(pair.join(" "))
}
