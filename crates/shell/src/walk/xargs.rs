//! `xargs` and `parallel`: a command with words from standard input behind it.

use super::invoke::quote_raw;
use super::{Call, Walker};
use crate::programs::options::{Item, Options, Spec};
use crate::text::{Taint, Text};

const XARGS: Spec<'static> = Spec {
    values: "-a -E -I -J -L -n -P -d -s -R -S --arg-file --delimiter --max-args --max-procs --max-chars --process-slot-var",
    optional: "-e -i -l --eof --replace --max-lines",
    flags: "-0 -o -p -r -t -x --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits --help --version",
    is_partial: false,
};

const PARALLEL: Spec<'static> = Spec {
    values: "-a -C -d -D -E -I -j -J -L -n -N -P -s -S -U --arg-file --colsep --delimiter --jobs --max-procs --max-args --max-replace-args --max-chars --max-lines --sshlogin --sshloginfile --slf --delay --timeout --joblog --retries --results --res --tmpdir --workdir --wd --basefile --bf --return --transferfile --tf --env --block --recstart --recend --halt --halt-on-error --load --nice --noswap --memfree --memsuspend --tagstring --rpl --profile --semaphorename --id --limit --arg-sep --arg-file-sep --termseq --tmuxpane",
    optional: "-e -i -l --eof --replace --bibtex --shebang",
    flags: "-0 -k -m -q -r -t -u -v -x -X --null --keep-order --group --line-buffer --lb --ungroup --dry-run --dryrun --bar --eta --progress --no-run-if-empty --quote --verbose --pipe --shuf --xargs --tag --will-cite --link --files --resume --resume-failed --trim --plus --citation --silent --colour --color --wait --fg --bg --sem --semaphore --no-notice --header",
    is_partial: false,
};

impl Walker<'_> {
    /// `xargs cmd` and `parallel cmd`: the command with words from standard input behind it.
    pub(super) fn xargs(&mut self, call: &Call) -> Text {
        let rest = call.rest();
        let spec = if call.name == "parallel" { PARALLEL } else { XARGS };
        let mut place = (call.name == "parallel").then(|| "{}".to_owned());
        let mut is_null = false;
        let mut is_guess = false;
        let mut at = rest.len();
        for item in Options::new(rest, spec) {
            let option = match item {
                Item::Operand(operand) => {
                    at = operand;
                    break;
                }
                Item::Option(option) => option,
            };
            if call.name == "parallel" && option.is("--dry-run|--dryrun") {
                return Text::unknown("$_output", Taint::PRINTED);
            }
            is_guess |= !option.is_known;
            let records = call.name == "parallel" && option.is("--results|--res|--joblog");
            if records && let Some(file) = option.value.clone() {
                self.write_path(&file, call.span);
            }
            is_null |= option.is("-0|--null|-d|--delimiter");
            if option.is("-I|-J|-i|--replace") {
                place = Some(option.value.map_or_else(|| "{}".to_owned(), |value| value.text));
            }
        }
        if is_guess {
            self.guess(rest, at, call);
        }
        let mut inner: Vec<Text> = rest.get(at..).unwrap_or(&[]).to_vec();
        let mut given: Vec<Text> = Vec::new();
        if let Some(colons) = inner.iter().position(|arg| matches!(arg.text.as_str(), ":::" | "::::")) {
            given = inner.split_off(colons)[1..].to_vec();
        }
        let is_given = !given.is_empty();
        let input = self.state.stdin.clone();
        if !is_given {
            given = match &input {
                Some(input) if place.is_some() || is_null => input.split("\n\0"),
                Some(input) => input.split(" \t\n\0"),
                None => Vec::new(),
            };
        }
        let taint = input.as_ref().map_or(Taint::TYPED, |input| input.taint);
        if given.is_empty() {
            given = vec![Text::unknown("$_input", taint)];
        }
        given.truncate(64);
        if inner.is_empty() {
            if call.name == "parallel" {
                // Each word behind `:::`, or each line, is a separate command.
                if is_given {
                    for text in &given {
                        self.run_text(text, call, "parallel");
                    }
                    return Text::unknown("$_output", Taint::PRINTED);
                }
                let text = input.unwrap_or_else(|| Text::unknown("$_input", Taint::TYPED));
                return self.run_text(&text, call, "stdin");
            }
            inner.push(Text::known("echo"));
        }
        self.via.push(call.name.clone());
        let output = self.subshell(|walker| {
            walker.state.stdin = None;
            match place {
                Some(mark) if !mark.is_empty() && inner.iter().any(|arg| arg.text.contains(&mark)) => {
                    let mut output = Text::default();
                    for value in given.iter().take(12) {
                        let argv: Vec<Text> = inner.iter().map(|arg| substitute(arg, &mark, value)).collect();
                        output.push(&walker.invoke_words(argv, call));
                    }
                    output
                }
                _ => {
                    inner.extend(given);
                    walker.invoke_words(inner, call)
                }
            }
        });
        self.via.pop();
        output
    }

    /// Runs words that `parallel` may give as one shell text.
    fn invoke_words(&mut self, argv: Vec<Text>, call: &Call) -> Text {
        match argv.first() {
            Some(first) if call.name == "parallel" && first.text.contains(' ') => {
                let line = argv.iter().map(quote_raw).collect::<Vec<_>>().join(" ");
                self.run_text(&Text::known(line), call, "parallel")
            }
            _ => self.invoke(argv, call.span),
        }
    }
}

/// Replaces `mark` in a word by `value`.
pub(super) fn substitute(arg: &Text, mark: &str, value: &Text) -> Text {
    if !arg.text.contains(mark) {
        return arg.clone();
    }
    let mut result = Text { taint: arg.taint, ..Text::default() };
    let mut from = 0;
    while let Some(at) = arg.text[from..].find(mark).map(|at| at + from) {
        result.push(&arg.slice(from, at));
        result.push(value);
        from = at + mark.len();
    }
    result.push(&arg.slice(from, arg.text.len()));
    result
}
