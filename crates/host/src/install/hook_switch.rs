//! The settings with which a project or a user switches the hooks of a host off.
//!
//! WHY `doctor` reads them: a registration that such a line silences looks complete, and nothing is governed.

use serde_json::Value;
use toml_edit::{DocumentMut, Item};

use super::document::{Document, as_json, split_mark};
use super::usage_evidence::Root;
use crate::Host;

/// A settings file that may switch hooks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookSwitch {
    /// The folder to which the file is relative.
    pub root: Root,
    /// The file, with `/`.
    pub file: &'static str,
    kind: Kind,
}

/// The spelling of the switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `"disableAllHooks": true`
    DisableAll,
    /// `[features] hooks = false`, or the older name of the feature.
    Feature,
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
            Host::ClaudeCode => {
                const {
                    &[
                        file(Root::Workspace, ".claude/settings.local.json", Kind::DisableAll),
                        file(Root::Workspace, ".claude/settings.json", Kind::DisableAll),
                        file(Root::Home, ".claude/settings.json", Kind::DisableAll),
                    ]
                }
            }
            Host::Codex => {
                const {
                    &[
                        file(Root::Workspace, ".codex/config.toml", Kind::Feature),
                        file(Root::Home, ".codex/config.toml", Kind::Feature),
                    ]
                }
            }
            Host::CopilotCli => {
                const {
                    &[
                        file(Root::Workspace, ".github/copilot/settings.local.json", Kind::DisableAll),
                        file(Root::Workspace, ".github/copilot/settings.json", Kind::DisableAll),
                    ]
                }
            }
            Host::Gemini => {
                const {
                    &[
                        file(Root::Workspace, ".gemini/settings.json", Kind::Config),
                        file(Root::Home, ".gemini/settings.json", Kind::Config),
                    ]
                }
            }
            Host::Qwen => {
                const {
                    &[
                        file(Root::Workspace, ".qwen/settings.json", Kind::DisableAll),
                        file(Root::Home, ".qwen/settings.json", Kind::DisableAll),
                    ]
                }
            }
            Host::VsCode | Host::Cursor | Host::Raw => &[],
        }
    }

    /// Returns the switch in the text of the file: `Some(None)` if it explicitly leaves the hooks on. Returns `None`
    /// if the file does not set it, or cannot be parsed.
    pub fn found_in(&self, text: &str) -> Option<Option<SwitchedOff>> {
        let off = |setting, also_managed| Some(SwitchedOff { setting, also_managed });
        if self.kind == Kind::Feature {
            let config = split_mark(text).1.parse::<DocumentMut>().ok()?;
            let of = |key: &str| config.get("features")?.get(key).and_then(Item::as_bool);
            let is_on = of("hooks").or_else(|| of("codex_hooks"))?;
            return Some(if is_on { None } else { off("[features] hooks = false", false) });
        }
        let document = Document::parse(split_mark(text).1).ok()?;
        let settings = document.root.properties.iter().map(|it| (it.name.as_str(), as_json(&it.value)));
        let of = |key: &str| settings.clone().rfind(|(name, _)| *name == key).map(|(_, value)| value);
        if self.kind == Kind::DisableAll {
            let is_off = of("disableAllHooks")?.as_bool()?;
            return Some(if is_off { off("disableAllHooks", false) } else { None });
        }
        let config = of("hooksConfig")?;
        let disabled = config.get("disabled").and_then(Value::as_array);
        // The lists of all files count together, so no other file can switch ours on again.
        if disabled.is_some_and(|names| names.iter().any(|name| name == NAME)) {
            return Some(off("hooksConfig.disabled", true));
        }
        let is_on = config.get("enabled").and_then(Value::as_bool)?;
        Some(if is_on { None } else { off("hooksConfig.enabled = false", false) })
    }
}

const fn file(root: Root, file: &'static str, kind: Kind) -> HookSwitch {
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
            let found = HookSwitch::of(host)[0].found_in(text);
            assert_eq!(found.map(|found| found.map(|off| off.setting)), expected, "{host} {text}");
        }
    }

    #[test]
    fn every_file_with_a_switch_governs_agents() {
        for switch in Host::ALL.into_iter().flat_map(HookSwitch::of) {
            assert!(shell::guard::governs(&format!("/home/me/{}", switch.file)), "{}", switch.file);
        }
    }
}
