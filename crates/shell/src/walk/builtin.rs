//! Builtins that change the meaning of the rest of the line: `cd`, `export`, `eval`, `source`, `read`, …

use super::{Call, Walker};
use crate::guard::RuleId;
use crate::path;
use crate::programs::{Args, looks};
use crate::reading::{Class, Doubt, Origin};
use crate::text::{Taint, Text};

impl Walker<'_> {
    /// Follows a builtin; `None` when it is something else.
    pub(super) fn builtin(&mut self, call: &Call) -> Option<Text> {
        let output = self.builtin_effects(call)?;
        if !looks::prove(&call.name, call.rest()).is_listed() && looks::sections(&call.name).next().is_some()
        {
            self.classify(call.command, Class::Unknown);
            self.doubt(Doubt::Code, call.name.clone(), call.span);
        }
        Some(output)
    }

    fn builtin_effects(&mut self, call: &Call) -> Option<Text> {
        match call.name.as_str() {
            "cd" | "pushd" | "chdir" => self.change_folder(call),
            "popd" => {
                if let Some(folder) = self.state.folders.pop() {
                    self.state.previous = std::mem::replace(&mut self.state.cwd, folder);
                }
            }
            "export" | "declare" | "local" | "readonly" | "typeset" => {
                self.declare(call);
                // Without names they print all variables.
                if call.rest().iter().all(|word| word.text.starts_with('-')) {
                    return Some(Text::unknown("$_output", Taint::SECRET));
                }
            }
            "unset" => {
                for name in call.rest() {
                    self.subscripted(name, call.span);
                    if name.text == "HISTFILE" {
                        self.risk(RuleId::LogTampering, "HISTFILE", call.span);
                    }
                    self.state.unset(&name.text);
                }
            }
            "set" => {
                for pair in call.rest().windows(2).filter(|pair| pair[1].text == "physical") {
                    self.state.is_physical |= pair[0].text.starts_with('-');
                }
                let mut options = call.rest().iter().take_while(|arg| arg.text.starts_with('-'));
                self.state.is_physical |= options.any(|arg| arg.text != "--" && arg.text.contains('P'));
                if let Some(operands) = set_operands(call.rest()) {
                    self.state.positional = operands.to_vec();
                } else if call.rest().is_empty() {
                    return Some(Text::unknown("$_output", Taint::SECRET));
                }
            }
            "shift" => {
                let by = call.rest().first().and_then(|arg| arg.text.parse().ok()).unwrap_or(1usize);
                let by = by.min(self.state.positional.len());
                self.state.positional.drain(..by);
            }
            "eval" => {
                let mut text = Text::default();
                let ends_options = call.rest().first().is_some_and(|arg| arg.text == "--");
                for (index, arg) in call.rest().iter().skip(usize::from(ends_options)).enumerate() {
                    if index > 0 {
                        text.push_str(" ");
                    }
                    text.push(arg);
                }
                return Some(self.run_text(&text, call, "eval"));
            }
            "source" | "." => {
                let (file, arguments) = call.rest().split_first()?;
                let positional = (!arguments.is_empty())
                    .then(|| std::mem::replace(&mut self.state.positional, arguments.to_vec()));
                let output = self.source(file, call);
                if let Some(positional) = positional {
                    self.state.positional = positional;
                }
                return Some(output);
            }
            "trap" => {
                let action =
                    call.rest().iter().find(|arg| !matches!(arg.text.as_str(), "-" | "--" | "-p" | "-l"))?;
                if let Some(text) = action.value().map(str::to_owned) {
                    self.trap(text, call);
                }
            }
            "printf" if call.rest().first().is_some_and(|arg| arg.text == "-v") => {
                if let Some(name) = call.rest().get(1) {
                    self.subscripted(name, call.span);
                }
                if let Some(name) = call.rest().get(1).and_then(Text::value).map(str::to_owned) {
                    let value = super::output::printf(call.rest().get(2..).unwrap_or(&[]));
                    self.state.assign(&name, value);
                }
            }
            "compgen" | "complete" => self.follow_callback(call),
            "read" | "mapfile" | "readarray" => {
                self.follow_callback(call);
                self.read_variable(call);
            }
            "alias" | "hash" | "enable" => self.rename(call),
            "exec" if call.rest().is_empty() => {}
            ":" | "true" | "false" | "return" | "exit" | "break" | "continue" | "wait" | "jobs" | "fg"
            | "bg" | "getopts" | "shopt" | "ulimit" | "umask" | "unalias" | "dirs" | "disown" | "times"
            | "suspend" | "logout" | "caller" | "bind" | "compopt" | "fc" | "setopt" | "unsetopt"
            | "autoload" | "emulate" | "zmodload" => {}
            "test" | "[" | "[[" => {
                for pair in call.rest().windows(2).filter(|pair| pair[0].text == "-v") {
                    self.subscripted(&pair[1], call.span);
                }
            }
            "let" => {
                for expression in call.rest() {
                    self.arithmetic(expression, call.span);
                }
            }
            _ => return None,
        }
        Some(Text::default())
    }

    /// Gives a name to other words or to another program: `alias`, `hash -p`, `enable -f`.
    fn rename(&mut self, call: &Call) {
        match call.name.as_str() {
            "alias" => {
                for arg in call.rest() {
                    if let Some((name, value)) = arg.text.split_once('=') {
                        self.state.aliases.retain(|(known, _)| known != name);
                        self.state.aliases.push((name.to_owned(), value.to_owned()));
                    }
                }
            }
            // `hash -p /bin/rm ls`: from here on the name is another program's.
            "hash" if call.rest().first().is_some_and(|arg| arg.text == "-p") => {
                if let [_, program, names @ ..] = call.rest() {
                    for name in names {
                        self.state.aliases.retain(|(known, _)| *known != name.text);
                        self.state.aliases.push((name.text.clone(), super::invoke::quote(program)));
                    }
                }
            }
            // `enable -f ./x.so ls`: from here on the name is a builtin of that file.
            "enable" if call.rest().first().is_some_and(|arg| arg.text.starts_with("-f")) => {
                let args = Args::parse(call.rest(), "-f");
                if let Some(file) = args.values("-f").first() {
                    for name in args.words() {
                        self.state.aliases.push((name.to_owned(), super::invoke::quote(file)));
                    }
                }
            }
            _ => {}
        }
    }

    /// Follows the command of `compgen -C COMMAND` and `mapfile -C COMMAND`.
    fn follow_callback(&mut self, call: &Call) {
        if call.name == "read" {
            return;
        }
        let args = Args::parse(call.rest(), "-C -F -c -n -O -s -u -d -A -W");
        for command in
            args.values("-C|-F").into_iter().filter_map(Text::value).map(str::to_owned).collect::<Vec<_>>()
        {
            self.subshell(|walker| drop(walker.text(&command, call.span, Origin::Text(call.name.clone()))));
        }
    }

    fn change_folder(&mut self, call: &Call) {
        let options =
            call.rest().iter().map(|arg| arg.text.as_str()).take_while(|text| text.starts_with('-'));
        let is_physical = options.filter_map(|text| text.rfind(['L', 'P']).map(|at| &text[at..=at])).last();
        let is_physical = is_physical.map_or(self.state.is_physical, |letter| letter == "P");
        let target = call
            .rest()
            .iter()
            .find(|arg| arg.text == "-" || !arg.text.starts_with('-') && !arg.text.starts_with('+'));
        let folder = match target {
            None if call.name == "pushd" => return,
            None => Some(self.reading.home.clone()),
            Some(arg) if arg.text == "-" => self.state.previous.clone(),
            Some(arg) if arg.is_known() && arg.glob => {
                // Which folder it is cannot be known, but it lies below the part that is written.
                let fixed = arg.text.split(['*', '?', '[']).next().unwrap_or("");
                let base = fixed.rsplit_once('/').map_or("", |(base, _)| base);
                path::join(base, self.state.cwd.as_deref(), &self.reading.home)
                    .map(|base| format!("{base}/*"))
            }
            Some(arg) => self.resolve_folder(arg, is_physical),
        };
        if call.name == "pushd" {
            self.state.folders.push(self.state.cwd.clone());
        }
        self.state.previous = std::mem::replace(&mut self.state.cwd, folder);
    }

    /// Goes to a folder, which may be unknown.
    pub(crate) fn change_to(&mut self, folder: &Text) {
        let (resolved, certainty) = self.resolve(folder);
        self.state.cwd = (certainty != path::Certainty::Unknown).then_some(resolved);
    }

    fn declare(&mut self, call: &Call) {
        let has = |letter: char| {
            call.rest()
                .iter()
                .any(|arg| arg.text.starts_with('-') && !arg.text.contains('=') && arg.text.contains(letter))
        };
        for arg in call.rest() {
            let Some(equals) = arg.text.find('=') else { continue };
            if arg.holes.first().is_some_and(|(start, _)| *start < equals) {
                continue;
            }
            let name = arg.text[..equals].trim_end_matches('+').to_owned();
            let value = arg.slice(equals + 1, arg.text.len());
            if has('i') {
                self.arithmetic(&value, call.span);
            }
            self.sets_for_shell(&name, call.span);
            if name == "HISTFILE" && value.text == "/dev/null" {
                self.risk(RuleId::LogTampering, name.clone(), call.span);
            }
            let value = match (has('u'), has('l'), value.is_known()) {
                (true, _, true) => Text { text: value.text.to_uppercase(), ..value },
                (_, true, true) => Text { text: value.text.to_lowercase(), ..value },
                _ => value,
            };
            if has('n') && value.is_known() {
                self.state.references.push((name.clone(), value.text.clone()));
                continue;
            }
            self.later(|walker| walker.hook_variable(&name, &value, call.span));
            // `declare -a x=(a b)` arrives as one string with a space behind each element.
            let elements = value.text.ends_with(' ').then(|| value.split(" "));
            self.state.assign(&name, value);
            self.sets_registry(&name, call.span);
            self.state.set_elements(&name, elements);
        }
        if call.rest().is_empty() || call.rest().iter().all(|arg| matches!(arg.text.as_str(), "-p" | "-x")) {
            self.classify(call.command, Class::ReadOnly);
        }
    }

    /// `read` takes its values from standard input, as far as that is known.
    fn read_variable(&mut self, call: &Call) {
        let mut names: Vec<String> = Vec::new();
        let mut rest = call.rest().iter();
        while let Some(arg) = rest.next() {
            match arg.text.as_str() {
                // A timeout of `read`, but a flag of `mapfile`.
                "-t" if call.name != "read" => {}
                "-p" | "-n" | "-N" | "-t" | "-u" | "-d" | "-i" | "-O" | "-s" | "-c" | "-C"
                    if arg.text != "-s" =>
                {
                    rest.next();
                }
                "-a" => {}
                flag if flag.starts_with('-') => {}
                name => names.push(name.to_owned()),
            }
        }
        if names.is_empty() {
            names.push(if call.name == "read" { "REPLY" } else { "MAPFILE" }.to_owned());
        }
        let input = self.state.stdin.clone();
        let lines = input.as_ref().map(|input| input.split("\n")).unwrap_or_default();
        let separators = self.variable("IFS").and_then(|value| value.value().map(str::to_owned));
        let separators = separators.unwrap_or_else(|| " \t".to_owned());
        for name in names.clone() {
            self.subscripted(&Text::known(name.as_str()), call.span);
            let unknown =
                Text::unknown(format!("${name}"), input.as_ref().map_or(Taint::TYPED, |input| input.taint));
            if lines.is_empty() {
                self.state.assign_any(&name, vec![unknown]);
            } else if call.name != "read" {
                self.state.assign_array(&name, lines.clone(), false);
            } else if names.len() == 1 {
                self.state.assign_any(&name, lines.clone());
            } else {
                // Several names share a line; any field may land in any of them.
                let fields: Vec<Text> =
                    lines.iter().take(8).flat_map(|line| line.split(&separators)).collect();
                self.state.assign_any(&name, if fields.is_empty() { vec![unknown] } else { fields });
            }
        }
    }
}

/// Returns the words that `set` makes `$1`, `$2`, …; `None` if it only switches options.
fn set_operands(words: &[Text]) -> Option<&[Text]> {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        match word.text.as_str() {
            // They end the options; `-` alone changes nothing if no word follows.
            "--" => return Some(&words[at + 1..]),
            "-" => return Some(&words[at + 1..]).filter(|rest| !rest.is_empty()),
            text if text.starts_with(['-', '+']) => {
                at += 1 + usize::from(text.ends_with('o') && words.len() > at + 1);
            }
            _ => return Some(&words[at..]),
        }
    }
    None
}
