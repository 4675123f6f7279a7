//! Clients that move files by a small script of their own: ftp, lftp, sftp, smbclient; the clipboard.

use crate::guard::RuleId;
use crate::programs::Args;
use crate::reading::{Class, Origin};
use crate::text::{Taint, Text};
use crate::walk::{Call, Walker};

/// Verbs that send the files behind them.
const PUTS: [&str; 6] = ["put", "mput", "reput", "send", "append", "mirror"];

/// Follows the script of a transfer: `!` starts a command here, `put` and `mirror -R` send files away.
pub(crate) fn transfer(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let mut scripts: Vec<Text> = args.values("-c|-e|--command|-x").into_iter().cloned().collect();
    scripts.extend(walker.stdin().cloned());
    for file in args.values("-b|-f|-s") {
        scripts.extend(walker.content_of(file));
    }
    let mut taint = Taint::NONE;
    for script in &scripts {
        taint = taint.with(script.taint);
        for step in script.text.split(['\n', ';']).map(str::trim).take(256) {
            taint = taint.with(follow(walker, call, step));
        }
    }
    for operand in &args.operands {
        let path = walker.resolve(operand).0;
        taint = taint.with(operand.taint).with(walker.secrecy(&path));
    }
    super::network::leak(walker, call, taint, args.words().any(crate::network::is_local_host), args.word(0));
    None
}

/// Follows one line of a script and returns the taint of the files it sends.
fn follow(walker: &mut Walker<'_>, call: &Call, step: &str) -> Taint {
    if let Some(command) = step.strip_prefix('!').or_else(|| step.strip_prefix("shell ")) {
        let command = command.to_owned();
        let origin = Origin::Text(call.name.clone());
        walker.through(&call.name, |walker| drop(walker.text(&command, call.span, origin)));
        return Taint::NONE;
    }
    let mut words = step.split_whitespace();
    let verb = words.next().unwrap_or("");
    if !PUTS.contains(&verb) {
        return Taint::NONE;
    }
    let words: Vec<&str> = words.collect();
    let is_back = verb != "mirror"
        || words.iter().any(|word| {
            *word == "--reverse" || word.starts_with('-') && !word.starts_with("--") && word.contains('R')
        });
    if !is_back {
        return Taint::NONE;
    }
    let files: Vec<&str> = words.into_iter().filter(|word| !word.starts_with('-')).collect();
    let sent = if verb == "mput" { files.as_slice() } else { files.get(..1).unwrap_or(&[]) };
    // Without a folder, the current one is sent.
    let sent = if sent.is_empty() && verb == "mirror" { &["."][..] } else { sent };
    sent.iter().fold(Taint::NONE, |taint, file| {
        let file = Text::known(file.trim_matches(['"', '\'']));
        let path = walker.resolve(&file).0;
        walker.read_path(&file, call.span);
        taint.with(walker.taint_of_tree(&path))
    })
}

/// Whatever is on the clipboard, every program of the user can read.
pub(crate) fn clipboard(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let mut taint = walker.stdin().map_or(Taint::NONE, |input| input.taint);
    for operand in &args.operands {
        let path = walker.resolve(operand).0;
        taint = taint.with(operand.taint).with(walker.secrecy(&path));
    }
    if taint.has(Taint::SECRET) {
        walker.risk(RuleId::SecretRead, call.name.clone(), call.span);
    }
    None
}

/// A program that sends every file it is given, in operands and values of options.
pub(crate) fn sends_files(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let mut taint = walker.stdin().map_or(Taint::NONE, |input| input.taint);
    for word in call.rest() {
        let value = if word.text.starts_with("--") {
            word.text.split_once('=').map(|(_, value)| Text::known(value))
        } else {
            None
        };
        let file = value.as_ref().unwrap_or(word);
        let path = walker.resolve(file).0;
        taint = taint.with(word.taint).with(walker.taint_of_tree(&path));
    }
    // `logger` keeps its lines here unless it names a server.
    let is_here = call.name == "logger" && !args.has("-n|--server");
    super::network::leak(walker, call, taint, is_here, args.word(0));
    None
}
