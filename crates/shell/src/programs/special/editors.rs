//! Editors: the files they are opened on, and the commands they are given on the command line.

use crate::programs::Args;
use crate::reading::{Class, Origin};
use crate::text::Text;
use crate::walk::{Call, Walker};

/// Options of vim whose value is neither a file it edits nor a command.
const WITH_VALUE: [&str; 10] = ["-s", "-S", "-u", "-U", "-i", "-T", "-t", "-q", "--startuptime", "--listen"];

/// `vim`, `ex` and `ed`: commands (`-c`, `+`, typed), and files that are opened for writing.
pub(crate) fn editor(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let is_vim = !matches!(call.name.as_str(), "ed" | "ex");
    let mut commands = typed(walker.stdin().and_then(Text::value).unwrap_or(""));
    let mut files = Vec::new();
    let mut words = call.rest().iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        match text {
            "-c" | "--cmd" => commands.extend(words.next().map(|command| command.text.clone())),
            "--" => {
                files.extend(words);
                break;
            }
            // A number is the size of a window.
            "-w" | "-W" if is_vim => {
                if let Some(log) = words.next().filter(|log| log.text.parse::<u32>().is_err()) {
                    walker.write_path(log, call.span);
                }
            }
            _ if is_vim && WITH_VALUE.contains(&text) => drop(words.next()),
            // `ex -sc 'commands'`
            _ if text.starts_with('-') && !text.starts_with("--") && text.ends_with('c') => {
                commands.extend(words.next().map(|command| command.text.clone()));
            }
            _ if text.starts_with('+') => commands.push(text[1..].to_owned()),
            _ if text.starts_with('-') && text != "-" => {}
            _ => files.push(word),
        }
    }
    let mut writes = false;
    for command in commands.iter().take(256) {
        writes |= carry_out(walker, call, command, 0);
    }
    for file in files {
        // `view` keeps from writing by mistake; who says `w!` means it.
        if call.name == "view" && !writes {
            walker.read_path(file, call.span);
        } else {
            walker.write_path(file, call.span);
        }
    }
    (call.name == "view" && !writes && commands.is_empty()).then_some(Class::ReadOnly)
}

/// `nano -s PROGRAM`: the editor runs it over the text.
pub(crate) fn speller(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    for command in args.values("-s|--speller") {
        walker.run_text(command, call, &call.name);
    }
    None
}

/// Returns the commands among typed lines: inserted text ends at a line with a dot.
fn typed(input: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut lines = input.lines().take(4096);
    while let Some(line) = lines.next() {
        let verb = behind_range(line);
        if matches!(verb, "a" | "i" | "c" | "append" | "insert" | "change") {
            lines.by_ref().take_while(|line| *line != ".").for_each(drop);
        } else {
            commands.push(line.to_owned());
        }
    }
    commands
}

/// Follows one command of the editor; says whether it writes the file that is open.
fn carry_out(walker: &mut Walker<'_>, call: &Call, command: &str, depth: usize) -> bool {
    let mut command = behind_range(command);
    for prefix in ["silent!", "silent", "sil!", "sil", "noautocmd", "noa", "keepalt", "verbose"] {
        if let Some(rest) = command.strip_prefix(prefix).filter(|rest| rest.starts_with([' ', '!'])) {
            command = behind_range(rest.trim_start());
        }
    }
    let shell = |walker: &mut Walker<'_>, text: &str| {
        walker.through(&call.name, |walker| walker.text(text, call.span, Origin::Text(call.name.clone())));
    };
    if let Some(text) = command.strip_prefix('!') {
        shell(walker, text);
        return false;
    }
    if let Some((_, arguments)) = command.split_once("writefile(") {
        // `writefile(lines, name, flags)`
        let behind = arguments.rsplit_once(']').map_or(arguments, |(_, behind)| behind);
        if let Some(name) = behind.split(['"', '\'']).nth(1) {
            walker.write_path(&Text::known(name), call.span);
        }
        return false;
    }
    if let Some((_, arguments)) = command.split_once("delete(")
        && let Some(name) = arguments.split(['"', '\'']).nth(1)
    {
        walker.delete_path(&Text::known(name), arguments.contains("rf"), call.span);
        return false;
    }
    if let Some(text) = called_shell(command) {
        let text = text.to_owned();
        shell(walker, &text);
        return false;
    }
    let (command, next) = match command.split_once('|') {
        Some((command, next)) => (command, Some(next)),
        None => (command, None),
    };
    let end = command.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(command.len());
    let (verb, rest) = command.split_at(end);
    let rest = rest.trim_start_matches('!').trim_start_matches('>').trim();
    let mut writes = false;
    match verb {
        "w" | "W" | "wq" | "write" | "wri" | "x" | "xit" | "exi" | "exit" | "sav" | "saveas" | "up"
        | "update" | "wn" | "wa" | "wall" | "wqa" | "wqall" | "xa" | "xall" => {
            writes = true;
            // `w !cmd` hands the text to a command.
            if let Some(text) = command[end..]
                .trim_start()
                .strip_prefix('!')
                .filter(|text| command[end..].starts_with(' ') && !text.trim().is_empty())
            {
                shell(walker, text);
            } else if !rest.is_empty() {
                walker.write_path(&Text::known(rest), call.span);
            }
        }
        // A later `w` writes the file that is open.
        "e" | "E" | "edit" | "sp" | "split" | "vs" | "vsplit" | "tabe" | "tabedit" | "tabnew" | "new"
        | "n" | "next" | "f" | "file" | "badd" | "args"
            if !rest.is_empty() && !rest.starts_with('#') =>
        {
            walker.write_path(&Text::known(rest), call.span);
        }
        "redi" | "redir" | "mk" | "mks" | "mksession" | "mkv" | "mkvimrc" | "mkexrc" | "wv" | "wsh"
        | "rundo" | "wundo"
            if !rest.is_empty() && !rest.starts_with('@') && !rest.eq_ignore_ascii_case("end") =>
        {
            walker.write_path(&Text::known(rest), call.span);
        }
        "r" | "read" => {
            if let Some(text) = rest.strip_prefix('!').or_else(|| command[end..].trim().strip_prefix('!')) {
                shell(walker, text);
            }
        }
        "exe" | "exec" | "execute" | "norm" | "normal" | "bufdo" | "argdo" | "windo" | "tabdo" | "g"
        | "global"
            if depth < 4 =>
        {
            let inner = rest.trim_matches(['"', '\'']).trim_start_matches(':');
            // `g/pattern/command`
            let inner = if verb.starts_with('g') { rest.splitn(3, '/').nth(2).unwrap_or("") } else { inner };
            writes |= carry_out(walker, call, inner, depth + 1);
        }
        _ => {}
    }
    if let Some(next) = next.filter(|_| depth < 16) {
        writes |= carry_out(walker, call, next, depth + 1);
    }
    writes
}

/// Returns a command without the lines it is for.
fn behind_range(command: &str) -> &str {
    command
        .trim()
        .trim_start_matches(|letter: char| letter.is_ascii_digit() || ":%,.$;+-'<> ".contains(letter))
}

/// `call system("…")` and `lua os.execute("…")`: the text a command of the editor hands to a shell.
fn called_shell(command: &str) -> Option<&str> {
    let at = ["system(", "systemlist(", "execute(", "termopen(", "job_start("]
        .iter()
        .find_map(|name| command.find(name).map(|at| at + name.len()))?;
    let quote = command[at..].chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    command[at + 1..].split(quote).next()
}

/// `emacs --eval '(shell-command "…")'`: texts of the forms that run, delete or write.
pub(crate) fn emacs(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    for form in args.values("--eval|-eval|--execute|-execute") {
        let code = form.text.clone();
        let has = |names: &[&str]| names.iter().any(|name| code.contains(name));
        for text in code.split('"').skip(1).step_by(2).take(64).map(str::to_owned) {
            if has(&["shell-command", "call-process", "compile"]) {
                walker.through("emacs", |walker| {
                    walker.text(&text, call.span, Origin::Text("emacs".to_owned()))
                });
            } else if has(&["(delete-directory", "(delete-file"]) {
                walker.delete_path(&Text::known(text), code.contains("(delete-directory"), call.span);
            } else if has(&[
                "(write-file",
                "(write-region",
                "(append-to-file",
                "(find-file",
                "(rename-file",
                "(copy-file",
                "(with-temp-file",
                "(make-directory",
            ]) {
                walker.write_path(&Text::known(text), call.span);
            }
        }
    }
    for file in args.operands.iter().filter(|file| !file.text.starts_with('+')) {
        walker.write_path(file, call.span);
    }
    None
}
