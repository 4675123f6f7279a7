//! git: discarded work, rewritten history, and programs that git runs.
//!
//! [`subcommands`] is the table; the other files follow calls that need more than data.

#![expect(clippy::unnecessary_wraps, reason = "all rows of the table have one signature")]

mod config;
mod files;
mod globals;
mod governing;
mod network;
mod own_settings;
mod refs;
mod runs;
mod states;
mod subcommands;

use globals::{Globals, globals};

use crate::guard::RuleId;
use crate::programs::Args;
use crate::programs::looks::{self, Proof};
use crate::reading::{Class, Doubt, Origin};
use crate::text::Text;
use crate::walk::{Call, Walker};

/// A subcommand with its words.
struct SubCall<'a> {
    name: &'a str,
    rest: &'a [Text],
    args: &'a Args<'a>,
    global: &'a Globals,
}

impl SubCall<'_> {
    /// Returns whether an operand names all files.
    fn names_all(&self) -> bool {
        self.args.words().any(|word| matches!(word, "." | "*" | ":/" | "./" | ":"))
    }
}

pub(crate) fn git(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let global = globals(walker, call);
    let folder = global.folder.clone();
    walker.in_folder(folder.as_ref(), |walker| subcommand(walker, call, &global))
}

/// `husky add FILE COMMAND`, `husky set FILE COMMAND`: git runs the command from now on.
pub(crate) fn husky(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if let ("add" | "set", Some(hook)) = (args.word(0), args.operands.get(1)) {
        walker.write_path(hook, call.span);
        for command in args.words().skip(2).map(str::to_owned).collect::<Vec<_>>() {
            walker.later(|walker| {
                walker.through("husky", |walker| {
                    drop(walker.text(&command, call.span, Origin::Text("husky".to_owned())));
                });
            });
        }
    }
    None
}

fn subcommand(walker: &mut Walker<'_>, call: &Call, global: &Globals) -> Option<Class> {
    let (first, rest) = call.rest().get(global.sub_at..)?.split_first()?;
    let name = first.text.as_str();
    if let Some((_, value)) = global.aliases.iter().find(|(alias, _)| alias == name) {
        let line = match value.strip_prefix('!') {
            Some(shell) => shell.to_owned(),
            None => format!("git {value}"),
        };
        let line = rest.iter().fold(line, |line, word| format!("{line} {}", word.text));
        walker.through("git", |walker| walker.text(&line, call.span, Origin::Text("git alias".to_owned())));
        return Some(Class::Unknown);
    }
    let row = subcommands::find(name);
    let args = Args::parse(rest, row.values);
    let sub = SubCall { name, rest, args: &args, global };
    if row.follows_commits && looks::prove("git", call.rest()) != Proof::Proven {
        walker.doubt(Doubt::Effects, format!("git {name}"), call.span);
    }
    walker.reading.network |= network::uses_network(&sub);
    files::read_by_name(walker, call, &sub);
    runs::far_end(walker, call, &sub);
    if runs::opens_editor(walker, &sub) {
        walker.runs_typed(call);
    }
    if matches!(name, "ls-remote" | "fetch" | "clone" | "pull")
        && args.words().any(|word| word.contains("::"))
    {
        // `ext::COMMAND` and helpers of other names are programs; `% ` stands for a space inside of a word.
        if let Some(text) = args.words().find_map(|word| word.strip_prefix("ext::")) {
            let text = text.replace("% ", "\\ ");
            walker.through("git", |walker| walker.text(&text, call.span, Origin::Text("git".to_owned())));
            walker.risk(RuleId::GitConfigRun, format!("ext::{text}"), call.span);
        }
        walker.doubt(Doubt::Code, format!("git {name}"), call.span);
    }
    own_settings::check(walker, call, global);
    (row.follow)(walker, call, &sub)
}
