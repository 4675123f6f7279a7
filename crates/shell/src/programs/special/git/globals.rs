//! git: the options in front of the subcommand, and settings for one call.

use super::config::runs;
use crate::guard::RuleId;
use crate::programs::options::{Item, Options, Spec};
use crate::reading::{Class, Doubt};
use crate::text::Text;
use crate::walk::{Call, Walker};

/// The options in front of the subcommand.
pub(super) struct Globals {
    pub(super) sub_at: usize,
    /// The folder it runs in, or whose files it changes.
    pub(super) folder: Option<Text>,
    pub(super) aliases: Vec<(String, String)>,
    /// `clean` needs no `--force`.
    pub(super) cleans_unforced: bool,
    /// The value of `--git-dir`.
    pub(super) git_dir: Option<Text>,
    /// The line names the editor, which is followed as a program.
    pub(super) sets_editor: bool,
}

/// Reads the options in front of the subcommand, and follows the programs they name.
pub(super) fn globals(walker: &mut Walker<'_>, call: &Call) -> Globals {
    const SPEC: Spec<'static> = Spec {
        values: "-c -C --git-dir --work-tree --namespace --config-env --super-prefix --attr-source --list-cmds",
        optional: "--exec-path",
        flags: "-p -P -h -v --paginate --no-pager --bare --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path --version --help",
        is_partial: false,
    };
    let words = call.rest();
    let mut found = Globals::at(words.len());
    found.set_by_environment(walker, call);
    for item in Options::new(words, SPEC) {
        let option = match item {
            Item::Operand(at) => {
                found.sub_at = at;
                break;
            }
            Item::Option(option) => option,
        };
        let (is_setting, is_variable) = (option.is("-c"), option.is("--config-env"));
        let is_programs = option.is("--exec-path");
        let is_folder = option.is("-C|--work-tree");
        let is_git_dir = option.is("--git-dir");
        let Some(value) = option.value else { continue };
        if is_setting {
            found.set(walker, call, &value);
        } else if is_variable {
            found.set_from_variable(walker, call, &value);
        } else if is_programs {
            // git runs its subcommands from there.
            walker.classify(call.command, Class::Unknown);
            walker.doubt(Doubt::Program, format!("--exec-path={}", value.text), call.span);
        } else if is_git_dir {
            found.git_dir = Some(value);
        } else if is_folder {
            found.folder = match found.folder.take() {
                // Each `-C` is relative to the one before.
                Some(mut folder) if !value.text.starts_with(['/', '~']) => {
                    folder.push_str("/");
                    folder.push(&value);
                    Some(folder)
                }
                _ => Some(value),
            };
        }
    }
    found
}

impl Globals {
    pub(super) const fn at(sub_at: usize) -> Self {
        Self {
            sub_at,
            folder: None,
            aliases: Vec::new(),
            cleans_unforced: false,
            git_dir: None,
            sets_editor: false,
        }
    }

    /// `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=key GIT_CONFIG_VALUE_0=value`, and the variable that `git -c` sets for itself.
    fn set_by_environment(&mut self, walker: &mut Walker<'_>, call: &Call) {
        /// More settings than this are not read.
        const SETTINGS: usize = 16;
        let known = |walker: &Walker<'_>, name: &str| {
            walker.variable(name).and_then(|value| value.value().map(str::to_owned))
        };
        if walker.variable("GIT_CONFIG_COUNT").is_some() {
            for at in 0..SETTINGS {
                let Some(key) = known(walker, &format!("GIT_CONFIG_KEY_{at}")) else { break };
                self.set_from_variable(walker, call, &Text::known(format!("{key}=GIT_CONFIG_VALUE_{at}")));
            }
        }
        if let Some(settings) = known(walker, "GIT_CONFIG_PARAMETERS") {
            // Each is `'key=value'` or `'key'='value'`.
            let settings = settings.replace("'='", "=");
            for setting in settings.split('\'').filter(|setting| setting.contains('=')).take(SETTINGS) {
                self.set(walker, call, &Text::known(setting));
            }
        }
    }

    /// `--config-env=key=VARIABLE`
    fn set_from_variable(&mut self, walker: &mut Walker<'_>, call: &Call, setting: &Text) {
        let Some((key, variable)) = setting.text.split_once('=') else { return };
        let lower = key.to_ascii_lowercase();
        match walker.variable(variable).and_then(|value| value.value().map(str::to_owned)) {
            Some(value) => self.set(walker, call, &Text::known(format!("{key}={value}"))),
            None if lower.starts_with("alias.") || runs(&lower) => {
                walker.risk(RuleId::GitConfigRun, key, call.span);
            }
            None => {}
        }
    }

    /// `-c key=value`: an alias, or a setting whose value git runs.
    pub(super) fn set(&mut self, walker: &mut Walker<'_>, call: &Call, setting: &Text) {
        let Some((key, value)) = setting.text.split_once('=') else { return };
        let key_lower = key.to_ascii_lowercase();
        if let Some(name) = key_lower.strip_prefix("alias.") {
            self.aliases.push((name.to_owned(), value.to_owned()));
        } else if key_lower == "clean.requireforce" {
            self.cleans_unforced = true;
        } else if runs(&key_lower) {
            self.sets_editor |= matches!(key_lower.as_str(), "core.editor" | "sequence.editor");
            let value = value.trim_start_matches('!').to_owned();
            if key_lower == "core.hookspath" {
                walker.risk(RuleId::GitConfigRun, key, call.span);
            } else if !value.is_empty() {
                walker.through("git", |walker| walker.named_program(&value, call.span, "git -c"));
            }
        }
    }
}
