//! `tmux` and `screen`: the commands they start in a window, and the text they type into one.

use super::{Call, Walker};
use crate::programs::options::{Item, Options, Spec};
use crate::reading::{Class, Origin};
use crate::text::Text;

/// The use that a subcommand of tmux makes of its operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    /// One is text for a shell, several are a command.
    Command,
    /// Each is text for a shell.
    Texts,
    /// Keys, typed one after the other.
    Keys,
}

const TMUX: Spec<'static> =
    Spec { values: "-c -f -L -S -T", optional: "", flags: "-2 -C -D -l -N -u -U -v -V", is_partial: false };

const SCREEN: Spec<'static> = Spec {
    values: "-c -e -h -p -S -s -t -T -Logfile",
    optional: "",
    flags: "-a -A -d -D -i -L -ls -list -m -O -q -Q -r -R -U -v -wipe -x -X -dm -Dm -dmS -DmS",
    is_partial: false,
};

impl Walker<'_> {
    /// Follows a terminal multiplexer; `None` if it starts and types nothing.
    pub(super) fn terminal(&mut self, call: &Call) -> Option<Text> {
        let runs = if call.name == "tmux" { self.tmux(call) } else { self.screen(call) };
        runs.then(|| {
            self.classify(call.command, Class::Unknown);
            Text::default()
        })
    }

    fn tmux(&mut self, call: &Call) -> bool {
        let rest = call.rest();
        // `tmux -c TEXT` runs a shell and no server.
        if let [option, text, ..] = rest
            && option.text == "-c"
        {
            self.run_text(text, call, "tmux");
            return true;
        }
        let Some(at) = first_operand(rest, TMUX) else { return false };
        let mut runs = false;
        // `tmux new -d \; send-keys …`
        for words in rest[at..].split(|word| word.text == ";") {
            let Some((sub, words)) = words.split_first() else { continue };
            let Some((operands, values)) = subcommand(&sub.text) else { continue };
            runs = true;
            let spec = Spec { values, ..Spec::default() };
            let found = Options::new(words, spec).find_map(|item| match item {
                Item::Operand(at) => Some(&words[at..]),
                Item::Option(_) => None,
            });
            match (operands, found.unwrap_or(&[])) {
                (_, []) => {}
                (Operands::Command, [_, _, ..]) => {
                    let inner = found.unwrap_or(&[]).to_vec();
                    self.through("tmux", |walker| walker.invoke(inner, call.span));
                }
                (Operands::Command | Operands::Texts, texts) => {
                    for text in texts {
                        self.typed_text(&text.text, call);
                    }
                }
                (Operands::Keys, keys) => {
                    let text = keys.iter().map(|word| key(&word.text)).collect::<String>();
                    self.typed_text(&text, call);
                }
            }
        }
        runs
    }

    /// `screen -dmS name program words`, `screen -X stuff text`.
    fn screen(&mut self, call: &Call) -> bool {
        let rest = call.rest();
        let sends = rest.iter().any(|word| word.text == "-X");
        let Some(at) = first_operand(rest, SCREEN) else { return true };
        // `-dmS` is followed by a name.
        let named = rest[..at].last().is_some_and(|word| word.text.ends_with("mS"));
        let inner = rest[at + usize::from(named)..].to_vec();
        if sends {
            for text in inner.iter().skip(1) {
                self.typed_text(&text.text, call);
            }
        } else if !inner.is_empty() {
            self.through("screen", |walker| walker.invoke(inner, call.span));
        }
        true
    }

    fn typed_text(&mut self, text: &str, call: &Call) {
        self.subshell(|walker| walker.text(text, call.span, Origin::Text(call.name.clone())));
    }
}

fn first_operand(words: &[Text], spec: Spec<'_>) -> Option<usize> {
    Options::new(words, spec).find_map(|item| match item {
        Item::Operand(at) => Some(at),
        Item::Option(_) => None,
    })
}

/// Returns the use of operands by a subcommand of tmux, and its options with a value. Returns `None` if it runs nothing.
fn subcommand(name: &str) -> Option<(Operands, &'static str)> {
    Some(match name {
        "new" | "new-session" => (Operands::Command, "-c -e -f -F -n -s -t -x -y"),
        "neww" | "new-window" | "splitw" | "split-window" => (Operands::Command, "-c -e -F -l -n -p -t"),
        "respawnp" | "respawn-pane" | "respawnw" | "respawn-window" => (Operands::Command, "-c -e -t"),
        "popup" | "display-popup" => (Operands::Command, "-b -c -d -e -h -s -S -t -T -w -x -y"),
        "run" | "run-shell" => (Operands::Texts, "-c -d -t"),
        "if" | "if-shell" => (Operands::Texts, "-t"),
        "pipep" | "pipe-pane" => (Operands::Texts, "-t"),
        "send" | "send-keys" => (Operands::Keys, "-N -t"),
        _ => return None,
    })
}

/// Returns the text that a key types.
fn key(name: &str) -> &str {
    match name {
        "Enter" | "C-m" | "C-j" | "KPEnter" => "\n",
        "Space" => " ",
        "Tab" | "C-i" => "\t",
        name => name,
    }
}
