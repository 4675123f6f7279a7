//! The settings with which a project, a user or an administrator switches the hooks of a host off.
//!
//! WHY `doctor` reads them: a registration that such a line silences looks complete, and nothing is governed.

use serde_json::Value;
use toml_edit::{DocumentMut, Item};

use super::document::{Document, as_json, split_mark};
use super::{hook_plans, managed_plans, user_plans};
use crate::Host;

/// A settings file that may switch hooks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookSwitch {
    /// The folder to which the file is relative.
    pub root: SwitchRoot,
    /// The file, with `/`.
    pub file: &'static str,
    kind: Kind,
}

/// The folder of a settings file that may switch hooks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwitchRoot {
    /// The root of administrators' files, `/`.
    System,
    /// Every folder from the one in which the host is started up to the project's, the nearest first.
    EveryFolder,
    /// The project's, also if the host is started in a subfolder and reads no other settings there.
    Project,
    /// The folder from which the host reads a project's other settings.
    Settings,
    /// The user's home.
    Home,
}

/// The spelling of the switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `"disableAllHooks": true`
    DisableAll,
    /// `"disableAllHooks": true`, which concerns the hooks of the same file only.
    DisableThisFile,
    /// `"allowManagedHooksOnly": true`
    ManagedOnly,
    /// `[features] hooks = false`, or the older name of the feature.
    Feature,
    /// `"chat.useHooks": false`, or the folder of our file switched off in `"chat.hookFilesLocations"`.
    Editor,
    /// `"hooksConfig": {"enabled": false}`, or our name in its list `disabled`.
    Config,
}

/// The setting that switches our hooks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwitchedOff {
    /// The setting, as the user finds it in the file.
    pub setting: &'static str,
    /// Whether it also silences the hooks of administrators that `init --managed` registered.
    pub also_managed: bool,
}

/// The name of our entries in the settings of Gemini CLI.
const NAME: &str = "steersman";

impl HookSwitch {
    /// Lists the files of a host. Of those that set the switch, the first decides.
    pub const fn of(host: Host) -> &'static [Self] {
        match host {
            // `settings.local.json` counts in subfolders, too, unlike `settings.json`.
            Host::ClaudeCode => {
                const {
                    &[
                        file(SwitchRoot::System, managed_plans::CLAUDE_SETTINGS.file, Kind::DisableAll),
                        file(SwitchRoot::System, managed_plans::CLAUDE_SETTINGS.file, Kind::ManagedOnly),
                        file(SwitchRoot::Project, ".claude/settings.local.json", Kind::DisableAll),
                        file(SwitchRoot::Settings, ".claude/settings.json", Kind::DisableAll),
                        file(SwitchRoot::Home, ".claude/settings.json", Kind::DisableAll),
                    ]
                }
            }
            Host::Codex => {
                const {
                    &[
                        file(SwitchRoot::System, managed_plans::CODEX_REQUIREMENTS.file, Kind::Feature),
                        file(SwitchRoot::EveryFolder, ".codex/config.toml", Kind::Feature),
                        file(SwitchRoot::Home, ".codex/config.toml", Kind::Feature),
                        file(SwitchRoot::System, "etc/codex/config.toml", Kind::Feature),
                    ]
                }
            }
            Host::CopilotCli => {
                const {
                    &[
                        file(SwitchRoot::Settings, ".github/copilot/settings.local.json", Kind::DisableAll),
                        file(SwitchRoot::Settings, ".github/copilot/settings.json", Kind::DisableAll),
                        file(SwitchRoot::Settings, ".claude/settings.local.json", Kind::DisableAll),
                        file(SwitchRoot::Settings, ".claude/settings.json", Kind::DisableAll),
                        file(SwitchRoot::Settings, hook_plans::COPILOT_HOOKS.file, Kind::DisableThisFile),
                        file(SwitchRoot::Home, user_plans::COPILOT_HOOKS.file, Kind::DisableThisFile),
                    ]
                }
            }
            Host::Gemini => {
                const {
                    &[
                        file(SwitchRoot::System, managed_plans::GEMINI_SETTINGS.file, Kind::Config),
                        file(SwitchRoot::Settings, ".gemini/settings.json", Kind::Config),
                        file(SwitchRoot::Home, ".gemini/settings.json", Kind::Config),
                    ]
                }
            }
            Host::Qwen => {
                const {
                    &[
                        file(SwitchRoot::System, managed_plans::QWEN_SETTINGS.file, Kind::DisableAll),
                        file(SwitchRoot::Settings, ".qwen/settings.json", Kind::DisableAll),
                        file(SwitchRoot::Home, ".qwen/settings.json", Kind::DisableAll),
                    ]
                }
            }
            Host::VsCode => {
                const {
                    &[
                        file(SwitchRoot::Settings, ".vscode/settings.json", Kind::Editor),
                        file(SwitchRoot::Home, ".config/Code/User/settings.json", Kind::Editor),
                    ]
                }
            }
            Host::Cursor | Host::Raw => &[],
        }
    }

    /// Returns whether the switch concerns only the hooks in its own file.
    pub fn concerns_own_file(&self) -> bool {
        self.kind == Kind::DisableThisFile
    }

    /// Returns the switch in the text of the file: `Some(None)` if it explicitly leaves the hooks on. Returns `None`
    /// if the file does not set it, or cannot be parsed.
    pub fn found_in(&self, text: &str) -> Option<Option<SwitchedOff>> {
        // Administrators' files beat all others, except for the defaults in Codex's `config.toml`.
        let is_last_word = self.root == SwitchRoot::System && self.file != "etc/codex/config.toml";
        let off = |setting| Some(SwitchedOff { setting, also_managed: is_last_word });
        if self.kind == Kind::Feature {
            let config = split_mark(text).1.parse::<DocumentMut>().ok()?;
            let of = |key: &str| config.get("features")?.get(key).and_then(Item::as_bool);
            let is_on = of("hooks").or_else(|| of("codex_hooks"))?;
            return Some(if is_on { None } else { off("[features] hooks = false") });
        }
        let document = Document::parse(split_mark(text).1).ok()?;
        let settings = document.root.properties.iter().map(|it| (it.name.as_str(), as_json(&it.value)));
        let of = |key: &str| settings.clone().rfind(|(name, _)| *name == key).map(|(_, value)| value);
        if matches!(self.kind, Kind::DisableAll | Kind::DisableThisFile) {
            let is_off = of("disableAllHooks")?.as_bool()?;
            return Some(if is_off { off("disableAllHooks") } else { None });
        }
        if self.kind == Kind::Editor {
            let folder = of("chat.hookFilesLocations").and_then(|it| it.get(".github/hooks")?.as_bool());
            if folder == Some(false) {
                return Some(off("chat.hookFilesLocations"));
            }
            let is_on = of("chat.useHooks")?.as_bool()?;
            return Some(if is_on { None } else { off("chat.useHooks") });
        }
        if self.kind == Kind::ManagedOnly {
            let is_off = of("allowManagedHooksOnly")?.as_bool()?;
            let managed_only = SwitchedOff { setting: "allowManagedHooksOnly", also_managed: false };
            return is_off.then_some(Some(managed_only));
        }
        let config = of("hooksConfig")?;
        let disabled = config.get("disabled").and_then(Value::as_array);
        // The lists of all files count together, so no other file can switch ours on again.
        if disabled.is_some_and(|names| names.iter().any(|name| name == NAME)) {
            return Some(Some(SwitchedOff { setting: "hooksConfig.disabled", also_managed: true }));
        }
        let is_on = config.get("enabled").and_then(Value::as_bool)?;
        Some(if is_on { None } else { off("hooksConfig.enabled = false") })
    }
}

const fn file(root: SwitchRoot, file: &'static str, kind: Kind) -> HookSwitch {
    HookSwitch { root, file, kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_switch_is_found_in_its_own_spelling() {
        for (host, text, expected) in [
            (Host::ClaudeCode, r#"{"disableAllHooks": true}"#, Some(Some("disableAllHooks"))),
            (Host::ClaudeCode, r#"{"disableAllHooks": false}"#, Some(None)),
            (Host::ClaudeCode, r#"{"hooks": {}}"#, None),
            (Host::ClaudeCode, "broken", None),
            (Host::CopilotCli, "// x\n{\"disableAllHooks\": true,}", Some(Some("disableAllHooks"))),
            (Host::Qwen, r#"{"disableAllHooks": true}"#, Some(Some("disableAllHooks"))),
            (Host::VsCode, "{// x\n\"chat.useHooks\": false}", Some(Some("chat.useHooks"))),
            (Host::VsCode, r#"{"chat.useHooks": true}"#, Some(None)),
            (
                Host::VsCode,
                r#"{"chat.hookFilesLocations": {".github/hooks": false}}"#,
                Some(Some("chat.hookFilesLocations")),
            ),
            (Host::VsCode, r#"{"editor.tabSize": 2}"#, None),
            (Host::Codex, "[features]\nhooks = false\n", Some(Some("[features] hooks = false"))),
            (Host::Codex, "features.codex_hooks = false\n", Some(Some("[features] hooks = false"))),
            (Host::Codex, "[features]\nhooks = true\n", Some(None)),
            (Host::Codex, "model = \"x\"\n", None),
            (
                Host::Gemini,
                r#"{"hooksConfig": {"enabled": false}}"#,
                Some(Some("hooksConfig.enabled = false")),
            ),
            (
                Host::Gemini,
                r#"{"hooksConfig": {"enabled": true, "disabled": ["steersman"]}}"#,
                Some(Some("hooksConfig.disabled")),
            ),
            (Host::Gemini, r#"{"hooksConfig": {"disabled": ["other"]}}"#, None),
        ] {
            let own = HookSwitch::of(host).iter().find(|switch| switch.root != SwitchRoot::System);
            let found = own.unwrap().found_in(text);
            assert_eq!(found.map(|found| found.map(|off| off.setting)), expected, "{host} {text}");
        }
    }

    #[test]
    fn a_switch_of_an_administrator_also_silences_managed_hooks() {
        for (host, text, expected) in [
            (Host::ClaudeCode, r#"{"disableAllHooks": true}"#, &[("disableAllHooks", true)][..]),
            (Host::ClaudeCode, r#"{"allowManagedHooksOnly": true}"#, &[("allowManagedHooksOnly", false)]),
            (Host::ClaudeCode, r#"{"allowManagedHooksOnly": false}"#, &[]),
            (
                Host::Gemini,
                r#"{"hooksConfig": {"enabled": false}}"#,
                &[("hooksConfig.enabled = false", true)],
            ),
            (Host::Qwen, r#"{"disableAllHooks": true}"#, &[("disableAllHooks", true)]),
            (
                Host::Codex,
                "[features]\nhooks = false\n",
                &[("[features] hooks = false", true), ("[features] hooks = false", false)],
            ),
        ] {
            let system = HookSwitch::of(host).iter().filter(|switch| switch.root == SwitchRoot::System);
            let off = system.filter_map(|switch| switch.found_in(text).flatten());
            let found: Vec<_> = off.map(|off| (off.setting, off.also_managed)).collect();
            assert_eq!(found, expected, "{host} {text}");
        }
    }

    #[test]
    fn every_file_with_a_switch_governs_agents() {
        // An editor's settings also hold its user's own preferences: the guard asks about them.
        let all = Host::ALL.into_iter().flat_map(HookSwitch::of);
        for switch in all.filter(|switch| switch.kind != Kind::Editor) {
            let folder = if switch.root == SwitchRoot::System { "" } else { "/home/me" };
            assert!(shell::guard::governs(&format!("{folder}/{}", switch.file)), "{}", switch.file);
        }
    }
}
