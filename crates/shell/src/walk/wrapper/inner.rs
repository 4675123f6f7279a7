//! Follows the inner command of a wrapper: its words, text for a shell, the value of an option.

use super::super::invoke::quote;
use super::super::{Call, Walker};
use super::Wrapped;
use super::words::is_question;
use crate::guard::RuleId;
use crate::programs::options::{Item, Options};
use crate::programs::wrappers::{Inner, Wrapper};
use crate::reading::{Class, Doubt, Site};
use crate::text::{Taint, Text};

impl Walker<'_> {
    /// Follows the inner command of a wrapper.
    pub(super) fn follow(
        &mut self,
        wrapper: &'static Wrapper,
        found: &Wrapped,
        rest: &[Text],
        call: &Call,
    ) -> Option<Text> {
        let mut inner = rest.get(found.at..).unwrap_or(&[]).to_vec();
        if found.is_idle {
            return None;
        }
        if wrapper.site == Site::Container && inner.first().is_some_and(|word| word.text == "--") {
            inner.remove(0);
        }
        // `script FILE [COMMAND…]`
        if let ("script", [file, ..]) = (wrapper.name, found.operands.as_slice()) {
            self.write_path(&rest[*file], call.span);
        }
        if wrapper.name == "env"
            && let Some(first) = found.texts.first()
        {
            // The split text may begin with options of env itself: `env -S -i bash`.
            let line = format!("env {}", first.text);
            let line = inner.iter().fold(line, |line, word| format!("{line} {}", quote(word)));
            return Some(self.within(wrapper, |walker| walker.run_text(&Text::known(line), call, "env")));
        }
        // nodemon hands its operands to the program of `--exec`.
        if let ("nodemon", [program]) = (wrapper.name, found.texts.as_slice()) {
            let operands = found.operands.iter().map(|at| quote(&rest[*at]));
            let line = operands.fold(program.text.clone(), |line, word| format!("{line} {word}"));
            self.within(wrapper, |walker| walker.named_program(&line, call.span, "nodemon"));
            return Some(Text::default());
        }
        if !found.texts.is_empty() {
            let mut output = Text::default();
            for text in &found.texts {
                output.push(&self.within(wrapper, |walker| walker.run_text(text, call, wrapper.name)));
            }
            return Some(output);
        }
        if wrapper.inner == Inner::Option && !found.rest_is_inner {
            return self.follow_operands(wrapper, found, rest, call);
        }
        // Runners of packages hand a single word to a shell; on another machine options of the wrapper may follow it:
        // `heroku run "rails db:migrate" -a app`.
        let is_text = !wrapper.sub.is_empty()
            && inner.first().is_some_and(|word| word.text.contains(' '))
            && (inner.len() == 1 || wrapper.site == Site::Remote);
        let mut is_shell = found.shell || is_text;
        if let Some(entry) = found.entry.clone() {
            is_shell |= found.rest_is_inner && inner.is_empty();
            inner.insert(0, entry);
        }
        if inner.is_empty() {
            if wrapper.site == Site::Container && self.state.stdin.is_none() && is_interactive(wrapper, rest)
            {
                self.runs_typed(call);
            }
            let runs = wrapper.sub.is_empty() || wrapper.site != Site::Local && wrapper.name != "kubectl";
            return runs.then(|| self.bare_wrapper(call, found.shell));
        }
        // In another root the program is another one; a unit of systemd stays.
        if wrapper.name == "systemd-run" && rest.iter().any(|word| word.text.starts_with("--on-")) {
            self.risk(RuleId::ScheduleLater, "systemd-run", call.span);
        }
        if matches!(wrapper.name, "chroot" | "systemd-run") {
            self.classify(call.command, Class::Unknown);
            self.doubt(Doubt::Effects, call.name.clone(), call.span);
        } else {
            self.classify(call.command, Class::ReadOnly);
        }
        Some(self.within(wrapper, |walker| {
            if let Some(folder) = &found.folder {
                walker.state.cwd = Some(crate::path::normalise(&folder.text));
            }
            walker.inner_words(wrapper, is_shell, inner, call)
        }))
    }

    /// Programs that run the value of an option, and some of them their operands.
    fn follow_operands(
        &mut self,
        wrapper: &'static Wrapper,
        found: &Wrapped,
        rest: &[Text],
        call: &Call,
    ) -> Option<Text> {
        // `su - USER` is `su -l USER`.
        let is_login = wrapper.name == "su" && found.operands.first().is_some_and(|at| rest[*at].text == "-");
        match (wrapper.name, &found.operands[usize::from(is_login)..]) {
            ("script", [_, inner, ..]) => {
                self.classify(call.command, Class::ReadOnly);
                let inner = rest[*inner..].to_vec();
                Some(self.within(wrapper, |walker| walker.invoke(inner, call.span)))
            }
            // `sg GROUP COMMAND`
            ("sg", [_, text]) => {
                let text = rest[*text].clone();
                Some(self.within(wrapper, |walker| walker.run_text(&text, call, "sg")))
            }
            // `su USER -- WORDS` passes the words to the user's shell, or to the shell of `-s`.
            ("su", [_, inner, ..]) => {
                let mut argv = vec![found.entry.clone().unwrap_or_else(|| Text::known("sh"))];
                argv.extend_from_slice(&rest[*inner..]);
                Some(self.within(wrapper, |walker| walker.invoke(argv, call.span)))
            }
            _ => wrapper.privilege.then(|| self.bare_wrapper(call, true)),
        }
    }

    /// Follows the words of an inner command, which some wrappers hand to a shell.
    fn inner_words(&mut self, wrapper: &Wrapper, shell: bool, inner: Vec<Text>, call: &Call) -> Text {
        if !shell {
            if inner.first().is_some_and(|word| super::super::interpreter::is_foreign_script(&word.text)) {
                self.reading.runs_fetched_code = true;
                self.risk(RuleId::FetchedCode, inner[0].text.clone(), call.span);
            }
            self.programs_only = true;
            return self.invoke(inner, call.span);
        }
        // Each word of these is a command of its own; the others join their words.
        let separator = if matches!(wrapper.name, "hyperfine" | "concurrently") { "; " } else { " " };
        let is_one = inner.len() == 1;
        let mut text = Text::default();
        for (index, word) in inner.iter().enumerate() {
            if index > 0 {
                text.push_str(separator);
            }
            text.push(word);
        }
        // `watch -x rm -rf /` runs its words, `watch rm -rf /` joins them; reading both ways misses neither.
        if !is_one && self.site != Site::Remote {
            self.invoke(inner, call.span);
        }
        self.run_text(&text, call, wrapper.name)
    }

    /// Follows `inner` as wrapped by `wrapper`.
    fn within<T>(&mut self, wrapper: &Wrapper, inner: impl FnOnce(&mut Self) -> T) -> T {
        let site = self.site;
        if wrapper.site != Site::Local {
            self.site = wrapper.site;
        }
        self.via.push(wrapper.name.to_owned());
        let result = if wrapper.name == "exec" || wrapper.name == "builtin" || wrapper.name == "command" {
            inner(self)
        } else {
            let site = wrapper.site;
            self.subshell(|walker| {
                // A folder in a container or on another machine is not ours.
                if site != Site::Local {
                    walker.state.cwd = Some("/app".to_owned());
                }
                inner(walker)
            })
        };
        self.via.pop();
        self.site = site;
        self.mounts.clear();
        result
    }

    /// A wrapper without a command: `env` prints secrets, `sudo -i` opens a shell.
    fn bare_wrapper(&mut self, call: &Call, is_shell: bool) -> Text {
        match call.name.as_str() {
            "env" => Text::unknown("$_output", Taint::SECRET),
            // They print which processor it is, or which commands are permitted.
            "arch" if call.rest().is_empty() => Text::unknown("$_output", Taint::PRINTED),
            "sudo" if is_question(call.rest()) => Text::unknown("$_output", Taint::PRINTED),
            "sudo" | "su" | "doas" | "ssh" if self.state.stdin.is_some() => {
                let input = self.state.stdin.clone().unwrap_or_default();
                if call.name == "sudo" && !is_shell {
                    Text::default()
                } else {
                    self.run_text(&input, call, "stdin")
                }
            }
            _ => {
                self.classify(call.command, Class::Unknown);
                Text::unknown("$_output", Taint::PRINTED)
            }
        }
    }
}

/// Returns whether a container's own program, which nothing on the line names, gets the terminal: `docker run -it IMAGE`,
/// `oc rsh POD`.
fn is_interactive(wrapper: &Wrapper, rest: &[Text]) -> bool {
    let (mut n_operands, mut is_open) = (0, false);
    for item in Options::new(rest, wrapper.spec()) {
        match item {
            Item::Option(option) => is_open |= option.is("-i|--interactive|--stdin"),
            Item::Operand(_) => n_operands += 1,
        }
    }
    is_open || wrapper.name == "oc" && n_operands < 2
}
